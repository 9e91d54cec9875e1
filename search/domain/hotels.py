"""Coordinates, properties in brief and in full (sections 2.2 and 2.6 of the interface), airports (2.7)."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from math import asin, cos, inf, radians, sin, sqrt
from typing import Any, Self

import msgspec
from babel.core import get_global

from .words import WORDS

EARTH_RADIUS_KM = 6371.0088
KM_PER_MILE = Decimal("1.609344")
_KM = {unit: Decimal(km) for km, units in WORDS["km"].items() for unit in units.split(", ")}


@lru_cache(maxsize=64)
def km_per(unit: str) -> Decimal | None:
    """The kilometres in a unit by the gateway's code, also that of UN/CEFACT; None for an unknown one. A code
    that begins with K is a spelling of the kilometre."""
    name = unit.upper().rstrip(".")
    return Decimal(1) if name.startswith("K") else _KM.get(name)


class Coordinates(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Degrees, WGS 84."""

    latitude: float
    longitude: float

    def km_to(self, other: Self) -> float:
        return self.km_to_each([other])[0]

    def km_to_each(self, places: Iterable[Self | None]) -> list[float]:
        """As `km_to`, to each place, infinite if unknown; quicker than hundreds of calls."""
        here, along, shrink = radians(self.latitude), radians(self.longitude), cos(radians(self.latitude))
        km = []
        for place in places:
            if place is None:
                km.append(inf)
                continue
            there = radians(place.latitude)
            half_lat, half_lon = sin((there - here) / 2), sin((radians(place.longitude) - along) / 2)
            chord = half_lat * half_lat + shrink * cos(there) * half_lon * half_lon
            km.append(2 * EARTH_RADIUS_KM * asin(min(1.0, sqrt(chord))))
        return km


# CLDR knows former and reserved codes, and those of three letters: UK is GB. The EU's own EL isn't there.
_OLD_COUNTRIES: dict[str, list[str]] = {**get_global("territory_aliases"), "EL": ["GR"]}


def current_country(code: str) -> str:
    """The code of a country today, in lower case."""
    return _OLD_COUNTRIES.get(code.upper(), [code])[0].lower()


class GuestRating(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The gateway's `rating`: a number on a scale it doesn't name, and a code such as VERY_GOOD."""

    value: Decimal | None
    code: str


RATING_SCALES = (5, 10, 100)


def rating_scale(ratings: Sequence[Decimal]) -> int | None:
    """The smallest scale that holds at least 19 of 20 of these ascending ratings, as a few may be slips."""
    beyond = {scale: len(ratings) - bisect_right(ratings, scale) for scale in RATING_SCALES}
    return next((scale for scale in RATING_SCALES if ratings and beyond[scale] * 20 <= len(ratings)), None)


class Distance(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The gateway's `distance`: the unit is the gateway's own code for it."""

    value: Decimal
    unit: str

    @property
    def km(self) -> float | None:
        """In kilometres, None for an unknown unit."""
        per_unit = km_per(self.unit)
        return None if per_unit is None else float(self.value) * float(per_unit)


class Facility(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Section 2.5 of the interface. `type` and `availability` are open code lists; either may be empty."""

    type: str
    description: str = ""
    availability: str = ""


class Property(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One building. `key` is its identity across providers, `id` at `provider`. `name` may be empty (see
    `web.labels.property_name`); `country` is a lower-case two-letter code or empty, `type` an open code."""

    key: str
    provider: str
    id: str
    name: str = ""
    description: str = ""
    address: str = ""
    city: str = ""
    country: str = ""
    coordinates: Coordinates | None = None
    stars: int | None = None
    rating: GuestRating | None = None
    images: tuple[str, ...] = ()
    type: str = ""

    @property
    def own_key(self) -> str:
        """Its key if it had no other provider; empty without an identifier there."""
        return at_provider(self.provider, self.id) if self.provider and self.id else ""


def filled(records: Sequence[Property]) -> Property:
    """The first record of a property; facts that it lacks come from the next ones."""
    facts: dict[str, Any] = {
        name: next(filter(None, (getattr(one, name) for one in records)), getattr(records[0], name))
        for name in Property.__struct_fields__
        if name not in ("key", "provider", "id")
    }
    ratings = (one.rating for one in records)
    facts["rating"] = next((one for one in ratings if one and one.value is not None), facts["rating"])
    return msgspec.structs.replace(records[0], **facts)


def at_provider(provider: str, property_id: str) -> str:
    return f"{provider}:{property_id}"


class Room(msgspec.Struct, frozen=True):
    """One room of a room type. Fields whose wire type is unknown are lines of readable text."""

    name: str
    description: str
    max_occupancy: tuple[str, ...]
    bed_types: tuple[str, ...]
    policies: tuple[str, ...]
    cancellation_policies: tuple[str, ...]


class RoomType(msgspec.Struct, frozen=True):
    name: str
    description: str
    images: tuple[str, ...]
    facilities: tuple[str, ...]
    rooms: tuple[Room, ...]


class PropertyDetails(msgspec.Struct, frozen=True):
    """Section 2.6 of the interface, without prices. Fields of unknown type are lines of readable text.
    `property` has the `provider` and `id` of the call; its `key` is the one across providers only if the
    response names it, else `at_provider(provider, id)`. Without `available` everything else is empty.
    `room_types_sent` also counts those that were left out."""

    property: Property
    check_in_time: tuple[str, ...]
    check_out_time: tuple[str, ...]
    policies: tuple[str, ...]
    facilities: tuple[str, ...]
    accepted_cards: tuple[str, ...]
    room_types: tuple[RoomType, ...]
    available: bool = True
    room_types_sent: int = 0


class Airport(msgspec.Struct, frozen=True, kw_only=True):
    """`code` is the IATA code, as in routes; `country` a lower-case two-letter code; `city` and `region` are
    codes such as GRAN_CANARIA; `priority` is smaller for more important airports."""

    code: str
    name: str
    coordinates: Coordinates | None
    base: bool = False
    country: str
    region: str = ""
    city: str
    currency: str
    routes: tuple[str, ...] = ()
    seasonal_routes: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    priority: int
