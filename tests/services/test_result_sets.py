"""Refined views over a gateway that behaves in every way a gateway can."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from decimal import Decimal

import msgspec
import pytest
from django.core.cache import cache
from django.utils import timezone

from search.domain.deadline import Deadline
from search.domain.found import FoundStays
from search.domain.gathering import Coverage, Reach
from search.domain.offers import PriceBasis
from search.domain.refinement import Refinement, Sort
from search.domain.site import Block, ProviderEntry, Site
from search.domain.stay import StayDates, StaySearch
from search.gateway.errors import GatewayError, Rejected, Unavailable
from search.services import answers, collecting, result_sets
from tests.scripted_gateway import LONG, NOW, ScriptedGateway, failing, honest, listing, page_of

TODAY = date(2030, 4, 1)
SITE = Site(page_size=20, cap=600, parallel_calls=4, search_fresh_seconds=300)
SEARCH = StaySearch("Rome", StayDates(date(2030, 5, 1), date(2030, 5, 4)), 2, (), "EUR", "en-gb")
PLAIN = Refinement()


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def pass_seconds(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(timezone, "now", lambda: clock.now)
    return clock


@pytest.fixture
def connect(monkeypatch: pytest.MonkeyPatch) -> Callable[..., ScriptedGateway]:
    """Puts a scripted gateway in place of the site's."""

    def connect(script: Callable, **options: bool) -> ScriptedGateway:
        scripted = ScriptedGateway(script, **options)
        monkeypatch.setattr(answers, "gateway", lambda: scripted)
        return scripted

    return connect


@pytest.fixture(autouse=True)
def _ends_what_it_began() -> None:
    """No collection of one test runs on in the next."""
    yield
    for collection in [*answers._collections._running.values()]:
        collection.wait(LONG)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Views wait for the whole answer, however long it takes."""
    monkeypatch.setattr(answers, "PATIENCE_SECONDS", LONG)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Views show the first page as soon as it is there."""
    monkeypatch.setattr(answers, "PATIENCE_SECONDS", -1.0)


def view(
    refinement: Refinement = PLAIN, page: int = 1, *, search: StaySearch = SEARCH, site: Site = SITE
) -> FoundStays:
    return result_sets.refined(search, refinement, page, site=site, today=TODAY, deadline=soon(), anchor=None)


def soon(seconds: float = LONG) -> Deadline:
    return Deadline(seconds, time.monotonic)


def settle(search: StaySearch = SEARCH, site: Site = SITE) -> None:
    answers.whole(search, site, soon())


def keys(found: FoundStays) -> list[str]:
    return [card.listing.property.key for card in found.listings]


def totals(found: FoundStays) -> list[Decimal]:
    return [card.offers[0].total.total.amount for card in found.listings]


@pytest.mark.usefixtures("patient")
class TestOverTheWholeAnswer:
    def test_the_default_order_is_the_lowest_total_of_all_pages(self, connect):
        connect(honest(130))
        found = view()
        everything = sorted(100 + (number * 37) % 101 for number in range(130))
        assert totals(found) == everything[:20]
        assert found.refined.coverage == Coverage(Reach.COMPLETE, 130, 130, 130)
        assert (found.total, found.last_page, found.more) == (130, 7, True)

    def test_pages_partition_the_answer(self, connect):
        connect(honest(130))
        shown = [key for page in range(1, 8) for key in keys(view(page=page))]
        assert sorted(shown) == sorted(f"k{number}" for number in range(130))

    def test_a_page_behind_the_end_is_empty_and_knows_the_end(self, connect):
        connect(honest(130))
        found = view(page=99)
        assert (found.listings, found.last_page, found.more) == ((), 7, False)

    def test_other_views_of_the_same_search_ask_nothing_more(self, connect):
        gateway = connect(honest(130))
        view()
        before = len(gateway.calls)
        view(Refinement(sort=Sort.RATING, min_rating=Decimal(5)), page=2)
        assert (before, len(gateway.calls)) == (3, 3)

    def test_filters_count_over_all_pages(self, connect):
        connect(honest(130))
        found = view(Refinement(min_rating=Decimal(9)))
        assert found.refined.matching == 13
        assert len(found.listings) == 13

    def test_a_cap_is_said_with_the_total(self, connect):
        gateway = connect(honest(8_214))
        found = view()
        assert found.refined.coverage == Coverage(Reach.CAPPED, 600, 8_214, 600)
        assert (found.last_page, len(gateway.calls)) == (30, 12)

    def test_calls_run_side_by_side_and_never_more_than_the_site_allows(self, connect):
        gateway = connect(honest(600), hold=True)
        with ThreadPoolExecutor(1) as visitor:
            seen = visitor.submit(view)
            gateway.wait_until_waiting(SITE.parallel_calls)
            gateway.release()
            seen.result(LONG)
        assert gateway.most_at_once == SITE.parallel_calls

    @pytest.mark.parametrize("said", [100, 149, 151, 400, 0])
    def test_a_wrong_total_changes_nothing_that_is_shown(self, connect, said):
        connect(honest(130, total=said))
        found = view(page=7)
        assert found.refined.coverage == Coverage(Reach.COMPLETE, 130, 130, 130)
        assert (len(found.listings), found.last_page) == (10, 7)

    def test_a_missing_total_is_found_out(self, connect):
        connect(lambda page, size: page_of(range(130)[page * size : (page + 1) * size], None))
        assert view().refined.coverage == Coverage(Reach.COMPLETE, 130, 130, 130)

    def test_a_moving_total_is_followed(self, connect):
        connect(lambda page, size: page_of(range(130)[page * size : (page + 1) * size], 90 + 20 * page))
        assert view().refined.coverage == Coverage(Reach.COMPLETE, 130, 130, 130)

    def test_a_property_on_two_pages_is_one_card_with_all_its_offers(self, connect):
        again = listing(3, total=50, provider="EX")

        def script(page: int, size: int):
            honestly = honest(60)(page, size)
            return (
                msgspec.structs.replace(honestly, listings=(*honestly.listings, again)) if page else honestly
            )

        connect(script)
        found = view()
        assert keys(found)[0] == "k3"
        assert [one.offer.provider for one in found.listings[0].offers] == ["EX", "HB"]
        assert found.refined.coverage.compared == 60

    def test_an_ignored_page_number_claims_no_more_than_was_seen(self, connect):
        gateway = connect(lambda _page, size: honest(500)(0, size))
        found = view()
        assert found.refined.coverage == Coverage(Reach.PARTIAL, 50, 500, 500)
        assert found.last_page == 3
        assert len(gateway.calls) <= 1 + SITE.parallel_calls

    def test_every_third_page_failing_leaves_the_others_and_says_so(self, connect):
        def script(page: int, size: int):
            if page % 3 == 2:
                raise Unavailable("status", 503)
            return honest(300)(page, size)

        connect(script)
        found = view()
        assert found.refined.coverage == Coverage(Reach.PARTIAL, 200, 300, 300)
        assert found.last_page == 10

    def test_nothing_found_is_an_answer(self, connect):
        gateway = connect(honest(0))
        found = view()
        assert (found.listings, found.total, found.last_page, len(gateway.calls)) == ((), 0, 1, 1)

    def test_an_empty_view_says_what_each_filter_costs(self, connect):
        connect(honest(130))
        found = view(Refinement(min_rating=Decimal(9), max_price=Decimal(100)))
        assert found.refined.matching == 0
        assert {drop.name: drop.regains for drop in found.refined.drops} == {"max_price": 13, "min_rating": 2}

    def test_blocked_properties_and_disabled_providers_are_neither_shown_nor_counted(self, connect):
        shown = [listing(1), listing(2), listing(3, provider="EX")]
        connect(lambda _page, _size: page_of([], 3) if _page else _search_page(shown))
        site = msgspec.structs.replace(
            SITE, blocks=(Block("k1"),), providers=(ProviderEntry("EX", "Example", enabled=False),)
        )
        found = view(site=site)
        assert keys(found) == ["k2"]
        assert found.refined.coverage == Coverage(Reach.COMPLETE, 1, 1, 1)
        assert sorted(keys(view())) == ["k1", "k2", "k3"]

    def test_the_card_leads_with_the_cheapest_offer_that_passes_the_filters(self, connect):
        cheap, flexible = listing(1, total=100), listing(1, total=140, provider="EX", free=True)
        both = msgspec.structs.replace(cheap, offers=(*cheap.offers, *flexible.offers))
        connect(lambda _page, _size: _search_page([both]))
        assert totals(view()) == [100]
        assert view().listings[0].flexibility.amount == 40
        found = view(Refinement(free_cancellation=True))
        assert totals(found) == [140]
        assert found.listings[0].flexibility is None

    def test_an_answer_over_all_stars_serves_a_search_for_some_of_them(self, connect):
        gateway = connect(honest(130))
        view()
        before = len(gateway.calls)
        found = view(search=msgspec.structs.replace(SEARCH, stars=(4,)))
        assert {card.listing.property.stars for card in found.listings} == {4}
        assert len(gateway.calls) == before
        stars = next(facet for facet in found.refined.facets if facet.name == "stars")
        assert {value.value: value.count for value in stars.values}["5"] == 52
        assert found.refined.coverage == Coverage(Reach.COMPLETE, 26, 26, 26)

    def test_choosing_stars_asks_anew_where_the_cap_cut_the_answer(self, connect):
        gateway = connect(honest(8_214))
        view()
        before = len(gateway.calls)
        view(search=msgspec.structs.replace(SEARCH, stars=(4,)))
        assert len(gateway.calls) > before
        assert gateway.calls[-1][1] == (4,)

    def test_a_gateway_that_refuses_large_pages_is_asked_for_smaller_ones(self, connect):
        def script(page: int, size: int):
            if size > 20:
                raise Rejected("request", 400)
            return honest(130)(page, size)

        connect(script)
        assert view().refined.coverage == Coverage(Reach.COMPLETE, 130, 130, 130)


def _search_page(listings: list) -> object:
    return msgspec.structs.replace(
        page_of([], len(listings)), listings=tuple(listings), received=len(listings)
    )


@pytest.mark.usefixtures("impatient")
class TestWhileItIsComingIn:
    def test_the_first_page_is_there_at_once_and_says_how_far_it_reaches(self, connect):
        gateway = connect(honest(412), hold=True)
        found = view()
        assert len(found.listings) == 20
        assert found.refined.coverage == Coverage(Reach.GATHERING, 50, 412, 412)
        assert found.last_page == 21
        gateway.release()

    def test_progress_goes_on_to_the_end_and_the_page_becomes_exact(self, connect):
        gateway = connect(honest(412), hold=True)
        view()
        assert result_sets.progress(SEARCH, site=SITE) == Coverage(Reach.GATHERING, 50, 412, 412)
        gateway.release()
        settle()
        assert result_sets.progress(SEARCH, site=SITE) == Coverage(Reach.COMPLETE, 412, 412, 412)
        assert view().refined.coverage.exact

    def test_progress_starts_a_collection_where_another_process_shows_the_page(self, connect):
        gateway = connect(honest(120))
        assert result_sets.progress(SEARCH, site=SITE).reach in (Reach.GATHERING, Reach.COMPLETE)
        settle()
        assert result_sets.progress(SEARCH, site=SITE).exact
        assert gateway.pages == [0, 1, 2]

    def test_many_visitors_share_one_collection(self, connect):
        gateway = connect(honest(412), hold=True)
        with ThreadPoolExecutor(20) as visitors:
            seen = [visitors.submit(view) for _ in range(20)]
            assert all(len(one.result(LONG).listings) == 20 for one in seen)
        gateway.release()
        settle()
        assert [page for page in gateway.pages if page] == list(range(1, 9))

    def test_a_far_page_waits_for_its_properties(self, connect):
        gateway = connect(honest(412), hold=True)
        with ThreadPoolExecutor(1) as visitor:
            seen = visitor.submit(view, page=5)
            gateway.release()
            assert len(seen.result(LONG).listings) == 20

    def test_a_failure_half_way_keeps_what_is_there_and_says_so(self, connect):
        def script(page: int, size: int):
            if page > 3:
                raise Unavailable("timeout")
            return honest(412)(page, size)

        connect(script)
        view()
        settle()
        found = view()
        assert found.refined.coverage == Coverage(Reach.PARTIAL, 200, 412, 412)
        assert found.last_page == 10

    def test_missing_pages_are_tried_again_after_a_while(self, connect, clock):
        broken = True

        def script(page: int, size: int):
            if page == 2 and broken:
                raise Unavailable("status", 502)
            return honest(150)(page, size)

        connect(script)
        view()
        settle()
        assert view().refined.coverage.reach is Reach.PARTIAL
        broken = False
        clock.pass_seconds(31)
        view()
        settle()
        assert view().refined.coverage == Coverage(Reach.COMPLETE, 150, 150, 150)

    def test_a_surprise_in_a_thread_ends_the_collection_instead_of_hanging_it(self, connect):
        def script(page: int, size: int):
            if page == 1:
                raise RuntimeError("surprise")
            return honest(412)(page, size)

        connect(script)
        view()
        settle()
        assert view().refined.coverage.reach is Reach.PARTIAL

    def test_too_many_collections_at_once_still_show_first_pages(self, connect, monkeypatch):
        monkeypatch.setattr(collecting, "MOST_AT_ONCE", 1)
        gateway = connect(honest(412), hold=True)
        view()
        found = view(search=msgspec.structs.replace(SEARCH, place="Oslo"))
        assert len(found.listings) == 20
        assert found.refined.coverage.reach is Reach.GATHERING
        gateway.release()


@pytest.mark.usefixtures("patient")
class TestAge:
    def test_an_answer_older_than_its_fresh_time_is_collected_again(self, connect, clock):
        gateway = connect(honest(70))
        view()
        clock.pass_seconds(301)
        gateway.fetched_at = clock.now
        found = view()
        assert (found.stale, found.fetched_at, len(gateway.calls)) == (False, clock.now, 4)

    def test_a_gateway_that_is_away_leaves_the_kept_answer_and_its_age(self, connect, clock):
        connect(honest(70))
        view()
        clock.pass_seconds(3_600)
        connect(failing())
        found = view()
        assert (found.stale, found.fetched_at, len(found.listings)) == (True, NOW, 20)
        assert found.refined.coverage.exact

    def test_a_stale_first_page_means_the_kept_answer_is_shown_as_stale(self, connect, clock):
        gateway = connect(honest(70))
        view()
        clock.pass_seconds(3_600)
        gateway.stale = True
        assert view().stale
        assert len(gateway.calls) == 3

    def test_with_no_fresh_time_at_all_a_page_still_settles(self, connect):
        site = msgspec.structs.replace(SITE, search_fresh_seconds=0)
        connect(honest(412))
        view(site=site)
        settle(site=site)
        assert result_sets.progress(SEARCH, site=site).exact
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
        assert result_sets.progress(SEARCH, site=SITE).reach is not Reach.GATHERING


@pytest.mark.usefixtures("patient")
class TestFinding:
    def test_a_listing_is_found_wherever_it_is_in_the_answer(self, connect):
        connect(honest(130))
        found = result_sets.find("k117", SEARCH, site=SITE, deadline=soon())
        assert found == listing(117)

    def test_what_is_not_in_the_answer_is_not_found(self, connect):
        connect(honest(130))
        assert result_sets.find("nobody", SEARCH, site=SITE, deadline=soon()) is None

    def test_a_gateway_that_is_away_finds_nothing(self, connect):
        connect(failing())
        assert result_sets.find("k1", SEARCH, site=SITE, deadline=soon()) is None


@pytest.mark.usefixtures("patient")
class TestTheCache:
    def test_listings_that_fell_out_of_the_cache_are_fetched_from_their_pages(self, connect, monkeypatch):
        gateway = connect(honest(130))
        view()
        for key in [name for name in _cache_keys() if name.count(":") == 4]:
            cache.delete(key)
        before = len(gateway.calls)
        assert len(view().listings) == 20
        assert len(gateway.calls) > before

    def test_rubbish_in_the_cache_is_no_answer(self, connect):
        gateway = connect(honest(70))
        view()
        for key in _cache_keys():
            cache.set(key, b"rubbish")
        assert len(view().listings) == 20
        assert len(gateway.calls) == 4

    def test_a_cache_that_keeps_nothing_costs_calls_and_no_page(self, connect, monkeypatch):
        connect(honest(70))
        monkeypatch.setattr(answers._shelf._shelf, "get", lambda _key: None)
        found = view()
        assert len(found.listings) == 20
        assert found.refined.coverage.exact

    def test_price_rules_are_part_of_the_key(self, connect):
        gateway = connect(honest(70))
        view()
        view(site=msgspec.structs.replace(SITE, price_basis=PriceBasis.NIGHT))
        assert len(gateway.calls) == 4


def _cache_keys() -> list[str]:
    return [key.split(":", 2)[2] for key in cache._cache]


def test_the_time_of_an_answer_is_that_of_its_oldest_page(connect, patient):
    gateway = connect(honest(70))
    gateway.age_of_page = {1: timedelta(seconds=200)}
    assert view().fetched_at == NOW - timedelta(seconds=200)
