"""Pictures are small, stable, varied and safe to embed anywhere; those of one hotel show one building."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from search.sandbox.photos import KINDS, draw
from search.sandbox.world import world

pytestmark = pytest.mark.thorough

NUMBERS = range(0, world().size, world().size // 25)
OUTDOORS = ("facade", "pool", "street", "garden")


def elements(number, kind):
    return list(ElementTree.fromstring(draw(number, kind)).iter())


def shape_of_windows(number, kind):
    (pattern,) = [element for element in elements(number, kind) if element.get("id") == "wall"]
    return tuple(path.get("d") for path in pattern)


def test_a_picture_stays_the_same_and_hotels_differ():
    for kind in KINDS:
        assert draw(NUMBERS[1], kind) == draw(NUMBERS[1], kind)
        assert len({draw(number, kind) for number in NUMBERS}) == len(NUMBERS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_is_a_small_drawing_in_the_photo_format(kind):
    for number in NUMBERS:
        drawing = draw(number, kind)
        root = ElementTree.fromstring(drawing)
        assert (root.get("width"), root.get("height")) == ("960", "640")
        assert len(drawing) < 9_600


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_needs_no_style_no_script_and_no_text(kind):
    for number in NUMBERS:
        for element in elements(number, kind):
            assert element.tag.rpartition("}")[2] not in ("style", "script", "text", "image", "foreignObject")
            assert "style" not in element.attrib


def test_what_a_picture_uses_is_in_it_once():
    for kind in KINDS:
        for number in NUMBERS:
            drawing = draw(number, kind).decode()
            names = re.findall(r' id="([^"]+)"', drawing)
            used = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', drawing)
            assert len(names) == len(set(names))
            assert {one or other for one, other in used} <= set(names)


def test_all_pictures_of_a_hotel_show_the_same_building():
    for number in NUMBERS:
        assert len({shape_of_windows(number, kind) for kind in OUTDOORS}) == 1


def test_hotels_of_one_city_have_different_buildings():
    rome = world().find("Rome")
    shapes = {shape_of_windows(number, "facade") for number in range(rome.start, rome.start + 20)}
    assert len(shapes) > 2
