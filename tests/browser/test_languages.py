"""Every language on a phone: longer words must fit where English ones do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.languages.conftest import MARKETS

from .conftest import Watch, first_property, let_the_list_settle, search_path, sort_by, violations
from .test_every_page import OVERLAPS, TOO_WIDE
from .test_looks import BROKEN_TOTALS

FOLDS = ".search-bar__fold, .search-form__more, .refine-sort, .refine-panel__more, .offers"
# Words that are cut off, or run out of the box that is theirs.
CUT_OFF = """() => [...document.querySelectorAll("button, .button, h1, h2, h3, label, summary, th, a")]
  .filter((one) => one.clientWidth && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => !one.closest(".visually-hidden, .skip-link, .listing-card__photos"))
  .map((one) => `${one.className || one.tagName}: ${one.textContent.trim().slice(0, 60)}`)"""

# What is chosen in lists that are narrower than they would be for it alone.
CUT_OFF_CHOICES = """() => [...document.querySelectorAll("select")].filter((one) => {
  if (!one.checkVisibility()) return false;
  const free = one.cloneNode();
  free.append(new Option(one.selectedOptions[0].text));
  free.style.inlineSize = "max-content";
  one.parentElement.append(free);
  const { width } = free.getBoundingClientRect();
  free.remove();
  return width > one.getBoundingClientRect().width + 1;
}).map((one) => `${one.name}: ${one.selectedOptions[0].text}`)"""
# The nights beside the name of check-out, where they are hidden since they have no room.
NIGHTS_LEFT_OUT = """() => [...document.querySelectorAll(".date-range__said")].filter((one) =>
  one.lastElementChild.getBoundingClientRect().top >= one.getBoundingClientRect().bottom - 1
).map((one) => one.textContent)"""
# Parts of the search form with more in them than they have room for.
SQUEEZED = """() => [...document.querySelectorAll(".search-form, .date-range")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.className)"""


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("market", MARKETS.values())
def test_the_words_of_every_language_fit(
    open_page: Callable[..., Page], watch: Watch, market: str, width: int
) -> None:
    watch.expected |= {400}
    page = open_page(search_path(market=market), viewport={"width": width, "height": 844})
    paths = {
        "results": search_path(market=market),
        "property": first_property(page),
        "home": f"/?market={market}",
        "errors": search_path(market=market, checkout="2020-01-01"),
        "destinations": f"/destinations/?theme=SEA&market={market}",
    }
    for name, path in paths.items():
        page.goto(path)
        for fold in page.locator(FOLDS).all()[:6]:
            fold.evaluate("one => { one.open = true; }")
        assert page.evaluate(TOO_WIDE) <= 0, f"{name} scrolls sideways"
        assert page.evaluate(OVERLAPS) == [], name
        assert page.evaluate(CUT_OFF) == [], name
        assert page.evaluate(CUT_OFF_CHOICES) == [], name


@pytest.mark.parametrize("market", MARKETS.values())
def test_the_search_form_has_room_for_its_words(open_page: Callable[..., Page], market: str) -> None:
    page = open_page(f"/?market={market}")
    for path in (page.url, search_path(market=market)):
        page.goto(path)
        for fold in page.locator(".search-bar__fold").all():
            fold.evaluate("one => { one.open = true; }")
        for width in (768, 1000, 1024, 1120, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            for look in (SQUEEZED, OVERLAPS, CUT_OFF, CUT_OFF_CHOICES):
                assert page.evaluate(look) == [], (path, width)
            assert page.evaluate(BROKEN_TOTALS, ".search-form__submit span") == [], (path, width)
        assert page.evaluate(NIGHTS_LEFT_OUT) == [], path


def test_after_a_filter_other_languages_show_the_filtered_list(
    open_page: Callable[..., Page], watch: Watch
) -> None:
    page = open_page(search_path(market="de-de"), viewport={"width": 1280, "height": 900})
    let_the_list_settle(page)
    sort_by(page, "Meiste Sterne")
    page.wait_for_url("**sort=stars**")
    page.locator(".view-choice").click()
    page.locator(".market-choice__one[lang=fr]").click()
    page.wait_for_url("**market=fr-fr**")
    assert "sort=stars" in page.url
    assert page.locator("html").get_attribute("lang") == "fr"
    expect(page.locator(".refine-sort__now")).to_contain_text("plus d\u2019étoiles")


def test_the_currency_is_changed_in_two_clicks(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path(min_rating=7, max_price=9000), viewport={"width": 390, "height": 844})
    opener = page.get_by_role("button", name="EUR · English")
    opener.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="EUR – Euro")).to_be_focused()
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.locator(".market-choice")).to_be_hidden()
    expect(opener).to_be_focused()
    opener.click()
    page.get_by_role("link", name="GBP – British Pound").click()
    expect(page.locator(".price__total").first).to_contain_text("£")
    assert "min_rating=7" in page.url
    expect(page.get_by_role("button", name="GBP · English")).to_be_visible()
    expect(page.locator(".refine-chips__chip--on")).to_have_count(1)


def test_currency_and_language_are_chosen_without_scripts(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path("Lerwick"), java_script_enabled=False)
    page.get_by_role("button", name="EUR · English").click()
    page.get_by_role("link", name="Deutsch (Deutschland)").click()
    page.get_by_role("button", name="EUR · Deutsch").click()
    page.get_by_role("link", name="PLN").click()
    expect(page.locator(".price__total").first).to_contain_text("PLN")
    expect(page.locator("html")).to_have_attribute("lang", "de")
