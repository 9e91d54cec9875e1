"""What must hold beyond single faults, measured on the real site: stale, breaker, flights, memory, crowd."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import re
import shutil
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from tests import servers
from tests.servers import CHECK_IN, Seen, Site, at_once, p95, results
from tests.services.parts import cache_url, running_redis

from . import plays
from .catalogue import FAULTS
from .server import MisbehavingServer, behave, misbehaving_server
from .site import address, leaks, leaks_in_files, running_site

SEARCHES = "propertyOffers"
VISITORS = 50
CLIENTS = 200
# Each has more than 600 hotels in the sandbox.
CITIES = ("Rome", "Paris", "London", "Berlin", "Madrid", "Lisbon", "Vienna", "Prague", "Dublin", "Milan")
VISITS = 40
# As on Ethernet. Over loopback a segment is 64 kB, and the kernel would take a whole page for a slow reader.
SEGMENT = 1400
SMALLEST_WINDOW = 2048


@dataclass(frozen=True)
class Measure:
    name: str
    value: float
    limit: float
    unit: str
    note: str = ""

    @property
    def kept(self) -> bool:
        return self.value <= self.limit


def stale_and_breaker() -> Iterator[Measure]:
    with misbehaving_server(SEARCHES) as server, running_site(server.url, SEARCH_FRESH_SECONDS="0") as site:
        site.search("Rome")
        port = server.port
        server.stop()
        visits = [site.search("Rome") for _ in range(200)]
        wrong = sum(visit.status != 200 or "Prices checked" not in visit.text for visit in visits)
        yield Measure("gateway gone, stale pages p95", p95([v.seconds for v in visits]) * 1000, 50, "ms")
        yield Measure("gateway gone, pages that were not stale results", wrong, 0, "")
        cold = [site.search(f"Cold {number}") for number in range(200)]
        yield Measure("breaker open, sorry pages p95", p95([v.seconds for v in cold]) * 1000, 50, "ms")
        yield Measure("breaker open, pages that were not sorry", sum(v.status != 503 for v in cold), 0, "")
        again = MisbehavingServer(SEARCHES, port=port)
        yield Measure("recovery after the gateway is back", _recovery(site), 6, "s")
        again.stop()


def hanging_gateway_with_a_copy() -> Iterator[Measure]:
    with misbehaving_server(SEARCHES) as server, running_site(server.url, SEARCH_FRESH_SECONDS="0") as site:
        site.search("Rome")
        server.misbehave(plays.hang)
        visits = [site.search("Rome") for _ in range(100)]
        # Three seconds, and one for a machine that has more to do.
        yield Measure("gateway hangs, the longest wait with a copy", max(v.seconds for v in visits), 4, "s")
        wrong = sum(visit.status != 200 or "Prices checked" not in visit.text for visit in visits)
        yield Measure("gateway hangs, pages that were not stale results", wrong, 0, "")


def hanging_gateway_recovers() -> Iterator[Measure]:
    with misbehaving_server(SEARCHES) as server, running_site(server.url) as site:
        server.misbehave(plays.hang)
        at_once([lambda number=number: site.search(f"Hang {number}") for number in range(10)])
        # The worst moment to come back is just after a probe began to hang.
        server.misbehave(plays.hang)
        visitors: list[threading.Thread] = []
        end = time.monotonic() + 60
        while server.calls == 0 and time.monotonic() < end:
            visitors.append(threading.Thread(target=site.search, args=(f"Probe {len(visitors)}",)))
            visitors[-1].start()
            time.sleep(0.2)
        server.recover()
        yield Measure("recovery while a probe still hangs", _recovery(site), 6, "s")
        for visitor in visitors:
            visitor.join()


def slow_gateway() -> Iterator[Measure]:
    """Four seconds for every answer is slow, not down."""
    with misbehaving_server(SEARCHES) as server, running_site(server.url) as site:
        site.search("Warm")
        server.misbehave(_take_four_seconds)
        visits = [
            seen
            for turn in range(3)
            for seen in at_once([lambda name=f"Slow {turn} {n}": site.search(name) for n in range(4)])
        ]
        lost = sum(visit.status != 200 for visit in visits)
        yield Measure("gateway takes 4 s, pages without results", lost, 0, "")
        yield Measure("gateway takes 4 s, the slowest page", max(v.seconds for v in visits), 6.5, "s")


def _take_four_seconds(peer: plays.Peer) -> None:
    peer.linger(4)
    peer.answer(peer.body)


def gateway_that_hangs_at_times() -> Iterator[Measure]:
    """One call in fifty hangs; a second one beside it brings the answer."""
    with misbehaving_server(SEARCHES) as server, running_site(server.url, "--workers", "1") as site:
        for number in range(60):
            site.search(f"Warm {number}")
        counted = itertools.count(1)

        def hang_at_times(peer: plays.Peer) -> None:
            (plays.hang if next(counted) % 50 == 0 else behave)(peer)

        server.misbehave(hang_at_times)
        visits = [site.search(f"Rome {number}") for number in range(200)]
        lost = sum(visit.status != 200 for visit in visits)
        yield Measure("one call in fifty hangs, pages without results", lost, 0, "")
        yield Measure("one call in fifty hangs, the slowest page", max(v.seconds for v in visits), 1.5, "s")
        yield Measure("one call in fifty hangs, calls for 200 pages", server.calls, 210, "")


def debug_pages() -> Iterator[Measure]:
    """With DEBUG on, pages that fail tell all they know."""
    with misbehaving_server(SEARCHES) as server, running_site(server.url, DEBUG="on") as site:
        count = 0
        for number, fault in enumerate(FAULTS):
            if fault.group in ("wire", "body", "elsewhere") and not fault.once:
                server.misbehave(fault.play, on_accept=fault.on_accept)
                pages = [site.get(address(page, f"Debug {number}")) for page in ("results", "property")]
                count += sum(map(leaks, pages))
        count += leaks_in_files(site)
        yield Measure("with DEBUG on, the key in pages, output and database", count, 0, "")


def _recovery(site: Site) -> float:
    began = time.monotonic()
    while site.search(f"Back {time.monotonic()}").status != 200 and time.monotonic() - began < 30:
        time.sleep(0.1)
    return time.monotonic() - began


def single_flight() -> Iterator[Measure]:
    with misbehaving_server(SEARCHES) as server, running_site(server.url) as site:
        yield from _fifty(site, server, "one process")
    if shutil.which("redis-server") is None:
        yield Measure("redis-server is installed", 1, 0, "", "missing")
        return
    with (
        running_redis() as redis,
        misbehaving_server(SEARCHES) as server,
        running_site(server.url, "--workers", "2", CACHE_URL=cache_url(redis)) as site,
    ):
        yield from _fifty(site, server, "two processes, Redis")


def a_long_outage() -> Iterator[Measure]:
    """300 different searches of 600 hotels each, then the gateway is gone, and the processes are new."""
    paths = [results(city, **_stay(day)) for day in range(30) for city in CITIES]
    with (
        servers.running_sandbox() as sandbox,
        servers.running_site(
            "--workers",
            "1",
            GATEWAY_BASE_URL=sandbox.url,
            GATEWAY_API_KEY="sandbox",
            SEARCH_FRESH_SECONDS="5",
        ) as site,
    ):
        for path in paths:
            site.get(path)
            while not site.get(path.replace("/hotels/", "/hotels/progress/")).json()["done"]:
                time.sleep(0.01)
        size = (site.folder / "cache" / "cache.sqlite3").stat().st_size
        yield Measure("300 searches of 600 hotels, the file for each", size / 300 / 1000, 320, "kB")
        sandbox.stop()
        site.stop()
        site.start()
        visits = [site.get(path) for path in paths]
        wrong = sum(visit.status != 200 or "Prices checked" not in visit.text for visit in visits)
        yield Measure("300 searches, gateway gone, pages that were not copies", wrong, 0, "")
        within = p95([visit.seconds for visit in visits]) * 1000
        yield Measure("300 searches, gateway gone, p95 of new processes", within, 300, "ms")


def _stay(number: int) -> dict[str, str]:
    day = CHECK_IN + timedelta(days=number)
    return {"checkin": str(day), "checkout": str(day + timedelta(days=3))}


def _fifty(site: Site, server: MisbehavingServer, where: str) -> Iterator[Measure]:
    site.search("Warm")
    server.misbehave(plays.slow)
    visits = at_once([lambda: site.search("Same") for _ in range(VISITORS)])
    yield Measure(f"{VISITORS} identical cold searches, calls ({where})", server.calls, 1, "")
    failed = sum(visit.status != 200 for visit in visits)
    yield Measure(f"{VISITORS} identical cold searches, failed ({where})", failed, 0, "")


def cache_server_gone() -> Iterator[Measure]:
    if shutil.which("redis-server") is None:
        return
    with (
        misbehaving_server(SEARCHES) as server,
        running_redis() as redis,
        running_site(server.url, CACHE_URL=cache_url(redis)) as site,
    ):
        site.search("Rome")
        redis.stop()
        visits = [site.search("Rome") for _ in range(100)]
        failed = sum(visit.status != 200 for visit in visits)
        yield Measure("cache server gone, pages that failed", failed, 0, "")
        yield Measure("cache server gone, p95", p95([visit.seconds for visit in visits]) * 1000, 300, "ms")


def memory() -> Iterator[Measure]:
    for name, play in (("50 MB body", plays.huge_body), ("200 MB gzip bomb", plays.gzip_bomb)):
        with misbehaving_server(SEARCHES) as server, running_site(server.url, "--workers", "1") as site:
            for number in range(5):
                site.search(f"Warm {number}")
            (worker,) = site.workers()
            before = _resident(worker)
            Path(f"/proc/{worker}/clear_refs").write_text("5")
            server.misbehave(play)
            site.search("Boom")
            yield Measure(f"memory growth at its peak, {name}", _peak(worker) - before, 48, "MB")


def _status(pid: int, field: str) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) / 1024
    raise LookupError(field)


def _resident(pid: int) -> float:
    return _status(pid, "VmRSS")


def _peak(pid: int) -> float:
    return _status(pid, "VmHWM")


def crowd_on_a_hanging_gateway() -> Iterator[Measure]:
    """Fifty visitors wait for a gateway that hangs; pages that don't need it are asked for meanwhile."""
    with misbehaving_server(SEARCHES) as server, running_site(server.url) as site:
        site.search("Warm")
        server.misbehave(plays.hang)
        crowd: list[Seen] = []

        def wait() -> None:
            crowd.extend(
                at_once([lambda number=number: site.search(f"Wait {number}") for number in range(VISITORS)])
            )

        waiting = threading.Thread(target=wait)
        waiting.start()
        time.sleep(0.3)
        sheet = re.search(r"/static/[^\"]+\.css", site.get("/").text)
        paths = {"home": "/", "a static file": sheet[0] if sheet else "", "a cached page": results("Warm")}
        others: dict[str, list[Seen]] = {name: [] for name in paths}
        while waiting.is_alive():
            for name, path in paths.items():
                others[name].append(site.get(path))
        waiting.join()
        for name, visits in others.items():
            times = [visit.seconds for visit in visits if visit.status == 200]
            note = f"{len(times)} of {len(visits)} visits"
            within = p95(times) * 1000 if len(times) == len(visits) else float("inf")
            yield Measure(f"{VISITORS} visitors hang, {name} p95", within, 300, "ms", note)
        yield Measure("the longest of the waiting visitors", max(v.seconds for v in crowd), 6.5, "s")
        yield Measure("waiting visitors without a sorry page", sum(v.status != 503 for v in crowd), 0, "")


def slow_clients() -> Iterator[Measure]:
    """200 of a kind keep their connections open while others visit the default start."""
    with servers.running_site() as site:
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
    with servers.running_site(DRAIN_SECONDS="1") as site:
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


MEASURES = (
    stale_and_breaker,
    hanging_gateway_with_a_copy,
    hanging_gateway_recovers,
    slow_gateway,
    gateway_that_hangs_at_times,
    debug_pages,
    single_flight,
    a_long_outage,
    cache_server_gone,
    memory,
    crowd_on_a_hanging_gateway,
    slow_clients,
    stop_under_load,
)
