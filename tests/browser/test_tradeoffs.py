"""The best trade-offs, where totals stand and comparing all, in a real browser, with scripts and without."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import let_the_list_settle, search_path, sort_by
from tests.browser.test_accessibility import complaints_of

Open = Callable[..., Page]
# The names beside dots that reach beyond the drawing.
OUTSIDE = """(plot) => [...plot.querySelectorAll(".tradeoffs__best text")].filter((one) => {
  const name = one.getBoundingClientRect(), { left, right } = plot.getBoundingClientRect();
  return name.left < left || name.right > right;
}).map((one) => one.textContent)"""


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_best_trade_offs_are_opened_from_the_plot(open_page: Open, scripts: bool) -> None:
    page = open_page(search_path("Lerwick"))
    let_the_list_settle(page)
    if not scripts:
        page = open_page(search_path("Lerwick"), java_script_enabled=False)
    sort_by(page, "Best trade-offs")
    expect(page.locator(".tradeoffs__count")).to_contain_text("no other is cheaper, better rated and nearer")
    expect(page.locator(".tradeoffs__plot")).to_be_hidden()
    page.get_by_text("Show as a plot").click()
    dots = page.locator(".tradeoffs__best")
    count = int(re.match(r"\d+", page.locator(".tradeoffs__count").inner_text())[0])
    expect(dots).to_have_count(count)
    expect(page.locator(".tradeoffs__table tbody tr")).to_have_count(count)
    name = page.locator(".tradeoffs__table tbody th").first.text_content().strip()
    dot = dots.filter(has_text=name).first
    expect(dot).to_have_accessible_name(re.compile(re.escape(name)))
    dot.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".property__name")).to_have_text(name)


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "dark")])
def test_the_plot_and_its_table_are_accessible_and_fit(open_page: Open, width: int, scheme: str) -> None:
    viewport = {"width": width, "height": 900}
    page = open_page(search_path(sort="tradeoffs"), viewport=viewport, color_scheme=scheme)
    let_the_list_settle(page)
    for summary in page.locator(".tradeoffs summary").all():
        summary.click()
    assert complaints_of(page) == []
    assert page.locator(".tradeoffs__plot").evaluate(OUTSIDE) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("market", ["en-gb", "de-de", "es-es"])
@pytest.mark.parametrize("width", [320, 390])
def test_the_table_of_the_plot_fits_a_phone(open_page: Open, width: int, market: str) -> None:
    page = open_page(search_path(sort="tradeoffs", market=market), viewport={"width": width, "height": 900})
    let_the_list_settle(page)
    page.locator(".tradeoffs__table summary").click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    name = page.locator(".tradeoffs__table tbody th").first.bounding_box()
    assert name is not None
    assert name["width"] >= 140


def test_on_paper_the_best_trade_offs_are_a_table(open_page: Open) -> None:
    page = open_page(search_path(sort="tradeoffs"))
    let_the_list_settle(page)
    expect(page.locator(".compare-all")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".tradeoffs__table td").first).to_be_visible()
    pressed = (".tradeoffs summary", ".tradeoffs__count a", ".refine-coverage > :not(p:first-child)")
    for part in pressed:
        for one in page.locator(part).all():
            expect(one).to_be_hidden()
