"""Room types and their rooms, in several shapes."""

from __future__ import annotations

from search.sandbox.dice import Dice

Json = dict[str, object]

# name, description, persons, beds (kind, count)
_TYPES = (
    ("Standard Double Room", "A quiet double room with a view of the courtyard.", 2, ("DOUBLE", 1)),
    ("Twin Room", "Two single beds, a desk and a window seat.", 2, ("SINGLE", 2)),
    ("Superior Room", "More space, a sofa and a coffee machine.", 3, ("KING", 1)),
    ("Family Room", "Two connected rooms.\nThe second one has bunk beds.", 5, ("BUNK", 2)),
    ("Junior Suite", "Sitting area, bathtub and a balcony towards the square.", 3, ("KING", 1)),
    ("Einzelzimmer", "Ruhig gelegen, mit Schreibtisch.", 1, ("SINGLE", 1)),
    ("Studio with Kitchenette", "Hob, fridge, microwave and a table for four.", 4, ("DOUBLE", 2)),
    ("Bed in Mixed Dormitory", "Locker, reading lamp & curtain at every bed.", 1, ("BUNK", 1)),
    ("Deluxe Sea View", "Floor-to-ceiling windows; the highest floor.", 2, ("KING", 1)),
    ("غرفة مزدوجة", "Double room, traditional tiles.", 2, ("DOUBLE", 1)),
)
_BOARDS = ("Room only", "Breakfast included", "Half board", "Non-refundable", "Flexible rate")
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


def room_types(dice: Dice, number: int, pictures: list[str]) -> list[Json]:
    """One to five types of room."""
    chosen = dice.some(_TYPES, dice.between(1, 5))
    return [_room_type(Dice("room", number, place), *kind, pictures) for place, kind in enumerate(chosen)]


def _room_type(
    dice: Dice, name: str, description: str, sleeps: int, beds: tuple[str, int], pictures: list[str]
) -> Json:
    room_type: Json = {
        "name": name,
        "description": None if dice.per_mille(80) else description,
        "images": dice.some(pictures, dice.between(1, 4)),
        "facilities": _facilities(dice),
        "rooms": [_room(dice, name, sleeps, beds) for _ in range(dice.between(1, 4))],
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


def _room(dice: Dice, name: str, sleeps: int, beds: tuple[str, int]) -> Json:
    board = dice.pick(_BOARDS)
    room: Json = {
        "maxOccupancy": _occupancy(dice, sleeps),
        "policies": (None, ["No smoking"], "No smoking", [{"type": "PETS", "description": "No pets"}], [])[
            dice.below(5)
        ],
        "cancellationPolicies": _cancellation(dice),
        "bedTypes": _beds(dice, *beds),
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
