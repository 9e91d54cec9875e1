"""The ladder of totals: each step is a total somebody asks, and brings something the one before lacks."""

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.domain.offers import PriceRules, ladder, price_rank, ranked_offers
from tests import builders as build

BREAKFAST = {"facilities": (build.facility("FREE_BREAKFAST"),)}
FREE = {"free_cancellation": True}


def steps(*offers, currency="EUR"):
    """Total, what it adds, free cancellation, breakfast of each step."""
    listing = build.priced(*offers).listing
    ranked = ranked_offers(listing, PriceRules(), 3, currency)
    return [
        (
            str(step.priced.total.total.amount),
            step.more and str(step.more.amount),
            step.free_cancellation,
            step.breakfast,
        )
        for step in ladder(ranked, currency)
    ]


def offer(amount, provider="A", **changes):
    return build.offer(amount, provider, **{"surcharges": (), "facilities": (), **changes})


def test_each_step_costs_its_difference_to_the_step_before():
    found = steps(
        offer("50"), offer("64", "B", **FREE), offer("80.50", "C", **FREE, **BREAKFAST), offer("90", "D")
    )
    assert found == [("50", None, False, False), ("64", "14", True, False), ("80.50", "16.50", True, True)]


def test_surcharges_are_in_the_total_of_a_step():
    taxed = build.offer("60", "B", **FREE)
    assert steps(offer("50"), taxed)[1][:2] == ("82.60", "32.60")


def test_an_extra_that_no_offer_has_is_no_step():
    assert steps(offer("50")) == [("50", None, False, False)]
    assert steps(offer("50"), offer("60", "B", **BREAKFAST)) == [
        ("50", None, False, False),
        ("60", "10", False, True),
    ]


def test_breakfast_comes_on_top_of_free_cancellation():
    assert steps(offer("50"), offer("60", "B", **FREE), offer("70", "C", **BREAKFAST)) == [
        ("50", None, False, False),
        ("60", "10", True, False),
    ]


def test_the_cheapest_that_has_everything_is_the_only_step():
    assert steps(offer("50", **FREE, **BREAKFAST), offer("60", "B", **FREE)) == [("50", None, True, True)]


def test_steps_of_the_same_total_are_one_and_keep_what_they_add():
    assert steps(offer("50"), offer("50", "B", **FREE)) == [("50", None, True, False)]
    assert steps(offer("50"), offer("60", "B", **FREE), offer("60", "C", **FREE, **BREAKFAST)) == [
        ("50", None, False, False),
        ("60", "10", True, True),
    ]


@pytest.mark.parametrize("cents", ["50.40", "51"])
def test_any_difference_is_a_step(cents):
    assert steps(offer("50"), offer(cents, "B", **FREE))[1][1] == str(Decimal(cents) - 50)


def test_only_complete_totals_in_the_currency_are_steps():
    foreign = build.offer(None, "B", price=build.price("60", "USD"), **FREE)
    apart = (build.Surcharge("TAX", build.price("9", "USD")),)
    unsure = offer("55", "C", surcharges=apart, **FREE)
    assert steps(offer("50"), foreign, unsure) == [("50", None, False, False)]
    assert steps(foreign, unsure) == []
    assert steps(offer(None)) == []


OFFERS = st.lists(
    st.builds(
        lambda cents, free, breakfast, number: offer(
            str(cents), f"P{number}", free_cancellation=free, **(BREAKFAST if breakfast else {})
        ),
        st.integers(0, 6),
        st.booleans(),
        st.booleans(),
        st.integers(0, 9),
    ),
    min_size=1,
    max_size=8,
)


@given(OFFERS)
def test_totals_rise_from_the_cheapest_by_what_is_said(offers):
    listing = build.priced(*offers).listing
    ranked = ranked_offers(listing, PriceRules(), 3, "EUR")
    found = ladder(ranked, "EUR")
    totals = [step.priced.total.total.amount for step in found]
    assert totals == sorted(set(totals))
    comparable = [one.total.total.amount for one in ranked if price_rank(one, "EUR")[0] == 0]
    assert totals[:1] == comparable[:1]
    assert [step.more.amount for step in found[1:]] == [after - before for before, after in pairwise(totals)]
