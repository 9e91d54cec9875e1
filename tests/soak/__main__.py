"""`python -m tests.soak [MINUTES]`: twenty visitors of one site whose gateway fails anew each second.

Prints what they met, and what the site held of memory, files and threads early and at the end. Exits with 1
if a page was a 500 or none at all, or if it held more: memory by 5% and what threads keep, files or threads
by more than all calls that its processes make at once.
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
import time
from collections import Counter
from dataclasses import astuple, dataclass
from pathlib import Path

from search.gateway.resilience import LIMITS
from search.results.fetcher import THREADS
from tests.bench.visitors import memory_mb
from tests.faults.catalogue import FAULTS
from tests.faults.server import MisbehavingServer, misbehaving_server
from tests.faults.site import address, running_site
from tests.servers import Site

VISITORS = 20
SEED = 20
# So few that each process keeps the results of all of them when the early figures are taken.
PLACES = 60
# Early figures are taken after half of the time, this many minutes at most, when every part has been used.
WARM_UP = 7.5
CALM_SECONDS = 8.0
MORE_MEMORY = 1.05
# Pools of threads start theirs one by one, and each keeps something.
MORE_FOR_THREADS_MB = 10
# Each with a thread and a connection of its own, which a process starts when it first needs them and keeps.
CALLS_OF_A_PROCESS = LIMITS.at_once_most + THREADS
PAGES = ("results", "results", "results", "property", "home")
GROUPS = ("time", "wire", "status", "refusal", "body")


@dataclass(frozen=True)
class Held:
    memory_mb: float
    files: int
    threads: int


def held(site: Site) -> Held:
    """By the server and its processes."""
    pids = (site.process.pid, *site.workers())
    files = sum(len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in pids)
    threads = sum(len(list(Path(f"/proc/{pid}/task").iterdir())) for pid in pids)
    return Held(memory_mb(site)[0], files, threads)


def calm(site: Site, server: MisbehavingServer) -> Held:
    """What is held when all calls under way have ended."""
    server.recover()
    time.sleep(CALM_SECONDS)
    return held(site)


class Soak:
    """Faults and visitors until `stop`; `statuses` are those of the pages so far."""

    def __init__(self, site: Site, server: MisbehavingServer) -> None:
        self.statuses: Counter[int] = Counter()
        self._site, self._server = site, server
        self._over = threading.Event()
        self._random = random.Random(SEED)
        works = [self._misbehave, *[self._visit] * VISITORS]
        self._threads = [threading.Thread(target=work) for work in works]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _misbehave(self) -> None:
        faults = [fault for fault in FAULTS if fault.group in GROUPS]
        while not self._over.wait(1.0):
            fault = self._random.choice(faults)
            self._server.misbehave(fault.play, on_accept=fault.on_accept)
            if self._random.random() < 0.3:
                self._server.recover()

    def _visit(self) -> None:
        while not self._over.wait(self._random.random()):
            place = f"Place {self._random.randrange(PLACES)}"
            seen = self._site.get(address(self._random.choice(PAGES), place))
            self.statuses[seen.status] += 1


def main(minutes: float) -> int:
    with misbehaving_server() as server, running_site(server.url, LOG_LEVEL="ERROR") as site:
        statuses: Counter[int] = Counter()
        found = []
        warm_up = min(minutes / 2, WARM_UP)
        for part in (warm_up, minutes - warm_up):
            soak = Soak(site, server)
            time.sleep(part * 60)
            soak.stop()
            statuses += soak.statuses
            found.append(calm(site, server))
        workers = len(site.workers())
    early, late = found
    print(f"{minutes:g} minutes, {VISITORS} visitors, pages by status: {dict(sorted(statuses.items()))}")
    for name, before, after in zip(
        ("memory, MB", "files", "threads"), astuple(early), astuple(late), strict=True
    ):
        print(f"{name:12} {before:8.0f} {after:8.0f} {after / before - 1:+8.1%}")
    failed = sum(count for status, count in statuses.items() if status in (0, 500))
    more = late.memory_mb > early.memory_mb * MORE_MEMORY + MORE_FOR_THREADS_MB
    handles = max(late.files - early.files, late.threads - early.threads) > workers * CALLS_OF_A_PROCESS
    return int(failed > 0 or more or handles)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, prog="python -m tests.soak")
    arguments.add_argument("minutes", type=float, nargs="?", default=30.0)
    sys.exit(main(arguments.parse_args().minutes))
