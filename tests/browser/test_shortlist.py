"""Hotels kept by their hearts: in this browser, in an address, and where a browser keeps nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Page, expect

from search.domain import process
from tests.wire import forget

from .conftest import let_the_list_settle, search_path
from .test_accessibility import complaints_of
from .test_every_page import TOO_WIDE

Open = Callable[..., Page]
HEARTS = ".listing-card .keep"
COUNT = "[data-shortlist] [data-count]"
REFUSED = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("refused", "SecurityError"); }
});"""
FULL = """const real = Storage.prototype.setItem;
Storage.prototype.setItem = function (key, value) {
  if (key === "shortlist") throw new DOMException("full", "QuotaExceededError");
  real.call(this, key, value);
};"""


def listed(open_page: Open, place: str = "Porto", **options: Any) -> Page:
    page = open_page(search_path(place), **options)
    let_the_list_settle(page)
    return page


def kept(page: Page, *numbers: int) -> list[str]:
    """Presses the hearts of the cards of these numbers (from 0) and returns their hotels' names."""
    for number in numbers:
        heart = page.locator(HEARTS).nth(number)
        heart.click()
        expect(heart).to_have_attribute("aria-pressed", "true")
    return [page.locator(".listing-card__name").nth(number).inner_text() for number in numbers]


def entry(number: int, **changes: Any) -> dict[str, Any]:
    """What a browser keeps of a hotel."""
    search = search_path("Porto").partition("?")[2]
    plain = {"stay": f"HB/{number}", "search": search, "name": f"Kept {number}", "total": "€1.00"}
    return {**plain, "day": "2026-01-02", **changes}


def store(page: Page, content: Any) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    page.evaluate("(text) => localStorage.setItem('shortlist', text)", text)


def test_hotels_of_two_cities_are_kept_listed_and_sent_on(open_page: Open, settings: Any) -> None:
    page = listed(open_page)
    names = kept(page, 0, 2)
    page.goto(search_path("Lisbon"))
    let_the_list_settle(page)
    names = kept(page, 1) + names[::-1]
    expect(page.locator(COUNT)).to_have_text("3")
    page.locator("[data-shortlist]").click()
    expect(page.locator(".listing-card__name")).to_have_text(names)
    expect(page.locator(".shortlist__then").first).to_contain_text("the same as when kept on")

    settings.SANDBOX_WEATHER = "prices=-10%"
    process.start()
    forget()
    page.reload()
    expect(page.locator(".shortlist__then")).to_have_count(3)
    for line in page.locator(".shortlist__then").all():
        expect(line).to_contain_text("when kept on")
        expect(line).to_contain_text("now")

    address = page.get_by_label("The link").input_value()
    other = open_page(address)
    expect(other.locator(".listing-card__name")).to_have_text(names)
    expect(other.locator(".shortlist__then").first).to_be_hidden()
    other.locator(HEARTS).first.click()
    expect(other.locator(COUNT)).to_have_text("1")


def test_the_same_total_spelled_in_another_language_is_the_same(open_page: Open) -> None:
    page = listed(open_page)
    kept(page, 0)
    page.locator("[data-shortlist]").click()
    line, total = page.locator(".shortlist__then"), page.locator(".price__total strong")
    english = total.inner_text()
    page.get_by_role("button", name="English").click()
    page.get_by_role("link", name="Deutsch").click()
    expect(line).to_contain_text("beim Merken")
    german = total.inner_text()
    assert german.split() == [english[1:].replace(".", ","), "€"]
    expect(line).to_contain_text(f"{german}, wie beim Merken")


def test_the_list_follows_what_is_kept_in_another_tab(open_page: Open) -> None:
    page = listed(open_page)
    names = kept(page, 0, 1)
    own = page.context.new_page()
    own.goto(urljoin(page.url, str(page.locator("[data-shortlist]").get_attribute("href"))))
    own.locator(HEARTS).first.click()
    expect(own.locator("main header .muted").first).to_have_text("1 hotel")
    own.reload()
    expect(own.locator(".listing-card__name")).to_have_text([names[0]])
    (third,) = kept(page, 2)
    expect(own.locator(".listing-card__name")).to_have_text([third, names[0]])
    expect(own.locator("main header .muted").first).to_have_text("2 hotels")


def test_the_link_to_send_on_is_of_what_is_kept_now(open_page: Open) -> None:
    page = listed(open_page)
    kept(page, 0, 1)
    page.locator("[data-shortlist]").click()
    page.locator(HEARTS).first.click()
    expect(page.locator("main header .muted").first).to_have_text("1 hotel")
    expect(page.locator("#list-address")).to_have_value(page.url)


def test_a_heart_pressed_again_takes_the_hotel_off(open_page: Open) -> None:
    page = listed(open_page)
    kept(page, 0, 1)
    page.locator(HEARTS).first.click()
    expect(page.locator(HEARTS).first).to_have_attribute("aria-pressed", "false")
    expect(page.locator(COUNT)).to_have_text("1")
    page.locator(HEARTS).nth(1).click()
    expect(page.locator(COUNT)).to_have_text("")
    assert urlsplit(str(page.locator("[data-shortlist]").get_attribute("href"))).query in ("", "market=en-gb")


def test_two_hotels_of_the_list_are_compared(open_page: Open) -> None:
    page = listed(open_page)
    names = kept(page, 0, 1, 2)
    page.locator("[data-shortlist]").click()
    expect(page.locator(".shortlist__entry")).to_have_count(3)
    page.locator(HEARTS).nth(1).click()
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator(".compare__name > :first-child")).to_have_text([names[2], names[0]])


@pytest.mark.parametrize("obstacle", [REFUSED, FULL])
def test_what_a_browser_refuses_to_keep_is_kept_in_an_address(open_page: Open, obstacle: str) -> None:
    page = open_page("/destinations/")
    page.add_init_script(obstacle)
    page.goto(search_path("Porto"))
    let_the_list_settle(page)
    name = page.locator(".listing-card__name").first.inner_text()
    page.locator(HEARTS).first.click()
    expect(page.locator(".shortlist__entry .listing-card__name")).to_have_text([name])
    assert "/shortlist/?" in page.url


@pytest.mark.parametrize(
    "content",
    [
        "{",
        '"text"',
        [1, None, {}, [], {"stay": 5}],
        [entry(1, stay="no slash"), entry(2, name=7), entry(3, day="yesterday"), entry(4, search="x" * 5000)],
        [entry(1, day="2026-99-99")],
    ],
)
def test_nonsense_in_the_storage_is_an_empty_list(open_page: Open, content: Any) -> None:
    page = open_page("/")
    store(page, content)
    page.goto("/shortlist/")
    expect(page.get_by_text("Nothing kept yet")).to_be_visible()
    expect(page.locator(COUNT)).to_have_text("")


def test_a_total_of_another_market_is_not_compared(open_page: Open) -> None:
    """The same hotel may cost another sum there."""
    page = listed(open_page)
    kept(page, 0, 1)
    page.evaluate(
        """() => {
          const list = JSON.parse(localStorage.shortlist);
          list.forEach((one) => (one.total = "€1.00"));
          list[0].market = "fr-fr";
          localStorage.shortlist = JSON.stringify(list);
        }"""
    )
    page.locator("[data-shortlist]").click()
    expect(page.locator(".shortlist__then")).to_have_count(2)
    expect(page.locator(".shortlist__then:visible")).to_have_count(1)
    expect(page.locator(".shortlist__then:visible")).to_contain_text("€1.00 when kept")


def test_what_the_storage_says_is_shown_as_text(open_page: Open) -> None:
    page = open_page("/")
    store(
        page,
        [
            entry(1, stay="HB/<img src=x>", name="no"),
            entry(2, name="<img src=x onerror=alert(1)>", total="{now}"),
        ],
    )
    page.goto("/shortlist/")
    expect(page.locator(".shortlist__entry")).to_have_count(1)
    expect(page.get_by_text("<img src=x onerror=alert(1)>")).to_be_visible()


def test_more_than_fifty_are_not_kept_and_that_is_said(open_page: Open) -> None:
    page = listed(open_page)
    store(page, [entry(number) for number in range(50)])
    page.reload()
    let_the_list_settle(page)
    expect(page.locator(COUNT)).to_have_text("50")
    page.locator(HEARTS).first.click()
    expect(page.get_by_text("it holds 50 hotels")).to_be_visible()
    expect(page.locator(COUNT)).to_have_text("50")


def test_hearts_are_pressed_by_keyboard_and_on_a_hotels_own_page(open_page: Open) -> None:
    page = listed(open_page)
    page.locator(HEARTS).first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(HEARTS).first).to_have_attribute("aria-pressed", "true")
    page.locator(".listing-card__name a").first.click()
    heart = page.locator(".property__actions .keep")
    expect(heart).to_have_attribute("aria-pressed", "true")
    heart.click()
    expect(page.locator(COUNT)).to_have_text("")


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (390, "light"), (1280, "dark")])
def test_the_list_fits_and_can_be_read(open_page: Open, width: int, scheme: str) -> None:
    page = listed(open_page, viewport={"width": width, "height": 800}, color_scheme=scheme)
    kept(page, 0, 1)
    page.goto(str(page.locator("[data-shortlist]").get_attribute("href")) + "&stay=NO/BODY")
    expect(page.locator(".shortlist__then").first).to_be_visible()
    assert page.evaluate(TOO_WIDE) <= 0
    assert complaints_of(page) == []
    page.goto("/shortlist/")
    expect(page.locator(".shortlist__entry").first).to_be_visible()


def test_an_empty_list_can_be_read(open_page: Open) -> None:
    page = open_page("/shortlist/")
    assert complaints_of(page) == []


def test_the_tray_shares_the_kept_hotels_of_the_place(open_page: Open) -> None:
    page = listed(open_page, "Lisbon")
    page.add_init_script(
        "navigator.share = (shared) => { window.shared = shared; return Promise.resolve(); }"
    )
    kept(page, 0)
    page.goto(search_path("Porto"))
    let_the_list_settle(page)
    expect(page.locator(".tray")).to_be_hidden()
    names = kept(page, 1, 0)
    page.locator(".tray").get_by_role("button", name="Share").click()
    other = open_page(page.evaluate("() => window.shared.url"))
    expect(other.locator(".shortlist__entry .listing-card__name")).to_have_text(names)
