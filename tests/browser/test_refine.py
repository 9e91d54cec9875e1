"""Choosing, sorting and coming back in a real browser, at both widths, with scripts and without."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest
from playwright.sync_api import Error, Locator, Page, Route, expect

from search.results import full_results
from search.results import service as results
from tests.browser.conftest import (
    Watch,
    covered_stops,
    drawn,
    let_the_list_settle,
    search_path,
    sort_by,
    until,
    violations,
)

Open = Callable[..., Page]
PHONE = {"viewport": {"width": 390, "height": 844}}
WIDE = {"viewport": {"width": 1280, "height": 900}}
DONE = {"text": "Hotels compared: 600 of 600", "compared": 600, "most": 600, "done": True}
VIEWS = re.compile(r"/hotels/\?")
HOTELS = re.compile(r"/hotels/[^?]+/[^?]+/\?")
NAMES_SHOWN = """() => {
  window.namesShown = [];
  const tell = () => namesShown.push(document.querySelector("refine-panel [name=name]").value);
  document.addEventListener("results-shown", tell);
}"""
SCROLLED = "document.querySelector('.refine-panel__form').scrollTop"
TOP = "(one) => one.getBoundingClientRect().top"
widths = pytest.mark.parametrize("width", [PHONE, WIDE], ids=["phone", "wide"])


def settled(open_page: Open, path: str = "", **options: object) -> Page:
    page = open_page(path or search_path("Lerwick"), **options)
    let_the_list_settle(page)
    return page


def unfold(page: Page) -> None:
    """Shows the filters where they don't stand beside the list."""
    opener = page.locator("[data-sheet]")
    if opener.is_visible():
        opener.click()


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


@widths
def test_a_filter_applies_itself_and_keeps_place_focus_and_fold(open_page: Open, width: dict) -> None:
    page = settled(open_page, **width)
    unfold(page)
    box = choice(page, "free_cancellation")
    count = int(box.locator("xpath=..").locator(".refine-choice__count").inner_text())
    box.scroll_into_view_if_needed()
    top, scrolled = page.evaluate("scrollY"), page.evaluate(SCROLLED)
    box.check()
    answered(page, "free_cancellation")
    expect(page.locator("#results .results__summary")).to_contain_text(f"{count} of")
    assert page.evaluate(SCROLLED) == scrolled
    assert page.evaluate("scrollY") == pytest.approx(top, abs=2)
    expect(choice(page, "free_cancellation")).to_be_focused()
    expect(page.locator(".refine-chips__chip--on")).to_contain_text("Free cancellation")


@widths
def test_filter_sort_property_and_back_is_the_same_view_at_the_same_card(
    open_page: Open, width: dict
) -> None:
    page = settled(open_page, search_path("Barcelona"), **width)
    unfold(page)
    choice(page, "free_cancellation").check()
    answered(page, "free_cancellation")
    if page.locator("dialog").is_visible():
        page.keyboard.press("Escape")
        page.wait_for_function("() => !location.hash")
    sort_by(page, "Highest rating")
    answered(page, "sort")
    before = names(page)
    card = page.locator(".listing-card__name a").nth(7)
    card.hover()  # where the click will find it, once nothing moves any more
    height = card.bounding_box()["y"]
    address = page.url
    card.click()
    page.wait_for_url(re.compile(r"/hotels/[^?]+/[^?]+/\?"))
    page.go_back()
    page.wait_for_url(address)
    assert names(page) == before
    again = page.locator(".listing-card__name a").nth(7)
    expect(again).to_be_in_viewport()
    assert again.bounding_box()["y"] == pytest.approx(height, abs=40)


@widths
def test_the_same_without_scripts(open_page: Open, watch: Watch, width: dict) -> None:
    page = open_page(search_path("Lerwick"), java_script_enabled=False, **width)
    unfold(page)
    choice(page, "free_cancellation").check()
    page.get_by_role("button", name="Apply filters").click()
    assert asked(page)["free_cancellation"] == ["1"]
    sort_by(page, "Most stars")
    assert asked(page)["sort"] == ["stars"]
    assert asked(page)["free_cancellation"] == ["1"]
    before = names(page)
    page.locator(".listing-card__name a").nth(5).click()
    assert "/hotels/?" not in page.url
    page.go_back()
    assert names(page) == before
    page.get_by_role("link", name="Remove filter: Free cancellation").click()
    assert "free_cancellation" not in asked(page)
    assert asked(page)["sort"] == ["stars"]


def test_back_undoes_one_filter_at_a_time(open_page: Open) -> None:
    page = settled(open_page)
    start = page.url
    whole = names(page)
    unfold(page)
    choice(page, "free_cancellation").check()
    answered(page, "free_cancellation")
    choice(page, "pay_later").check()
    answered(page, "pay_later")
    page.go_back()
    expect(choice(page, "pay_later")).not_to_be_checked()
    expect(choice(page, "free_cancellation")).to_be_checked()
    page.go_back()
    expect(choice(page, "free_cancellation")).not_to_be_checked()
    assert page.url == start
    assert names(page) == whole
    page.go_forward()
    expect(choice(page, "free_cancellation")).to_be_checked()


def test_an_address_written_by_a_click_is_the_canonical_one(open_page: Open) -> None:
    page = settled(open_page)
    unfold(page)
    choice(page, "stars", "4").check()
    answered(page, "stars")
    choice(page, "stars", "3").check()
    page.wait_for_function("() => new URL(location).searchParams.getAll('stars').length === 2")
    canonical = urlsplit(page.evaluate("document.querySelector('refine-panel').dataset.address"))
    assert urlsplit(page.url).query == canonical.query
    assert asked(page)["stars"] == ["3", "4"]


def test_typing_a_limit_keeps_the_cursor_in_the_field(open_page: Open) -> None:
    page = settled(open_page)
    unfold(page)
    field = page.locator('refine-panel input[name="name"]')
    field.press_sequentially("hotel", delay=20)
    answered(page, "name")
    field.press_sequentially("s", delay=20)
    expect(field).to_be_focused()
    expect(field).to_have_value("hotels")


def test_letters_typed_while_an_answer_is_on_its_way_stay_and_are_applied(open_page: Open) -> None:
    page = settled(open_page, **WIDE)
    field = page.locator('refine-panel input[name="name"]')
    page.evaluate(NAMES_SHOWN)
    answer = held(page)
    with page.expect_request(VIEWS):
        field.press_sequentially("ho")
    field.press_sequentially("tel")
    answer[0].fallback()
    page.wait_for_url("**name=hotel**")
    expect(field).to_have_value("hotel")
    assert page.evaluate("namesShown") == ["hotel"]


def test_letters_are_asked_about_once(open_page: Open) -> None:
    page = settled(open_page, **WIDE)
    views = fetched(page)
    page.locator('refine-panel input[name="name"]').press_sequentially("hotel")
    answered(page, "name")
    choice(page, "pay_later").check()
    answered(page, "pay_later")
    assert len(views) == 2


def test_a_word_that_is_being_composed_is_applied_when_it_is_whole(open_page: Open) -> None:
    page = open_page("/", **WIDE)
    page.clock.install()
    page.goto(search_path("Lerwick"))
    page.clock.run_for(5_000)
    let_the_list_settle(page)
    field = page.locator('refine-panel input[name="name"]')
    field.focus()
    views = fetched(page)
    keyboard = page.context.new_cdp_session(page)
    keyboard.send("Input.imeSetComposition", {"text": "ho", "selectionStart": 2, "selectionEnd": 2})
    page.clock.run_for(5_000)
    assert not views
    keyboard.send("Input.imeSetComposition", {"text": "hot", "selectionStart": 3, "selectionEnd": 3})
    keyboard.send("Input.insertText", {"text": "hotel"})
    page.clock.run_for(5_000)
    answered(page, "name")
    expect(field).to_have_value("hotel")
    assert len(views) == 1


@pytest.mark.parametrize(
    ("choose", "name"),
    [
        (lambda page: page.locator("#quick-min_rating").click(), "min_rating"),
        (lambda page: choice(page, "pay_later").check(), "pay_later"),
        (lambda page: page.locator('refine-panel [name="name"]').fill("hotel"), "name"),
        (lambda page: sort_by(page, "Most stars"), "sort"),
    ],
    ids=["chip", "box", "letters", "order"],
)
def test_what_is_chosen_while_another_choice_is_on_its_way_undoes_nothing(
    open_page: Open, choose: Callable[[Page], None], name: str
) -> None:
    page = settled(open_page, **WIDE)
    answer = held(page)
    with page.expect_request(VIEWS):
        page.locator("#quick-free_cancellation").click()
    choose(page)
    answer[0].fallback()
    answered(page, name)
    assert "free_cancellation" in asked(page)


def limit_of(link: Locator) -> list[str]:
    """The limit that a link of the list sets."""
    return parse_qs(urlsplit(str(link.get_attribute("href"))).query)["max_price"]


def test_a_limit_that_waited_is_the_one_that_was_pressed_and_is_taken_off_as_well(open_page: Open) -> None:
    """The list offers another one, the middle of what is in it, once another filter is set or taken off."""
    page = settled(open_page, **WIDE)
    free, limit = page.locator("#quick-free_cancellation"), page.locator("#quick-max_price")
    pressed = limit_of(limit)
    answer = held(page)
    with page.expect_request(VIEWS):
        free.click()
    limit.click()
    answer[0].fallback()
    answered(page, "max_price")
    assert asked(page) | {"max_price": pressed, "free_cancellation": ["1"]} == asked(page)
    page.goto(page.url.replace(f"max_price={pressed[0]}", ""))
    limit.click()
    answered(page, "max_price")
    page.unroute_all()
    answer = held(page)
    with page.expect_request(VIEWS):
        free.click()
    limit.click()
    answer[0].fallback()
    page.wait_for_function("() => !new URL(location).searchParams.has('max_price')")
    assert "free_cancellation" not in asked(page)


def test_what_no_hotel_of_the_view_on_its_way_has_can_be_chosen_all_the_same(open_page: Open) -> None:
    page = settled(open_page, **WIDE)
    rated, boxes = page.locator("#quick-min_rating"), 'refine-panel input[type="checkbox"]'
    named, start = "all => all.map(one => [one.name, one.value])", page.url
    there = page.locator(f"{boxes}:enabled").evaluate_all(named)
    rated.click()
    answered(page, "min_rating")
    gone = page.locator(f"{boxes}:disabled").evaluate_all(named)
    name, value = next(one for one in gone if one in there)
    page.goto(start)
    answer = held(page)
    with page.expect_request(VIEWS):
        rated.click()
    box = choice(page, name, value)
    box.evaluate(
        "(box) => { for (let one = box; (one = one.closest('details:not([open])')); ) one.open = true; }"
    )
    box.check()
    answer[0].fallback()
    page.wait_for_function("(name) => new URL(location).searchParams.has(name)", arg=name)
    assert value in asked(page)[name]
    assert "min_rating" in asked(page)


def test_nothing_waits_for_an_order_that_comes_by_itself(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full_results, "PATIENCE_SECONDS", -1.0)
    page = open_page("/", **WIDE)
    routes: list[Route] = []
    page.route(VIEWS, lambda route: routes.append(route) if is_order(route) else route.fallback())
    page.goto(search_path("New York"))
    page.wait_for_function("() => document.documentElement.classList.contains('navigating')")
    choice(page, "free_cancellation").check()
    answered(page, "free_cancellation")
    assert len(routes) == 1


def is_order(route: Route) -> bool:
    return route.request.resource_type == "fetch" and "free_cancellation" not in route.request.url


def test_back_and_forth_while_the_list_is_on_its_way_changes_nothing(open_page: Open) -> None:
    page = settled(open_page, **WIDE)
    choice(page, "free_cancellation").check()
    answered(page, "free_cancellation")
    held(page)
    with page.expect_request(VIEWS):
        page.evaluate("history.back()")
    page.evaluate("history.forward()")
    answered(page, "free_cancellation")
    expect(page.locator("html.navigating")).to_have_count(0)
    expect(choice(page, "free_cancellation")).to_be_checked()


def test_a_choice_goes_with_the_page_that_another_one_replaces(open_page: Open) -> None:
    """A list that was empty has no map, so the browser itself goes on to the one that isn't."""
    page = open_page(search_path("Lerwick", pay_later=1, name="no such hotel"), **WIDE)
    expect(page.locator(".empty")).to_be_visible()
    chips = page.locator(".refine-chips__chip--on")
    views, answer = fetched(page), held(page)
    with page.expect_request(VIEWS):
        chips.filter(has_text="no such hotel").click()
    chips.filter(has_not_text="no such hotel").first.click()
    answer[0].fallback()
    expect(page.locator("stay-map")).to_have_count(1)
    assert "name" not in asked(page)
    assert not [one for one in views if "name=" in one]


def test_filters_over_an_empty_list_stay_when_one_is_taken_off(open_page: Open) -> None:
    page = open_page(search_path("Lerwick", name="no such hotel"), **PHONE)
    unfold(page)
    page.locator("refine-panel [data-refine=clear]").click()
    page.wait_for_function("() => !new URL(location).searchParams.has('name')")
    expect(page.locator("dialog")).to_be_visible()
    expect(page.locator("stay-map")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).not_to_be_visible()


def test_filters_close_with_the_last_one_of_a_list_that_is_empty_without_it_too(open_page: Open) -> None:
    page = open_page(search_path("Nowhereville", free_cancellation=1), **PHONE)
    unfold(page)
    page.locator("refine-panel [data-refine=clear]").click()
    expect(page.get_by_role("heading", name="Nothing found for this search")).to_be_visible()
    expect(page.locator("dialog")).not_to_be_visible()


def test_a_limit_that_is_none_is_told(open_page: Open) -> None:
    page = settled(open_page, **WIDE)
    field = page.locator('refine-panel input[name="max_price"]')
    field.fill("0")
    field.press("Tab")
    expect(field).to_be_focused()


def test_what_was_typed_just_before_the_filters_are_closed_is_applied(open_page: Open) -> None:
    """Where a browser doesn't tell of a change when a field moves: chromium would."""
    page = settled(open_page, **PHONE)
    unfold(page)
    page.locator('refine-panel input[name="max_price"]').evaluate(
        "(field) => { field.value = '900'; field.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).not_to_be_visible()
    page.wait_for_url("**max_price=900**")


def test_a_change_is_told_to_those_who_listen(open_page: Open) -> None:
    page = settled(open_page)
    unfold(page)
    choice(page, "free_cancellation").check()
    answered(page, "free_cancellation")
    expect(page.locator("body > p[role=status].visually-hidden")).to_contain_text("match")


def test_another_order_is_told_by_its_name(open_page: Open) -> None:
    page = settled(open_page)
    page.locator(".refine-sort__now").click()
    page.get_by_role("link", name="Most stars").click()
    answered(page, "sort")
    expect(page.locator("body > p[role=status].visually-hidden")).to_contain_text("Sort by Most stars")


def test_the_keyboard_alone_filters_and_sorts(open_page: Open) -> None:
    page = settled(open_page)
    choice(page, "free_cancellation").focus()
    page.keyboard.press("Space")
    answered(page, "free_cancellation")
    page.keyboard.press("Tab")
    expect(choice(page, "pay_later")).to_be_focused()
    page.locator(".refine-sort__now").press("Enter")
    page.get_by_role("link", name="Most stars").press("Enter")
    answered(page, "sort")
    expect(page.locator(".refine-sort__now")).to_be_focused()
    expect(page.locator(".refine-sort__now")).to_contain_text("Most stars")


@pytest.mark.parametrize("size", [(390, 844), (667, 375), (320, 400)])
def test_in_the_sheet_nothing_that_the_keyboard_comes_to_is_covered(
    open_page: Open, size: tuple[int, int]
) -> None:
    page = settled(open_page, search_path(), viewport={"width": size[0], "height": size[1]})
    unfold(page)
    end = page.locator(".filter-sheet .refine-panel__end")
    assert covered_stops(page, end, ".refine-panel__group") == []


def test_beside_the_list_nothing_that_the_keyboard_comes_to_is_covered(open_page: Open) -> None:
    page = settled(open_page, search_path(free_cancellation=1), viewport={"width": 1280, "height": 600})
    end = page.locator(".refine-side .refine-panel__end")
    page.locator(".refine-side .price-range__handle").first.focus()
    assert covered_stops(page, end, ".refine-panel__group", stops=40) == []


@pytest.mark.parametrize(
    ("width", "pressed", "then"),
    [
        (WIDE, ".refine-chips__chip--on", ".refine-chips a"),
        (WIDE, ".results__clear a", ".refine-chips a"),
        (PHONE, "refine-panel [data-refine=clear]", ".refine-panel__show"),
    ],
    ids=["chip", "clear", "clear in the sheet"],
)
def test_the_focus_stays_near_what_is_gone_when_it_was_pressed(
    open_page: Open, width: dict, pressed: str, then: str
) -> None:
    page = settled(open_page, search_path("Lerwick", pay_later=1), **width)
    unfold(page)
    page.locator(pressed).press("Enter")
    page.wait_for_function("() => !new URL(location).searchParams.has('pay_later')")
    expect(page.locator(then).first).to_be_focused()


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
    expect(page.locator(".refine-coverage__reach")).to_contain_text("600")


def test_where_it_never_ends_a_link_leads_on(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(full_results, "PATIENCE_SECONDS", -1.0)
    page = open_page("/", **WIDE)
    told = {"text": "Hotels compared: 100", "compared": 100, "most": 600, "done": False}
    page.route("**/hotels/progress/**", lambda route: route.fulfill(json=told))
    page.goto(search_path("Madrid"))
    again = page.get_by_role("link", name="Refresh for the exact order")
    expect(again).to_have_count(0)
    page.locator("result-progress").evaluate("(progress) => { progress.asked = 59; }")
    expect(again).to_be_visible()
    assert again.evaluate("(link) => getComputedStyle(link).position") == "static"


@pytest.mark.parametrize("done", [False, True])
def test_older_prices_say_from_when_they_are_until_newer_ones_take_their_place(
    open_page: Open, monkeypatch: pytest.MonkeyPatch, done: bool
) -> None:
    page = settled(open_page, **WIDE)
    found = results.refined_page
    monkeypatch.setattr(
        results,
        "refined_page",
        lambda *asked: msgspec.structs.replace(found(*asked), stale=True, newer_coming=True),
    )
    told = {"text": "Hotels compared: 0", "compared": 0, "most": 0, "done": done}
    page.route("**/hotels/progress/**", lambda route: route.fulfill(json=told))
    page.goto("/")
    with page.expect_response("**/hotels/progress/**"):
        page.goto(search_path("Lerwick"))
        page.locator(".results .results__title").click()  # whoever has touched the page keeps its list
    expect(page.get_by_role("button", name="Show the exact order")).to_have_count(int(done))
    age = page.locator("result-progress").get_by_text("newer ones are coming in").first
    expect(age).to_be_visible()


def test_one_press_of_back_leaves_a_list_whose_filters_and_map_were_only_looked_at(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full_results, "PATIENCE_SECONDS", -1.0)
    page = open_page("/", **PHONE)
    page.goto(search_path("New York"))
    expect(page.locator(".results--new")).to_be_visible()
    views = fetched(page)
    unfold(page)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).not_to_be_visible()
    page.locator("[data-map]").click()
    page.locator("stay-map [data-close]").click()
    expect(page.locator("stay-map[open]")).to_have_count(0)
    page.go_back()
    expect(page.locator(".page--results")).to_have_count(0)
    assert views == []


@pytest.mark.parametrize(
    ("opener", "shown", "closer"),
    [
        ("[data-sheet]", "dialog[open]", ".refine-panel__show"),
        ("[data-map]", "stay-map[open]", "stay-map [data-close]"),
    ],
    ids=["filters", "map"],
)
def test_what_is_closed_by_two_quick_presses_leaves_the_list_in_place(
    open_page: Open, opener: str, shown: str, closer: str
) -> None:
    page = open_page("/", **PHONE)
    page.goto(search_path("Lerwick"))
    let_the_list_settle(page)
    for _time in range(2):
        page.locator(opener).first.click()
        expect(page.locator(shown)).to_have_count(1)
        page.locator(closer).evaluate("(one) => { one.click(); one.click(); }")
        expect(page.locator(shown)).to_have_count(0)
        expect(page).not_to_have_url(re.compile("#"))
    expect(page.locator(".listing-card").first).to_be_visible()
    page.go_back()
    assert urlsplit(page.url).path == "/"


def test_the_second_half_of_a_double_press_follows_no_link_beneath(open_page: Open) -> None:
    page = settled(open_page, search_path(), **PHONE)
    page.locator("[data-map]").first.click()
    closer = page.locator("stay-map [data-close]")
    closer.dblclick()
    expect(closer).to_be_hidden()
    expect(page).not_to_have_url(re.compile("#"))
    expect(page).to_have_url(VIEWS)
    link = page.locator(".listing-card__name a").first
    link.dblclick()
    page.wait_for_url(HOTELS)


def test_filters_shown_by_a_reload_can_be_closed_and_opened_again(open_page: Open) -> None:
    page = settled(open_page, **PHONE)
    unfold(page)
    page.reload()
    expect(page.locator("dialog")).to_be_visible()
    page.evaluate("document.querySelector('dialog').close()")  # as a browser does that doesn't ask
    page.wait_for_function("() => !location.hash")
    unfold(page)
    expect(choice(page, "free_cancellation")).to_be_visible()


@pytest.mark.parametrize("touch", ["focus", "scroll", "press"])
def test_someone_who_has_touched_the_page_is_offered_the_exact_order_instead(
    open_page: Open, monkeypatch: pytest.MonkeyPatch, touch: str
) -> None:
    monkeypatch.setattr(full_results, "PATIENCE_SECONDS", -1.0)
    page = open_page("/", **WIDE)
    reading = []
    waiting = {**DONE, "done": False}
    page.route(
        "**/hotels/progress/**",
        lambda route: route.fallback() if reading else route.fulfill(json=waiting),
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
    button = page.get_by_role("status").get_by_role("button", name="Show the exact order")
    expect(button).to_be_visible()
    assert names(page) == before
    button.click()
    expect(page.locator("result-progress")).to_have_count(0)
    expect(page.locator(".refine-chips a").first).to_be_focused()


def test_an_order_that_fails_to_come_by_itself_leaves_the_list_and_is_offered(
    open_page: Open, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full_results, "PATIENCE_SECONDS", -1.0)
    page = open_page("/", **PHONE)

    def fail(route: Route) -> None:
        route.fallback() if route.request.is_navigation_request() else route.abort("internetdisconnected")

    page.route(VIEWS, fail)
    page.goto(search_path("Turin"))
    button = page.get_by_role("button", name="Show the exact order")
    expect(button).to_be_visible()
    expect(page.locator("html")).not_to_have_class("navigating")
    expect(page.locator(".results--new")).to_have_count(0)
    watch.complaints = [one for one in watch.complaints if "ERR_INTERNET_DISCONNECTED" not in one]
    page.unroute(VIEWS)
    button.click()
    expect(page.locator(".results--new")).to_be_visible()


def test_an_order_of_another_view_that_comes_by_itself_has_its_address(open_page: Open) -> None:
    page = settled(open_page, **WIDE)
    page.evaluate(
        """() => {
          const address = `${document.querySelector("refine-panel").dataset.address}&all=1`;
          document.dispatchEvent(new CustomEvent("results-due", { detail: { address } }));
        }"""
    )
    answered(page, "all")
    shown = page.locator("refine-panel").get_attribute("data-address")
    assert page.evaluate("location.pathname + location.search") == shown
    choice(page, "free_cancellation").check()
    answered(page, "free_cancellation")
    page.go_back()
    page.wait_for_function("() => !new URL(location).searchParams.has('free_cancellation')")
    assert asked(page)["all"] == ["1"]


def test_a_change_in_the_sheet_is_told_where_the_rest_of_the_page_is_out_of_reach(open_page: Open) -> None:
    page = settled(open_page, **PHONE)
    unfold(page)
    voice = page.locator("dialog.filter-sheet").get_by_role("status")
    for name in ("free_cancellation", "pay_later"):
        choice(page, name).check()
        answered(page, name)
        expect(voice).to_contain_text("match")
    page.keyboard.press("Escape")
    expect(page.locator("body > p[role=status].visually-hidden")).to_contain_text("match")


def test_a_choice_that_fails_takes_nobody_back_who_has_gone_on(open_page: Open, watch: Watch) -> None:
    watch.expected.add(503)
    page = settled(open_page, **WIDE)
    answer = held(page)
    with page.expect_request(VIEWS):
        choice(page, "free_cancellation").check()
    hotel: list[Route] = []
    page.route(HOTELS, lambda route: hotel.append(route))
    card = page.locator(".listing-card__name a").first
    name, address = card.inner_text(), str(card.get_attribute("href"))
    card.evaluate("(link) => link.click()")  # without the fetch ahead of a press
    until(page, lambda: hotel)
    ended: list[str] = []
    page.on("requestfinished", lambda request: ended.append(request.url))
    answer[0].fulfill(status=503, body="")
    until(page, lambda: any("free_cancellation" in url for url in ended))
    hotel[0].continue_()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    assert page.url.endswith(address)


def test_who_goes_on_before_the_pictures_have_come_is_not_taken_back(open_page: Open) -> None:
    page = settled(open_page, search_path("Barcelona"), **WIDE)
    address = page.url
    card = page.locator(".listing-card__name a").nth(7)
    card.hover()
    card.click()
    page.wait_for_url(HOTELS)
    pictures: list[Route] = []
    shown: list[bool] = []

    def hold(route: Route) -> None:
        waits = route.request.resource_type == "image" and not shown
        pictures.append(route) if waits else route.fallback()

    page.route("**/*", hold)
    page.evaluate("history.back()")
    page.wait_for_url(address, wait_until="domcontentloaded")
    expect(page.locator(".listing-card__name a").nth(7)).to_be_in_viewport()
    until(page, lambda: pictures)
    before = page.evaluate("scrollY")
    page.mouse.wheel(0, -before)
    page.wait_for_function("() => scrollY === 0")
    shown.append(True)
    for picture in pictures:
        picture.fallback()
    page.wait_for_load_state("load")
    drawn(page)
    assert page.evaluate("scrollY") == 0


def test_text_that_is_marked_beyond_the_sheet_leaves_it_open(open_page: Open) -> None:
    page = settled(open_page, viewport={"width": 900, "height": 800})
    unfold(page)
    field = page.locator('refine-panel input[name="name"]')
    field.fill("Hotel")
    answered(page, "name")
    box = field.bounding_box()
    assert box
    page.mouse.move(box["x"] + 40, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(20, box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()
    drawn(page)
    expect(page.locator("dialog.filter-sheet")).to_be_visible()
    page.mouse.click(20, box["y"])
    expect(page.locator("dialog.filter-sheet")).to_be_hidden()


def test_what_is_chosen_in_the_bar_while_an_answer_is_on_its_way_stays(open_page: Open) -> None:
    page = settled(open_page, **WIDE)
    answer = held(page)
    with page.expect_request(VIEWS):
        choice(page, "free_cancellation").check()
    page.locator(".search-bar__summary").click()
    page.locator(".search-form__toggle").click()
    page.locator("#currency").select_option("USD")
    page.locator(".star-choice [value='4']").check()
    answer[0].fallback()
    answered(page, "free_cancellation")
    expect(page.locator("#currency")).to_have_value("USD")
    expect(page.locator(".star-choice [value='4']")).to_be_focused()
    page.locator(".search-form__submit").click()
    page.wait_for_url("**currency=USD**")
    assert (asked(page)["stars"], asked(page)["free_cancellation"]) == (["4"], ["1"])


def test_what_was_chosen_before_the_script_came_is_applied_when_it_comes(open_page: Open) -> None:
    page = open_page("/", **WIDE)
    script: list[Route] = []
    page.route("**/refine-panel*.js", lambda route: script.append(route))
    page.goto(search_path("Lerwick"), wait_until="commit")
    choice(page, "free_cancellation").check()
    until(page, lambda: script)
    script[0].continue_()
    answered(page, "free_cancellation")
    expect(choice(page, "free_cancellation")).to_be_checked()


def test_a_choice_that_was_not_answered_is_none_when_one_comes_back(open_page: Open) -> None:
    page = settled(open_page, **WIDE)
    held(page)
    with page.expect_request(VIEWS):
        choice(page, "free_cancellation").check()
    page.goto("/")
    page.go_back()
    expect(page.locator(".listing-card").first).to_be_visible()
    assert "free_cancellation" not in asked(page)
    expect(choice(page, "free_cancellation")).not_to_be_checked()


def grip(page: Page, handle: str) -> tuple[float, float]:
    """The middle of a price handle at the right end of its line."""
    box = page.locator(handle).bounding_box()
    assert box
    return box["x"] + box["width"] - 12, box["y"] + box["height"] / 2


def test_a_price_handle_drawn_to_the_other_end_can_be_drawn_back(open_page: Open) -> None:
    page = settled(open_page, **WIDE)
    page.locator("#price-0").press("End")
    answered(page, "min_price")
    most = asked(page)["min_price"]
    x, y = grip(page, "#price-0")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 90, y)
    page.mouse.up()
    page.wait_for_function("(most) => new URL(location).searchParams.get('min_price') !== most", arg=most[0])
    assert float(asked(page)["min_price"][0]) < float(most[0])


def test_price_limits_leave_something_whichever_way_they_are_given(open_page: Open) -> None:
    page = settled(open_page, **WIDE)
    high = page.locator("#price-1")
    start, step = (float(str(high.get_attribute(name))) for name in ("min", "step"))
    high.press("Home")
    answered(page, "max_price")
    assert float(asked(page)["max_price"][0]) == start + step
    expect(page.locator(".listing-card").first).to_be_visible()
    page.locator("refine-panel [name=min_price]").fill("500")
    page.locator("refine-panel [name=min_price]").press("Enter")
    answered(page, "min_price")
    assert (asked(page)["min_price"], asked(page)["max_price"]) == ([f"{start + step:g}"], ["500"])
    handles = [float(page.locator(f"#price-{side}").input_value()) for side in range(2)]
    assert handles == sorted(handles)


def test_a_price_handle_stays_in_the_hand_while_an_answer_comes(open_page: Open) -> None:
    page = settled(open_page, search_path("Barcelona"), **WIDE)
    answer = held(page)
    with page.expect_request(VIEWS):
        page.locator("#price-0").press("ArrowRight")
    high = page.locator("#price-1")
    x, y = grip(page, "#price-1")
    page.mouse.move(x, y)
    page.mouse.down()
    ended: list[str] = []
    for event in ("requestfinished", "requestfailed"):
        page.on(event, lambda request: ended.append(request.url))
    page.mouse.move(x - 60, y)
    before = float(high.input_value())
    with contextlib.suppress(Error):  # it was called off
        answer[0].fallback()
    until(page, lambda: any("min_price" in url for url in ended))
    page.mouse.move(x - 120, y)
    limit = high.input_value()
    assert float(limit) < before
    page.mouse.up()
    answered(page, "max_price")
    assert asked(page)["max_price"] == [limit]
    assert "min_price" in asked(page)


def test_a_choice_is_applied_although_a_price_handle_was_moved_and_put_back_meanwhile(
    open_page: Open,
) -> None:
    page = settled(open_page, **WIDE)
    held(page)
    with page.expect_request(VIEWS):
        choice(page, "free_cancellation").check()
    x, y = grip(page, "#price-1")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y)
    page.mouse.move(x, y)
    page.mouse.up()
    answered(page, "free_cancellation")
    assert "max_price" not in asked(page)


def test_other_dates_of_a_list_that_another_one_replaced_stay_away(open_page: Open, watch: Watch) -> None:
    watch.expected.add(503)
    page = settled(open_page, **WIDE)
    dates: list[Route] = []
    page.route("**/hotels/dates/**", lambda route: dates.append(route))
    with page.expect_request("**/hotels/dates/**"):
        page.get_by_role("button", name="Other dates").click()
    choice(page, "free_cancellation").check()
    answered(page, "free_cancellation")
    with page.expect_response("**/hotels/dates/**"):
        dates[0].fulfill(status=503)
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    page.unroute("**/hotels/dates/**")
    page.get_by_role("button", name="Other dates").click()
    expect(page.get_by_role("region", name="Other dates")).to_be_visible()
    assert "free_cancellation" in asked(page)


def test_other_dates_that_come_late_take_nobody_back_who_has_gone_on(open_page: Open) -> None:
    page = settled(open_page, search_path(), **WIDE)
    dates: list[Route] = []
    page.route("**/hotels/dates/**", lambda route: dates.append(route))
    with page.expect_request("**/hotels/dates/**"):
        page.get_by_role("button", name="Other dates").click()
    tick = page.locator(".listing-card input[name=stay]").nth(6)
    tick.check()
    before = tick.evaluate(TOP)
    dates[0].continue_()
    expect(page.locator("#other-dates")).to_be_attached()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert tick.evaluate(TOP) == pytest.approx(before, abs=1)
    expect(tick).to_be_focused()


def test_other_dates_that_hang_are_left_to_the_browser(open_page: Open) -> None:
    page = settled(open_page, **WIDE)
    page.evaluate("""() => {
        const within = AbortSignal.timeout.bind(AbortSignal);
        AbortSignal.timeout = () => within(100);
    }""")
    hang: list[Route] = []
    page.route(
        "**/hotels/dates/**",
        lambda route: route.continue_() if route.request.is_navigation_request() else hang.append(route),
    )
    page.get_by_role("button", name="Other dates").click()
    expect(page).to_have_url(re.compile("/hotels/dates/"))
    assert hang


@widths
def test_no_accessibility_complaint_with_filters_open_and_in_force(open_page: Open, width: dict) -> None:
    page = settled(open_page, search_path("Lerwick", free_cancellation=1, stars=[3, 4]), **width)
    unfold(page)
    assert not violations(page)
    page.goto(search_path("Lerwick", max_price=1))
    assert not violations(page)


@widths
def test_filters_stay_when_the_dates_are_changed_in_the_bar(open_page: Open, width: dict) -> None:
    page = settled(open_page, **width)
    unfold(page)
    choice(page, "free_cancellation").check()
    answered(page, "free_cancellation")
    choice(page, "stars", "4").check()
    answered(page, "stars")
    if page.locator("dialog.filter-sheet").is_visible():
        page.go_back()
        expect(page.locator("dialog.filter-sheet")).not_to_be_visible()
    page.locator(".search-bar__summary").click()
    page.locator("#guests").select_option("1")
    page.locator(".search-form__submit").click()
    page.wait_for_function("() => new URL(location).searchParams.get('guests') === '1'")
    assert (asked(page)["free_cancellation"], asked(page)["stars"]) == (["1"], ["4"])
    expect(page.get_by_role("link", name="Remove filter: Free cancellation")).to_be_visible()


def test_escape_closes_a_menu_that_was_left_and_leaves_the_focus_where_it_is(open_page: Open) -> None:
    page = open_page(search_path(sort="provider"))
    page.locator(".refine-sort__now").press("Enter")
    expect(page.locator(".refine-sort")).to_have_attribute("open", "")
    link = page.locator(".listing-card__name a").first
    link.focus()
    page.keyboard.press("Escape")
    expect(page.locator(".refine-sort[open]")).to_have_count(0)
    expect(link).to_be_focused()
