"""What a property is: a pure function of its number, in the interface's words."""

from __future__ import annotations

from bisect import bisect
from functools import cache, lru_cache

from search.sandbox import photos, shores
from search.sandbox.dice import Dice
from search.sandbox.documents import Coordinates, Distance, Json, Location, Rating, Summary, plain
from search.sandbox.houses import HOTELS, House, house_of, property_type
from search.sandbox.identity import key_of, provider_property_id
from search.sandbox.postcodes import postcode
from search.sandbox.prose import describe
from search.sandbox.wordstock import STOCKS, Stock, names_for
from search.sandbox.world import City, world

# From how many tenths on the next code is told.
_RATING_STEPS = (60, 70, 79, 86)
_RATING_CODES = ("FAIR", "PLEASANT", "GOOD", "VERY_GOOD", "EXCELLENT")
# A picture -> what the house shown needs one of.
_OF_AMENITY = {
    "pool": {"SWIMMING_POOL"}, "bar": {"BAR"}, "breakfast": {"FREE_BREAKFAST", "RESTAURANT"},
}  # fmt: skip
_MILES = 1.609344
_IN_MILES = ("gb", "us")
_NOT_DESCRIBED = ("providerId", "ryanairId", "id", "propertyType")


def property_summary(number: int, provider: str) -> Summary:
    """The propertySummary of one property as one provider lists it."""
    city, house, dice = world().city_of(number), house_of(number), Dice("property", number)
    stock = STOCKS[city.country.language]
    street = dice.pick(stock.streets)
    name = _name(dice, stock, city, street, house.kind)
    spot = _spot(number)
    return Summary(
        provider_id=provider,
        ryanair_id=key_of(number),
        id=provider_property_id(number, provider),
        name=name,
        description=describe(dice, name, city.name, house),
        address=_address(dice, stock, city, street),
        location=Location(city.name),
        country_code=city.country.code,
        coordinates=Coordinates(spot[1], spot[0]) if spot else None,
        category=house.stars,
        rating=_rating(dice, house.stars),
        images=photos.addresses(number, image_kinds(number)),
        property_type=property_type(number),
    )


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


def distance(number: int) -> Distance | None:
    """Distance from the centre of its city, in kilometres (KM) or miles (MI); null without coordinates."""
    spot = _spot(number)
    if spot is None:
        return None
    if world().city_of(number).country.code in _IN_MILES:
        return Distance(round(spot[2] / _MILES, 2), "MI")
    return Distance(round(spot[2], 2), "KM")


def _name(dice: Dice, stock: Stock, city: City, street: str, kind: str) -> str:
    if kind == "HOTEL" and stock.native and dice.per_mille(220):
        return dice.pick(stock.native).format(city=city.name)
    name = dice.pick(names_for(city.country.language, kind)).format(
        word=dice.pick(stock.words), city=city.name, street=street
    )
    if dice.per_mille(6):
        return f"{name}: the collection of rooms, suites and long-stay residences by the former customs house"
    return name


def _address(dice: Dice, stock: Stock, city: City, street: str) -> str | None:
    if dice.per_mille(15):
        return None
    house, post = dice.between(1, 180), postcode(city, dice.between(10000, 98999))
    address = stock.address.format(street=street, house=house, city=city.name, post=post)
    return address.replace(", ", "\n", 1) if dice.per_mille(30) else address


def _rating(dice: Dice, stars: int) -> Rating | None:
    """Guests' rating from 0 to 10; null for new properties, a few without value or code."""
    shape, tenths = dice.below(100), 48 + 5 * stars + dice.below(14) + dice.below(14)
    if shape < 7:
        return None
    code = "GUESTS_CANT_STOP_SMILING" if shape == 7 else _RATING_CODES[bisect(_RATING_STEPS, tenths)]
    value = None if shape == 8 else min(tenths, 100) / 10
    return Rating(value, None if shape == 9 else code)


def image_kinds(number: int) -> tuple[str, ...]:
    """The kinds of picture a property has, its facade first: none to twelve."""
    dice = Dice("images", number)
    count = dice.pick((0, 1, 3, 4, 5, 6, 6, 7, 8, 9, 10, 12))
    fitting = _fitting(house_of(number))
    inside = dice.some(fitting, count - 1) if count else []
    return (photos.KINDS[0], *inside)[:count]


@cache
def _fitting(house: House) -> tuple[str, ...]:
    """The kinds of picture such a house can have beside its facade."""
    return tuple(kind for kind in photos.KINDS[1:] if _fits(kind, house))


def _fits(picture: str, house: House) -> bool:
    """Whether a house like this can have such a picture."""
    if picture in _OF_AMENITY:
        return not house.amenities.isdisjoint(_OF_AMENITY[picture])
    if picture == "suite":
        return house.kind in HOTELS and house.stars >= 4
    return picture not in ("lobby", "twin") or house.kind in HOTELS


@lru_cache(maxsize=512)
def _spot(number: int) -> tuple[float, float, float] | None:
    """Latitude, longitude (degrees) and kilometres from the city's centre: denser towards the middle."""
    city, dice = world().city_of(number), Dice("spot", number)
    if dice.per_mille(20):
        return None
    outwards = (dice.below(10000) / 10000) ** 1.4
    bearing, outwards = shores.on_land(city, dice.below(shores.TURN), outwards)
    away = shores.kilometres(city, outwards)
    return *shores.position(city, bearing, away), away
