"""Facilities as offers list them: those of the house, some of them left out, nulls for ids and texts."""

from __future__ import annotations

from functools import cache

from msgspec import Raw, json

from search.sandbox.dice import Dice, scatter
from search.sandbox.documents import Facility
from search.sandbox.houses import House

# Providers leave out some: so many different lists there are of the same house.
_LISTS = 12

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
_ODD = {
    "HAMMOCK_ON_ROOF": ("Hammocks on the roof", "ROOM"),
    "WIFI_7_BETA": ("Experimental Wi-Fi", "LOBBY_ONLY"),
    "xk-17": ("Provider code xk-17", "ROOM"),
    "THERMAL_BATH": ("Thermal bath", "SEASONAL"),
}


def facilities(number: int, house: House, which: int) -> list[Raw]:
    """The list a provider gives for a property; one property in a thousand has a code nobody knows."""
    given = _given(house, which % _LISTS)
    odd = scatter(number, 8, 1000)
    return given if odd else [*given, _entry(Dice("odd", number).below(6), list(_ODD)[number % len(_ODD)])]


@cache
def _given(house: House, which: int) -> list[Raw]:
    dice = Dice("facilities", house.kind, house.stars, house.variant, which)
    there = dice.some(_there(house), dice.below(3 + house.stars))
    return [_entry(dice.below(6), code) for code in there]


@cache
def _there(house: House) -> list[str]:
    """What the house has, in the order of the table."""
    return [code for code in _TEXTS if code in house.amenities]


def facility_names(dice: Dice, house: House) -> list[str]:
    """Descriptions only, as the details of some providers give them."""
    return [_TEXTS[code][0] for code in _there(house) if dice.below(8)]


@cache
def _entry(missing: int, kind: str) -> Raw:
    """One encoded object for all properties: thousands of lists hold the same few."""
    description, availability = _TEXTS.get(kind) or _ODD[kind]
    return Raw(
        json.encode(
            Facility(
                None if missing < 2 else _id_of(kind),
                None if missing in (1, 2) else description,
                kind,
                availability,
            )
        )
    )


def _id_of(kind: str) -> str:
    return str(100 + sum(map(ord, kind)) % 800)
