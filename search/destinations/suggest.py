"""Suggestions: the destinations that a typed text may mean, best first."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from heapq import nsmallest
from math import inf
from typing import NamedTuple

import msgspec

from search.domain.hotels import Coordinates
from search.domain.text import fold

from .destination import Destination, Kind, is_airport_code
from .index import DestinationIndex
from .names import CountryNames
from .places import NOT_FAR_KM, OWN_NAME, Hit, Place, at_home

LIMIT = 8
_NAMES_KEPT = 1_000
# Nobody types more; a pasted page must cost no more than a word does.
MAX_TEXT = 100
_ENOUGH_WITHOUT_GUESSING = 3
_NOT_A_NAME = frozenset({"airport", "airports"})
# What a country counts for among cities that begin like it.
_COUNTRY_WEIGHT = 3_000_000.0
_MIN_COUNTRY = 3
_KNOWN = 500_000
# Letters for regions of Canada and Australia, whose codes are numbers in the table of places.
_LETTERS = {
    "ab": "alberta",
    "bc": "british columbia",
    "mb": "manitoba",
    "nb": "new brunswick",
    "nl": "newfoundland and labrador",
    "ns": "nova scotia",
    "nsw": "new south wales",
    "nt": "northern territory",
    "on": "ontario",
    "pe": "prince edward island",
    "qc": "quebec",
    "qld": "queensland",
    "sa": "south australia",
    "sk": "saskatchewan",
    "tas": "tasmania",
    "vic": "victoria",
    "wa": "western australia",
}
_SAINT = re.compile(r"\bst(e?) ")
_MIN_OTHER = 5
_MIN_SURE = 6
# What a place within a longer text counts for at least: as much as any region does.
_NAMED = 400_000
_LONGEST_NAME = 4
# A text that says what it is the name of names less known places, too: as much as a famous small town.
_NAMED_AS_SUCH = 50_000
_KIND = re.compile(
    r"\b(airport|flughafen|aeropuerto|aeroport|aeroporto|lotnisko|hotels?|hoteles|hoteis|hotele"
    r"|island|insel|isla|ile|isola|ilha|wyspa)\b"
)


def suggest(
    index: DestinationIndex, text: str, countries: CountryNames, limit: int = LIMIT
) -> tuple[Destination, ...]:
    """At most `limit` destinations for `text`, nothing for a blank one.

    From best to least: exact IATA code, exact name, beginning of one, beginning of a word, beginning of a
    code, country or region, any part of a name, and one or two typing mistakes if there are fewer than
    three of all those and nothing begins like the text; without any, well-known places that it names.
    Within each, what counts for most people comes first: what the airport list names counts for five
    times its people, with a base ten times; among airports, bases come first, then by priority, then by
    name. A city is followed by its airports.
    """
    words = _words(text)
    if not words:
        return ()
    wanted = " ".join(words)
    found = _Found(index, countries, limit)
    if is_airport_code(text.strip()):
        found.add_code(wanted)
    found.search(wanted)
    if not found.rows:
        found.search(_spelt_out(wanted))
    if not found.rows:
        wanted = found.search_within_area(words)
    if not found.certain and len(found.rows) < _ENOUGH_WITHOUT_GUESSING:
        found.guess(wanted)
    if not found.rows:
        found.search_within_text(words)
    return tuple(found.rows.values())


def exact(
    index: DestinationIndex, name: str, countries: CountryNames, within: "Area | None" = None
) -> tuple[Destination, ...]:
    """What is called exactly so, best first; without the names that are only suggested.

    The index keeps what was found of late: every page asks for its place several times.
    """
    folded = fold(name)
    key = folded, countries.language, within
    known = index.found_exactly.get(key)
    if known is None:
        found = _Found(index, countries, LIMIT, beneath=False, within=within)
        found.add_exact(folded)
        if not found.rows:
            found.add_exact(_spelt_out(folded))
        known = tuple(found.rows.values())
        if len(index.found_exactly) >= _NAMES_KEPT:
            index.found_exactly.clear()
        index.found_exactly[key] = known
    return known


def city_of_code(
    index: DestinationIndex, text: str, countries: CountryNames, within: "Area | None" = None
) -> Destination | None:
    """The well-known city of an airport's or of its own code (`LON`), which the list has no airport of."""
    hits = index.ranked_hits(index.places.with_code(fold(text)))
    known = (hit.number for hit in hits if index.place_weight(hit.number) >= _KNOWN)
    found = _Found(index, countries, 1, beneath=False, within=within)
    for number in known:
        found.add_place(number)
    return next(iter(found.rows.values()), None)


def _spelt_out(text: str) -> str:
    """`st tropez` as `saint tropez`, and `the bahamas` as `bahamas`."""
    return _SAINT.sub(r"saint\1 ", text).removeprefix("the ")


def _words(text: str) -> list[str]:
    # Cut again: folded, one letter (ﷺ) may be four words.
    words = fold(text[:MAX_TEXT])[:MAX_TEXT].split()
    return [word for word in words if word not in _NOT_A_NAME] or words


class Area(NamedTuple):
    """Where a place has to be: in one of these countries, in one of these regions (numbers of places), or
    near one of the spots that islands and coasts are in the table of places."""

    countries: frozenset[str]
    regions: frozenset[int] = frozenset()
    spots: frozenset[Coordinates] = frozenset()

    @classmethod
    def called(cls, name: str, index: DestinationIndex, countries: CountryNames) -> "Area | None":
        """`spain`, `texas`, `tx`; None for a name that is neither a country's nor a region's."""
        folded = fold(name)
        codes = frozenset(countries.exact(folded))
        called = filter(None, (folded, _LETTERS.get(folded)))
        hits = [hit for one in called for hit in index.places_called(one, countries.language)]
        regions = {hit.number for hit in hits if index.places[hit.number].is_region}
        regions |= {index.places.state(folded)} - {-1}
        spots = {index.places[one].coordinates for one in regions if index.places[one].region < 0}
        return cls(codes, frozenset(regions), frozenset(spots)) if codes or regions else None

    def holds(self, place: Place) -> bool:
        """Whether a place of the world lies in it."""
        is_near = any(place.coordinates.km_to(spot) <= NOT_FAR_KM for spot in self.spots)
        return place.country in self.countries or place.region in self.regions or is_near


# What may become rows: what it counts for, and what adds it.
_Candidate = tuple[float, Callable[[], None]]


class _Found:
    """Rows being gathered: each destination once, never more than the limit.

    `certain` says that the text is the beginning of something, so not a misspelt word.
    """

    def __init__(
        self,
        index: DestinationIndex,
        countries: CountryNames,
        limit: int,
        *,
        beneath: bool = True,
        within: Area | None = None,
    ) -> None:
        self._index = index
        self._countries = countries
        self._limit = limit
        self._beneath = beneath
        self._within = within
        self.certain = False
        self.rows: dict[tuple[Kind, str, str, str], Destination] = {}

    def search(self, text: str) -> None:
        """Add every tier but the last; a tier is only looked at while there is room."""
        terms, places = self._index.terms, self._index.places
        self._add_tier(self._entries(terms.codes.exact(text)))
        self.add_exact(text)
        if not self.rows and not self._within:
            self.search_exact_within_area(text.split())
        self._add_hidden(text)
        if not self._full:
            hits = places.starting_with(text, self._countries.language)
            found = [*self._hits(hits), *self._entries(self._begun(text), text)]
            self._add_tier(found + self._countries_beginning(text))
        if not self._full:
            self._add_tier([*self._hits(places.with_word(text)), *self._entries(terms.with_words(text))])
        self.certain = bool(self.rows)
        if not self._full:
            codes = self._entries(terms.codes.starting_with(text))
            self._add_tier([*self._hits(places.with_code(text)), *codes])
        if not self._within and not self._full:
            self._add_areas(text)
        if not self._full:
            for number in self._allowed(terms.containing(text)):
                self._add_entry(number)

    def _add_hidden(self, text: str) -> None:
        """Add what is called so elsewhere. Crete is a region, and only elsewhere a name for Heraklion."""
        hidden = self._index.terms.hidden(text)
        for region in self._index.regions_called(text) if hidden and not self._within else ():
            self._add(region)
        self._add_tier(self._entries(hidden))

    def _begun(self, text: str) -> set[int]:
        """Entries with a name that begins so. A whole word is no less: Modlin is Warsaw's airport, and only
        begins like Mödling."""
        terms = self._index.terms
        begun = terms.starting_with(text)
        return begun | {*terms.with_word(text)} if len(text) >= _MIN_OTHER else begun

    def add_code(self, code: str) -> None:
        """Add the airport of a code, else the city that it is known for, but where a country is called so:
        Concord in North Carolina has the code USA."""
        self._add_tier(self._entries(self._index.terms.codes.exact(code)))
        if not self.rows and not self._countries.called(code):
            self._add_tier(self._hits(self._index.places.with_code(code)))

    def add_exact(self, text: str) -> None:
        """Add what is called so: entries of the list, countries, places of the world."""
        hits = self._index.places.exact(text, self._countries.language)
        # A short text is rather the beginning of something than what a small place is also called, or a place
        # that the table lacks: Side is not Fatsa. In other scripts two letters are a whole name.
        is_name = len(text) >= _MIN_OTHER or not text.isascii()
        hits = [hit for hit in hits if is_name or hit.other < 0 or self._is_known(hit)]
        ranked = self._index.ranked_hits(hits, self._countries.language)
        entries = self._entries(self._index.terms.exact(text), text, whole=True)
        countries = () if self._within else self._countries_called(text, hits)
        self._add_tier([*self._candidates(ranked), *entries, *countries])

    def _countries_called(self, text: str, hits: Iterable[Hit]) -> Iterator[_Candidate]:
        """Countries of this name, first those without a city of it: Singapore is a city, Georgia none."""
        cities = {self._index.places[hit.number].country for hit in hits if hit.other < 0}
        cities |= {self._index.entries[one].country for one in self._index.terms.exact(text)}
        called = self._countries.called(text) - cities
        # A country's code alone is too short to be meant as its name.
        for code in sorted(self._countries.exact(text) if len(text) >= _MIN_COUNTRY else called):
            is_first = code in called and not _is_rather_a_city(text, code, self._index, self._countries)
            yield (inf if is_first else 0.0), partial(self._add_country, code)

    def search_exact_within_area(self, words: list[str]) -> None:
        """Read the last words as a country or region where something there is called like the others:
        "Valencia CA" is in California and not Castellón (Valencia), which has words that begin so."""
        for cut in range(1, len(words)):
            name, within = " ".join(words[:cut]), self._area(words[cut:])
            if within and exact(self._index, name, self._countries, within):
                self._within = within
                self.search(name)
                break
        self._within = None

    def _area(self, words: list[str]) -> Area | None:
        return Area.called(" ".join(words), self._index, self._countries)

    def search_within_area(self, words: list[str]) -> str:
        """Read the last words as a country or region (`london uk`, `paris texas`); the words that remain."""
        for cut in range(1, len(words)):
            self._within = self._area(words[cut:])
            if self._within:
                remaining = " ".join(words[:cut])
                self.search(remaining)
                return remaining if self.rows else self.search_within_area(words[:cut])
        return " ".join(words)

    def search_within_text(self, words: list[str]) -> None:
        """Add the well-known places that are named in an address, a hotel's name or a sentence: of most words
        first, then the last, wherever they lie: in "Crete island" the island is not Iceland."""
        self._within = None
        least = _NAMED_AS_SUCH if _KIND.search(" ".join(words)) else _NAMED
        language = self._countries.language
        for length in range(min(len(words), _LONGEST_NAME), 0, -1):
            for start in range(len(words) - length, -1, -1):
                text = " ".join(words[start : start + length])
                for hit in self._index.places_called(text, language):
                    is_name = hit.other < 0 or len(text) >= _MIN_OTHER
                    if is_name and self._index.place_weight(hit.number) >= least:
                        self.add_place(hit.number)

    def guess(self, text: str) -> None:
        """Add what a text with typing mistakes may mean, the fewest mistakes first."""
        places, entries = self._similar_places(text), self._index.terms.similar.to(text)
        is_unknown = len(text) >= _MIN_SURE and not (places or entries or self._within)
        countries = self._countries.similar_to(text) if is_unknown else {}
        hits = self._index.ranked_hits(Hit(self._index.places.weights[one], one) for one in places)
        guesses: list[tuple[tuple[int, bool], Callable[[], None]]] = [
            *((far, partial(self._add_country, code)) for code, far in countries.items()),
            *((places[hit.number], partial(self.add_place, hit.number)) for hit in hits),
            *((entries[one], partial(self._add_entry, one)) for one in self._allowed(entries)),
        ]
        for _far, add in sorted(guesses, key=lambda guess: guess[0]):
            add()

    def _similar_places(self, text: str) -> dict[int, tuple[int, bool]]:
        """Places nearly called so; for a short text only well-known ones, as some place has any name."""
        places = self._index.places.similar.to(text)
        if len(text) >= _MIN_SURE:
            return places
        return {one: far for one, far in places.items() if self._index.place_weight(one) >= _KNOWN}

    def _entries(
        self, numbers: Iterable[int], text: str = "", *, whole: bool = False
    ) -> Iterator[_Candidate]:
        """Entries of the list, in their own order: none counts for more than the one before it. Of those with
        this `whole` name the reader's come first."""
        least, entries, home = inf, self._index.entries, self._countries.language
        found = nsmallest(self._limit, self._allowed(numbers))
        if whole:
            found.sort(key=lambda one: entries[one].country != home)
        for number in found:
            times = OWN_NAME * at_home(entries[number].country, home) if whole else 1
            least = min(least, self._index.weight(entries[number]) * times)
            yield least, partial(self._add_entry, number, text)

    def _hits(self, hits: Iterable[Hit]) -> Iterator[_Candidate]:
        return self._candidates(self._index.ranked_hits(hits))

    def _candidates(self, ranked: Iterable[Hit]) -> Iterator[_Candidate]:
        return ((hit.score, partial(self._add_hit, hit)) for hit in ranked if self._holds(hit.number))

    def _is_known(self, hit: Hit) -> bool:
        return self._index.places[hit.number].is_region or self._index.place_weight(hit.number) >= _KNOWN

    def _countries_beginning(self, text: str) -> list[_Candidate]:
        if len(text) < _MIN_COUNTRY or self._within:
            return []
        names = self._countries
        found = sorted(names.terms.starting_with(text), key=self._cities_and_code)
        begun = (code for code in found if names.begins(code, text))
        return [(_COUNTRY_WEIGHT, partial(self._add_country, code)) for code in begun]

    def _cities_and_code(self, country: str) -> tuple[int, str]:
        """A sort key: those with most cities first, as Greece before Greenland."""
        return -len(self._index.places.cities_of(country)), country

    def _add_tier(self, candidates: Iterable[_Candidate]) -> None:
        for _weight, add in sorted(candidates, key=lambda one: -one[0]):
            if self._full:
                return
            add()

    def _add_entry(self, number: int, text: str = "") -> None:
        """The city before its airports, where the text is the city's name rather than the airport's."""
        entry = self._index.entries[number]
        place = self._index.place_of(entry)
        if place >= 0 and (entry.kind is Kind.CITY or (text and fold(entry.place).startswith(text))):
            self.add_place(place)
            return
        self._add(entry)
        if entry.kind is Kind.CITY:
            self._add_airports(entry)

    def _add_hit(self, hit: Hit) -> None:
        self.add_place(hit.number, self._index.places.other_name(hit))

    def add_place(self, number: int, also: str = "") -> None:
        if self._holds(number):
            row = self._index.placed(number, self._countries.language, also)
            if self._countries.exact(row.text) - {row.country}:
                # Georgia alone is the country, and Salvador is El Salvador in French.
                country = row.country.upper()
                row = msgspec.structs.replace(
                    row, text=f"{row.text}, {country}", around=row.around or country
                )
            self._add(row)
            self._add_airports(row)

    def _add_country(self, code: str) -> None:
        if country := country_destination(code, self._index, self._countries):
            self._add(country)

    def _holds(self, number: int) -> bool:
        """Whether a place of the world lies where it has to."""
        return not self._within or self._within.holds(self._index.places[number])

    def _allowed(self, numbers: Iterable[int]) -> Iterable[int]:
        entries, within = self._index.entries, self._within
        if not within:
            return numbers
        return (one for one in numbers if entries[one].country in within.countries)

    def _add_airports(self, of: Destination) -> None:
        if self._beneath:
            for airport in filter(None, map(self._index.destination, of.airports)):
                self._add(airport)

    def _add_areas(self, text: str) -> None:
        """Countries and regions called like this (exact names first), then the airports of each."""
        countries = self._countries
        exactly = countries.exact(text)
        codes = countries.terms.starting_with(text) | exactly
        areas = [
            (code not in exactly, area.name, area)
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
        """Rows that a visitor couldn't tell apart are one, and so are a region of the list and its place of
        the world, each in words of its own."""
        if not self._full:
            name = destination.label or destination.name
            where = destination.region if destination.number >= 0 else destination.code
            key = (destination.kind, name, destination.country, where)
            if destination.kind is Kind.REGION and destination.code:
                key = (destination.kind, "", "", destination.code)
            self.rows.setdefault(key, destination)

    @property
    def _full(self) -> bool:
        return len(self.rows) >= self._limit


def country_destination(code: str, index: DestinationIndex, countries: CountryNames) -> Destination | None:
    """A whole country, named as `countries` do and searched in English; None for one
    that has neither airports nor places."""
    airports = tuple(airport.code for airport in index.by_country.get(code, ()))
    if not airports and not len(index.places):
        return None
    name = countries.label(code)
    place = countries.in_english.get(code, name)
    text = place if _is_rather_a_city(fold(name), code, index, countries) else name
    return Destination(Kind.COUNTRY, code.upper(), name, place, code, airports, "", text)


def _is_rather_a_city(name: str, country: str, index: DestinationIndex, countries: CountryNames) -> bool:
    """Whether a city of the airport list, or of the reader's country, that is called like a country counts
    for more than its people: in Spanish Grenada is called Granada, too."""
    hits = (hit.number for hit in index.places.exact(name, countries.language) if hit.other < 0)
    where = {one: index.places.country(one) for one in hits}
    known = [one for one in where if index.is_listed(one) or where[one] == countries.language]
    abroad = [index.place_weight(one) for one in known if where[one] != country]
    return bool(abroad) and max(abroad) > sum(
        index.places.weights[one] for one in index.places.cities_of(country)
    )
