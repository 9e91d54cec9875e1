"""What a benchmark prints: figures beside a limit measured in the same run. No figure fails anything."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Figure:
    """`value` and `limit` are in `unit`; `budget` is a number of limits, or of units without a limit.

    `first` is what the first edition needed, for comparison."""

    name: str
    value: float
    unit: str
    limit: float | None = None
    limit_name: str = ""
    budget: float | None = None
    first: str = ""

    @property
    def row(self) -> tuple[str, str, str, str, str, str]:
        ratio = self.value / self.limit if self.limit else None
        beside = f"{self.limit:.2f} {self.unit} ({self.limit_name})" if self.limit is not None else ""
        budget = "" if self.budget is None else f"{self.budget:g}{'x' if ratio else ' ' + self.unit}"
        return (
            self.name,
            f"{self.value:.2f} {self.unit}",
            beside,
            f"{ratio:.2f}x" if ratio else "",
            budget,
            self.first,
        )


def cpu_ms(work: Callable[[], object], runs: int = 60, warm_up: int = 5) -> float:
    """The median CPU milliseconds of one call."""
    return _median(work, time.process_time, runs, warm_up)


def wall_ms(work: Callable[[], object], runs: int = 60, warm_up: int = 5) -> float:
    """The median milliseconds of one call by the clock on the wall."""
    return _median(work, time.perf_counter, runs, warm_up)


def unit() -> float:
    """Milliseconds of a fixed piece of Python, so that machines can be compared."""

    def work() -> None:
        d: dict[int, str] = {}
        for i in range(400_000):
            d[i & 255] = f"{i}:{i & 7}"

    return cpu_ms(work, runs=5, warm_up=1)


def _median(work: Callable[[], object], clock: Callable[[], float], runs: int, warm_up: int) -> float:
    for _ in range(warm_up):
        work()
    times = []
    for _ in range(runs):
        began = clock()
        work()
        times.append(clock() - began)
    return median(times) * 1000
