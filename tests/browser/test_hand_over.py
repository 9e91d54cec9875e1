"""On to the provider in a real browser: a tab of its own, one count; facts to copy where no way is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from search.site_settings.models import Provider, SiteSettings
from tests.browser.conftest import first_property, let_the_list_settle, search_path
from tests.browser.test_accessibility import RULES

pytestmark = pytest.mark.django_db(transaction=True)


def property_of(page: Page) -> str:
    let_the_list_settle(page)
    return first_property(page)


def test_going_on_opens_a_tab_and_counts_once(open_page: Callable[..., Page]) -> None:
    page = open_page(search_path())
    path = property_of(page)
    code = path.split("/")[2]
    Provider.objects.create(code=code, address_template="https://www.example.com/{property}?from={checkin}")
    page.context.route("https://www.example.com/**", lambda route: route.fulfill(body="rooms"))
    page.goto(path)
    link = page.locator(".offer-table .hand-over[href^='https://www.example.com/']").first
    expect(link).to_contain_text("Go to")
    with page.expect_request("**/hand-over/") as told, page.context.expect_page() as opened:
        link.click()
    assert told.value.post_data == code
    assert told.value.response().status == 204
    tab = opened.value
    tab.wait_for_load_state()
    assert tab.url.startswith("https://www.example.com/")
    assert tab.evaluate("[document.referrer, window.opener]") == ["", None]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_a_sheet_says_how_to_book_and_copies_the_facts(
    open_page: Callable[..., Page], scheme: str, width: int
) -> None:
    SiteSettings(contact_email="desk@example.com").save()
    page = open_page(
        search_path(),
        permissions=["clipboard-read", "clipboard-write"],
        color_scheme=scheme,
        viewport={"width": width, "height": 844},
    )
    page.goto(property_of(page))
    opener = page.locator(".offer-table").get_by_role("button", name="How to book this").first
    opener.focus()
    page.keyboard.press("Enter")
    sheet = page.get_by_role("dialog", name="How to book this")
    expect(sheet.get_by_role("button", name="Copy")).to_be_focused()
    page.keyboard.press("Enter")
    expect(sheet.get_by_role("status")).to_contain_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == sheet.get_by_role("textbox").input_value()
    expect(sheet.get_by_role("link", name="Ask us to book")).to_be_visible()
    found = Axe().run(page, options=RULES).response
    assert [rule["id"] for rule in found["violations"]] == []
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(opener).to_be_focused()


def test_without_javascript_the_sheet_opens_and_closes(open_page: Callable[..., Any]) -> None:
    page = open_page(search_path(), java_script_enabled=False)
    page.goto(first_property(page))
    page.locator(".offer-table").get_by_role("button", name="How to book this").first.click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("textbox")).to_be_visible()
    expect(sheet.get_by_role("button", name="Copy")).to_have_count(0)
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_have_count(0)
