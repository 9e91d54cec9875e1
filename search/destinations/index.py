"""The index of one airport list: every airport, city and region, found by its names. Built once per list.

Entries are numbers, most important first, so the smallest numbers of an answer are its best.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from enum import Enum
from heapq import nsmallest
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

import msgspec

from search.domain.hotels import Airport, Coordinates
from search.domain.site_settings import DestinationOverride
from search.domain.text import fold, place_name, spellings

from . import places as places_of_the_world
from .destination import (
    Destination,
    Kind,
    airport_destination,
    airport_name,
    city_name,
    grouped,
    importance,
    is_airport_code,
)
from .names import Postings, Similar
from .places import OWN_NAME, Hit, Place, Places, at_home

# As keyboards of several scripts write them.
_COMMAS = re.compile("[,;،؛、，；\\n]")
_MIN_HIDDEN = 3
_KM_PER_DEGREE = 111.0
# Of a city that the table of places doesn't know.
_USUAL_WEIGHT = 50_000


def _read_other_names(*, ambiguous: bool) -> dict[str, tuple[str, ...]]:
    """Folded names by folded city. In the file a name with a question mark is ambiguous: somewhere else is
    called so, too (Vienne is a town in France)."""
    table = Path(__file__).with_name("other_names.txt").read_text(encoding="utf-8")
    found = {}
    for line in table.splitlines():
        city, _, names = line.partition(": ")
        chosen = (name.removeprefix("?") for name in names.split(", ") if name.startswith("?") == ambiguous)
        folded = dict.fromkeys(spelling for name in chosen for spelling in spellings(name))
        folded.pop(fold(city), None)
        found[fold(city)] = tuple(folded)
    return found


# Cities by the names their own people and their neighbours use, because the gateway's list is in English.
_OTHER_NAMES = _read_other_names(ambiguous=False)
_AMBIGUOUS_NAMES = _read_other_names(ambiguous=True)


class Use(Enum):
    """How a name finds its entry."""

    SHOWN = "shown"
    # Only word by word: the whole name belongs to another entry, as a city's does to the city.
    WORDS = "words"
    # Whole, or by its beginning: a match inside a name that the page doesn't show would look like a mistake.
    HIDDEN = "hidden"
    # By an admin: as HIDDEN, but before any place of the world.
    GIVEN = "given"
    # As HIDDEN, but only suggested: somewhere else is called so, too.
    AMBIGUOUS = "ambiguous"


class Terms:
    """`names` are, for each entry, its folded names and their uses; `codes` its IATA code or empty."""

    def __init__(self, names: Sequence[Iterable[tuple[str, Use]]], codes: Sequence[str]) -> None:
        whole: defaultdict[str, list[int]] = defaultdict(list)
        words: defaultdict[str, list[int]] = defaultdict(list)
        hidden: defaultdict[str, list[int]] = defaultdict(list)
        meant: defaultdict[str, list[int]] = defaultdict(list)
        lines = [""] * len(names)
        for number, named in enumerate(names):
            for name, use in named:
                if use in (Use.HIDDEN, Use.AMBIGUOUS):
                    hidden[name].append(number)
                    if use is Use.HIDDEN:
                        meant[name].append(number)
                    continue
                if use in (Use.SHOWN, Use.GIVEN):
                    whole[name].append(number)
                if use is Use.GIVEN:
                    continue
                for word in name.split():
                    words[word].append(number)
                lines[number] += f"{name}\n"
        self._text = "".join(lines)
        self._starts = [0, *accumulate(map(len, lines))]
        self._whole = Postings(whole)
        self._words = Postings(words)
        self._hidden = Postings(hidden)
        self.other_names = Postings(meant)
        self.codes = Postings({code.lower(): [number] for number, code in enumerate(codes) if code})
        self.similar = Similar([words, whole, hidden])

    def exact(self, text: str) -> tuple[int, ...]:
        """Entries whose page says this name."""
        return self._whole.exact(text)

    def hidden(self, text: str) -> tuple[int, ...]:
        """Entries that are called so elsewhere; `other_names` has those whose name is nothing else's."""
        return self._hidden.exact(text)

    def starting_with(self, text: str) -> set[int]:
        found = self._whole.starting_with(text)
        return found | self._hidden.starting_with(text) if len(text) >= _MIN_HIDDEN else found

    def with_word(self, word: str) -> tuple[int, ...]:
        """Entries whose page says this word in a name."""
        return self._words.exact(word)

    def with_words(self, text: str) -> set[int]:
        """Entries that have, for every word of `text`, a word beginning with it; among several words one
        may be the code."""
        words = text.split()
        if len(words) == 1:
            return self._words.starting_with(text)
        holders = (self._words.starting_with(word) | {*self.codes.exact(word)} for word in words)
        return set.intersection(*holders)

    def containing(self, text: str) -> Iterator[int]:
        """Entries with a name that contains `text`, best first."""
        place = self._text.find(text)
        while place >= 0:
            number = bisect_right(self._starts, place) - 1
            yield number
            place = self._text.find(text, self._starts[number + 1])


class DestinationIndex:
    """All destinations of an airport list; immutable once built (but for what texts were found to mean), so
    threads share it freely.

    `entries` are airports and cities with two or more airports, most important first, each city right before
    its most important airport; `regions` are all regions. `city_of` maps the IATA code of an airport to the
    city that it shares with others. A hidden airport is in neither, but is still known
    to `airport()`, so that old addresses keep their meaning.
    """

    def __init__(
        self,
        airports: Iterable[Airport],
        overrides: Iterable[DestinationOverride] = (),
        places: Places | None = None,
    ) -> None:
        self.places = places or places_of_the_world.none()
        self.found_exactly: dict[Hashable, tuple[Destination, ...]] = {}  # by suggest.exact
        self._overrides = {entry.airport.upper(): entry for entry in overrides}
        self._airports = _usable(airports)
        self.airports = tuple(one for code, one in self._airports.items() if not self._is_hidden(code))
        self._destinations = {one.code: self._airport_destination(one) for one in self.airports}
        self._cities = _by_city(self.airports)
        self.city_of = self._cities_of_airports()
        self.entries = self._ranked()
        self.regions = _regions(self.airports)
        self.region_terms = Postings.by_words((fold(one.name), at) for at, one in enumerate(self.regions))
        self.categories = Counter(chain.from_iterable(set(airport.categories) for airport in self.airports))
        self.by_country = grouped(self.airports, lambda airport: airport.country)
        self._airports_at = self._airports_at_places()
        self._regions_at = self._regions_at_places()
        self._place_of = {one.code: number for number, group in self._airports_at.items() for one in group}
        self._region_of = {region: number for number, region in self._regions_at.items()}
        self._called = {one.code: self._called_elsewhere(one) for one in self.airports}
        self.terms = Terms(list(map(self._names, self.entries)), [entry.near for entry in self.entries])
        # Texts and languages with what they mean.
        self.meanings: dict[tuple[str, str], Destination | None] = {}

    def _airport_destination(self, airport: Airport) -> Destination:
        return airport_destination(airport, self._overrides.get(airport.code))

    def _is_hidden(self, code: str) -> bool:
        override = self._overrides.get(code)
        return override is not None and override.hidden

    def airport(self, code: str) -> Airport | None:
        """The airport of an IATA code in any case, hidden or not; None when the list has none."""
        return self._airports.get(code.strip().upper())

    def destination(self, code: str) -> Destination | None:
        """The destination that the airport of an IATA code is; None for unknown and hidden ones."""
        return self._destinations.get(code.strip().upper())

    def is_worded(self, found: Destination) -> bool:
        """Whether an admin worded the place of one of its airports."""
        return any(entry.place for code in found.airports if (entry := self._overrides.get(code)))

    def place_of(self, entry: Destination) -> int:
        """The number of the place that an airport or a city of the list is named after, else -1."""
        return self._place_of.get(entry.airports[0], -1)

    def label(self, listed: Destination, language: str) -> str:
        """What readers of a language (`de`) call a city or a region of the list, which has English names."""
        is_region = listed.kind is Kind.REGION
        number = self._region_of.get(listed, -1) if is_region else self.place_of(listed)
        return self.places.labels.get(language, {}).get(number) or listed.name

    def weight(self, entry: Destination) -> float:
        """What an entry of the list counts for among the places of the world."""
        number = self.place_of(entry)
        return self.place_weight(number) if number >= 0 else _USUAL_WEIGHT

    def is_listed(self, number: int) -> bool:
        """Whether a place of the world is a city of the airport list."""
        return number in self._airports_at

    def place_weight(self, number: int) -> float:
        """What a place of the world counts for, with what the airport list makes of it."""
        return self.places.weights[number] * self._times(number)

    def _times(self, number: int) -> int:
        """A city with an airport of the list counts for five times its people, with a base ten times; so does
        a region of the list."""
        region, airports = self._regions_at.get(number), self._airports_at.get(number)
        first = self._airports[region.airports[0]] if region else airports[0] if airports else None
        return 1 if first is None else 10 if first.base else 5

    def ranked_hits(self, hits: Iterable[Hit], language: str = "") -> list[Hit]:
        """Places of the world with what the airport list makes of them, best first; among places of one name
        with what the reader's `language` does."""
        country, times = self.places.country, self._times
        if language:
            hits = (hit._replace(score=hit.score * at_home(country(hit.number), language)) for hit in hits)
        return sorted(
            (hit._replace(score=hit.score * times(hit.number)) for hit in hits),
            key=lambda hit: (-hit.score, hit.number),
        )

    def places_called(self, name: str, language: str) -> list[Hit]:
        """The places of the world of exactly this folded name, best first wherever they are read of."""
        return self.ranked_hits(self.places.exact(name, language))

    def placed(self, number: int, language: str, also: str = "") -> Destination:
        """A place of the world as a destination, labelled in `language`. What the airport list says of it
        wins: its code, the place that is searched, its airports."""
        place, label = self.places[number], self.places.label(number, language)
        listed = self._listed(number, place)
        beside = self._around(number, label, language)
        around = beside if listed["place"] == label else self._around(number, listed["place"], language)
        return Destination(
            kind=Kind.REGION if place.is_region else Kind.CITY,
            **listed,
            near="",
            text=f"{label}, {beside}" if beside else label,
            label=label,
            region=self.places.label(place.region, language) if place.region not in (-1, number) else "",
            also=also,
            around=around,
            coordinates=place.coordinates,
            number=number,
        )

    def _listed(self, number: int, place: Place) -> dict[str, Any]:
        """What the list, else the table says of a place."""
        region, airports = self._regions_at.get(number), self._airports_at.get(number, ())
        if region:
            found = region
        elif airports:
            found = self.city_of.get(airports[0].code) or self._destinations[airports[0].code]
        else:
            return {
                "code": "",
                "name": place.name,
                "place": place.name,
                "country": place.country,
                "airports": (),
            }
        return {
            "code": region.code if region else airports[0].city,
            "name": found.name if found.kind is not Kind.AIRPORT else city_name(airports[0]),
            "place": found.place,
            "country": found.country or place.country,
            "airports": found.airports,
        }

    def _around(self, number: int, name: str, language: str) -> str:
        """As much of region and country as tells a place from a more important one of this name."""
        folded = fold(name)
        hits = self.places_called(folded, language)
        called, place = [hit.number for hit in hits], self.places[number]
        country = place.country.upper()
        if number not in called:
            return ""
        if called[0] == number:
            return country if self._is_rivalled(hits, folded, place.country) else ""
        first = next(one for one in called if self.places[one].country == place.country)
        if first == number or place.region in (-1, number):
            return country
        return f"{self.places[place.region].name}, {country}"

    def _is_rivalled(self, hits: Sequence[Hit], name: str, country: str) -> bool:
        """Whether this name means, for readers of some language, a place or an entry of the list in another
        country rather than the first of these."""
        others = [(self.places.country(hit.number), hit.score) for hit in hits[1:]]
        entries = (self.entries[one] for one in self.terms.exact(name))
        others += ((one.country, self.weight(one) * OWN_NAME) for one in entries)
        # Where one of the languages is at home.
        homes = self.places.labels
        return any(
            score * (at_home(where, where) if where in homes else 1) > hits[0].score
            for where, score in others
            if where != country
        )

    def _airports_at_places(self) -> dict[int, tuple[Airport, ...]]:
        """The airports of each place of the world that is a city of the list, by the place's number."""
        found: dict[int, tuple[Airport, ...]] = {}
        for (country, name), group in self._cities.items():
            # The most important one may be the farthest: Hahn is 103 km from Frankfurt.
            spots = dict.fromkeys(airport.coordinates for airport in group)
            numbers = (self.places.called(name, country, where) for where in spots)
            number = next((one for one in numbers if one >= 0), -1)
            if number >= 0 and not self.places[number].is_region:
                found.setdefault(number, group)
        return found

    def _regions_at_places(self) -> dict[int, Destination]:
        """The regions of the list that are places of the world, by the place's number."""
        found = {}
        for region in self.regions:
            for hit in self.places.exact(fold(region.name), ""):
                place = self.places[hit.number]
                if place.is_region and place.country == (region.country or place.country):
                    found[hit.number] = region
        return found

    def regions_called(self, name: str) -> tuple[Destination, ...]:
        """The regions of exactly this name."""
        folded = fold(name)
        numbers = self.region_terms.exact(folded)
        return tuple(self.regions[one] for one in numbers if fold(self.regions[one].name) == folded)

    def airports_of_city(self, city: str, country: str = "") -> tuple[Airport, ...]:
        """The airports of a city given by its code or by any of its names, most important first; without a
        lower-case `country` code, those of all cities of the name."""
        wanted = fold(city)
        return tuple(
            airport
            for (where, name), group in self._cities.items()
            if where == (country or where) and (wanted == name or wanted in _OTHER_NAMES.get(name, ()))
            for airport in group
        )

    def nearest(
        self, coordinates: Coordinates, limit: int = 5, within_km: float = 300.0
    ) -> tuple[tuple[Airport, float], ...]:
        """The nearest airports with their straight-line distance in kilometres, nearest first."""
        reach = within_km / _KM_PER_DEGREE
        measured = (
            (airport, airport.coordinates.km_to(coordinates))
            for airport in self.airports
            if airport.coordinates is not None
            and abs(airport.coordinates.latitude - coordinates.latitude) <= reach
        )
        near = (pair for pair in measured if pair[1] <= within_km)
        return tuple(nsmallest(limit, near, key=lambda pair: pair[1]))

    def _cities_of_airports(self) -> dict[str, Destination]:
        namesakes = Counter(name for _, name in self._cities)
        found = {}
        for (_, folded), group in self._cities.items():
            if len(group) > 1:
                city = self._city(group, unique=namesakes[folded] == 1)
                found.update(dict.fromkeys(city.airports, city))
        return found

    def _city(self, group: Sequence[Airport], *, unique: bool) -> Destination:
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
            text=name if unique else f"{name}, {first.country.upper()}",
        )

    def _ranked(self) -> tuple[Destination, ...]:
        pairs = ((self.city_of.get(code), itself) for code, itself in self._destinations.items())
        return tuple(dict.fromkeys(entry for pair in pairs for entry in pair if entry))

    def is_called(self, airport: Destination, name: str) -> bool:
        """Whether a folded name is an airport's beside its city's name in another language."""
        return name in self._called.get(airport.near, ())

    def _called_elsewhere(self, airport: Airport) -> frozenset[str]:
        """Londres Stansted, Warszawa Modlin: an airport's name that begins with its city's, for who calls the
        city otherwise."""
        city, name = fold(city_name(airport)), fold(airport_name(airport))
        if not city or not name.startswith(f"{city} "):
            return frozenset()
        number = self._place_of.get(airport.code, -1)
        labels = filter(None, (labels.get(number) for labels in self.places.labels.values()))
        others = {*_OTHER_NAMES.get(city, ()), *map(fold, labels)} - {city}
        return frozenset(other + name[len(city) :] for other in others)

    def _names(self, entry: Destination) -> list[tuple[str, Use]]:
        """The names that find an entry."""
        if entry.kind is Kind.CITY:
            return [(name, Use.SHOWN) for name in spellings(entry.name)] + _other_names(fold(entry.name))
        airport = self._airports[entry.code]
        city = fold(city_name(airport))
        shared = entry.code in self.city_of
        names = [(name, Use.SHOWN) for name in spellings(airport_name(airport))]
        if city:
            names.append((city, Use.WORDS if shared else Use.SHOWN))
        if not shared:
            names += _other_names(city)
        names += ((name, Use.HIDDEN) for name in self._called[entry.code])
        override = self._overrides.get(entry.code)
        if override:
            given = (override.place, *_COMMAS.split(override.search_words))
            names += ((spelling, Use.GIVEN) for name in given for spelling in spellings(name) if spelling)
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


def _by_city(airports: Iterable[Airport]) -> dict[tuple[str, str], tuple[Airport, ...]]:
    """By country and folded city name; an airport without a city's name is left out."""
    named = (airport for airport in airports if city_name(airport))
    return grouped(named, lambda airport: (airport.country, fold(city_name(airport))))


def _regions(airports: Iterable[Airport]) -> tuple[Destination, ...]:
    groups = grouped(airports, lambda airport: airport.region)
    found = []
    for code, group in groups.items():
        if code.strip():
            countries = {airport.country for airport in group}
            country = countries.pop() if len(countries) == 1 else ""
            codes = tuple(airport.code for airport in group)
            name = place_name(code)
            found.append(Destination(Kind.REGION, code, name, name, country, codes, "", name))
    return tuple(sorted(found, key=lambda region: fold(region.name)))


def _other_names(city: str) -> list[tuple[str, Use]]:
    hidden = [(name, Use.HIDDEN) for name in _OTHER_NAMES.get(city, ())]
    return hidden + [(name, Use.AMBIGUOUS) for name in _AMBIGUOUS_NAMES.get(city, ())]
