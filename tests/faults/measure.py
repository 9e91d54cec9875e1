"""One figure of the drills, and the most it may be."""

from __future__ import annotations

from dataclasses import dataclass


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
