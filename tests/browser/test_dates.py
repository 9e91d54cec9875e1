"""When is it cheapest? In few clicks, by keyboard, on a phone, without scripts; and the ways there."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from functools import partial

import pytest
from django.utils.timezone import localdate
from playwright.sync_api import Page, expect

from .conftest import search_path, violations
from .test_first_glance import LAPTOP, PHONE

Open = Callable[..., Page]
LATER = (localdate().replace(day=1) + timedelta(days=100)).replace(day=1)
CHEAPEST = re.compile(r"Lowest:\s.+€\d+", re.DOTALL)


@pytest.fixture
def open_page(open_page: Open) -> Open:
    """Pages of a browser whose name is a person's: robots get no totals."""
    return partial(open_page, user_agent="Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")


def dates_path(**parameters: str) -> str:
    return search_path("Lerwick", **parameters).replace("/hotels/?", "/hotels/dates/?")


def lowest(page: Page) -> str:
    line = page.locator(".dates__lowest")
    expect(line).to_have_text(CHEAPEST)
    return line.inner_text()


def test_the_cheapest_weekend_of_a_month_is_three_clicks_away(open_page: Open) -> None:
    page = open_page(search_path("Lerwick", free_cancellation=1, currency="EUR"), **LAPTOP)
    page.get_by_role("link", name="When is it cheapest?").click()
    page.get_by_role("link", name="Weekends").click()
    page.get_by_role("link", name=f"{LATER:%b %Y}"[:3], exact=False).last.click()
    lowest(page)
    page.locator(".dates__lowest a").click()
    expect(page.locator(".results__summary").first).to_contain_text("2 nights")
    assert "free_cancellation=1" in page.url


@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_dates_open_over_the_list_and_leave_it_as_it_was(open_page: Open, device: dict) -> None:
    page = open_page(search_path("Lerwick", currency="EUR"), **device)
    address, link = page.url, page.get_by_role("link", name="When is it cheapest?")
    link.click()
    panel = page.get_by_role("dialog", name="When is it cheapest?")
    lowest(page)
    assert violations(page) == []
    panel.get_by_role("link", name="Whole month").press("Enter")
    expect(panel.get_by_role("link", name="Whole month")).to_be_focused()
    lowest(page)
    assert panel.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(link).to_be_focused()
    assert page.url == address


def test_their_page_opens_where_they_cannot_open_over_the_list(open_page: Open, watch) -> None:
    page = open_page(search_path("Lerwick", currency="EUR"), **LAPTOP)
    page.route("**/hotels/dates/**", lambda route: route.fulfill(status=503), times=1)
    watch.expected.add(503)
    page.get_by_role("link", name="When is it cheapest?").click()
    page.wait_for_url("**/hotels/dates/**")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", ["around", "weekends", "month"])
@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_every_view_is_accessible(open_page: Open, device: dict, view: str, scheme: str) -> None:
    page = open_page(
        dates_path(view=view, month=f"{LATER:%Y-%m}", currency="EUR"), **device, color_scheme=scheme
    )
    assert lowest(page)
    expect(page.locator(".dates__progress")).to_be_empty()
    assert violations(page) == []


@pytest.mark.parametrize("view", ["around", "weekends", "month"])
def test_nothing_is_cut_on_the_narrowest_phone(open_page: Open, view: str) -> None:
    page = open_page(
        dates_path(view=view, month=f"{LATER:%Y-%m}", currency="HUF"), viewport={"width": 320, "height": 640}
    )
    expect(page.locator(".dates__lowest a")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    beyond = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length"
    assert page.locator(".dates__day, .dates__rows td").evaluate_all(beyond) == 0


def test_a_date_keeps_the_focus_while_totals_come_in(open_page: Open) -> None:
    page = open_page(dates_path(view="month", month=f"{LATER:%Y-%m}", currency="EUR"), **LAPTOP)
    third = page.locator(".dates__month a").nth(2)
    third.focus()
    lowest(page)
    expect(third).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(rf"checkin={LATER + timedelta(days=2)}"))


def test_without_scripts_a_form_asks_for_the_totals(open_page: Open) -> None:
    page = open_page(
        dates_path(view="weekends", month=f"{LATER:%Y-%m}", currency="EUR"), java_script_enabled=False
    )
    expect(page.locator(".dates__progress")).to_contain_text("Dates asked for: 0 of")
    page.get_by_role("button", name="Show totals").click()
    lowest(page)
    expect(page.get_by_role("button", name="Show totals")).to_have_count(0)


def test_where_totals_cannot_be_had_the_form_is_there(open_page: Open, watch) -> None:
    page = open_page("/", **LAPTOP)
    page.route("**/hotels/dates/totals/**", lambda route: route.fulfill(status=503))
    watch.expected.add(503)
    page.goto(dates_path())
    expect(page.get_by_role("button", name="Show totals")).to_be_visible()


def test_known_totals_tint_the_calendar(open_page: Open) -> None:
    page = open_page(dates_path(currency="EUR"), **LAPTOP)
    lowest(page)
    page.locator(".property__back a").click()
    page.locator(".search-bar__summary").click()
    page.locator("#checkin").click()
    dialog = page.get_by_role("dialog", name="Dates of your stay")
    expect(dialog.locator("[class*=heat--]")).to_have_count(7)
    assert violations(page) == []


def weekend_of(today: date) -> date:
    """The Friday to come, or the Saturday that it is."""
    return today if today.weekday() == 5 else today + timedelta(days=(4 - today.weekday()) % 7)


@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_weekends_are_one_tap_and_months_can_be_jumped(open_page: Open, device: dict) -> None:
    page = open_page("/", **device)
    today = date.fromisoformat(page.evaluate("new Date().toLocaleDateString('sv')"))
    page.locator("#checkin").click()
    dialog = page.get_by_role("dialog", name="Dates of your stay")
    dialog.get_by_label("Month", exact=True).select_option(str(LATER.year * 12 + LATER.month - 1))
    expect(dialog.get_by_role("heading").first).to_have_text(f"{LATER:%B %Y}")
    assert violations(page) == []
    dialog.get_by_role("button", name="This weekend").click()
    expect(dialog).to_be_hidden()
    expect(page.locator("#checkin")).to_have_value(str(weekend_of(today)))
    page.locator("#checkin").click()
    dialog.get_by_role("button", name="Next weekend").click()
    friday = today + timedelta(days=(4 - today.weekday()) % 7)
    later = friday + timedelta(days=0 if today.weekday() == 5 else 7)
    expect(page.locator("#checkin")).to_have_value(str(later))
    expect(page.locator("#checkout")).to_have_value(str(later + timedelta(days=2)))


def test_a_chosen_place_leads_on_to_the_dates(open_page: Open) -> None:
    page = open_page("/", **LAPTOP)
    page.locator("#place").press_sequentially("lisbon", delay=15)
    page.get_by_role("listbox").get_by_role("option").first.click()
    expect(page.get_by_role("dialog", name="Dates of your stay")).to_be_visible()
    page.get_by_role("button", name="When is it cheapest?").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("When is it cheapest?")


def test_home_leads_there_too_and_enter_still_searches(open_page: Open) -> None:
    page = open_page("/", java_script_enabled=False)
    page.locator("#place").fill("Lerwick")
    page.get_by_role("button", name="I’m flexible").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("When is it cheapest?")
    page.goto("/")
    page.locator("#place").fill("Lerwick")
    page.locator("#place").press("Enter")
    page.wait_for_url(re.compile(r"/hotels/\?"))
