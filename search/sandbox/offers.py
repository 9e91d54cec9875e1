"""Offers: what each provider asks for a stay, with surcharges, discounts, credit and every odd case.

The terms of sale, which depend on neither house nor price, are those of one of some thousand sheets.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from search.sandbox import Json
from search.sandbox.details import rooms_of
from search.sandbox.houses import LISTS, House, facilities_of, house_of
from search.sandbox.pricing import CURRENCIES, Currency, Stay, exchange, own_currency_of, quotes
from search.sandbox.properties import provider_property_id
from search.sandbox.rng import Dice
from search.sandbox.world import world

_ONE = 1_000_000
# The property's price stands in its own currency, in the one asked for, or not at all; abroad, both
# prices are in the property's currency.
_OWN, _ASKED, _HIDDEN, _ABROAD = range(4)
_SHOWN = (_OWN, _OWN, _OWN, _OWN, _OWN, _OWN, _ASKED, _ASKED, _ASKED, _HIDDEN)
_RATES = ("", "", " - advance purchase", ", flexible rate", None, None)
_PAYMENT = ("PAY_LATER", "PAY_LATER", "PAY_LATER", None, None, "PAY_NOW", "PAY_AT_PROPERTY")
_PROMOTIONS = ("REGULAR_PROMOTION", "REGULAR_PROMOTION", "EARLY_BIRD")
_DISCOUNTS = (5, 8, 10, 12, 15, 20, 25, 30)
_SURCHARGES = ("TAX_AND_FEES", "CITY_TAX", "RESORT_FEE", "CLEANING_FEE", "SERVICE_CHARGE")
# The sheets with a code no client knows: one offer in a thousand has each.
_IN_INSTALMENTS, _WITH_LEVY, _FLASH_SALE = range(2), range(2, 4), range(4, 7)


class Prices(NamedTuple):
    """Prices that are some millionths of an offer's, in the currency asked for and the property's own."""

    price: int
    asked: Currency
    own: Currency

    def amount(self, millionths: int, *, abroad: bool = False) -> Json:
        """An amount in the currency asked for or, abroad, in the property's own."""
        minor, currency = self.price * millionths // _ONE, self.asked
        if abroad:
            minor, currency = exchange(minor, self.asked, self.own), self.own
        return {"value": minor / currency.minor, "currencyCode": currency.code}

    def triple(self, millionths: int, shown: int, credit: int = 0) -> Json:
        """A price triple; `shown` says which property price it has."""
        own = None if shown == _HIDDEN else self.amount(millionths, abroad=shown in (_OWN, _ABROAD))
        return {
            "customerPrice": self.amount(millionths, abroad=shown == _ABROAD),
            "propertyPrice": own,
            "travelCredit": self.amount(credit) if credit else None,
        }


def offers(number: int, stay: Stay) -> list[Json]:
    """One offer for each provider that is not sold out; one property in 83 has none at all."""
    if number % 83 == 41:
        return []
    house, city, rooms = house_of(number), world().city_of(number), rooms_of(number, stay.guests)
    asked, own = CURRENCIES[stay.currency], own_currency_of(city)
    offers = []
    for quote in quotes(number, stay):
        if quote.sold_out:
            continue
        terms = _terms(quote.sheet)
        price = round(quote.price / stay.nights) if stay.nightly else quote.price
        rate = f"{rooms[terms.room % len(rooms)].name}{_board(house) if terms.rate is None else terms.rate}"
        offer = {
            "providerId": quote.provider,
            "providerPropertyId": provider_property_id(number, quote.provider),
            "minPrice": _min_price(terms, Prices(price, asked, own), rate) if terms.has_price else None,
            "facilities": facilities_of(number, house, terms.facilities),
            # As the rooms say: up to a week before arrival.
            "freeCancellation": terms.free_cancellation and (stay.checkin - stay.asked).days > 7,
            "allotment": terms.allotment,
        }
        offers.append(offer)
    return offers


def _board(house: House) -> str:
    return ", breakfast included" if "FREE_BREAKFAST" in house.amenities else ", room only"


def _min_price(terms: Terms, prices: Prices, rate: str) -> Json:
    shown, credit = terms.shown, terms.credit
    return {
        "price": prices.triple(_ONE, shown, credit if terms.credit_in_price else 0),
        "travelCredit": prices.triple(credit, shown) if terms.credit_apart else None,
        "originalPrice": prices.triple(terms.before, shown) if terms.before else None,
        "deposit": _deposit(terms.deposit, prices, shown),
        "paymentMode": terms.payment,
        "promoType": terms.promotion,
        "surcharges": [
            {"type": kind, "price": prices.triple(share, _ABROAD if abroad else shown)}
            for kind, share, abroad in terms.surcharges
        ],
        "rateDescription": rate,
        "discountPercentage": terms.percent,
    }


def _deposit(shape: int | None, prices: Prices, shown: int) -> object:
    """A fifth of the price as an amount or a triple, or a shape that is not announced."""
    if shape in (0, 1):
        return prices.triple(_ONE // 5, shown) if shape else prices.amount(_ONE // 5)
    return {None: None, 2: "20%", 3: True}[shape]


class Terms(NamedTuple):
    """What thousands of offers have in common: all that depends on neither the house nor its price."""

    percent: int
    before: int
    has_price: bool
    shown: int
    credit: int
    credit_in_price: bool
    credit_apart: bool
    deposit: int | None
    payment: str | None
    promotion: str | None
    surcharges: list[tuple[str, int, bool]]
    room: int
    rate: str | None
    facilities: int
    free_cancellation: bool
    allotment: object


@cache
def _terms(sheet: int) -> Terms:
    dice = Dice("terms", sheet)
    percent, before = _discount(dice)
    return Terms(
        percent,
        before,
        has_price=not dice.per_mille(12),
        shown=dice.pick(_SHOWN),
        credit=_ONE // 100 * dice.between(1, 6),
        credit_in_price=dice.per_mille(300),
        credit_apart=dice.per_mille(700),
        deposit=dice.below(4) if dice.per_mille(45) else None,
        payment="PAY_IN_INSTALMENTS_V2" if sheet in _IN_INSTALMENTS else dice.pick(_PAYMENT),
        promotion=_promotion(dice, sheet, promoted=percent > 0 or dice.per_mille(60)),
        surcharges=_surcharges(dice, sheet),
        room=dice.below(60),
        rate=dice.pick(_RATES),
        facilities=dice.below(LISTS),
        free_cancellation=dice.per_mille(470),
        # The interface does not say what else it may be.
        allotment=dice.pick((3, "2", {"rooms": 4}, [1, 2])) if dice.per_mille(30) else None,
    )


def _discount(dice: Dice) -> tuple[int, int]:
    """The percentage shown and the price before it; a few contradict each other, as some providers' do."""
    shape = dice.below(100)
    if shape < 68:
        return 0, 0 if shape < 8 else _ONE
    percent = dice.pick(_DISCOUNTS)
    other = dice.pick((_ONE, _ONE * 9 // 10, _ONE * 3)) if shape >= 94 else 0
    return percent, other if shape == 99 else _ONE * 100 // (100 - percent)


def _promotion(dice: Dice, sheet: int, *, promoted: bool) -> str | None:
    if sheet in _FLASH_SALE:
        return "FLASH_SALE_42"
    return dice.pick(_PROMOTIONS) if promoted else None


def _surcharges(dice: Dice, sheet: int) -> list[tuple[str, int, bool]]:
    """Kind, millionths of the price, and whether the amount is in the property's own currency only."""
    kinds = dice.some(_SURCHARGES, dice.pick((0, 0, 1, 1, 1, 1, 2, 2, 3, 1)))
    if sheet in _WITH_LEVY:
        kinds.append("LAVENDER_LEVY")
    return [(kind, _ONE // 1000 * dice.between(20, 110), dice.per_mille(50)) for kind in kinds]
