"""What a property is called on the wire, and its propertySummary: pure functions of its number."""

from __future__ import annotations

import re
from bisect import bisect
from functools import cache
from hashlib import blake2b
from itertools import combinations
from struct import unpack
from typing import NamedTuple

from search.sandbox import Json, photos, shores
from search.sandbox.houses import GROUPS, House, house_of, property_type
from search.sandbox.names import description, name_and_address
from search.sandbox.rng import THROWS, scatter
from search.sandbox.world import City, world


class Provider(NamedTuple):
    """A provider counts from its `first` number and writes ids in its own form, of each 25 one awkwardly.

    It asks at least `level` per mille of a usual price.
    """

    name: str
    first: int
    form: str
    awkward: int
    level: int


PROVIDERS = {
    "NB": Provider("Northern Beds", 100_000, "%d", 3, 970),
    "HX": Provider("Hexagon Stays", 7_300_000, "hx-%d", 8, 1005),
    "SOL": Provider("Sol y Sombra Rooms", 0, "SOL%09d", 12, 942),
    "VY": Provider("Voyage Yard", 52_000_000, "%d.v", 17, 1031),
    "OTR": Provider("Otter Travel", 910_000, "otr_%d", 21, 984),
}
# After the first each second one follows, round and round.
_ORDERS = [(list(PROVIDERS) * 3)[first:][:8:2] for first in range(len(PROVIDERS))]
_SELLERS = [order[:count] for count in (1, 1, 2, 2, 2, 3, 3, 3, 4, 4) for order in _ORDERS]
# Ids that a careless client puts into a path unescaped.
_AWKWARD = (
    "%d/b", "room %d a", "%d%%", "hôtel-%d", "%d?page=&apikey=", "#%d", "../%d", "酒店%d", '"%d"', "a+%d&c",
)  # fmt: skip

# From how many tenths on a rating has the next code.
_RATING_STEPS = (60, 70, 79, 86)
_RATING_CODES = ("FAIR", "PLEASANT", "GOOD", "VERY_GOOD", "EXCELLENT")
# A picture -> what the house shown needs one of.
_OF_AMENITY = {"pool": {"SWIMMING_POOL"}, "bar": {"BAR"}, "breakfast": {"FREE_BREAKFAST", "RESTAURANT"}}
_PICTURES = (0, 1, 3, 4, 5, 6, 6, 7, 8, 9, 10, 12)
# At most so many of the ways to choose among pictures are met.
_WAYS = 64
# One property in fifty has no spot; others are in any direction, some ten thousandths of the way outwards.
_SPOTS = 50 * 10_000 * shores.TURN
_MILES = 1.609344


def key_of(number: int) -> str:
    """The identifier of a property across providers: 24 hexadecimal digits."""
    return _digest(number).hex()


def _digest(number: int) -> bytes:
    return blake2b(b"property %d" % number, digest_size=12).digest()


def providers_of(number: int) -> list[str]:
    """The codes of the one to four providers that sell a property, in its own order."""
    return _SELLERS[scatter(number, 2, len(_SELLERS))]


def provider_property_id(number: int, code: str) -> str:
    """A property's identifier at one provider; one in twenty-five holds slashes, spaces, "%" or worse."""
    provider = PROVIDERS[code]
    is_awkward = number % 25 == provider.awkward
    form = _AWKWARD[number // 25 % len(_AWKWARD)] if is_awkward else provider.form
    return form % (number + provider.first)


def number_at(code: str, property_id: str) -> int | None:
    """The number of the property with this id at this provider; None if there is none."""
    if code not in PROVIDERS:
        return None
    for digits in re.findall(r"[0-9]{1,10}", property_id):
        number = int(digits) - PROVIDERS[code].first
        if (
            0 <= number < world().size
            and code in providers_of(number)
            and provider_property_id(number, code) == property_id
        ):
            return number
    return None


def summary_and_distance(number: int, code: str) -> tuple[Json, Json | None]:
    """The propertySummary of a property at one provider, and its distance from the centre of its city."""
    city, house, digest = world().city_of(number), house_of(number), _digest(number)
    coordinates, distance = _spot(number, city)
    named, located, rated = unpack(">3I", digest)
    name, address = name_and_address(named, located, city, house.kind)
    summary = {
        "providerId": code,
        "ryanairId": digest.hex(),
        "id": provider_property_id(number, code),
        "name": name,
        "description": description(number, name, city, house),
        "address": address,
        "location": {"city": city.name},
        "countryCode": city.country.code,
        "coordinates": coordinates,
        "category": house.stars,
        "rating": _rating(rated, house.stars),
        "images": photos.addresses(number, image_kinds(number, house)),
        "propertyType": property_type(number, house),
    }
    return summary, distance


def _rating(throw: int, stars: int) -> Json | None:
    """Guests' rating from 0 to 10; null for new properties, a few without value or code."""
    throw, shape = divmod(throw, 100)
    if shape < 7:
        return None
    tenths = 48 + 5 * stars + throw % 14 + throw // 14 % 14
    usual = _RATING_CODES[bisect(_RATING_STEPS, tenths)]
    code = {7: "GUESTS_CANT_STOP_SMILING", 9: None}.get(shape, usual)
    return {"value": None if shape == 8 else tenths / 10, "code": code}


def image_kinds(number: int, house: House) -> tuple[str, ...]:
    """The kinds of picture a property has, its facade first: none to twelve."""
    throw, at = divmod(scatter(number, 16, THROWS), len(_PICTURES))
    choices = _choices(house, _PICTURES[at])
    return choices[throw % len(choices)]


@cache
def _choices(house: House, count: int) -> list[tuple[str, ...]]:
    """Ways to choose so many of the kinds of picture that such a house can have, or as many as there are."""
    if not count:
        return [()]
    kinds = [kind for kind in photos.KINDS if _fits(kind, house)]
    others = list(combinations(kinds[1:], min(count, len(kinds)) - 1))
    return [(kinds[0], *some) for some in others[:: 1 + len(others) // _WAYS]]


def _fits(picture: str, house: House) -> bool:
    """Whether a house like this can have such a picture."""
    if picture in _OF_AMENITY:
        return not house.amenities.isdisjoint(_OF_AMENITY[picture])
    if picture == "suite":
        return house.kind in GROUPS["hotels"] and house.stars >= 4
    return picture not in ("lobby", "twin") or house.kind in GROUPS["hotels"]


def _spot(number: int, city: City) -> tuple[Json, Json] | tuple[None, None]:
    """Coordinates, denser towards the centre of the city, and the distance from it in kilometres or miles."""
    throw, shape = divmod(scatter(number, 17, _SPOTS), 50)
    if not shape:
        return None, None
    direction, way = divmod(throw, 10_000)
    bearing, outwards = shores.on_land(city, direction, (way / 10_000) ** 1.4)
    away = shores.kilometres(city, outwards)
    latitude, longitude = shores.position(city, bearing, away)
    miles = city.country.code in ("gb", "us")
    distance = {"value": round(away / _MILES if miles else away, 2), "unit": "MI" if miles else "KM"}
    return {"longitude": longitude, "latitude": latitude}, distance
