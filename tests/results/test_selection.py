"""Sort and filters, checked against plain loops over any rows."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.domain.hotels import Coordinates
from search.domain.query import Refinement, Sort
from search.results.index import Row, RowOffer, bits, set_of
from search.results.selection import Question, Selection
from search.web.formatting import one_decimal
from tests.results import naive_filters as naive
from tests.results.naive_filters import answers, offer, questions, row, select


def keys(selection: Selection) -> list[str]:
    return [selection.index.rows[number].key for number in selection.ordered()]


@given(st.sets(st.integers(0, 200)))
def test_a_set_of_bits_gives_its_numbers_back(numbers):
    assert list(bits(set_of(numbers, 201))) == sorted(numbers)


@given(answers(), questions)
def test_the_filters_let_through_what_a_plain_loop_lets_through(rows, question):
    assert set(keys(select(rows, question))) == {one.key for one in naive.answer(rows, question)}


@given(answers(), questions)
def test_every_order_is_the_naive_one_and_total(rows, question):
    expected = sorted(naive.answer(rows, question), key=lambda one: naive.sort_key(one, question))
    assert keys(select(rows, question)) == [one.key for one in expected]


@given(answers(), questions)
def test_pages_partition_the_answer(rows, question):
    ordered = keys(select(rows, question))
    pages = [ordered[start : start + 7] for start in range(0, len(ordered), 7)]
    assert sorted(key for page in pages for key in page) == sorted(
        one.key for one in naive.answer(rows, question)
    )


@given(questions, st.sampled_from(("type", "facility", "provider")), st.sampled_from(("HOTEL", "POOL", "HB")))
def test_adding_a_value_and_removing_it_changes_nothing(question, name, value):
    refinement = question.refinement
    assert refinement.toggled(name, value).toggled(name, value) == refinement


def test_filters_about_offers_are_met_by_one_and_the_same_offer():
    split = row("split", 0, offer("100"), offer("300", free_cancellation=True))
    joined = row("joined", 1, offer("190", free_cancellation=True))
    wanted = Refinement(max_price=Decimal(200), free_cancellation=True)
    assert keys(select([split, joined], Question(wanted))) == ["joined"]


def test_the_price_order_goes_by_the_cheapest_offer_that_passes():
    first = row("first", 0, offer("100"), offer("300", free_cancellation=True))
    second = row("second", 1, offer("190", free_cancellation=True))
    assert keys(select([first, second], Question(Refinement()))) == ["first", "second"]
    assert keys(select([first, second], Question(Refinement(free_cancellation=True)))) == ["second", "first"]


def test_equal_totals_keep_the_order_of_the_gateway():
    rows = [
        row(name, number, offer("100.0" if number % 2 else "100.00")) for number, name in enumerate("dbca")
    ]
    assert keys(select(rows, Question(Refinement()))) == ["d", "b", "c", "a"]


def test_a_property_without_a_price_comes_last_and_stays_in_the_answer():
    rows = [row("none", 0), row("priced", 1, offer("900"))]
    for sort in (Sort.PRICE, Sort.RATING, Sort.STARS, Sort.DISTANCE):
        assert keys(select(rows, Question(Refinement(), sort=sort))) == ["priced", "none"]


def test_a_total_in_another_currency_is_never_below_a_limit():
    foreign = RowOffer("HB", 2, Decimal(10), "JPY", False, False, False, ())
    wanted = Question(Refinement(max_price=Decimal(200)))
    assert keys(select([row("foreign", 0, foreign)], wanted)) == []


@pytest.mark.parametrize("rating", ["7.94", "7.949", "7.95", "7.96", "8.0", "8.04", "8.05", "8.15", "8.25"])
def test_a_hotel_is_found_by_the_rating_that_its_card_prints(rating):
    rows = [row("only", 0, rating=Decimal(rating))]
    printed = Decimal(one_decimal(Decimal(rating), "en_GB"))
    for least in (printed, printed + Decimal("0.1")):
        found = select(rows, Question(Refinement(min_rating=least))).count
        assert found == (printed >= least), (rating, least)


FAR, NEAR = {"latitude": 41.5, "longitude": 2.1}, {"latitude": 41.31, "longitude": 2.1}


def in_order(sort: Sort, *rows: Row, anchor: Coordinates | None = None) -> list[str]:
    return keys(select(list(rows), Question(Refinement(), sort=sort, anchor=anchor)))


def test_nearest_without_an_airport_goes_by_the_gateways_distance_each_unit_by_itself():
    rows = (
        row("none", 0, offer("1")),
        row("short furlong", 1, distance=0.5, unit="FURLONG"),
        row("chain", 2, distance=9.0, unit="CHAIN"),
        row("long furlong", 3, distance=2.0, unit="FURLONG"),
        row("far", 4, distance=3.0),
        row("near", 5, distance=1.5),
        row("here", 6, distance=0.0),
    )
    expected = ["here", "near", "far", "chain", "short furlong", "long furlong", "none"]
    assert in_order(Sort.DISTANCE, *rows) == expected


def test_nearest_to_an_airport_goes_by_the_straight_line_whatever_the_gateway_says():
    rows = (row("none", 0, distance=0.1), row("far", 1, distance=0.2, **FAR), row("near", 2, **NEAR))
    assert in_order(Sort.DISTANCE, *rows, anchor=naive.ANCHOR) == ["near", "far", "none"]


@pytest.mark.parametrize("sort", [Sort.RATING, Sort.STARS])
def test_the_best_come_first_and_those_without_a_rating_last_wherever_the_airport_is(sort):
    rows = (
        row("none", 0, offer("1"), rating=None, stars=None, **NEAR),
        row("low", 1, offer("2"), rating=Decimal(6), stars=2, **NEAR),
        row("dear", 2, offer("9"), rating=Decimal("8.5"), stars=5, **FAR),
        row("cheap", 3, offer("8"), rating=Decimal("8.5"), stars=5, **FAR),
    )
    assert in_order(sort, *rows, anchor=naive.ANCHOR) == ["cheap", "dear", "low", "none"]


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
