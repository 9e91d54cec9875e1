"""Choosing, sorting and coming back in a real browser, at both widths, with scripts and without."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from search.results import full_results
from tests.browser.conftest import Watch, covered_stops, search_path, sort_by, violations
from tests.browser.refining import PHONE, WIDE, Open, answered, asked, choice, fetched, names, settled, widths

SCROLLED = "document.querySelector('.refine-panel__form').scrollTop"


def unfold(page: Page) -> None:
    """Shows the filters where they don't stand beside the list."""
    opener = page.locator("[data-sheet]")
    if opener.is_visible():
        opener.click()


@widths
def test_a_filter_applies_itself_and_keeps_place_focus_and_fold(open_page: Open, width: dict) -> None:
    page = settled(open_page, **width)
    unfold(page)
    box = choice(page, "free_cancellation")
    count = int(box.locator("xpath=..").locator(".refine-choice__count").inner_text())
    box.scroll_into_view_if_needed()
    top, scrolled = page.evaluate("scrollY"), page.evaluate(SCROLLED)
    box.check()
    answered(page, "free_cancellation")
    expect(page.locator("#results .results__summary")).to_contain_text(f"{count} of")
    assert page.evaluate(SCROLLED) == scrolled
    assert page.evaluate("scrollY") == pytest.approx(top, abs=2)
    expect(choice(page, "free_cancellation")).to_be_focused()
    expect(page.locator(".refine-chips__chip--on")).to_contain_text("Free cancellation")


@widths
def test_back_from_a_property_is_the_same_view_and_card(open_page: Open, width: dict) -> None:
    page = settled(open_page, search_path("Barcelona"), **width)
    unfold(page)
    choice(page, "free_cancellation").check()
    answered(page, "free_cancellation")
    if page.locator("dialog").is_visible():
        page.keyboard.press("Escape")
        page.wait_for_function("() => !location.hash")
    sort_by(page, "Highest rating")
    answered(page, "sort")
    before = names(page)
    card = page.locator(".listing-card__name a").nth(7)
    card.hover()  # where the click will find it, once nothing moves any more
    height = card.bounding_box()["y"]
    address = page.url
    card.click()
    page.wait_for_url(re.compile(r"/hotels/[^?]+/[^?]+/\?"))
    page.go_back()
    page.wait_for_url(address)
    assert names(page) == before
    again = page.locator(".listing-card__name a").nth(7)
    expect(again).to_be_in_viewport()
    assert again.bounding_box()["y"] == pytest.approx(height, abs=40)


@widths
def test_the_same_without_scripts(open_page: Open, watch: Watch, width: dict) -> None:
    page = open_page(search_path("Lerwick"), java_script_enabled=False, **width)
    unfold(page)
    choice(page, "free_cancellation").check()
    page.get_by_role("button", name="Apply filters").click()
    assert asked(page)["free_cancellation"] == ["1"]
    sort_by(page, "Most stars")
    assert asked(page)["sort"] == ["stars"]
    assert asked(page)["free_cancellation"] == ["1"]
    page.wait_for_load_state()  # the list comes after the beginning of its page
    before = names(page)
    page.locator(".listing-card__name a").nth(5).click()
    assert "/hotels/?" not in page.url
    page.go_back()
    assert names(page) == before
    page.get_by_role("link", name="Remove filter: Free cancellation").click()
    assert "free_cancellation" not in asked(page)
    assert asked(page)["sort"] == ["stars"]


def test_back_undoes_one_filter_at_a_time(open_page: Open) -> None:
    page = settled(open_page)
    start = page.url
    whole = names(page)
    unfold(page)
    choice(page, "free_cancellation").check()
    answered(page, "free_cancellation")
    choice(page, "pay_later").check()
    answered(page, "pay_later")
    page.go_back()
    expect(choice(page, "pay_later")).not_to_be_checked()
    expect(choice(page, "free_cancellation")).to_be_checked()
    page.go_back()
    expect(choice(page, "free_cancellation")).not_to_be_checked()
    assert page.url == start
    assert names(page) == whole
    page.go_forward()
    expect(choice(page, "free_cancellation")).to_be_checked()


def test_an_address_written_by_a_click_is_the_canonical_one(open_page: Open) -> None:
    page = settled(open_page)
    unfold(page)
    choice(page, "stars", "4").check()
    answered(page, "stars")
    choice(page, "stars", "3").check()
    page.wait_for_function("() => new URL(location).searchParams.getAll('stars').length === 2")
    canonical = urlsplit(page.evaluate("document.querySelector('refine-panel').dataset.address"))
    assert urlsplit(page.url).query == canonical.query
    assert asked(page)["stars"] == ["3", "4"]


def test_typing_a_limit_keeps_the_cursor_in_the_field(open_page: Open) -> None:
    page = settled(open_page)
    unfold(page)
    field = page.locator('refine-panel input[name="name"]')
    field.press_sequentially("hotel", delay=20)
    answered(page, "name")
    field.press_sequentially("s", delay=20)
    expect(field).to_be_focused()
    expect(field).to_have_value("hotels")


def test_a_limit_that_is_none_is_told(open_page: Open) -> None:
    page = settled(open_page, **WIDE)
    field = page.locator('refine-panel input[name="max_price"]')
    field.fill("0")
    field.press("Tab")
    expect(field).to_be_focused()


def test_what_was_typed_before_closing_is_applied(open_page: Open) -> None:
    """Where a browser doesn't tell of a change when a field moves: chromium would."""
    page = settled(open_page, **PHONE)
    unfold(page)
    page.locator('refine-panel input[name="max_price"]').evaluate(
        "(field) => { field.value = '900'; field.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).not_to_be_visible()
    page.wait_for_url("**max_price=900**")


def test_another_order_is_told_by_its_name(open_page: Open) -> None:
    page = settled(open_page)
    page.locator(".refine-sort__now").click()
    page.get_by_role("link", name="Most stars").click()
    answered(page, "sort")
    expect(page.locator("body > p[role=status].visually-hidden")).to_contain_text("Sort by Most stars")


def test_the_keyboard_alone_filters_and_sorts(open_page: Open) -> None:
    page = settled(open_page)
    choice(page, "free_cancellation").focus()
    page.keyboard.press("Space")
    answered(page, "free_cancellation")
    page.keyboard.press("Tab")
    expect(choice(page, "pay_later")).to_be_focused()
    page.locator(".refine-sort__now").press("Enter")
    page.get_by_role("link", name="Most stars").press("Enter")
    answered(page, "sort")
    expect(page.locator(".refine-sort__now")).to_be_focused()
    expect(page.locator(".refine-sort__now")).to_contain_text("Most stars")


@pytest.mark.parametrize("size", [(390, 844), (667, 375), (320, 400)])
def test_in_the_sheet_nothing_focused_is_covered(open_page: Open, size: tuple[int, int]) -> None:
    page = settled(open_page, search_path(), viewport={"width": size[0], "height": size[1]})
    unfold(page)
    end = page.locator(".filter-sheet .refine-panel__end")
    assert covered_stops(page, end, ".refine-panel__group") == []


def test_beside_the_list_nothing_focused_is_covered(open_page: Open) -> None:
    page = settled(open_page, search_path(free_cancellation=1), viewport={"width": 1280, "height": 600})
    end = page.locator(".refine-side .refine-panel__end")
    page.locator(".refine-side .price-range__handle").first.focus()
    assert covered_stops(page, end, ".refine-panel__group", stops=40) == []


@pytest.mark.parametrize(
    ("width", "pressed", "then"),
    [
        (WIDE, ".refine-chips__chip--on", ".refine-chips a"),
        (WIDE, ".results__clear a", ".refine-chips a"),
        (PHONE, "refine-panel [data-refine=clear]", ".refine-panel__show"),
    ],
    ids=["chip", "clear", "clear in the sheet"],
)
def test_the_focus_stays_near_what_is_gone_when_it_was_pressed(
    open_page: Open, width: dict, pressed: str, then: str
) -> None:
    page = settled(open_page, search_path("Lerwick", pay_later=1), **width)
    unfold(page)
    page.locator(pressed).press("Enter")
    page.wait_for_function("() => !new URL(location).searchParams.has('pay_later')")
    expect(page.locator(then).first).to_be_focused()


def test_one_press_of_back_leaves_a_list_only_looked_at(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full_results, "PATIENCE_SECONDS", -1.0)
    page = open_page("/", **PHONE)
    page.goto(search_path("New York"))
    expect(page.locator(".results--new")).to_be_visible()
    views = fetched(page)
    unfold(page)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).not_to_be_visible()
    page.locator("[data-map]").click()
    page.locator("stay-map [data-close]").click()
    expect(page.locator("stay-map[open]")).to_have_count(0)
    page.go_back()
    expect(page.locator(".page--results")).to_have_count(0)
    assert views == []


@widths
def test_filters_open_and_in_force_are_accessible(open_page: Open, width: dict) -> None:
    page = settled(open_page, search_path("Lerwick", free_cancellation=1, stars=[3, 4]), **width)
    unfold(page)
    assert not violations(page)
    page.goto(search_path("Lerwick", max_price=1))
    assert not violations(page)
