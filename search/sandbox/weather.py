"""Weather: the faults and dialects that the sandbox has, as one short text.

The words, joined by commas, are those of `WORDS`; README.md says what each does. Without one the sandbox
answers as the interface is written and nothing more.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Weather:
    """How the sandbox behaves; the default is fair weather."""

    slow: float = 0.0
    flaky: float = 0.0
    down: bool = False
    garbled: bool = False
    served_between_refusals: int | None = None
    prices: int = 0
    gone: frozenset[str] = frozenset()
    nightly: bool = False
    categories: str = "any"
    max_size: int = 100
    too_large: str = "cut"
    page_from: int = 0
    details: str = "plain"
    empty_page: int | None = None
    window: int | None = None
    repeats: str = ""
    shared_ids: bool = False
    gaps: bool = False
    total: str = "exact"
    surcharges: str = "added"
    zero_prices: bool = False
    text_numbers: bool = False

    def failure(self, turn: int) -> int | None:
        """The status that request number `turn` (from 0) fails with; None if it is answered."""
        if self.down:
            return 503
        if self.served_between_refusals is not None:
            cycle = self.served_between_refusals + 1
            if turn % cycle == cycle - 1:
                return 429
        # A failure falls where the running sum of the share passes a whole number.
        if int((turn + 1) * self.flaky + 1e-9) > int(turn * self.flaky + 1e-9):
            return (503, 502, 504)[int(turn * self.flaky) % 3]
        return None


FAIR = Weather()


def parse_weather(text: str) -> Weather:
    """The weather a text describes; empty is fair. ValueError names a word or a value it does not know."""
    weather = FAIR
    for part in filter(None, map(str.strip, text.split(","))):
        word, _, value = map(str.strip, part.partition("="))
        if word not in WORDS:
            raise ValueError(f"unknown sandbox weather: {word!r} (known: {', '.join(WORDS)})")
        field, parse = WORDS[word]
        try:
            meant = parse(value)
        except ValueError as error:
            raise ValueError(f"sandbox weather {part!r}: {error}") from None
        if field == "gone":
            meant = weather.gone | {value}
        weather = replace(weather, **{field: meant})
    return weather


Parse = Callable[[str], Any]


def _number(least: int, most: int, kind: type[float] = float) -> Parse:
    def parse(value: str) -> float:
        with suppress(ValueError):
            if least <= (number := kind(value)) <= most:
                return number
        raise ValueError(f"must be a {'whole ' if kind is int else ''}number from {least} to {most}")

    return parse


def _whole(least: int, most: int) -> Parse:
    return _number(least, most, int)


def _one_of(*choices: str) -> Parse:
    def parse(value: str) -> str:
        if value not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return value

    return parse


def _no_value(value: str) -> bool:
    if value:
        raise ValueError("takes no value")
    return True


def _key(value: str) -> str:
    if not value:
        raise ValueError("needs a property's key")
    return value


# Word -> the field that it sets, and how its value is read.
WORDS: dict[str, tuple[str, Parse]] = {
    "slow": ("slow", _number(0, 600)),
    "flaky": ("flaky", _number(0, 1)),
    "down": ("down", _no_value),
    "garbled": ("garbled", _no_value),
    "rate-limited": ("served_between_refusals", lambda value: _whole(0, 1000)(value or "0")),
    "prices": ("prices", lambda value: _whole(-90, 900)(value.rstrip("%"))),
    "gone": ("gone", _key),
    "basis": ("nightly", lambda value: _one_of("stay", "night")(value) == "night"),
    "categories": ("categories", _one_of("any", "comma", "repeat", "single")),
    "max_size": ("max_size", _whole(1, 1000)),
    "too_large": ("too_large", _one_of("cut", "refused")),
    "page_from": ("page_from", _whole(0, 1)),
    "details": ("details", _one_of("plain", "ids", "null", "missing", "empty", "list", "text")),
    "empty_page": ("empty_page", _whole(0, 1000)),
    "window": ("window", _whole(1, 1_000_000)),
    "repeats": ("repeats", lambda value: _one_of("same", "stars", "prices", "half")(value or "same")),
    "shared_ids": ("shared_ids", _no_value),
    "gaps": ("gaps", _no_value),
    "total": ("total", _one_of("exact", "missing", "moving")),
    "surcharges": ("surcharges", _one_of("added", "included", "property-currency", "unreadable")),
    "zero_prices": ("zero_prices", _no_value),
    "text_numbers": ("text_numbers", _no_value),
}
