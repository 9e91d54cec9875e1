"""Destinations, and one index of their names: the places of the world and what the airport list adds to them.

All that can be found has a number: a place of the world its own in the table, behind them the airports,
cities and regions of the list that are no such place. One score orders what a text finds.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from heapq import nsmallest
from itertools import chain
from typing import NamedTuple, TypeVar

import msgspec

from search.domain.hotels import Airport, Coordinates
from search.domain.query import Refinement, place_parts
from search.domain.site_settings import DestinationOverride
from search.domain.words import fold, place_name, spellings

from .names import Names, Similar
from .places import NOT_FAR_KM, Places, world

UNSET_PRIORITY = 1000
_CODE = re.compile(r"[A-Z0-9]{3}\Z")

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class Kind(StrEnum):
    AIRPORT = "airport"
    CITY = "city"
    REGION = "region"
    COUNTRY = "country"
    PLACE = "place"


class Destination(msgspec.Struct, frozen=True):
    """What a visitor picks. `place` is what is searched; `near` is the IATA code of the airport to measure
    distances from, or empty (also for an airport's entry when its city was meant).

    `code` is an IATA, city, region or upper-case country code (empty for free text, which has the kind
    PLACE); `name` is in English, `country` a lower-case two-letter code or empty; `airports` are IATA codes,
    most important first. `text` is what stands in the search field for it; `resolve` reads it back.

    A place of the world also has `label`, its name for the reader; `region`, what the reader calls the region
    around it; `also`, the name that found it where that is another; `around`, what tells it from a more
    important place of its name (`CR`, `Texas, US`); its coordinates; and `number`, its own in the table of
    places. They are empty (-1) where nothing is known.
    """

    kind: Kind
    code: str
    name: str
    place: str
    country: str
    airports: tuple[str, ...]
    near: str
    text: str
    label: str = ""
    region: str = ""
    also: str = ""
    around: str = ""
    coordinates: Coordinates | None = None
    number: int = -1

    @property
    def anchor(self) -> Refinement:
        """What an address has beside the place for this destination; of a place of the world, its country."""
        return Refinement(**place_parts({"near": self.near, "country": self.around or self._country_code}))

    @property
    def picked(self) -> str:
        """What stands in the search field once this is picked: its text, with the country."""
        return ", ".join(filter(None, (self.text, "" if self.text != self.label else self._country_code)))

    @property
    def _country_code(self) -> str:
        return self.country.upper() if self.number >= 0 else ""


def free_text(text: str) -> Destination:
    """A place that no airport is known for: searched exactly as it was written."""
    return Destination(Kind.PLACE, "", text, text, "", (), "", text)


def is_airport_code(text: str) -> bool:
    """Whether `text` has the form of an IATA code in upper case."""
    return bool(_CODE.match(text))


def importance(airport: Airport) -> tuple[bool, int, str, str]:
    """A sort key: bases first, then by priority (real answers use 0 and 1000 for "none"), then by name."""
    priority = airport.priority if 0 < airport.priority < UNSET_PRIORITY else UNSET_PRIORITY
    return (not airport.base, priority, fold(airport.name), airport.code)


def city_name(airport: Airport) -> str:
    """The city's name if the city code is a word, else empty. Three letters alone are a code such as LON,
    unless the airport's name has them too."""
    words = fold(airport.city).split()
    if not words or any(char.isdigit() for char in airport.city):
        return ""
    if len(words) == 1 and len(words[0]) <= 3 and words[0] not in fold(airport.name).split():
        return ""
    return place_name(airport.city)


def airport_name(airport: Airport) -> str:
    """The airport's name, or the best that the list has instead of one."""
    return " ".join(airport.name.split()) or city_name(airport) or airport.code


def airport_destination(airport: Airport, override: DestinationOverride | None) -> Destination:
    """The destination of one airport: its place is an admin's wording, else the city, else its own name."""
    name = airport_name(airport)
    place = (override.place.strip() if override else "") or city_name(airport) or name
    code = airport.code
    return Destination(Kind.AIRPORT, code, name, place, airport.country, (code,), code, f"{name} ({code})")


def grouped(items: Iterable[T], key: Callable[[T], K]) -> dict[K, tuple[T, ...]]:
    """The items of each key, in the order they came."""
    groups: defaultdict[K, list[T]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return {of: tuple(group) for of, group in groups.items()}


# The weights. What is found counts for its people, times each of these that applies.
# An airport or a region that the table of places doesn't know, in people.
UNKNOWN_PLACE = 50_000.0
# A city or region of the airport list: the gateway surely has hotels there. A base is where most visitors go.
LISTED, LISTED_BASE = 5, 10
# Called so in its own or the reader's language, before others' alternate names: Vienne is a town in France.
OWN_NAME = 1_000
# A place with fewer names in all languages is known to few: Cadiz is in Spain, though the one in the
# Philippines, with two names, has more people.
SOME_NAMES = 8
# All names of a region are kept by hand: Andalucía is no town in Colombia.
REGION_ALSO_CALLED = 10
# Where the reader's language is spoken first: Toledo is in Spain for who reads Spanish, La Paz in Bolivia for
# everybody. The languages of the site but English have the code of their country.
AT_HOME = 30
# Among places, a country that begins so.
COUNTRY = 3_000_000.0

# From so many letters on a text is looked for among names that a page doesn't show, and as a whole word.
MIN_OTHER, MIN_WORD = 3, 5
MOST = 24
# As keyboards of several scripts write them.
_COMMAS = re.compile("[,;،؛、，；\\n]")


class Hit(NamedTuple):
    """What a text finds: its score, its number or, of a whole country, its code; and the position of the
    alternate name that found it, -1 for its own."""

    score: float
    number: int
    other: int = -1
    country: str = ""


class DestinationIndex:
    """All destinations of an airport list; immutable but for what it remembers, so threads share it freely.

    `entries` are airports and cities with two or more airports, most important first, each city right before
    its most important airport; `regions` are all regions. `city_of` maps the IATA code of an airport to the
    city that it shares with others. A hidden airport is in none of them, but still known to `airport()`, so
    that old addresses keep their meaning.
    """

    def __init__(
        self,
        airports: Iterable[Airport],
        overrides: Iterable[DestinationOverride] = (),
        places: Places | None = None,
    ) -> None:
        self.places = world() if places is None else places
        self._overrides = {entry.airport.upper(): entry for entry in overrides}
        self._airports = _usable(airports)
        hidden = {code for code, entry in self._overrides.items() if entry.hidden}
        self.airports = tuple(one for code, one in self._airports.items() if code not in hidden)
        self.by_country = grouped(self.airports, lambda airport: airport.country)
        # How many airports have each category code.
        self.categories = Counter(chain.from_iterable({*airport.categories} for airport in self.airports))
        self._destinations = {
            one.code: airport_destination(one, self._overrides.get(one.code)) for one in self.airports
        }
        self.city_of: dict[str, Destination] = {}
        cities = self._cities()
        ranked = ((self.city_of.get(code, one), one) for code, one in self._destinations.items())
        self.entries = tuple(dict.fromkeys(chain.from_iterable(ranked)))
        self.regions = _regions(self.airports)
        # Places of the world that the list is about, found by the names of places alone, and what of the list
        # the table of places lacks, or has no airports of.
        self._listed, self._added = dict[int, Destination](), dict[int, Destination]()
        self._names, self._place_of = Names.of(()), dict[tuple[Kind, tuple[str, ...]], int]()
        self._find_places(cities)
        self._set_names()
        self.called = lru_cache(4_096)(self._all_called)
        # One letter begins thousands of names, and everybody types one first.
        self.beginning = lru_cache(1_024)(self._all_beginning)

    def _cities(self) -> list[Destination]:
        """The cities of the list; an airport without a city's name is left out."""
        named = filter(city_name, self.airports)
        groups = grouped(named, lambda airport: (airport.country, fold(city_name(airport))))
        namesakes, cities = Counter(name for _, name in groups), []
        for (country, folded), group in groups.items():
            codes, name = tuple(one.code for one in group), city_name(group[0])
            places = {self._destinations[code].place for code in codes}
            place = places.pop() if len(places) == 1 else name
            text = name if namesakes[folded] == 1 else f"{name}, {country.upper()}"
            cities.append(Destination(Kind.CITY, group[0].city, name, place, country, codes, "", text))
            if len(codes) > 1:
                self.city_of |= dict.fromkeys(codes, cities[-1])
        return cities

    def _find_city(self, city: Destination) -> None:
        """Note which place of the world a city of the list is: not far from one of its airports, maybe across
        the border; where it isn't known where they are, in the country."""
        hits = self._all_called(fold(city.name), "")
        # The most important one may be the farthest: Hahn is 103 km from Frankfurt.
        for where in dict.fromkeys(self._airports[code].coordinates for code in city.airports):
            for number in (hit.number for hit in hits):
                place = self.places[number]
                if place.coordinates.km_to(where) <= NOT_FAR_KM if where else place.country == city.country:
                    if not place.is_region and self._listed.setdefault(number, city) is city:
                        self._place_of[Kind.CITY, city.airports] = number
                        self._place_of |= {(Kind.AIRPORT, (code,)): number for code in city.airports}
                    return

    def _find_places(self, cities: Iterable[Destination]) -> None:
        """Note which places of the world the cities and regions of the list are, and what of it is none."""
        for city in cities:
            self._find_city(city)
        for region in self.regions:
            for number in (hit.number for hit in self._all_called(fold(region.name), "")):
                if self.is_region(number) and region.country in ("", self.places.country(number)):
                    self._listed[number] = region
                    self._place_of[Kind.REGION, region.airports] = number
        everything = (*self.entries, *self.regions)
        added = (one for one in everything if one.kind is Kind.AIRPORT or self.place_of(one) < 0)
        self._added = dict(enumerate(added, len(self.places)))

    def airport(self, code: str) -> Airport | None:
        """The airport of an IATA code in any case, hidden or not; None when the list has none."""
        return self._airports.get(code.strip().upper())

    def destination(self, code: str) -> Destination | None:
        """The destination that the airport of an IATA code is; None for unknown and hidden ones."""
        return self._destinations.get(code.strip().upper())

    def is_worded(self, found: Destination) -> bool:
        """Whether an admin worded the place of one of its airports."""
        return any(entry.place for code in found.airports if (entry := self._overrides.get(code)))

    def place_of(self, entry: Destination | None) -> int:
        """The number of the place of the world that a destination is or is named after, else -1."""
        return self._place_of.get((entry.kind, entry.airports), entry.number) if entry else -1

    def label(self, listed: Destination, language: str) -> str:
        """What readers of a language (`de`) call a city or a region of the list, which has English names."""
        return self.places.labels.get(language, {}).get(self.place_of(listed)) or listed.name

    def weight(self, number: int) -> float:
        """What a number counts for in people, with what the airport list makes of it."""
        if added := self._added.get(number):
            city = self.place_of(added)
            return self.weight(city) if city >= 0 else UNKNOWN_PLACE
        listed = self._listed.get(number)
        times = 1 if not listed else LISTED_BASE if self._airports[listed.airports[0]].base else LISTED
        return self.places.weights[number] * times

    def is_listed(self, number: int) -> bool:
        """Whether a place of the world is a city of the airport list."""
        return number in self._listed and not self.is_region(number)

    def is_region(self, number: int) -> bool:
        """Whether a number is that of a region of the world."""
        return number not in self._added and self.places.is_region(number)

    def _hit(self, number: int, *, whole: bool = False, other: int = -1, share: float = 1.0) -> Hit:
        """The one score of all that is found: its weight, times how well its name fits."""
        if whole and other < 0:
            is_famous = self.is_region(number) or number in self._added or number in self._listed
            share = OWN_NAME * (1.0 if is_famous else min(1.0, self.places.count_names(number) / SOME_NAMES))
        elif whole and self.is_region(number):
            share = REGION_ALSO_CALLED
        return Hit(self.weight(number) * share, number, other)

    def _all_called(self, text: str, language: str) -> list[Hit]:
        """What has exactly this folded name, best first, from every list."""
        own = self.places.called(text, language) | self._names.exact(text)
        others = (pair for pair in self.places.also_called(text) if pair[0] not in own)
        hits = [self._hit(one, whole=True) for one in own]
        return _best([*hits, *(self._hit(one, whole=True, other=at) for one, at in others)])

    def _all_beginning(self, text: str, language: str) -> list[Hit]:
        """What has a name that begins so. A whole word is no less: Modlin is Warsaw's airport, and only
        begins like Mödling."""
        # In other languages an airport's name begins like its city's, which is found itself.
        names = self._names if " " in text else self._shown
        own = self.places.beginning(text, language).union(nsmallest(MOST, names.starting_with(text)))
        own |= self._words.exact(text) if len(text) >= MIN_WORD else set()
        hits = [self._hit(one) for one in own]
        if len(text) >= MIN_OTHER or not text.isascii():
            others = (one for one in self.places.also_beginning(text) if one[0] not in own)
            hits += (self._hit(one, other=at, share=share) for one, share, at in others)
        return _best(hits)

    def with_words(self, text: str) -> list[Hit]:
        """What has, for every word of `text`, a word that begins so; of several words one may be a code."""
        words = text.split()
        sets = [self._words.starting_with(one) for one in words]
        if len(words) > 1:
            sets = [held | self.codes.exact(one) for held, one in zip(sets, words, strict=True)]
        return self.hits(set.intersection(*sets).union(self.places.with_word(text)))

    def containing(self, text: str) -> list[Hit]:
        """What the list has a name of with `text` in it."""
        names = self._shown_names if text in self._shown_text else ()
        return self.hits({number for name, number in names if text in name})

    def similar(self, text: str) -> dict[int, tuple[int, bool]]:
        """What has a name with one or two typing mistakes, as `Similar` says it."""
        found = self.places.similar.to(text)
        for number, far in self._similar.to(text).items():
            found[number] = min(far, found.get(number, far))
        return found

    def hits(self, numbers: Iterable[int]) -> list[Hit]:
        """The most important of these, by what they count for."""
        return _best([self._hit(one) for one in nsmallest(MOST, numbers)])

    def country(self, number: int) -> str:
        """The lower-case code of the country; empty where it isn't known."""
        added = self._added.get(number)
        return added.country if added else self.places.country(number)

    def row(self, hit: Hit, language: str) -> Destination:
        """What was found as a destination."""
        added = self._added.get(hit.number)
        return added or self.placed(hit.number, language, self.places.other_name(hit.other))

    def is_own_name(self, name: str, airport: Destination) -> bool:
        """Whether a text names an airport itself, in any language, and not its city."""
        return fold(name) in self._own_names.get(airport.near, ()) and fold(name) != fold(airport.place)

    def placed(self, number: int, language: str, also: str = "") -> Destination:
        """A place of the world as a destination, labelled in `language`. What the airport list says of it
        wins: its code, the place that is searched, its airports."""
        place, label = self.places[number], self.places.label(number, language)
        kind = Kind.REGION if place.is_region else Kind.CITY
        name = place.name
        listed = self._listed.get(number) or Destination(kind, "", name, name, place.country, (), "", name)
        beside = self._around(number, label, language)
        around = beside if listed.place == label else self._around(number, listed.place, language)
        return msgspec.structs.replace(
            listed,
            kind=kind,
            country=listed.country or place.country,
            text=f"{label}, {beside}" if beside else label,
            label=label,
            region=self.places.label(place.region, language) if place.region not in (-1, number) else "",
            also=also,
            around=around,
            coordinates=place.coordinates,
            number=number,
        )

    def _around(self, number: int, name: str, language: str) -> str:
        """As much of region and country as tells a place from a more important one of this name."""
        hits = self.called(fold(name), language)
        called = [hit.number for hit in hits if hit.number not in self._added]
        place = self.places[number]
        country = place.country.upper()
        if number not in called:
            return ""
        if called[0] == number:
            return country if self._is_rivalled(hits, number) else ""
        first = next(one for one in called if self.places.country(one) == place.country)
        if first == number or place.region in (-1, number):
            return country
        return f"{self.places[place.region].name}, {country}"

    def _is_rivalled(self, hits: Sequence[Hit], number: int) -> bool:
        """Whether the name of these hits means, for readers of some language, one in another country."""
        score = next(hit.score for hit in hits if hit.number == number)
        others = ((self.country(hit.number), hit.score) for hit in hits)
        homes = self.places.labels
        return any(
            where != self.country(number) and rival * (AT_HOME if where in homes else 1) > score
            for where, rival in others
        )

    def nearest(
        self, coordinates: Coordinates, limit: int = 5, within_km: float = 300.0
    ) -> tuple[tuple[Airport, float], ...]:
        """The nearest airports with their straight-line distance in kilometres, nearest first."""
        measured = ((one, one.coordinates.km_to(coordinates)) for one in self.airports if one.coordinates)
        near = (pair for pair in measured if pair[1] <= within_km)
        return tuple(nsmallest(limit, near, key=lambda pair: pair[1]))

    def _names_of(self, airport: Airport) -> frozenset[str]:
        """The names of an airport. One that begins with its city's has it in other languages, too: Londres
        Stansted, Warszawa Modlin."""
        city, name = fold(city_name(airport)), fold(airport_name(airport))
        names = {*spellings(airport_name(airport))}
        if city and name.startswith(f"{city} "):
            number = self.place_of(self._destinations[airport.code])
            labels = filter(None, (labels.get(number) for labels in self.places.labels.values()))
            names |= {fold(label) + name[len(city) :] for label in labels}
        return frozenset(names)

    def _set_names(self) -> None:
        """Note what the list is found by: names that pages show, all names, and their words."""
        self._own_names = {one.code: self._names_of(one) for one in self.airports}
        shown: set[tuple[str, int]] = set()
        own: set[tuple[str, int]] = set()
        words: set[tuple[str, int]] = set()
        for number, entry in chain(self._added.items(), self._listed.items()):
            airport = self._airports.get(entry.near)
            city = spellings(city_name(airport)) if airport else ()
            shown.update(self._names_shown(number, entry, city))
            own.update((name, number) for name in self._own_names.get(entry.near, ()) if name not in city)
            names = " ".join((*spellings(entry.name), *city))
            words.update((word, number) for word in names.split())
        self._shown_names, self._shown = shown, Names.of(shown)
        self._shown_text = "\n".join(name for name, _number in shown)
        self._names, self._words = Names.of(shown | own), Names.of(words)
        self._similar = Similar(shown | own | words)
        self.codes = Names.of((one.near.lower(), number) for number, one in self._added.items() if one.near)

    def _names_shown(
        self, number: int, entry: Destination, city: tuple[str, ...]
    ) -> Iterator[tuple[str, int]]:
        """The names of an entry and what they mean: what its city is called, or begins with, is the city."""
        place = self.place_of(entry)
        has_city_apart = place >= 0 or entry.near in self.city_of
        for name in spellings(entry.name):
            if not (has_city_apart and any(called.startswith(name) for called in city)):
                yield name, number
            elif place >= 0:
                yield name, place
        override = self._overrides.get(entry.near)
        given = (override.place, *_COMMAS.split(override.search_words)) if override else ()
        names = {spelling for name in given for spelling in spellings(name)}
        for name in names.union(() if has_city_apart else city) - {""}:
            yield name, number


def _usable(airports: Iterable[Airport]) -> dict[str, Airport]:
    """The airports with an IATA code, most important first; of two with one code, the more important."""
    found: dict[str, Airport] = {}
    for airport in sorted(airports, key=importance):
        code = airport.code.strip().upper()
        if is_airport_code(code):
            country = airport.country.strip().lower()
            found.setdefault(code, msgspec.structs.replace(airport, code=code, country=country))
    return found


def _regions(airports: Iterable[Airport]) -> tuple[Destination, ...]:
    regions = []
    for code, group in grouped(airports, lambda airport: airport.region).items():
        if code.strip():
            countries, name = {airport.country for airport in group}, place_name(code)
            country = countries.pop() if len(countries) == 1 else ""
            codes = tuple(airport.code for airport in group)
            regions.append(Destination(Kind.REGION, code, name, name, country, codes, "", name))
    return tuple(sorted(regions, key=lambda region: fold(region.name)))


def _best(hits: Iterable[Hit]) -> list[Hit]:
    """Best first, of equal ones the smaller number: the more important place or airport."""
    return nsmallest(MOST, hits, key=lambda hit: (-hit.score, hit.number))
