"""A misbehaving gateway and a transport that talks to it, quicker to lose patience than the real one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from search.domain.deadline import Deadline
from search.gateway.config import Limits
from search.gateway.http import Call
from search.gateway.transport import Transport
from tests.faults.server import MisbehavingServer, misbehaving_server

KEY = "s3cret/key+with=odd&parts"
# For gateways that hang: short waits.
QUICK = Limits(connect=0.3, attempt=0.5, evidence=0.1, throttle_unsaid=0.05, retry_jitter=0.01)
# For everything else: a busy machine may be slow without failing a test.
STEADY = Limits(attempt=5.0, throttle_unsaid=0.05, retry_jitter=0.01, slow=60.0)
SEARCH = Call("search", "/pub/v1/rooms/ha/v2/propertyOffers", "place=Rome")


def seconds(count: float) -> Deadline:
    return Deadline(count, time.monotonic)


@pytest.fixture
def server() -> Iterator[MisbehavingServer]:
    with misbehaving_server() as server:
        yield server


@pytest.fixture
def make_transport(server: MisbehavingServer) -> Callable[..., Transport]:
    def make(limits: Limits = STEADY, **parts: object) -> Transport:
        return Transport(server.url, KEY, limits, **parts)

    return make


@pytest.fixture
def transport(make_transport: Callable[..., Transport]) -> Transport:
    return make_transport()
