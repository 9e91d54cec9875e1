"""Without a network: the shortlist with the time of its totals, else a page that says so."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from .test_accessibility import complaints_of
from .test_shortlist import kept, listed

READY = "navigator.serviceWorker.ready.then(() => true)"


def test_the_last_shortlist_is_read_with_its_time(open_page: Callable[..., Page]) -> None:
    page = listed(open_page)
    names = kept(page, 0, 1)
    page.evaluate(READY)
    page.locator("[data-shortlist]").click()
    expect(page.locator(".listing-card__name")).to_have_text(names[::-1])
    totals = page.locator(".listing-card .price__total").all_inner_texts()
    page.wait_for_function("caches.match('/shortlist/').then(Boolean)")
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("status").first).to_contain_text("You are offline. These totals are of ")
    assert page.locator(".listing-card .price__total").all_inner_texts() == totals
    assert complaints_of(page) == []
    page.goto("/destinations/")
    expect(page.locator("h1")).to_have_text("You are offline")
    page.get_by_role("link", name="Your shortlist, as you last saw it").click()
    expect(page.locator(".listing-card__name")).to_have_text(names[::-1])
    page.context.set_offline(False)
    page.goto("/destinations/")
    expect(page.locator("h1")).not_to_have_text("You are offline")
