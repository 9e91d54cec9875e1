"""A listing that was fetched again since its row was made leads with what it has now."""

from __future__ import annotations

from decimal import Decimal

import pytest

from search.domain.query import Refinement
from search.gateway.outlines import outline_of
from search.results.index import RowIndex, row_of
from search.results.selection import Question, Selection
from search.results.service import filtered_card
from tests import builders as build
from tests.results.cached_views import context_of


def listing(flexible: str, *, free: bool = True):
    """A hotel with a fixed offer of 100 and a flexible one."""
    offers = (
        build.offer("100.00", provider="AAA"),
        build.offer(flexible, provider="BBB", free_cancellation=free),
    )
    return build.priced(*offers).listing


def card_now(now, **filters):
    """The card of a hotel whose row was made while the flexible offer was 120."""
    context = context_of(refinement=Refinement(**filters))
    row = row_of(outline_of(listing("120.00")), context.search, context.site.price_rules, 0, 0)
    selection = Selection(RowIndex([row], context.site), Question(context.refinement))
    return filtered_card(now, selection, 0, context)


@pytest.mark.parametrize("flexible", ["120.00", "90.00", "140.00"])
def test_the_offer_that_passes_the_filter_leads(flexible):
    first, other = card_now(listing(flexible), free_cancellation=True).offers
    assert first.offer.free_cancellation
    assert first.offer.price.customer.amount == Decimal(flexible)
    assert not other.offer.free_cancellation


@pytest.mark.parametrize(
    ("now", "filters"),
    [
        (listing("120.00", free=False), {"free_cancellation": True}),
        (listing("150.00"), {"free_cancellation": True, "max_price": Decimal(130)}),
    ],
)
def test_a_hotel_of_which_no_offer_passes_any_more_has_no_card(now, filters):
    assert card_now(now, **filters) is None


def test_without_a_filter_about_offers_the_cheapest_leads():
    assert [one.offer.provider for one in card_now(listing("90.00")).offers] == ["BBB", "AAA"]
