"""What is chosen, typed or left while another view of the results is still on its way."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import hold_back, let_the_list_settle, search_path, sort_by, until
from tests.browser.refining import VIEWS, WIDE, Open, answered, asked, choice, fetched, held, settled

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


def test_a_choice_before_the_script_came_is_applied(open_page: Open) -> None:
    page = open_page("/", **WIDE)
    script = hold_back(page, "**/refine-panel*.js")
    page.goto(search_path("Lerwick"), wait_until="commit")
    choice(page, "free_cancellation").check()
    until(page, lambda: script)
    script[0].continue_()
    answered(page, "free_cancellation")
    expect(choice(page, "free_cancellation")).to_be_checked()
