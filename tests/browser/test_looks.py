"""Looks that hold for everybody: a palette of one's own, words of any length, a price in the first screen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from .conftest import let_the_list_settle, search_path

WIDER_THAN_THE_SCREEN = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"


def test_with_a_palette_of_ones_own_the_chosen_order_still_stands_out(
    open_page: Callable[..., Page],
) -> None:
    page = open_page(search_path(), forced_colors="active")
    let_the_list_settle(page)
    outlines = "all => all.map(one => getComputedStyle(one).outlineStyle)"
    assert page.locator(".refine-sort__order[aria-current]").evaluate_all(outlines) == ["solid"]
    assert set(page.locator(".refine-sort__order:not([aria-current])").evaluate_all(outlines)) == {"none"}


def test_with_a_palette_of_ones_own_the_map_keeps_its_colours(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path(), forced_colors="active", viewport={"width": 1440, "height": 900})
    corner = page.locator("canvas.leaflet-tile").first
    corner.wait_for(state="attached")
    red, green, blue = corner.evaluate("it => [...it.getContext('2d').getImageData(9, 9, 1, 1).data]")[:3]
    assert min(red, green, blue) > 100


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_a_word_without_end_stays_on_the_screen(open_page: Callable[..., Page], width: int) -> None:
    page = open_page(search_path(place="W" * 120), viewport={"width": width, "height": 800})
    assert not page.evaluate(WIDER_THAN_THE_SCREEN)
