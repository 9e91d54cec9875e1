"""Places of the world by any of their names: cities, famous small towns, regions and islands.

The table beside this module is made by `manage.py update_places` from GeoNames (CC BY 4.0). Its names are
sorted bytes that are searched where they lie: no Python object is kept for a name, so that the table is read
in a moment and shared by all processes that are forked after it.
"""

import zlib
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from heapq import nlargest, nsmallest
from pathlib import Path
from typing import NamedTuple

import msgspec

from search.domain.hotels import Coordinates
from search.domain.text import fold

from .names import Postings, Similar

TABLE = Path(__file__).with_name("places.bin")
_MISSPELT_FROM = 50_000
_MOST = 24
# Airports lie that far from the city that they are named after.
NOT_FAR_KM = 100.0


class PackedNames(msgspec.Struct, frozen=True, array_like=True):
    """Folded names as the table keeps them: one text, where each starts and whose each is (32 bits each)."""

    text: bytes
    starts: bytes
    places: bytes


class PlaceTable(msgspec.Struct, frozen=True, array_like=True):
    """The table in columns, most important place first.

    `weights` are people, or what a region or a famous small town counts for. `areas` index `area_codes` (a
    region's code in its country) and `area_places` (the region's number, -1 where it has no name). `labels`
    are names by language and number, `other_counts` how many alternate names each place has.
    """

    names: list[str]
    countries: str
    regional: bytes
    weights: bytes
    latitudes: bytes
    longitudes: bytes
    zones: bytes
    zone_names: list[str]
    areas: bytes
    area_codes: list[str]
    area_places: list[int]
    labels: dict[str, dict[int, str]]
    own: PackedNames
    other: PackedNames
    other_shown: PackedNames
    other_counts: bytes
    words: PackedNames
    codes: PackedNames


class Names:
    """Sorted folded names, repeated for each place of the name."""

    def __init__(self, packed: PackedNames) -> None:
        self._text = packed.text
        self._starts = memoryview(packed.starts).cast("I")
        self.places = memoryview(packed.places).cast("I")

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, at: int) -> bytes:
        return self._text[self._starts[at] : self._starts[at + 1]]

    def exact(self, text: str) -> range:
        """The positions of a whole name."""
        wanted = text.encode(errors="replace")
        return self._between(wanted, wanted + b"\0")

    def starting_with(self, text: str) -> range:
        wanted = text.encode(errors="replace")
        return self._between(wanted, wanted + b"\xff")

    def numbers(self, positions: range) -> set[int]:
        """The places at these positions."""
        return set(self.places[positions.start : positions.stop])

    def _between(self, first: bytes, after: bytes) -> range:
        start = bisect_left(self, first)
        return range(start, bisect_left(self, after, start))


class Place(NamedTuple):
    """`region` is the number of the region it lies in, -1 where that has no name; `code` is the region's."""

    name: str
    country: str
    is_region: bool
    coordinates: Coordinates
    region: int
    code: str


class Places:
    """The places of one table; immutable, so threads and processes share it."""

    def __init__(self, table: PlaceTable) -> None:
        self._table = table
        self.labels: Mapping[str, Mapping[int, str]] = table.labels
        self.weights = memoryview(table.weights).cast("I")
        self._latitudes = memoryview(table.latitudes).cast("f")
        self._longitudes = memoryview(table.longitudes).cast("f")
        self._zones = memoryview(table.zones).cast("H")
        self._areas = memoryview(table.areas).cast("H")
        self._own, self._other, self._words, self._codes = map(
            Names, (table.own, table.other, table.words, table.codes)
        )
        self._shown = Names(table.other_shown)
        self._other_counts = memoryview(table.other_counts).cast("H")

    def __len__(self) -> int:
        return len(self._table.names)

    def __getitem__(self, number: int) -> Place:
        table, area = self._table, self._areas[number]
        return Place(
            table.names[number],
            self.country(number),
            bool(table.regional[number]),
            Coordinates(round(self._latitudes[number], 5), round(self._longitudes[number], 5)),
            table.area_places[area],
            table.area_codes[area],
        )

    def country(self, number: int) -> str:
        return self._table.countries[2 * number : 2 * number + 2]

    def time_zone(self, number: int) -> str:
        """`Europe/Madrid`; empty where it isn't known."""
        return self._table.zone_names[self._zones[number]]

    def label(self, number: int, language: str) -> str:
        """The name in a language (`de`), else the English one."""
        return self.labels.get(language, {}).get(number) or self._table.names[number]

    def is_region(self, number: int) -> bool:
        return bool(self._table.regional[number])

    def count_names(self, number: int) -> int:
        """How many names a place has in all languages."""
        return 1 + self._other_counts[number]

    def other_name(self, position: int) -> str:
        """An alternate name as it is written; empty for -1."""
        return self._shown[position].decode() if position >= 0 else ""

    def called(self, text: str, language: str) -> set[int]:
        """The places with this name of their own or in a language."""
        return self._own.numbers(self._own.exact(text)).union(self._labels(language).exact(text))

    def also_called(self, text: str) -> Iterator[tuple[int, int]]:
        """The places with this alternate name, each with the position of the name."""
        return ((self._other.places[at], at) for at in self._other.exact(text))

    def beginning(self, text: str, language: str) -> set[int]:
        """The most important places with a name of their own, or in a language, that begins so."""
        own = self._own.numbers(self._own.starting_with(text))
        return {*nsmallest(_MOST, own | self._labels(language).starting_with(text))}

    def also_beginning(self, text: str) -> list[tuple[int, float, int]]:
        """The places with alternate names that begin so, the share of all its names that do (Pa is in few
        names of Beijing and in most of Paris), and the position of the first."""
        positions = self._other.starting_with(text)
        places = self._other.places[positions.start : positions.stop].tolist()
        shares = {one: count / self._other_counts[one] for one, count in Counter(places).items()}
        best = nlargest(_MOST, shares, key=lambda one: self.weights[one] * shares[one])
        return [(one, shares[one], positions.start + places.index(one)) for one in best]

    def with_code(self, text: str) -> set[int]:
        """The places with an airport's or a city's code."""
        return self._codes.numbers(self._codes.exact(text))

    def with_word(self, text: str) -> list[int]:
        """The most important places with a word after the first that begins so, and what follows it."""
        return nsmallest(_MOST, self._words.numbers(self._words.starting_with(text)))

    @cached_property
    def similar(self) -> Similar:
        """The well-known places, by names with typing mistakes."""
        known: defaultdict[str, list[int]] = defaultdict(list)
        for at, number in enumerate(self._own.places):
            if self.weights[number] >= _MISSPELT_FROM:
                known[self._own[at].decode()].append(number)
        return Similar([known, *(_folded(names) for names in self.labels.values())])

    def near(self, where: Coordinates, km: float, least: int) -> Iterator[tuple[int, float]]:
        """Cities that count for at least `least` people with their kilometres, the biggest first."""
        for number, weight in enumerate(self.weights):
            if weight < least:
                return
            if abs(self._latitudes[number] - where.latitude) <= km / 111 and not self._table.regional[number]:
                away = self[number].coordinates.km_to(where)
                if away <= km:
                    yield number, away

    @cached_property
    def _squares(self) -> set[tuple[str, int, int]]:
        """The squares of two degrees with a place of each country, and of any under no code; and those beside
        them."""
        where = enumerate(map(_square, self._latitudes, self._longitudes))
        named = {(code, *square) for number, square in where for code in (self.country(number), "")}
        return {
            (code, south + one, (west + other) % 180)
            for code, south, west in named
            for one in (-1, 0, 1)
            for other in (-1, 0, 1)
        }

    def has_town_near(self, country: str, point: Coordinates) -> bool:
        """Whether a country, or any one for an empty code, has a place within some 200 to 400 kilometres."""
        return (country, *_square(point.latitude, point.longitude)) in self._squares

    @property
    def countries(self) -> Iterable[str]:
        """The codes of the countries that have cities."""
        return sorted(self._cities)

    def cities_of(self, country: str, region: int = -1) -> Sequence[int]:
        """The numbers of the cities of a country or, of those, of one region, the largest first."""
        numbers = self._cities.get(country, array("H"))
        if region < 0:
            return numbers
        areas = self._table.area_places
        return [one for one in numbers if areas[self._areas[one]] == region]

    def regions_of(self, country: str) -> list[int]:
        """The numbers of the regions that have cities of the country."""
        areas = self._table.area_places
        found = {areas[self._areas[one]] for one in self._cities.get(country, ())}
        return sorted(one for one in found if one >= 0)

    @cached_property
    def _cities(self) -> Mapping[str, "array[int]"]:
        found: defaultdict[str, array[int]] = defaultdict(lambda: array("H"))
        countries = self._table.countries
        for number, is_region in enumerate(self._table.regional):
            if not is_region:
                found[countries[2 * number : 2 * number + 2]].append(number)
        return dict(found)

    def _labels(self, language: str) -> Postings[int]:
        return self._by_language.get(language) or Postings({})

    @cached_property
    def _by_language(self) -> dict[str, Postings[int]]:
        return {language: Postings(_folded(names)) for language, names in self.labels.items()}

    def prepare(self) -> None:
        """Make now what the first searches would wait for."""
        _ = self.similar, self._by_language, self._states, self._cities

    def state(self, code: str) -> int:
        """The number of the region that a code such as `tx` is of, in the United States; -1 for others."""
        return self._states.get(code, -1)

    @cached_property
    def _states(self) -> dict[str, int]:
        regions = {one for one in self._table.area_places if one >= 0}
        return {self[one].code: one for one in regions if self[one].country == "us"}


def load(table: Path = TABLE) -> Places:
    """The places of a table."""
    return Places(msgspec.msgpack.decode(zlib.decompress(table.read_bytes()), type=PlaceTable))


@cache
def world() -> Places:
    """The places of the table in the tree, ready to be searched: read once a process, or once for all that
    are forked after it."""
    found = load()
    found.prepare()
    return found


def believable(
    point: Coordinates | None, country: str, centre: Coordinates | None = None
) -> Coordinates | None:
    """The point of a property, which lies near the `centre` of the place that is searched or near a town of
    its own country; None for any other one, such as one with latitude and longitude swapped."""
    if point is None or world().has_town_near(country, point):
        return point
    return point if centre and point.km_to(centre) <= NOT_FAR_KM else None


def _square(latitude: float, longitude: float) -> tuple[int, int]:
    return int(latitude // 2), int(longitude // 2) % 180


def _folded(names: Mapping[int, str]) -> dict[str, list[int]]:
    found: defaultdict[str, list[int]] = defaultdict(list)
    for number, name in names.items():
        found[fold(name)].append(number)
    return found
