"""What must hold beyond single faults, measured on the real site: stale, breaker, flights, memory, crowd."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from . import plays
from .server import MisbehavingServer, misbehaving_server
from .site import Seen, Site, at_once, p95, results, running_redis, running_site

SEARCHES = "propertyOffers"
VISITORS = 50


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
        wrong = sum(visit.status != 200 or "Prices from" not in visit.text for visit in visits)
        yield Measure("gateway gone, stale pages p95", p95([v.seconds for v in visits]) * 1000, 50, "ms")
        yield Measure("gateway gone, pages that were not stale results", wrong, 0, "")
        cold = [site.search(f"Cold {number}") for number in range(200)]
        yield Measure("breaker open, sorry pages p95", p95([v.seconds for v in cold]) * 1000, 50, "ms")
        yield Measure("breaker open, pages that were not sorry", sum(v.status != 503 for v in cold), 0, "")
        again = MisbehavingServer(SEARCHES, port=port)
        yield Measure("recovery after the gateway is back", _recovery(site), 6, "s")
        again.stop()


def hanging_gateway_recovers() -> Iterator[Measure]:
    with misbehaving_server(SEARCHES) as server, running_site(server.url) as site:
        server.misbehave(plays.hang)
        at_once([lambda number=number: site.search(f"Hang {number}") for number in range(10)])
        server.recover()
        yield Measure("recovery after a hanging gateway is back", _recovery(site), 6, "s")


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
        running_redis() as address,
        misbehaving_server(SEARCHES) as server,
        running_site(server.url, "--workers", "2", CACHE_URL=address) as site,
    ):
        yield from _fifty(site, server, "two processes, Redis")


def _fifty(site: Site, server: MisbehavingServer, where: str) -> Iterator[Measure]:
    site.search("Warm")
    server.misbehave(plays.slow)
    visits = at_once([lambda: site.search("Same") for _ in range(VISITORS)])
    yield Measure(f"{VISITORS} identical cold searches, calls ({where})", server.calls, 1, "")
    failed = sum(visit.status != 200 for visit in visits)
    yield Measure(f"{VISITORS} identical cold searches, failed ({where})", failed, 0, "")


def memory() -> Iterator[Measure]:
    for name, play in (("50 MB body", plays.huge_body), ("200 MB gzip bomb", _bomb)):
        with misbehaving_server(SEARCHES) as server, running_site(server.url, "--workers", "1") as site:
            for number in range(5):
                site.search(f"Warm {number}")
            (worker,) = site.workers()
            before = _resident(worker)
            Path(f"/proc/{worker}/clear_refs").write_text("5")
            server.misbehave(play)
            site.search("Boom")
            yield Measure(f"memory growth at its peak, {name}", _peak(worker) - before, 48, "MB")


def _bomb(peer: plays.Peer) -> None:
    peer.answer(plays.bomb(), 200, "Content-Encoding: gzip")


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
        site.get("/")
        server.misbehave(plays.hang)
        crowd: list[Seen] = []

        def wait() -> None:
            crowd.extend(
                at_once([lambda number=number: site.search(f"Wait {number}") for number in range(VISITORS)])
            )

        waiting = threading.Thread(target=wait)
        waiting.start()
        time.sleep(0.3)
        others: dict[str, list[float]] = {"/": [], "/static/css/tokens.css": [], results("Warm"): []}
        while waiting.is_alive():
            for path, times in others.items():
                times.append(site.get(path).seconds)
        waiting.join()
        names = ("home", "a static file", "a cached page")
        for name, times in zip(names, others.values(), strict=True):
            note = f"{len(times)} visits"
            yield Measure(f"{VISITORS} visitors hang, {name} p95", p95(times) * 1000, 300, "ms", note)
        yield Measure("the longest of the waiting visitors", max(v.seconds for v in crowd), 6.5, "s")
        yield Measure("waiting visitors without a sorry page", sum(v.status != 503 for v in crowd), 0, "")


MEASURES = (stale_and_breaker, hanging_gateway_recovers, single_flight, memory, crowd_on_a_hanging_gateway)
