"""What goes out, what is heeded, what is remembered."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

import pytest

from search.gateway import GatewayError, NotFound, Rejected, Unavailable
from search.gateway.transport import ENDPOINTS, Call, Transport
from tests.faults import plays
from tests.faults.server import MisbehavingServer
from tests.gateway.transport.conftest import SEARCH, STEADY, seconds


def request_line(server: MisbehavingServer) -> str:
    return server.heads[-1].split(b"\r\n", 1)[0].decode()


class Sleeps(list[float]):
    """Remembers how long it was asked to sleep, and doesn't."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def kind_of(transport: Transport, patience: float = 6.0, call: Call = SEARCH) -> str:
    try:
        transport.get(call, seconds(patience))
    except GatewayError as error:
        return error.kind
    return "ok"


@pytest.mark.parametrize(
    "path", ["/p/%2E%2E/x", "/p/a%2Fb", "/p/%7Etilde", "/p/%3F%23%25", "/p/%0A%22", "/p/" + "%E6%9D%B1" * 130]
)
def test_path_and_query_go_out_byte_for_byte_with_the_key_last(
    path: str, server: MisbehavingServer, transport: Transport
) -> None:
    transport.get(Call("details", path, "place=x%3Dy%26apikey%3Devil&market=en-gb"), seconds(6))
    assert request_line(server) == (
        f"GET {path}?place=x%3Dy%26apikey%3Devil&market=en-gb"
        "&apikey=s3cret%2Fkey%2Bwith%3Dodd%26parts HTTP/1.1"
    )


def test_calls_name_us_and_carry_nothing_of_the_machine(
    server: MisbehavingServer, transport: Transport, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    server.misbehave(plays.with_cookie)
    transport.get(SEARCH, seconds(6))
    transport.get(SEARCH, seconds(6))
    head = server.heads[-1].decode().lower()
    assert "user-agent: hotelsite/" in head
    assert "cookie:" not in head
    assert "authorization:" not in head


def test_a_redirect_is_not_followed(server: MisbehavingServer, transport: Transport) -> None:
    server.misbehave(plays.round_and_round)
    assert kind_of(transport) == "redirect"
    assert server.calls == 1


def test_a_details_404_is_told_apart(server: MisbehavingServer, transport: Transport) -> None:
    server.misbehave(plays.status(404))
    with pytest.raises(NotFound) as caught:
        transport.get(Call("details", "/x", ""), seconds(6))
    assert caught.value.status == 404
    assert server.calls == 1


def test_three_hundred_failures_cost_at_most_a_fifth_more(
    server: MisbehavingServer, make_transport: Callable[..., Transport]
) -> None:
    never_open = replace(STEADY, breaker_failures=10_000)
    transport = make_transport(never_open, sleep=lambda seconds: None)
    server.misbehave(plays.status(503))
    for _ in range(300):
        assert kind_of(transport, 10) == "status"
    assert server.calls <= 360


def test_no_repeat_starts_without_time_for_it(server: MisbehavingServer, transport: Transport) -> None:
    server.misbehave(plays.hang)
    assert kind_of(transport, patience=0.3) == "timeout"
    assert server.calls == 1


@pytest.mark.parametrize("said", ["3600", "Wed, 21 Oct 2099 07:28:00 GMT", "soon", "-1", "9" * 5000, "1.5"])
def test_a_long_or_unreadable_retry_after_never_sleeps(
    said: str, server: MisbehavingServer, make_transport: Callable[..., Transport]
) -> None:
    sleeps = Sleeps()
    transport = make_transport(sleep=sleeps)
    server.misbehave(plays.status(429, f"Retry-After: {said}"))
    assert kind_of(transport, 6) == "throttled"
    assert server.calls == 1
    assert sleeps == []


def test_a_short_retry_after_is_waited_for_once(
    server: MisbehavingServer, make_transport: Callable[..., Transport]
) -> None:
    sleeps = Sleeps()
    transport = make_transport(sleep=sleeps, monotonic=Ticking(sleeps))
    server.misbehave(plays.status(429, "Retry-After: 1"), times=1)
    assert kind_of(transport, 6) == "ok"
    assert 1 <= sum(sleeps) <= 1.3
    assert server.calls == 2


class Ticking:
    """A monotonic clock that the sleeps of a test move along."""

    def __init__(self, sleeps: list[float]) -> None:
        self._sleeps = sleeps

    def __call__(self) -> float:
        return 1000.0 + sum(self._sleeps)


def test_a_429_pauses_everyone_for_a_minute_at_most(
    server: MisbehavingServer, make_transport: Callable[..., Transport]
) -> None:
    now = [0.0]
    transport = make_transport(monotonic=lambda: now[0])
    server.misbehave(plays.status(429, "Retry-After: 3600"))
    assert kind_of(transport) == "throttled"
    server.recover()
    with pytest.raises(Unavailable) as caught:
        transport.get(SEARCH, seconds(6))
    assert caught.value.retry_after == 60
    assert server.calls == 0
    assert {str(transport.immediate_failure(endpoint)) for endpoint in ENDPOINTS} == {"throttled 429"}
    now[0] = 60.1
    assert transport.immediate_failure("search") is None
    assert kind_of(transport) == "ok"


def test_a_refused_key_is_one_error_line_and_a_pause(
    server: MisbehavingServer, make_transport: Callable[..., Transport], caplog: pytest.LogCaptureFixture
) -> None:
    now = [0.0]
    transport = make_transport(monotonic=lambda: now[0])
    server.misbehave(plays.status(401))
    for moment, left in [(0.0, 15.0), (1.0, 14.0)] * 25:
        now[0] = moment
        with pytest.raises(Rejected) as refusal:
            transport.get(SEARCH, seconds(6))
        assert refusal.value.retry_after == left
    assert server.calls == 1
    now[0] = 16.0
    assert kind_of(transport) == "key"
    assert server.calls == 2
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(errors) == 1
    assert transport.status().refused == ("search",)


def test_a_refusal_by_one_endpoint_leaves_the_others_alone(
    server: MisbehavingServer, transport: Transport
) -> None:
    server.misbehave(plays.status(403), times=1)
    assert kind_of(transport) == "key"
    assert kind_of(transport, call=Call("airports", "/pub/v1/core/3/airports", "")) == "ok"


def details_of(provider: str) -> Call:
    return Call("details", f"/provider/{provider}", "", provider)


def test_a_refusal_by_one_provider_leaves_the_others_alone(
    server: MisbehavingServer, make_transport: Callable[..., Transport], caplog: pytest.LogCaptureFixture
) -> None:
    now = [0.0]
    transport = make_transport(monotonic=lambda: now[0])
    for moment in (0.0, 16.0):
        now[0] = moment
        server.misbehave(plays.status(403), times=1)
        assert kind_of(transport, call=details_of("NB")) == "key"
        assert kind_of(transport, call=details_of("HX")) == "ok"
        calls = server.calls
        assert kind_of(transport, call=details_of("NB")) == "key"
        assert server.calls == calls
        assert transport.immediate_failure("details") is None
    assert transport.status().refused == ()
    refusals = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert refusals == ["endpoint=details provider=NB the gateway refused the API key"]
    now[0] = 32.0
    assert kind_of(transport, call=details_of("NB")) == "ok"


def test_the_breaker_opens_answers_at_once_and_recovers(
    server: MisbehavingServer, make_transport: Callable[..., Transport], caplog: pytest.LogCaptureFixture
) -> None:
    now = [0.0]
    transport = make_transport(monotonic=lambda: now[0], sleep=lambda seconds: None)
    server.misbehave(plays.status(500))
    while kind_of(transport) != "open":
        assert server.calls <= 10
    calls = server.calls
    assert kind_of(transport) == "open"
    assert server.calls == calls
    assert transport.status().breakers["search"] == "open"
    server.recover()
    now[0] = STEADY.breaker_rest + 0.1
    assert kind_of(transport) == "ok"
    assert transport.status().breakers["search"] == "closed"
    assert "breaker=open" in caplog.text


def test_details_failing_leave_searches_alone(server: MisbehavingServer, transport: Transport) -> None:
    server.misbehave(plays.status(500))
    for _ in range(10):
        kind_of(transport, call=Call("details", "/x", ""))
    server.recover()
    assert kind_of(transport) == "ok"


def test_refusals_of_the_request_do_not_open_the_breaker(
    server: MisbehavingServer, transport: Transport
) -> None:
    server.misbehave(plays.status(400))
    for _ in range(30):
        assert kind_of(transport) == "request"


def test_the_log_tells_each_call_on_one_line_without_its_query(
    server: MisbehavingServer, transport: Transport, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "search.gateway")
    server.misbehave(plays.status(503), times=1)
    transport.get(SEARCH, seconds(6))
    lines = [record.getMessage() for record in caplog.records if record.name == "search.gateway"]
    assert [line.split(" ms=")[0] for line in lines] == [
        "endpoint=search outcome=status-503",
        "endpoint=search outcome=ok",
    ]
    assert "attempt=2 cache=miss" in lines[1]
    assert "Rome" not in caplog.text
