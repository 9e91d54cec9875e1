"""What kind of house a property is and what it has; names, rooms, rates and pictures follow from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from search.sandbox.rng import Dice, scattered
from search.sandbox.selection import stars_of

# By stars: kinds of house and their shares, of a thousand.
_KINDS = {
    1: (("HOTEL", 380), ("HOSTEL", 240), ("GUEST_HOUSE", 200), ("BED_AND_BREAKFAST", 100), ("APARTMENT", 80)),
    2: (
        ("HOTEL", 480),
        ("HOSTEL", 120),
        ("GUEST_HOUSE", 140),
        ("BED_AND_BREAKFAST", 100),
        ("APARTMENT", 160),
    ),
    3: (("HOTEL", 600), ("APARTMENT", 210), ("GUEST_HOUSE", 70), ("BED_AND_BREAKFAST", 70), ("VILLA", 50)),
    4: (("HOTEL", 730), ("APARTMENT", 120), ("RESORT", 90), ("VILLA", 60)),
    5: (("HOTEL", 760), ("RESORT", 190), ("VILLA", 50)),
}
_OF_THROW = {stars: [kind for kind, share in kinds for _ in range(share)] for stars, kinds in _KINDS.items()}
_ODD_TYPES = ("CAVE_HOUSE", "CAPSULE_POD_XL")

HOTELS = frozenset({"HOTEL", "RESORT"})
SMALL = frozenset({"GUEST_HOUSE", "BED_AND_BREAKFAST"})
HOMES = frozenset({"APARTMENT", "VILLA"})
HOSTELS = frozenset({"HOSTEL"})
SERVED = HOTELS | SMALL | HOSTELS
ALL = SERVED | HOMES

# What a house may have: the kinds of house, from how many stars on, and how many in a hundred of those.
_MAY_HAVE = {
    "WIFI": (ALL, 1, 50), "FREE_WIFI": (ALL, 1, 70), "INTERNET_ACCESS": (ALL, 1, 30),
    "FREE_BREAKFAST": (SERVED, 1, 45), "AIR_CONDITIONING": (ALL, 2, 75), "PARKING": (ALL, 2, 55),
    "SWIMMING_POOL": (HOTELS | {"VILLA"}, 3, 45), "GYM": (HOTELS, 3, 60), "PETS_ALLOWED": (ALL, 1, 35),
    "RESTAURANT": (HOTELS, 2, 65), "BAR": (HOTELS | HOSTELS, 2, 60), "AIRPORT_SHUTTLE": (HOTELS, 3, 40),
    "FAMILY_ROOMS": (SERVED, 1, 40), "WHEELCHAIR_ACCESS": (HOTELS, 2, 50), "KITCHENETTE": (HOMES, 1, 100),
    "SPA": (HOTELS, 4, 70), "SHARED_KITCHEN": (HOSTELS, 1, 80), "LOCKERS": (HOSTELS, 1, 90),
    "LAUNDRY": (ALL, 2, 40), "24_HOUR_RECEPTION": (HOTELS | HOSTELS, 2, 70),
}  # fmt: skip
_ALWAYS = {"RESORT": ("SWIMMING_POOL", "RESTAURANT"), "BED_AND_BREAKFAST": ("FREE_BREAKFAST",)}
_OF_FIVE_STARS = ("AIR_CONDITIONING", "FREE_WIFI")
_VARIANTS = 48


@dataclass(frozen=True, slots=True, eq=False)
class House:
    """What a property is like and has, whoever sells it; thousands of properties share each."""

    kind: str
    stars: int
    variant: int
    amenities: frozenset[str]


def house_of(number: int) -> House:
    """The house of a property."""
    return houses_of([number])[0]


def houses_of(numbers: Sequence[int]) -> list[House]:
    """The house of each property: its stars allow the kind, both allow what it has."""
    throws = scattered(numbers, 5, _VARIANTS * 1000)
    return [
        _house(_OF_THROW[stars][throw % 1000], stars, throw // 1000)
        for stars, throw in zip(map(stars_of, numbers), throws, strict=True)
    ]


def houses() -> Iterator[House]:
    """Every house that a property may be."""
    for stars, kinds in _KINDS.items():
        for kind, _share in kinds:
            yield from (_house(kind, stars, variant) for variant in range(_VARIANTS))


def board_of(house: House) -> str:
    """How a rate is described that is named after its board."""
    return ", breakfast included" if "FREE_BREAKFAST" in house.amenities else ", room only"


def property_type(number: int, house: House) -> str:
    """The kind as JSON text: null for one in a hundred, a code nobody knows for one in a thousand."""
    if number % 1009 == 504:
        return f'"{_ODD_TYPES[number % len(_ODD_TYPES)]}"'
    return "null" if number % 101 == 50 else f'"{house.kind}"'


@cache
def _house(kind: str, stars: int, variant: int) -> House:
    dice = Dice("amenities", kind, stars, variant)
    found = {
        code
        for code, (kinds, least, share) in _MAY_HAVE.items()
        if dice.below(100) < share and kind in kinds and stars >= least
    }
    found.update(_ALWAYS.get(kind, ()), _OF_FIVE_STARS if stars == 5 else ())
    return House(kind, stars, variant, frozenset(found))
