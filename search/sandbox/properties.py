"""What a property is: a pure function of its number, in the interface's words."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from operator import itemgetter
from struct import Struct
from typing import NamedTuple

from search.sandbox import photos, shores
from search.sandbox.descriptions import describe
from search.sandbox.documents import Coordinates, Json, Rating, plain, quoted, text
from search.sandbox.houses import HOTELS, House, houses_of, property_type
from search.sandbox.identity import digest_of, key_of, provider_property_id, providers_of, told_id
from search.sandbox.names import STOCKS, Stock, names_for
from search.sandbox.postcodes import postcode
from search.sandbox.rng import THROWS, scatter, scattered
from search.sandbox.world import City, world

# From how many tenths on the next code is told.
_RATING_STEPS = (60, 70, 79, 86)
_RATING_CODES = ("FAIR", "PLEASANT", "GOOD", "VERY_GOOD", "EXCELLENT")
_RATINGS = [Rating(tenths / 10, _RATING_CODES[bisect(_RATING_STEPS, tenths)]) for tenths in range(100)]
_RATINGS_TOLD = list(map(text, _RATINGS))
# A picture -> what the house shown needs one of.
_OF_AMENITY = {
    "pool": {"SWIMMING_POOL"}, "bar": {"BAR"}, "breakfast": {"FREE_BREAKFAST", "RESTAURANT"},
}  # fmt: skip
# At most so many of the ways to choose among pictures are met.
_WAYS = 64
# A digest as three numbers of 32 bits.
_THROWS = Struct(">3I").unpack
_PICTURES = (0, 1, 3, 4, 5, 6, 6, 7, 8, 9, 10, 12)
# One property in fifty has no spot; others are in any direction, some ten thousandths of the way outwards.
_SPOTS = 50 * 10_000 * shores.TURN
_MILES = 1.609344
_IN_MILES = ("gb", "us")
_NOT_DESCRIBED = ("providerId", "ryanairId", "id", "propertyType")


class Page(NamedTuple):
    """Properties that are listed together: of each its number, city, house and providers."""

    numbers: Sequence[int]
    cities: list[City]
    houses: list[House]
    providers: list[tuple[str, ...]]


def page_of(numbers: Sequence[int]) -> Page:
    """The properties with these numbers."""
    cities = list(map(world().city_of, numbers))
    return Page(numbers, cities, houses_of(numbers), list(map(providers_of, numbers)))


def property_summary(number: int, provider: str) -> str:
    """The propertySummary of one property as one provider lists it, as JSON text."""
    return listed(page_of([number])._replace(providers=[(provider,)]))[0][0]


def listed(page: Page) -> list[tuple[str, str]]:
    """Of each property the propertySummary, as its first provider lists it, and how far the centre is.

    Both are JSON text.
    """
    # One thing of all properties after the other: what stays in the processor's cache is made much faster.
    numbers, cities, houses, _ = page
    providers = [first for first, *_ in page.providers]
    digests = list(map(digest_of, numbers))
    named = list(map(_named, digests, cities, houses))
    spots = list(map(_spot, scattered(numbers, 17, _SPOTS), cities))
    descriptions = describe(numbers, [name for name, _, _ in named], cities, houses)
    images = list(map(photos.told, numbers, map(_image_kinds, scattered(numbers, 16, THROWS), houses)))
    return list(map(_told, numbers, providers, digests, cities, houses, named, spots, descriptions, images))


def _told(
    number: int,
    provider: str,
    digest: bytes,
    city: City,
    house: House,
    named: tuple[str, str, str],
    spot: tuple[str, str],
    description: str,
    images: str,
) -> tuple[str, str]:
    name, address, rating = named
    coordinates, distance = spot
    summary = (
        f'{{"providerId":"{provider}","ryanairId":"{digest.hex()}",'
        f'"id":{told_id(number, provider)},"name":{name},"description":{description},'
        f'"address":{address},"location":{{"city":{quoted(city.name)}}},"countryCode":"{city.country.code}",'
        f'"coordinates":{coordinates},"category":{house.stars},"rating":{rating},"images":{images},'
        f'"propertyType":{property_type(number, house)}}}'
    )
    return summary, distance


def property_ids(number: int, provider: str) -> Json:
    """The members of propertySummary that tell one property from others."""
    return {
        "providerId": provider,
        "ryanairId": key_of(number),
        "id": provider_property_id(number, provider),
    }


def described_summary(number: int, provider: str) -> Json:
    """The propertySummary of a details answer: the fields that section 2.6 of the interface names."""
    summary = plain(property_summary(number, provider))
    return {name: value for name, value in summary.items() if name not in _NOT_DESCRIBED}


def _named(digest: bytes, city: City, house: House) -> tuple[str, str, str]:
    """Name, address and rating as JSON text."""
    throw, located, rated = _THROWS(digest)
    stock = STOCKS[city.country.language]
    throw, at = divmod(throw, len(stock.streets))
    street = stock.streets[at]
    name = quoted(_name(throw, stock, city, street, house.kind))
    return name, _address(located, stock, city, street), _rating(rated, house.stars)


def _name(throw: int, stock: Stock, city: City, street: str, kind: str) -> str:
    throw, shape = divmod(throw, 50)
    if kind == "HOTEL" and stock.native and shape < 11:
        return stock.native[throw % len(stock.native)].replace("{city}", city.name)
    names = names_for(city.country.language, kind)
    throw, at = divmod(throw, len(names))
    throw, word = divmod(throw, len(stock.words))
    name = names[at].replace("{word}", stock.words[word])
    name = name.replace("{city}", city.name).replace("{street}", street)
    if throw % 500 < 3:
        return f"{name}: the collection of rooms, suites and long-stay residences by the former customs house"
    return name


def _address(throw: int, stock: Stock, city: City, street: str) -> str:
    throw, shape = divmod(throw, 200)
    if shape < 3:
        return "null"
    throw, house = divmod(throw, 180)
    post = postcode(city, 10_000 + throw % 89_000)
    address = stock.address.replace("{street}", street).replace("{house}", str(1 + house))
    address = address.replace("{city}", city.name).replace("{post}", post)
    return quoted(address.replace(", ", "\n", 1) if shape >= 194 else address)


def _rating(throw: int, stars: int) -> str:
    """Guests' rating from 0 to 10; null for new properties, a few without value or code."""
    throw, shape = divmod(throw, 100)
    if shape < 7:
        return "null"
    tenths = 48 + 5 * stars + throw % 14 + throw // 14 % 14
    if shape > 9:
        return _RATINGS_TOLD[tenths]
    rating = _RATINGS[tenths]
    code = ("GUESTS_CANT_STOP_SMILING", rating.code, None)[shape - 7]
    return text(Rating(None if shape == 8 else rating.value, code))


def image_kinds(number: int, house: House) -> tuple[str, ...]:
    """The kinds of picture a property has, its facade first: none to twelve."""
    return _image_kinds(scatter(number, 16, THROWS), house)


def _image_kinds(throw: int, house: House) -> tuple[str, ...]:
    throw, at = divmod(throw, len(_PICTURES))
    kinds, count = pictures_of(house), _PICTURES[at]
    if count < 2:
        return kinds[:count]
    ways = _ways(len(kinds), count)
    return ways[throw % len(ways)](kinds)


@cache
def _ways(size: int, count: int) -> list[Callable[[tuple[str, ...]], tuple[str, ...]]]:
    """Ways to take the first and others of ``size`` things, ``count`` in all or as many as there are."""
    others = list(combinations(range(1, size), min(count, size) - 1))
    return [itemgetter(0, *one) for one in others[:: 1 + len(others) // _WAYS]]


@cache
def pictures_of(house: House) -> tuple[str, ...]:
    """The kinds of picture such a house can have."""
    return tuple(kind for kind in photos.KINDS if _fits(kind, house))


def _fits(picture: str, house: House) -> bool:
    """Whether a house like this can have such a picture."""
    if picture in _OF_AMENITY:
        return not house.amenities.isdisjoint(_OF_AMENITY[picture])
    if picture == "suite":
        return house.kind in HOTELS and house.stars >= 4
    return picture not in ("lobby", "twin") or house.kind in HOTELS


def _spot(throw: int, city: City) -> tuple[str, str]:
    """Where a property is, denser towards the centre of its city, and how far from that, as JSON text.

    The distance is in kilometres (KM) or miles (MI).
    """
    throw, shape = divmod(throw, 50)
    if not shape:
        return "null", "null"
    direction, way = divmod(throw, 10_000)
    bearing, outwards = shores.on_land(city, direction, (way / 10_000) ** 1.4)
    away = shores.kilometres(city, outwards)
    latitude, longitude = shores.position(city, bearing, away)
    unit, factor = ("MI", 100 / _MILES) if city.country.code in _IN_MILES else ("KM", 100.0)
    distance = f'{{"value":{round(away * factor) / 100},"unit":"{unit}"}}'
    return text(Coordinates(longitude, latitude)), distance
