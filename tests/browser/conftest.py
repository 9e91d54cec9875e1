"""A real browser on the real site over the sandbox. Run with `pytest tests/browser -p playwright`.

Every page a test opens is watched: a message on the console, an answer of 400 or more that the test didn't
announce, or a request to another host fails the test at its end.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.core.servers.basehttp import WSGIRequestHandler
from django.utils.timezone import localdate
from playwright.sync_api import Browser, BrowserType, Locator, Page, Route

from .chromium import CHROMIUM, QUICKEST, QUIET

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
# Head and body are sent apart: each answer would wait 40 ms for the browser's word that it has the head.
WSGIRequestHandler.disable_nagle_algorithm = True

# Notes on the element around a status each text that it comes to have, as a screen reader could notice it.
NOTE_TEXTS = """(status) => {
  const texts = [];
  const note = () => texts.push(status.textContent) && (status.parentElement.dataset.texts = texts.join("|"));
  new MutationObserver(note).observe(status, { childList: true });
}"""


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    return {"executable_path": QUICKEST, "args": QUIET}


@pytest.fixture(scope="module")
def remembering(browser_type: BrowserType, browser_type_launch_args: dict) -> Iterator[Browser]:
    """The whole browser, keeping left pages in memory, as visitors' browsers do and Playwright's doesn't."""
    options = {**browser_type_launch_args, "executable_path": CHROMIUM}
    browser = browser_type.launch(**options, ignore_default_args=["--disable-back-forward-cache"])
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def large_letters(browser_type: BrowserType, browser_type_launch_args: dict) -> Iterator[Browser]:
    """A browser whose visitor chose letters of twice their size."""
    args = [*browser_type_launch_args["args"], "--blink-settings=defaultFontSize=32"]
    browser = browser_type.launch(**{**browser_type_launch_args, "args": args})
    yield browser
    browser.close()


class Watch:
    """What went wrong on the watched pages; `expected` are the statuses a test announces."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.expected: set[int] = set()
        self.complaints: list[str] = []

    def follow(self, page: Page) -> None:
        page.on("console", lambda message: self._said(message.type, message.text))
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("request", lambda request: self._asked(request.url))
        page.on("response", lambda response: self._answered(response.status, response.url))

    def _said(self, kind: str, text: str) -> None:
        announced = any(f"status of {status}" in text for status in self.expected)
        if not announced:
            self.complaints.append(f"console {kind}: {text}")

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https") and parts.netloc != self.host:
            self.complaints.append(f"asked another host: {url}")

    def _answered(self, status: int, url: str) -> None:
        if status >= 400 and status not in self.expected:
            self.complaints.append(f"{status}: {url}")


@pytest.fixture
def watch(live_server: Any) -> Iterator[Watch]:
    watch = Watch(urlsplit(live_server.url).netloc)
    yield watch
    assert not watch.complaints


@pytest.fixture
def open_page(browser: Any, live_server: Any, watch: Watch) -> Iterator[Callable[..., Page]]:
    """Opens an address of the site in a watched page of its own; keywords go to the browser's context."""
    contexts = []

    def opened(path: str, **options: Any) -> Page:
        context = browser.new_context(base_url=live_server.url, **{"reduced_motion": "reduce", **options})
        contexts.append(context)
        page = context.new_page()
        watch.follow(page)
        page.goto(path)
        return page

    yield opened
    for context in contexts:
        context.close()


def search_path(place: str = "Barcelona", **parameters: Any) -> str:
    """The address of a search three weeks ahead; keywords are further parameters."""
    start = localdate() + timedelta(days=21)
    stay = {"place": place, "checkin": start, "checkout": start + timedelta(days=3), "guests": 2}
    return "/hotels/?" + urlencode({**stay, **parameters}, doseq=True)


def first_property(page: Page) -> str:
    """The address of the first card's property on a page of results."""
    return str(page.locator(".listing-card__name a").first.get_attribute("href"))


def sort_by(page: Page, order: str) -> None:
    """Chooses an order by its name."""
    page.locator(".refine-sort__now").click()
    page.get_by_role("link", name=order).click()


def covered_stops(page: Page, over: Locator, inside: str, stops: int = 30) -> list[str]:
    """What Tab comes to inside of a selector and `over` lies upon."""
    covered = []
    for _stop in range(stops):
        page.keyboard.press("Tab")
        focused = page.locator(":focus")
        if focused.evaluate("(one, inside) => Boolean(one.closest(inside))", inside):
            box, lid = focused.bounding_box(), over.bounding_box()
            assert box
            assert lid
            if box["y"] + box["height"] > lid["y"]:
                covered.append(focused.evaluate("(one) => one.outerHTML"))
    return covered


def let_the_list_settle(page: Page) -> None:
    """Waits until the whole answer is in, so that nothing is replaced under a test's hands."""
    page.wait_for_function("() => !document.querySelector('result-progress')")


def hold_back(page: Page, address: str | re.Pattern[str]) -> list[Route]:
    """What the page asks for at such an address from now on; none of it is answered until the test does."""
    held: list[Route] = []
    page.route(address, lambda route: held.append(route))
    return held


def until(page: Page, condition: Callable[[], object]) -> None:
    """Lets the browser go on until `condition` holds, for five seconds at most."""
    for _turn in range(500):
        if condition():
            return
        page.wait_for_timeout(10)
    raise AssertionError("not within five seconds")


def drawn(page: Page) -> None:
    """Returns when scripts have handled what came in, and the page was drawn after it."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


def violations(page: Page) -> list[str]:
    """What axe finds on the page, and what is over it or beside it."""
    found = Axe().run(page).response
    return [f"{rule['id']} at {node['target']}" for rule in found["violations"] for node in rule["nodes"]]
