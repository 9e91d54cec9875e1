"""Looks that hold for everybody: a palette of one's own, words of any length, a price in the first screen."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils.timezone import localdate
from playwright.sync_api import Page, expect

from .conftest import first_property, let_the_list_settle, search_path

WIDER_THAN_THE_SCREEN = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"


def test_with_own_colours_the_chosen_order_stands_out(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path(), forced_colors="active")
    let_the_list_settle(page)
    outlines = "all => all.map(one => getComputedStyle(one).outlineStyle)"
    assert page.locator(".refine-sort__order[aria-current]").evaluate_all(outlines) == ["solid"]
    assert set(page.locator(".refine-sort__order:not([aria-current])").evaluate_all(outlines)) == {"none"}


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800), (1920, 1080), (1000, 800)])
def test_picture_name_rating_and_total_are_in_sight(
    open_page: Callable[..., Page], width: int, height: int
) -> None:
    page = open_page(search_path(sort="provider"), viewport={"width": width, "height": height})
    page.goto(first_property(page))
    for part in (".property__name", ".property__kind .rating", ".ladder__price"):
        box = page.locator(part).first.bounding_box()
        assert box is not None, part
        assert box["y"] + box["height"] < height, part
    photo, name = page.evaluate(TOPS, [".gallery__link", ".property__name"])
    assert photo < name


# The upper edge of the first of each of these.
TOPS = "(all) => all.map((one) => document.querySelector(one).getBoundingClientRect().top)"
# Texts in the first screen that are an amount of money and nothing more.
TOTALS = """() => [...document.querySelectorAll("body *")].filter((one) => !one.children.length
  && /^€[\\d.,]+$/.test(one.textContent.trim()) && one.checkVisibility({ visibilityProperty: true })
  && one.getBoundingClientRect().top < innerHeight).map((one) => one.textContent)"""


def test_a_phone_shows_picture_one_total_and_one_button(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path(sort="provider"), viewport={"width": 390, "height": 844})
    page.goto(first_property(page))
    photo = page.locator(".gallery__link").first.bounding_box()
    assert photo is not None
    assert photo["y"] < 160
    assert (photo["x"], photo["width"]) == (0, 390)
    for action in (".property__back a", ".keep", "share-sheet button"):
        box = page.locator(".property__bar").locator(action).bounding_box()
        assert box is not None
        assert photo["y"] < box["y"]
        assert box["y"] + box["height"] < photo["y"] + photo["height"]
    (total,) = page.evaluate(TOTALS)
    (button,) = [
        one for one in page.locator(".button--primary:visible").all() if one.bounding_box()["y"] < 844
    ]
    expect(button).to_have_text(re.compile(rf"^See \d offers · from {re.escape(total)}$"))
    expect(button).to_be_in_viewport(ratio=1)
    page.get_by_role("link", name="Map", exact=True).click()
    expect(page.locator(".property__map .map-pin")).to_be_in_viewport()
    expect(page.locator(".property__map .map-sign--centre")).to_be_in_viewport()


def test_the_button_at_the_lower_edge_makes_way(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path(sort="provider"), viewport={"width": 390, "height": 844})
    page.goto(first_property(page))
    bar = page.locator(".stay-bar")
    for part in (".stay-box", ".offer-table", "#facilities", ".stay-box"):
        page.locator(part).evaluate("(one) => one.scrollIntoView()")
        expect(bar).to_be_visible(visible=part == "#facilities")
    page.locator("#facilities").evaluate("(one) => one.scrollIntoView()")
    bar.get_by_role("link").click()
    expect(page.locator("#offers")).to_be_in_viewport()
    expect(bar).to_be_hidden()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.locator(".site-footer").scroll_into_view_if_needed()
    expect(bar).to_be_hidden()


# What the keyboard comes to in the text of a hotel's page and finds behind the total at the lower edge.
FOCUSED_BEHIND_THE_BAR = """() => {
  const bar = document.querySelector(".stay-bar");
  return [...document.querySelectorAll("main a, main button, main summary, main input")].filter((one) => {
    if (bar.contains(one)) return false;
    one.focus();
    const { top, bottom } = one.getBoundingClientRect(), { y, height } = bar.getBoundingClientRect();
    return document.activeElement === one && Math.min(bottom, y + height) - Math.max(top, y) > 1;
  }).map((one) => one.textContent.trim() || one.className);
}"""


@pytest.mark.parametrize("market", ["en-gb", "de-de"])
def test_nothing_focused_is_behind_the_total_at_the_lower_edge(
    open_page: Callable[..., Page], market: str
) -> None:
    page = open_page(search_path(market=market, sort="provider"), viewport={"width": 390, "height": 844})
    page.goto(first_property(page))
    assert page.evaluate(FOCUSED_BEHIND_THE_BAR) == []


# The lines of an element's text, as they are seen.
LINES = """(element) => {
  const text = element.firstChild, lines = new Map(), range = document.createRange();
  for (let at = 0; at < text.length; at++) {
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    const { top } = range.getBoundingClientRect();
    lines.set(top, (lines.get(top) ?? "") + text.data[at]);
  }
  return [...lines.values()].map((line) => line.trim());
}"""


@pytest.mark.parametrize("market", ["en-gb", "de-de", "fr-fr", "pl-pl", "es-es"])
@pytest.mark.parametrize("width", [390, 1280])
def test_no_line_ends_between_a_number_and_what_it_counts(
    open_page: Callable[..., Page], market: str, width: int
) -> None:
    page = open_page(search_path(market=market, guests=4), viewport={"width": width, "height": 844})
    page.goto(first_property(page))
    lines = page.locator(".stay-box__stay").evaluate(LINES)
    assert " ".join(lines).count("·") == 2
    assert not [line for line in lines[:-1] if not line.endswith("·")], lines


@pytest.mark.parametrize("place", ["Barcelona", "London"])
def test_a_property_prints_on_one_sheet(open_page: Callable[..., Page], place: str) -> None:
    page = open_page(search_path(place, sort="provider"), viewport={"width": 1280, "height": 800})
    page.goto(first_property(page))
    margins = dict.fromkeys(("top", "right", "bottom", "left"), "1cm")
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4", margin=margins))) == 1


# Longer than a sheet.
LONG_DESCRIPTION = "(one) => { one.textContent = 'The house stands in a quiet street.\\n'.repeat(120); }"


def test_a_printed_property_has_its_whole_description(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path(sort="provider"), viewport={"width": 718, "height": 1000})
    page.goto(first_property(page))
    page.emulate_media(media="print")
    about = page.locator("#about + .prose")
    about.evaluate(LONG_DESCRIPTION)
    assert about.evaluate("(one) => one.scrollHeight === one.clientHeight")


def test_paper_holds_nothing_that_can_only_be_pressed(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path(sort="provider"))
    page.emulate_media(media="print")
    assert page.locator(".listing-card").first.is_visible()
    assert page.locator(".refine-sort:visible, .offers__summary:visible, .button:visible").count() == 0


# The totals that reach beyond the text's edge of the card or box that they stand in.
BEYOND_THEIR_BOX = """() =>
  [...document.querySelectorAll(
    ".price__total strong, .ladder__price, .stay-box .button, .dates__total",
  )].filter((one) => {
    const box = one.closest(".listing-card, .stay-box, .dates__day, .dates__rows td").getBoundingClientRect();
    const { left, right } = one.getBoundingClientRect();
    return left < box.left + 8 || right > box.right - 8;
  }).map((one) => one.textContent)"""


def dear_results(open_page: Callable[..., Page], width: int, **filters: object) -> Page:
    """Results whose totals have as many digits as any."""
    checkout = localdate() + timedelta(days=21 + 27)
    dear = {"guests": 8, "stars": 5, "currency": "HUF", "checkout": checkout, **filters}
    page = open_page(search_path("Warsaw", **dear), viewport={"width": width, "height": 900})
    let_the_list_settle(page)
    return page


@pytest.mark.parametrize("width", [320, 640, 768, 1000, 1280])
def test_a_total_of_many_digits_stays_in_its_card_and_its_ladder(
    open_page: Callable[..., Page], width: int
) -> None:
    page = dear_results(open_page, width, min_price=3_000_000)
    assert re.match(r"HUF\s\d,\d{3},\d{3}\.\d\d$", page.locator(".price__total strong").first.inner_text())
    assert page.evaluate(BEYOND_THEIR_BOX) == []
    page.goto(first_property(page))
    expect(page.locator(".ladder__price").first).to_contain_text("HUF")
    assert page.evaluate(BEYOND_THEIR_BOX) == []
    page.goto(page.url.replace("market=en-gb", "market=de-de"))
    expect(page.locator(".stay-bar")).to_contain_text("ansehen · ab")
    assert not page.evaluate(WIDER_THAN_THE_SCREEN)


# The words of the elements that are broken within or reach beyond their box.
BROKEN_TOTALS = """(selector) => [...document.querySelectorAll(selector)].filter((one) => {
  const text = document.createRange();
  text.selectNodeContents(one);
  const lines = new Set([...text.getClientRects()].map((line) => Math.round(line.top)));
  return one.scrollWidth > one.clientWidth + 1 || lines.size > one.textContent.trim().split(" ").length;
}).map((one) => one.textContent)"""
