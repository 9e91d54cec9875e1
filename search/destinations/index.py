"""Sorted texts, and what each of them stands for.

Sorted words and names: the parts of the index that answer "which entries are called like this?".

Entries are numbers, most important first, so the smallest numbers of an answer are its best.

The index: every airport, city and region of one airport list, ready to be found. Built once per list.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import chain
from typing import Generic, TypeVar

import msgspec

from search.domain.hotels import Airport, Coordinates
from search.domain.site_settings import DestinationOverride
from search.domain.text import fold, place_name, spellings

from .aliases import OTHER_NAMES
from .destination import (
    Destination,
    Kind,
    airport_destination,
    airport_name,
    city_name,
    importance,
    is_airport_code,
)
from .fuzzy import Similar

T = TypeVar("T", int, str)

_AFTER = "\U0010ffff"


class Postings(Generic[T]):
    """Folded texts in order, each with the entries it stands for."""

    def __init__(self, pairs: Mapping[str, Iterable[T]]) -> None:
        self._texts = sorted(pairs)
        self._entries: list[tuple[T, ...]] = [tuple(sorted(set(pairs[text]))) for text in self._texts]

    @classmethod
    def by_words(cls, pairs: Iterable[tuple[str, T]]) -> Postings[T]:
        """Names that are found by the beginning of any of their words and what follows it."""
        found: defaultdict[str, list[T]] = defaultdict(list)
        for name, entry in pairs:
            words = name.split()
            for first in range(len(words)):
                found[" ".join(words[first:])].append(entry)
        return cls(found)

    def exact(self, text: str) -> tuple[T, ...]:
        place = bisect_left(self._texts, text)
        found = place < len(self._texts) and self._texts[place] == text
        return self._entries[place] if found else ()

    def starting_with(self, prefix: str) -> set[T]:
        first, last = bisect_left(self._texts, prefix), bisect_right(self._texts, prefix + _AFTER)
        return set(chain.from_iterable(self._entries[first:last]))


_MIN_HIDDEN = 3


class Use(Enum):
    """How a name finds its entry."""

    SHOWN = "shown"
    # Only word by word: the whole name belongs to another entry, as a city's does to the city.
    WORDS = "words"
    # Whole, or by its beginning: a match inside a name that the page doesn't show would look like a mistake.
    HIDDEN = "hidden"


class Terms:
    """`names` are, for each entry, its folded names and their uses; `codes` its IATA code or empty."""

    def __init__(self, names: Sequence[Iterable[tuple[str, Use]]], codes: Sequence[str]) -> None:
        whole: defaultdict[str, list[int]] = defaultdict(list)
        words: defaultdict[str, list[int]] = defaultdict(list)
        hidden: defaultdict[str, list[int]] = defaultdict(list)
        lines: list[str] = []
        self._starts: list[int] = []
        length = 0
        for number, named in enumerate(names):
            self._starts.append(length)
            for name, use in named:
                if use is Use.HIDDEN:
                    hidden[name].append(number)
                    continue
                if use is Use.SHOWN:
                    whole[name].append(number)
                for word in name.split():
                    words[word].append(number)
            line = "\n".join(name for name, use in named if use is not Use.HIDDEN) + "\n"
            lines.append(line)
            length += len(line)
        self._text = "".join(lines)
        self._whole = Postings(whole)
        self._words = Postings(words)
        self._hidden = Postings(hidden)
        self._codes = Postings({code.lower(): [number] for number, code in enumerate(codes) if code})
        self._similar = Similar([words, whole, hidden])

    def code(self, text: str) -> tuple[int, ...]:
        return self._codes.exact(text)

    def exact(self, text: str) -> set[int]:
        return {*self._whole.exact(text), *self._hidden.exact(text)}

    def starting_with(self, text: str) -> set[int]:
        found = self._whole.starting_with(text)
        return found | self._hidden.starting_with(text) if len(text) >= _MIN_HIDDEN else found

    def with_words(self, text: str) -> set[int]:
        """Entries that have, for every word of `text`, a word beginning with it; among several words one
        may be the code."""
        words = sorted(text.split(), key=len, reverse=True)
        found: set[int] | None = None
        for word in words:
            holders = self._words.starting_with(word)
            if len(words) > 1:
                holders |= set(self._codes.exact(word))
            found = holders if found is None else found & holders
            if not found:
                break
        return found or set()

    def code_starting_with(self, text: str) -> set[int]:
        return self._codes.starting_with(text)

    def containing(self, text: str) -> Iterator[int]:
        """Entries with a name that contains `text`, best first."""
        place = self._text.find(text)
        while place >= 0:
            number = bisect_right(self._starts, place) - 1
            yield number
            following = self._starts[number + 1] if number + 1 < len(self._starts) else len(self._text)
            place = self._text.find(text, following)

    def similar(self, text: str) -> list[int]:
        """Entries with a name or word one or two typing mistakes away from `text`, closest first."""
        return self._similar.to(text)


_KM_PER_DEGREE = 111.0
_Corrections = dict[str, DestinationOverride]


class DestinationIndex:
    """All destinations of an airport list; immutable once built, so threads share it freely.

    `entries` are airports and cities with two or more airports, most important first, each city right before
    its most important airport; `regions` are all regions. A hidden airport is in neither, but is still known
    to `airport()`, so that old addresses keep their meaning.
    """

    def __init__(self, airports: Iterable[Airport], overrides: Iterable[DestinationOverride] = ()) -> None:
        corrections = {entry.airport.upper(): entry for entry in overrides}
        self._airports = _usable(airports)
        hidden = {code for code, entry in corrections.items() if entry.hidden}
        shown = [airport for code, airport in self._airports.items() if code not in hidden]
        self.airports: tuple[Airport, ...] = tuple(shown)
        self._destinations = {
            airport.code: airport_destination(airport, corrections.get(airport.code)) for airport in shown
        }
        self._cities = _grouped(shown)
        self._namesakes = Counter(name for _, name in self._cities)
        self._city_of = {
            airport.code: city
            for group in self._cities.values()
            if len(group) > 1
            for city in (self._city(group),)
            for airport in group
        }
        self.entries = self._ranked()
        self.regions = _regions(shown)
        self.region_terms = Postings.by_words(
            (fold(region.name), number) for number, region in enumerate(self.regions)
        )
        self.by_country: dict[str, tuple[Airport, ...]] = _by_country(shown)
        self.terms = Terms(
            [self._names(entry, corrections) for entry in self.entries],
            [entry.code if entry.kind is Kind.AIRPORT else "" for entry in self.entries],
        )
        self._position = {
            entry.code: position for position, entry in enumerate(self.entries) if entry.kind is Kind.AIRPORT
        }

    def airport(self, code: str) -> Airport | None:
        """The airport of an IATA code in any case, hidden or not; None when the list has none."""
        return self._airports.get(code.strip().upper())

    def destination(self, code: str) -> Destination | None:
        """The destination that the airport of an IATA code is; None for unknown and hidden ones."""
        return self._destinations.get(code.strip().upper())

    def city_of(self, code: str) -> Destination | None:
        """The city that the airport of this IATA code shares with other airports."""
        return self._city_of.get(code)

    def position(self, code: str) -> int:
        """Where in `entries` the airport of this IATA code is."""
        return self._position[code]

    def airports_of_city(self, city: str, country: str = "") -> tuple[Airport, ...]:
        """The airports of a city given by its code or by any of its names, most important first; without a
        lower-case `country` code, those of all cities of the name."""
        wanted = fold(city)
        found = [
            airport
            for (where, name), group in self._cities.items()
            if where == (country or where) and (wanted == name or wanted in OTHER_NAMES.get(name, ()))
            for airport in group
        ]
        return tuple(found)

    def nearest(
        self, coordinates: Coordinates, limit: int = 5, within_km: float = 300.0
    ) -> tuple[tuple[Airport, float], ...]:
        """The nearest airports with their straight-line distance in kilometres, nearest first."""
        reach = within_km / _KM_PER_DEGREE
        measured = [
            (airport.coordinates.km_to(coordinates), airport)
            for airport in self.airports
            if airport.coordinates is not None
            and abs(airport.coordinates.latitude - coordinates.latitude) <= reach
        ]
        near = sorted((pair for pair in measured if pair[0] <= within_km), key=lambda pair: pair[0])
        return tuple((airport, km) for km, airport in near[:limit])

    def _ranked(self) -> tuple[Destination, ...]:
        ranked: dict[Destination, None] = {}
        for airport in self.airports:
            city = self._city_of.get(airport.code)
            if city:
                ranked.setdefault(city)
            ranked.setdefault(self._destinations[airport.code])
        return tuple(ranked)

    def _city(self, group: Sequence[Airport]) -> Destination:
        first = group[0]
        name = city_name(first)
        places = {self._destinations[airport.code].place for airport in group}
        return Destination(
            kind=Kind.CITY,
            code=first.city,
            name=name,
            place=places.pop() if len(places) == 1 else name,
            country=first.country,
            airports=tuple(airport.code for airport in group),
            near="",
            text=f"{name}, {first.country.upper()}" if self._namesakes[fold(name)] > 1 else name,
        )

    def _names(self, entry: Destination, corrections: _Corrections) -> list[tuple[str, Use]]:
        """The names that find an entry."""
        city = fold(entry.name if entry.kind is Kind.CITY else city_name(self._airports[entry.code]))
        if entry.kind is Kind.CITY:
            return [(name, Use.SHOWN) for name in spellings(entry.name)] + _hidden(OTHER_NAMES.get(city, ()))
        airport = self._airports[entry.code]
        grouped = len(self._cities.get((airport.country, city), ())) > 1
        names = [(name, Use.SHOWN) for name in spellings(airport_name(airport))]
        if city:
            names.append((city, Use.WORDS if grouped else Use.SHOWN))
        if not grouped:
            names += _hidden(OTHER_NAMES.get(city, ()))
        override = corrections.get(entry.code)
        if override:
            names += _hidden((override.place, *override.search_words.replace(";", ",").split(",")))
        return names


def _usable(airports: Iterable[Airport]) -> dict[str, Airport]:
    """The airports with an IATA code, most important first; of two with one code, the more important."""
    found: dict[str, Airport] = {}
    for airport in sorted(airports, key=importance):
        code = airport.code.strip().upper()
        if is_airport_code(code):
            country = airport.country.strip().lower()
            found.setdefault(code, msgspec.structs.replace(airport, code=code, country=country))
    return found


def _grouped(airports: Iterable[Airport]) -> dict[tuple[str, str], tuple[Airport, ...]]:
    """The airports of each city, by country and folded city name."""
    groups: defaultdict[tuple[str, str], list[Airport]] = defaultdict(list)
    for airport in airports:
        name = city_name(airport)
        if name:
            groups[airport.country, fold(name)].append(airport)
    return {key: tuple(group) for key, group in groups.items()}


def _by_country(airports: Iterable[Airport]) -> dict[str, tuple[Airport, ...]]:
    groups: defaultdict[str, list[Airport]] = defaultdict(list)
    for airport in airports:
        groups[airport.country].append(airport)
    return {country: tuple(group) for country, group in groups.items()}


def _regions(airports: Iterable[Airport]) -> tuple[Destination, ...]:
    groups: defaultdict[str, list[Airport]] = defaultdict(list)
    for airport in airports:
        if airport.region.strip():
            groups[airport.region].append(airport)
    found = []
    for code, group in groups.items():
        countries = {airport.country for airport in group}
        country = countries.pop() if len(countries) == 1 else ""
        codes = tuple(airport.code for airport in group)
        name = place_name(code)
        found.append(Destination(Kind.REGION, code, name, name, country, codes, "", name))
    return tuple(sorted(found, key=lambda region: fold(region.name)))


def _hidden(names: Iterable[str]) -> list[tuple[str, Use]]:
    return [(spelling, Use.HIDDEN) for name in names for spelling in spellings(name) if spelling]
