"""What is chosen, typed or left while another view of the results is still on its way."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch, hold_back, let_the_list_settle, search_path, sort_by, until
from tests.browser.refining import HOTELS, VIEWS, WIDE, Open, answered, asked, choice, fetched, held, settled

NAMES_SHOWN = """() => {
  window.namesShown = [];
  const tell = () => namesShown.push(document.querySelector("refine-panel [name=name]").value);
  document.addEventListener("results-shown", tell);
}"""


def test_letters_typed_in_flight_stay_and_are_applied(open_page: Open) -> None:
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


def test_a_word_that_is_composed_is_applied_when_whole(open_page: Open) -> None:
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
def test_a_choice_in_flight_undoes_nothing(
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


def test_back_and_forth_in_flight_changes_nothing(open_page: Open) -> None:
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


def test_a_choice_before_the_script_came_is_applied(open_page: Open) -> None:
    page = open_page("/", **WIDE)
    script = hold_back(page, "**/refine-panel*.js")
    page.goto(search_path("Lerwick"), wait_until="commit")
    choice(page, "free_cancellation").check()
    until(page, lambda: script)
    script[0].continue_()
    answered(page, "free_cancellation")
    expect(choice(page, "free_cancellation")).to_be_checked()
