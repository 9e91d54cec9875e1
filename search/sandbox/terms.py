"""Terms of sale: all that an offer says which depends on neither its house nor its price."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from msgspec import Struct

from search.sandbox.dice import Dice
from search.sandbox.documents import Amount, Triple
from search.sandbox.facilities import LISTS

# So many different terms there are in the world; what is rare must be among them.
SHEETS = 2048
ONE = 1_000_000

_RATES = ("", "", " - advance purchase", ", flexible rate", None, None)
_PAYMENT = ("PAY_LATER", "PAY_LATER", "PAY_LATER", None, None, "PAY_NOW", "PAY_AT_PROPERTY")
_PROMOTIONS = ("REGULAR_PROMOTION", "REGULAR_PROMOTION", "EARLY_BIRD")
_DISCOUNTS = (5, 8, 10, 12, 15, 20, 25, 30)
_SURCHARGES = ("TAX_AND_FEES", "CITY_TAX", "RESORT_FEE", "CLEANING_FEE", "SERVICE_CHARGE")
# The sheets with a code nobody knows: one offer in a thousand has each.
_IN_INSTALMENTS, _WITH_LEVY, _FLASH_SALE = range(2), range(2, 4), range(4, 7)
# The property's own currency, the one asked for, or none.
_SHOWN = (0, 0, 0, 0, 0, 0, 1, 1, 1, 2)


class Due(NamedTuple):
    """A surcharge; ``part`` is in parts of the price, ``abroad`` in the property's own currency only."""

    kind: str
    part: int
    abroad: bool


class Terms(Struct, frozen=True, gc=False):
    """What thousands of offers have in common.

    ``credit`` and ``before``, the price before discount, are in parts of the price, of which ``ONE`` is all;
    a ``before`` of 0 isn't told. ``rate`` is None where a rate is named after its board. ``deposit`` is the
    deposit itself, or how a fifth of the price is told: as an Amount or a Triple. ``room`` and ``facilities``
    choose among those of the house.
    """

    priced: bool
    shown: int
    percent: int
    before: int
    credit: int
    credit_in_price: bool
    credit_apart: bool
    deposit: object
    payment_mode: str | None
    promo_type: str | None
    surcharges: tuple[Due, ...]
    room: int
    rate: str | None
    facilities: int
    free_cancellation: bool
    allotment: object


@cache
def terms(sheet: int) -> Terms:
    """The terms on one of the sheets."""
    dice = Dice("terms", sheet)
    percent, before = _discount(dice)
    return Terms(
        priced=not dice.per_mille(12),
        shown=dice.pick(_SHOWN),
        percent=percent,
        before=before,
        credit=ONE // 100 * dice.between(1, 6),
        credit_in_price=dice.per_mille(300),
        credit_apart=dice.per_mille(700),
        deposit=dice.pick((Amount, Triple, "20%", True)) if dice.per_mille(45) else None,
        payment_mode="PAY_IN_INSTALMENTS_V2" if sheet in _IN_INSTALMENTS else dice.pick(_PAYMENT),
        promo_type=_promotion(dice, sheet, promoted=percent > 0 or dice.per_mille(60)),
        surcharges=_surcharges(dice, sheet),
        room=dice.below(60),
        rate=dice.pick(_RATES),
        facilities=dice.below(LISTS),
        free_cancellation=dice.per_mille(470),
        # The interface doesn't say what else it may be.
        allotment=dice.pick((3, "2", {"rooms": 4}, [1, 2])) if dice.per_mille(30) else None,
    )


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


def _surcharges(dice: Dice, sheet: int) -> tuple[Due, ...]:
    kinds = dice.some(_SURCHARGES, dice.pick((0, 0, 1, 1, 1, 1, 2, 2, 3, 1)))
    if sheet in _WITH_LEVY:
        kinds.append("LAVENDER_LEVY")
    return tuple([Due(kind, ONE // 1000 * dice.between(20, 110), dice.per_mille(50)) for kind in kinds])
