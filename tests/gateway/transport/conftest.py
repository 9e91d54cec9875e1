"""A misbehaving gateway and a transport that talks to it, quicker to lose patience than the real one."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from search.domain.process import Deadline
from search.gateway.resilience import Clock, Limits
from search.gateway.sockets import NetworkAdapter
from search.gateway.transport import Call, Transport, Upstream
from tests.faults.server import MisbehavingServer, misbehaving_server

KEY = "s3cret/key+with=odd&parts"
# For gateways that hang: short waits.
QUICK = Limits(connect=0.3, hedge_after=0.3, evidence=0.1, throttle_unsaid=0.05, retry_jitter=0.01)
# For everything else: a busy machine may be slow without failing a test.
STEADY = Limits(throttle_unsaid=0.05, retry_jitter=0.01)
NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
SEARCH = Call("search", "/pub/v1/rooms/ha/v2/propertyOffers", "place=Rome")


def seconds(count: float) -> Deadline:
    return Deadline(count, time.monotonic)


def over_network(
    base_url: str, limits: Limits = QUICK, trust: ssl.SSLContext | None = None, **times: Any
) -> Transport:
    """A transport over real sockets; `times` are parts of its clock."""
    if base_url.startswith("http://"):
        # No certificate is shown to it, and reading the authorities takes longer than most tests.
        trust = NOBODY
    upstream = Upstream(base_url, KEY, NetworkAdapter(KEY, limits.at_once_most, trust))
    return Transport(upstream, limits, clock=Clock(**times))


def warmed(transport: Transport) -> Transport:
    """One whose calls have earned a second one."""
    for _ in range(20):
        transport.get(SEARCH, seconds(10))
    return transport


@pytest.fixture
def server() -> Iterator[MisbehavingServer]:
    with misbehaving_server() as server:
        yield server


@pytest.fixture
def make_transport(server: MisbehavingServer) -> Callable[..., Transport]:
    def make(limits: Limits = STEADY, **times: Any) -> Transport:
        return over_network(server.url, limits, **times)

    return make


@pytest.fixture
def transport(make_transport: Callable[..., Transport]) -> Transport:
    return make_transport()
