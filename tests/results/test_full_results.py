"""Refined views of a whole answer, from a gateway that behaves in every way a gateway can."""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import msgspec
import pytest

from search.domain.hotels import GuestRating
from search.domain.offers import PriceBasis, SurchargeMode
from search.domain.query import Refinement, Sort
from search.domain.site_settings import Block, CategoriesStyle, ProviderEntry
from search.gateway.search_page import Entry
from search.results import index
from search.results import service as results
from search.results.full_results import FullResults
from search.results.pagination import Coverage, CoverageState
from tests import builders as build
from tests.results.cached_views import SEARCH, SITE, context_of, keys, settle, totals, view
from tests.rows import each
from tests.scripted_gateway import LONG, honest, listing, page_of

RATED = GuestRating(Decimal("8.4"), "GOOD")


@each(
    "changes",
    [
        {"surcharge_mode": SurchargeMode.INCLUDED},
        {"price_basis": PriceBasis.NIGHT},
        {"categories_style": CategoriesStyle.EACH},
        {"cap": 20},
        {"providers": (ProviderEntry("B"), ProviderEntry("A", order=1))},
    ],
)
def test_what_changes_the_rows_makes_other_results(changes):
    site = dataclasses.replace(SITE, providers=(ProviderEntry("A"), ProviderEntry("B", order=1)))
    changed = dataclasses.replace(site, **changes)
    assert FullResults(context_of(site=changed)).key != FullResults(context_of(site=site)).key


@pytest.mark.usefixtures("patient")
class TestOverTheWholeAnswer:
    def test_the_default_order_is_the_lowest_total_of_all_pages(self, connect):
        connect(honest(130))
        found = view()
        everything = sorted(100 + (number * 37) % 101 for number in range(130))
        assert totals(found) == everything[:20]
        assert found.coverage == Coverage(CoverageState.COMPLETE, 130, 130, 130)
        assert (found.coverage.total, found.last_page, found.has_next) == (130, 7, True)

    def test_a_page_behind_the_end_is_empty_and_knows_the_end(self, connect):
        connect(honest(130))
        found = view(page=99)
        assert (found.listings, found.last_page, found.has_next) == ((), 7, False)

    def test_other_views_of_the_same_search_ask_nothing_more(self, connect):
        gateway = connect(honest(130))
        view()
        before = len(gateway.calls)
        view(Refinement(sort=Sort.RATING, min_rating=Decimal(5)), page=2)
        assert (before, len(gateway.calls)) == (3, 3)

    def test_filters_count_over_all_pages(self, connect):
        connect(honest(130))
        found = view(Refinement(min_rating=Decimal(9)))
        assert found.matching == 13
        assert len(found.listings) == 13

    def test_calls_run_side_by_side_as_the_site_allows(self, connect):
        gateway = connect(honest(600), hold=True)
        with ThreadPoolExecutor(1) as visitor:
            seen = visitor.submit(view)
            gateway.wait_until_waiting(SITE.parallel_calls)
            gateway.release()
            seen.result(LONG)
        assert gateway.most_at_once == SITE.parallel_calls

    def test_a_property_on_two_pages_is_one_card_with_all_its_offers(self, connect):
        again = Entry.of(listing(3, total=50, provider="EX"))

        def script(page: int, size: int):
            honestly = honest(60)(page, size)
            return msgspec.structs.replace(honestly, entries=(*honestly.entries, again)) if page else honestly

        gateway = connect(script)
        view()
        before = len(gateway.calls)
        context = context_of(refinement=Refinement(sort=Sort.PROVIDER))
        pages = [results.find(context, page) for page in (1, 2, 3)]
        assert [key for page in pages for key in keys(page)] == [f"k{number}" for number in range(60)]
        assert [(page.coverage.total, page.last_page) for page in pages] == [(60, 3)] * 3
        assert totals(pages[0])[3] == 50
        assert [one.offer.provider for one in pages[0].listings[3].offers] == ["EX", "HB"]
        assert len(gateway.calls) == before

    def test_blocked_properties_and_providers_are_not_counted(self, connect):
        shown = [listing(1), listing(2), listing(3, provider="EX")]
        connect(lambda _page, _size: page_of([], 3) if _page else _search_page(shown))
        site = dataclasses.replace(
            SITE, blocks=(Block("k1"),), providers=(ProviderEntry("EX", "Example", enabled=False),)
        )
        found = view(site=site)
        assert keys(found) == ["k2"]
        assert found.coverage == Coverage(CoverageState.COMPLETE, 1, 1, 1)
        assert sorted(keys(view())) == ["k1", "k2", "k3"]

    def test_a_sold_out_hotel_of_a_disabled_provider_is_not_shown(self, connect):
        """Its card would lead to a page that isn't there."""
        sold_out = msgspec.structs.replace(listing(1, provider="EX"), offers=())
        connect(lambda _page, _size: _search_page([sold_out, listing(2)]))
        site = dataclasses.replace(SITE, providers=(ProviderEntry("EX", "Example", enabled=False),))
        assert sorted(keys(view())) == ["k1", "k2"]
        found = view(site=site)
        assert keys(found) == ["k2"]
        assert found.coverage == Coverage(CoverageState.COMPLETE, 1, 1, 1)

    def test_the_card_leads_with_the_cheapest_passing_offer(self, connect):
        cheap, flexible = listing(1, total=100), listing(1, total=140, provider="EX", free=True)
        both = msgspec.structs.replace(cheap, offers=(*cheap.offers, *flexible.offers))
        connect(lambda _page, _size: _search_page([both]))
        assert totals(view()) == [100]
        assert view().listings[0].ladder[1].more.amount == 40
        found = view(Refinement(free_cancellation=True))
        assert totals(found) == [140]
        assert [step.more for step in found.listings[0].ladder] == [None]

    def test_an_answer_over_all_stars_serves_some_of_them(self, connect):
        gateway = connect(honest(130))
        view()
        before = len(gateway.calls)
        found = view(search=msgspec.structs.replace(SEARCH, stars=(4,)))
        assert {card.listing.property.stars for card in found.listings} == {4}
        assert len(gateway.calls) == before
        assert {value.value: value.count for value in found.facets["stars"]}["5"] == 52
        assert found.coverage == Coverage(CoverageState.COMPLETE, 26, 26, 26)

    def test_choosing_stars_asks_anew_where_the_cap_cut_the_answer(self, connect):
        gateway = connect(honest(8_214))
        view()
        before = len(gateway.calls)
        view(search=msgspec.structs.replace(SEARCH, stars=(4,)))
        assert len(gateway.calls) > before
        assert gateway.calls[-1][1] == (4,)


def _search_page(listings: list) -> object:
    return msgspec.structs.replace(
        page_of([], len(listings)), entries=tuple(map(Entry.of, listings)), received=len(listings)
    )


@pytest.mark.usefixtures("impatient")
def test_no_card_of_the_first_page_says_where_it_stands(connect, monkeypatch):
    monkeypatch.setattr(index, "LEAST_ALIKE", 2)
    alike = tuple(
        msgspec.structs.replace(one, property=msgspec.structs.replace(one.property, stars=4, rating=RATED))
        for one in map(listing, range(100))
    )
    gateway = connect(lambda page, size: build.search_page(alike[page * size :][:size], 100, size), hold=True)
    assert {card.standing for card in view().listings} == {None}
    gateway.release()
    settle()
    assert {card.standing.size for card in view().listings} == {100}
