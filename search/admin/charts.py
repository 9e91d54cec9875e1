"""Bars for a few days, drawn on the server as SVG: admin/search/bar_chart.html."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, Self

WIDTH, HEIGHT = 300, 60
GAP = 0.2
# What is there is seen, however little it is beside the highest.
LEAST_HEIGHT = 1.5


class Bar(NamedTuple):
    """One day's rectangle and what it says."""

    x: float
    y: float
    width: float
    height: float
    day: date
    text: str


@dataclass(frozen=True)
class BarChart:
    """`sum` is all bars together, empty where that means nothing; `words` say what can't be seen by all."""

    title: str
    sum: str
    words: str
    bars: tuple[Bar, ...]

    @classmethod
    def of(cls, title: str, values: Mapping[date, float], unit: str = "") -> Self:
        """A bar for each day, the highest as high as the chart. Shares, with `unit` %, are not added up."""
        top = max(values.values(), default=0)
        step = WIDTH / max(len(values), 1)
        bars = tuple(
            _bar(number * step, step, value / top if top else 0, day, f"{value:g}{unit}")
            for number, (day, value) in enumerate(values.items())
        )
        highest = max(values, key=lambda day: values[day], default=None)
        words = f"at most {values[highest]:g}{unit} on {highest:%d %b}" if highest and top else "nothing yet"
        return cls(title, "" if unit else f"{sum(values.values()):g}", words, bars)


def _bar(x: float, step: float, share: float, day: date, text: str) -> Bar:
    height = max(share * HEIGHT, LEAST_HEIGHT) if share else 0
    gap = step * GAP
    return Bar(
        round(x + gap / 2, 2), round(HEIGHT - height, 2), round(step - gap, 2), round(height, 2), day, text
    )
