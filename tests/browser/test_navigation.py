"""From one page to the next over a slow gateway: what is seen while it answers, and on the way back."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.servers import Site, running_site

from .conftest import hold_back, let_the_list_settle, search_path, sort_by

Open = Callable[..., Page]

GATEWAY_MS = 2000

# Kept across pages: the layout shifts, and the time from each press to the first frame with the bar.
WATCH = """
  window.shifted = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
    if (!entry.hadRecentInput) window.shifted += entry.value;
  })).observe({type: "layout-shift", buffered: true});
  addEventListener("click", () => {
    const pressed = performance.now();
    const look = () => {
      if (getComputedStyle(document.documentElement, "::before").position === "fixed") {
        sessionStorage.setItem("barAfter", performance.now() - pressed);
      } else requestAnimationFrame(look);
    };
    look();
  }, {capture: true});
"""
FIRST_PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"
BAR = "() => getComputedStyle(document.documentElement, '::before').position === 'fixed'"
ANSWERED = "() => performance.getEntriesByType('navigation')[0].responseEnd"


@pytest.fixture(scope="module")
def slow_site() -> Iterator[Site]:
    with running_site(SANDBOX_WEATHER=f"slow={GATEWAY_MS // 1000}") as site:
        site.get("/")  # the airports
        yield site


@pytest.fixture
def visit(remembering: Browser, slow_site: Site) -> Iterator[Callable[..., Page]]:
    contexts = []

    def visited(**options: object) -> Page:
        context = remembering.new_context(base_url=slow_site.url, **options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        if options.get("java_script_enabled", True):
            page.add_init_script(WATCH)
        return page

    yield visited
    for context in contexts:
        context.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_a_page_paints_early_and_nothing_jumps_later(visit: Callable[..., Page], width: int) -> None:
    page = visit(viewport={"width": width, "height": 844})
    page.goto("/")
    page.goto(search_path(f"Town {width}"), wait_until="commit")
    expect(page.locator(".skeleton__card").first).to_be_visible()
    assert page.locator(".results").count() == 0
    page.wait_for_load_state()
    expect(page.locator(".skeleton")).to_be_hidden()
    expect(page.locator(".results")).to_be_visible()
    assert page.evaluate(ANSWERED) > GATEWAY_MS
    assert page.evaluate(FIRST_PAINT) < page.evaluate(ANSWERED) / 2
    assert page.evaluate("window.shifted") < 0.01


def test_a_page_whose_rest_does_not_come_can_be_asked_for_again(visit: Callable[..., Page]) -> None:
    page = visit()
    page.goto(search_path("Seville"), wait_until="commit")
    again = page.locator(".skeleton__again")
    again.wait_for(state="attached")
    page.context.new_cdp_session(page).send("Page.stopLoading")
    expect(again).to_be_hidden()
    again.evaluate("(one) => one.getAnimations()[0].finish()")
    again.click()
    page.locator(".listing-card").first.wait_for()


def test_without_javascript_the_hotels_follow_the_skeleton(visit: Callable[..., Page]) -> None:
    page = visit(java_script_enabled=False)
    page.goto(search_path("Porto"), wait_until="commit")
    expect(page.locator(".skeleton__status")).to_be_visible()
    expect(page.locator(".listing-card").first).to_be_visible()
    expect(page.locator(".skeleton__status")).to_be_hidden()


def test_hotels_side_by_side_replace_their_skeleton(visit: Callable[..., Page]) -> None:
    page = visit()
    page.goto(search_path("Genoa"))
    chosen = page.locator(".listing-card .keep").evaluate_all("(all) => all.map((one) => one.value)")
    other = search_path("Genoa", guests=1, stay=chosen[:2]).replace("/hotels/", "/compare/")
    page.goto(other, wait_until="commit")
    expect(page.locator(".skeleton__card").first).to_be_visible()
    expect(page.locator(".compare__table")).to_be_visible()
    expect(page.locator(".skeleton")).to_be_hidden()


def test_a_bar_shows_when_a_page_is_asked_for(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 1280, "height": 900})
    page.goto("/")
    page.get_by_label("Where to?").fill("Madrid")
    page.locator(".hero__title").click()  # closes the list of the picker
    page.evaluate("() => sessionStorage.clear()")
    page.get_by_role("button", name="Search").click()
    page.locator(".listing-card").first.wait_for()
    assert float(page.evaluate("sessionStorage.barAfter")) < 100
    page.evaluate("() => sessionStorage.clear()")
    page.locator(".listing-card__name a").first.click()
    page.locator(".property").wait_for()
    assert float(page.evaluate("sessionStorage.barAfter")) < 100
    assert not page.evaluate(BAR)


def test_a_hotel_fetched_early_begins_when_it_is_pressed(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 1280, "height": 900})
    page.goto(search_path("Toledo"))
    let_the_list_settle(page)
    link = page.locator(".listing-card__name a").first
    with page.expect_request(lambda request: request.headers.get("sec-purpose") == "prefetch"):
        link.hover()
    link.click()
    expect(page.locator(".skeleton__card").first).to_be_visible()
    page.locator(".property").wait_for()


def test_a_finger_that_may_scroll_fetches_no_hotel_early(open_page: Open) -> None:
    page = open_page(search_path("Lerwick"))
    link = page.locator(".listing-card__name a").first
    fetched = page.locator("link[rel=prefetch]:not([as])")
    link.dispatch_event("pointerdown", {"pointerType": "touch"})
    expect(fetched).to_have_count(0)
    link.dispatch_event("pointerdown", {"pointerType": "mouse"})
    expect(fetched).to_have_count(1)


def test_back_shows_the_page_as_it_was_left(visit: Callable[..., Page]) -> None:
    page = visit()
    page.goto(search_path("Madrid"))
    let_the_list_settle(page)
    page.evaluate("() => { window.left = true; }")
    page.locator(".listing-card__name a").first.click()
    page.locator(".property").wait_for()
    page.evaluate("() => history.back()")
    page.wait_for_function("() => window.left")
    assert not page.evaluate(BAR)


def test_a_filter_fetched_in_place_shows_the_bar(open_page: Open) -> None:
    page = open_page(search_path("Lerwick"))
    let_the_list_settle(page)
    held = hold_back(page, "**/hotels/?**")
    sort_by(page, "Most stars")
    page.wait_for_function(BAR)
    held[0].fallback()
    page.wait_for_url("**sort=stars**")
    assert not page.evaluate(BAR)
