"""A small airport list with every difficulty of a real one, for the tests of destinations."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from search.destinations.index import DestinationIndex
from search.domain.hotels import Airport, Coordinates

_TABLE = Path(__file__).with_name("airports.txt")


def lines_of(table: Path) -> list[list[str]]:
    """The cells of a table: `|` between them, `#` before what is told about them."""
    lines = table.read_text(encoding="utf-8").splitlines()
    return [line.split("|") for line in lines if line and not line.startswith("#")]


def an_airport(code: str, name: str = "", **fields: Any) -> Airport:
    """An airport of nothing but its code, unless told otherwise."""
    values: dict[str, Any] = {
        "code": code, "name": name, "coordinates": None, "base": False, "country": "",
        "region": "", "city": "", "currency": "", "routes": (), "seasonal_routes": (), "categories": (),
        "priority": 1000,
    }  # fmt: skip
    return Airport(**values | fields)


def at(latitude: float, longitude: float) -> Coordinates:
    return Coordinates(latitude, longitude)


def airports() -> list[Airport]:
    """The whole list."""
    return [
        an_airport(
            code, name, city=city, country=country, region=region, priority=int(priority), base=bool(base)
        )
        for code, name, city, country, region, priority, base in lines_of(_TABLE)
    ]


@cache
def an_index(*overrides: Any) -> DestinationIndex:
    return DestinationIndex(airports(), overrides)
