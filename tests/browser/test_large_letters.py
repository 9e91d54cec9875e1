"""Letters of twice their size on a phone: nothing is broken, cut off, hidden or left small."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.languages.conftest import MARKETS

from .conftest import first_property, let_the_list_settle, search_path
from .test_every_page import TOO_WIDE

PHONE = {"width": 390, "height": 844}
# The words of headings that don't stand in one line.
BROKEN_HEADINGS = """() => [...document.querySelectorAll("h1, h2, h3")].flatMap((heading) => {
  const words = [], range = document.createRange();
  const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    for (const { 0: word, index } of texts.currentNode.data.matchAll(/[^\\s-]+/gu)) {
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      const parts = [...range.getClientRects()].filter(({ width }) => width);
      if (new Set(parts.map(({ top }) => Math.round(top))).size > 1) words.push(word);
    }
  }
  return words;
})"""


@pytest.fixture
def phone(large_letters: Browser, live_server: Any) -> Page:
    return large_letters.new_page(base_url=live_server.url, viewport=PHONE)


@pytest.mark.parametrize("market", MARKETS.values())
def test_pages_fit_and_no_word_of_a_heading_is_broken(phone: Page, market: str) -> None:
    phone.goto(search_path(market=market))
    for path in (search_path(market=market), first_property(phone), f"/?market={market}"):
        phone.goto(path)
        assert phone.evaluate(TOO_WIDE) <= 0, path
        assert phone.evaluate(BROKEN_HEADINGS) == [], path


def test_the_name_of_a_card_is_whole(phone: Page) -> None:
    phone.goto(search_path(market="de-de"))
    let_the_list_settle(phone)
    for name in ("Hotel Don Quijote Barcelona", "Ferienwohnungen am Hauptbahnhof"):
        link = phone.locator(".listing-card__name a").first
        link.evaluate("(one, name) => { one.textContent = name; }", name)
        assert phone.evaluate(BROKEN_HEADINGS) == []
        assert link.evaluate("(one) => one.scrollHeight <= one.clientHeight"), name


def test_the_name_of_a_property_is_broken_between_its_words(phone: Page) -> None:
    phone.goto(search_path(market="de-de"))
    phone.goto(first_property(phone))
    for name in ("Hotel Don Quijote Barcelona", "Ferienwohnungen am Hauptbahnhof"):
        phone.locator("h1").evaluate("(one, name) => { one.textContent = name; }", name)
        assert phone.evaluate(BROKEN_HEADINGS) == []


def test_address_and_distance_of_a_card_are_whole(phone: Page) -> None:
    phone.goto(search_path())
    let_the_list_settle(phone)
    cut = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    assert phone.locator(".listing-card__place, .listing-card__distance").evaluate_all(cut) == []


def test_the_total_at_the_lower_edge_leaves_the_screen(phone: Page) -> None:
    phone.goto(search_path())
    phone.goto(first_property(phone))
    phone.locator("#facilities").evaluate("(one) => one.scrollIntoView()")
    bar = phone.locator(".stay-bar").bounding_box()
    assert bar
    assert bar["y"] > PHONE["height"]
