"""Several processes that share a cache: what one of them fetches, the others wait for."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from threading import Event
from types import SimpleNamespace
from weakref import ref

import pytest
from django.core.cache import cache, caches

from search.domain import process
from search.domain.process import Deadline
from search.gateway import factory
from search.gateway.errors import GatewayError
from search.results import announcements, fetcher, full_results
from search.results import service as results
from search.results.announcements import Announcements, build_announcements
from search.results.fetcher import Fetch, Fetcher, build_pool
from search.results.full_results import FullResults
from search.results.pagination import Coverage, CoverageState
from tests.results.cached_views import context_of, progress, settle, view
from tests.scripted_gateway import LONG, ScriptedGateway, failing, honest

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


def fetch_to_the_end() -> None:
    """As `settle`, which goes on once the results are stored, and until its last thread has ended."""
    settle()
    process.part(build_pool).shutdown()


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


def test_the_others_have_all_when_it_is_done_and_nothing_is_fetched_twice(connect, another_process):
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


def test_a_far_page_of_the_others_waits_for_its_properties(connect, another_process):
    gateway = connect(honest(412), hold=True)
    view()
    another_process(gateway)
    with ThreadPoolExecutor(1) as visitor:
        seen = visitor.submit(view, page=5)
        gateway.release()
        assert len(seen.result(LONG).listings) == 20
    assert pages_behind(gateway) == list(range(1, 9))


def test_a_process_that_has_ended_is_waited_for_no_longer(connect, another_process):
    gateway = connect(honest(120), hold=True)
    view()
    another_process(gateway)
    cache.delete(f"fetching:{KEY}")  # as after its time
    view()
    assert process.part(Fetcher).running(KEY)
    gateway.release()
    settle()
    assert view().refined.coverage.exact


def test_where_it_failed_the_others_say_so_too(connect, another_process):
    gateway = connect(failing())
    with pytest.raises(GatewayError):
        view()
    another_process(gateway)
    with pytest.raises(GatewayError):
        view()
    assert told() is None


def test_what_ended_meanwhile_is_not_fetched_again(connect, another_process):
    gateway = connect(honest(120))
    view()
    fetch_to_the_end()
    another_process(gateway)
    calls = len(gateway.pages)
    # Neither looked at the cache in time.
    assert FullResults(context_of()).start_fetch().done
    assert len(gateway.pages) == calls
    assert told() is None


def test_what_a_version_of_another_form_fetches_is_not_waited_for(connect, monkeypatch):
    connect(honest(412))
    with monkeypatch.context() as another_version:
        another_version.setattr(full_results, "FORM", "another")
        process.part(build_announcements).begin(FullResults(context_of()).key)
    assert results.find_listing(context_of(), "k407").value.property.key == "k407"


def test_one_that_has_ended_is_not_taken_for_the_next(connect, another_process):
    gateway = connect(honest(412), hold=True)
    view()
    another_process(gateway)
    elsewhere = FullResults(context_of()).start_fetch()
    assert (elsewhere.done, elsewhere.coverage().compared) == (False, 50)
    board = process.part(build_announcements)
    board.end(KEY, told().token)
    board.begin(KEY)
    assert elsewhere.done
    board.end(KEY, told().token)
    gateway.release()


def test_one_that_was_silent_for_long_is_not_heard_in_the_place_of_the_next(connect, another_process):
    slow, next_one = connect(honest(120), hold=True), connect(honest(120), hold=True)
    process.start().put(factory.build_gateway, slow)
    view()
    slow.wait_until_waiting(2)
    (silent,) = another_process(next_one)
    cache.delete(f"fetching:{KEY}")  # as after its time
    view()
    next_one.wait_until_waiting(2)
    another_process(next_one)
    elsewhere, token = FullResults(context_of()).start_fetch(), told().token
    slow.release()
    silent.wait(LONG)
    heard, ended = told(), elsewhere.done
    next_one.release()
    assert heard
    assert (heard.token, ended) == (token, False)


def test_what_was_last_heard_of_one_that_has_ended_can_still_be_said(connect, another_process):
    gateway = connect(honest(412), hold=True)
    view()
    another_process(gateway)
    elsewhere = FullResults(context_of()).start_fetch()
    process.part(build_announcements).end(KEY, told().token)
    assert elsewhere.done
    assert elsewhere.coverage().compared == 50
    gateway.release()


def test_nothing_is_told_of_what_is_not_fetched(connect, monkeypatch):
    monkeypatch.setattr(fetcher, "MOST_AT_ONCE", 0)
    connect(honest(120))
    assert FullResults(context_of()).start_fetch() is None
    assert told() is None


def test_when_it_is_done_nothing_is_told_of_it_any_more(connect):
    connect(honest(120))
    view()
    fetch_to_the_end()
    assert told() is None


def test_who_waits_for_a_fetch_goes_on_when_its_announcement_is_ended(connect, monkeypatch):
    states = []
    end = Announcements.end

    def noted(board: Announcements, key: str, token: str) -> None:
        running = process.part(Fetcher).running(KEY)
        states.append("not under way" if running is None else "done" if running.done else "under way")
        end(board, key, token)

    monkeypatch.setattr(Announcements, "end", noted)
    connect(honest(120))
    view()
    fetch_to_the_end()
    assert states == ["under way"]
    assert process.part(Fetcher).running(KEY) is None


def test_a_fetch_that_is_over_goes_with_its_listings_at_once(connect):
    gateway = connect(honest(412), hold=True)
    view()
    fetch = ref(process.part(Fetcher).running(KEY))
    gc.disable()
    try:
        gateway.release()
        fetch_to_the_end()
        assert fetch() is None
    finally:
        gc.enable()


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


def test_results_are_collected_once_also_while_the_disk_of_the_cache_is_full(connect, monkeypatch):
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


@pytest.mark.parametrize("entry", [None, b"\x93\x01", "[]", '["token",1]', "{", 7])
def test_an_unreadable_entry_is_none(entry):
    cache.set(f"fetching:{KEY}", entry)
    assert told() is None


def test_only_its_own_announcement_is_ended():
    board = process.part(build_announcements)
    mine = board.begin(KEY)
    assert board.begin(KEY) is None
    board.end(KEY, "another's")
    assert told() == announcements.Announcement(mine)
    board.end(KEY, mine)
    assert told() is None


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

    def test_one_on_the_first_page_while_all_threads_are_other_searches(self, connect):
        gateway, over = connect(honest(412)), Event()
        for _ in range(fetcher.THREADS):
            process.part(build_pool).submit(over.wait, 2 * LONG)
        found = results.find_listing(context_of(), "k3")
        over.set()
        assert found.value.property.key == "k3"
        assert not any(gateway.stale_oks)  # nor with an older copy while a newer one can be had

    def test_one_that_is_nowhere(self, connect):
        connect(honest(120))
        assert results.find_listing(context_of(), "nobody") is None

    def test_one_on_the_first_page_of_what_another_process_fetches(self, connect, another_process):
        gateway = connect(honest(412), hold=True)
        view()
        another_process(gateway)
        assert results.find_listing(context_of(), "k3").value.property.key == "k3"
        gateway.release()

    def test_one_on_a_later_page_of_what_another_process_fetches(self, connect, another_process):
        gateway = connect(honest(412), hold=True)
        view()
        another_process(gateway)
        with ThreadPoolExecutor(1) as visitor:
            seen = visitor.submit(results.find_listing, context_of(), "k407")
            gateway.release()
            assert seen.result(LONG).value.property.key == "k407"
        assert pages_behind(gateway) == list(range(1, 9))


def test_a_moment_is_waited_for_all_of_them_so_that_one_can_be_compared(connect, monkeypatch):
    monkeypatch.setattr(full_results, "ALL_SECONDS", LONG)
    connect(honest(412))
    assert results.find_listing(context_of(), "k3")
    assert FullResults(context_of()).fresh_coverage().exact


def test_a_page_that_has_waited_for_its_details_waits_no_longer_for_all_of_them(connect, monkeypatch):
    monkeypatch.setattr(full_results, "ALL_SECONDS", 2 * LONG)
    gateway, now = connect(honest(412), hold=True), [0.0]
    view()
    context = replace(context_of(), deadline=Deadline(9 * LONG, lambda: now[0]))
    now[0] = 3 * LONG
    with ThreadPoolExecutor(1) as visitor:
        seen = visitor.submit(results.find_listing, context, "k3")
        try:
            assert seen.result(LONG).value.property.key == "k3"
        finally:
            gateway.release()


@pytest.mark.parametrize(("seconds_between", "times"), [(0.0, 1), (1.0, 9)])
def test_others_hear_of_pages_that_come_together_once(connect, monkeypatch, seconds_between, times):
    connect(honest(412))
    heard, tell = [], Announcements.tell
    monkeypatch.setattr(Announcements, "tell", lambda *told: (heard.append(told), tell(*told)))
    moments = count()
    monotonic = lambda: next(moments) * seconds_between  # noqa: E731
    monkeypatch.setattr(fetcher, "time", SimpleNamespace(monotonic=monotonic))
    monkeypatch.setattr(fetcher, "FETCH_SECONDS", 1e9)
    view()
    fetch_to_the_end()
    assert len(heard) == times
    assert told() is None
