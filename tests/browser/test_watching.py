"""Watching a price in a browser, with scripts and without; the page that is kept fits, axe finds nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from search.domain import process
from search.property import observed
from search.property.observed import Memory, ObservedTotal
from tests.browser.conftest import Watch, first_property, search_path
from tests.browser.test_accessibility import complaints_of
from tests.browser.test_every_page import TOO_WIDE


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_a_price_is_watched_and_its_page_kept(
    open_page: Callable[..., Page], width: int, scheme: str
) -> None:
    page = open_page(search_path(), viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto(first_property(page))
    observed.write_pending()
    row = ObservedTotal.objects.get()
    for back in (1, 2, 4):
        row.pk, row.amount = None, row.amount + 7
        row.first_seen = row.last_seen = row.first_seen - timedelta(days=back)
        row.save()
    # A process reads the totals of a hotel again after half a minute.
    process.put(Memory, Memory())
    page.get_by_role("button", name="Watch this price").click()
    expect(page.get_by_role("heading", name="What changed")).to_be_visible()
    page.get_by_text("What we saw").click()
    expect(page.locator(".price-history__table tbody tr")).to_have_count(4)
    assert complaints_of(page) == []
    assert page.evaluate(TOO_WIDE) <= 0
    page.get_by_role("link", name="See the hotel").click()
    expect(page.get_by_text("Lowest we saw for these dates")).to_be_visible()
    assert complaints_of(page) == []


def test_a_price_is_watched_without_scripts(open_page: Callable[..., Page], watch: Watch) -> None:
    page = open_page(search_path(), java_script_enabled=False)
    page.goto(first_property(page))
    page.get_by_role("button", name="Watch this price").click()
    expect(page.get_by_label("Feed for a feed reader")).to_be_visible()
    watch.expected.add(410)
    page.get_by_role("button", name="Stop watching").click()
    expect(page.get_by_role("heading", name="This total is no longer watched")).to_be_visible()
