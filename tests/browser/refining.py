"""What tests of a refined list share: its choices, its addresses, and views that are held back."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Route

from tests.browser.conftest import let_the_list_settle, search_path

Open = Callable[..., Page]
PHONE = {"viewport": {"width": 390, "height": 844}}
WIDE = {"viewport": {"width": 1280, "height": 900}}
VIEWS = re.compile(r"/hotels/\?")
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
