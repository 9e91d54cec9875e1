"""Search, order, filter, look at a property, go back: without JavaScript, and with the keyboard alone."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from .conftest import let_the_list_settle, search_path, sort_by


def question(page: Page) -> dict[str, list[str]]:
    """What the page's address asks."""
    return parse_qs(urlsplit(page.url).query)


def tab_to(page: Page, selector: str, most: int = 80) -> None:
    """Presses Tab until the focus is on what `selector` names: what can't be reached so isn't there."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} can't be reached in {most} steps")


def test_the_journey_without_javascript(open_page: Callable[..., Page]) -> None:
    page = open_page("/", java_script_enabled=False, viewport={"width": 1280, "height": 900})
    page.get_by_label("Where to?").fill("Barcelona")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hotels in Barcelona")
    expect(page.locator("stay-map")).to_be_hidden()

    sort_by(page, "Highest rating")
    page.wait_for_url("**sort=rating**")
    assert question(page)["sort"] == ["rating"]
    page.locator(".pager__step[rel=next]").click()
    assert question(page)["page"] == ["2"]
    assert question(page)["sort"] == ["rating"]

    card = page.locator(".listing-card:has(.listing-card__count)").nth(2)
    anchor = card.get_attribute("id")
    card.locator(".offers__summary").click()
    expect(card.locator(".offer-row").first).to_be_visible()
    name = card.locator("h2 a").inner_text()
    card.locator("h2 a").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    page.locator(".gallery__link").first.click()
    assert "/sandbox/photos/" in page.url
    page.go_back()
    page.get_by_role("link", name="Back to the results").click()
    assert urlsplit(page.url).fragment == anchor
    assert question(page)["page"] == ["2"]


def test_the_journey_with_the_keyboard_alone(open_page: Callable[..., Page]) -> None:
    page = open_page("/", viewport={"width": 1280, "height": 900})
    tab_to(page, "#place")
    page.keyboard.type("Barcelona")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Hotels in Barcelona")
    let_the_list_settle(page)

    tab_to(page, ".refine-sort__now")
    page.keyboard.press("Enter")
    tab_to(page, "a[href*='sort=rating']")
    page.keyboard.press("Enter")
    page.wait_for_url("**sort=rating**")
    let_the_list_settle(page)

    page.locator("main").focus()
    tab_to(page, ".offers__summary", most=200)
    page.keyboard.press("Enter")
    expect(page.locator(".offers[open] .offer-row").first).to_be_visible()

    page.locator("main").focus()
    tab_to(page, ".listing-card__name a", most=200)
    name = page.evaluate("() => document.activeElement.textContent")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    tab_to(page, ".gallery__link")
    page.keyboard.press("Enter")
    expect(page.locator(".lightbox")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("main").focus()
    tab_to(page, ".property__back a")
    page.keyboard.press("Enter")
    page.wait_for_url("**/hotels/?**")
    assert question(page)["sort"] == ["rating"]


def test_pointing_at_a_card_shows_its_pin(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path(sort="provider"), viewport={"width": 1440, "height": 900})
    page.locator(".map-pin").first.wait_for()
    page.locator(".listing-card[data-latitude]").first.hover()
    expect(page.locator(".map-pin--pointed")).to_have_count(1)
