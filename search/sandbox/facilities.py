"""Facilities as offers list them: known codes, codes nobody has seen, nulls for ids and descriptions."""

from __future__ import annotations

from functools import cache

from search.sandbox.dice import Dice

Facility = dict[str, object]

FACILITY_LISTS = 400

# type, description, availability
_COMMON = (
    ("WIFI", "Wi-Fi in public areas", "ROOM"),
    ("FREE_WIFI", "Free Wi-Fi", "ROOM"),
    ("INTERNET_ACCESS", "Internet access", "ROOM"),
    ("FREE_BREAKFAST", "Breakfast included", "ROOM"),
    ("AIR_CONDITIONING", "Air conditioning", "ROOM"),
    ("PARKING", "Car park (charge)", "PROPERTY"),
    ("SWIMMING_POOL", "Outdoor pool", "PROPERTY"),
    ("GYM", "Fitness room", "PROPERTY"),
    ("PETS_ALLOWED", "Pets on request", "PROPERTY"),
    ("RESTAURANT", "Restaurant", "PROPERTY"),
    ("AIRPORT_SHUTTLE", "Airport shuttle", "ON_REQUEST"),
    ("FAMILY_ROOMS", "Family rooms", "ROOM"),
    ("WHEELCHAIR_ACCESS", "Step-free access", "PROPERTY"),
    ("KITCHENETTE", "Kitchenette", "ROOM"),
    ("SPA", "Spa & sauna", "PROPERTY"),
)
_RARE = (
    ("HAMMOCK_ON_ROOF", "Hammocks on the roof", "ROOM"),
    ("WIFI_7_BETA", "Experimental Wi-Fi", "LOBBY_ONLY"),
    ("xk-17", "Provider code xk-17", "ROOM"),
    ("THERMAL_BATH", "Thermal bath", "SEASONAL"),
)


@cache
def facilities(stars: int, which: int) -> list[Facility]:
    """One of the lists that providers give for so many stars: more stars, more facilities; sometimes none."""
    dice = Dice("facilities", stars, which)
    count = dice.below(3 + stars)
    chosen = dice.some(_COMMON, count)
    if dice.per_mille(25):
        chosen.append(dice.pick(_RARE))
    return [_entry(dice, *facility) for facility in chosen]


def facility_names(dice: Dice, stars: int) -> list[str]:
    """Descriptions only, as the details of some providers give them."""
    return [description for _, description, _ in dice.some(_COMMON, 2 + dice.below(4 + 2 * stars))]


def _entry(dice: Dice, kind: str, description: str, availability: str) -> Facility:
    missing = dice.below(6)
    return {
        "id": None if missing < 2 else str(100 + sum(map(ord, kind)) % 800),
        "description": None if missing in (1, 2) else description,
        "type": kind,
        "availability": availability,
    }
