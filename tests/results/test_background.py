"""What runs behind pages shares a few of the gateway's places: visitors always find one."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Lock, Thread
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from requests import PreparedRequest

from search.gateway.resilience import LIMITS
from search.results import full_results
from search.results.full_results import FullResults
from search.site_settings import store
from tests.gateway.documents import a_listing_document, a_summary, an_entry
from tests.results.cached_views import context_of
from tests.scripted_gateway import LONG
from tests.waiting import wait_until
from tests.wire import Reply, Wire

STAY = "checkin=2030-05-01&checkout=2030-05-04"


class SlowPages:
    """Answers first pages at once, and every other one when told to; how many wait for that at most."""

    def __init__(self) -> None:
        self.go_on = Event()
        self.waiting = self.most = 0
        self.total = 600
        self._lock = Lock()

    def answer(self, request: PreparedRequest) -> Reply:
        asked = {name: values[0] for name, values in parse_qs(urlsplit(str(request.url)).query).items()}
        page, size = int(asked["page"]), int(asked["size"])
        if page:
            self._wait()
        first = page * size
        entries = [an_entry(a_summary(ryanairId=f"k{n}", id=str(n))) for n in range(first, first + size)]
        return Reply(json=a_listing_document(*entries, total=self.total))

    def _wait(self) -> None:
        with self._lock:
            self.waiting += 1
            self.most = max(self.most, self.waiting)
        self.go_on.wait(30)
        with self._lock:
            self.waiting -= 1


@pytest.fixture
def slow(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> SlowPages:
    monkeypatch.setattr(full_results, "PATIENCE_SECONDS", -1.0)
    store.change({"parallel_calls": 8})
    slow = SlowPages()
    wire.answer_search(slow.answer)
    return slow


def searched(place: str) -> Callable[[], object]:
    return lambda: Client().get(f"/hotels/?place={place}&{STAY}")


def test_full_results_of_many_searches_leave_places_to_visitors(slow: SlowPages) -> None:
    for place in ("Rome", "Porto", "Faro"):
        assert Client().get(f"/hotels/?place={place}&{STAY}").status_code == 200
    wait_until(lambda: slow.waiting == LIMITS.behind, "calls in every place of the background")
    visitors = [Thread(target=searched(place)) for place in ("Lyon", "Nice", "Bari")]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join(10)
    assert not any(visitor.is_alive() for visitor in visitors)
    assert slow.most == LIMITS.behind
    slow.go_on.set()


def test_the_first_page_waits_for_no_place_of_the_background(slow: SlowPages) -> None:
    store.change({"parallel_calls": LIMITS.behind, "cap": 1_200})
    slow.total = 1_200
    Client().get(f"/hotels/?place=Porto&{STAY}")
    wait_until(lambda: slow.waiting == LIMITS.behind, "calls in every place of the background")
    fetch = FullResults(context_of()).start_fetch()
    fetch.wait(LONG, lambda pages: pages.entries())
    at_hand = fetch.coverage().compared
    slow.go_on.set()
    assert at_hand > 0
    fetch.wait(LONG)
    assert fetch.done
