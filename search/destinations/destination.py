"""The noun: a destination, and how one is made from an airport, a city, a region or a country."""

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from enum import StrEnum
from typing import TypeVar

import msgspec

from search.domain.hotels import Airport, Coordinates
from search.domain.query import Refinement, place_parts
from search.domain.site_settings import DestinationOverride
from search.domain.text import fold, place_name

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
