"""The two handles of the price filter."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.refining import WIDE, Open, answered, asked, settled


def grip(page: Page, handle: str) -> tuple[float, float]:
    """The middle of a price handle at the right end of its line."""
    box = page.locator(handle).bounding_box()
    assert box
    return box["x"] + box["width"] - 12, box["y"] + box["height"] / 2


def test_a_price_handle_drawn_to_the_other_end_can_be_drawn_back(open_page: Open) -> None:
    page = settled(open_page, **WIDE)
    page.locator("#price-0").press("End")
    answered(page, "min_price")
    most = asked(page)["min_price"]
    x, y = grip(page, "#price-0")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 90, y)
    page.mouse.up()
    page.wait_for_function("(most) => new URL(location).searchParams.get('min_price') !== most", arg=most[0])
    assert float(asked(page)["min_price"][0]) < float(most[0])
