"""Views of an answer that is still coming in, and of one that never came in full."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import msgspec
import pytest

from search.domain.query import Refinement
from search.gateway import Unavailable
from search.gateway.search_page import SearchPage
from search.results import fetcher
from search.results.pagination import Coverage, CoverageState
from tests.results.cached_views import SEARCH, progress, settle, view
from tests.scripted_gateway import LONG, honest, page_of


@pytest.mark.usefixtures("impatient")
class TestWhileItIsComingIn:
    def test_the_first_page_is_there_and_says_how_far_it_reaches(self, connect):
        gateway = connect(honest(412), hold=True)
        found = view()
        assert len(found.listings) == 20
        assert found.coverage == Coverage(CoverageState.FETCHING, 50, 412, 412)
        assert found.last_page == 21
        gateway.release()

    def test_repeats_leave_open_how_many_it_will_be(self, connect):
        shown = [*range(40), *range(410)]
        gateway = connect(lambda page, size: page_of(shown[page * size : (page + 1) * size], 450), hold=True)
        found = view()
        assert found.coverage == Coverage(CoverageState.FETCHING, 40, None, None)
        assert found.last_page == 2
        gateway.release()

    def test_progress_goes_on_to_the_end_and_the_page_becomes_exact(self, connect):
        gateway = connect(honest(412), hold=True)
        view()
        assert progress() == Coverage(CoverageState.FETCHING, 50, 412, 412)
        gateway.release()
        settle()
        assert progress() == Coverage(CoverageState.COMPLETE, 412, 412, 412)
        assert view().coverage.exact

    def test_progress_starts_a_fetch_for_another_process(self, connect):
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
        assert found.matching > 0

    def test_a_failure_half_way_keeps_what_is_there_and_says_so(self, connect):
        def script(page: int, size: int):
            if page > 3:
                raise Unavailable("timeout")
            return honest(412)(page, size)

        connect(script)
        view()
        settle()
        found = view()
        assert found.coverage == Coverage(CoverageState.PARTIAL, 200, 412, 412, lost=True)
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
        assert view().coverage.state is CoverageState.PARTIAL
        broken = False
        clock.pass_seconds(11)
        view()
        settle()
        assert view().coverage == Coverage(CoverageState.COMPLETE, 150, 150, 150)

    def test_a_surprise_in_a_thread_ends_the_fetch(self, connect):
        def script(page: int, size: int):
            if page == 1:
                raise RuntimeError("surprise")
            return honest(412)(page, size)

        connect(script)
        view()
        settle()
        assert view().coverage.state is CoverageState.PARTIAL

    def test_too_many_fetches_at_once_still_show_first_pages(self, connect, monkeypatch):
        monkeypatch.setattr(fetcher, "MOST_AT_ONCE", 1)
        gateway = connect(honest(412), hold=True)
        view()
        found = view(search=msgspec.structs.replace(SEARCH, place="Oslo"))
        assert len(found.listings) == 20
        assert found.coverage.state is CoverageState.FETCHING
        gateway.release()
