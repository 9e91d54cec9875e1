"""Places, the property numbers they own, and which of these a search lists.

Cities stand in the order country, region, name, and each owns the next block of numbers. So a city, a region
and a country are all one contiguous range, and every question about them has a closed form.
"""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from typing import Any

import airportsdata
from babel import Locale
from babel.numbers import get_territory_currencies

from search.sandbox import read_toml
from search.sandbox.rng import seed

_CITIES, _COUNTRIES = read_toml("cities.toml"), read_toml("countries.toml")
# One day for everybody: a currency that changes later must not change a hotel of the sandbox.
_DAY = date(2026, 1, 1)
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
    | dict.fromkeys("'’.", "")
)
_AIRPORT_WORDS = re.compile(
    r"\b(international|regional|municipal|airport|airfield|airstrip)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Country:
    """`code` is in lower case as on the wire; `language` is a table of names.toml."""

    code: str
    name: str
    currency: str
    language: str


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Anything to search for; its properties have the numbers from `start` up to before `stop`."""

    name: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True, eq=False)
class City(Place):
    """A city and its centre in degrees."""

    country: Country
    region: str
    latitude: float
    longitude: float
    airports: tuple[str, ...]


def fold(text: str) -> str:
    """A name without case, accents and punctuation; "&" reads as "and"."""
    spelled = text.casefold().replace("&", " and ").translate(_LETTERS)
    letters = (c for c in unicodedata.normalize("NFKD", spelled) if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in letters).split())


def _country(code: str, language: str) -> Country:
    """The country with CLDR's name for it and the last of its currencies; Antarctica has none."""
    name = _COUNTRIES["names"].get(code) or Locale("en").territories[code.upper()]
    currencies = get_territory_currencies(code.upper(), start_date=_DAY) or ["USD"]
    return Country(code, name, currencies[-1], language)


def _city_name(row: dict[str, Any]) -> str:
    spelled = row["city"] or _AIRPORT_WORDS.sub("", row["name"])
    first = " ".join(spelled.split("/")[0].split()) or row["iata"]
    first = re.sub(r" Islands?$", "", first)
    name: str = _CITIES["english_names"].get(f"{first}, {row['country'].lower()}", first)
    return name


def _property_count(name: str, country: str, rows: list[dict[str, Any]]) -> int:
    dots = seed("size", name, country)
    if any("international" in row["name"].lower() for row in rows):
        return 240 + dots % 900
    return 18 + dots % 130


def _cities(rows_of_all: Iterable[dict[str, Any]]) -> dict[tuple[str, str], City]:
    """Folded name and code of the country -> city, in the order of their numbers."""
    countries = {
        code: _country(code, language)
        for language, codes in _COUNTRIES["languages"].items()
        for code in codes.split()
    }
    by_name: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    spelling: dict[tuple[str, str], str] = {}
    for row in rows_of_all:
        name, code = _city_name(row), row["country"].lower()
        key = fold(name), code
        if key not in spelling or f"{name}, {code}" in _CITIES["major"]:
            spelling[key] = name
        by_name[key].append(row)
    regions = {
        key: Counter(row["subd"] for row in rows).most_common(1)[0][0] for key, rows in by_name.items()
    }
    cities, start = {}, 0
    for key in sorted(by_name, key=lambda key: (key[1], regions[key], key[0])):
        rows, name, code = by_name[key], spelling[key], key[1]
        count, latitude, longitude = _CITIES["major"].get(f"{name}, {code}") or (
            _property_count(name, code, rows),
            rows[0]["lat"],
            rows[0]["lon"],
        )
        cities[key] = City(
            name=name,
            start=start,
            stop=start + count,
            country=countries[code],
            region=regions[key].replace("-", " "),
            latitude=latitude,
            longitude=longitude,
            airports=tuple(row["iata"] for row in rows),
        )
        start += count
    return cities


def _block(name: str, cities: list[City]) -> Place:
    return Place(name, min(city.start for city in cities), max(city.stop for city in cities))


class World:
    """Every place of the airport data, found by name, by IATA code or by property number."""

    def __init__(self) -> None:
        rows: dict[str, Any] = airportsdata.load("IATA")
        self._by_city = _cities(rows.values())
        self.cities = list(self._by_city.values())
        self.runways = {code: (row["lat"], row["lon"]) for code, row in rows.items()}
        self.size = self.cities[-1].stop
        self._starts = [city.start for city in self.cities]
        self._by_airport = {code: city for city in self.cities for code in city.airports}
        self._country_codes = {fold(city.country.name): city.country.code for city in self.cities}
        self._country_codes |= _COUNTRIES["also_known_as"]
        self._by_name = self._index()

    def city_of(self, number: int) -> City:
        """The city that owns a property number (0 up to before `size`)."""
        return self.cities[bisect_right(self._starts, number) - 1]

    def city_at(self, iata_code: str) -> City:
        """The city an airport belongs to; KeyError for an unknown code."""
        return self._by_airport[iata_code]

    def find(self, text: str) -> Place | None:
        """The place a visitor means: a name, a name with its country, or an IATA code; None if unknown."""
        folded = fold(text)
        if folded in self._by_name:
            return self._by_name[folded]
        if "," in text:
            name, _, country = text.rpartition(",")
            code = self._country_codes.get(fold(country), fold(country))
            return self._by_city.get((fold(name), code))
        return self._by_airport.get(text.strip().upper())

    def _index(self) -> dict[str, Place]:
        """Folded name -> place. Later entries win: regions, countries, cities (largest last), more names."""
        regions: dict[tuple[str, str], list[City]] = defaultdict(list)
        countries: dict[str, list[City]] = defaultdict(list)
        for city in self.cities:
            regions[city.region, city.country.code].append(city)
            countries[city.country.code].append(city)
        index = {fold(name): _block(name, cities) for (name, _), cities in regions.items() if name}
        for other, spelled in _CITIES["region_names"].items():
            name, _, code = spelled.rpartition(", ")
            index[other] = _block(name, regions[name, code])
        for name, code in self._country_codes.items():
            index[name] = _block(countries[code][0].country.name, countries[code])
        for city in sorted(self.cities, key=lambda city: city.stop - city.start):
            index[fold(city.name)] = city
        for spelled, name in _CITIES["english_names"].items():
            other, _, code = spelled.rpartition(", ")
            index[fold(other)] = self._city(f"{name}, {code}")
        for other, spelled in _CITIES["other_names"].items():
            index[fold(other)] = self._city(spelled)
        for spelled, regions_around in _CITIES["regions_around"].items():
            index |= dict.fromkeys(regions_around, self._city(spelled))
        return index

    def _city(self, spelled: str) -> City:
        """The city that cities.toml writes so."""
        name, _, code = spelled.rpartition(", ")
        return self._by_city[fold(name), code]


@cache
def world() -> World:
    """The one world, built at first use."""
    return World()


# Stars repeat with this pattern over the property numbers: that gives every place its share of each rating,
# and the k-th property with given stars without counting through the ones before it.
_STAR_COUNTS = {1: 14, 2: 38, 3: 92, 4: 80, 5: 32}
_ORDERED = [star for star, count in _STAR_COUNTS.items() for _ in range(count)]
_PATTERN = [_ORDERED[position] for position in sorted(range(len(_ORDERED)), key=lambda at: seed("stars", at))]
_PERIOD = len(_PATTERN)


def stars_of(number: int) -> int:
    """The star rating of a property, 1 to 5."""
    return _PATTERN[number % _PERIOD]


class Selection:
    """The properties of a place with some of the stars, in the stable order of their listing."""

    def __init__(self, place: Place, stars: frozenset[int]) -> None:
        self._positions = [position for position, star in enumerate(_PATTERN) if star in stars]
        self._offset = self._before(place.start)
        self.total = self._before(place.stop) - self._offset

    def numbers(self, first: int, count: int) -> list[int]:
        """The property numbers at positions `first` to `first + count - 1`; fewer at the end."""
        stride, numbers = _stride(self.total), []
        for rank in range(first, min(first + count, self.total)):
            turn, position = divmod(self._offset + rank * stride % self.total, len(self._positions))
            numbers.append(turn * _PERIOD + self._positions[position])
        return numbers

    def _before(self, number: int) -> int:
        turns, rest = divmod(number, _PERIOD)
        return turns * len(self._positions) + bisect_left(self._positions, rest)


@lru_cache(maxsize=4096)
def _stride(total: int) -> int:
    """A step that visits each of `total` ranks once and mixes the cities of a country over its pages."""
    stride = max(1, int(total * 0.6180339887))
    while math.gcd(stride, total) != 1:
        stride += 1
    return stride
