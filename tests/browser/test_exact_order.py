"""The exact order that comes once all results are fetched: by itself, offered, or not at all."""

from __future__ import annotations

import msgspec
import pytest
from playwright.sync_api import Route, expect

from search.results import full_results
from search.results import service as results
from tests.browser.conftest import search_path
from tests.browser.refining import WIDE, Open, names, settled, widths

DONE = {"text": "Hotels compared: 600 of 600", "compared": 600, "most": 600, "done": True}


@widths
def test_progress_advances_and_the_exact_order_takes_its_place(
    open_page: Open, monkeypatch: pytest.MonkeyPatch, width: dict
) -> None:
    monkeypatch.setattr(full_results, "PATIENCE_SECONDS", -1.0)
    page = open_page("/", **width)
    told = iter([(120, False), (240, False), (600, True)])

    def answer(route: Route) -> None:
        compared, done = next(told)
        text = f"Hotels compared: {compared} of 600"
        route.fulfill(json={"text": text, "compared": compared, "most": 600, "done": done})

    page.route("**/hotels/progress/**", answer)
    page.goto(search_path("Madrid"))
    line = page.locator(".result-progress__text")
    expect(line).to_contain_text("Hotels compared")
    expect(page.locator("result-progress")).to_have_count(0)
    expect(page.locator(".refine-coverage__sentence")).to_contain_text("600")


def test_where_it_never_ends_a_link_leads_on(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(full_results, "PATIENCE_SECONDS", -1.0)
    page = open_page("/", **WIDE)
    told = {"text": "Hotels compared: 100", "compared": 100, "most": 600, "done": False}
    page.route("**/hotels/progress/**", lambda route: route.fulfill(json=told))
    page.goto(search_path("Madrid"))
    again = page.get_by_role("link", name="Refresh for the new order")
    expect(again).to_have_count(0)
    page.locator("result-progress").evaluate("(progress) => { progress.asked = 59; }")
    expect(again).to_be_visible()
    assert again.evaluate("(link) => getComputedStyle(link).position") == "static"


@pytest.mark.parametrize("done", [False, True])
def test_older_prices_say_their_age_until_newer_ones_come(
    open_page: Open, monkeypatch: pytest.MonkeyPatch, done: bool
) -> None:
    page = settled(open_page, **WIDE)
    found = results.find
    monkeypatch.setattr(
        results, "find", lambda *asked: msgspec.structs.replace(found(*asked), stale=True, newer_coming=True)
    )
    told = {"text": "Hotels compared: 0", "compared": 0, "most": 0, "done": done}
    page.route("**/hotels/progress/**", lambda route: route.fulfill(json=told))
    page.goto("/")
    with page.expect_response("**/hotels/progress/**"):
        page.goto(search_path("Lerwick"))
        page.locator(".results .results__title").click()  # whoever has touched the page keeps its list
    expect(page.get_by_role("button", name="Show the new order")).to_have_count(int(done))
    age = page.locator("result-progress").get_by_text("newer ones are coming in").first
    expect(age).to_be_visible()


@pytest.mark.parametrize("touch", ["focus", "scroll", "press"])
def test_a_visitor_who_touched_the_page_is_offered_the_order(
    open_page: Open, monkeypatch: pytest.MonkeyPatch, touch: str
) -> None:
    monkeypatch.setattr(full_results, "PATIENCE_SECONDS", -1.0)
    page = open_page("/", **WIDE)
    reading = []
    waiting = {**DONE, "done": False}
    page.route(
        "**/hotels/progress/**", lambda route: route.fallback() if reading else route.fulfill(json=waiting)
    )
    page.goto(search_path("Rome"))
    before = names(page)
    if touch == "focus":
        page.locator(".listing-card__name a").nth(1).focus()
    elif touch == "scroll":
        page.mouse.wheel(0, 200)
    else:
        page.locator(".results .results__title").click()
    reading.append(touch)
    # What comes without being asked for is spoken.
    button = page.get_by_role("status").get_by_role("button", name="Show the new order")
    expect(button).to_be_visible()
    assert names(page) == before
    button.click()
    expect(page.locator("result-progress")).to_have_count(0)
    expect(page.locator(".refine-chips a").first).to_be_focused()
