"""The airport list: a carrier's network over real airports, the same for ever."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from search.sandbox.airport_network import (
    CHRISTMAS_MARKETS,
    CITIES,
    GOLF,
    NAMES,
    REGIONS,
    SEASIDE,
    SERVED,
    SKIING,
)
from search.sandbox.countries import Country
from search.sandbox.documents import Json
from search.sandbox.rng import Dice, seed
from search.sandbox.world import City, fold, world

BASES = 90
_NEAREST_KM, _FARTHEST_KM, _DOMESTIC_KM = 280, 3400, 620


@dataclass(frozen=True, slots=True)
class Airport:
    """One served airport; ``size`` is the number of properties of its city."""

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
    served = sorted((_airport(code) for code in SERVED), key=lambda airport: fold(airport.name))
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
    city = _city(code, home)
    return Airport(
        code=code,
        name=NAMES.get(code, home.name),
        city=fold(city.name).upper().replace(" ", "_"),
        country=home.country,
        region=REGIONS.get((home.country.code, home.region), ""),
        latitude=latitude,
        longitude=longitude,
        size=city.stop - city.start,
    )


def _city(code: str, home: City) -> City:
    place = world().find(CITIES[code]) if code in CITIES else None
    return world().city_of(place.start) if place else home


Neighbours = dict[str, list[Airport]]


def _routes(served: list[Airport], bases: set[str]) -> tuple[Neighbours, Neighbours]:
    """All-year and seasonal connections; each goes both ways, and every airport has at least one."""
    yearly: Neighbours = {airport.code: [] for airport in served}
    seasonal: Neighbours = {airport.code: [] for airport in served}
    for one, other in combinations(served, 2):
        if not _flies(one, other, bases):
            continue
        season = (one.code in SEASIDE or other.code in SEASIDE) and seed(
            "season", one.code, other.code
        ) % 4 == 0
        network = seasonal if season else yearly
        network[one.code].append(other)
        network[other.code].append(one)
    for airport in served:
        if not yearly[airport.code]:
            hub = min(
                (to for to in served if _reachable(airport, to, bases)),
                key=lambda to: _kilometres(airport, to),
            )
            yearly[airport.code].append(hub)
            yearly[hub.code].append(airport)
    return yearly, seasonal


def _flies(one: Airport, other: Airport, bases: set[str]) -> bool:
    share = (0, 9, 26)[(one.code in bases) + (other.code in bases)]
    if not share or seed("route", *sorted((one.code, other.code))) % 100 >= share:
        return False
    between = _kilometres(one, other)
    least = _DOMESTIC_KM if one.country == other.country else _NEAREST_KM
    return least < between < _FARTHEST_KM


def _reachable(one: Airport, other: Airport, bases: set[str]) -> bool:
    return other.code in bases and other is not one and _kilometres(one, other) > _NEAREST_KM


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
        "SEA": airport.code in SEASIDE,
        "NIT": airport.size > 2500,
        "SKI": airport.code in SKIING,
        "GLF": country in GOLF and dice.per_mille(500),
        "ROM": dice.per_mille(120),
        "XMS": country in CHRISTMAS_MARKETS and dice.per_mille(500),
        "WEL": dice.per_mille(90),
    }
    return [code for code, fits in themes.items() if fits]
