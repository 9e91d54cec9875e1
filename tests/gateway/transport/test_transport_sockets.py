"""The way below requests: TLS, names, connections kept and reused."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from search.gateway import Unavailable
from search.gateway import sockets as names_module
from search.gateway.transport import Transport
from tests.faults import plays
from tests.faults.documents import good_body
from tests.faults.server import MisbehavingServer, Peer, behave
from tests.gateway.transport.conftest import SEARCH, over_network, seconds


def test_calls_one_after_another_share_a_connection(server: MisbehavingServer, transport: Transport) -> None:
    for _ in range(5):
        transport.get(SEARCH, seconds(3))
    assert server.calls == 5
    assert server.connections == 1


def test_an_unfinished_answer_costs_its_connection(server: MisbehavingServer, transport: Transport) -> None:
    server.misbehave(plays.huge_body, times=1)
    with pytest.raises(Exception, match="size"):
        transport.get(SEARCH, seconds(3))
    assert transport.get(SEARCH, seconds(3)) == good_body(SEARCH.path)
    assert server.connections == 2


def test_a_connection_that_has_rested_is_not_used_again(
    server: MisbehavingServer, transport: Transport, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Something on the way may have forgotten it, and neither side was told."""
    known: list[socket.socket] = []

    def silent_when_used_again(peer: Peer) -> None:
        (plays.hang if peer.sock in known else behave)(peer)
        known.append(peer.sock)

    monkeypatch.setattr(names_module, "REST_SECONDS", 0.0, raising=False)
    server.misbehave(silent_when_used_again)
    for _ in range(3):
        assert transport.get(SEARCH, seconds(1)) == good_body(SEARCH.path)


# TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for localhost and its key, made for this run."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate")
    folder = tmp_path_factory.mktemp("tls")
    chain, key = folder / "cert.pem", folder / "key.pem"
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    files = ["-keyout", str(key), "-out", str(chain)]
    subprocess.run([*request, *names, *files], check=True, capture_output=True)
    return chain, key


@pytest.fixture
def tls_server(certificate: tuple[Path, Path]) -> Iterator[MisbehavingServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    server = MisbehavingServer(tls=context)
    yield server
    server.stop()


def trusting(server: MisbehavingServer, certificate: tuple[Path, Path]) -> Transport:
    trust = ssl.create_default_context(cafile=str(certificate[0]))
    return over_network(f"https://localhost:{server.port}", trust=trust)


def test_tls_carries_calls_and_keeps_its_connection(
    tls_server: MisbehavingServer, certificate: tuple[Path, Path]
) -> None:
    transport = trusting(tls_server, certificate)
    for _ in range(3):
        assert transport.get(SEARCH, seconds(3)) == good_body(SEARCH.path)
    assert tls_server.connections == 1
    assert tls_server.heads[0].count(b"apikey=") == 1


@pytest.mark.parametrize(
    "play", [plays.hang, plays.drip_head, plays.drip_body], ids=lambda play: play.__name__
)
def test_time_is_kept_over_tls_too(
    play: plays.Play, tls_server: MisbehavingServer, certificate: tuple[Path, Path]
) -> None:
    tls_server.misbehave(play)
    transport = trusting(tls_server, certificate)
    began = time.monotonic()
    with pytest.raises(Unavailable, match="timeout"):
        transport.get(SEARCH, seconds(1.0))
    assert time.monotonic() - began < 1.5


def test_a_certificate_nobody_vouches_for_is_refused(tls_server: MisbehavingServer) -> None:
    transport = over_network(f"https://localhost:{tls_server.port}")
    with pytest.raises(Unavailable, match="connection"):
        transport.get(SEARCH, seconds(3))
    assert tls_server.heads == []


def test_a_handshake_that_never_ends_ends_in_time(server: MisbehavingServer) -> None:
    server.misbehave(plays.hang, on_accept=True)
    transport = over_network(f"https://localhost:{server.port}")
    began = time.monotonic()
    with pytest.raises(Unavailable):
        transport.get(SEARCH, seconds(1.0))
    assert time.monotonic() - began < 1.5


# Names


@pytest.mark.parametrize("time_left", [0.2, 0.5])
@pytest.mark.parametrize("looked_up_before", [0, 1])
def test_who_asks_does_not_wait_for_a_resolver_that_hangs(
    time_left: float, looked_up_before: int, server: MisbehavingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    address = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", server.port))
    answers = [[address]] * looked_up_before
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *args, **kwargs: answers.pop() if answers else gate.wait(10) and []
    )
    server.misbehave(plays.reset)
    transport = over_network(f"http://gateway.example:{server.port}")
    began = time.monotonic()
    with pytest.raises(Unavailable):
        transport.get(SEARCH, seconds(time_left))
    assert time.monotonic() - began < time_left + 0.5
    gate.set()


def test_beside_an_address_that_refuses_the_next_one_answers(
    server: MisbehavingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port)) for port in (1, server.port)
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: addresses)
    transport = over_network(f"http://gateway.example:{server.port}")
    assert transport.get(SEARCH, seconds(2)) == good_body(SEARCH.path)
