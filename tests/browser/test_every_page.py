"""What must hold on every page at every size, by day and by night."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page

from .conftest import Watch, first_property, let_the_list_settle, search_path

WIDTHS = (320, 390, 768, 1280, 2560)

TOO_WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Pairs of neighbours whose boxes cover each other by more than a pixel in both directions.
OVERLAPS = """() => {
  const found = [];
  for (const card of document.querySelectorAll(".listing-card")) card.style.contentVisibility = "visible";
  for (const parent of document.querySelectorAll(
      ".listing-card, .search-form, .site-header, .property, .property__header, .pager, .room")) {
    const boxes = [...parent.children].map((one) => [one, one.getBoundingClientRect()])
      .filter(([one, box]) => box.width && box.height && !one.matches(".property__bar"));
    boxes.forEach(([one, a], index) => boxes.slice(index + 1).forEach(([other, b]) => {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 1) found.push(`${one.className} and ${other.className}`);
    }));
  }
  return found;
}"""

COUNT_SHIFTS = """
  window.moved = 0;
  const count = (list) => list.getEntries().forEach((entry) => {
    if (!entry.hadRecentInput) window.moved += entry.value;
  });
  new PerformanceObserver(count).observe({type: "layout-shift", buffered: true});
"""

LAYS_OUT = {"Layout", "UpdateLayoutTree"}
# Loaded once a map is seen, which measures what it is drawn on.
OF_MAPS = ("/js_lib_leaflet/", "/js/map-")


def paths(first: Page) -> dict[str, str]:
    """The pages to look at; the property is the first one found."""
    return {
        "home": "/",
        "results": search_path(),
        "property": first_property(first),
        "last page": search_path("Lodz", page=2, sort="provider"),
        "form with an error": search_path(checkout="2020-01-01"),
        "nothing found": search_path("Nowhere at all"),
        "no such page": "/nowhere/",
    }


@pytest.mark.parametrize("width", [390, 1280])
def test_no_script_forces_a_layout_before_its_turn(open_page: Callable[..., Page], width: int) -> None:
    """Layout that a script asks for comes before the first picture and is done again for it."""
    page = open_page(search_path(), viewport={"width": width, "height": 844})
    let_the_list_settle(page)
    property_path = first_property(page)
    browser = page.context.browser
    assert browser is not None
    for path in ("/", search_path(), property_path):
        page.goto("about:blank")  # a page that is left may look where it stands
        browser.start_tracing(
            page=page, categories=["devtools.timeline", "disabled-by-default-devtools.timeline.stack"]
        )
        page.goto(path)
        events = [
            event
            for event in json.loads(browser.stop_tracing())["traceEvents"]
            if event["name"] in LAYS_OUT and "beginData" in event["args"]
        ]
        assert events
        stacks = [event["args"]["beginData"].get("stackTrace", []) for event in events]
        scripts = {stack[0]["url"] for stack in stacks if stack}
        assert not [script for script in scripts if not any(one in script for one in OF_MAPS)], path


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_scrolls_sideways_or_covers_its_neighbour(
    open_page: Callable[..., Page], watch: Watch, width: int
) -> None:
    watch.expected |= {400, 404}
    page = open_page(search_path(), viewport={"width": width, "height": 900})
    for name, path in paths(page).items():
        page.goto(path)
        assert page.evaluate(TOO_WIDE) <= 0, f"{name} is wider than {width} pixels"
        assert page.evaluate(OVERLAPS) == [], name


def test_text_enlarged_to_twice_its_size_loses_nothing(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path(), viewport={"width": 640, "height": 512}, device_scale_factor=2)
    for path in (search_path(), first_property(page), "/"):
        page.goto(path)
        assert page.evaluate(TOO_WIDE) <= 0


def test_the_list_does_not_move_while_it_loads(open_page: Callable[..., Page]) -> None:
    page = open_page("/", viewport={"width": 1440, "height": 900})
    page.add_init_script(COUNT_SHIFTS)
    page.goto(search_path(sort="provider"))
    page.wait_for_load_state("networkidle")
    page.wait_for_selector(".map-pin")
    assert page.evaluate("() => window.moved") < 0.01


@pytest.mark.parametrize("width", [390, 1280])
def test_the_search_form_does_not_move_while_a_page_loads(
    open_page: Callable[..., Page], watch: Watch, width: int
) -> None:
    watch.expected.add(400)
    page = open_page("/", viewport={"width": width, "height": 900})
    page.add_init_script(COUNT_SHIFTS)
    for path in ("/", "/destinations/", search_path(checkin="2020-01-01", checkout="2020-01-03")):
        moved = []
        # A busy machine may paint half a form before the rest of it has been read, but not each time.
        for _load in range(3):
            page.goto(path)
            page.wait_for_load_state("networkidle")
            moved.append(page.evaluate("() => window.moved"))
        assert min(moved) < 0.001, path


def test_a_broken_picture_makes_room_for_a_placeholder(open_page: Callable[..., Page], watch: Watch) -> None:
    watch.expected.add(404)
    page = open_page("/")
    page.route("**/sandbox/photos/**", lambda route: route.fulfill(status=404))
    page.goto(search_path(sort="provider"))
    page.wait_for_selector("img.photo--failed")
    page.goto(first_property(page))
    broken = page.get_by_role("img", name="Photo 1 of").first
    broken.wait_for()
    page.wait_for_function("image => image.classList.contains('photo--failed')", arg=broken.element_handle())
    assert_calm(broken)
    broken.click()
    large = page.locator(".lightbox__photo").first
    page.wait_for_function("image => image.complete && image.naturalWidth", arg=large.element_handle())
    assert_calm(large)


def assert_calm(picture: Locator) -> None:
    """A browser's own mark and text are darker and lighter than the pattern of a placeholder."""
    with Image.open(BytesIO(picture.screenshot())) as shot:
        darkest, lightest = shot.convert("L").crop((4, 4, 200, 60)).getextrema()
    assert lightest - darkest < 40


def test_an_answer_of_a_search_is_small_and_asks_seldom(open_page: Callable[..., Page]) -> None:
    page = open_page("/", viewport={"width": 390, "height": 844})
    answers = []
    page.on("response", lambda response: answers.append(response))
    page.goto(search_path())
    let_the_list_settle(page)
    photos = [one for one in answers if "/sandbox/photos/" in one.url]
    asked_later = [one for one in answers if one.request.resource_type == "fetch"]
    # The icon of the page before may still be under way, and comes again.
    others = {one.url for one in answers if one not in photos and one not in asked_later}
    assert len(others) <= 12, others
