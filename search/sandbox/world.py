"""Places and the property numbers they own.

Cities stand in the order country, region, name, and each owns the next block of numbers. So a city, a
region and a country are all one contiguous range, and every question about them has a closed form.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TypedDict, cast

import airportsdata

from search.sandbox.cities import ENGLISH_NAMES, MAJOR_CITIES, OTHER_NAMES, REGION_NAMES
from search.sandbox.countries import ALSO_KNOWN_AS, COUNTRIES, Country
from search.sandbox.rng import seed


class AirportRow(TypedDict):
    """The fields of airportsdata that are read here."""

    iata: str
    name: str
    city: str
    subd: str
    country: str
    lat: float
    lon: float


@dataclass(frozen=True, slots=True)
class Place:
    """Anything that can be asked for: a city, a region or a country."""

    name: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True, eq=False)
class City:
    """A city, its centre in degrees, and the numbers of its properties: ``start`` up to before ``stop``."""

    name: str
    country: Country
    region: str
    latitude: float
    longitude: float
    airports: tuple[str, ...]
    start: int
    stop: int

    @property
    def place(self) -> Place:
        return Place(self.name, self.start, self.stop)


def fold(text: str) -> str:
    """A name without case, accents and punctuation; "&" reads as "and"."""
    spelled = text.casefold().replace("&", " and ").translate(_LETTERS)
    letters = (c for c in unicodedata.normalize("NFKD", spelled) if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in letters).split())


_LETTERS = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
        "ı": "i",
        "'": "",
        "’": "",
        ".": "",
    }
)
_AIRPORT_WORDS = re.compile(
    r"\b(international|regional|municipal|airport|airfield|airstrip)\b", re.IGNORECASE
)


def _city_name(row: AirportRow) -> str:
    spelled = row["city"] or _AIRPORT_WORDS.sub("", row["name"])
    first = " ".join(spelled.split("/")[0].split()) or row["iata"]
    first = re.sub(r" Islands?$", "", first)
    return ENGLISH_NAMES.get((first, row["country"].lower()), first)


def _property_count(name: str, country: str, airports: list[AirportRow]) -> int:
    if (name, country) in MAJOR_CITIES:
        return MAJOR_CITIES[name, country].properties
    international = any("international" in row["name"].lower() for row in airports)
    dots = seed("size", name, country)
    return 240 + dots % 900 if international else 18 + dots % 130


def _cities(rows_of_all: Iterable[AirportRow]) -> dict[tuple[str, str], City]:
    """Folded name and code of the country -> city, in the order of their numbers."""
    by_name: dict[tuple[str, str], list[AirportRow]] = defaultdict(list)
    spelling: dict[tuple[str, str], str] = {}
    for row in rows_of_all:
        name, country = _city_name(row), row["country"].lower()
        key = fold(name), country
        spelling[key] = name if (name, country) in MAJOR_CITIES else spelling.get(key, name)
        by_name[key].append(row)
    regions = {
        key: Counter(row["subd"] for row in rows).most_common(1)[0][0] for key, rows in by_name.items()
    }
    cities, start = {}, 0
    for key in sorted(by_name, key=lambda key: (key[1], regions[key], key[0])):
        rows, name, country = by_name[key], spelling[key], key[1]
        stop = start + _property_count(name, country, rows)
        major = MAJOR_CITIES.get((name, country))
        cities[key] = City(
            name=name,
            country=COUNTRIES[country],
            region=regions[key].replace("-", " "),
            latitude=major.latitude if major else rows[0]["lat"],
            longitude=major.longitude if major else rows[0]["lon"],
            airports=tuple(row["iata"] for row in rows),
            start=start,
            stop=stop,
        )
        start = stop
    return cities


def _block(name: str, cities: Iterable[City]) -> Place:
    members = list(cities)
    return Place(name, min(city.start for city in members), max(city.stop for city in members))


class World:
    """Every place of the airport data, found by name, by IATA code or by property number."""

    def __init__(self) -> None:
        rows = cast("dict[str, AirportRow]", airportsdata.load("IATA"))
        self._by_city = _cities(rows.values())
        self.cities = list(self._by_city.values())
        self.runways = {code: (row["lat"], row["lon"]) for code, row in rows.items()}
        self.size = self.cities[-1].stop
        self._last = self.cities[0]
        self._starts = [city.start for city in self.cities]
        self._by_airport = {code: city for city in self.cities for code in city.airports}
        self._by_name = self._index()

    def city_of(self, number: int) -> City:
        """The city that owns a property number (0 up to before ``size``); mostly the one asked for before."""
        city = self._last
        if not city.start <= number < city.stop:
            city = self._last = self.cities[bisect_right(self._starts, number) - 1]
        return city

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
            return self._in_country(fold(name), fold(country))
        city = self._by_airport.get(text.strip().upper())
        return city.place if city else None

    def _in_country(self, name: str, country: str) -> Place | None:
        codes = {fold(known.name): code for code, known in COUNTRIES.items()} | ALSO_KNOWN_AS
        city = self._by_city.get((name, codes.get(country, country)))
        return city.place if city else None

    def _index(self) -> dict[str, Place]:
        """Folded name -> place. Later entries win: regions, countries, cities (largest last), more names."""
        index: dict[str, Place] = {}
        regions: dict[tuple[str, str], list[City]] = defaultdict(list)
        countries: dict[str, list[City]] = defaultdict(list)
        for city in self.cities:
            regions[city.region, city.country.code].append(city)
            countries[city.country.code].append(city)
        index.update({fold(name): _block(name, members) for (name, _), members in regions.items() if name})
        for other, key in REGION_NAMES.items():
            index[other] = _block(key[0], regions[key])
        for code, members in countries.items():
            index[fold(COUNTRIES[code].name)] = _block(COUNTRIES[code].name, members)
        for other, code in ALSO_KNOWN_AS.items():
            index[other] = _block(COUNTRIES[code].name, countries[code])
        for (folded, _), city in sorted(self._by_city.items(), key=lambda one: one[1].stop - one[1].start):
            index[folded] = city.place
        for (local, code), name in ENGLISH_NAMES.items():
            index[fold(local)] = self._by_city[fold(name), code].place
        for other, (name, code) in OTHER_NAMES.items():
            index[fold(other)] = self._by_city[fold(name), code].place
        return index


@cache
def world() -> World:
    """The one world, built at first use."""
    return World()
