"""The destination picker in a real browser: keys, mouse, touch, screen reader, slow network, Back."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Error, Locator, Page, Route, expect

from .conftest import Watch, drawn, hold_back, search_path, until
from .test_accessibility import complaints_of

Open = Callable[..., Page]
LONDON_AIRPORTS = re.compile(r"London .* (LHR|LGW|STN|LTN|LCY|SEN)")


def field(page: Page) -> Locator:
    return page.get_by_label("Where to?")


def options(page: Page) -> Locator:
    return page.get_by_role("listbox").get_by_role("option")


def active(page: Page) -> Locator:
    """The row that the keyboard is on."""
    return page.locator("[role=option][aria-selected=true]")


def press(page: Page, text: str) -> None:
    field(page).press_sequentially(text, delay=15)


def typed(page: Page, text: str) -> None:
    """Types a text and waits for what is suggested for all of it."""
    with page.expect_response(lambda response: parse_qs(urlsplit(response.url).query).get("q") == [text]):
        press(page, text)


def leave_the_calendar(page: Page) -> None:
    """A chosen place leads on to its dates."""
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#checkin")).to_be_focused()


def searched(page: Page) -> dict[str, str]:
    """The parameters of the results page the form led to."""
    page.wait_for_url("**/hotels/?**")
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def test_a_keyboard_alone_finds_chooses_and_searches(open_page: Open) -> None:
    page = open_page("/")
    field(page).focus()
    expect(page.get_by_role("listbox")).to_have_count(0)
    typed(page, "lond")
    expect(options(page).first).to_contain_text("London")
    page.keyboard.press("ArrowDown")
    expect(active(page)).to_contain_text("all")
    page.keyboard.press("ArrowDown")
    expect(active(page)).to_contain_text(LONDON_AIRPORTS)
    chosen = active(page).get_attribute("data-text")
    page.keyboard.press("Enter")
    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(field(page)).to_have_value(str(chosen))
    leave_the_calendar(page)
    assert page.url.endswith("/")
    page.keyboard.press("Enter")
    assert searched(page)["place"] == chosen
    expect(field(page)).to_have_value(str(chosen))


def test_the_arrows_go_round_and_letters_return_to_the_text(open_page: Open) -> None:
    page = open_page("/")
    typed(page, "lond")
    expect(options(page)).not_to_have_count(0)
    last = options(page).last.get_attribute("id")
    page.keyboard.press("ArrowUp")
    assert field(page).get_attribute("aria-activedescendant") == last
    page.keyboard.press("ArrowDown")
    expect(active(page)).to_have_id("place-options-0")
    for key in ("Home", "End", "ArrowLeft", "ArrowRight"):
        page.keyboard.press("ArrowDown")
        expect(active(page)).to_have_count(1)
        page.keyboard.press(key)
        expect(active(page)).to_have_count(0)
        assert field(page).get_attribute("aria-activedescendant") is None
    page.keyboard.press("Home")
    page.keyboard.press("x")
    expect(field(page)).to_have_value("xlond")


def test_escape_closes_then_clears_and_alt_arrow_opens(open_page: Open) -> None:
    page = open_page("/")
    typed(page, "rome")
    expect(page.get_by_role("listbox")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(field(page)).to_have_value("rome")
    page.keyboard.press("Alt+ArrowDown")
    expect(page.get_by_role("listbox")).to_be_visible()
    expect(active(page)).to_have_count(0)
    page.keyboard.press("Alt+ArrowUp")
    expect(page.get_by_role("listbox")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(field(page)).to_have_value("")


def test_leaving_with_tab_keeps_what_was_typed(open_page: Open) -> None:
    page = open_page("/")
    press(page, "paris")
    page.keyboard.press("ArrowDown")
    expect(active(page)).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(field(page)).to_have_value("paris")


def test_enter_without_a_chosen_row_searches_for_the_text_itself(open_page: Open) -> None:
    page = open_page("/")
    typed(page, "Qwrtz & Zxcvb")
    expect(page.get_by_text("No suggestions.")).to_be_visible()
    page.keyboard.press("Enter")
    assert searched(page)["place"] == "Qwrtz & Zxcvb"


def test_a_mouse_opens_the_list_and_chooses(open_page: Open) -> None:
    page = open_page("/")
    field(page).click()
    expect(page.get_by_role("group", name="Popular destinations")).to_be_visible()
    typed(page, "málag")
    page.get_by_role("option", name=re.compile("AGP")).click()
    expect(field(page)).to_have_value(re.compile(r"M.laga.* \(AGP\)"))
    leave_the_calendar(page)
    page.mouse.click(5, 400)
    expect(page.get_by_role("listbox")).to_have_count(0)


def test_touch_chooses_on_a_phone_and_rows_are_large_enough(open_page: Open) -> None:
    page = open_page("/", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    field(page).tap()
    expect(options(page)).not_to_have_count(0)
    for row in options(page).all():
        box = row.bounding_box()
        assert box
        assert box["height"] >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    field(page).fill("stn")
    page.get_by_role("option", name="London Stansted").tap()
    expect(field(page)).to_have_value("London Stansted (STN)")


def test_the_accessibility_tree_is_that_of_a_combobox(open_page: Open) -> None:
    page = open_page("/")
    combobox = field(page)
    expect(page.get_by_role("combobox", name="Where to?", expanded=False)).to_have_count(1)
    expect(combobox).to_have_attribute("aria-autocomplete", "list")
    typed(page, "stansted")
    expect(page.get_by_role("combobox", name="Where to?", expanded=True)).to_have_count(1)
    listbox = page.get_by_role("listbox", name="Destinations")
    assert listbox.get_attribute("id") == combobox.get_attribute("aria-controls")
    expect(listbox.get_by_role("option")).to_have_count(1)
    expect(page.get_by_role("status").filter(has_text="1 suggestion")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(listbox.get_by_role("option", selected=True)).to_have_count(1)
    assert combobox.get_attribute("aria-activedescendant") == options(page).first.get_attribute("id")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("text", ["", "lond", "qqqqqq"])
def test_axe_finds_nothing_with_the_list_open_and_closed(open_page: Open, text: str, scheme: str) -> None:
    page = open_page("/", color_scheme=scheme)
    assert complaints_of(page) == []
    field(page).click()
    field(page).fill(text)
    if text == "qqqqqq":
        expect(page.get_by_text("No suggestions.")).to_be_visible()
    else:
        expect(options(page).first).to_contain_text("London" if text else "near me")
        page.keyboard.press("ArrowDown")
        expect(active(page)).to_have_count(1)
    assert complaints_of(page) == []


@pytest.mark.parametrize(
    "path",
    [
        "/destinations/",
        "/destinations/?q=lond",
        "/destinations/from/STN/",
        "/destinations/?theme=SEA",
        "/destinations/es/",
        "/destinations/es/andalusia/",
    ],
)
def test_axe_finds_nothing_on_the_pages_of_destinations(open_page: Open, path: str) -> None:
    assert complaints_of(open_page(path)) == []


def test_a_late_answer_never_replaces_a_newer_one(open_page: Open) -> None:
    page = open_page("/")
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    page.route(re.compile(r"q=lond&"), hold)
    ended: list[str] = []
    for event in ("requestfinished", "requestfailed"):
        page.on(event, lambda request: ended.append(request.url))
    press(page, "lond")
    until(page, lambda: late)
    field(page).fill("madrid")
    expect(options(page).first).to_contain_text("Madrid")
    for route in late:
        route.continue_()
    until(page, lambda: any("q=lond&" in url for url in ended))
    drawn(page)
    expect(options(page).first).to_contain_text("Madrid")


def test_without_a_network_the_field_stays_a_field(open_page: Open, watch: Watch) -> None:
    page = open_page("/")
    watch.expected.add(503)
    page.route(re.compile(r"/destinations/"), lambda route: route.fulfill(status=503, body=""))
    typed(page, "Lisbon")
    drawn(page)
    expect(page.get_by_role("listbox")).to_have_count(0)
    page.keyboard.press("Enter")
    assert searched(page)["place"] == "Lisbon"


def test_what_was_typed_before_the_script_had_come_is_answered(open_page: Open) -> None:
    page = open_page(search_path("Lisbon", sort="provider"))
    scripts = hold_back(page, "**/destination-picker*")
    with page.expect_request("**/destination-picker*"):
        page.locator(".search-bar__summary").click()
    field(page).fill("rome")
    until(page, lambda: scripts)
    scripts.pop().fallback()
    expect(options(page).first).to_contain_text("Rome")


def test_back_returns_to_the_text_with_the_list_closed(open_page: Open) -> None:
    page = open_page("/")
    typed(page, "stn")
    options(page).filter(has_text="Stansted").click()
    leave_the_calendar(page)
    page.keyboard.press("Enter")
    searched(page)
    page.go_back()
    page.wait_for_url(re.compile(r"/$"))
    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(field(page)).to_have_value("London Stansted (STN)")


def test_recent_searches_are_offered_and_removable(open_page: Open) -> None:
    page = open_page("/")
    for text in ("Lisbon", "Madrid"):
        field(page).fill(text)
        page.keyboard.press("Enter")
        searched(page)
        page.goto("/")
    field(page).click()
    recent = page.get_by_role("group", name="Recent searches")
    expect(recent.get_by_role("option")).to_have_text(["Madrid", "Lisbon"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Delete")
    expect(recent.get_by_role("option")).to_have_text(["Lisbon"])
    recent.locator("[data-remove]").click()
    expect(recent).to_have_count(0)
    assert page.evaluate("() => localStorage.getItem('recent-destinations')") == "[]"
    assert page.context.cookies() == []


def test_near_me_asks_on_a_click_and_lists_distances(open_page: Open) -> None:
    berlin = {"latitude": 52.52, "longitude": 13.405}
    page = open_page("/", geolocation=berlin, permissions=["geolocation"])
    asked: list[str] = []
    page.on("request", lambda request: "at=" in request.url and asked.append(request.url))
    field(page).click()
    near = page.get_by_role("option", name="Destinations near me")
    expect(near).to_be_visible()
    assert asked == []
    near.click()
    expect(options(page).first).to_contain_text("Berlin")
    expect(options(page).first).to_contain_text(re.compile(r"\d+\smi"))
    assert [parse_qs(urlsplit(url).query)["at"] for url in asked] == [["52.52,13.40"]] or "13.41" in asked[0]
    options(page).first.click()
    expect(field(page)).to_have_value("Berlin, DE")


def test_a_refused_position_is_answered_in_words(open_page: Open) -> None:
    page = open_page("/", permissions=[])
    page.evaluate("() => { navigator.geolocation.getCurrentPosition = (_, refuse) => refuse({ code: 1 }); }")
    field(page).click()
    page.get_by_role("option", name="Destinations near me").click()
    expect(page.get_by_text("Your browser did not share where you are.")).to_be_visible()
    assert complaints_of(page) == []


def test_a_folded_form_has_its_picker_once_it_is_unfolded(open_page: Open) -> None:
    page = open_page(search_path())
    pickers = (
        "() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('-picker')).length"
    )
    assert page.evaluate(pickers) == 0
    page.locator(".search-bar__summary").focus()
    page.keyboard.press("Enter")
    expect(field(page)).to_have_role("combobox")
    field(page).fill("")
    typed(page, "rom")
    expect(options(page).first).to_contain_text("Rome")
    page.locator(".search-bar__summary").click()
    page.locator(".search-bar__summary").click()
    assert page.evaluate(pickers) == 1


def test_hostile_storage_breaks_nothing(open_page: Open) -> None:
    page = open_page("/")
    for stored in ("not json", "{}", "[1, null, {}]", '["<img src=x onerror=alert(1)>"]'):
        page.evaluate("(stored) => localStorage.setItem('recent-destinations', stored)", stored)
        page.goto("/")
        field(page).click()
        expect(page.get_by_role("group", name="Popular destinations")).to_be_visible()
        assert page.locator("destination-picker img").count() == 0


def test_without_javascript_the_datalist_does_the_job(open_page: Open) -> None:
    page = open_page("/", java_script_enabled=False)
    assert page.locator("datalist option").count() > 50
    page.locator("#place").fill("London Stansted (STN)")
    page.get_by_role("button", name="Search", exact=True).click()
    assert searched(page)["place"] == "London Stansted (STN)"
    page.goto("/destinations/?q=lnodon")
    page.get_by_role("link", name=re.compile("London Stansted")).click()
    assert searched(page)["near"] == "STN"


def test_from_all_destinations_one_comes_to_a_search(open_page: Open) -> None:
    page = open_page(search_path(guests=3).replace("/hotels/", "/destinations/"))
    page.get_by_role("heading", name="United Kingdom").click()
    page.get_by_role("link", name=re.compile("United Kingdom: all")).click()
    page.get_by_role("link", name=re.compile("^Fly from here: London Stansted")).click()
    page.wait_for_url("**/destinations/from/STN/?**")
    page.locator(".destinations__entry a").first.click()
    assert searched(page)["guests"] == "3"


def test_on_a_slow_network_the_keyboard_waits_for_rows(open_page: Open) -> None:
    page = open_page("/")
    held = hold_back(page, re.compile(r"part=options"))
    press(page, "madrid")
    page.keyboard.press("ArrowDown")
    expect(active(page)).to_have_count(0)
    expect(field(page)).to_have_value("madrid")
    until(page, lambda: any("q=madrid&" in route.request.url for route in held))
    for route in held:
        with contextlib.suppress(Error):  # those that a later question called off
            route.continue_()
    expect(active(page)).to_contain_text("Madrid")


def test_near_the_foot_of_a_phone_the_field_goes_up_to_make_room(open_page: Open) -> None:
    page = open_page("/", viewport={"width": 360, "height": 560}, has_touch=True, is_mobile=True)
    field(page).tap()
    expect(options(page)).not_to_have_count(0)
    page.wait_for_function("() => document.querySelector('#place').getBoundingClientRect().bottom < 320")
    expect(options(page).first).to_be_in_viewport(ratio=1)


def test_rows_stay_until_something_else_is_pressed_or_focused(open_page: Open) -> None:
    page = open_page("/")
    typed(page, "lond")
    # As a screen reader on a phone does that reads the rows.
    page.evaluate("document.activeElement.blur()")
    expect(options(page).first).to_be_visible()
    options(page).first.click()
    expect(field(page)).to_have_value(re.compile("London"))
    leave_the_calendar(page)
    field(page).fill("")
    typed(page, "rom")
    expect(options(page).first).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("listbox")).to_have_count(0)
    field(page).click()
    expect(options(page).first).to_be_visible()
    page.get_by_role("heading", level=1).click()
    expect(page.get_by_role("listbox")).to_have_count(0)
