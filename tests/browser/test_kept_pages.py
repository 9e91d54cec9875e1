"""A page of results within its fresh time: what a reload and the way back ask of the site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.servers import Site, manage, results, running_site
from tests.waiting import wait_until

from .conftest import sort_by

ROME, LISBON = results("Rome"), results("Lisbon")


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """Both searches are known to it."""
    with running_site("--workers", "1") as site:
        for path in (ROME, LISBON):
            wait_until(lambda path=path: "ETag" in site.get(path).headers, path, 30)
        yield site


def answers(site: Site) -> list[str]:
    """The statuses of the pages of results that the site has sent."""
    return re.findall(r"path=/hotels/ status=(\d+)", site.output)


@pytest.mark.parametrize("kind", ["browser", "remembering"])
def test_reload_and_back_send_no_page_again(site: Site, request: pytest.FixtureRequest, kind: str) -> None:
    browser: Browser = request.getfixturevalue(kind)
    page: Page = browser.new_context(base_url=site.url).new_page()
    page.goto(ROME)
    before = len(answers(site))
    page.reload()
    expect(page.locator(".listing-card").first).to_be_visible()
    wait_until(lambda: len(answers(site)) > before, "the reload")
    assert answers(site)[before:] == ["304"]
    page.goto(LISBON)
    wait_until(lambda: len(answers(site)) > before + 1, "the other search")
    page.evaluate("history.back()")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Rome")
    expect(page.locator(".listing-card").first).to_be_visible()
    page.evaluate("history.forward()")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Lisbon")
    assert set(answers(site)[before + 2 :]) <= {"304"}
    page.context.close()


def test_a_list_seen_before_shows_a_change_of_settings(browser: Browser, tmp_path: Path) -> None:
    database = {"DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite3"}
    change = "from search.site_settings import store; store.change({'rating_scale': 100})"
    with running_site("--workers", "1", **database) as site:
        wait_until(lambda: "ETag" in site.get(ROME).headers, "the prices", 30)
        page = browser.new_context(base_url=site.url).new_page()
        page.goto(ROME)
        for order in ("Most stars", "Lowest total"):
            sort_by(page, order)
            expect(page.locator(".refine-sort__now")).to_contain_text(order)
        expect(page.locator(".listing-card").first).not_to_contain_text("/100")
        manage("shell", "--no-imports", "-c", change, **database).check_returncode()
        wait_until(lambda: "/100" in site.get(ROME).text, "the change")
        sort_by(page, "Most stars")
        expect(page.locator(".results__cards")).to_contain_text("/100")
        page.context.close()
