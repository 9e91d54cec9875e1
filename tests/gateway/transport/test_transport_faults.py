"""Every fault of the catalogue against the transport: its name, its time, its calls, and no key anywhere."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable
from urllib.parse import quote

import pytest

from search.gateway import GatewayError, Unavailable
from search.gateway.transport import Transport
from tests.faults import plays
from tests.faults.catalogue import FAULTS, SEARCHES, Fault
from tests.faults.documents import good_body
from tests.faults.server import MisbehavingServer

from .conftest import KEY, QUICK, SEARCH, STEADY, seconds, warmed

PATIENCE = 0.8
SLACK = 0.5


OF_SEARCHES = [fault for fault in FAULTS if fault.only == SEARCHES]


@pytest.fixture(scope="module", autouse=True)
def _the_bomb_is_built() -> None:
    """Compressing 200 MB is the server's work, not the transport's time."""
    plays.packed_blanks()


@pytest.mark.parametrize("fault", OF_SEARCHES, ids=[fault.name for fault in OF_SEARCHES])
def test_every_fault_ends_in_time_under_its_own_name(
    fault: Fault,
    server: MisbehavingServer,
    make_transport: Callable[..., Transport],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    # Faults of the wire have other tests than how short a patience can be.
    hurried = fault.group == "time" and fault.name != "takes a second"
    transport = make_transport(QUICK if hurried else STEADY)
    if fault.once and hurried:
        warmed(transport)
    server.misbehave(fault.play, times=1 if fault.once else None, on_accept=fault.on_accept)
    deadline = PATIENCE if hurried else 6.0

    began = time.monotonic()
    outcome, told = _get(transport, deadline)
    elapsed = time.monotonic() - began

    assert outcome == fault.wire
    assert elapsed <= deadline + SLACK
    assert server.calls <= 2
    _assert_no_key(caplog.text + told)
    assert not any(b"Cookie" in head for head in server.heads)


def _get(transport: Transport, patience: float) -> tuple[str, str]:
    """ "ok" or the kind of the error, and all that the error tells."""
    caught: GatewayError | None = None
    try:
        transport.get(SEARCH, seconds(patience))
    except GatewayError as error:
        caught = error
    if caught is None:
        return "ok", ""
    assert caught.__cause__ is None
    assert caught.__context__ is None
    told = "".join(traceback.TracebackException.from_exception(caught, capture_locals=True).format())
    return caught.kind, told + repr(caught) + repr(vars(caught))


def _assert_no_key(text: str) -> None:
    assert KEY not in text
    assert quote(KEY, safe="") not in text


def test_a_drip_does_not_poison_the_next_call(
    server: MisbehavingServer, make_transport: Callable[..., Transport]
) -> None:
    transport = make_transport(QUICK)
    drip = next(fault for fault in FAULTS if fault.name == "drips the body")
    server.misbehave(drip.play, times=1)
    with pytest.raises(Unavailable, match="timeout"):
        transport.get(SEARCH, seconds(0.5))
    assert transport.get(SEARCH, seconds(3)) == good_body(SEARCH.path)


def test_a_dead_pooled_connection_is_not_seen(server: MisbehavingServer, transport: Transport) -> None:
    silent = next(fault for fault in FAULTS if fault.name == "closes silently afterwards")
    server.misbehave(silent.play)
    for _ in range(5):
        assert transport.get(SEARCH, seconds(3)) == good_body(SEARCH.path)
