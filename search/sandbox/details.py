"""The details of a property: times, policies, cards and rooms, in the many shapes providers use.

The interface names these fields without saying what they hold, so each provider has a manner of its own and a
few properties break it. There is no price here.
"""

from __future__ import annotations

from functools import cache

import msgspec

from search.sandbox import Json, photos, read_toml
from search.sandbox.houses import AMENITIES, GROUPS, House, house_of
from search.sandbox.properties import image_kinds, summary_and_distance
from search.sandbox.rng import Dice
from search.sandbox.world import world


class RoomKind(msgspec.Struct, frozen=True):
    """What a room of a kind is like, and which houses have it: with how many stars, in which language."""

    name: str
    description: str
    sleeps: int
    beds: tuple[str, int]
    pictures: list[str]
    houses: str
    stars: tuple[int, int] = (1, 5)
    language: str = ""


_DATA = read_toml("details.toml")
_KINDS = msgspec.convert(_DATA["rooms"], list[RoomKind])
_LANGUAGES = {kind.language for kind in _KINDS}
# So many lists of rooms there are among houses of one kind, with so many stars, in one language.
_VARIANTS = 17
_NOT_DESCRIBED = ("providerId", "ryanairId", "id", "propertyType")


def property_details(number: int, provider: str) -> Json:
    """The whole details answer for one property of one provider, with the fields that the interface names."""
    dice, house = Dice("details", provider, number), house_of(number)
    described, _distance = summary_and_distance(number, provider)
    details: Json = {
        "propertySummary": {name: described[name] for name in described if name not in _NOT_DESCRIBED},
        "checkinTime": _time(dice, 13 + dice.below(4), until="23:30"),
        "checkoutTime": _time(dice, 10 + dice.below(3), until=None),
        "policies": _policies(dice, house),
        "facilities": _facilities(dice, house),
        "acceptedCreditCards": _cards(dice),
    }
    for name in ("checkoutTime", "policies", "facilities", "acceptedCreditCards"):
        if dice.per_mille(25):
            del details[name]
    return {"propertyDetails": details, "roomTypes": _room_types(number, house)}


def _time(dice: Dice, hour: int, until: str | None) -> object:
    """A time of day: "15:00", "3:00 PM", a span, an object, an hour as a number, or null."""
    plain = f"{hour:02d}:00"
    shapes: list[object] = [
        f"{(hour - 1) % 12 + 1}:00 {'PM' if hour >= 12 else 'AM'}",
        {"from": plain, "to": until},
        {"from": plain, "until": until} if until else {"to": plain},
        f"{plain}:00",
        f"{plain} - {until}" if until else f"until {plain}",
        hour,
        None,
    ]
    return dice.pick(shapes + [plain] * 5)


def _policies(dice: Dice, house: House) -> object:
    """Hotel policies: a text, texts, typed texts, an object by topic, or null."""
    there = {
        topic: text
        for topic, text in _DATA["policies"].items()
        if _DATA["needed"].get(topic) in (None, *house.amenities)
    }
    topics = dice.some(list(there), dice.between(1, 5))
    texts = [there[topic] for topic in topics]
    typed = [{"type": topic, "description": there[topic]} for topic in topics]
    by_topic = {topic.lower(): there[topic] for topic in topics}
    return dice.pick([*[texts] * 4, *[typed] * 3, "\n".join(texts), by_topic, None])


def _facilities(dice: Dice, house: House) -> object:
    """Facilities of the property: texts, typed objects as in offers, grouped objects, one text, null."""
    names = [AMENITIES[code][3] for code in AMENITIES if code in house.amenities and dice.below(8)]
    shape = dice.below(10)
    if shape < 5:
        return names
    if shape < 8:
        return [_typed(name, name.upper().replace(" ", "_"), "PROPERTY") for name in names]
    half = len(names) // 2
    if shape == 8:
        return [{"group": "General", "items": names[:half]}, {"group": "Services", "items": names[half:]}]
    return dice.pick((None, [], ", ".join(names)))


def _typed(name: str, kind: str, availability: str) -> Json:
    return {"id": None, "description": name, "type": kind, "availability": availability}


def _cards(dice: Dice) -> object:
    """Accepted cards: names, objects with codes, one text, or an empty list."""
    cards = dice.some(_DATA["cards"], dice.between(1, 6))
    shape = dice.below(8)
    if shape < 5:
        return cards
    if shape < 7:
        return [{"code": _DATA["card_codes"].get(card), "name": card} for card in cards]
    return dice.pick(([], ", ".join(cards)))


def rooms_of(number: int, guests: int = 1) -> list[RoomKind]:
    """Of the one to five kinds of room that a property has those the guests fit in, or all if none is."""
    house, language = house_of(number), world().city_of(number).country.language
    rooms = _rooms(house.kind, house.stars, language if language in _LANGUAGES else "", number % _VARIANTS)
    return [one for one in rooms if one.sleeps >= guests] or rooms


@cache
def _rooms(kind: str, stars: int, language: str, variant: int) -> list[RoomKind]:
    dice = Dice("rooms", kind, stars, language, variant)
    fitting = [
        one
        for one in _KINDS
        if kind in GROUPS[one.houses]
        and one.stars[0] <= stars <= one.stars[1]
        and one.language in ("", language)
    ]
    return dice.some(fitting, dice.between(1, 5))


def _room_types(number: int, house: House) -> list[Json]:
    """The kinds of room as details describe them, with the property's pictures; a twin room has its own."""
    boards = _DATA["boards"][0 if "FREE_BREAKFAST" in house.amenities else 1 :]
    pictures = (*image_kinds(number, house), "twin")
    room_types = []
    for place, kind in enumerate(rooms_of(number)):
        addresses = photos.addresses(number, [one for one in kind.pictures if one in pictures])
        room_types.append(_room_type(Dice("room", number, place), kind, addresses, boards))
    return room_types


def _room_type(dice: Dice, kind: RoomKind, pictures: list[str], boards: list[str]) -> Json:
    room_type: Json = {
        "name": kind.name,
        "description": None if dice.per_mille(80) else kind.description,
        "images": dice.some(pictures, dice.between(1, 4)),
        "facilities": _room_facilities(dice),
        # The first is not the non-refundable one: an offer of the kind may be free to cancel.
        "rooms": [_room(dice, kind, boards if place else boards[:1]) for place in range(dice.between(1, 4))],
    }
    for field, share in (("images", 150), ("facilities", 60), ("description", 40)):
        if dice.per_mille(share):
            del room_type[field]
    if dice.per_mille(40):
        room_type["images"] = None
    return room_type


def _room_facilities(dice: Dice) -> object:
    names = dice.some(_DATA["features"], dice.between(2, 8))
    typed = [_typed(name, "ROOM", "ROOM") for name in names]
    return dice.pick((names, names, names, typed, typed, ", ".join(names)))


def _room(dice: Dice, kind: RoomKind, boards: list[str]) -> Json:
    board = dice.pick(boards)
    no_pets = [{"type": "PETS", "description": "No pets"}]
    room: Json = {
        "maxOccupancy": _occupancy(dice, kind.sleeps),
        "policies": dice.pick((None, ["No smoking"], "No smoking", no_pets, [])),
        "cancellationPolicies": _cancellation(dice, board),
        "bedTypes": _beds(dice, *kind.beds),
        "name": f"{kind.name} - {board}",
        "description": None if dice.per_mille(200) else f"{board}. Sleeps {kind.sleeps}.",
    }
    for field in ("policies", "bedTypes"):
        if dice.per_mille(60):
            del room[field]
    return room


def _occupancy(dice: Dice, sleeps: int) -> object:
    return dice.pick([None, str(sleeps), {"adults": sleeps, "children": 1}, *[sleeps] * 17])


def _beds(dice: Dice, kind: str, count: int) -> object:
    bed = f"{count} {_DATA['beds'][kind]}{'s' if count > 1 else ''}"
    typed = [{"type": kind, "description": bed}], [{"type": kind, "count": count}]
    return dice.pick(([bed], bed, *typed, [bed, "1 sofa bed"], None))


def _cancellation(dice: Dice, board: str) -> object:
    if board == "Non-refundable":
        text = _DATA["non_refundable"]
        return dice.pick(([text], text, {"refundable": False, "description": text}, None))
    text = dice.pick(_DATA["cancellation"])
    shapes: list[object] = [
        [text],
        text,
        [{"type": "CANCELLATION", "description": text}],
        [{"from": "2 days before arrival", "to": "arrival", "penalty": "100%"}],
        {"refundable": True, "description": text},
        [],
        None,
    ]
    return dice.pick(shapes)
