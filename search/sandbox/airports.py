"""The airport list: a carrier's network over real airports, the same for ever."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import cast

from search.sandbox import Json, read_toml
from search.sandbox.rng import Dice, seed
from search.sandbox.world import City, Country, fold, world

BASES = 90
_NEAREST_KM, _FARTHEST_KM, _DOMESTIC_KM = 280, 3400, 620
_DATA = read_toml("airports.toml")
_SEASIDE, _SKIING = frozenset(_DATA["seaside"].split()), frozenset(_DATA["skiing"].split())


@dataclass(frozen=True, slots=True)
class Airport:
    """One served airport; `size` is the number of properties of its city."""

    code: str
    name: str
    city: str
    country: Country
    region: str
    latitude: float
    longitude: float
    size: int


@cache
def airports() -> list[Json]:
    """The list as it goes over the wire, in alphabetical order of the names."""
    served = sorted(map(_airport, _DATA["served"].split()), key=lambda airport: fold(airport.name))
    ranking = sorted(served, key=lambda airport: (-airport.size, airport.code))
    bases = {airport.code for airport in ranking[:BASES]}
    rank = {airport.code: place for place, airport in enumerate(ranking)}
    yearly, seasonal = _routes(served, bases)
    return [
        {
            "iataCode": airport.code,
            "name": airport.name,
            "seoName": fold(airport.name).replace(" ", "-"),
            "coordinates": {"latitude": airport.latitude, "longitude": airport.longitude},
            "base": airport.code in bases,
            "countryCode": airport.country.code,
            "regionCode": airport.region,
            "cityCode": airport.city,
            "currencyCode": airport.country.currency,
            "routes": _entries(yearly[airport.code]),
            "seasonalRoutes": _entries(seasonal[airport.code]),
            "categories": _categories(airport),
            "priority": rank[airport.code] * 1000 // len(served),
        }
        for airport in served
    ]


def _airport(code: str) -> Airport:
    (latitude, longitude), home = world().runways[code], world().city_at(code)
    city = cast("City", world().find(_DATA["cities"][code])) if code in _DATA["cities"] else home
    return Airport(
        code=code,
        name=_DATA["names"].get(code, home.name),
        city=fold(city.name).upper().replace(" ", "_"),
        country=home.country,
        region=_DATA["regions"].get(f"{home.country.code}, {home.region}", ""),
        latitude=latitude,
        longitude=longitude,
        size=city.stop - city.start,
    )


Neighbours = dict[str, list[Airport]]


def _routes(served: list[Airport], bases: set[str]) -> tuple[Neighbours, Neighbours]:
    """All-year and seasonal connections; each goes both ways, and every airport has at least one."""
    yearly: Neighbours = {airport.code: [] for airport in served}
    seasonal: Neighbours = {airport.code: [] for airport in served}
    for one, other in combinations(served, 2):
        if not _flies(one, other, bases):
            continue
        by_the_sea = not _SEASIDE.isdisjoint((one.code, other.code))
        is_seasonal = by_the_sea and seed("season", one.code, other.code) % 4 == 0
        network = seasonal if is_seasonal else yearly
        network[one.code].append(other)
        network[other.code].append(one)
    for airport in served:
        if not yearly[airport.code]:
            hubs = [to for to in served if to.code in bases and _kilometres(airport, to) > _NEAREST_KM]
            hub = min(hubs, key=lambda to: _kilometres(airport, to))
            yearly[airport.code].append(hub)
            yearly[hub.code].append(airport)
    return yearly, seasonal


def _flies(one: Airport, other: Airport, bases: set[str]) -> bool:
    share = (0, 9, 26)[(one.code in bases) + (other.code in bases)]
    if not share or seed("route", *sorted((one.code, other.code))) % 100 >= share:
        return False
    least = _DOMESTIC_KM if one.country == other.country else _NEAREST_KM
    return least < _kilometres(one, other) < _FARTHEST_KM


def _kilometres(one: Airport, other: Airport) -> float:
    height = math.radians(other.latitude - one.latitude)
    middle = math.radians((other.latitude + one.latitude) / 2)
    width = math.radians(other.longitude - one.longitude) * math.cos(middle)
    return 6371 * math.hypot(height, width)


def _entries(reached: list[Airport]) -> list[str]:
    """Prefixed codes: the airports, then the cities, countries and regions they stand for."""
    codes = [f"airport:{airport.code}" for airport in reached]
    codes += sorted({f"city:{airport.city}" for airport in reached})
    codes += sorted({f"country:{airport.country.code}" for airport in reached})
    return codes + sorted({f"region:{airport.region}" for airport in reached if airport.region})


def _categories(airport: Airport) -> list[str]:
    dice, country = Dice("themes", airport.code), airport.country.code
    themes = {
        "FAM": dice.per_mille(700),
        "CTY": airport.size > 1000,
        "CUL": airport.size > 1400 or dice.per_mille(250),
        "OUT": dice.per_mille(380),
        "SEA": airport.code in _SEASIDE,
        "NIT": airport.size > 2500,
        "SKI": airport.code in _SKIING,
        "GLF": country in _DATA["golf"].split() and dice.per_mille(500),
        "ROM": dice.per_mille(120),
        "XMS": country in _DATA["christmas_markets"].split() and dice.per_mille(500),
        "WEL": dice.per_mille(90),
    }
    return [code for code, fits in themes.items() if fits]
