"""The two handles of the price filter."""

from __future__ import annotations

from playwright.sync_api import Page, expect

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


def test_price_limits_leave_something_either_way(open_page: Open) -> None:
    page = settled(open_page, **WIDE)
    high = page.locator("#price-1")
    start, step = (float(str(high.get_attribute(name))) for name in ("min", "step"))
    high.press("Home")
    answered(page, "max_price")
    assert float(asked(page)["max_price"][0]) == start + step
    expect(page.locator(".listing-card").first).to_be_visible()
    page.locator("refine-panel [name=min_price]").fill("500")
    page.locator("refine-panel [name=min_price]").press("Enter")
    answered(page, "min_price")
    assert (asked(page)["min_price"], asked(page)["max_price"]) == ([f"{start + step:g}"], ["500"])
    handles = [float(page.locator(f"#price-{side}").input_value()) for side in range(2)]
    assert handles == sorted(handles)
