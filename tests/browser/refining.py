"""What tests of a refined list share: its choices, its addresses, and views that are held back."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import hold_back, let_the_list_settle, search_path, until

Open = Callable[..., Page]
PHONE = {"viewport": {"width": 390, "height": 844}}
WIDE = {"viewport": {"width": 1280, "height": 900}}
VIEWS = re.compile(r"/hotels/\?")
HOTELS = re.compile(r"/hotels/[^?]+/[^?]+/\?")
# Asks for a page as a link is busy no more, which can be noticed while another page is on its way.
_TELL_WHEN_DONE = """(link) => {
  const ask = () => fetch("/robots.txt");
  new MutationObserver(ask).observe(link, { attributeFilter: ["aria-busy"] });
}"""
widths = pytest.mark.parametrize("width", [PHONE, WIDE], ids=["phone", "wide"])


def settled(open_page: Open, path: str = "", **options: object) -> Page:
    page = open_page(path or search_path("Lerwick"), **options)
    let_the_list_settle(page)
    return page


def choice(page: Page, name: str, value: str = "1"):
    return page.locator(f'refine-panel input[name="{name}"][value="{value}"]')


def asked(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def held(page: Page) -> list[Route]:
    """Holds the next view that is fetched, until the test lets it go on."""
    routes: list[Route] = []
    page.route(VIEWS, lambda route: route.fallback() if routes else routes.append(route))
    return routes


def fetched(page: Page) -> list[str]:
    """The addresses of the views that are fetched from now on."""
    views: list[str] = []
    page.on("request", lambda request: views.append(request.url) if VIEWS.search(request.url) else None)
    return views


def names(page: Page) -> list[str]:
    return page.locator(".listing-card__name").all_text_contents()


def answered(page: Page, name: str) -> None:
    """Waits until the address says this parameter, which it does once the view is in place."""
    page.wait_for_function(f"() => new URL(location).searchParams.has({name!r})")


def held_order(page: Page, path: str) -> list[Route]:
    """Opens a list whose exact order is on its way, and holds that back."""
    routes: list[Route] = []

    def hold(route: Route) -> None:
        request = route.request
        is_order = request.resource_type == "fetch" and "free_cancellation" not in request.url
        routes.append(route) if is_order else route.fallback()

    page.route(VIEWS, hold)
    page.goto(path)
    page.wait_for_function("() => document.documentElement.classList.contains('navigating')")
    return routes


def goes_on_while_it_fails(page: Page, link: Locator, address: str) -> None:
    """Presses a link whose answer is fetched into the page, goes on to a hotel, and has that answer fail: the
    hotel comes all the same."""
    answers = hold_back(page, address)
    link.click()
    until(page, lambda: answers)
    link.evaluate(_TELL_WHEN_DONE)
    hotel = hold_back(page, HOTELS)
    card = page.locator(".listing-card__name a").first
    name = card.inner_text()
    card.evaluate("(link) => link.click()")  # without the fetch ahead of a press
    until(page, lambda: hotel)
    done: list[str] = []
    page.on("request", lambda request: done.append(request.url) if "robots" in request.url else None)
    answers[0].fulfill(status=503)
    until(page, lambda: done)
    hotel[0].continue_()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
