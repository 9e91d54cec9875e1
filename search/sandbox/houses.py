"""What kind of house a property is and what it has; names, rooms, rates and pictures follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from search.sandbox import Json, read_toml
from search.sandbox.rng import Dice, scatter
from search.sandbox.world import stars_of

_DATA = read_toml("houses.toml")
# Name -> kinds of house.
GROUPS: dict[str, frozenset[str]] = {name: frozenset(kinds) for name, kinds in _DATA["groups"].items()}
# Code -> group of houses, least stars, share, description and availability.
AMENITIES: dict[str, tuple[str, int, int, str, str]] = _DATA["amenities"]
_ODD_FACILITIES = list(_DATA["odd_facilities"].items())
_KINDS = {
    int(stars): [kind for kind, share in shares.items() for _ in range(share)]
    for stars, shares in _DATA["shares"].items()
}
_ODD_TYPES = ("CAVE_HOUSE", "CAPSULE_POD_XL")
_OF_FIVE_STARS = ("AIR_CONDITIONING", "FREE_WIFI")
_VARIANTS = 48
# Providers leave out some facilities: so many different lists there are of the same house, and a list
# has fewer than so many of a hundred facilities that are there.
LISTS = 12
_LISTED_BELOW = 72


@dataclass(frozen=True, slots=True, eq=False)
class House:
    """What a property is like and has at every provider; thousands of properties share each."""

    kind: str
    stars: int
    variant: int
    amenities: frozenset[str]


def house_of(number: int) -> House:
    """The house of a property: its stars allow the kind, both allow what it has."""
    variant, throw = divmod(scatter(number, 5, _VARIANTS * 1000), 1000)
    stars = stars_of(number)
    return _house(_KINDS[stars][throw], stars, variant)


@cache
def _house(kind: str, stars: int, variant: int) -> House:
    dice = Dice("amenities", kind, stars, variant)
    amenities = {
        code
        for code, (group, least, share, _description, _availability) in AMENITIES.items()
        if dice.below(100) < share and kind in GROUPS[group] and stars >= least
    }
    amenities.update(_DATA["always"].get(kind, ()), _OF_FIVE_STARS if stars == 5 else ())
    return House(kind, stars, variant, frozenset(amenities))


def property_type(number: int, house: House) -> str | None:
    """The kind; null for one in a hundred, a code no client knows for one in a thousand."""
    if number % 1009 == 504:
        return _ODD_TYPES[number % len(_ODD_TYPES)]
    return None if number % 101 == 50 else house.kind


def facilities_of(number: int, house: House, which: int) -> list[Json]:
    """One of the `LISTS` lists of a property's facilities; one in a thousand has a code no client knows."""
    listed = _list(house.variant % 16 * LISTS + which)
    facilities = [listed[code] for code in AMENITIES if code in listed and code in house.amenities]
    if number % 997 == 498:
        code, texts = _ODD_FACILITIES[number % len(_ODD_FACILITIES)]
        facilities.append(_facility(Dice("odd", number), code, *texts))
    return facilities


@cache
def _list(which: int) -> dict[str, Json]:
    """Code -> facility, of those that each list of the house's has."""
    dice = Dice("facilities", which)
    share = dice.below(_LISTED_BELOW)
    return {
        code: _facility(dice, code, *texts)
        for code, (_group, _least, _share, *texts) in AMENITIES.items()
        if dice.below(100) < share
    }


def _facility(dice: Dice, code: str, description: str, availability: str) -> Json:
    """Two of six times without its id, two of six without a text."""
    shape = dice.below(6)
    return {
        "id": None if shape in (0, 1) else str(100 + sum(map(ord, code)) % 800),
        "description": None if shape in (1, 2) else description,
        "type": code,
        "availability": availability,
    }
