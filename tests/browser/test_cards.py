"""The cards of a list under the pointer, on the map and on the way back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .conftest import let_the_list_settle, search_path

Open = Callable[..., Page]
widths = pytest.mark.parametrize("width", [390, 1280])


@widths
def test_a_card_far_below_is_laid_out_late_and_moves_nothing(open_page: Open, width: int) -> None:
    page = open_page(search_path(sort="provider"), viewport={"width": width, "height": 844})
    last = page.locator(".listing-card").last
    is_laid_out = "(it) => it.checkVisibility({ contentVisibilityAuto: true })"
    height = "() => document.documentElement.scrollHeight"
    assert not last.locator("h2").evaluate(is_laid_out)
    guessed = page.evaluate(height)
    last.scroll_into_view_if_needed()
    expect(last.locator("h2")).to_be_in_viewport()
    assert last.locator("h2").evaluate(is_laid_out)
    assert abs(page.evaluate(height) - guessed) < 40


@widths
def test_on_paper_every_card_is_laid_out(open_page: Open, width: int) -> None:
    page = open_page(search_path(), viewport={"width": width, "height": 844})
    page.emulate_media(media="print")
    is_laid_out = "(all) => all.every((it) => it.checkVisibility({ contentVisibilityAuto: true }))"
    assert page.locator(".listing-card h2").evaluate_all(is_laid_out)


@widths
def test_the_picture_of_a_card_opens_its_property(open_page: Open, width: int) -> None:
    page = open_page(search_path(sort="provider"), viewport={"width": width, "height": 844})
    card = page.locator(".listing-card:has(.listing-card__count):has(.offers)").first
    name = card.locator("h2").inner_text()
    card.locator(".offers__summary").click()
    expect(card.locator(".offer-row").first).to_be_visible()
    picture = card.locator(".listing-card__picture")
    box = picture.bounding_box()
    assert box is not None
    for x, y in ((4, 4), (box["width"] - 4, box["height"] - 4)):
        under = "(it, [x, y]) => it.closest('.listing-card').querySelector('h2 a').href === "
        under += "((box) => document.elementFromPoint(box.x + x, box.y + y))(it.getBoundingClientRect())"
        under += ".closest('a').href"
        picture.scroll_into_view_if_needed()
        assert picture.evaluate(under, [x, y])
    page.mouse.click(box["x"] + 9, picture.bounding_box()["y"] + 9)
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


@pytest.mark.parametrize("with_scripts", [True, False])
def test_offers_unfold_with_and_without_scripts(open_page: Open, with_scripts: bool) -> None:
    page = open_page(search_path(sort="provider"), java_script_enabled=with_scripts)
    offers = page.locator(".offers").first
    expect(offers).to_be_visible()
    if with_scripts:
        assert page.locator(".offer-row").count() == 0
    offers.locator(".offers__label").click()
    expect(offers.locator(".offer-row").first).to_be_visible()
    offers.locator(".offer-row__who").first.click()
    page.wait_for_url("**/hotels/**/**?**")


def test_a_group_of_pins_is_named_by_what_it_shows(open_page: Open) -> None:
    page = open_page(search_path(), viewport={"width": 1440, "height": 900})
    let_the_list_settle(page)
    expect(page.locator("stay-map")).to_have_attribute("data-shows", "all")
    group = page.locator(".map-pin", has_text="from").first
    group.wait_for()
    assert str(group.get_attribute("aria-label")).startswith(group.inner_text())


def test_search_this_area_keeps_the_filters_set_meanwhile(open_page: Open) -> None:
    page = open_page(search_path(), viewport={"width": 1440, "height": 900})
    let_the_list_settle(page)
    page.locator(".map-pin").first.wait_for()
    page.locator('refine-panel input[name="free_cancellation"]').check()
    page.wait_for_url("**free_cancellation=1**")
    page.get_by_role("button", name="Zoom in").click()
    page.locator('refine-panel input[name="pay_later"]').check()
    page.wait_for_url("**pay_later=1**")
    page.get_by_role("link", name="Search this area").click()
    page.wait_for_url("**bbox=**")
    assert "free_cancellation=1" in page.url
    assert "pay_later=1" in page.url


def test_an_address_that_the_browser_refuses_to_copy_is_shown(open_page: Open) -> None:
    page = open_page(search_path(sort="provider"))
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))")
    page.locator(".listing-card__name a").first.click()
    share = page.locator("share-sheet")
    share.get_by_role("button", name="Share").click()
    expect(share.get_by_role("status")).to_have_text(str(share.get_attribute("data-url")))
