"""Several processes that share a cache: what one of them fetches, the others wait for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.cache import cache, caches

from search.domain import process
from search.gateway import factory
from search.results import announcements, full_results
from search.results import service as results
from search.results.announcements import build_announcements
from search.results.fetcher import Fetch, Fetcher
from search.results.full_results import FullResults
from search.results.pagination import Coverage, CoverageState
from tests.results.cached_views import context_of, progress, settle, view
from tests.scripted_gateway import LONG, ScriptedGateway, honest

pytestmark = pytest.mark.usefixtures("impatient")
KEY = FullResults(context_of()).key


@pytest.fixture
def another_process() -> Iterator[Callable[[ScriptedGateway], list[Fetch]]]:
    """Goes on as another process, with the same cache and gateway; returns what the one before fetches."""
    fetches: list[Fetch] = []

    def go_on(gateway: ScriptedGateway) -> list[Fetch]:
        fetches.extend(process.part(Fetcher)._running.values())
        process.start().put(factory.build_gateway, gateway)
        return fetches

    yield go_on
    for fetch in fetches:
        fetch.wait(LONG)


def told() -> announcements.Announcement | None:
    return process.part(build_announcements).read(KEY)


def pages_behind(gateway: ScriptedGateway) -> list[int]:
    return sorted(page for page in gateway.pages if page)


def test_the_others_show_their_first_page_and_how_far_it_is(connect, another_process):
    gateway = connect(honest(412), hold=True)
    view()
    another_process(gateway)
    found = view()
    assert len(found.listings) == 20
    assert found.refined.coverage.state is CoverageState.FETCHING
    assert progress() == Coverage(CoverageState.FETCHING, 50, 412, 412)
    assert not process.part(Fetcher)._running
    gateway.release()


def test_the_others_have_all_and_nothing_is_fetched_twice(connect, another_process):
    gateway = connect(honest(412), hold=True)
    view()
    another_process(gateway)
    with ThreadPoolExecutor(1) as visitor:
        complete = visitor.submit(FullResults(context_of()).wait_for_all)
        gateway.wait_until_waiting(4)
        gateway.release()
        assert complete.result(LONG).result_set.coverage.exact
    assert pages_behind(gateway) == list(range(1, 9))
    assert view().refined.coverage.exact
    assert progress().exact


def test_without_a_cache_each_process_fetches_for_itself(connect, another_process, monkeypatch):
    def away(*_args: object, **_options: object) -> None:
        raise OSError("no cache")

    gateway = connect(honest(120), hold=True)
    for name in ("get", "set", "add", "delete"):
        monkeypatch.setattr(cache, name, away)
    view()
    another_process(gateway)
    view()
    assert process.part(Fetcher).running(KEY)
    gateway.release()


def test_results_are_collected_once_while_the_disk_is_full(connect, monkeypatch):
    def full(*_args: object, **_options: object) -> None:
        raise OSError("no space")

    gateway = connect(honest(412))
    # Each thread has an object of its own.
    kind = type(caches["default"])
    monkeypatch.setattr(kind, "always_there", True, raising=False)
    for name in ("set", "add", "delete"):
        monkeypatch.setattr(kind, name, full)
    view()
    settle()
    asked = len(gateway.pages)
    assert (view().refined.coverage.compared, progress().state) == (412, CoverageState.COMPLETE)
    settle()
    assert len(gateway.pages) == asked


class TestOneHotelWhileTheRestIsComingIn:
    """Its offers are there with its page of the gateway; nobody waits for all the others."""

    @pytest.fixture(autouse=True)
    def hurried(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(full_results, "ALL_SECONDS", 0.0)

    def test_one_on_a_page_that_has_come(self, connect):
        gateway = connect(honest(412), hold=True)
        view()
        assert results.find_listing(context_of(), "k3").value.property.key == "k3"
        gateway.release()

    @pytest.mark.parametrize("keys", [("k407",), ("named by its details alone", "HB:p407")])
    def test_one_on_a_page_that_comes_later(self, connect, keys):
        gateway = connect(honest(412), hold=True)
        with ThreadPoolExecutor(1) as visitor:
            seen = visitor.submit(results.find_listing, context_of(), *keys)
            gateway.wait_until_waiting(4)
            gateway.release()
            assert seen.result(LONG).value.property.key == "k407"

    def test_one_on_a_later_page_of_what_another_process_fetches(self, connect, another_process):
        gateway = connect(honest(412), hold=True)
        view()
        another_process(gateway)
        with ThreadPoolExecutor(1) as visitor:
            seen = visitor.submit(results.find_listing, context_of(), "k407")
            gateway.release()
            assert seen.result(LONG).value.property.key == "k407"
        assert pages_behind(gateway) == list(range(1, 9))
