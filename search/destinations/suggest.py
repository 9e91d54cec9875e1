"""Suggestions: the destinations that a typed text may mean, best first."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import inf
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from search.domain.hotels import Coordinates
from search.domain.words import fold
from search.web.translation import get_language

from .index import AT_HOME, COUNTRY, MIN_WORD, Destination, DestinationIndex, Hit, Kind, is_airport_code
from .names import CountryNames, country_names
from .places import NOT_FAR_KM

LIMIT = 8
# No visitor types more; a pasted page must cost no more than a word does.
MAX_TEXT = 100
_ENOUGH_WITHOUT_GUESSING = 3
_NOT_A_NAME = frozenset({"airport", "airports"})
_MIN_COUNTRY = 3
_MIN_SURE = 6
# What is found by another name and counts for less than this share of the best row is a stranger:
# Philadelphia was a name of Amman, and a name of Warsaw begins like Paris.
_STRANGER = 0.05
# From so many letters on a whole name is no beginning of another one: Nice is not Nicaea.
_MIN_WHOLE = 4
# People from which on a place is meant by what it is also called, though that is short, or by its code.
_KNOWN = 500_000
# The same within a longer text: as much as any region counts for, and as much as a famous small town does
# where the text says what it is the name of.
_NAMED, _NAMED_AS_SUCH = 400_000, 50_000
_LONGEST_NAME = 4
_SAINT = re.compile(r"\bst(e?) ")


def _lines(file: str) -> list[str]:
    return Path(__file__).with_name(file).read_text(encoding="utf-8").splitlines()


_KIND = re.compile(rf"\b({'|'.join(_lines('kinds.txt'))})\b")
# Letters for regions of Canada and Australia, whose codes are numbers in the table of places.
_LETTERS = dict(line.split(": ") for line in _lines("region_letters.txt"))


def suggest(
    index: DestinationIndex, text: str, language: str = "", limit: int = LIMIT
) -> tuple[Destination, ...]:
    """At most `limit` destinations for `text`, best first, in the page's language or in `language`; none for
    a blank text. A city is followed by its airports. The order is that of `_Rows.search`; typing mistakes are
    forgiven where little is found and nothing begins so; at last well-known places are found in the text."""
    # Cut again: folded, one letter (ﷺ) may be four words.
    words = fold(text[:MAX_TEXT])[:MAX_TEXT].split()
    words = [word for word in words if word not in _NOT_A_NAME] or words
    if not words:
        return ()
    wanted = " ".join(words)
    found = _Rows(index, language or get_language(), limit)
    if is_airport_code(text.strip()):
        found.add_code(wanted)
    found.search(wanted)
    if not found.rows:
        found.search(_spelt_out(wanted))
    if not found.rows:
        wanted = found.search_within_area(wanted)
    if not found.certain and len(found.rows) < _ENOUGH_WITHOUT_GUESSING:
        found.guess(wanted)
    if not found.rows:
        found.search_within_text(words)
    return tuple(found.rows.values())


# A page asks for its place several times.
@lru_cache(1_000)
def exact(
    index: DestinationIndex, name: str, language: str, within: "Area | None" = None
) -> tuple[Destination, ...]:
    """What is called exactly so, best first."""
    found = _Rows(index, language, LIMIT, within, beneath=False)
    for text in (fold(name), _spelt_out(fold(name))):
        found.add(() if found.rows else found.called(text))
    return tuple(found.rows.values())


def city_of_code(
    index: DestinationIndex, text: str, language: str, within: "Area | None" = None
) -> Destination | None:
    """The well-known city of an airport's or of its own code (`LON`), which the list has no airport of."""
    found = _Rows(index, language, 1, within, beneath=False)
    cities = index.places.codes.exact(fold(text))
    found.add(hit for hit in index.hits(cities) if index.weight(hit.number) >= _KNOWN)
    return next(iter(found.rows.values()), None)


def _spelt_out(text: str) -> str:
    """`st tropez` as `saint tropez`, and `the bahamas` as `bahamas`."""
    return _SAINT.sub(r"saint\1 ", text).removeprefix("the ")


class Area(NamedTuple):
    """Where a place has to be: in one of these countries, in one of these regions (numbers of places), or
    near one of the spots that islands and coasts are in the table of places."""

    countries: frozenset[str]
    regions: frozenset[int]
    spots: frozenset[Coordinates]

    @classmethod
    def called(cls, name: str, index: DestinationIndex, language: str) -> "Area | None":
        """`spain`, `texas`, `tx`; None for a name that is neither a country's nor a region's."""
        folded, places = fold(name), index.places
        codes = frozenset(country_names(language).exact(folded))
        names = {folded, _LETTERS.get(folded, folded)}
        hits = (hit for one in names for hit in index.called(one, language))
        regions = {hit.number for hit in hits if index.is_region(hit.number)}
        regions |= {places.states[folded]} if folded in places.states else set()
        spots = {places[one].coordinates for one in regions if places[one].region < 0}
        return cls(codes, frozenset(regions), frozenset(spots)) if codes or regions else None

    @classmethod
    def readings(cls, text: str, index: DestinationIndex, language: str) -> "Iterator[tuple[str, Area]]":
        """Every reading of the end of a text as a country or region, with the name before it: parted by the
        first comma or, where there is none, by any space."""
        parts, words = text.split(","), text.split()
        pairs = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
        for name, around in [(parts[0], parts[1])] if len(parts) > 1 else pairs:
            if area := cls.called(around, index, language):
                yield name, area

    def holds(self, number: int, index: DestinationIndex) -> bool:
        """Whether what has this number in the index lies in it."""
        if index.country(number) in self.countries:
            return True
        if number >= len(index.places) or not self.regions:
            return False
        place = index.places[number]
        is_near = any(place.coordinates.km_to(spot) <= NOT_FAR_KM for spot in self.spots)
        return place.region in self.regions or is_near


@dataclass
class _Rows:
    """Rows being gathered: each destination once, never more than the limit. `beneath` adds the airports of a
    city; `certain` says that the text is the beginning of something, so not a misspelt word."""

    index: DestinationIndex
    language: str
    limit: int
    within: Area | None = None
    beneath: bool = True
    certain: bool = False
    rows: dict[tuple[Kind, str, str, str], Destination] = field(default_factory=dict)
    _best: float = 0.0

    @cached_property
    def _countries(self) -> CountryNames:
        return country_names(self.language)

    def search(self, text: str) -> None:
        """Add what a text finds while there is room; within each step, what scores most comes first."""
        for hits in self._steps(text):
            self.add(hits)
            if self._full:
                break

    def _steps(self, text: str) -> Iterator[Iterable[Hit]]:
        """From best to least: an airport's code, a whole name, the beginning of a name, of a word, of a code,
        a country by its words with its airports, any part of a name."""
        index = self.index
        yield index.hits(index.codes.exact(text))
        yield self.called(text)
        if not self.rows and not self.within:
            # "Valencia CA" is in California and not Castellón (Valencia), which has words that begin so.
            self.search_within_area(text, exactly=True)
        hits = index.beginning(text, self.language)
        if self.rows and len(text) >= _MIN_WHOLE:
            hits = [hit for hit in hits if hit.other < 0]
        yield [*hits, *self._countries_beginning(text)]
        yield index.with_words(text)
        self.certain = bool(self.rows)
        yield index.hits(index.places.codes.exact(text))
        yield index.hits(index.codes.starting_with(text))
        if not self.within:
            self._add_countries(text)
        yield index.containing(text)

    def add_code(self, code: str) -> None:
        """Add large places of this very name, as Goa, then the airport of a code, else the city that it is
        known for, but where a country is called so: Concord in North Carolina has the code USA."""
        index = self.index
        named = index.called(code, self.language)
        self.add(hit for hit in named if hit.other < 0 and self._is_known(hit))
        airports = index.codes.exact(code)
        self.add(index.hits(airports))
        if not airports and not self._countries.called(code):
            self.add(index.hits(index.places.codes.exact(code)))

    def called(self, text: str) -> list[Hit]:
        """What is called so: entries of the list, countries, places of the world."""
        # A short text is rather the beginning of something than what a small place is also called, or a place
        # that the table lacks: Side is not Fatsa. In other scripts two letters are a whole name.
        is_name, country = len(text) >= MIN_WORD or not text.isascii(), self.index.country
        hits = [
            hit._replace(score=hit.score * (AT_HOME if country(hit.number) == self.language else 1))
            for hit in self.index.called(text, self.language)
            if is_name or hit.other < 0 or self._is_known(hit)
        ]
        return [*hits, *([] if self.within else self._countries_called(text, hits))]

    def _is_known(self, hit: Hit) -> bool:
        return self.index.is_region(hit.number) or self.index.weight(hit.number) >= _KNOWN

    def _countries_called(self, text: str, hits: Iterable[Hit]) -> Iterator[Hit]:
        """Countries of this name, first those without a city of it: Singapore is a city, Georgia none."""
        cities = {self.index.country(hit.number) for hit in hits if hit.other < 0}
        called = self._countries.called(text) - cities
        # A country's code alone is too short to be meant as its name.
        for code in sorted(self._countries.exact(text) if len(text) >= _MIN_COUNTRY else called):
            is_first = code in called and not self._is_rather_a_city(text, code)
            yield Hit(inf if is_first else 0.0, -1, country=code)

    def search_within_area(self, text: str, *, exactly: bool = False) -> str:
        """Search in the first area that the last words may name or, `exactly`, in the first one that has a
        place called like the words before them; the words that remain."""
        for name, area in Area.readings(text, self.index, self.language):
            if not exactly or exact(self.index, name, self.language, area):
                self.within = area
                self.search(name)
                self.within = None if exactly else area
                return name
        return text

    def search_within_text(self, words: list[str]) -> None:
        """Add the well-known places that are named in an address, a hotel's name or a sentence: of most words
        first, then the last, in any part of the text: in "Crete island" the island is not Iceland."""
        self.within = None
        least = _NAMED_AS_SUCH if _KIND.search(" ".join(words)) else _NAMED
        for length in range(min(len(words), _LONGEST_NAME), 0, -1):
            for start in range(len(words) - length, -1, -1):
                text = " ".join(words[start : start + length])
                self.add(
                    hit._replace(other=-1)
                    for hit in self.index.called(text, self.language)
                    if (hit.other < 0 or len(text) >= MIN_WORD) and self.index.weight(hit.number) >= least
                )

    def guess(self, text: str) -> None:
        """Add what a text with typing mistakes may mean, the fewest mistakes first. For a short text only
        well-known places, as some place has any name; a country where nothing else is meant."""
        index, is_long = self.index, len(text) >= _MIN_SURE
        similar = {
            number: far
            for number, far in index.similar(text).items()
            if is_long or number >= len(index.places) or index.weight(number) >= _KNOWN
        }
        if is_long and not similar and not self.within:
            countries = self._countries.similar_to(text)
            self.add(Hit(0.0, -1, country=code) for code in sorted(countries, key=countries.__getitem__))
        for number in sorted(similar, key=lambda one: (similar[one], -index.weight(one), one)):
            self.add([Hit(0.0, number)])

    def _countries_beginning(self, text: str) -> list[Hit]:
        if len(text) < _MIN_COUNTRY or self.within:
            return []
        # Those with most cities first, as Greece before Greenland.
        codes = ((len(self.index.places.cities_of(one)), one) for one in self._countries.beginning(text))
        return [Hit(COUNTRY + cities, -1, country=code) for cities, code in sorted(codes)]

    def _add_countries(self, text: str) -> None:
        """Add countries with a word that begins so, exact names first, then the airports of all countries."""
        exactly = self._countries.exact(text)
        codes = self._countries.with_word(text) | exactly
        ordered = sorted(codes, key=lambda code: (code not in exactly, self._countries.label(code)))
        self.add(Hit(0.0, -1, country=code) for code in ordered)
        for row in [row for row in self.rows.values() if row.kind is Kind.COUNTRY]:
            self._add_airports(row)

    def add(self, hits: Iterable[Hit]) -> None:
        """Add what was found, best first, without strangers."""
        for hit in sorted(hits, key=lambda one: -one.score):
            if self._full:
                return
            if self.within and not self.within.holds(hit.number, self.index):
                continue
            if not (hit.other >= 0 and hit.score < self._best * _STRANGER):
                self._add(self._row(hit))
            if hit.score < inf:
                self._best = max(self._best, hit.score)

    def _row(self, hit: Hit) -> Destination | None:
        if hit.country:
            return self._country(hit.country)
        row = self.index.row(hit, self.language)
        if row.number >= 0 and self._countries.exact(row.text) - {row.country}:
            # Georgia alone is the country, and Salvador is El Salvador in French.
            country = row.country.upper()
            row = replace(row, text=f"{row.text}, {country}", around=row.around or country)
        return row

    def _add(self, row: Destination | None) -> None:
        """Rows that a visitor couldn't tell apart are one."""
        if row and not self._full:
            where = row.region if row.number >= 0 else row.code
            self.rows.setdefault((row.kind, row.label or row.name, row.country, where), row)
            if row.kind not in (Kind.AIRPORT, Kind.COUNTRY):
                self._add_airports(row)

    def _add_airports(self, of: Destination) -> None:
        if self.beneath:
            for airport in map(self.index.destination, of.airports):
                self._add(airport)

    @property
    def _full(self) -> bool:
        return len(self.rows) >= self.limit

    def _country(self, code: str) -> Destination | None:
        """A whole country, searched in English; None for one that has neither airports nor places."""
        airports = tuple(airport.code for airport in self.index.by_country.get(code, ()))
        if not airports and not len(self.index.places):
            return None
        name = self._countries.label(code)
        place = self._countries.in_english.get(code, name)
        text = place if self._is_rather_a_city(fold(name), code) else name
        return Destination(Kind.COUNTRY, code.upper(), name, place, code, airports, "", text)

    def _is_rather_a_city(self, name: str, country: str) -> bool:
        """Whether a city of the airport list, or of the reader's country, that is called like a country
        counts for more than its people: in Spanish Grenada is called Granada, too."""
        index = self.index
        own = (hit.number for hit in index.called(name, self.language) if hit.other < 0)
        where = {one: index.country(one) for one in own}
        known = [one for one in where if index.is_listed(one) or where[one] == self.language]
        abroad = [index.weight(one) for one in known if where[one] != country]
        return bool(abroad) and max(abroad) > sum(
            index.places.weights[one] for one in index.places.cities_of(country)
        )
