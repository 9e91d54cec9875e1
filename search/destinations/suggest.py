"""Suggestions: the destinations that a typed text may mean, best first."""

from collections.abc import Callable, Iterable
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
        self._within: set[str] = set()
        self.certain = False
        self.rows: dict[tuple[Kind, str, str], Destination] = {}

    def search(self, text: str, countries: CountryNames) -> None:
        """Add every tier but the last; a tier is only looked at while there is room."""
        terms = self._index.terms
        self._add_best(terms.codes.exact, text)
        self._add_best(terms.exact, text)
        if not self._within and terms.hidden(text):
            # Crete is a region, and only elsewhere a name for Heraklion.
            for region in self._index.regions_called(text):
                self._add(region)
        self._add_best(terms.hidden, text)
        for tier in (terms.starting_with, terms.with_words):
            self._add_best(tier, text)
        self.certain = bool(self.rows)
        self._add_best(terms.codes.starting_with, text)
        if not self._within and not self._full:
            self._add_areas(text, countries)
        self._add_in_order(terms.containing(text))

    def search_within_country(self, words: list[str], countries: CountryNames) -> str:
        """Read the last words as a country (`valencia spain`, `london uk`); the words that remain."""
        for cut in range(1, len(words)):
            self._within = countries.exact(" ".join(words[cut:]))
            if self._within:
                remaining = " ".join(words[:cut])
                self.search(remaining, countries)
                return remaining
        return " ".join(words)

    def guess(self, text: str) -> None:
        self._add_in_order(self._index.terms.similar.to(text))

    def _add_best(self, tier: Callable[[str], Iterable[int]], text: str) -> None:
        if not self._full:
            self._add_in_order(nsmallest(self._limit, self._allowed(tier(text))))

    def _add_in_order(self, numbers: Iterable[int]) -> None:
        allowed = iter(self._allowed(numbers))
        while not self._full and (number := next(allowed, None)) is not None:
            entry = self._index.entries[number]
            self._add(entry)
            if entry.kind is Kind.CITY:
                self._add_airports(entry)

    def _allowed(self, numbers: Iterable[int]) -> Iterable[int]:
        entries, within = self._index.entries, self._within
        return (number for number in numbers if entries[number].country in within) if within else numbers

    def _add_airports(self, of: Destination) -> None:
        for airport in filter(None, map(self._index.destination, of.airports)):
            self._add(airport)

    def _add_areas(self, text: str, countries: CountryNames) -> None:
        """Countries and regions called like this (exact names first), then the airports of each."""
        exact = countries.exact(text)
        codes = countries.terms.starting_with(text) | exact
        areas = [
            (code not in exact, area.name, area)
            for code in codes
            if (area := country_destination(code, self._index, countries))
        ]
        for number in self._index.region_terms.starting_with(text):
            region = self._index.regions[number]
            areas.append((fold(region.name) != text, region.name, region))
        areas.sort(key=lambda area: area[:2])
        for _, _, area in areas:
            self._add(area)
        for _, _, area in areas:
            self._add_airports(area)

    def _add(self, destination: Destination) -> None:
        if not self._full:
            key = (destination.kind, destination.code, destination.country)
            self.rows.setdefault(key, destination)

    @property
    def _full(self) -> bool:
        return len(self.rows) >= self._limit


def country_destination(code: str, index: DestinationIndex, countries: CountryNames) -> Destination | None:
    """A whole country, named as `countries` do and searched in English; None for one without airports."""
    airports = tuple(airport.code for airport in index.by_country.get(code, ()))
    if not airports:
        return None
    name = countries.label(code)
    place = countries.in_english.get(code, name)
    return Destination(Kind.COUNTRY, code.upper(), name, place, code, airports, "", name)
