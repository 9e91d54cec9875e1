"""What became of a shared total, and how a recipient rearranges what was shared."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from search.domain.hotels import Coordinates
from search.domain.money import Money
from search.domain.query import Sort
from search.results.listings import PricedListing
from search.sharing.link import snapshot_of
from search.sharing.price_change import OwnView, ThenAndNow, Turn, compare
from tests import builders as build

FREE = {"free_cancellation": True}
LATER = {"payment_mode": "PAY_LATER"}


def told(then: Money | None, now: PricedListing) -> ThenAndNow:
    return compare(replace(snapshot_of(now, 1), total=then), now)


@pytest.mark.parametrize(
    ("then", "turn", "difference"),
    [
        ("412.60", Turn.SAME, None),
        ("412.6", Turn.SAME, None),
        ("412.61", Turn.CHEAPER, "-0.01"),
        ("500", Turn.CHEAPER, "-87.40"),
        ("412.59", Turn.DEARER, "0.01"),
        ("100", Turn.DEARER, "312.60"),
    ],
)
def test_a_total_is_the_same_cheaper_or_dearer_by_now_minus_then(then, turn, difference):
    one = told(build.euros(then), build.priced())
    assert (one.turn, one.difference) == (turn, build.euros(difference) if difference else None)


def test_totals_that_cant_be_compared_have_no_difference():
    priced, unpriced = build.priced(), build.priced(build.offer(None))
    dollars = Money(Decimal(412), "USD")
    found = [told(dollars, priced), told(None, priced), told(dollars, unpriced), told(None, unpriced)]
    assert [one.turn for one in found] == [Turn.CURRENCY, Turn.PRICED, Turn.UNPRICED, Turn.SAME]
    assert all(one.difference is None and one.now for one in found)


def entry(key: str, amount: str = "100", *offers, **facts) -> ThenAndNow:
    listing = build.priced(*(offers or (build.offer(amount),)), key=key, **facts)
    return told(build.euros("100"), listing)


def gone(key: str) -> ThenAndNow:
    return replace(entry(key), now=None, turn=Turn.GONE)


def keys(view: OwnView, *entries: ThenAndNow, **surroundings) -> list[str]:
    return [one.then.key for one in view.of(entries, build.context(**surroundings))]


def test_without_a_wish_all_is_as_the_sender_left_it():
    assert not OwnView().narrows
    assert keys(OwnView(), entry("b", "200"), gone("x"), entry("a")) == ["b", "x", "a"]


def test_what_is_gone_comes_last_in_every_order_but_the_senders():
    entries = gone("x"), entry("b", "200", stars=2), gone("y"), entry("a", "100", stars=1)
    assert keys(OwnView(sort=Sort.PRICE), *entries) == ["a", "b", "x", "y"]
    assert keys(OwnView(sort=Sort.STARS), *entries) == ["b", "a", "x", "y"]
    assert keys(OwnView(sort=Sort.PROVIDER), *entries) == ["b", "a", "x", "y"]


def test_an_order_goes_by_the_offer_in_front_the_one_whose_total_is_shown():
    dear_first = entry("b")
    shown = replace(
        dear_first.now, offers=build.priced(build.offer("300"), build.offer("50", "BBB")).offers[::-1]
    )
    entries = replace(dear_first, now=shown), entry("a", "200")
    assert keys(OwnView(sort=Sort.PRICE), *entries) == ["a", "b"]


def test_nearest_goes_by_the_chosen_airport_or_else_by_the_gateways_distance():
    near, far = Coordinates(41.30, 2.08), Coordinates(41.9, 2.08)
    entries = entry("far", coordinates=far), entry("near", coordinates=near)
    assert keys(OwnView(sort=Sort.DISTANCE), *entries, anchor=build.AIRPORT) == ["near", "far"]
    assert keys(OwnView(sort=Sort.DISTANCE), *entries) == ["far", "near"]


@pytest.mark.parametrize(
    ("view", "passing"),
    [
        (OwnView(free_cancellation=True), ["free", "both", "apart"]),
        (OwnView(pay_later=True), ["later", "both", "apart"]),
        (OwnView(free_cancellation=True, pay_later=True), ["both"]),
    ],
)
def test_filters_are_met_by_one_offer_of_what_is_still_there(view, passing):
    entries = (
        entry("plain"),
        entry("free", "", build.offer(**FREE)),
        entry("later", "", build.offer(**LATER)),
        gone("x"),
        entry("both", "", build.offer("10"), build.offer("20", "BBB", **FREE, **LATER)),
        entry("apart", "", build.offer("10", **FREE), build.offer("20", "BBB", **LATER)),
    )
    assert view.narrows
    assert keys(view, *entries) == passing
