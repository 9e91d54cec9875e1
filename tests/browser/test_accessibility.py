"""axe on every page and state, and what a keyboard and a screen reader need that axe can't see."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from search.gateway import Unavailable
from search.results import service as results
from tests.browser.conftest import Watch, first_property, let_the_list_settle, search_path

RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    # To describe every element that passes takes axe as long as to judge them all, and nobody reads it.
    "resultTypes": ["violations", "incomplete"],
}


def complaints_of(page: Page) -> list[str]:
    """axe's violations, and the rules it could not finish because of an error."""
    found = Axe().run(page, options=RULES).response
    broken = [
        f"{rule['id']}: {rule['help']} at {node['target']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
    unfinished = [rule["id"] for rule in found["incomplete"] if "error" in rule]
    return broken + unfinished


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_every_page_is_accessible(
    open_page: Callable[..., Page], watch: Watch, width: int, scheme: str
) -> None:
    watch.expected |= {400, 404}
    page = open_page(search_path(), viewport={"width": width, "height": 900}, color_scheme=scheme)
    let_the_list_settle(page)
    paths = {
        "results": search_path(),
        "property": first_property(page),
        "property without dates": f"{first_property(page).partition('?')[0]}?place=Barcelona",
        "home": "/",
        "form with errors": search_path(checkout="2020-01-01", guests=99),
        "nothing found": search_path("Nowhere at all"),
        "no such page": "/nowhere/",
        "admin login": "/admin/login/",
    }
    for name, path in paths.items():
        page.goto(path)
        assert complaints_of(page) == [], name


def test_the_sorry_page_is_accessible(
    open_page: Callable[..., Page], watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_given: object, **_named: object) -> None:
        raise Unavailable("timeout")

    monkeypatch.setattr(results, "find", fails)
    watch.expected.add(503)
    page = open_page(search_path())
    assert page.locator("input[name=place]").input_value() == "Barcelona"
    assert complaints_of(page) == []


def test_the_open_states_are_accessible(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path("Lerwick"), viewport={"width": 1440, "height": 900})
    let_the_list_settle(page)
    page.wait_for_selector(".map-pin")
    page.locator(".search-bar__summary").click()
    page.locator(".search-form__toggle").click()
    page.locator(".offers__summary").first.click()
    assert complaints_of(page) == []
    expect(page.locator("stay-map")).to_have_attribute("data-shows", "all")
    page.locator(".map-pin", has_not_text="from").first.press("Enter")
    page.wait_for_selector(".map-card")
    assert complaints_of(page) == []


def test_the_covering_map_is_accessible_and_left_by_escape(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path(), viewport={"width": 390, "height": 844})
    let_the_list_settle(page)
    page.locator("[data-map]").click()
    page.wait_for_selector(".map-pin")
    assert page.locator(".results").evaluate("(list) => list.closest('[inert]') !== null")
    assert complaints_of(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("[data-map]")).to_be_focused()
    assert page.locator(".results").evaluate("(list) => list.closest('[inert]') === null")


def test_the_gallery_is_accessible_and_gives_the_focus_back(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path(sort="provider"))
    page.goto(first_property(page))
    page.locator(".gallery__link").nth(1).press("Enter")
    counter = page.locator("[data-counter]")
    counter.get_by_text("2 /").wait_for()
    assert complaints_of(page) == []
    page.keyboard.press("ArrowRight")
    counter.get_by_text("3 /").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator(".gallery__link").nth(2)).to_be_focused()


def test_headings_do_not_skip_a_level(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path(sort="provider"))
    for path in ("/", search_path(sort="provider"), first_property(page)):
        page.goto(path)
        levels = page.locator("h1, h2, h3, h4, h5, h6").evaluate_all(
            "(all) => all.filter((one) => one.checkVisibility()).map((one) => +one.tagName[1])"
        )
        assert levels.count(1) == 1
        assert all(after - before <= 1 for before, after in pairwise(levels)), levels


def test_the_first_tab_stop_skips_to_the_content(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path(sort="provider"))
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "content"


# How much of the focused element its row shows, in parts of what the row could show.
SHOWN_IN = """(one, row) => {
  const [box, room] = [one, one.closest(row)].map((each) => each.getBoundingClientRect());
  const shown = Math.min(box.right, room.right) - Math.max(box.left, room.left);
  return shown / Math.min(box.width, room.width);
}"""


@pytest.mark.parametrize("key", ["Tab", "Shift+Tab"])
@pytest.mark.parametrize(
    ("row", "width"), [(".refine-chips", 320), (".gallery", 320), (".dates__pills", 390)]
)
def test_a_row_to_swipe_shows_what_the_keyboard_comes_to(
    open_page: Callable[..., Page], row: str, width: int, key: str
) -> None:
    page = open_page(search_path(), viewport={"width": width, "height": 640})
    let_the_list_settle(page)
    if row == ".dates__pills":
        page.get_by_role("link", name="When is it cheapest?").press("Enter")
        page.get_by_role("link", name="Whole month").press("Enter")
        row = ".dates__choice[aria-label=Nights] .dates__pills"
    if row == ".gallery":
        page.goto(first_property(page))
    stops = page.locator(f"{row} a")
    (stops.first if key == "Tab" else stops.last).focus()
    for _stop in range(stops.count() - 1):
        page.keyboard.press(key)
        expect(page.locator(f"{row} a:focus")).to_have_count(1)
        assert page.locator(":focus").evaluate(SHOWN_IN, row) > 0.5


def test_targets_are_large_enough_for_a_finger(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path(), viewport={"width": 390, "height": 844})
    let_the_list_settle(page)
    small = page.locator(
        "button:visible, summary:visible, select:visible, input:visible, a.button:visible"
    ).evaluate_all(
        # A label belongs to the target of its field.
        "(all) => all.map((one) => [one.className, (one.closest('label') ?? one).getBoundingClientRect()])"
        ".filter(([, box]) => box.width < 24 || box.height < 24).map(([name]) => name)"
    )
    assert small == []


def test_forced_colours_keep_the_chosen_page_visible(open_page: Callable[..., Page]) -> None:
    page = open_page(
        search_path(sort="provider"), forced_colors="active", viewport={"width": 1280, "height": 900}
    )
    shown = page.locator(".pager__page[aria-current]").evaluate(
        "(one) => getComputedStyle(one).backgroundColor"
    )
    other = page.locator("a.pager__page").first.evaluate("(one) => getComputedStyle(one).backgroundColor")
    assert shown != other
