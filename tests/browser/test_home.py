"""The first page remembers, in this browser only."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .conftest import search_path
from .test_accessibility import complaints_of


def test_last_searches_are_offered_until_they_are_forgotten(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    expect(page.locator("recent-searches")).to_be_hidden()
    page.goto(search_path("Lodz", sort="provider", country="PL"))
    page.goto("/")
    expect(page.locator("recent-searches a")).to_contain_text("Lodz, Poland · ")
    page.locator("recent-searches a").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Lodz")
    page.goto("/")
    page.get_by_role("button", name="Forget them").click()
    page.reload()
    expect(page.locator("recent-searches")).to_be_hidden()


def test_the_last_searches_are_in_the_language_that_is_read(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path("Madrid", sort="provider", market="de-de"))
    page.goto("/?market=fr-fr")
    expect(page.locator("recent-searches a")).to_have_text(re.compile(r"Madrid · .+ · 2 voyageurs"))
    page.locator("recent-searches a").click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.goto("/?market=fr-fr")
    expect(page.locator("recent-searches a")).to_have_count(1)


@pytest.mark.parametrize("path", ["/", search_path("Lodz")])
def test_more_of_the_search_is_left_by_escape_or_a_press(open_page: Callable[..., Page], path: str) -> None:
    page = open_page(path, viewport={"width": 1280, "height": 900})
    if path != "/":
        page.locator(".search-bar__summary").click()
    more, toggle = page.locator(".search-form__panel"), page.locator(".search-form__toggle")
    toggle.click()
    more.get_by_role("checkbox").first.focus()
    page.keyboard.press("Escape")
    expect(more).to_be_hidden()
    expect(toggle).to_be_focused()
    toggle.click()
    more.locator("fieldset").click(position={"x": 1, "y": 1})
    expect(more).to_be_visible()
    page.locator("main").click(position={"x": 1, "y": 1})
    expect(more).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})
    toggle.click()
    page.locator("main").click(position={"x": 1, "y": 1})
    expect(more).to_be_visible()


def test_no_cookie_is_set_by_looking_around(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    page.goto(search_path(sort="provider"))
    assert page.context.cookies() == []


def test_a_country_is_unfolded_without_scripts(open_page: Callable[..., Page]) -> None:
    page = open_page("/destinations/", java_script_enabled=False)
    italy = page.locator("details", has=page.get_by_role("heading", name="Italy"))
    rome = italy.get_by_role("link", name="Hotels in Italy")
    expect(rome).to_be_hidden()
    italy.locator("summary").click()
    expect(rome).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_destinations_are_accessible_folded_and_unfolded(
    open_page: Callable[..., Page], scheme: str
) -> None:
    page = open_page("/destinations/", viewport={"width": 390, "height": 844}, color_scheme=scheme)
    assert complaints_of(page) == []
    page.locator("summary.destinations__name").first.click()
    assert complaints_of(page) == []


def test_last_searches_come_before_the_places_to_start_from(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path("Lodz", sort="provider"))
    page.goto("/")
    recent, featured = (
        page.locator("#recent-title").bounding_box(),
        page.locator("#featured-title").bounding_box(),
    )
    assert recent is not None
    assert featured is not None
    assert recent["y"] < featured["y"]
