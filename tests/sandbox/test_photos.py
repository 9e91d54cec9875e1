"""Pictures are small, stable and safe to embed anywhere."""

import xml.etree.ElementTree as ElementTree

import pytest

from search.sandbox.photos import KINDS, draw
from search.sandbox.world import world

NUMBERS = range(0, world().size, world().size // 25)


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_is_the_same_for_ever_and_differs_between_properties(kind):
    assert draw(NUMBERS[1], kind) == draw(NUMBERS[1], kind)
    assert len({draw(number, kind) for number in NUMBERS}) > 20


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_is_a_small_drawing_in_the_photo_format(kind):
    for number in NUMBERS:
        drawing = draw(number, kind)
        root = ElementTree.fromstring(drawing)
        assert (root.get("width"), root.get("height")) == ("960", "640")
        assert len(drawing) < 12_000


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_needs_no_style_no_script_and_no_text(kind):
    for number in NUMBERS:
        for element in ElementTree.fromstring(draw(number, kind)).iter():
            assert element.tag.rpartition("}")[2] not in ("style", "script", "text", "image", "foreignObject")
            assert "style" not in element.attrib
            assert element.get("href", "#").startswith("#")


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_stays_small_in_a_browser_which_keeps_a_copy_of_what_is_used_again(kind):
    for number in NUMBERS:
        root = ElementTree.fromstring(draw(number, kind))
        named = {element.get("id"): element for element in root.iter()}

        def kept(element, named=named):
            used = element.get("href")
            return 1 + sum(map(kept, element)) + (kept(named[used[1:]]) if used else 0)

        assert kept(root) < 400


def test_an_unknown_kind_is_a_key_error():
    with pytest.raises(KeyError):
        draw(1, "ufo")
