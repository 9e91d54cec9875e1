"""What visitors come for, in presses and in time: a filtered hotel, another currency, filters on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Locator, Page, expect

from .conftest import let_the_list_settle, search_path
from .test_sharing import colleague  # noqa: F401

Open = Callable[..., Page]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
SLOWER = 4
# Returns when the filters have been drawn.
OPEN_THE_FILTERS = """() => new Promise((done) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => done();
  document.querySelector("[data-sheet]").click();
  requestAnimationFrame(() => port2.postMessage(null));
})"""


def at_work(tools: CDPSession) -> float:
    """The milliseconds of a processor that the page's thread has taken so far."""
    metrics = tools.send("Performance.getMetrics")["metrics"]
    return 1_000 * float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))


def test_on_a_phone_four_times_slower_filters_open_in_200_ms(open_page: Open) -> None:
    """By the processor's own time: a slowed-down page waits for other work on this machine, too."""
    page = open_page(search_path(), **PHONE)
    let_the_list_settle(page)
    page.wait_for_load_state("networkidle")
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = at_work(tools)
    page.evaluate(OPEN_THE_FILTERS)
    assert 0 < SLOWER * (at_work(tools) - before) < 200
    expect(page.get_by_role("dialog", name="Filters")).to_be_visible()


class Hand:
    """Presses, and counts them."""

    def __init__(self) -> None:
        self.presses = 0

    def press(self, target: Locator) -> None:
        target.click()
        self.presses += 1


def test_a_hotel_in_rome_as_wished_takes_ten_presses_at_most(open_page: Open) -> None:
    """Under 150 a night, cancelled free of charge, within 2 km of the centre, for a weekend."""
    page, hand = open_page("/?market=de-de", viewport={"width": 1280, "height": 900}), Hand()
    hand.press(page.locator("#place"))
    page.keyboard.type("Rom")
    hand.press(page.get_by_role("listbox").get_by_role("option", name=re.compile("^Rom")).first)
    hand.press(page.locator("[data-weekend='7']"))
    hand.press(page.locator(".search-form__submit"))
    let_the_list_settle(page)
    hand.press(page.locator(".refine-panel__unit").nth(1))
    page.wait_for_url("**per_night=1**")
    hand.press(page.locator("refine-panel [name=max_price]"))
    page.keyboard.type("150")
    page.wait_for_url("**max_price=150**")
    hand.press(page.locator("#quick-free_cancellation"))
    page.wait_for_url("**free_cancellation=1**")
    hand.press(page.locator("refine-panel [name=max_km][value='2']"))
    page.wait_for_url("**max_km=2**")
    assert hand.presses <= 10
    expect(page.get_by_role("heading", level=1)).to_contain_text("Rom")
    expect(page.locator(".refine-chips__chip--on")).to_have_count(3)
    expect(page.locator(".price__promise--good").first).to_be_visible()


def test_three_hotels_are_sent_to_a_client_in_five_presses(colleague: Page) -> None:  # noqa: F811
    hand = Hand()
    colleague.goto(search_path("Porto"))
    let_the_list_settle(colleague)
    for number in range(3):
        hand.press(colleague.locator(".listing-card .keep").nth(number))
    hand.press(colleague.locator(".tray").get_by_role("link", name="Share"))
    hand.press(colleague.get_by_role("button", name="Make a link"))
    expect(colleague.locator("input[value*='/s/']")).to_be_visible()
    assert hand.presses <= 5


def test_another_currency_takes_two_presses_and_stays_at_home(open_page: Open) -> None:
    page, hand = open_page(search_path("Lerwick")), Hand()
    let_the_list_settle(page)
    hand.press(page.locator(".view-choice"))
    hand.press(page.locator(".market-choice__one", has_text="USD"))
    page.wait_for_url("**currency=USD**")
    let_the_list_settle(page)
    expect(page.locator(".price__total strong").first).to_contain_text("US$")
    assert hand.presses == 2
    page.locator(".site-header__name").click()
    expect(page.locator(".view-choice")).to_contain_text("USD")


@pytest.mark.parametrize("device", [PHONE, {"viewport": {"width": 1280, "height": 900}}])
def test_a_page_of_results_says_compare_six_times_at_most(open_page: Open, device: dict[str, Any]) -> None:
    page = open_page(search_path(), **device)
    let_the_list_settle(page)
    page.locator(".listing-card .keep").first.click()
    expect(page.locator(".tray")).to_be_visible()
    assert len(re.findall("compar", page.locator("body").inner_text(), re.IGNORECASE)) <= 6
