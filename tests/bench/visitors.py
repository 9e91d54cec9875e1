"""Visitors over raw sockets, and the processor time and the memory that the site needs for them."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.servers import Site, p95

LONGEST = 120.0
CUT_OFF = 1
STALE = b"Prices checked"
CARD = b'class="listing-card"'
# What a browser says when it opens a page for somebody.
NAVIGATES = "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n"
# What the kernel calls the processor clock of a process of this id: (~id << 3) | 2.
_PROCESS_CLOCK = 2


@dataclass(frozen=True)
class Visit:
    """Seconds from the request on. `status` is 0 if nothing came, CUT_OFF if a page came in part; `card` is
    when the first hotel had come, 0 if none did; `began` counts from any start."""

    status: int
    first_byte: float
    card: float
    whole: float
    began: float
    stale: bool


@dataclass(frozen=True)
class Load:
    """What some visitors met. `cpu` are the processor seconds of the site meanwhile."""

    visits: Sequence[Visit]
    seconds: float
    cpu: float

    @property
    def cpu_ms(self) -> float:
        return self.cpu / len(self.visits) * 1000

    @property
    def p95_ms(self) -> float:
        return p95([visit.whole for visit in self.visits]) * 1000

    def steady_rate(self) -> float:
        """Answers a second while all visitors are there: between the first eighth of them and the last."""
        ends = sorted(visit.began + visit.whole for visit in self.visits if visit.status == 200)
        eighth = len(ends) // 8
        return (len(ends) - 2 * eighth) / (ends[-eighth - 1] - ends[eighth - 1])

    def answered(self, status: int = 200) -> int:
        return sum(visit.status == status for visit in self.visits)


def load(site: Site, paths: Callable[[int, int], str], visitors: int, each: int) -> Load:
    """`visitors` at once, each asking for `each` pages one after another: `paths(visitor, number)`."""
    before, began = cpu_seconds(site), time.monotonic()
    visits = asyncio.run(_crowd(site.port, paths, visitors, each))
    return Load(visits, time.monotonic() - began, cpu_seconds(site) - before)


def open_page(site: Site, path: str) -> Visit:
    """One page, opened in a browser."""
    return asyncio.run(visit(site.port, path, NAVIGATES))


async def _crowd(port: int, paths: Callable[[int, int], str], visitors: int, each: int) -> list[Visit]:
    async def come(visitor: int) -> list[Visit]:
        return [await visit(port, paths(visitor, number)) for number in range(each)]

    return [one for visits in await asyncio.gather(*map(come, range(visitors))) for one in visits]


async def visit(port: int, path: str, headers: str = "", host: str = "localhost", **connection: Any) -> Visit:
    """One page over a connection of its own."""
    began = time.monotonic()
    first_byte = card = 0.0
    body = bytearray()
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(LONGEST):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, **connection)
            head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n"
            writer.write(head.encode())
            while data := await reader.read(65536):
                first_byte = first_byte or time.monotonic() - began
                card = card or (time.monotonic() - began if CARD in body[-len(CARD) :] + data else 0.0)
                body += data
            writer.close()
    status = int(body[9:12]) if body.startswith(b"HTTP/1.1 ") else 0
    if status == 200 and b"</html>" not in body[-64:]:
        status = CUT_OFF
    return Visit(status, first_byte, card, time.monotonic() - began, began, STALE in body)


def cpu_seconds(site: Site) -> float:
    """Of the server and its workers so far."""
    return sum(_process_seconds(pid) for pid in (site.process.pid, *site.workers()))


def cpu_seconds_beside(site: Site) -> float:
    """Of all that a run needs beside the site: this process and what else it started."""
    started = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return time.process_time() + sum(
        _process_seconds(int(pid)) for pid in started if int(pid) != site.process.pid
    )


def _process_seconds(pid: int) -> float:
    """All threads, those that ended too; /proc counts whole hundredths of a second only."""
    return time.clock_gettime(~pid << 3 | _PROCESS_CLOCK)


def memory_mb(site: Site) -> tuple[float, float]:
    """What the server and its workers hold of the machine's memory, shared pages counted once: all together,
    and the one of them that holds most.

    Pages of files are not theirs: the map of the cache fills with what is cached, and the kernel takes back
    what it needs.
    """
    held = [_proportional_kb(pid) / 1024 for pid in (site.process.pid, *site.workers())]
    return sum(held), max(held)


def _proportional_kb(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(("Pss_Anon:", "Pss_Shmem:")))
