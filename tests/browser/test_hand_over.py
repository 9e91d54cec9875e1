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
def test_facts_are_copied_as_they_unfold(open_page: Callable[..., Page], scheme: str) -> None:
    SiteSettings(contact_email="desk@example.com").save()
    page = open_page(search_path(), permissions=["clipboard-read", "clipboard-write"], color_scheme=scheme)
    page.goto(property_of(page))
    facts = page.locator(".hand-over-facts").first
    facts.locator("summary").click()
    expect(facts.locator("[role=status]")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == facts.locator("pre").text_content()
    expect(page.get_by_role("link", name="Ask us to book").first).to_be_visible()
    found = Axe().run(page, options=RULES).response
    assert [rule["id"] for rule in found["violations"]] == []


def test_without_javascript_the_facts_can_be_selected(open_page: Callable[..., Any]) -> None:
    page = open_page(search_path(), java_script_enabled=False)
    page.goto(first_property(page))
    facts = page.locator(".hand-over-facts").first
    facts.locator("summary").click()
    expect(facts.locator("pre")).to_be_visible()
