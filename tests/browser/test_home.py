"""The first page remembers, in this browser only."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from .conftest import search_path


def test_last_searches_are_offered_on_the_first_page_until_they_are_forgotten(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/")
    expect(page.locator("recent-searches")).to_be_hidden()
    page.goto(search_path("Lodz", sort="provider"))
    page.goto("/")
    page.locator("recent-searches a").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Lodz")
    page.goto("/")
    page.get_by_role("button", name="Forget them").click()
    page.reload()
    expect(page.locator("recent-searches")).to_be_hidden()


def test_no_cookie_is_set_by_looking_around(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    page.goto(search_path(sort="provider"))
    assert page.context.cookies() == []
