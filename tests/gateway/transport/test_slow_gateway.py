"""A gateway that is slow and not down: second calls beside slow ones, and what the breaker makes of it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from search.domain.process import Deadline
from search.gateway import GatewayError
from search.gateway.transport import Transport
from tests.faults import plays
from tests.faults.documents import good_body
from tests.faults.server import MisbehavingServer, Peer, behave
from tests.gateway.transport.conftest import QUICK, SEARCH, STEADY, over_network, seconds, warmed
from tests.waiting import wait_until

# Every call is slow at once, and earns a second one.
EAGER = replace(STEADY, hedge_after=0.0, hedge_ratio=1.0)


def outcome(transport: Transport, deadline: Deadline | None = None) -> str:
    try:
        return "ok" if transport.get(SEARCH, deadline or seconds(10)) else "empty"
    except GatewayError as error:
        return error.kind


class FirstWaits:
    """Holds the first request until it is let go; later ones come to `others`."""

    def __init__(self, others: plays.Play, first: plays.Play = behave) -> None:
        self.others, self.first = others, first
        self.second_came, self.let_go = threading.Event(), threading.Event()
        self._lock = threading.Lock()
        self._calls = 0

    def __call__(self, peer: Peer) -> None:
        with self._lock:
            self._calls += 1
            number = self._calls
        if number == 1:
            self.let_go.wait(20)
            self.first(peer)
        else:
            self.second_came.set()
            self.others(peer)


@pytest.fixture
def eager(server: MisbehavingServer) -> Iterator[Transport]:
    yield over_network(server.url, EAGER)
    server.stop()


# Its time


def test_answers_of_four_seconds_are_results(server: MisbehavingServer) -> None:
    now = [0.0]

    def four_seconds(peer: Peer) -> None:
        now[0] += 4
        peer.answer(peer.body)

    server.misbehave(four_seconds)
    transport = over_network(server.url, STEADY, monotonic=lambda: now[0])
    for _ in range(60):
        assert outcome(transport, Deadline(6, lambda: now[0])) == "ok"
    assert server.calls == 60
    assert transport.status().breakers["search"] == "closed"


def test_short_calls_open_the_breaker_once_answers_stop(server: MisbehavingServer) -> None:
    now = [0.0]

    def four_seconds(peer: Peer) -> None:
        now[0] += 4
        peer.answer(peer.body)

    server.misbehave(four_seconds)
    # On a busy machine a call begins late, with less time than it was given.
    limits = replace(QUICK, evidence=QUICK.least)
    transport = over_network(server.url, limits, monotonic=lambda: now[0])
    assert outcome(transport) == "ok"
    server.misbehave(plays.hang)
    for number in range(3 * QUICK.breaker_failures):
        if number == 2 * QUICK.breaker_failures:
            now[0] += QUICK.breaker_window + 1
        assert outcome(transport, seconds(0.3)) == "timeout"
        # Its caller doesn't wait for the call, which ends a little later.
        wait_until(lambda: not transport.status().in_flight, "the end of the call")
    assert outcome(transport, seconds(0.3)) == "open"


def test_timeouts_at_the_deadline_open_the_breaker(server: MisbehavingServer) -> None:
    transport = over_network(server.url, QUICK)
    server.misbehave(plays.hang)
    for _ in range(QUICK.breaker_failures):
        assert outcome(transport, seconds(0.2)) == "timeout"
    wait_until(lambda: transport.status().breakers["search"] == "open", "the breaker is open")
    assert outcome(transport, seconds(0.2)) == "open"


def test_refused_connections_open_the_breaker(server: MisbehavingServer) -> None:
    transport = over_network(server.url, QUICK)
    server.stop()
    kinds = [outcome(transport) for _ in range(QUICK.breaker_failures + 1)]
    assert kinds[0] == "connection"
    assert kinds[-1] == "open"


# Second calls


def test_beside_a_slow_call_a_second_one_brings_the_answer(
    server: MisbehavingServer, eager: Transport, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "search.gateway")
    play = FirstWaits(behave)
    server.misbehave(play)
    assert eager.get(SEARCH, seconds(10)) == good_body(SEARCH.path)
    assert server.calls == 2
    assert eager.status().in_flight == 1
    play.let_go.set()
    wait_until(lambda: not eager.status().in_flight, "the place of the slow call")
    # Either may be the one that reached the server first, and is slow.
    told = [record.getMessage() for record in caplog.records if "outcome=" in record.getMessage()]
    assert sorted(line.split("attempt=")[1] for line in told[-2:]) == ["1 cache=miss", "2 cache=miss"]
    assert outcome(eager) == "ok"


def test_the_first_call_may_still_be_the_first_to_answer(server: MisbehavingServer, eager: Transport) -> None:
    play = FirstWaits(plays.hang)
    server.misbehave(play)
    threading.Thread(target=lambda: play.second_came.wait(20) and play.let_go.set()).start()
    assert outcome(eager) == "ok"
    assert server.calls == 2


@pytest.mark.parametrize("failing", [plays.status(503), plays.reset, plays.close])
def test_a_second_call_that_fails_leaves_the_first_one_its_time(
    failing: plays.Play, server: MisbehavingServer, eager: Transport
) -> None:
    play = FirstWaits(failing)
    server.misbehave(play)
    threading.Thread(target=lambda: play.second_came.wait(20) and play.let_go.set()).start()
    assert outcome(eager) == "ok"


def test_two_calls_that_fail_are_not_followed_by_a_third(server: MisbehavingServer, eager: Transport) -> None:
    play = FirstWaits(plays.status(503), first=plays.status(502))
    server.misbehave(play)
    threading.Thread(target=lambda: play.second_came.wait(20) and play.let_go.set()).start()
    assert outcome(eager) == "status"
    assert server.calls == 2


def test_a_gateway_that_hangs_ends_with_two_calls(server: MisbehavingServer) -> None:
    transport = warmed(over_network(server.url, QUICK))
    server.misbehave(plays.hang)
    began = time.monotonic()
    assert outcome(transport, seconds(1.0)) == "timeout"
    assert time.monotonic() - began < 1.5
    assert server.calls == 2


def test_second_calls_are_at_most_five_in_a_hundred(server: MisbehavingServer) -> None:
    transport = over_network(server.url, replace(STEADY, hedge_after=0.0))
    for _ in range(200):
        assert outcome(transport) == "ok"
    assert 1 <= server.calls - 200 <= 10
