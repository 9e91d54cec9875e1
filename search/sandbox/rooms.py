"""Room types and their rooms, in several shapes."""

from __future__ import annotations

from search.sandbox.dice import Dice

Json = dict[str, object]

_TYPES = (
    ("Standard Double Room", "A quiet double room with a view of the courtyard.", 2),
    ("Twin Room", "Two single beds, a desk and a window seat.", 2),
    ("Superior Room", "More space, a sofa and a coffee machine.", 3),
    ("Family Room", "Two connected rooms.\nThe second one has bunk beds.", 5),
    ("Junior Suite", "Sitting area, bathtub and a balcony towards the square.", 3),
    ("Einzelzimmer", "Ruhig gelegen, mit Schreibtisch.", 1),
    ("Studio with Kitchenette", "Hob, fridge, microwave and a table for four.", 4),
    ("Bed in Mixed Dormitory", "Locker, reading lamp & curtain at every bed.", 1),
    ("Deluxe Sea View", "Floor-to-ceiling windows; the highest floor.", 2),
    ("غرفة مزدوجة", "Double room, traditional tiles.", 2),
)
_BOARDS = ("Room only", "Breakfast included", "Half board", "Non-refundable", "Flexible rate")
_FEATURES = (
    "Air conditioning", "Private bathroom", "Rain shower", "Bathtub", "Balcony", "Flat-screen television",
    "Safe", "Minibar", "Kettle", "Desk", "Hairdryer", "Soundproofed", "Free Wi-Fi", "Wheelchair accessible",
)  # fmt: skip
_BEDS = ("1 double bed", "2 single beds", "1 king-size bed", "1 double bed and 1 sofa bed", "2 bunk beds")
_CANCELLATION = (
    "Free cancellation until 18:00 on the day before arrival.",
    "Free cancellation up to 7 days before arrival; after that the first night is charged.",
    "Non-refundable: the full price is charged at booking.",
)


def room_types(dice: Dice, number: int, pictures: list[str]) -> list[Json]:
    """One to five types of room; a few providers send none."""
    if dice.per_mille(20):
        return []
    chosen = dice.some(_TYPES, dice.between(1, 5))
    return [_room_type(Dice("room", number, place), *kind, pictures) for place, kind in enumerate(chosen)]


def _room_type(dice: Dice, name: str, description: str, sleeps: int, pictures: list[str]) -> Json:
    room_type: Json = {
        "name": name,
        "description": None if dice.per_mille(80) else description,
        "images": dice.some(pictures, dice.between(1, 4)),
        "facilities": _facilities(dice),
        "rooms": [_room(dice, name, sleeps) for _ in range(dice.between(1, 4))],
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


def _room(dice: Dice, name: str, sleeps: int) -> Json:
    board = dice.pick(_BOARDS)
    room: Json = {
        "maxOccupancy": _occupancy(dice, sleeps),
        "policies": (None, ["No smoking"], "No smoking", [{"type": "PETS", "description": "No pets"}], [])[
            dice.below(5)
        ],
        "cancellationPolicies": _cancellation(dice),
        "bedTypes": _beds(dice),
        "name": f"{name} - {board}",
        "description": None if dice.per_mille(200) else f"{board}. Sleeps {sleeps}.",
    }
    for field in ("policies", "bedTypes"):
        if dice.per_mille(60):
            del room[field]
    return room


def _occupancy(dice: Dice, sleeps: int) -> object:
    shape = dice.below(20)
    shapes: tuple[object, ...] = (None, str(sleeps), {"adults": sleeps, "children": 1})
    return shapes[shape] if shape < len(shapes) else sleeps


def _beds(dice: Dice) -> object:
    bed = dice.pick(_BEDS)
    shapes: tuple[object, ...] = (
        [bed],
        bed,
        [{"type": "DOUBLE", "description": bed}],
        [{"type": "SINGLE", "count": 2}],
        [bed, dice.pick(_BEDS)],
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
