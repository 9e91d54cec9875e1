"""`python -m tests.faults.table [group ...]`: the site against the misbehaving gateway, as a table.

Each fault of the catalogue is met by one visitor of the real site; then the measures. Exits with 1 if a
promise is broken. Groups are those of the catalogue, `measures`, and the name of each measure.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from tests.servers import Seen, Site

from . import plays
from .catalogue import AIRPORTS, FAULTS, Fault
from .measures import MEASURES, Measure
from .server import MisbehavingServer, misbehaving_server
from .site import address, leaks, leaks_in_files, running_site

DEADLINE = 6.0
SLACK = 0.5
# A second call beside a slow one is earned by twenty calls; each of these visits makes two.
CALM_VISITS = 12
CALM_SECONDS = 4.0
# So many faults and measures at a time, as most of their time is waiting for a deadline.
DRILLS = 2
GOOD_NAME = "Hotel Steadfast"


@dataclass(frozen=True)
class Row:
    fault: Fault
    seen: Seen
    calls: int

    def broken(self) -> list[str]:
        """The promises this visit broke."""
        promises = {
            f"status {self.fault.page}": self.seen.status == self.fault.page,
            "in time": self.seen.seconds <= DEADLINE + SLACK,
            "no key": not leaks(self.seen),
            "two calls at most": self.calls <= 2,
            "fault not seen": not self.fault.once or GOOD_NAME in self.seen.text,
            "sorry and nothing else": self.fault.page != 503 or GOOD_NAME not in self.seen.text,
            "no number that is none": ">nan" not in self.seen.text.lower(),
        }
        return [promise for promise, kept in promises.items() if not kept]

    @property
    def line(self) -> str:
        broken, fault, seen = self.broken(), self.fault, self.seen
        verdict = "  BROKEN: " + ", ".join(broken) if broken else ""
        return f"{fault.name:38} {fault.group:9} {seen.status:6} {seen.seconds:8.2f} {self.calls:5}{verdict}"


class Drill:
    """One site after another against one server: a fault that leaves a long pause behind costs a new site."""

    def __init__(self, server: MisbehavingServer) -> None:
        self._server = server
        self._site: Site | None = None
        self._stack = contextlib.ExitStack()
        self._visits = 0
        self.leaks = 0

    def meet(self, fault: Fault) -> Row:
        if fault.only == AIRPORTS:
            # Every page leaves a copy of the airports behind; only a new site has none.
            self.end()
        site = self._calm_site() if fault.only != AIRPORTS else None
        self._server.only = fault.only
        self._server.misbehave(fault.play, times=1 if fault.once else None, on_accept=fault.on_accept)
        site = site or self._new_site()
        seen = site.get(address(fault.visit, f"Place {self._next()}"))
        calls = self._server.calls
        self._server.recover()
        return Row(fault, seen, calls)

    def end(self) -> None:
        if self._site is not None:
            self.leaks += leaks_in_files(self._site)
        self._stack.close()
        self._site = None

    def _next(self) -> int:
        self._visits += 1
        return self._visits

    def _calm_site(self) -> Site:
        """A site with a closed breaker and calls to spend: good answers bring both, to the one process that
        answers here."""
        if self._site is not None and not self._calms_down(self._site):
            self.end()
        if self._site is None:
            self._calms_down(self._new_site())
        return self._site

    def _new_site(self) -> Site:
        self._site = self._stack.enter_context(running_site(self._server.url, "--workers", "1"))
        return self._site

    def _calms_down(self, site: Site) -> bool:
        good = 0
        end = time.monotonic() + CALM_SECONDS
        while good < CALM_VISITS and time.monotonic() < end:
            place = f"Calm {self._next()}"
            pages = [site.get(address(page, place)) for page in ("results", "property")]
            if all(page.status == 200 for page in pages):
                good += 1
            else:
                time.sleep(0.25)
        return good == CALM_VISITS


def faults(groups: set[str]) -> list[bool]:
    """Whether the promises of each fault were kept, and at the end whether the key stayed secret."""
    chosen = [fault for fault in FAULTS if fault.group in groups]
    if not chosen:
        return []
    print(f"{'fault':38} {'group':9} {'status':>6} {'seconds':>8} {'calls':>5}")
    ahead = iter(chosen)
    with ThreadPoolExecutor(DRILLS) as pool:
        drills = list(pool.map(_drill, [ahead] * DRILLS))
    leaks = sum(leaks for _kept, leaks in drills)
    print(f"\n{len(chosen)} faults; the key in output and database of the site: {leaks} times")
    return [*(one for kept, _leaks in drills for one in kept), leaks == 0]


def _drill(ahead: Iterator[Fault]) -> tuple[list[bool], int]:
    """Meets what others leave of the faults: whether the promises of each were kept, and how often the key
    was found."""
    kept = []
    with misbehaving_server("propertyOffers") as server:
        drill = Drill(server)
        try:
            for fault in ahead:
                row = drill.meet(fault)
                if row.broken() and not leaks(row.seen):
                    # As for the measures: a busy machine is slow without any promise being broken.
                    _say(row)
                    drill.end()
                    row = drill.meet(fault)
                _say(row)
                kept.append(not row.broken())
        finally:
            drill.end()
    return kept, drill.leaks


def _say(row: Row) -> None:
    # In one piece, or the lines of two drills run into each other.
    print(f"{row.line}\n", end="", flush=True)


def measures(names: set[str]) -> Iterator[bool]:
    print()
    chosen = [measure for measure in MEASURES if names & {"measures", measure.__name__}]
    with ThreadPoolExecutor(DRILLS) as pool:
        for results in pool.map(_measured, chosen):
            for result in results:
                print(measure_line(result), flush=True)
                yield result.kept


def _measured(measure: Callable[[], Iterator[Measure]]) -> list[Measure]:
    results = list(measure())
    if not all(result.kept for result in results):
        # A machine that is busy with something else is slow without any promise being broken: once more.
        return list(measure())
    return results


def measure_line(result: Measure) -> str:
    value = f"{result.value:.1f}" if isinstance(result.value, float) else str(result.value)
    verdict = "" if result.kept else "  BROKEN"
    return f"{result.name:58} {value:>8} {result.unit:3} (at most {result.limit:g}) {result.note}{verdict}"


def main(names: list[str]) -> int:
    # Compressing 200 MB takes a busy machine seconds that belong to no call.
    plays.packed_blanks()
    groups = set(names) or {fault.group for fault in FAULTS} | {"measures"}
    kept = [*faults(groups), *measures(groups)]
    print(f"\n{kept.count(False)} promises broken")
    return 1 if False in kept else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
