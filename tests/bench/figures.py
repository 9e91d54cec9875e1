"""What a benchmark prints: figures beside a limit measured in the same run. No figure fails anything."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import ClassVar


@dataclass(frozen=True)
class Figure:
    """`value` and `limit` are in `unit`; `budget` is a number of limits, or of units without a limit."""

    name: str
    value: float
    unit: str
    budget: float | None = None
    limit: float | None = None
    limit_name: str = ""

    HEAD: ClassVar = ("figure", "measured", "limit of the same run", "ratio", "budget")

    @property
    def row(self) -> tuple[str, ...]:
        ratio = f"{self.value / self.limit:.2f}x" if self.limit else ""
        limit = f"{self.limit:.2f} {self.unit} ({self.limit_name})" if self.limit is not None else ""
        budget = "" if self.budget is None else f"{self.budget:g}{'x' if ratio else ' ' + self.unit}"
        return self.name, f"{self.value:.2f} {self.unit}", limit, ratio, budget


def cpu_ms(
    work: Callable[[], object],
    runs: int = 60,
    warm_up: int = 5,
    clock: Callable[[], float] = time.process_time,
) -> float:
    """The median CPU milliseconds of one call; with another clock, its milliseconds."""
    for _ in range(warm_up):
        work()
    times = []
    for _ in range(runs):
        began = clock()
        work()
        times.append(clock() - began)
    return median(times) * 1000


def unit() -> float:
    """Milliseconds of a fixed piece of Python, so that machines can be compared."""

    def work() -> None:
        d: dict[int, str] = {}
        for i in range(400_000):
            d[i & 255] = f"{i}:{i & 7}"

    return cpu_ms(work, runs=3, warm_up=1)


def print_table(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
