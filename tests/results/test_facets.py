"""Counts beside choices, what to drop, and the histogram, checked against plain loops over any rows."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.domain.query import Refinement
from search.results.index import RowIndex, RowOffer
from search.results.selection import Histogram, Question, Selection, counts, drops, facets, histogram
from tests.results import naive_filters as naive
from tests.results.naive_filters import answers, offer, questions, row, select

fetched_stars = st.sampled_from(((), (), (4,), (3, 4, 5)))


@given(answers, questions, fetched_stars, st.sampled_from((True, True, False)))
def test_every_choice_says_what_a_click_gives(rows, question, held, complete):
    told = [
        (name, [(one.value, one.count, one.own, one.selected) for one in values])
        for name, values in facets(select(rows, question), held, complete=complete).items()
    ]
    assert told == naive.facets(rows, question, held, complete)


@given(answers, st.lists(st.tuples(questions, fetched_stars, st.booleans()), min_size=2, max_size=4))
def test_counts_of_one_question_are_not_those_of_another(rows, asked):
    index = RowIndex(rows)
    for question, held, complete in asked:
        fresh = select(rows, question)
        told = counts(Selection(index, question), held, complete=complete)
        assert told == (facets(fresh, held, complete=complete), histogram(fresh))


@given(answers, questions, fetched_stars)
def test_drops_say_what_they_regain_the_most_helpful_first(rows, question, held):
    found = drops(select(rows, question), held)
    assert [*found.items()] == naive.drops(rows, question, held)


def bars(found: Histogram | None) -> list[tuple[Decimal, Decimal | None, int]] | None:
    return None if found is None else [(bar.low, bar.high, bar.count) for bar in found.bars]


@given(answers, questions)
def test_the_histogram_is_of_leading_totals(rows, question):
    unlimited = naive.choosing(naive.choosing(question, "max_price", ()), "min_price", ())
    leads = [naive.headline(one, unlimited) for one in naive.answer(rows, unlimited)]
    totals = [lead.total for lead in leads if lead is not None and lead.standing == 0]
    found = histogram(select(rows, question))
    assert bars(found) == naive.histogram(totals)
    assert found is None or (found.lowest, found.highest) == (min(totals), max(totals))
    assert found is None or found.middle == sorted(totals)[len(totals) // 2]


def of_totals(*totals: object) -> Histogram | None:
    rows = [row(f"k{number}", number, offer(str(total))) for number, total in enumerate(totals)]
    return histogram(select(rows, Question(Refinement())))


usual = st.decimals(1, 400, places=2)
dear = st.decimals(400, 90_000, places=2)


@given(st.lists(usual, min_size=2, max_size=60), st.lists(dear, max_size=3))
def test_bars_are_even_and_the_dearest_few_share_the_last(cheap, outliers):
    assert bars(of_totals(*cheap, *outliers)) == naive.histogram([*cheap, *outliers])


def test_a_total_on_an_edge_belongs_to_the_bar_above():
    found = bars(of_totals(10, 11, 11, 30))
    assert [bar for bar in found if bar[2]] == [(10, 11, 1), (11, 12, 2), (30, 31, 1)]
    assert [low for low, _high, _count in found] == list(range(10, 31))


def test_the_last_of_24_bars_is_open():
    found = bars(of_totals(*range(100, 123), 5_000))
    assert found[:23] == [(total, total + 1, 1) for total in range(100, 123)]
    assert found[23:] == [(123, None, 1)]


@pytest.mark.parametrize("totals", [(), ("100",), ("100", "100.00")])
def test_fewer_than_two_different_totals_are_no_spread(totals):
    assert of_totals(*totals) is None


def test_a_total_that_cannot_be_compared_is_in_no_bar():
    foreign = RowOffer("HB", 2, Decimal(10), "JPY", False, False, False, ())
    rows = [row("a", 0, offer("100")), row("b", 1, offer("200")), row("c", 2, foreign), row("d", 3)]
    found = histogram(select(rows, Question(Refinement())))
    assert (found.lowest, found.highest, sum(bar.count for bar in found.bars)) == (100, 200, 2)


def test_stars_that_the_rows_were_not_asked_for_have_no_count():
    rows = [row("four", 0, offer("100")), row("five", 1, offer("100"), stars=5)]
    stars = facets(select(rows, Question(Refinement(), stars=(4,))), fetched_stars=(4,))["stars"]
    assert {choice.value: choice.count for choice in stars} == {
        "5": None, "4": None, "3": None, "2": None, "1": None,
    }  # fmt: skip
    assert {choice.value: choice.own for choice in stars}["4"] == 1
    assert {choice.least for choice in stars} == {0}


def test_a_chosen_code_nobody_has_stays_visible_with_its_count():
    rows = [row("one", 0, offer("100"))]
    types = facets(select(rows, Question(Refinement(type=("CASTLE",)))))["type"]
    assert [(choice.value, choice.selected, choice.count) for choice in types] == [
        ("HOTEL", False, 1),
        ("CASTLE", True, 1),
    ]


def test_stars_promise_no_count_while_rows_are_missing():
    rows = [row("a", 0, offer("10"), stars=4), row("b", 1, offer("20"), stars=5)]
    stars = facets(select(rows, Question(Refinement())), complete=False)["stars"]
    assert {(one.count, one.own) for one in stars} == {(None, None)}
    assert {one.value: one.least for one in stars} == {"5": 1, "4": 1, "3": 0, "2": 0, "1": 0}


def test_the_histogram_shows_what_the_price_limit_hides():
    rows = [
        row("cheap", 0, offer("100")),
        row("dear", 1, offer("200")),
        row("hostel", 2, offer("900"), type="HOSTEL"),
    ]
    found = histogram(select(rows, Question(Refinement(max_price=Decimal(150), type=("HOTEL",)))))
    assert (found.lowest, found.highest) == (100, 200)


def test_a_filter_of_unknown_gain_comes_after_a_known_one():
    rows = [row("dear", 0, offer("100"), stars=5)]
    question = Question(Refinement(max_price=Decimal(1)), stars=(5,))
    found = drops(select(rows, question), fetched_stars=(5,))
    assert [*found.items()] == [("max_price", 1), ("stars", None)]
