"""Several processes that share a cache: each page of a search is fetched by one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from django.core.cache import caches
from django.test import Client

from search.domain import process
from search.domain.query import Refinement
from search.domain.site_settings import Site
from search.gateway import factory
from search.gateway.search_page import SearchPage
from search.results import full_results
from search.results import service as results
from search.results.fetcher import Fetch, Fetcher
from search.results.full_results import FullResults
from search.results.pagination import Coverage, CoverageState
from search.site_settings import store
from tests import builders as build
from tests.builders import OURS
from tests.results.cached_views import SEARCH, context_of, end_of_fetches, keys, progress, settle, view
from tests.scripted_gateway import LONG, ScriptedGateway, failing, honest, listing
from tests.waiting import wait_until

pytestmark = pytest.mark.usefixtures("impatient")


@pytest.fixture
def another_process() -> Iterator[Callable[[ScriptedGateway], None]]:
    """Goes on as another process, with the same cache and gateway."""
    fetches: list[Fetch] = []

    def go_on(gateway: ScriptedGateway) -> None:
        for fetcher in (Fetcher, full_results.build_pass_fetcher):
            fetches.extend(process.part(fetcher).under_way.values())
        process.start().put(factory.build_gateway, gateway.in_another_process())

    yield go_on
    for fetch in fetches:
        fetch.wait(LONG)


def test_a_known_search_costs_another_process_no_call(connect, another_process):
    gateway = connect(honest(412))
    settle()
    calls = len(gateway.calls)
    another_process(gateway)
    found = view()
    assert found.coverage == Coverage(CoverageState.COMPLETE, 412, 412, 412)
    assert progress().exact
    assert len(gateway.calls) == calls
    assert not process.part(Fetcher).under_way


def test_a_search_under_way_is_fetched_by_both_and_no_page_twice(connect, another_process):
    gateway = connect(honest(412), hold=True)
    view()
    another_process(gateway)
    assert len(view().listings) == 20
    assert progress().state is CoverageState.FETCHING
    with ThreadPoolExecutor(1) as visitor:
        complete = visitor.submit(FullResults(context_of()).wait_for_all)
        gateway.release()
        assert complete.result(LONG).result_set.coverage.exact
    assert [page for page in gateway.pages if page] == list(range(1, 9))
    assert view().coverage.exact


def test_a_process_started_in_an_outage_shows_older_pages(connect, another_process, clock):
    gateway = connect(honest(412))
    settle()
    clock.pass_seconds(12 * 3_600)
    gateway.script = failing()
    another_process(gateway)
    found = view()
    assert (found.stale, found.coverage.compared) == (True, 412)


def test_a_hotel_is_found_on_a_page_of_another_process(connect, another_process, monkeypatch):
    monkeypatch.setattr(full_results, "ALL_SECONDS", 0.0)
    gateway = connect(honest(412), hold=True)
    view()
    another_process(gateway)
    with ThreadPoolExecutor(1) as visitor:
        seen = visitor.submit(results.find_listing, context_of(), "k407")
        gateway.release()
        assert seen.result(LONG).value.property.key == "k407"
    assert [page for page in gateway.pages if page] == list(range(1, 9))


def test_results_are_collected_once_while_the_disk_is_full(connect, monkeypatch):
    def full(*_args: object, **_options: object) -> None:
        raise OSError("no space")

    gateway = connect(honest(412))
    # Each thread has an object of its own.
    kind = type(caches["default"])
    monkeypatch.setattr(kind, "always_there", True, raising=False)
    for name in ("set", "add", "delete"):
        monkeypatch.setattr(kind, name, full)
    settle()
    asked = len(gateway.pages)
    assert (view().coverage.compared, progress().state) == (412, CoverageState.COMPLETE)
    assert len(gateway.pages) == asked


class TestComparingAll:
    """What one visitor started, another one sees, in whichever process."""

    SITE = Site(page_size=20, cap=100, compare_all_limit=300, parallel_calls=4)
    ALL = Refinement(all=True)
    QUERY = SEARCH.query_string()

    @pytest.fixture(autouse=True)
    def offered(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(store, "current", lambda: self.SITE)

    def told(self) -> dict[str, object]:
        return Client().get(f"/hotels/progress/?{self.QUERY}&all=1").json()

    def test_its_progress(self, connect, another_process):
        gateway = connect(honest(1_000))
        settle(site=self.SITE)
        gateway.hold()
        Client().post(f"/hotels/all/?{self.QUERY}", headers=OURS)
        another_process(gateway)
        wait_until(lambda: self.told()["compared"] == 100, "the pages that are there")
        assert not self.told()["done"]
        gateway.release()
        end_of_fetches()
        assert self.told()["done"]
        assert gateway.pages == list(range(6))

    def test_its_results(self, connect, another_process):
        gateway = connect(honest(1_000))
        Client().post(f"/hotels/all/?{self.QUERY}", headers=OURS)
        end_of_fetches()
        calls = len(gateway.calls)
        another_process(gateway)
        found = view(self.ALL, 15, site=self.SITE)
        assert (found.coverage.compared, len(keys(found)), len(gateway.calls)) == (300, 20, calls)


def test_hotels_of_the_stars_do_not_depend_on_earlier_searches(connect):
    """One hotel that two providers give different stars, on a page each."""
    five, three = listing(4, provider="HB"), listing(4, total=50, provider="EX")
    three = msgspec.structs.replace(three, property=msgspec.structs.replace(three.property, stars=3))

    def script(page: int, size: int) -> SearchPage:
        there = (five, three)[page * size :][:size]
        return build.search_page(there, 2, len(there))

    some = msgspec.structs.replace(SEARCH, stars=(5,))
    connect(script, largest=1)
    settle(some)
    first = view(search=some)
    settle()
    after = view(search=some)
    for found in (first, after):
        assert keys(found) == ["k4"]
        assert [one.offer.provider for one in found.listings[0].offers] == ["EX", "HB"]
