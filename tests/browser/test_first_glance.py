"""What the first screen of results shows, and how few presses lead to a filtered list."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .conftest import let_the_list_settle, search_path, violations

Open = Callable[..., Page]
LAPTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
CARDS = ".results__cards .listing-card"
BOXES = "(all) => all.map((one) => one.getBoundingClientRect().toJSON())"


@pytest.fixture
def results(open_page: Open) -> Callable[..., Page]:
    def opened(path: str = "", **options: Any) -> Page:
        page = open_page(path or search_path(), **options)
        let_the_list_settle(page)
        return page

    return opened


def boxes(page: Page, selector: str = CARDS) -> list[dict[str, float]]:
    found: list[dict[str, float]] = page.locator(selector).evaluate_all(BOXES)
    return found


@pytest.mark.parametrize(
    ("device", "top", "whole", "height"),
    [(LAPTOP, 260, 3, 190), (PHONE, 300, 1, 330)],
    ids=["laptop", "phone"],
)
def test_the_first_screen_shows_hotels(
    results: Callable[..., Page], device: dict, top: int, whole: int, height: int
) -> None:
    page = results(**device)
    cards, window = boxes(page), device["viewport"]["height"]
    assert cards[0]["top"] <= top
    seen = [number for number, card in enumerate(cards) if card["bottom"] <= window]
    assert len(seen) >= whole
    assert cards[len(seen)]["top"] < window  # the next one begins
    for number in seen:
        card = page.locator(CARDS).nth(number)
        for part in (".listing-card__name", ".rating", ".price__total", ".price__notes"):
            expect(card.locator(part).first).to_be_in_viewport(ratio=1)
    assert max(card["height"] for card in cards) <= height


@pytest.mark.parametrize("facility", ["POOL", "FREE_BREAKFAST"])
def test_a_filtered_card_is_no_taller_and_says_other_totals(
    results: Callable[..., Page], facility: str
) -> None:
    page = results(search_path(facility=facility, pay_later=1, deals=1), **LAPTOP)
    assert max(card["height"] for card in boxes(page)) <= 190
    others = page.locator(".offers__others").first
    expect(others).to_be_visible()
    expect(others).to_have_text(re.compile(r"^[A-Z]{2,3}\s€\d+( ·\s[A-Z]{2,3}\s€\d+)*$"))
    page.set_viewport_size(PHONE["viewport"])
    expect(others).to_be_hidden()


def test_on_a_laptop_the_filters_are_there_without_a_press(results: Callable[..., Page]) -> None:
    page = results(**LAPTOP)
    rated = page.locator("refine-panel input[name=min_rating]").nth(2)
    expect(rated).to_be_in_viewport(ratio=1)
    page.mouse.wheel(0, 1500)
    page.wait_for_function("() => scrollY > 1000")
    expect(rated).to_be_in_viewport(ratio=1)
    rated.check()
    page.wait_for_url("**min_rating=8**")
    expect(page.locator(".results__summary strong")).to_contain_text("match")
    assert page.evaluate("scrollY") > 1000


def test_on_a_phone_the_filters_move_nothing(results: Callable[..., Page]) -> None:
    page = results(**PHONE)
    before = boxes(page)[0]["top"]
    page.get_by_role("link", name="Filters").tap()
    dialog = page.get_by_role("dialog", name="Filters")
    expect(dialog).to_be_visible()
    assert boxes(page)[0]["top"] == before
    dialog.get_by_label("Free cancellation").tap()
    show = dialog.get_by_role("link", name="Show")
    page.wait_for_url("**free_cancellation=1**")
    fewer = re.search(r"\d[\d,]*", show.inner_text())
    assert fewer
    expect(page.locator(".results__summary strong")).to_contain_text(fewer[0])
    show.tap()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("link", name="Filters")).to_be_focused()
    assert "free_cancellation=1" in page.url


@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_quick_filter_is_one_press_and_keeps_its_place(results: Callable[..., Page], device: dict) -> None:
    page = results(**device)
    chip = page.locator("#quick-free_cancellation")
    place, top = chip.bounding_box(), boxes(page)[0]["top"]
    chip.click()
    page.wait_for_url("**free_cancellation=1**")
    assert place is not None
    again = chip.bounding_box()
    assert again is not None
    assert (again["x"], again["y"]) == pytest.approx((place["x"], place["y"]), abs=1)
    assert boxes(page)[0]["top"] == pytest.approx(top, abs=1)
    expect(chip).to_be_focused()
    expect(chip).to_have_accessible_name("Remove filter: Free cancellation")
    chip.click()
    page.wait_for_function("() => !location.search.includes('free_cancellation')")


# A choice of each group of the panel that has one.
ONE_OF_EACH = """() => [...document.querySelectorAll("refine-panel fieldset")].map((group) =>
  group.querySelector(".refine-choice:not(.refine-choice--none) input:not(:checked)")).filter(Boolean)
  .map((one) => `refine-panel input[name="${one.name}"][value="${one.value}"]`)"""


@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_no_filter_heart_or_share_moves_the_list(
    results: Callable[..., Page], admin_client: Any, settings: Any, live_server: Any, device: dict
) -> None:
    cookie = admin_client.cookies[settings.SESSION_COOKIE_NAME].value
    state = {"cookies": [{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}]}
    page = results(**device, storage_state=state)
    top = boxes(page)[0]["top"]
    for choice in page.evaluate(ONE_OF_EACH):
        address = page.url
        page.locator(choice).evaluate("(one) => one.click()")
        page.wait_for_function("(before) => location.href !== before", arg=address)
        let_the_list_settle(page)
        assert boxes(page)[0]["top"] == pytest.approx(top, abs=1), choice
    page.locator(".results__clear a").click()
    expect(page.locator(".results__clear")).to_have_count(0)
    page.locator(".listing-card .keep").first.click()
    expect(page.locator(".tray")).to_be_visible()
    assert boxes(page)[0]["top"] == pytest.approx(top, abs=1)
    page.locator(".refine-bar").get_by_role("link", name="Share", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert boxes(page)[0]["top"] == pytest.approx(top, abs=1)


def test_back_closes_the_filters_and_then_undoes_choices(results: Callable[..., Page]) -> None:
    page = results(**PHONE)
    page.locator("[data-sheet]").tap()
    dialog = page.get_by_role("dialog", name="Filters")
    dialog.get_by_label("Free cancellation").tap()
    page.wait_for_url("**free_cancellation=1**#filters")
    page.go_back()
    expect(dialog).to_be_hidden()
    expect(page.locator("#quick-free_cancellation")).to_have_accessible_name(
        "Remove filter: Free cancellation"
    )
    assert "free_cancellation=1" in page.url
    page.go_back()
    expect(page.locator("#quick-free_cancellation")).to_have_accessible_name("Free cancellation")
    assert "free_cancellation" not in page.url


def test_the_map_is_one_press_away_and_left_by_back(results: Callable[..., Page]) -> None:
    page = results(**PHONE)
    page.locator("[data-map]").tap()
    expect(page.locator(".map-pin").first).to_be_visible()
    assert page.url.endswith("#map")
    page.go_back()
    expect(page.locator(".stay-map__canvas")).to_be_hidden()
    expect(page.locator(CARDS).first).to_be_in_viewport()
    page.goto(page.url + "#map")
    page.reload()
    expect(page.locator(".map-pin").first).to_be_visible()
    page.get_by_role("button", name="List").tap()
    expect(page.locator(".stay-map__canvas")).to_be_hidden()
    assert "#" not in page.url


def test_two_handles_limit_the_totals_from_the_keyboard(results: Callable[..., Page]) -> None:
    page = results(**LAPTOP)
    lowest, highest = page.get_by_label("Lowest total to show"), page.get_by_label("Highest total to show")
    lowest.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**min_price=**")
    expect(lowest).to_be_focused()
    for _ in range(3):
        highest.press("ArrowLeft")
    page.wait_for_url("**max_price=**")
    least = float(page.locator("refine-panel [name=min_price]").input_value())
    most = float(page.locator("refine-panel [name=max_price]").input_value())
    totals = page.locator(".price__total strong").all_text_contents()
    assert totals
    assert all(least <= float(total.strip("€").replace(",", "")) <= most for total in totals)
    highest.press("End")
    page.wait_for_function("() => !location.search.includes('max_price')")
    expect(page.locator("refine-panel [name=max_price]")).to_have_value("")


def test_the_card_leads_to_the_hotel_wherever_it_is_pressed(results: Callable[..., Page]) -> None:
    page = results(**LAPTOP)
    card = page.locator(CARDS).nth(1)
    name = card.locator("h2 a")
    name.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert card.evaluate("(it) => getComputedStyle(it).outlineStyle") == "solid"
    text = name.inner_text()
    card.click(position={"x": 330, "y": 130})
    expect(page.get_by_role("heading", level=1)).to_have_text(text)


def test_pictures_are_swiped_to_one_after_the_other(results: Callable[..., Page]) -> None:
    page = results(**PHONE)
    photos = page.locator(f"{CARDS}:has(.listing-card__count) .listing-card__photos").first
    expect(photos.locator("img")).to_have_count(2)
    for shown in (2, 3):
        photos.evaluate("(it) => it.scrollBy({left: it.clientWidth, behavior: 'instant'})")
        expect(photos.locator("img")).to_have_count(shown + 1)
    assert photos.evaluate("(it) => getComputedStyle(it).scrollSnapType") == "x mandatory"


@pytest.mark.parametrize("market", ["en-gb", "de-de", "pl-pl"])
@pytest.mark.parametrize("width", [320, 390, 640])
def test_narrow_screens_and_long_words_fit(results: Callable[..., Page], width: int, market: str) -> None:
    page = results(search_path(market=market), viewport={"width": width, "height": 700})
    wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) <= 0
    page.locator("[data-sheet]").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.evaluate("() => document.querySelector('dialog').scrollWidth - innerWidth") <= 0


def test_without_scripts_the_filters_open_and_are_applied(open_page: Open) -> None:
    page = open_page(search_path("Lerwick"), **PHONE, java_script_enabled=False)
    expect(page.locator(CARDS).first).to_be_visible()
    expect(page.locator("[data-map]")).to_be_hidden()
    page.get_by_role("link", name="Filters").tap()
    page.locator("refine-panel [name=max_price]").fill("400")
    page.get_by_role("button", name="Apply filters").tap()
    page.wait_for_url("**max_price=400**")
    page.get_by_role("link", name="Filters").tap()
    page.get_by_role("link", name="Close").tap()
    expect(page.locator("refine-panel")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_every_state_of_the_list_is_accessible(
    results: Callable[..., Page], device: dict, scheme: str
) -> None:
    page = results(search_path(deals=1), **device, color_scheme=scheme)
    page.locator(".refine-sort__now").click()
    page.locator(".offers__summary").first.click()
    assert violations(page) == []
    page.keyboard.press("Escape")
    if device is PHONE:
        page.locator("[data-sheet]").tap()
        expect(page.get_by_role("dialog")).to_be_visible()
        assert violations(page) == []
