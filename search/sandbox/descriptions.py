"""Descriptions: composed sentences, from one line to several screens, sometimes none at all."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from sys import intern

from search.sandbox.documents import quoted
from search.sandbox.houses import House, houses
from search.sandbox.rng import THROWS, Dice, scattered
from search.sandbox.world import City

_OPENINGS = (
    "{name} sits {where} in {city}, a short walk from cafés, shops and the evening promenade.",
    "A calm place to come back to: {name} is {where} of {city} and keeps its windows open to the courtyard.",
    "Built for merchants and rebuilt for travellers, {name} has looked over {city} for {years} years.",
    "{name} is a family-run address {where} in {city}, with {rooms} rooms and one very good breakfast table.",
    "Bright, quiet and close to everything: {name} brings {stars}-star comfort {where} in {city}.",
    "You will find {name} {where}, where {city} is at its most walkable & its most photographed.",
)
_WHERE = (
    "near the old market", "on a tree-lined street", "by the water", "next to the main station",
    "in the historic quarter", "between the park and the museum", "at the edge of the old town",
    "five minutes from the main square", "on the hillside", "opposite the concert hall",
)  # fmt: skip
_ROOMS = (
    "Rooms have oak floors, linen curtains and a desk large enough to be useful.",
    "Every room comes with a good bed, blackout blinds, a kettle and free Wi-Fi.",
    "The {rooms} rooms are spread over {floors} floors; the upper ones look over the rooftops.",
    "Family rooms sleep up to five and have a second, separate bathroom.",
    "Rooms facing the street are livelier; ask for the garden side if you sleep lightly.",
    "Bathrooms are tiled by a local workshop, with a rain shower and refillable toiletries.",
)
_FOOD = (
    "Breakfast is served from 7:00 to 10:30 and leans on what the market had that morning.",
    "The bar opens at five; the kitchen closes when the last guest has eaten.",
    "There is no restaurant, but the reception keeps a hand-drawn map of the ones nearby.",
    "On the roof terrace, drinks come with olives and a view.",
    "A small shop sells bread, fruit and the forgotten toothbrush until midnight.",
)
_AROUND = (
    "The airport bus stops {minutes} minutes away on foot.",
    "Bicycles can be borrowed at no charge, subject to availability.",
    "A park, the tram and a playground are all within {minutes} minutes.",
    "Parking is limited: please reserve a place in advance (height limit 1.95 m).",
    "The old town begins at the door; cars may unload between 6:00 and 11:00.",
    "Guests have free use of the pool from {month} on, weather permitting.",
)
_NOTES = (
    "Please note: the lift stops at half floors, and eight steps lead to the entrance.",
    "Renovation work takes place on weekdays from 9:00 to 17:00; some rooms may be affected.",
    "A city tax is collected at the property and may change without notice.",
    "Guests arriving after 22:00 receive a door code by text message.",
    "Pets are welcome (<10 kg) for a small fee; \"assistance\" animals stay free.",
)  # fmt: skip
# Part of a text -> what a house needs to have for it to be true.
_NEEDED = {
    "Breakfast is served": "FREE_BREAKFAST", "breakfast table": "FREE_BREAKFAST",
    "The bar opens": "RESTAURANT",
    "Parking is": "PARKING", "use of the pool": "SWIMMING_POOL", "Pets are": "PETS_ALLOWED",
    "Family rooms": "FAMILY_ROOMS", "free Wi-Fi": "FREE_WIFI",
}  # fmt: skip
_MONTHS = ("April", "May", "June")
_GROUPS = (_OPENINGS, _ROOMS, _FOOD, _AROUND, _NOTES)
_TEXTS = tuple(text for texts in _GROUPS for text in texts)
_QUOTED = tuple(quoted(text)[1:-1] for text in _TEXTS)
# So many sets of numbers and places there are for what the texts leave open.
_SHEETS = 256


def describe(
    numbers: Iterable[int], names: Iterable[str], cities: Iterable[City], houses: Iterable[House]
) -> list[str]:
    """A description of each property as JSON text; names are quoted for that already."""
    return list(map(_described, scattered(numbers, 18, THROWS), names, cities, houses))


def _described(throw: int, name: str, city: City, house: House) -> str:
    """A few are missing, empty, very short, marked up or very long."""
    throw, shape = divmod(throw, 100)
    if shape < 2:
        return "null" if shape else '""'
    throw, sheet = divmod(throw, _SHEETS)
    told, (openings, rooms, food, around, notes) = _told(sheet), _true_of(house.amenities)
    opening = told[openings[throw % len(openings)]]
    opening = opening.replace("{name}", name[1:-1]).replace("{city}", quoted(city.name)[1:-1])
    opening = opening.replace("{stars}", str(house.stars))
    if shape < 8:
        return f'"{opening}"'
    if 12 <= shape < 16:
        return _at_length(opening, *([told[at] for at in true] for true in (rooms, food, around, notes)))
    body = (
        f"{told[rooms[throw // 7 % len(rooms)]]} {told[food[throw // 53 % len(food)]]}"
        f" {told[around[throw // 389 % len(around)]]}"
    )
    if shape < 12:
        return f'"<p>{opening}</p><br/>{body} <b>Book direct & save!</b>"'
    note = told[notes[throw // 2_711 % len(notes)]]
    gap = r"\r\n" if shape < 24 else r"\n\n"
    return f'"{opening}{gap}{body}{gap}{note}"'


def prepare() -> None:
    """Fill in all sheets, and tell what is true of every house."""
    for sheet in range(_SHEETS):
        _told(sheet)
    for house in houses():
        _true_of(house.amenities)


def _at_length(opening: str, rooms: list[str], food: list[str], around: list[str], notes: list[str]) -> str:
    """Several thousand characters, as some providers send."""
    listed = "- " + r"\n- ".join(around)
    paragraphs = [opening, " ".join(rooms), " ".join(food), listed, r"\n".join(notes)]
    joined = r"\n\n".join(paragraphs + paragraphs[1:3] + paragraphs[1:])
    return f'"{joined}"'


@cache
def _told(sheet: int) -> list[str]:
    """All texts, as within quoted JSON, with the words of one sheet; those of the property are left open."""
    dice = Dice("prose", sheet)
    words = {
        "name": "{name}",
        "city": "{city}",
        "stars": "{stars}",
        "where": dice.pick(_WHERE),
        "rooms": dice.between(8, 240),
        "floors": dice.between(2, 9),
        "years": dice.between(12, 190),
        "minutes": dice.between(2, 20),
        "month": dice.pick(_MONTHS),
    }
    # What several sheets say alike is one string: the fewer there are, the more are in the processor's cache.
    return [intern(text.format_map(words)) if "{" in text else text for text in _QUOTED]


@cache
def _true_of(amenities: frozenset[str]) -> tuple[list[int], ...]:
    """Of each of the five groups which texts are true of a house with these amenities."""
    return tuple([_TEXTS.index(text) for text in texts if _is_true(text, amenities)] for texts in _GROUPS)


def _is_true(text: str, amenities: frozenset[str]) -> bool:
    return _needed(text) <= amenities and not ("no restaurant" in text and "RESTAURANT" in amenities)


@cache
def _needed(text: str) -> frozenset[str]:
    """The amenities without which it isn't true."""
    return frozenset(code for part, code in _NEEDED.items() if part in text)
