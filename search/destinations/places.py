"""Places of the world by any of their names: cities, famous small towns, regions and islands.

The table beside this module is made by `manage.py update_places` from GeoNames (CC BY 4.0). Its names are
sorted bytes that are searched where they lie: no Python object is kept for a name, so that the table is read
in a moment and shared by all processes that are forked after it.
"""

import zlib
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, partial
from heapq import nlargest, nsmallest
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import msgspec

from search.domain.hotels import Coordinates
from search.domain.words import fold

from .names import Names, Similar, numbers_of

TABLE = Path(__file__).with_name("places.bin")
_MISSPELT_FROM = 50_000
_MOST = 24
_NONE = Names.of(())
# What the numbers of a column are, by the type codes of `array`.
_KIND = {"weights": "I", "latitudes": "f", "longitudes": "f", "zones": "H", "areas": "H", "other_counts": "H"}
# Airports lie that far from the city that they are named after.
NOT_FAR_KM = 100.0


class Place(NamedTuple):
    """`region` is the number of the region it lies in, -1 where that has no name."""

    name: str
    country: str
    is_region: bool
    coordinates: Coordinates
    region: int


class Places(msgspec.Struct, array_like=True, dict=True, eq=False):
    """The table in columns, most important place first; never changed, so threads and processes share it.

    `weights` are people, or what a region or a famous small town counts for. `areas` index `area_codes` (a
    region's code in its country) and `area_places` (the region's number, -1 where it has no name). `labels`
    are names by language and number, `other_counts` how many alternate names each place has.
    """

    names: list[str]
    countries: str
    regional: bytes
    weights: memoryview
    latitudes: memoryview
    longitudes: memoryview
    zones: memoryview
    zone_names: list[str]
    areas: memoryview
    area_codes: list[str]
    area_places: list[int]
    labels: dict[str, dict[int, str]]
    own: Names
    other: Names
    other_shown: Names
    other_counts: memoryview
    words: Names
    codes: Names

    def __post_init__(self) -> None:
        for column, kind in _KIND.items():
            setattr(self, column, numbers_of(getattr(self, column), kind))
        folded = {of: [(fold(name), one) for one, name in names.items()] for of, names in self.labels.items()}
        self._labels = {language: Names.of(names) for language, names in folded.items()}
        known = (
            (self.own[at].decode(), number)
            for at, number in enumerate(self.own.numbers)
            if self.weights[number] >= _MISSPELT_FROM
        )
        self.similar = Similar(chain(known, *folded.values()))
        # By country, the largest first.
        self.cities: defaultdict[str, array[int]] = defaultdict(partial(array, "H"))
        for number, is_region in enumerate(self.regional):
            if not is_region:
                self.cities[self.country(number)].append(number)
        areas = zip(self.area_codes, self.area_places, strict=True)
        # The numbers of regions by codes such as `tx`.
        self.states = {code: one for code, one in areas if one >= 0 and self.country(one) == "us"}

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, number: int) -> Place:
        where = Coordinates(round(self.latitudes[number], 5), round(self.longitudes[number], 5))
        name, country, region = self.names[number], self.country(number), self._region(number)
        return Place(name, country, self.is_region(number), where, region)

    def country(self, number: int) -> str:
        return self.countries[2 * number : 2 * number + 2]

    def time_zone(self, number: int) -> str:
        """`Europe/Madrid`; empty where it isn't known."""
        return self.zone_names[self.zones[number]]

    def label(self, number: int, language: str) -> str:
        """The name in a language (`de`), else the English one."""
        return self.labels.get(language, {}).get(number) or self.names[number]

    def is_region(self, number: int) -> bool:
        return bool(self.regional[number])

    def count_names(self, number: int) -> int:
        """How many names a place has in all languages."""
        return 1 + self.other_counts[number]

    def other_name(self, position: int) -> str:
        """An alternate name as it is written; empty for -1."""
        return self.other_shown[position].decode() if position >= 0 else ""

    def called(self, text: str, language: str) -> set[int]:
        """The places with this name of their own or in a language."""
        return self.own.exact(text) | self._labels.get(language, _NONE).exact(text)

    def also_called(self, text: str) -> Iterator[tuple[int, int]]:
        """The places with this alternate name, each with the position of the name."""
        where = self.other.where(text, b"\0")
        return zip(self.other.numbers[where], range(where.start, where.stop), strict=True)

    def beginning(self, text: str, language: str) -> set[int]:
        """The most important places with a name of their own, or in a language, that begins so."""
        labels = self._labels.get(language, _NONE)
        return {*nsmallest(_MOST, self.own.starting_with(text) | labels.starting_with(text))}

    def also_beginning(self, text: str) -> list[tuple[int, float, int]]:
        """The places with alternate names that begin so, the share of all its names that do (Pa is in few
        names of Beijing and in most of Paris), and the position of the first."""
        where = self.other.where(text)
        places = self.other.numbers[where].tolist()
        shares = {one: count / self.other_counts[one] for one, count in Counter(places).items()}
        best = nlargest(_MOST, shares, key=lambda one: self.weights[one] * shares[one])
        return [(one, shares[one], where.start + places.index(one)) for one in best]

    def with_word(self, text: str) -> list[int]:
        """The most important places with a word after the first that begins so, and what follows it."""
        return nsmallest(_MOST, self.words.starting_with(text))

    def near(self, where: Coordinates, km: float, least: int) -> Iterator[tuple[int, float]]:
        """Cities that count for at least `least` people with their kilometres, the biggest first."""
        for number, weight in enumerate(self.weights):
            if weight < least:
                return
            if abs(self.latitudes[number] - where.latitude) <= km / 111 and not self.regional[number]:
                away = self[number].coordinates.km_to(where)
                if away <= km:
                    yield number, away

    @cached_property
    def squares(self) -> set[tuple[str, int, int]]:
        """The squares of two degrees with a place of each country, or any under no code, and those beside."""
        where = enumerate(map(_square, self.latitudes, self.longitudes))
        named = {(code, *square) for number, square in where for code in (self.country(number), "")}
        return {
            (code, south + one, (west + other) % 180)
            for code, south, west in named
            for one in (-1, 0, 1)
            for other in (-1, 0, 1)
        }

    def cities_of(self, country: str, region: int = -1) -> Sequence[int]:
        """The numbers of the cities of a country or, of those, of one region, the largest first."""
        numbers = self.cities.get(country, ())
        return numbers if region < 0 else [one for one in numbers if self._region(one) == region]

    def regions_of(self, country: str) -> list[int]:
        """The numbers of the regions that have cities of the country."""
        return sorted({self._region(one) for one in self.cities_of(country)} - {-1})

    def _region(self, number: int) -> int:
        return self.area_places[self.areas[number]]


@cache
def world(table: Path = TABLE) -> Places:
    """The places of the table in the tree: read once a process, or once for all that are forked after it."""
    return msgspec.msgpack.decode(zlib.decompress(table.read_bytes()), type=Places)


def believable(
    point: Coordinates | None, country: str, centre: Coordinates | None = None
) -> Coordinates | None:
    """The point of a property, which lies near the `centre` of the place that is searched or near a town of
    its own country; None for any other one, such as one with latitude and longitude swapped."""
    # A town within some 200 to 400 kilometres is near.
    if point is None or (country, *_square(point.latitude, point.longitude)) in world().squares:
        return point
    return point if centre and point.km_to(centre) <= NOT_FAR_KM else None


def _square(latitude: float, longitude: float) -> tuple[int, int]:
    return int(latitude // 2), int(longitude // 2) % 180
