"""Clients that keep a server waiting: they are a nuisance to nobody but themselves."""

from __future__ import annotations

import contextlib
import http.client
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator

from tests.servers import Seen, Site, p95, results, running_site

from .measure import Measure

CLIENTS = 200
VISITS = 40
# As on Ethernet. Over loopback a segment is 64 kB, and the kernel would take a whole page for a slow reader.
SEGMENT = 1400
SMALLEST_WINDOW = 2048


def slow_clients() -> Iterator[Measure]:
    """200 of a kind keep their connections open while others visit the default start."""
    with running_site() as site:
        page = results("Barcelona")
        for _ in range(3):
            site.get(page)
        for name, hello in (
            ("unfinished headers", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-"),
            ("unfinished bodies", _unfinished_body("/admin/login/")),
            ("slow readers", f"GET {page} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()),
        ):
            with _slow(site, hello, reading=name == "slow readers"):
                visits = [site.get(page, 10) for _ in range(VISITS)]
                health = [site.get("/healthz", 10) for _ in range(VISITS)]
            yield from _others(f"{CLIENTS} {name}, a cached page", visits)
            yield from _others(f"{CLIENTS} {name}, /healthz", health)


def _others(name: str, visits: list[Seen]) -> Iterator[Measure]:
    answered = [visit for visit in visits if visit.status == 200]
    within = p95([visit.seconds for visit in visits]) * 1000
    yield Measure(f"{name} p95", within, 300, "ms", f"{len(answered)} of {len(visits)} answered")
    yield Measure(f"{name}, not answered", len(visits) - len(answered), 0, "")


def _unfinished_body(path: str) -> bytes:
    form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 10000"
    return f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{form}\r\n\r\ncsrf".encode()


@contextlib.contextmanager
def _slow(site: Site, hello: bytes, reading: bool) -> Iterator[None]:
    """200 connections that said `hello` and go on by a byte a second."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(_connection(site.port)) for _ in range(CLIENTS)]
        for one in sockets:
            one.sendall(hello)
        done = threading.Event()
        go_on: Callable[[socket.socket], object] = (
            (lambda one: one.recv(1)) if reading else (lambda one: one.send(b"a"))
        )
        dripping = threading.Thread(target=_drip, args=(sockets, go_on, done))
        dripping.start()
        # Long enough for all of them to be where they keep a thread, if they can.
        done.wait(2)
        try:
            yield
        finally:
            done.set()
            dripping.join()


def _connection(port: int) -> socket.socket:
    one = socket.socket()
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SEGMENT)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALLEST_WINDOW)
    one.settimeout(10)
    one.connect(("127.0.0.1", port))
    return one


def _drip(
    sockets: list[socket.socket], go_on: Callable[[socket.socket], object], done: threading.Event
) -> None:
    while not done.wait(1):
        for one in sockets:
            # The server may have had enough of it.
            with contextlib.suppress(OSError):
                one.setblocking(False)
                go_on(one)


def stop_under_load() -> Iterator[Measure]:
    """SIGTERM while visitors come one after another on kept connections: who was heard gets an answer, and
    so does who comes while the server drains."""
    with running_site(DRAIN_SECONDS="1") as site:
        site.get("/")
        lost: list[str] = []
        threads = [threading.Thread(target=_keep_asking, args=(site.port, lost)) for _ in range(16)]
        for thread in threads:
            thread.start()
        time.sleep(1)
        site.process.send_signal(signal.SIGTERM)
        for thread in threads:
            thread.join()
        yield Measure("stopped under load, requests lost", len(lost), 0, "", ", ".join(set(lost)))
        yield Measure("stopped under load, exit code", site.stop(), 0, "")


def _keep_asking(port: int, lost: list[str]) -> None:
    """Asks until the server says goodbye; an answer that breaks off, or none to a new connection, is lost."""
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=40)
        try:
            connection.connect()
        except ConnectionRefusedError:
            return
        try:
            goodbye = False
            while not goodbye:
                connection.request("GET", "/hotels/?place=Barcelona")
                answer = connection.getresponse()
                answer.read()
                goodbye = answer.will_close
        except (OSError, http.client.HTTPException) as error:
            lost.append(type(error).__name__)
            return
        finally:
            connection.close()
