"""Room types and their rooms, in several shapes."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from search.sandbox import photos
from search.sandbox.documents import Json
from search.sandbox.houses import HOMES, HOSTELS, HOTELS, SERVED, SMALL, House, house_of, houses
from search.sandbox.properties import image_kinds
from search.sandbox.rng import Dice
from search.sandbox.world import City, world


class RoomKind(NamedTuple):
    """What a room of a kind is like, and which houses have it: with how many stars, in which language."""

    name: str
    description: str
    sleeps: int
    beds: tuple[str, int]
    pictures: tuple[str, ...]
    houses: frozenset[str]
    stars: tuple[int, int] = (1, 5)
    language: str = ""


_DOUBLE = ("room", "bath", "balcony", "view")
_TWIN = ("twin", "bath", "view")
_SUITE = ("suite", "bath", "balcony", "view")
_INNS = HOTELS | SMALL
_KINDS = (
    RoomKind("Standard Double Room", "A quiet double room with a view of the courtyard.",
             2, ("DOUBLE", 1), _DOUBLE, _INNS, (1, 4)),
    RoomKind("Twin Room", "Two single beds, a desk and a window seat.",
             2, ("SINGLE", 2), _TWIN, _INNS, (1, 4)),
    RoomKind("Single Room", "A bed, a desk and a reading lamp.",
             1, ("SINGLE", 1), ("bath", "view"), _INNS, (1, 3)),
    RoomKind("Economy Double Room – no window", "Small and quiet.",
             2, ("DOUBLE", 1), ("bath",), _INNS, (1, 2)),
    RoomKind("Superior Double Room", "More space, an armchair and a coffee machine.",
             2, ("KING", 1), _DOUBLE, HOTELS, (3, 5)),
    RoomKind("Family Room", "Two connected rooms.\nThe second one has bunk beds.",
             4, ("BUNK", 2), ("bath", "view"), SERVED, (1, 4)),
    RoomKind("Junior Suite", "Sitting area, bathtub and a balcony towards the square.",
             2, ("KING", 1), _SUITE, HOTELS, (3, 5)),
    RoomKind("Deluxe King Room with Balcony", "Floor-to-ceiling windows; the highest floor.",
             2, ("KING", 1), _DOUBLE, HOTELS, (4, 5)),
    RoomKind("Signature Suite", "Two rooms, a marble bathroom and a butler's bell.",
             2, ("KING", 1), _SUITE, HOTELS, (5, 5)),
    RoomKind("Bed in Mixed Dormitory", "Locker, reading lamp & curtain at every bed.",
             1, ("BUNK", 1), ("bath",), HOSTELS),
    RoomKind("Bed in 6-Bed Female Dormitory", "Locker, reading lamp & curtain at every bed.",
             1, ("BUNK", 1), ("bath",), HOSTELS),
    RoomKind("Private Twin Room, Shared Bathroom", "For two who like a door.",
             2, ("SINGLE", 2), _TWIN, HOSTELS),
    RoomKind("Studio with Kitchenette", "Hob, fridge, microwave and a table for two.",
             2, ("DOUBLE", 1), _DOUBLE, HOMES),
    RoomKind("One-Bedroom Apartment", "A bedroom, a living room and a kitchen.",
             2, ("DOUBLE", 1), _DOUBLE, HOMES),
    RoomKind("Two-Bedroom Apartment", "Two bedrooms and a table for four.",
             4, ("DOUBLE", 2), _DOUBLE, HOMES),
    RoomKind("Einzelzimmer", "Ruhig gelegen, mit Schreibtisch.",
             1, ("SINGLE", 1), ("bath", "view"), _INNS, (1, 4), "german"),
    RoomKind("Habitación doble estándar", "Con vistas al patio.",
             2, ("DOUBLE", 1), _DOUBLE, _INNS, (1, 4), "spanish"),
    RoomKind("Camera doppia economy", "Tranquilla, con scrivania.",
             2, ("DOUBLE", 1), _DOUBLE, _INNS, (1, 3), "italian"),
    RoomKind("Chambre supérieure « Jardin »", "Vue sur le jardin.",
             2, ("DOUBLE", 1), _DOUBLE, _INNS, (2, 5), "french"),
    RoomKind("غرفة مزدوجة", "Double room, traditional tiles.",
             2, ("DOUBLE", 1), _DOUBLE, _INNS, (1, 5), "arabic"),
)  # fmt: skip
_NAMED_IN = {one.language for one in _KINDS}
# So many lists of rooms are met among houses of one kind, with so many stars, in one language.
_VARIANTS = 17
_BOARDS = ("Breakfast included", "Room only", "Non-refundable", "Flexible rate")
_FEATURES = (
    "Air conditioning", "Private bathroom", "Rain shower", "Bathtub", "Balcony", "Flat-screen television",
    "Safe", "Minibar", "Kettle", "Desk", "Hairdryer", "Soundproofed", "Free Wi-Fi", "Wheelchair accessible",
)  # fmt: skip
_BEDS = {"DOUBLE": "double bed", "SINGLE": "single bed", "KING": "king-size bed", "BUNK": "bunk bed"}
_CANCELLATION = (
    "Free cancellation until 18:00 on the day before arrival.",
    "Free cancellation up to 7 days before arrival; after that the first night is charged.",
    "Non-refundable: the full price is charged at booking.",
)


def rooms_of(number: int, house: House, city: City, guests: int = 1) -> tuple[RoomKind, ...]:
    """Of the one to five kinds of room that a property has those the guests fit in, or all if none is."""
    language = city.country.language
    if language not in _NAMED_IN:
        language = ""
    return _rooms(house.kind, house.stars, language, number % _VARIANTS, guests)


def prepare() -> None:
    """Make all lists of rooms that properties have."""
    for kind, stars in {(house.kind, house.stars) for house in houses()}:
        for language in _NAMED_IN:
            for variant in range(_VARIANTS):
                _all_rooms(kind, stars, language, variant)


@lru_cache(maxsize=4_096)
def _rooms(kind: str, stars: int, language: str, variant: int, guests: int) -> tuple[RoomKind, ...]:
    rooms = _all_rooms(kind, stars, language, variant)
    return tuple([one for one in rooms if one.sleeps >= guests] or rooms)


@cache
def _all_rooms(kind: str, stars: int, language: str, variant: int) -> list[RoomKind]:
    dice = Dice("rooms", kind, stars, language, variant)
    return dice.some(_fitting(kind, stars, language), dice.between(1, 5))


@cache
def _fitting(kind: str, stars: int, language: str) -> list[RoomKind]:
    """All kinds of room that such houses can have."""
    return [
        one
        for one in _KINDS
        if kind in one.houses and one.stars[0] <= stars <= one.stars[1] and one.language in ("", language)
    ]


def room_types(number: int) -> list[Json]:
    """The kinds of room as details describe them, with the property's pictures; a twin room has its own."""
    house = house_of(number)
    boards = _BOARDS if "FREE_BREAKFAST" in house.amenities else _BOARDS[1:]
    pictures = (*image_kinds(number, house), "twin")
    return [
        _room_type(
            Dice("room", number, place),
            kind,
            photos.addresses(number, [one for one in kind.pictures if one in pictures]),
            boards,
        )
        for place, kind in enumerate(rooms_of(number, house, world().city_of(number)))
    ]


def _room_type(dice: Dice, kind: RoomKind, pictures: list[str], boards: tuple[str, ...]) -> Json:
    room_type: Json = {
        "name": kind.name,
        "description": None if dice.per_mille(80) else kind.description,
        "images": dice.some(pictures, dice.between(1, 4)),
        "facilities": _facilities(dice),
        "rooms": [_room(dice, kind, boards) for _ in range(dice.between(1, 4))],
    }
    for field, share in (("images", 150), ("facilities", 60), ("description", 40)):
        if dice.per_mille(share):
            del room_type[field]
    if dice.per_mille(40):
        room_type["images"] = None
    return room_type


def _facilities(dice: Dice) -> object:
    names = dice.some(_FEATURES, dice.between(2, 8))
    shape = dice.below(6)
    if shape < 3:
        return names
    if shape < 5:
        return [{"id": None, "description": name, "type": "ROOM", "availability": "ROOM"} for name in names]
    return ", ".join(names)


def _room(dice: Dice, kind: RoomKind, boards: tuple[str, ...]) -> Json:
    board = dice.pick(boards)
    room: Json = {
        "maxOccupancy": _occupancy(dice, kind.sleeps),
        "policies": (None, ["No smoking"], "No smoking", [{"type": "PETS", "description": "No pets"}], [])[
            dice.below(5)
        ],
        "cancellationPolicies": _cancellation(dice),
        "bedTypes": _beds(dice, *kind.beds),
        "name": f"{kind.name} - {board}",
        "description": None if dice.per_mille(200) else f"{board}. Sleeps {kind.sleeps}.",
    }
    for field in ("policies", "bedTypes"):
        if dice.per_mille(60):
            del room[field]
    return room


def _occupancy(dice: Dice, sleeps: int) -> object:
    shape = dice.below(20)
    shapes: tuple[object, ...] = (None, str(sleeps), {"adults": sleeps, "children": 1})
    return shapes[shape] if shape < len(shapes) else sleeps


def _beds(dice: Dice, kind: str, count: int) -> object:
    bed = f"{count} {_BEDS[kind]}{'s' if count > 1 else ''}"
    shapes: tuple[object, ...] = (
        [bed],
        bed,
        [{"type": kind, "description": bed}],
        [{"type": kind, "count": count}],
        [bed, "1 sofa bed"],
        None,
    )
    return shapes[dice.below(len(shapes))]


def _cancellation(dice: Dice) -> object:
    text = dice.pick(_CANCELLATION)
    shapes: tuple[object, ...] = (
        [text],
        text,
        [{"type": "CANCELLATION", "description": text}],
        [{"from": "2 days before arrival", "to": "arrival", "penalty": "100%"}],
        {"refundable": "Non-refundable" not in text, "description": text},
        [],
        None,
    )
    return shapes[dice.below(len(shapes))]
