"""Hotels chosen in the list and looked at side by side: with and without scripts, on phones, by keyboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .conftest import covered_stops, let_the_list_settle, search_path
from .test_accessibility import SHOWN_IN, complaints_of
from .test_every_page import TOO_WIDE

Open = Callable[..., Page]
HEARTS = ".listing-card .keep"
COUNT_PRESSES = """() => addEventListener("click", () => {
  sessionStorage.presses = 1 + Number(sessionStorage.presses ?? 0);
}, true)"""
MARKS = """(all) => all.map((one) => one.getBoundingClientRect())
  .map(({ x, y, width, height }) => ({ x, y, width, height }))"""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


def chosen(page: Page, count: int) -> list[str]:
    """Keeps the first hotels of the list and returns their names."""
    for number in range(count):
        page.locator(HEARTS).nth(number).click()
    return page.locator(".listing-card__name").all_text_contents()[:count]


def compared(open_page: Open, count: int = 3, **options: object) -> Page:
    page = open_page(search_path("Porto"), **options)
    let_the_list_settle(page)
    chosen(page, count)
    page.get_by_role("button", name="Compare", exact=True).click()
    page.wait_for_selector(".compare__table")
    return page


def test_three_hotels_are_side_by_side_after_four_presses(open_page: Open) -> None:
    page = open_page(search_path("Porto"), viewport={"width": 1280, "height": 800})
    let_the_list_settle(page)
    page.evaluate(COUNT_PRESSES)
    top = page.locator(".listing-card").first.bounding_box()
    names = chosen(page, 3)
    assert page.locator(".listing-card").first.bounding_box() == top
    expect(page.locator(".tray")).to_contain_text("3 kept")
    button = page.get_by_role("button", name="Compare", exact=True)
    expect(button).to_be_in_viewport()
    button.click()
    expect(page.locator(".compare__name > :first-child")).to_have_text(names)
    assert int(page.evaluate("() => sessionStorage.presses")) == 4


def test_of_five_kept_hotels_four_are_compared(open_page: Open) -> None:
    page = compared(open_page, 5)
    expect(page.locator(".compare__name")).to_have_count(4)
    expect(page.get_by_text("these are the first four")).to_be_visible()


def test_without_scripts_hearts_lead_there(open_page: Open) -> None:
    page = open_page(search_path("Porto"), java_script_enabled=False, **PHONE)
    page.locator(HEARTS).first.click()
    page.get_by_role("link", name="All results").click()
    page.locator(HEARTS).nth(1).click()
    expect(page.locator(".shortlist__entry")).to_have_count(2)
    names = page.locator(".listing-card__name").all_text_contents()
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator(".compare__name > :first-child")).to_have_text(names)
    rows = page.locator(".compare__table tbody tr")
    before = rows.count()
    page.get_by_label("Only differences").check()
    assert 3 < rows.filter(visible=True).count() < before


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (390, "dark"), (1280, "light")])
def test_it_fits_and_can_be_read(open_page: Open, width: int, scheme: str) -> None:
    page = compared(open_page, 4, viewport={"width": width, "height": 800}, color_scheme=scheme)
    assert page.evaluate(TOO_WIDE) <= 0
    assert complaints_of(page) == []
    page.get_by_label("Only differences").check()
    assert complaints_of(page) == []


def test_on_a_phone_a_finger_pushes_from_hotel_to_hotel(open_page: Open) -> None:
    page = compared(open_page, **PHONE)
    frame = page.locator(".compare__frame")
    frame.evaluate("(one) => one.scrollTo({ left: 300, top: 400, behavior: 'instant' })")
    page.wait_for_function("() => document.querySelector('.compare__frame').scrollTop > 300")
    expect(page.locator(".compare__name").nth(1)).to_be_in_viewport()
    label = page.locator("tbody th", has_text="Guest rating")
    assert label.evaluate("(one) => one.getBoundingClientRect().left") >= 0


def test_it_is_reached_and_used_by_keyboard_alone(open_page: Open) -> None:
    page = open_page(search_path("Porto"))
    let_the_list_settle(page)
    for number in range(2):
        page.locator(HEARTS).nth(number).focus()
        page.keyboard.press("Space")
    page.get_by_role("button", name="Compare", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".compare__table")
    page.get_by_label("Only differences").focus()
    page.keyboard.press("Space")
    expect(page.locator(".compare__same").first).to_be_hidden()


def test_on_paper_there_is_nothing_to_press(open_page: Open) -> None:
    page = compared(open_page, viewport={"width": 1280, "height": 800})
    page.emulate_media(media="print")
    expect(page.locator(".compare__table")).to_be_visible()
    for part in (".compare__only", ".compare__remove", ".compare__offers", ".compare__end", "#where"):
        expect(page.locator(part).first).to_be_hidden()


def test_the_map_shows_the_hotels_of_the_comparison(open_page: Open) -> None:
    page = compared(open_page, viewport={"width": 1280, "height": 800})
    page.locator(".stay-map__canvas").scroll_into_view_if_needed()
    page.wait_for_selector(".map-pin")
    named = ", ".join(page.locator(".map-pin").evaluate_all("(all) => all.map((one) => one.ariaLabel)"))
    placed = page.locator(".compare__name[data-latitude] > :first-child").all_inner_texts()
    assert placed
    # Where two stand close together, the dearer one is a dot.
    assert sum(name not in named for name in placed) == page.locator(".map-dot").count()
    # All of them and the centre are within its edges.
    frame = page.locator(".stay-map__canvas").bounding_box()
    marks = page.locator(".map-pin, .map-dot, .map-sign--centre").evaluate_all(MARKS)
    assert frame
    assert len(marks) == len(placed) + 1
    for mark in marks:
        assert frame["x"] <= mark["x"] <= mark["x"] + mark["width"] <= frame["x"] + frame["width"]
        assert frame["y"] <= mark["y"] <= mark["y"] + mark["height"] <= frame["y"] + frame["height"]


def test_the_way_to_book_is_the_second_row_apart_from_the_offers(open_page: Open) -> None:
    page = compared(open_page, viewport={"width": 1280, "height": 800})
    row = page.locator(".compare__table tbody tr").nth(1)
    button = row.get_by_role("button", name="How to book this").first.bounding_box()
    link = row.get_by_role("link", name="See offers").first.bounding_box()
    assert button
    assert link
    assert link["y"] - button["y"] - button["height"] >= 8


def test_the_focused_hotel_is_in_sight_on_a_phone(open_page: Open) -> None:
    page = compared(open_page, viewport={"width": 390, "height": 844})
    page.locator(".compare__name a").first.focus()
    for _stop in range(5):
        page.keyboard.press("Tab")
        assert page.locator(":focus").evaluate(SHOWN_IN, ".compare__frame") > 0.5


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (667, 375), (390, 844), (320, 400)])
def test_the_bar_covers_nothing_that_the_keyboard_comes_to(open_page: Open, width: int, height: int) -> None:
    page = open_page(search_path("Porto"), viewport={"width": width, "height": height})
    let_the_list_settle(page)
    chosen(page, 2)
    bar = page.locator(".tray")
    assert covered_stops(page, bar, ".listing-card") == []
