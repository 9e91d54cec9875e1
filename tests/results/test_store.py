"""Answers that are kept: their age, what is found in them, and a cache that fails."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from datetime import timedelta

import msgspec
import pytest
from django.core.cache import cache
from django.core.cache.backends.dummy import DummyCache

from search.domain import process
from search.domain.offers import Listing, PriceBasis
from search.domain.query import Refinement, Sort
from search.gateway.cache_store import fingerprint
from search.gateway.errors import GatewayError, Unavailable
from search.gateway.outlines import outline_of
from search.gateway.search_page import SearchPage
from search.results import fetcher, full_results
from search.results import service as results
from search.results.full_results import (
    FORM,
    KEPT_IN_PROCESS,
    LISTINGS_PER_CHUNK,
    LISTINGS_TOGETHER,
    FullResults,
    ResultSet,
    ResultStore,
)
from search.results.index import RowIndex, row_of
from search.results.pagination import Coverage, CoverageState
from tests import builders as build
from tests.results.cached_views import SEARCH, SITE, context_of, keys, progress, settle, totals, view
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
        gateway.fetched_at = clock.now
        found = view()
        assert (found.stale, found.fetched_at, len(gateway.calls)) == (False, clock.now, 4)

    def test_an_answer_from_ahead_of_a_clock_that_was_set_back_is_collected_again(self, connect, clock):
        gateway = connect(honest(70))
        view()
        clock.pass_seconds(-3_600)
        gateway.fetched_at = clock.now
        found = view()
        assert (found.stale, found.fetched_at, len(gateway.calls)) == (False, clock.now, 4)

    @pytest.mark.parametrize("count", [130, 8_214])
    def test_risen_prices_are_shown_within_twice_the_fresh_time_repeats_or_not(self, connect, clock, count):
        gateway = connect(priced_at(100, count))
        view()
        clock.pass_seconds(2 * SITE.search_fresh_seconds)
        gateway.fetched_at, gateway.script = clock.now, priced_at(400, count, repeats=True)
        found = view()
        assert (totals(found)[0], found.stale) == (400, False)

    def test_more_that_was_there_outlives_lost_pages_until_it_is_a_day_old(self, connect, clock):
        gateway = connect(priced_at(100, 130))
        view()
        gateway.script = without_page(1, priced_at(400, 130))
        for hours, lowest, coverage in ((1, 100, True), (20, 100, True), (4, 400, False)):
            clock.pass_seconds(hours * 3_600)
            gateway.fetched_at = clock.now
            settle()
            found = view()
            assert (totals(found)[0], found.refined.coverage.exact) == (lowest, coverage)

    def test_a_gateway_that_is_away_leaves_the_kept_answer_and_its_age(self, connect, clock):
        connect(honest(70))
        view()
        clock.pass_seconds(3_600)
        connect(failing())
        found = view()
        assert (found.stale, found.fetched_at, len(found.listings)) == (True, NOW, 20)
        assert found.refined.coverage.exact

    def test_a_gateway_that_is_away_leaves_some_stars_what_is_kept_of_all(self, connect, clock):
        connect(honest(70))
        view()
        clock.pass_seconds(3_600)
        connect(failing())
        found = view(search=msgspec.structs.replace(SEARCH, stars=(4,)))
        assert (found.stale, found.fetched_at, found.total) == (True, NOW, 14)
        assert {card.listing.property.stars for card in found.listings} == {4}

    def test_a_gateway_that_is_away_leaves_some_stars_the_newer_of_their_own_and_of_all(self, connect, clock):
        some = msgspec.structs.replace(SEARCH, stars=(4,))
        gateway = connect(honest(70))
        for search in (some, SEARCH, some):
            clock.pass_seconds(3_600)
            gateway.script, gateway.fetched_at = honest(70), clock.now
            view(search=search)
            clock.pass_seconds(3_600)
            gateway.script = failing()
            assert view(search=some).fetched_at == gateway.fetched_at

    def test_old_ones_of_all_stars_don_t_replace_newer_ones_of_some_for_being_collected_again(
        self, connect, clock
    ):
        some = msgspec.structs.replace(SEARCH, stars=(4,))
        gateway = connect(honest(70))
        view()
        clock.pass_seconds(3_600)
        gateway.fetched_at = newer = clock.now
        view(search=some)
        gateway.stale, gateway.fetched_at = True, NOW
        view()
        settle()
        found = view(search=some)
        assert (found.stale, found.fetched_at) == (False, newer)

    def test_a_gateway_that_is_away_leaves_its_own_order_what_is_kept_of_another(self, connect, clock):
        connect(honest(70))
        view()
        clock.pass_seconds(3_600)
        connect(failing())
        found = results.find(context_of(refinement=Refinement(sort=Sort.PROVIDER)), 2)
        assert keys(found) == [f"k{number}" for number in range(20, 40)]
        assert (found.stale, found.fetched_at, found.total, found.last_page) == (True, NOW, 70, 4)

    def test_its_own_order_has_no_more_pages_than_are_kept_while_the_gateway_is_away(self, connect):
        connect(honest(8_214))
        view()
        connect(failing())
        context = context_of(refinement=Refinement(sort=Sort.PROVIDER))
        found = results.find(context, 30)
        assert (len(found.listings), found.stale, found.total) == (20, False, 8_214)
        assert found.has_next
        with pytest.raises(Unavailable):
            results.find(context, 31)

    @pytest.fixture
    def gateway(self, connect, clock):
        """One that is away since an hour ago: what comes of it are copies of before."""
        connected = connect(honest(70))
        view()
        clock.pass_seconds(3_600)
        connected.stale = True
        return connected

    def test_a_stale_first_page_means_the_kept_answer_is_shown_as_stale(self, gateway):
        assert view().stale
        assert gateway.calls[2] == (0, ())

    def test_newer_prices_are_promised_only_while_they_are_fetched(self, gateway):
        found = view()
        assert (found.stale, found.newer_coming) == (True, True)
        settle()
        found = view()
        assert (found.stale, found.newer_coming) == (True, False)

    def test_nothing_newer_is_promised_of_a_gateway_that_nobody_may_ask(self, gateway):
        gateway.resting = Unavailable("open")
        gateway.calls.clear()
        found = view()
        assert (found.stale, found.newer_coming, gateway.calls) == (True, False, [])

    def test_without_a_gateway_not_every_page_collects_the_same_old_ones_again(self, gateway, clock):
        view()
        settle()
        gateway.calls.clear()
        collected = FullResults(context_of()).cached().result_set.collected_at
        clock.pass_seconds(0.5)
        view()
        results.find_listing(context_of(), "k60")
        settle()
        assert not gateway.calls
        clock.pass_seconds(0.5)
        view()
        settle()
        assert FullResults(context_of()).cached().result_set.collected_at > collected

    def test_a_gateway_that_is_back_is_seen_soon_on_a_page_of_old_ones(self, gateway, clock):
        view()
        settle()
        clock.pass_seconds(1)
        gateway.stale, gateway.fetched_at = False, clock.now
        found = view()
        assert (found.stale, found.fetched_at) == (False, clock.now)

    def test_an_open_page_that_waited_for_newer_ones_is_told_that_none_come(self, gateway, clock):
        assert view().newer_coming
        settle()
        gateway.calls.clear()
        clock.pass_seconds(5)
        assert progress().exact
        assert not gateway.calls

    def test_an_open_page_waits_for_newer_ones_that_do_come_however_lately_the_old_were_collected(
        self, gateway, clock
    ):
        view()
        settle()
        clock.pass_seconds(2)
        gateway.stale, gateway.fetched_at = False, clock.now
        gateway.hold()
        FullResults(context_of()).start_fetch()
        assert progress().state is CoverageState.FETCHING
        gateway.release()
        settle()
        assert progress().exact

    def test_behind_a_page_past_its_time_everything_is_asked_for_anew(self, gateway):
        view()
        settle()
        asked_by_page, behind = gateway.stale_oks[2], gateway.stale_oks[3:]
        assert asked_by_page
        assert behind
        assert not any(behind)

    def test_with_no_fresh_time_at_all_a_page_still_settles(self, connect):
        site = dataclasses.replace(SITE, search_fresh_seconds=0)
        connect(honest(412))
        view(site=site)
        settle(site=site)
        assert progress(site).exact
        assert view(site=site).refined.coverage.exact

    def test_no_copy_and_no_gateway_is_an_error(self, connect):
        connect(failing(Unavailable("open")))
        with pytest.raises(GatewayError):
            view()

    def test_less_than_before_does_not_replace_more(self, connect, clock):
        connect(honest(150))
        view()
        clock.pass_seconds(3_600)

        def script(page: int, size: int):
            if page:
                raise Unavailable("timeout")
            return honest(150)(page, size)

        connect(script)
        view()
        settle()
        found = view()
        assert (found.stale, found.refined.coverage.compared) == (True, 150)
        assert progress().state is not CoverageState.FETCHING


@pytest.mark.usefixtures("patient")
class TestOldResultsThatNothingNewerReplaces:
    """However they come to a page, it says how old their prices are."""

    @pytest.fixture(autouse=True)
    def collected_yesterday(self, connect, clock):
        gateway = connect(honest(130))
        view()
        clock.pass_seconds(20 * 3_600)
        gateway.fetched_at = clock.now

    def test_where_too_many_others_are_fetched(self, monkeypatch):
        monkeypatch.setattr(fetcher, "MOST_AT_ONCE", 0)
        found = view()
        assert (found.stale, found.newer_coming, found.fetched_at) == (True, False, NOW)
        assert FullResults(context_of()).wait_for_all().stale
        assert results.find_listing(context_of(), "k117").stale

    def test_where_the_gateway_is_away(self, connect):
        connect(failing())
        found = FullResults(context_of()).wait_for_all()
        assert (found.stale, len(found.result_set.rows)) == (True, 130)
        assert results.find_listing(context_of(), "k117").stale


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
    def test_listings_that_fell_out_of_the_cache_are_fetched_from_their_pages(self, connect, monkeypatch):
        gateway = connect(honest(130))
        view()
        for key in [name for name in _cache_keys() if name.count(":") == 4]:
            cache.delete(key)
        process.put(full_results.build_store, ResultStore(cache))
        before = len(gateway.calls)
        assert len(view().listings) == 20
        assert len(gateway.calls) > before

    def test_lost_listings_have_the_offers_of_all_pages_that_they_were_on(self, connect):
        def script(page: int, size: int) -> SearchPage:
            again = (listing(3, total=50, provider="EX"),) if page == 1 else ()
            shown = (*map(listing, range(130)[page * size : (page + 1) * size]), *again)
            return build.search_page(shown, 130, len(shown))

        connect(script)
        assert (keys(view())[0], totals(view())[0]) == ("k3", 50)
        for key in [name for name in _cache_keys() if name.count(":") == 4]:
            cache.delete(key)
        process.put(full_results.build_store, ResultStore(cache))
        assert (keys(view())[0], totals(view())[0]) == ("k3", 50)

    def test_lost_listings_come_from_pages_of_the_search_that_the_rows_are_from(self, connect):
        gateway = connect(honest(130))
        view()
        for key in [name for name in _cache_keys() if name.count(":") == 4]:
            cache.delete(key)
        process.put(full_results.build_store, ResultStore(cache))
        four_stars = msgspec.structs.replace(SEARCH, stars=(4,))
        assert len(view(search=four_stars).listings) == 20
        assert {stars for _page, stars in gateway.calls} == {()}

    def test_lost_listings_that_can_not_be_had_again_are_no_empty_list(self, connect):
        connect(honest(130))
        view()
        for key in [name for name in _cache_keys() if name.count(":") == 4]:
            cache.delete(key)
        process.put(full_results.build_store, ResultStore(cache))
        connect(failing())
        with pytest.raises(Unavailable):
            view()
        with pytest.raises(Unavailable):
            results.find_listing(context_of(), "k117")
        assert results.find_listing(context_of(), "nobody") is None

    def test_a_page_that_waited_for_the_results_has_their_listings_whatever_the_cache_has(self, connect):
        gateway = connect(honest(213))
        available = FullResults(context_of()).wait_for_all()
        cache.clear()
        calls, rows = len(gateway.calls), available.result_set.rows
        listings, _all_had = available.listings(rows)
        assert len(gateway.calls) == calls
        assert [listings[row.key].property.name for row in rows] == [row.name for row in rows]

    def test_each_listing_is_read_back_from_its_place_by_a_process_that_did_not_write_it(self, connect):
        connect(honest(213))
        view()
        settle()
        (key,) = {name.split(":")[2] for name in _cache_keys() if name.startswith("results:")}
        other = ResultStore(cache)
        found = other.read(key)
        listings = [other.listings(key, found.stamp, [row.position])[row.position] for row in found.rows]
        assert [one.property.key for one in listings] == [row.key for row in found.rows]
        assert len(listings) == 213
        assert other.listings(key, found.stamp, [212, 213]) == {212: listings[212]}

    def test_listings_that_another_version_packed_in_its_own_form_are_not_looked_for(self):
        assert fingerprint(ResultSet, Listing)[:16] != FORM

    def test_rows_beyond_what_one_entry_holds_are_read_back_unless_some_are_lost(self):
        spread = random.Random(1).randbytes
        row = row_of(outline_of(listing(1)), SEARCH, SITE.price_rules, 0, 0)
        rows = tuple(
            msgspec.structs.replace(row, key=str(number), name=spread(400).hex()) for number in range(3_000)
        )
        whole = Coverage(CoverageState.COMPLETE, 3_000, 3_000, 3_000)
        found = ResultSet("stamp", NOW, NOW, False, whole, 50, rows)
        ResultStore(cache).write("key", found)
        assert ResultStore(cache).read("key") == found
        last = max(_cache_keys(), key=len)
        assert len(cache.get(last)) < 1024 * 1024
        cache.delete(last)
        assert ResultStore(cache).read("key") is None

    def test_rubbish_in_the_cache_is_no_answer(self, connect):
        gateway = connect(honest(70))
        view()
        for key in _cache_keys():
            cache.set(key, b"rubbish")
        process.put(full_results.build_store, ResultStore(cache))
        assert len(view().listings) == 20
        assert len(gateway.calls) == 4

    def test_a_page_seen_before_asks_the_cache_for_little_and_sees_what_others_have_fetched(self, connect):
        connect(honest(130))
        watched = WatchedCache()
        process.put(full_results.build_store, ResultStore(watched))
        view()
        cold = watched.bytes_read
        view()
        assert watched.bytes_read - cold < 100
        other = ResultStore(cache)
        (key,) = {name.split(":")[2] for name in _cache_keys() if name.startswith("results:")}
        kept = process.part(full_results.build_store)
        other.write(
            key, msgspec.structs.replace(other.read(key), collected_at=NOW + timedelta(1), stale=True)
        )
        assert kept.read(key).stale
        other.write(key, msgspec.structs.replace(other.read(key), stamp="other", rows=()))
        assert not view().listings

    def test_an_index_is_made_once_for_rows_that_are_kept_and_goes_with_them(self, connect, monkeypatch):
        made = []
        monkeypatch.setattr(results, "RowIndex", lambda *of: made.append(of[1]) or RowIndex(*of))
        connect(honest(70))
        named = dataclasses.replace(SITE, rating_scale=5)
        view()
        settle()
        view()
        made.clear()
        for _ in range(2):
            view()
            view(Refinement(sort=Sort.STARS))
            view(site=named)
        assert made == [named.for_market("en-gb")]
        made.clear()
        for number in range(KEPT_IN_PROCESS):
            settle(msgspec.structs.replace(SEARCH, place=f"Place {number}"))
        view()
        assert len(made) == 1

    def test_a_cache_that_keeps_nothing_costs_calls_and_no_page(self, connect):
        connect(honest(70))
        process.put(full_results.build_store, ResultStore(DummyCache("nothing", {})))
        found = view()
        assert len(found.listings) == 20
        assert found.refined.coverage.exact

    def test_price_rules_are_part_of_the_key(self, connect):
        gateway = connect(honest(70))
        view()
        view(site=dataclasses.replace(SITE, price_basis=PriceBasis.NIGHT))
        assert gateway.pages.count(1) == 2


class WatchedCache:
    """Django's cache, and how much was read of it."""

    def __init__(self):
        self.bytes_read = 0

    def get(self, key):
        value = cache.get(key)
        self.bytes_read += len(value or "")
        return value

    def __getattr__(self, name):
        return getattr(cache, name)


def _cache_keys() -> list[str]:
    """On local memory, or on Redis where the tests run on that."""
    inside = cache._cache
    keys = inside if isinstance(inside, dict) else [key.decode() for key in inside.get_client().keys("*")]
    return [key.split(":", 2)[2] for key in keys]


def test_how_listings_are_grouped_is_part_of_every_key():
    assert FORM.split("-")[1:] == [str(LISTINGS_PER_CHUNK), str(LISTINGS_TOGETHER)]


def test_the_time_of_an_answer_is_that_of_its_oldest_page(connect, patient):
    gateway = connect(honest(70))
    gateway.age_of_page = {1: timedelta(seconds=200)}
    assert view().fetched_at == NOW - timedelta(seconds=200)
