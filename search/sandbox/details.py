"""The details of a property: times, policies, cards and rooms, in the many shapes providers use.

The interface names these fields without saying what they hold, so each provider has a manner of its own
and a few properties break it. There is no price here.
"""

from __future__ import annotations

from search.sandbox.documents import Json
from search.sandbox.facilities import facility_names
from search.sandbox.houses import House, house_of
from search.sandbox.properties import described_summary
from search.sandbox.rng import Dice
from search.sandbox.rooms import room_types

_CARDS = ("Visa", "Mastercard", "American Express", "Maestro", "Diners Club", "JCB", "Carte Bancaire")
_CARD_CODES = {"Visa": "VI", "Mastercard": "CA", "American Express": "AX", "Maestro": "MA", "JCB": "JC"}
_POLICIES = (
    ("PETS", "Pets are welcome on request; charges may apply."),
    ("CHILDREN", "Children of all ages are welcome.\nCots are available on request."),
    ("SMOKING", "Smoking is not permitted anywhere in the building."),
    ("DEPOSIT", "A refundable damage deposit is taken on arrival."),
    ("PARTIES", "No parties or events. Quiet hours are from 22:00 to 7:00."),
    ("AGE", "The minimum age for check-in is 18. Photo identification & credit card are required."),
    ("RENOVATION", "The pool is closed from 4 November to 20 March."),
)
# What a house needs to have for a policy.
_NEEDED = {"PETS": "PETS_ALLOWED", "RENOVATION": "SWIMMING_POOL"}


def property_details(number: int, provider: str) -> Json:
    """The whole details answer for one property of one provider."""
    dice, house = Dice("details", provider, number), house_of(number)
    details: Json = {
        "propertySummary": described_summary(number, provider),
        "checkinTime": _time(dice, 13 + dice.below(4), until="23:30"),
        "checkoutTime": _time(dice, 10 + dice.below(3), until=None),
        "policies": _policies(dice, house),
        "facilities": _facilities(dice, house),
        "acceptedCreditCards": _cards(dice),
    }
    for name in ("checkoutTime", "policies", "facilities", "acceptedCreditCards"):
        if dice.per_mille(25):
            del details[name]
    return {"propertyDetails": details, "roomTypes": room_types(number)}


def _time(dice: Dice, hour: int, until: str | None) -> object:
    """A time of day: "15:00", "3:00 PM", a span, an object, an hour as a number, or null."""
    shape = dice.below(12)
    plain = f"{hour:02d}:00"
    shapes: tuple[object, ...] = (
        f"{(hour - 1) % 12 + 1}:00 {'PM' if hour >= 12 else 'AM'}",
        {"from": plain, "to": until},
        {"from": plain, "until": until} if until else {"to": plain},
        f"{plain}:00",
        f"{plain} - {until}" if until else f"until {plain}",
        hour,
        None,
    )
    return shapes[shape] if shape < len(shapes) else plain


def _policies(dice: Dice, house: House) -> object:
    """Hotel policies: a text, texts, typed texts, an object by topic, or null."""
    there = house.amenities
    fitting = [one for one in _POLICIES if _NEEDED.get(one[0]) is None or _NEEDED[one[0]] in there]
    chosen = dice.some(fitting, dice.between(1, 5))
    shape = dice.below(10)
    if shape < 4:
        return [text for _, text in chosen]
    if shape < 7:
        return [{"type": topic, "description": text} for topic, text in chosen]
    shapes: tuple[object, ...] = (
        "\n".join(text for _, text in chosen),
        {topic.lower(): text for topic, text in chosen},
        None,
    )
    return shapes[shape - 7]


def _facilities(dice: Dice, house: House) -> object:
    """Facilities of the property: texts, typed objects as in offers, grouped objects, one text, null."""
    names = facility_names(dice, house)
    shape = dice.below(10)
    if shape < 5:
        return names
    if shape < 8:
        return [
            {
                "id": None,
                "description": name,
                "type": name.upper().replace(" ", "_"),
                "availability": "PROPERTY",
            }
            for name in names
        ]
    half = len(names) // 2
    groups = [{"group": "General", "items": names[:half]}, {"group": "Services", "items": names[half:]}]
    return groups if shape == 8 else (None, [], ", ".join(names))[dice.below(3)]


def _cards(dice: Dice) -> object:
    """Accepted cards: names, objects with codes, one text, or an empty list."""
    cards = dice.some(_CARDS, dice.between(1, 6))
    shape = dice.below(8)
    if shape < 5:
        return cards
    if shape < 7:
        return [{"code": _CARD_CODES.get(card), "name": card} for card in cards]
    return ([], ", ".join(cards))[dice.below(2)]
