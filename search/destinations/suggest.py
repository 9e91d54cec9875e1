"""Suggestions: the destinations that a typed text may mean, best first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import nsmallest

from search.domain.text import fold

from .countries import CountryNames
from .destination import Destination, Kind
from .index import DestinationIndex

LIMIT = 8
# Nobody types more; a pasted page must cost no more than a word does.
MAX_TEXT = 100
_ENOUGH_WITHOUT_GUESSING = 3
_NOT_A_NAME = frozenset({"airport", "airports"})


def suggest(
    index: DestinationIndex, text: str, countries: CountryNames, limit: int = LIMIT
) -> tuple[Destination, ...]:
    """At most `limit` destinations for `text`, nothing for a blank one.

    From best to least: exact IATA code, exact city or name, beginning of one, beginning of a word, beginning
    of a code, country or region, any part of a name, and one or two typing mistakes if there are fewer than
    three of all those and nothing begins like the text. Within each, bases come first, then by priority, then
    by name. A city with several airports is followed by them.
    """
    words = _words(text)
    if not words:
        return ()
    wanted = " ".join(words)
    found = _Found(index, limit)
    found.search(wanted, countries)
    if not found.rows:
        wanted = found.search_within_country(words, countries)
    if not found.certain and len(found.rows) < _ENOUGH_WITHOUT_GUESSING:
        found.guess(wanted)
    return tuple(found.rows.values())


def _words(text: str) -> list[str]:
    words = fold(text[:MAX_TEXT]).split()
    return [word for word in words if word not in _NOT_A_NAME] or words


class _Found:
    """Rows being gathered: each destination once, never more than the limit.

    `certain` says that the text is the beginning of something, so not a misspelt word.
    """

    def __init__(self, index: DestinationIndex, limit: int) -> None:
        self._index = index
        self._limit = limit
        self._within: frozenset[str] | None = None
        self.certain = False
        self.rows: dict[tuple[Kind, str, str], Destination] = {}

    def search(self, text: str, countries: CountryNames) -> None:
        """Add every tier but the last; a tier is only looked at while there is room."""
        terms = self._index.terms
        self._add_numbers(terms.code(text))
        self._add_numbers(terms.exact(text))
        self._add_numbers(terms.starting_with(text))
        self._add_numbers(terms.with_words(text))
        self.certain = bool(self.rows)
        self._add_numbers(terms.code_starting_with(text))
        if self._within is None:
            self._add_areas(text, countries)
        self._add_lazily(terms.containing(text))

    def search_within_country(self, words: list[str], countries: CountryNames) -> str:
        """Read the last words as a country (`valencia spain`, `london uk`); the words that remain."""
        for cut in range(1, len(words)):
            within = countries.exact(" ".join(words[cut:]))
            if within:
                self._within = within
                remaining = " ".join(words[:cut])
                self.search(remaining, countries)
                return remaining
        return " ".join(words)

    def guess(self, text: str) -> None:
        self._add_lazily(iter(self._index.terms.similar(text)))

    def _add_numbers(self, numbers: Iterable[int]) -> None:
        if not self._full:
            entries = self._index.entries
            for number in nsmallest(self._limit, self._allowed(numbers)):
                self._add_entry(entries[number])

    def _add_lazily(self, numbers: Iterator[int]) -> None:
        entries = self._index.entries
        while not self._full:
            number = next(numbers, None)
            if number is None:
                return
            if self._within is None or entries[number].country in self._within:
                self._add_entry(entries[number])

    def _allowed(self, numbers: Iterable[int]) -> Iterable[int]:
        if self._within is None:
            return numbers
        entries = self._index.entries
        return [number for number in numbers if entries[number].country in self._within]

    def _add_entry(self, entry: Destination) -> None:
        self._add(entry)
        if entry.kind is Kind.CITY:
            self._add_airports(entry.airports)

    def _add_airports(self, codes: Iterable[str]) -> None:
        for code in codes:
            airport = self._index.destination(code)
            if airport:
                self._add(airport)

    def _add_areas(self, text: str, countries: CountryNames) -> None:
        """Countries and regions called like this (exact names first), then the airports of each."""
        if self._full:
            return
        exact = countries.exact(text)
        named = {code: self._country(code, countries) for code in countries.starting_with(text) | exact}
        areas = [(code not in exact, area.name, area) for code, area in named.items() if area]
        for number in self._index.region_terms.starting_with(text):
            region = self._index.regions[number]
            areas.append((fold(region.name) != text, region.name, region))
        areas.sort(key=lambda area: area[:2])
        for _, _, area in areas:
            self._add(area)
        for _, _, area in areas:
            self._add_airports(area.airports)

    def _country(self, code: str, countries: CountryNames) -> Destination | None:
        airports = self._index.by_country.get(code)
        return country_destination(code, tuple(one.code for one in airports), countries) if airports else None

    def _add(self, destination: Destination) -> None:
        if not self._full:
            key = (destination.kind, destination.code, destination.country)
            self.rows.setdefault(key, destination)

    @property
    def _full(self) -> bool:
        return len(self.rows) >= self._limit


def country_destination(code: str, airports: tuple[str, ...], countries: CountryNames) -> Destination:
    """A whole country as a destination: named in the language of `countries`, searched in English."""
    name, place = countries.label(code), countries.english(code)
    return Destination(Kind.COUNTRY, code.upper(), name, place, code, airports, "", name)
