"""What a property is: a pure function of its number, in the interface's words."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable
from functools import cache
from itertools import combinations
from operator import itemgetter
from struct import Struct

from search.sandbox import photos, shores
from search.sandbox.dice import THROWS, scatter
from search.sandbox.documents import Coordinates, Distance, Json, Location, Rating, Summary, plain
from search.sandbox.houses import HOTELS, House, house_of, property_type
from search.sandbox.identity import digest_of, key_of, provider_property_id
from search.sandbox.postcodes import postcode
from search.sandbox.prose import describe
from search.sandbox.wordstock import STOCKS, Stock, names_for
from search.sandbox.world import City, world

# From how many tenths on the next code is told.
_RATING_STEPS = (60, 70, 79, 86)
_RATING_CODES = ("FAIR", "PLEASANT", "GOOD", "VERY_GOOD", "EXCELLENT")
_RATINGS = [Rating(tenths / 10, _RATING_CODES[bisect(_RATING_STEPS, tenths)]) for tenths in range(100)]
# A picture -> what the house shown needs one of.
_OF_AMENITY = {
    "pool": {"SWIMMING_POOL"}, "bar": {"BAR"}, "breakfast": {"FREE_BREAKFAST", "RESTAURANT"},
}  # fmt: skip
# At most so many of the ways to choose among pictures are met.
_WAYS = 64
# A digest as three numbers of 32 bits.
_THROWS = Struct(">3I").unpack
_PICTURES = (0, 1, 3, 4, 5, 6, 6, 7, 8, 9, 10, 12)
_MILES = 1.609344
_IN_MILES = ("gb", "us")
_NOT_DESCRIBED = ("providerId", "ryanairId", "id", "propertyType")


def property_summary(number: int, provider: str) -> Summary:
    """The propertySummary of one property as one provider lists it."""
    return listed(number, provider)[0]


def listed(number: int, provider: str) -> tuple[Summary, Distance | None]:
    """The propertySummary, and how far the property is from the centre of its city."""
    city, house = world().city_of(number), house_of(number)
    stock = STOCKS[city.country.language]
    digest = digest_of(number)
    named, located, rated = _THROWS(digest)
    named, at = divmod(named, len(stock.streets))
    street = stock.streets[at]
    name = _name(named, stock, city, street, house.kind)
    spot, away = _spot(number, city)
    summary = Summary(
        provider_id=provider,
        ryanair_id=digest.hex(),
        id=provider_property_id(number, provider),
        name=name,
        description=describe(number, name, city.name, house),
        address=_address(located, stock, city, street),
        location=Location(city.name),
        country_code=city.country.code,
        coordinates=spot,
        category=house.stars,
        rating=_rating(rated, house.stars),
        images=photos.addresses(number, image_kinds(number)),
        property_type=property_type(number, house),
    )
    return summary, away


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


def _name(throw: int, stock: Stock, city: City, street: str, kind: str) -> str:
    throw, shape = divmod(throw, 50)
    if kind == "HOTEL" and stock.native and shape < 11:
        return stock.native[throw % len(stock.native)].format(city=city.name)
    names = names_for(city.country.language, kind)
    throw, at = divmod(throw, len(names))
    throw, word = divmod(throw, len(stock.words))
    name = names[at].format(word=stock.words[word], city=city.name, street=street)
    if throw % 500 < 3:
        return f"{name}: the collection of rooms, suites and long-stay residences by the former customs house"
    return name


def _address(throw: int, stock: Stock, city: City, street: str) -> str | None:
    throw, shape = divmod(throw, 200)
    if shape < 3:
        return None
    throw, house = divmod(throw, 180)
    post = postcode(city, 10_000 + throw % 89_000)
    address = stock.address.format(street=street, house=1 + house, city=city.name, post=post)
    return address.replace(", ", "\n", 1) if shape >= 194 else address


def _rating(throw: int, stars: int) -> Rating | None:
    """Guests' rating from 0 to 10; null for new properties, a few without value or code."""
    throw, shape = divmod(throw, 100)
    if shape < 7:
        return None
    rating = _RATINGS[48 + 5 * stars + throw % 14 + throw // 14 % 14]
    if shape > 9:
        return rating
    code = ("GUESTS_CANT_STOP_SMILING", rating.code, None)[shape - 7]
    return Rating(None if shape == 8 else rating.value, code)


def image_kinds(number: int) -> tuple[str, ...]:
    """The kinds of picture a property has, its facade first: none to twelve."""
    throw, at = divmod(scatter(number, 16, THROWS), len(_PICTURES))
    kinds, count = pictures_of(house_of(number)), _PICTURES[at]
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


def _spot(number: int, city: City) -> tuple[Coordinates, Distance] | tuple[None, None]:
    """Where a property is, denser towards the centre of its city, and how far from that.

    The distance is in kilometres (KM) or miles (MI).
    """
    throw, shape = divmod(scatter(number, 17, 50 * 10_000 * shores.TURN), 50)
    if not shape:
        return None, None
    direction, way = divmod(throw, 10_000)
    bearing, outwards = shores.on_land(city, direction, (way / 10_000) ** 1.4)
    away = shores.kilometres(city, outwards)
    latitude, longitude = shores.position(city, bearing, away)
    unit, factor = ("MI", 100 / _MILES) if city.country.code in _IN_MILES else ("KM", 100.0)
    return Coordinates(longitude, latitude), Distance(round(away * factor) / 100, unit)
