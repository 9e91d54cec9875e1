"""The calendar of the two date fields: keys, mouse and finger, two markets, and no JavaScript at all."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.utils.timezone import localdate
from playwright.sync_api import Locator, Page, expect

from .conftest import let_the_list_settle, search_path
from .test_accessibility import complaints_of

# The first Monday from five weeks ahead that has whole weeks on both sides of it in its month.
START = next(
    day
    for ahead in range(35, 99)
    if (day := localdate() + timedelta(ahead)).weekday() == 0 and 8 <= day.day <= 14
)
STAY = {"checkin": START, "checkout": START + timedelta(days=3)}
WIDE = {"viewport": {"width": 1280, "height": 800}}


def cell(page: Page, day: date) -> Locator:
    return page.locator(f'.calendar [data-number="{(day - date(1970, 1, 1)).days}"]')


def active_day(page: Page) -> date:
    days: int = page.evaluate("() => Number(document.activeElement.dataset.number)")
    return date(1970, 1, 1) + timedelta(days=days)


def chosen(page: Page) -> tuple[str, str]:
    return page.locator("#checkin").input_value(), page.locator("#checkout").input_value()


def stay(check_in: date, nights: int) -> tuple[str, str]:
    return check_in.isoformat(), (check_in + timedelta(days=nights)).isoformat()


def opened(open_page: Callable[..., Page], field: str = "checkin", **options: Any) -> Page:
    """The calendar of the home page, opened by a press on a field."""
    market = options.pop("market", "en-gb")
    page = open_page(
        f"/?checkin={STAY['checkin']}&checkout={STAY['checkout']}&market={market}", **options or WIDE
    )
    page.locator(f"#{field}").click()
    expect(page.locator(".calendar")).to_be_visible()
    return page


def days_after(days: int) -> date:
    return START + timedelta(days=days)


def month_on(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, day.day)


@pytest.mark.parametrize(
    ("keys", "reached"),
    [
        (["ArrowRight"], days_after(1)),
        (["ArrowLeft"], days_after(-1)),
        (["ArrowDown"], days_after(7)),
        (["ArrowUp"], days_after(-7)),
        (["End"], days_after(6)),
        (["ArrowRight", "Home"], START),
        (["PageDown"], month_on(START, 1)),
        (["PageDown", "PageDown", "PageUp"], month_on(START, 1)),
        (["Shift+PageDown"], month_on(START, 12)),
        (["Shift+PageDown", "Shift+PageUp"], START),
    ],
)
def test_keys_move_the_focus_as_in_a_date_grid(
    open_page: Callable[..., Page], keys: list[str], reached: date
) -> None:
    page = opened(open_page)
    assert active_day(page) == START
    for key in keys:
        page.keyboard.press(key)
    assert active_day(page) == reached
    assert page.locator('.calendar [tabindex="0"]').count() == 1


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_stay_is_chosen_with_keys_alone(open_page: Callable[..., Page], key: str) -> None:
    page = open_page(f"/?checkin={STAY['checkin']}&checkout={STAY['checkout']}&market=en-gb", **WIDE)
    page.locator("#checkin").focus()
    page.keyboard.press("Alt+ArrowDown")
    expect(cell(page, START)).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press(key)
    assert chosen(page) == stay(days_after(1), 3)
    page.keyboard.press("ArrowDown")
    page.keyboard.press(key)
    expect(page.locator(".calendar")).to_be_hidden()
    assert chosen(page) == stay(days_after(1), 7)
    expect(page.locator("#checkin")).to_be_focused()
    expect(page.locator("date-range > [role=status]")).to_contain_text("7 nights")


def test_escape_closes_it_and_gives_the_focus_back(open_page: Callable[..., Page]) -> None:
    page = opened(open_page, "checkout")
    page.keyboard.press("Escape")
    expect(page.locator(".calendar")).to_be_hidden()
    expect(page.locator("#checkout")).to_be_focused()
    assert chosen(page) == stay(START, 3)


def test_a_turned_page_tells_its_months(open_page: Callable[..., Page]) -> None:
    page = opened(open_page)
    page.locator("[data-turn='1']").press("Enter")
    months = page.locator(".calendar__month").all_text_contents()
    assert months == [month_on(START, ahead).strftime("%B %Y") for ahead in (1, 2)]
    expect(page.get_by_role("status").filter(has_text=", ".join(months))).to_have_count(1)
    expect(page.locator("[data-turn='1']")).to_be_focused()


def test_a_search_with_dates_takes_four_presses_beside_the_place(open_page: Callable[..., Page]) -> None:
    page = open_page("/?market=en-gb", **WIDE)
    page.locator("#place").fill("Lodz")
    page.locator("#checkin").click()
    page.locator("[data-turn='1']").click()
    page.locator(".calendar__day:not([aria-disabled])").nth(-20).click()
    page.locator(".calendar__day[aria-selected=true] ~ td.calendar__day").last.click()
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Lodz")


def test_check_out_follows_check_in_and_keeps_the_length(open_page: Callable[..., Page]) -> None:
    page = opened(open_page)
    cell(page, days_after(10)).click()
    assert chosen(page) == stay(days_after(10), 3)
    expect(page.locator(".calendar [data-end='1']")).to_have_attribute("aria-pressed", "true")
    page.mouse.click(5, 5)
    expect(page.locator(".calendar")).to_be_hidden()
    page.locator("#checkin").fill(days_after(40).isoformat())
    assert chosen(page) == stay(days_after(40), 3)
    expect(page.locator(".date-range__said").last).to_contain_text("3 nights")


def test_days_that_cant_be_chosen_say_why(open_page: Callable[..., Page]) -> None:
    page = opened(open_page, "checkout")
    said = page.locator(".calendar__said")
    cell(page, days_after(28)).click(force=True)
    expect(said).to_have_text("A stay can last 27 nights at most.")
    assert chosen(page) == stay(START, 3)
    page.locator("[data-end='0']").click()
    while page.locator("[data-turn='-1'][aria-disabled=false]").count():
        page.locator("[data-turn='-1']").click()
    yesterday = cell(page, localdate() - timedelta(days=1))
    if yesterday.count():  # not on the first of a month
        expect(yesterday).to_have_attribute("aria-disabled", "true")
        yesterday.click(force=True)
        expect(said).to_contain_text("This day has passed.")
        assert chosen(page) == stay(START, 3)
    cell(page, localdate()).click()
    assert chosen(page) == stay(localdate(), 3)


def test_27_nights_can_be_chosen(open_page: Callable[..., Page]) -> None:
    page = opened(open_page, "checkout")
    cell(page, days_after(27)).click()
    assert chosen(page) == stay(START, 27)


@pytest.mark.parametrize(
    ("market", "first", "month", "nights"),
    [("en-us", "Sunday", START.strftime("%B %Y"), "3 nights"), ("de-de", "Montag", "", "3 Nächte")],
)
def test_names_and_the_first_day_of_the_week_are_the_markets(
    open_page: Callable[..., Page], market: str, first: str, month: str, nights: str
) -> None:
    page = opened(open_page, market=market)
    assert page.locator(".calendar th").first.get_attribute("abbr") == first
    expect(page.locator(".calendar__month").first).to_contain_text(month)
    expect(page.locator(".calendar__said")).to_contain_text(nights)
    assert page.locator(".calendar__grid").count() == 2


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_one_month_is_opened_by_a_finger_and_fits(
    open_page: Callable[..., Page], width: int
) -> None:
    page = open_page(
        search_path(sort="provider", **STAY), viewport={"width": width, "height": 700}, has_touch=True
    )
    page.locator(".search-bar__summary").tap()
    page.locator("#checkin").tap()
    expect(page.locator(".calendar__grid")).to_have_count(1)
    box = page.locator(".calendar").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] >= 0
    cell(page, days_after(1)).tap()
    cell(page, days_after(3)).tap()
    assert chosen(page) == stay(days_after(1), 2)
    expect(page.locator("#checkin")).to_be_editable()


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "dark")])
def test_the_open_calendar_is_accessible(open_page: Callable[..., Page], width: int, scheme: str) -> None:
    page = opened(open_page, viewport={"width": width, "height": 900}, color_scheme=scheme)
    assert complaints_of(page) == []
    page.locator("[data-end='1']").click()
    assert complaints_of(page) == []


def test_without_scripts_the_fields_are_the_browsers_own(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path(sort="provider", **STAY), java_script_enabled=False, **WIDE)
    assert page.locator("#checkin").get_attribute("type") == "date"
    expect(page.locator(".date-range__said").first).to_have_text("Mon")
    expect(page.locator(".date-range__said").last).to_contain_text("3 nights")
    expect(page.locator(".calendar")).to_have_count(0)
    page.locator(".search-bar__summary").click()
    page.locator("#checkin").fill(days_after(9).isoformat())
    page.locator(".search-form__submit").click()
    expect(page.locator(".search-bar__note")).to_contain_text("Check-out must be after check-in.")
    assert chosen(page) == stay(days_after(9), 2)


def test_searched_days_say_what_the_stay_costs(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path(**STAY), **WIDE)
    let_the_list_settle(page)
    page.goto(search_path(checkin=days_after(1), checkout=days_after(4)))
    page.locator(".search-bar__summary").click()
    page.locator("#checkin").click()
    expect(page.locator(".calendar__total").first).to_contain_text("€")
    expect(page.locator(".calendar__note")).to_contain_text("the middle one of the first 100 places")
    assert "€" in (cell(page, START).get_attribute("aria-label") or "")
    assert complaints_of(page) == []
    page.locator("[data-end='1']").click()
    expect(page.locator(".calendar__total")).to_have_count(0)
    page.keyboard.press("Escape")
    page.locator("#guests").select_option("3")
    page.locator("#checkin").click()
    expect(page.locator(".calendar")).to_be_visible()
    expect(page.locator(".calendar__total")).to_have_count(0)
    expect(page.locator(".calendar__note")).to_be_hidden()
