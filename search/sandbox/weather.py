"""Weather: faults and dialects the sandbox is told to have, as one short text.

The words, joined by commas, are those of `_WORDS`; docs/sandbox.md says what each does. Without one the
sandbox answers as the interface is written and nothing more.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

CATEGORY_STYLES = ("any", "comma", "repeat", "single")
TOO_LARGE = ("cut", "refused")
DETAILS = ("plain", "ids", "null", "missing", "empty", "list", "text")
TOTALS = ("exact", "missing", "moving")
SURCHARGES = ("added", "included", "property-currency", "unreadable")


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
    repeats: bool = False
    gaps: bool = False
    total: str = "exact"
    surcharges: str = "added"
    zero_prices: bool = False
    text_numbers: bool = False

    def failure(self, turn: int) -> int | None:
        """The status that request number ``turn`` (from 0) fails with; None if it is answered."""
        if self.down:
            return 503
        if self.served_between_refusals is not None:
            cycle = self.served_between_refusals + 1
            if turn % cycle == cycle - 1:
                return 429
        # A failure falls wherever the running sum of the share passes a whole number.
        if int((turn + 1) * self.flaky + 1e-9) > int(turn * self.flaky + 1e-9):
            return (503, 502, 504)[int(turn * self.flaky) % 3]
        return None


FAIR = Weather()

Change = Callable[[Weather, str], Weather]


def parse_weather(text: str) -> Weather:
    """The weather a text describes; empty is fair. ValueError names a word or a value it doesn't know."""
    weather = FAIR
    for part in filter(None, (part.strip() for part in text.split(","))):
        word, _, value = part.partition("=")
        change = _WORDS.get(word.strip())
        if change is None:
            raise ValueError(f"unknown sandbox weather: {word!r} (known: {', '.join(_WORDS)})")
        try:
            weather = change(weather, value.strip())
        except ValueError as error:
            raise ValueError(f"sandbox weather {part!r}: {error}") from None
    return weather


def _number(value: str, least: float, most: float) -> float:
    with suppress(ValueError):
        if least <= (number := float(value)) <= most:
            return number
    raise ValueError(f"must be a number from {least:g} to {most:g}")


def _whole(value: str, least: int, most: int) -> int:
    with suppress(ValueError):
        if least <= (number := int(value)) <= most:
            return number
    raise ValueError(f"must be a whole number from {least} to {most}")


def _no_value(value: str) -> bool:
    if value:
        raise ValueError("takes no value")
    return True


def _one_of(value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise ValueError(f"must be one of {', '.join(choices)}")
    return value


def _percent(value: str) -> int:
    if not re.fullmatch(r"[+-]?\d{1,3}%?", value):
        raise ValueError("must be a percentage such as +10%")
    return _whole(value.rstrip("%"), -90, 900)


def _key(value: str) -> frozenset[str]:
    if not value:
        raise ValueError("needs a property's key")
    return frozenset({value})


_WORDS: dict[str, Change] = {
    "slow": lambda weather, value: replace(weather, slow=_number(value, 0, 600)),
    "flaky": lambda weather, value: replace(weather, flaky=_number(value, 0, 1)),
    "down": lambda weather, value: replace(weather, down=_no_value(value)),
    "garbled": lambda weather, value: replace(weather, garbled=_no_value(value)),
    "rate-limited": lambda weather, value: replace(
        weather, served_between_refusals=_whole(value, 0, 1000) if value else 0
    ),
    "prices": lambda weather, value: replace(weather, prices=_percent(value)),
    "gone": lambda weather, value: replace(weather, gone=weather.gone | _key(value)),
    "basis": lambda weather, value: replace(weather, nightly=_one_of(value, ("stay", "night")) == "night"),
    "categories": lambda weather, value: replace(weather, categories=_one_of(value, CATEGORY_STYLES)),
    "max_size": lambda weather, value: replace(weather, max_size=_whole(value, 1, 1000)),
    "too_large": lambda weather, value: replace(weather, too_large=_one_of(value, TOO_LARGE)),
    "page_from": lambda weather, value: replace(weather, page_from=_whole(value, 0, 1)),
    "details": lambda weather, value: replace(weather, details=_one_of(value, DETAILS)),
    "empty_page": lambda weather, value: replace(weather, empty_page=_whole(value, 0, 1000)),
    "window": lambda weather, value: replace(weather, window=_whole(value, 1, 1_000_000)),
    "repeats": lambda weather, value: replace(weather, repeats=_no_value(value)),
    "gaps": lambda weather, value: replace(weather, gaps=_no_value(value)),
    "total": lambda weather, value: replace(weather, total=_one_of(value, TOTALS)),
    "surcharges": lambda weather, value: replace(weather, surcharges=_one_of(value, SURCHARGES)),
    "zero_prices": lambda weather, value: replace(weather, zero_prices=_no_value(value)),
    "text_numbers": lambda weather, value: replace(weather, text_numbers=_no_value(value)),
}
