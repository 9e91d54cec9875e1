"""Facilities as offers list them: those of the house, some of them left out, nulls for ids and texts."""

from __future__ import annotations

from functools import cache
from sys import intern

from search.sandbox.documents import Facility, text
from search.sandbox.houses import House
from search.sandbox.rng import Dice

# Providers leave out some: so many different lists there are of the same house. Of a hundred facilities that
# a house has, a list tells fewer than so many.
LISTS = 12
_TELLS_BELOW = 72

# description, availability
_TEXTS = {
    "WIFI": ("Wi-Fi in public areas", "PROPERTY"),
    "FREE_WIFI": ("Free Wi-Fi", "ROOM"),
    "INTERNET_ACCESS": ("Internet access", "ROOM"),
    "FREE_BREAKFAST": ("Breakfast included", "ROOM"),
    "AIR_CONDITIONING": ("Air conditioning", "ROOM"),
    "PARKING": ("Car park (charge)", "PROPERTY"),
    "SWIMMING_POOL": ("Outdoor pool", "PROPERTY"),
    "GYM": ("Fitness room", "PROPERTY"),
    "PETS_ALLOWED": ("Pets on request", "PROPERTY"),
    "RESTAURANT": ("Restaurant", "PROPERTY"),
    "BAR": ("Bar", "PROPERTY"),
    "AIRPORT_SHUTTLE": ("Airport shuttle", "ON_REQUEST"),
    "FAMILY_ROOMS": ("Family rooms", "ROOM"),
    "WHEELCHAIR_ACCESS": ("Step-free access", "PROPERTY"),
    "KITCHENETTE": ("Kitchenette", "ROOM"),
    "SPA": ("Spa & sauna", "PROPERTY"),
    "SHARED_KITCHEN": ("Guest kitchen", "PROPERTY"),
    "LOCKERS": ("Lockers", "ROOM"),
    "LAUNDRY": ("Laundry service", "PROPERTY"),
    "24_HOUR_RECEPTION": ("24-hour front desk", "PROPERTY"),
}
_ODD = (
    ("HAMMOCK_ON_ROOF", "Hammocks on the roof", "ROOM"),
    ("WIFI_7_BETA", "Experimental Wi-Fi", "LOBBY_ONLY"),
    ("xk-17", "Provider code xk-17", "ROOM"),
    ("THERMAL_BATH", "Thermal bath", "SEASONAL"),
)


def _told(kind: str, description: str, availability: str) -> tuple[str, ...]:
    """How a facility is told: two of six times without its id, two of six without a text."""
    code = str(100 + sum(map(ord, kind)) % 800)
    ids = (None, None, code, code, code, code)
    texts = (description, None, None, description, description, description)
    return tuple(text(Facility(*one, kind, availability)) for one in zip(ids, texts, strict=True))


# Encoded once: thousands of lists hold the same few.
_TOLD = {kind: _told(kind, *texts) for kind, texts in _TEXTS.items()}
_ODD_TOLD = tuple(_told(*texts) for texts in _ODD)


def facilities_of(number: int, house: House) -> list[str]:
    """The ``LISTS`` lists that providers give for a property, each as what stands within a JSON list.

    For one property in a thousand each provider adds a code nobody knows.
    """
    lists = facilities(house)
    if number % 997 != 498:
        return lists
    odd = Dice("odd", number).pick(_ODD_TOLD[number % len(_ODD_TOLD)])
    return [f"{listed},{odd}" if listed else odd for listed in lists]


@cache
def facilities(house: House) -> list[str]:
    """The lists for such a house; what several houses have alike is one string."""
    told = [_listed(house.variant % 16 * LISTS + which) for which in range(LISTS)]
    return [intern(",".join([one[kind] for kind in _there(house) if kind in one])) for one in told]


@cache
def _listed(which: int) -> dict[str, str]:
    """Code -> how it is told, of those facilities that a list tells where they are there."""
    dice = Dice("facilities", which)
    share = dice.below(_TELLS_BELOW)
    return {kind: dice.pick(told) for kind, told in _TOLD.items() if dice.below(100) < share}


@cache
def _there(house: House) -> list[str]:
    """What the house has, in the order of the table."""
    return [kind for kind in _TEXTS if kind in house.amenities]


def facility_names(dice: Dice, house: House) -> list[str]:
    """Descriptions only, as the details of some providers give them."""
    return [_TEXTS[kind][0] for kind in _there(house) if dice.below(8)]
