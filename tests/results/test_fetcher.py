"""Views of an answer that is still coming in, and of one that never came in full."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from functools import partial
from itertools import count
from threading import current_thread, main_thread
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from django.core.cache import cache

from search.domain import process
from search.domain.query import Refinement
from search.gateway import resilience
from search.gateway.cache_store import CachedValue
from search.gateway.errors import Unavailable
from search.gateway.search_page import SearchPage
from search.results import fetcher, full_results
from search.results.full_results import FullResults
from search.results.pagination import Coverage, CoverageState, Pagination
from tests.results.cached_views import SEARCH, context_of, progress, settle, view
from tests.scripted_gateway import LONG, honest, page_of


@pytest.mark.usefixtures("impatient")
class TestWhileItIsComingIn:
    def test_the_first_page_is_there_at_once_and_says_how_far_it_reaches(self, connect):
        gateway = connect(honest(412), hold=True)
        found = view()
        assert len(found.listings) == 20
        assert found.refined.coverage == Coverage(CoverageState.FETCHING, 50, 412, 412)
        assert found.last_page == 21
        gateway.release()

    def test_repeats_leave_open_how_many_it_will_be_and_no_link_leads_further_than_what_is_there(
        self, connect
    ):
        shown = [*range(40), *range(410)]
        gateway = connect(lambda page, size: page_of(shown[page * size : (page + 1) * size], 450), hold=True)
        found = view()
        assert found.refined.coverage == Coverage(CoverageState.FETCHING, 40, None, None)
        assert found.last_page == 2
        gateway.release()

    def test_progress_goes_on_to_the_end_and_the_page_becomes_exact(self, connect):
        gateway = connect(honest(412), hold=True)
        view()
        assert progress() == Coverage(CoverageState.FETCHING, 50, 412, 412)
        gateway.release()
        settle()
        assert progress() == Coverage(CoverageState.COMPLETE, 412, 412, 412)
        assert view().refined.coverage.exact

    def test_progress_starts_a_fetch_where_another_process_shows_the_page(self, connect):
        gateway = connect(honest(120))
        assert progress().state in (CoverageState.FETCHING, CoverageState.COMPLETE)
        settle()
        assert progress().exact
        assert gateway.pages == [0, 1, 2]

    def test_many_visitors_share_one_fetch(self, connect):
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

    def test_a_first_page_with_many_repeats_is_waited_beyond_for_the_second(self, connect):
        shown = [*range(25), *range(25), *range(25, 412)]
        gateway = connect(lambda page, size: page_of(shown[page * size : (page + 1) * size], 437), hold=True)
        with ThreadPoolExecutor(1) as visitor:
            seen = visitor.submit(view, page=2)
            gateway.wait_until_waiting(4)
            gateway.release()
            assert len(seen.result(LONG).listings) == 20

    def test_nothing_is_not_said_before_the_others_are_in(self, connect):
        modest = [number for number in range(60) if number % 10 < 9][:50]

        def script(page: int, size: int) -> SearchPage:
            return honest(412)(page, size) if page else page_of(modest, 412)

        gateway = connect(script, hold=True)
        with ThreadPoolExecutor(1) as visitor:
            seen = visitor.submit(view, Refinement(min_rating=Decimal(9)))
            gateway.wait_until_waiting(1)
            gateway.release()
            found = seen.result(LONG)
        assert found.refined.matching > 0

    def test_a_failure_half_way_keeps_what_is_there_and_says_so(self, connect):
        def script(page: int, size: int):
            if page > 3:
                raise Unavailable("timeout")
            return honest(412)(page, size)

        connect(script)
        view()
        settle()
        found = view()
        assert found.refined.coverage == Coverage(CoverageState.PARTIAL, 200, 412, 412, lost=True)
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
        assert view().refined.coverage.state is CoverageState.PARTIAL
        broken = False
        clock.pass_seconds(11)
        view()
        settle()
        assert view().refined.coverage == Coverage(CoverageState.COMPLETE, 150, 150, 150)

    def test_a_surprise_in_a_thread_ends_the_fetch_instead_of_hanging_it(self, connect):
        def script(page: int, size: int):
            if page == 1:
                raise RuntimeError("surprise")
            return honest(412)(page, size)

        connect(script)
        view()
        settle()
        assert view().refined.coverage.state is CoverageState.PARTIAL

    def test_a_page_that_got_no_thread_is_not_fetched_after_all_once_the_fetch_has_ended(self, connect):
        gateway, kept = connect(honest(412)), []
        waiting: list[Callable[[], object]] = []

        class Pool:
            """Keeps what it has no thread for, as the library's own does."""

            def submit(self, *work: Any) -> None:
                waiting.append(partial(*work))
                if len(waiting) > 1:
                    raise RuntimeError("can't start new thread")

            def shutdown(self, **_how: object) -> None:
                """It has no threads."""

        process.put(fetcher.build_pool, Pool())
        pages = Pagination(50, 412, expected=412)
        fetch = fetcher.Fetch(
            lambda number, size: (
                gateway.search(SEARCH, page=number, size=size, site=None, deadline=None),
                size,
            ),
            kept.append,
            pagination=pages,
            at_once=4,
            pace=0.0,
        )
        fetch.begin(None, lambda: None)
        for work in waiting:
            work()
        assert (gateway.pages, fetch.done, len(kept)) == ([0], True, 1)

    @pytest.mark.parametrize(("pace", "waits"), [(1_000.0, False), (0.0, True)])
    def test_only_pages_that_are_due_soon_are_waited_for(self, connect, pace, waits):
        gateway = connect(honest(412), hold=True)
        first = gateway.search(SEARCH, page=0, size=50, site=None, deadline=None)
        fetch = fetcher.Fetch(
            lambda number, size: (
                gateway.search(SEARCH, page=number, size=size, site=None, deadline=None),
                size,
            ),
            lambda _fetched: None,
            pagination=Pagination(50, 412),
            at_once=4,
            pace=pace,
        )
        fetch.begin(first, lambda: None)
        with ThreadPoolExecutor() as pool:
            waiting = pool.submit(fetch.wait_for_due, LONG, 4)
            gateway.wait_until_waiting(4)
            if not waits:
                waiting.result(LONG / 2)
            assert waiting.done() is not waits
            gateway.release()
            waiting.result(LONG)

    def test_too_many_fetches_at_once_still_show_first_pages(self, connect, monkeypatch):
        monkeypatch.setattr(fetcher, "MOST_AT_ONCE", 1)
        gateway = connect(honest(412), hold=True)
        view()
        found = view(search=msgspec.structs.replace(SEARCH, place="Oslo"))
        assert len(found.listings) == 20
        assert found.refined.coverage.state is CoverageState.FETCHING
        gateway.release()


class TestWhereAnswersAreMadeInThisProcess:
    """Who waits for the results makes the calls: threads that take turns for it take longer."""

    def test_the_first_view_is_exact_and_no_two_calls_were_made_at_once(self, connect, monkeypatch):
        monkeypatch.setattr(full_results, "PATIENCE_SECONDS", LONG)
        gateway = connect(honest(412))
        gateway.answers_at_once = True
        assert view().refined.coverage == Coverage(CoverageState.COMPLETE, 412, 412, 412)
        assert (gateway.pages, gateway.most_at_once) == ([*range(9)], 1)

    def test_its_cards_come_from_what_was_fetched_whatever_the_cache_has(self, connect, monkeypatch):
        monkeypatch.setattr(full_results, "PATIENCE_SECONDS", LONG)
        gateway = connect(honest(412))
        gateway.answers_at_once = True
        process.part(full_results.build_page_sizes).learn(context_of(), 50, honest(412)(0, 50))
        available = FullResults(context_of()).available(enough=20)
        cache.clear()
        rows = available.result_set.rows[:20]
        listings, _all_had = available.listings(rows)
        assert (len(gateway.calls), len(listings)) == (9, 20)

    @pytest.mark.parametrize("at_once", [False, True])
    def test_no_page_is_kept_beside_the_results_unless_others_may_wait_for_it(
        self, connect, monkeypatch, at_once
    ):
        monkeypatch.setattr(full_results, "PATIENCE_SECONDS", LONG)
        gateway = connect(honest(412))
        gateway.answers_at_once = at_once
        view()
        settle()
        assert gateway.kept == [not at_once] + [False] * 8

    def test_none_of_them_is_a_call_behind_pages(self, connect, monkeypatch):
        monkeypatch.setattr(full_results, "PATIENCE_SECONDS", LONG)
        behind = []

        def script(page: int, size: int):
            behind.append(resilience._behind.get())
            return honest(412)(page, size)

        connect(script).answers_at_once = True
        view()
        assert behind == [False] * 9

    @pytest.mark.parametrize("patience", [0.0, 6.0, 1_000.0])
    def test_what_there_is_no_time_for_is_left_to_the_pool(self, connect, monkeypatch, patience):
        gateway, kept, here = connect(honest(412)), [], []

        def page(number: int, size: int) -> tuple[CachedValue[SearchPage], int]:
            here.append(current_thread() is main_thread())
            return gateway.search(SEARCH, page=number, size=size, site=None, deadline=None), size

        seconds = count()
        monkeypatch.setattr(fetcher, "time", SimpleNamespace(monotonic=lambda: next(seconds) / 4))
        fetch = fetcher.Fetch(
            page, kept.append, pagination=Pagination(50, 412), at_once=4, pace=0.0, own_calls=True,
            seconds=1e9,
        )  # fmt: skip
        fetch.begin(None, lambda: None)
        fetch.work(patience)
        fetch.wait(LONG)
        (fetched,) = kept
        assert fetched.coverage == Coverage(CoverageState.COMPLETE, 412, 412, 412)
        assert here == sorted(here, reverse=True)
        assert (any(here), all(here)) == (patience > 0, patience > 6)

    def test_a_call_that_fails_ends_neither_page_nor_results(self, connect, monkeypatch):
        monkeypatch.setattr(full_results, "PATIENCE_SECONDS", LONG)

        def script(page: int, size: int):
            if page == 3:
                raise Unavailable("status", 502)
            return honest(412)(page, size)

        connect(script).answers_at_once = True
        found = view()
        assert len(found.listings) == 20
        assert found.refined.coverage == Coverage(CoverageState.PARTIAL, 362, 412, 412, lost=True)

    @pytest.mark.usefixtures("impatient")
    def test_the_pool_makes_one_page_at_a_time_too(self, connect):
        gateway = connect(honest(412))
        gateway.answers_at_once = True
        searches = [msgspec.structs.replace(SEARCH, place=place) for place in ("Rome", "Oslo")]
        for search in searches:
            FullResults(context_of(search)).start_fetch()
        for search in searches:
            settle(search)
        assert (len(gateway.pages), gateway.most_at_once) == (18, 1)

    def test_while_another_has_its_turn_all_calls_are_left_to_the_pool(self, connect, monkeypatch):
        monkeypatch.setattr(full_results, "PATIENCE_SECONDS", LONG)
        threads = set()

        def script(page: int, size: int):
            threads.add(current_thread())
            return honest(412)(page, size)

        connect(script).answers_at_once = True
        with process.part(fetcher.build_turn), ThreadPoolExecutor(1) as visitor:
            fetch = visitor.submit(FullResults(context_of()).start_fetch, patience=LONG).result(LONG)
            assert (threads, fetch.done) == (set(), False)
        fetch.wait(LONG)
        assert fetch.coverage() == Coverage(CoverageState.COMPLETE, 412, 412, 412)
        assert visitor._threads.isdisjoint(threads)
