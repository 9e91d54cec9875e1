"""The two handles of the price filter."""

from __future__ import annotations

import contextlib

from playwright.sync_api import Error, Page, expect

from tests.browser.conftest import search_path, until
from tests.browser.refining import VIEWS, WIDE, Open, answered, asked, choice, held, settled


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


def test_price_limits_leave_something_whichever_way_they_are_given(open_page: Open) -> None:
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


def test_a_price_handle_stays_in_the_hand_while_an_answer_comes(open_page: Open) -> None:
    page = settled(open_page, search_path("Barcelona"), **WIDE)
    answer = held(page)
    with page.expect_request(VIEWS):
        page.locator("#price-0").press("ArrowRight")
    high = page.locator("#price-1")
    x, y = grip(page, "#price-1")
    page.mouse.move(x, y)
    page.mouse.down()
    ended: list[str] = []
    for event in ("requestfinished", "requestfailed"):
        page.on(event, lambda request: ended.append(request.url))
    page.mouse.move(x - 60, y)
    before = float(high.input_value())
    with contextlib.suppress(Error):  # it was called off
        answer[0].fallback()
    until(page, lambda: any("min_price" in url for url in ended))
    page.mouse.move(x - 120, y)
    limit = high.input_value()
    assert float(limit) < before
    page.mouse.up()
    answered(page, "max_price")
    assert asked(page)["max_price"] == [limit]
    assert "min_price" in asked(page)


def test_a_choice_is_applied_although_a_price_handle_was_moved_and_put_back_meanwhile(
    open_page: Open,
) -> None:
    page = settled(open_page, **WIDE)
    held(page)
    with page.expect_request(VIEWS):
        choice(page, "free_cancellation").check()
    x, y = grip(page, "#price-1")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y)
    page.mouse.move(x, y)
    page.mouse.up()
    answered(page, "free_cancellation")
    assert "max_price" not in asked(page)
