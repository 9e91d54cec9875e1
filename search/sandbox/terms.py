"""Terms of sale: all that an offer says which depends on neither its house nor its price."""

from __future__ import annotations

from functools import cache
from sys import intern
from typing import NamedTuple

from msgspec import Raw, Struct

from search.sandbox.currencies import ABROAD, AMOUNT, ASKED, HIDDEN, ONE, OWN
from search.sandbox.documents import Json, text
from search.sandbox.facilities import LISTS
from search.sandbox.rng import Dice

# So many different terms there are in the world; what is rare must be among them.
SHEETS = 2048

_RATES = ("", "", " - advance purchase", ", flexible rate", None, None)
_PAYMENT = ("PAY_LATER", "PAY_LATER", "PAY_LATER", None, None, "PAY_NOW", "PAY_AT_PROPERTY")
_PROMOTIONS = ("REGULAR_PROMOTION", "REGULAR_PROMOTION", "EARLY_BIRD")
_DISCOUNTS = (5, 8, 10, 12, 15, 20, 25, 30)
_SURCHARGES = ("TAX_AND_FEES", "CITY_TAX", "RESORT_FEE", "CLEANING_FEE", "SERVICE_CHARGE")
# The sheets with a code nobody knows: one offer in a thousand has each.
_IN_INSTALMENTS, _WITH_LEVY, _FLASH_SALE = range(2), range(2, 4), range(4, 7)
_SHOWN = (OWN, OWN, OWN, OWN, OWN, OWN, ASKED, ASKED, ASKED, HIDDEN)
# Stands in a text for what is filled in.
_MARK = "%s"
_PLACE = Raw(_MARK)
_PRICE = Raw(f'{_MARK},"travelCredit":null}}')
_PRICE_WITH_CREDIT = Raw(f'{_MARK},"travelCredit":{_MARK}}}')


class Part(NamedTuple):
    """A price that is some ``millionths`` of the offer's; ``way`` is how it is told (see currencies.py)."""

    millionths: int
    way: int


# Few are different.
_part = cache(Part)


class Terms(Struct, frozen=True, gc=False):
    """What thousands of offers have in common.

    ``offer`` is the JSON text of an offer, of which each second string is a place: for the provider, its id
    of the property, the ``parts`` of the price, room and rate, and the facilities. Without a price there are
    no parts, no room and no rate. Where the price before discount is the price itself it has no part; its
    place among theirs is ``again``, otherwise 0. ``rate`` is None where a rate is named after its board.
    ``room`` and ``facilities`` choose among those of the house.
    """

    offer: list[str]
    parts: tuple[Part, ...]
    again: int
    room: int
    rate: str | None
    facilities: int


@cache
def all_terms() -> list[Terms]:
    """The terms on each of the ``SHEETS`` sheets."""
    return [_terms(sheet) for sheet in range(SHEETS)]


def _terms(sheet: int) -> Terms:
    dice, parts = Dice("terms", sheet), _Parts()
    percent, before = _discount(dice)
    priced, shown = not dice.per_mille(12), dice.pick(_SHOWN)
    credit = ONE // 100 * dice.between(1, 6)
    credit_in_price, credit_apart = dice.per_mille(300), dice.per_mille(700)
    min_price = {
        "price": parts.triple(ONE, shown, credit if credit_in_price else 0),
        "travelCredit": parts.triple(credit, shown) if credit_apart else None,
        "originalPrice": _before(before, parts, shown),
        "deposit": _deposit(dice, parts, shown) if dice.per_mille(45) else None,
        "paymentMode": "PAY_IN_INSTALMENTS_V2" if sheet in _IN_INSTALMENTS else dice.pick(_PAYMENT),
        "promoType": _promotion(dice, sheet, promoted=percent > 0 or dice.per_mille(60)),
        "surcharges": _surcharges(dice, sheet, parts, shown),
        "rateDescription": _PLACE,
        "discountPercentage": percent,
    }
    room, rate, facilities = dice.below(60), dice.pick(_RATES), dice.below(LISTS)
    offer = {
        "providerId": Raw(f'"{_MARK}"'),
        "providerPropertyId": _PLACE,
        "minPrice": min_price if priced else None,
        "facilities": [_PLACE],
        "freeCancellation": dice.per_mille(470),
        # The interface doesn't say what else it may be.
        "allotment": dice.pick((3, "2", {"rooms": 4}, [1, 2])) if dice.per_mille(30) else None,
    }
    return Terms(_split(text(offer)), tuple(parts) if priced else (), parts.again, room, rate, facilities)


def _split(offer: str) -> list[str]:
    """The text around the places, with each place as an empty text."""
    around = offer.split(_MARK)
    texts = [""] * (2 * len(around) - 1)
    texts[::2] = map(intern, around)
    return texts


class _Parts(list[Part]):
    """The parts of a price in the order of their places."""

    again = 0

    def triple(self, millionths: int, way: int, credit: int = 0) -> Raw:
        """The place of a price with its travelCredit, which has one of its own if there is ``credit``."""
        self.append(_part(millionths, way))
        if not credit:
            return _PRICE
        self.append(_part(credit, AMOUNT))
        return _PRICE_WITH_CREDIT

    def amount(self, millionths: int) -> Raw:
        """The place of an amount."""
        self.append(_part(millionths, AMOUNT))
        return _PLACE


def _discount(dice: Dice) -> tuple[int, int]:
    """The percentage shown and the price before it; a few contradict each other, as some providers' do."""
    shape = dice.below(100)
    if shape < 8:
        return 0, 0
    if shape < 68:
        return 0, ONE
    percent = dice.pick(_DISCOUNTS)
    return percent, ONE * 100 // (100 - percent) if shape < 94 else dice.pick((ONE, ONE * 9 // 10, ONE * 3))


def _promotion(dice: Dice, sheet: int, *, promoted: bool) -> str | None:
    if sheet in _FLASH_SALE:
        return "FLASH_SALE_42"
    return dice.pick(_PROMOTIONS) if promoted else None


def _before(millionths: int, parts: _Parts, shown: int) -> Raw | None:
    """The place of the price before discount, which is told again where it is the price."""
    if millionths == ONE:
        parts.again = len(parts)
        return _PRICE
    return parts.triple(millionths, shown) if millionths else None


def _deposit(dice: Dice, parts: _Parts, shown: int) -> object:
    """A fifth of the price as an amount or a triple, or a shape nobody announced."""
    shape = dice.below(4)
    if shape < 2:
        return parts.triple(ONE // 5, shown) if shape else parts.amount(ONE // 5)
    return "20%" if shape == 2 else True


def _surcharges(dice: Dice, sheet: int, parts: _Parts, shown: int) -> list[Json]:
    """Some of them are in the property's own currency only."""
    kinds = dice.some(_SURCHARGES, dice.pick((0, 0, 1, 1, 1, 1, 2, 2, 3, 1)))
    if sheet in _WITH_LEVY:
        kinds.append("LAVENDER_LEVY")
    surcharges: list[Json] = []
    for kind in kinds:
        millionths, abroad = ONE // 1000 * dice.between(20, 110), dice.per_mille(50)
        surcharges.append({"type": kind, "price": parts.triple(millionths, ABROAD if abroad else shown)})
    return surcharges
