"""Sort and filters, checked against plain loops over any rows."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from search.domain.query import Refinement, Sort
from search.results import index
from search.results.index import RowOffer, bits, set_of
from search.results.selection import Question
from search.web.formatting import one_decimal
from tests.results import naive_filters as naive
from tests.results.naive_filters import answers, keys, offer, questions, row, select
from tests.rows import each


@pytest.fixture(autouse=True)
def small_classes(monkeypatch):
    monkeypatch.setattr(index, "LEAST_ALIKE", naive.LEAST_ALIKE)


@given(st.sets(st.integers(0, 200)))
def test_a_set_of_bits_gives_its_numbers_back(numbers):
    assert list(bits(set_of(numbers, 201))) == sorted(numbers)


@given(answers, questions)
def test_the_filters_let_through_what_a_plain_loop_lets_through(rows, question):
    assert set(keys(select(rows, question))) == {one.key for one in naive.answer(rows, question)}


@given(answers, questions)
def test_every_order_is_the_naive_one_and_total(rows, question):
    assert keys(select(rows, question)) == [one.key for one in naive.in_order(rows, question)]


@given(answers, questions)
def test_pages_partition_the_answer(rows, question):
    ordered = keys(select(rows, question))
    pages = [ordered[start : start + 7] for start in range(0, len(ordered), 7)]
    assert sorted(key for page in pages for key in page) == sorted(
        one.key for one in naive.answer(rows, question)
    )


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


def test_the_cheapest_offer_that_passes_leads():
    rows = [row("some", 0, offer("100"), offer("130", free_cancellation=True)), row("none", 1)]
    for wanted, place in ((Refinement(), 0), (Refinement(free_cancellation=True), 1)):
        selection = select(rows, Question(wanted))
        assert (selection.leading(0), selection.leading(1)) == (rows[0].offers[place], None)
        assert selection.described_tradeoffs().best[0].offer == rows[0].offers[place]


def test_equal_totals_are_in_the_order_of_names():
    """That of the gateway may be another one at the next fetch."""
    rows = [
        row(name, number, offer("100.0" if number % 2 else "100.00")) for number, name in enumerate("dbca")
    ]
    rows += [row("e", 4, offer("100"), name="", place="Berlin Mitte")]
    assert keys(select(rows, Question(Refinement()))) == ["a", "b", "e", "c", "d"]


def test_hotels_without_a_price_are_in_the_order_of_names():
    unpriced = replace(offer("1"), standing=3, total=None, currency="")
    rows = [row("d", 0, unpriced), row("b", 1), row("c", 2, unpriced), row("a", 3), row("z", 4, offer("9"))]
    assert keys(select(rows, Question(Refinement()))) == ["z", "a", "b", "c", "d"]


def test_a_property_without_a_price_comes_last():
    rows = [row("none", 0), row("priced", 1, offer("900"))]
    for sort in (Sort.PRICE, Sort.RATING, Sort.STARS, Sort.DISTANCE):
        assert keys(select(rows, Question(Refinement(), sort=sort))) == ["priced", "none"]


@pytest.mark.parametrize(
    ("least", "most", "found"),
    [
        (None, "0.50", "d"),
        (None, "20.50", "a d"),
        ("20.50", "20.50", "a"),
        (None, "20.49", "d"),
        ("20.51", None, "a b"),
        (None, "30", "a b d"),
    ],
)
def test_limits_are_of_totals_that_can_be_compared(least, most, found):
    partial, foreign = (RowOffer("HB", n, Decimal(22), "JPY", False, False, False, ()) for n in (1, 2))
    rows = [
        row("a", 0, offer("20.50"), offer("30")),
        row("b", 1, offer("20.51"), partial),
        row("c", 2, foreign),
        row("d", 3, offer("0.50")),
    ]
    wanted = Refinement(min_price=least and Decimal(least), max_price=most and Decimal(most))
    assert {*keys(select(rows, Question(wanted)))} == {*found.split()}


def test_nothing_is_found_among_nothing():
    assert keys(select([], Question(Refinement(max_price=Decimal(1)), stars=(4,)))) == []


@each("rating", ["7.94", "7.949", "7.95", "7.96", "8.0", "8.04", "8.05", "8.15", "8.25"])
def test_a_hotel_is_found_by_the_rating_that_its_card_prints(rating):
    rows = [row("only", 0, rating=Decimal(rating))]
    printed = Decimal(one_decimal(Decimal(rating), "en_GB"))
    for least in (printed, printed + Decimal("0.1")):
        found = select(rows, Question(Refinement(min_rating=least))).count
        assert found == (printed >= least), (rating, least)
