"""Answers that are kept: their age, what is found in them, and a cache that fails."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import msgspec
import pytest

from search.domain import process
from search.domain.offers import PriceBasis
from search.gateway import GatewayError, Unavailable
from search.gateway.search_page import SearchPage
from search.results import full_results
from search.results import service as results
from search.results.full_results import FullResults
from tests import builders as build
from tests.results.cached_views import SEARCH, SITE, context_of, progress, settle, totals, view
from tests.scripted_gateway import NOW, failing, honest, listing


def priced_at(lowest: int, count: int, *, repeats: bool = False) -> Callable[[int, int], SearchPage]:
    """`count` hotels that all cost at least `lowest`; with `repeats` the second page begins with the first
    hotel."""

    def script(page: int, size: int) -> SearchPage:
        numbers = list(range(count)[page * size : (page + 1) * size])
        if repeats and page == 1:
            numbers[0] = 0
        shown = tuple(listing(number, total=lowest + number % 50) for number in numbers)
        return build.search_page(shown, count, len(shown))

    return script


def without_page(lost: int, script: Callable[[int, int], SearchPage]) -> Callable[[int, int], SearchPage]:
    return lambda page, size: failing()(page, size) if page == lost else script(page, size)


@pytest.mark.usefixtures("patient")
class TestAge:
    def test_an_answer_older_than_its_fresh_time_is_collected_again(self, connect, clock):
        gateway = connect(honest(70))
        view()
        clock.pass_seconds(301)
        older = view()
        assert (older.stale, older.newer_coming, older.fetched_at) == (True, True, NOW)
        settle()
        found = view()
        assert (found.stale, found.fetched_at, len(gateway.calls)) == (False, clock.now, 4)

    @pytest.mark.parametrize("count", [130, 8_214])
    def test_risen_prices_are_shown_within_twice_the_fresh_time(self, connect, clock, count):
        gateway = connect(priced_at(100, count))
        view()
        clock.pass_seconds(2 * SITE.search_fresh_seconds)
        gateway.script = priced_at(400, count, repeats=True)
        view()
        settle()
        found = view()
        assert (totals(found)[0], found.stale) == (400, False)

    def test_fuller_results_outlive_lost_pages_for_a_day(self, connect, clock):
        gateway = connect(priced_at(100, 130))
        view()
        gateway.script = without_page(1, priced_at(400, 130))
        for hours in (1, 20):
            clock.pass_seconds(hours * 3_600)
            settle()
            found = view()
            assert (totals(found)[0], found.coverage.exact) == (100, True)

    def test_without_the_gateway_the_cached_answer_tells_its_age(self, connect, clock):
        connect(honest(70))
        view()
        clock.pass_seconds(3_600)
        connect(failing())
        found = view()
        assert (found.stale, found.fetched_at, len(found.listings)) == (True, NOW, 20)
        assert found.coverage.exact

    def test_without_the_gateway_some_stars_use_the_copy_of_all(self, connect, clock):
        connect(honest(70))
        view()
        clock.pass_seconds(3_600)
        connect(failing())
        found = view(search=msgspec.structs.replace(SEARCH, stars=(4,)))
        assert (found.stale, found.fetched_at, found.coverage.total) == (True, NOW, 14)
        assert {card.listing.property.stars for card in found.listings} == {4}

    @pytest.fixture
    def gateway(self, connect, clock):
        """One that is away since ten minutes ago: what comes of it are copies of before."""
        connected = connect(honest(70))
        view()
        clock.pass_seconds(600)
        connected.away = True
        return connected

    def test_newer_prices_are_promised_only_while_they_are_fetched(self, gateway):
        gateway.hold()
        found = view()
        assert (found.stale, found.newer_coming) == (True, True)
        gateway.release()
        settle()
        found = view()
        assert (found.stale, found.newer_coming) == (True, False)

    def test_nothing_newer_is_promised_of_a_resting_gateway(self, gateway):
        gateway.resting = Unavailable("open")
        gateway.calls.clear()
        found = view()
        assert (found.stale, found.newer_coming, gateway.calls) == (True, False, [])

    def test_a_gateway_that_is_back_is_seen_soon(self, gateway, clock):
        view()
        settle()
        clock.pass_seconds(6)
        gateway.away = False
        view()
        settle()
        found = view()
        assert (found.stale, found.fetched_at) == (False, clock.now)

    def test_an_open_page_is_told_that_nothing_newer_comes(self, gateway, clock):
        view()
        settle()
        gateway.calls.clear()
        clock.pass_seconds(4)
        assert progress().exact
        assert not gateway.calls

    def test_with_no_fresh_time_at_all_a_page_still_settles(self, connect):
        site = dataclasses.replace(SITE, search_fresh_seconds=0)
        connect(honest(412))
        view(site=site)
        settle(site=site)
        assert progress(site).exact
        assert view(site=site).coverage.exact

    def test_no_copy_and_no_gateway_is_an_error(self, connect):
        connect(failing(Unavailable("open")))
        with pytest.raises(GatewayError):
            view()


@pytest.mark.usefixtures("patient")
class TestFinding:
    def test_a_listing_is_found_wherever_it_is_in_the_answer(self, connect):
        connect(honest(130))
        found = results.find_listing(context_of(), "k117")
        assert found.value == listing(117)
        assert not found.stale

    def test_what_is_not_in_the_answer_is_not_found(self, connect):
        connect(honest(130))
        assert results.find_listing(context_of(), "nobody") is None

    def test_a_gateway_that_is_away_finds_nothing(self, connect):
        connect(failing())
        assert results.find_listing(context_of(), "k1") is None


@pytest.mark.usefixtures("patient")
class TestTheCache:
    def test_a_cache_that_keeps_nothing_costs_calls_and_no_page(self, connect):
        connect(honest(70))
        process.put(full_results.ResultSets, full_results.ResultSets(0))
        found = view()
        assert len(found.listings) == 20
        assert found.coverage.exact

    def test_other_price_rules_need_no_other_pages(self, connect):
        gateway = connect(honest(70))
        assert totals(view())[0] == 100
        assert totals(view(site=dataclasses.replace(SITE, price_basis=PriceBasis.NIGHT)))[0] == 300
        assert gateway.pages == [0, 1]


def test_the_time_of_an_answer_is_that_of_its_oldest_page(connect, patient, clock):
    connect(honest(70))
    FullResults(context_of()).fresh_or_first_page()
    clock.pass_seconds(200)
    assert view().fetched_at == NOW
