"""What more processes bring: cold searches a second with the cache's file on a disk and in memory."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.servers import Site, results, running_sandbox, running_site

from .figures import Figure
from .load import cold
from .visitors import cpu_seconds_beside, load

PROCESSES = (1, 2, 4, 8)
# How many times as many as one process answers, where the machine has the cores.
BUDGETS = {2: 1.8, 4: 3.4, 8: 6.0}
VISITORS = 8
EACH = 9
SAMPLE = 10
PLACES = {"on a disk": tempfile.gettempdir(), "in memory": "/dev/shm"}  # in a folder of our own


def processes() -> Iterator[Figure]:
    """Eight visitors, each of whose searches is another one; the gateway is a process of its own."""
    for where, parent in PLACES.items():
        one = 0.0
        for count in PROCESSES:
            if count > (os.cpu_count() or 1):
                break
            with tempfile.TemporaryDirectory(prefix="hotels-", dir=parent) as folder:
                rate, size, beside = _rate(count, f"file://{folder}")
            one = one or rate
            name = f"cold searches a second, {count} process{'es' * (count > 1)}, {where}"
            yield Figure(name, rate, "/s", BUDGETS.get(count), one, "one process")
            yield Figure("processors that gateway and visitors took meanwhile", beside, "")
        yield Figure(f"shared cache for a search of 600, {where}", size, "kB", 320)


def _rate(workers: int, cache: str) -> tuple[float, float, float]:
    """Searches a second, kB of the cache's file for each, and processors used beside the site."""
    variables = {"GATEWAY_API_KEY": "sandbox", "CACHE_URL": cache}
    with (
        running_sandbox() as sandbox,
        running_site("--workers", str(workers), GATEWAY_BASE_URL=sandbox.url, **variables) as site,
    ):
        for _ in range(4 * workers):
            site.get(results("Barcelona"))
        beside = cpu_seconds_beside(site)
        seen = load(site, lambda who, number: cold(who * EACH + number), VISITORS, EACH)
        beside = (cpu_seconds_beside(site) - beside) / seen.seconds
        if seen.answered() < len(seen.visits):
            raise AssertionError(f"{len(seen.visits) - seen.answered()} pages were not answered")
        size = _kilobytes(site, Path(cache.removeprefix("file://")) / "cache.sqlite3")
    return seen.steady_rate(), size, beside


def _kilobytes(site: Site, file: Path) -> float:
    """Of the cache's file for a search, all of whose pages have come."""
    before = 0
    for number in range(2 * SAMPLE):
        if number == SAMPLE:
            before = file.stat().st_size
        path = cold(1_000 + number)
        site.get(path)
        while not site.get(path.replace("/hotels/", "/hotels/progress/")).json()["done"]:
            time.sleep(0.01)
    return (file.stat().st_size - before) / SAMPLE / 1000


PARTS = (processes,)
