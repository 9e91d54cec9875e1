"""What is chosen, typed or left while another view of the results is still on its way."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from search.results import full_results
from tests.browser.conftest import Watch, drawn, hold_back, let_the_list_settle, search_path, sort_by, until
from tests.browser.refining import (
    HOTELS,
    VIEWS,
    WIDE,
    Open,
    answered,
    asked,
    choice,
    fetched,
    goes_on_while_it_fails,
    held,
    held_order,
    settled,
)

NAMES_SHOWN = """() => {
  window.namesShown = [];
  const tell = () => namesShown.push(document.querySelector("refine-panel [name=name]").value);
  document.addEventListener("results-shown", tell);
}"""
TOP = "(one) => one.getBoundingClientRect().top"


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
    routes = held_order(page, search_path("New York"))
    choice(page, "free_cancellation").check()
    answered(page, "free_cancellation")
    assert len(routes) == 1


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


def test_a_choice_that_fails_takes_nobody_back_who_has_gone_on(open_page: Open, watch: Watch) -> None:
    watch.expected.add(503)
    page = settled(open_page, **WIDE)
    answer = held(page)
    with page.expect_request(VIEWS):
        choice(page, "free_cancellation").check()
    hotel = hold_back(page, HOTELS)
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
    script = hold_back(page, "**/refine-panel*.js")
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


def test_other_dates_of_a_list_that_another_one_replaced_stay_away(open_page: Open, watch: Watch) -> None:
    watch.expected.add(503)
    page = settled(open_page, **WIDE)
    dates = hold_back(page, "**/hotels/dates/**")
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
    dates = hold_back(page, "**/hotels/dates/**")
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


def test_other_dates_that_fail_take_nobody_back_who_has_gone_on(open_page: Open, watch: Watch) -> None:
    watch.expected.add(503)
    page = settled(open_page, search_path(), **WIDE)
    goes_on_while_it_fails(page, page.get_by_role("button", name="Other dates"), "**/hotels/dates/**")


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
