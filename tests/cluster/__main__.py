"""`python -m tests.cluster [--seconds N] [--outage N]`: two instances behind nginx, on one PostgreSQL and one
Redis, under 128 visitors, while one part after another is killed, stopped and started again; as a table.

Exits with 1 if a visitor saw a 5xx from anything but a gateway that was down, or if the throughput was less
than 85% of what the processors could do at the cost of a page in the same run.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import quantiles

from tests.bench.figures import print_table
from tests.bench.visitors import CUT_OFF, Visit
from tests.servers import Server, results

from .machines import LATENCY, THREADS, WORKERS, Machines, running_machines
from .visitors import crowd

VISITORS = 128
# Between two pages of one visitor, on average.
PAUSE = 3.0
WARM_PLACES = ("Rome", "Paris", "London", "Berlin", "Madrid", "Lisbon", "Vienna", "Prague")
WARM_SHARE = 0.7
RESTARTS = 10
AWAY = 3.0
ROWS = ("while", "pages", "a second", "statuses", "p50 ms", "p95 ms", "p99 ms", "stale")
_TICKS = os.sysconf("SC_CLK_TCK")
_number = itertools.count()


@dataclass(frozen=True)
class Phase:
    """What the visitors met in some seconds while something happened."""

    name: str
    visits: Sequence[Visit]
    seconds: float
    allowed: frozenset[int] = frozenset()

    @property
    def failed(self) -> int:
        """Pages that were no pages: nothing, a part, or a 5xx; but for what is allowed."""
        good = [200 <= visit.status < 500 or visit.status in self.allowed for visit in self.visits]
        return good.count(False)

    @property
    def row(self) -> tuple[str, ...]:
        cuts = quantiles([visit.whole * 1000 for visit in self.visits], n=100)
        statuses = Counter({0: "none", CUT_OFF: "cut off"}.get(v.status, str(v.status)) for v in self.visits)
        counts = ", ".join(f"{status}: {count}" for status, count in sorted(statuses.items()))
        per_second = f"{len(self.visits) / self.seconds:.0f}"
        times = (f"{cuts[place - 1]:.0f}" for place in (50, 95, 99))
        stale = str(sum(visit.stale for visit in self.visits))
        return (self.name, str(len(self.visits)), per_second, counts, *times, stale)


def path() -> str:
    """Seven of ten visitors want what others want, too; three something new, in the gateway's order."""
    if random.random() < WARM_SHARE:
        return results(random.choice(WARM_PLACES))
    return results(f"{random.choice(WARM_PLACES)} {next(_number)}", sort="provider")


def phase(
    machines: Machines,
    name: str,
    seconds: float,
    happening: Callable[[], None] = lambda: None,
    *,
    pause: float = PAUSE,
    allowed: int | None = None,
) -> Phase:
    """The visitors' pages while `happening` goes on behind them, from the first fifth of the time on."""
    timer = threading.Timer(seconds / 5, happening)
    timer.start()
    began = time.monotonic()
    visits = crowd(machines.port, path, VISITORS, seconds, pause)
    took = time.monotonic() - began
    timer.join()
    return Phase(name, visits, took, frozenset({allowed} - {None}))


def away(part: Server, seconds: float, how: signal.Signals) -> None:
    """Stopped, and started again some seconds later."""
    part.stop(how)
    time.sleep(seconds)
    part.start()


def killed(part: Server) -> None:
    """All processes of an instance gone at once, and back as a process manager brings them."""
    os.killpg(part.process.pid, signal.SIGKILL)
    away(part, 1.0, signal.SIGKILL)


def restarts(machines: Machines) -> Phase:
    """Ten restarts, one instance after the other, under light load."""
    over = threading.Event()

    def happening() -> None:
        for number in range(RESTARTS):
            away(machines.instances[number % 2], 0, signal.SIGTERM)
        over.set()

    worker = threading.Thread(target=happening)
    visits: list[Visit] = []
    began = time.monotonic()
    worker.start()
    while not over.is_set():
        visits += crowd(machines.port, path, 8, 2.0, 0.3)
    worker.join()
    return Phase(f"{RESTARTS} restarts, 8 visitors", visits, time.monotonic() - began)


def phases(machines: Machines, seconds: float, outage: float) -> list[Phase]:
    first, second = machines.instances
    part = partial(phase, machines)
    return [
        part("nothing happens", seconds),
        # What it had begun to send can't be sent by another.
        part("one instance is killed", seconds, partial(killed, first), allowed=CUT_OFF),
        part("one instance restarts", seconds, partial(away, second, 0, signal.SIGTERM)),
        part("Redis is away 3 s", seconds, partial(away, machines.redis, AWAY, signal.SIGTERM)),
        part("PostgreSQL is away 3 s", seconds, partial(away, machines.postgres, AWAY, signal.SIGINT)),
        restarts(machines),
        # Last, because breakers need some seconds to believe that it is back.
        part(
            f"the gateway is away {outage:.0f} s",
            outage * 1.4,
            partial(away, machines.gateway, outage, signal.SIGKILL),
            allowed=503,
        ),
    ]


def throughput(machines: Machines, seconds: float) -> tuple[Phase, float, float]:
    """Visitors without a pause; pages a second that the run allowed; kB of Redis for a page."""
    cpu, sent = cpu_seconds(), machines.redis_bytes()
    found = phase(machines, "visitors without a pause", seconds, pause=0)
    cost = (cpu_seconds() - cpu) / len(found.visits)
    traffic = (machines.redis_bytes() - sent) / len(found.visits) / 1000
    places = len(machines.instances) * WORKERS * THREADS
    return found, min(places / LATENCY, (os.cpu_count() or 1) / cost), traffic


def cpu_seconds() -> float:
    """Of this process and all those it has started, ended ones included."""
    fields = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = stat.read_text().rpartition(")")
        except OSError:  # ended meanwhile
            continue
        fields[int(name.split()[0])] = rest.split()
    ours = {os.getpid()}
    while more := {pid for pid, rest in fields.items() if int(rest[1]) in ours} - ours:
        ours |= more
    return sum(int(ticks) for pid in ours for ticks in fields[pid][11:15]) / _TICKS


def main(seconds: float, outage: float) -> int:
    with running_machines() as machines:
        crowd(machines.port, path, 16, 5, 0)
        fast, most, traffic = throughput(machines, seconds)
        found = [fast, *phases(machines, seconds, outage)]
    print_table([ROWS, *(one.row for one in found)])
    share = len(fast.visits) / fast.seconds / most
    failed = sum(one.failed for one in found)
    print(f"\n{VISITORS} visitors, 7 of 10 pages warm, a gateway that takes {LATENCY * 1000:.0f} ms")
    print(f"throughput: {share:.0%} of {most:.0f} pages a second that this run allowed (85% wanted)")
    print(f"Redis: {traffic:.1f} kB a page")
    print(f"pages that failed: {failed} (0 wanted)")
    return int(failed > 0 or share < 0.85)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, prog="python -m tests.cluster")
    arguments.add_argument("--seconds", type=float, default=15, help="of each part (default %(default)s)")
    arguments.add_argument("--outage", type=float, default=30, help="of the gateway (default %(default)s)")
    given = arguments.parse_args()
    sys.exit(main(given.seconds, given.outage))
