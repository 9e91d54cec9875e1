"""Each order by examples: what comes first, what comes last, and what stays where filters change."""

from decimal import Decimal

import pytest

from search.domain.hotels import Coordinates
from search.domain.query import Refinement, Sort
from search.results.index import Row
from search.results.selection import Question
from tests.results import naive_filters as naive
from tests.results.naive_filters import keys, offer, row, select

FAR, NEAR = {"coordinates": Coordinates(41.5, 2.1)}, {"coordinates": Coordinates(41.31, 2.1)}


def in_order(sort: Sort, *rows: Row, anchor: Coordinates | None = None) -> list[str]:
    return keys(select(list(rows), Question(Refinement(), sort=sort, anchor=anchor)))


def test_nearest_goes_by_the_gateways_distance_each_unit_apart():
    rows = (
        row("none", 0, offer("1")),
        row("short furlong", 1, distance=0.5, unit="FURLONG"),
        row("chain", 2, distance=9.0, unit="CHAIN"),
        row("long furlong", 3, distance=2.0, unit="FURLONG"),
        row("far", 4, distance=3.0),
        row("near", 5, distance=0.5),
        row("here", 6, distance=0.0),
    )
    expected = ["here", "near", "far", "chain", "short furlong", "long furlong", "none"]
    assert in_order(Sort.DISTANCE, *rows) == expected


def test_nearest_to_an_airport_goes_by_the_straight_line():
    rows = (row("none", 0, distance=0.1), row("far", 1, distance=0.2, **FAR), row("near", 2, **NEAR))
    assert in_order(Sort.DISTANCE, *rows, anchor=naive.ANCHOR) == ["near", "far", "none"]


@pytest.mark.parametrize("sort", [Sort.RATING, Sort.STARS])
def test_the_best_come_first_and_the_unrated_last(sort):
    rows = (
        row("none", 0, offer("1"), rating=None, stars=None, **NEAR),
        row("low", 1, offer("2"), rating=Decimal(6), stars=2, **NEAR),
        row("dear", 2, offer("9"), rating=Decimal("8.5"), stars=5, **FAR),
        row("cheap", 3, offer("8"), rating=Decimal("8.5"), stars=5, **FAR),
    )
    assert in_order(sort, *rows, anchor=naive.ANCHOR) == ["cheap", "dear", "low", "none"]


def test_ratings_that_read_the_same_are_ordered_by_total():
    rows = (
        row("dear", 0, offer("200"), rating=Decimal("8.44")),
        row("cheap", 1, offer("100"), rating=Decimal("8.36")),
        row("best", 2, offer("300"), rating=Decimal("8.5")),
    )
    assert in_order(Sort.RATING, *rows) == ["best", "cheap", "dear"]


def test_without_one_filter_the_others_and_the_order_stay():
    rows = [
        row("hostel", 0, offer("10"), type="HOSTEL", stars=5),
        row("plain", 1, offer("90"), stars=3),
        row("grand", 2, offer("500"), stars=5),
    ]
    wanted = Refinement(type=("HOTEL",), max_price=Decimal(100))
    selection = select(rows, Question(wanted, sort=Sort.STARS))
    assert keys(selection) == ["plain"]
    assert keys(selection.without("max_price")) == ["grand", "plain"]
    assert keys(selection.without("type")) == ["hostel", "plain"]
    assert selection.without("name") is selection


def test_the_offers_that_pass_are_told_the_cheapest_first():
    free = {"free_cancellation": True}
    rows = [row("other", 0), row("three", 1, offer("10"), offer("20", **free), offer("30", **free))]
    selection = select(rows, Question(Refinement(free_cancellation=True)))
    assert selection.passing_offers(1) == (1, 2)
    assert selection.passing_offers(0) == ()
