"""Offers: what each provider asks for a stay, with surcharges, discounts, credit and every odd case."""

from __future__ import annotations

from msgspec import Raw, Struct

from search.sandbox.currencies import Currency, amount, exchange
from search.sandbox.dice import Dice, scatter
from search.sandbox.documents import Amount, MinPrice, Offer, Surcharge, Triple
from search.sandbox.facilities import LISTS, facilities, odd_facilities
from search.sandbox.houses import House, house_of
from search.sandbox.identity import provider_property_id
from search.sandbox.pricing import Quote, Stay, own_currency_of, quotes
from search.sandbox.rooms import RoomKind, rooms_of

_TERMS = ("", "", " - advance purchase", ", flexible rate")
_PAYMENT = ("PAY_LATER", "PAY_LATER", "PAY_LATER", None, None, "PAY_NOW", "PAY_AT_PROPERTY")
_PROMOTIONS = ("REGULAR_PROMOTION", "REGULAR_PROMOTION", "EARLY_BIRD")
_DISCOUNTS = (5, 8, 10, 12, 15, 20, 25, 30)
_SURCHARGES = ("TAX_AND_FEES", "CITY_TAX", "RESORT_FEE", "CLEANING_FEE", "SERVICE_CHARGE")


class _Common(Struct, gc=False):
    """What all offers of one property share; `rooms` are those that the guests fit in, if any is."""

    number: int
    house: House
    rooms: tuple[RoomKind, ...]
    own: Currency
    odd: list[Raw]


def offers(number: int, stay: Stay) -> list[Offer]:
    """One offer per provider of the property that isn't sold out; none at all for a few properties."""
    if scatter(number, 1, 1000) < 12:
        return []
    rooms = rooms_of(number)
    fitting = tuple(room for room in rooms if room.sleeps >= stay.guests) or rooms
    common = _Common(number, house_of(number), fitting, own_currency_of(number), odd_facilities(number))
    return [_offer(common, quote, stay) for quote in quotes(number, stay) if not quote.sold_out]


def _offer(common: _Common, quote: Quote, stay: Stay) -> Offer:
    number, provider = common.number, quote.provider
    dice = Dice("offer", provider, number)
    return Offer(
        provider_id=provider,
        provider_property_id=provider_property_id(number, provider),
        min_price=_min_price(dice, common, quote.price, stay),
        facilities=facilities(common.house, dice.below(400) % LISTS) + common.odd,
        free_cancellation=dice.per_mille(470),
        allotment=_allotment(dice),
    )


def _allotment(dice: Dice) -> object:
    """Null nearly always; the interface doesn't say what else it may be."""
    return (3, "2", {"rooms": 4}, [1, 2])[dice.below(4)] if dice.per_mille(30) else None


def _min_price(dice: Dice, common: _Common, price: int, stay: Stay) -> MinPrice | None:
    if dice.per_mille(12):
        return None
    if stay.nightly:
        price = round(price / stay.nights)
    money = _Money(stay.money, common.own, dice.below(10))
    percent, original = _discount(dice, price)
    promoted = bool(percent) or dice.per_mille(60)
    promo = "FLASH_SALE_42" if dice.per_mille(4) else dice.pick(_PROMOTIONS)
    credit = price * dice.between(1, 6) // 100
    return MinPrice(
        price=money.triple(price, credit if dice.per_mille(300) else None),
        travel_credit=money.triple(credit) if dice.per_mille(700) else None,
        original_price=money.triple(original) if original is not None else None,
        deposit=_deposit(dice, money, price),
        payment_mode="PAY_IN_INSTALMENTS_V2" if dice.per_mille(1) else dice.pick(_PAYMENT),
        promo_type=promo if promoted else None,
        surcharges=_surcharges(dice, money, price),
        rate_description=_rate(dice, common),
        discount_percentage=percent,
    )


def _rate(dice: Dice, common: _Common) -> str:
    """A room the house has, and on which terms."""
    room, terms = dice.pick(common.rooms).name, dice.below(6)
    if terms < len(_TERMS):
        return room + _TERMS[terms]
    breakfast = "FREE_BREAKFAST" in common.house.amenities
    return f"{room}, breakfast included" if breakfast else f"{room}, room only"


class _Money:
    """Makes price triples of one offer: all in the currency asked for, some with the property's own."""

    def __init__(self, asked: Currency, own: Currency, shape: int) -> None:
        self.asked = asked
        self.own = own
        self._shown = own if shape < 6 else asked if shape < 9 else None

    def triple(self, minor: int, credit: int | None = None) -> Triple:
        asked, shown = self.asked, self._shown
        customer = amount(minor, asked)
        own: Amount | None = customer
        if shown is not asked:
            own = amount(exchange(minor, asked, shown), shown) if shown else None
        return Triple(customer, own, None if credit is None else amount(credit, asked))

    def abroad(self, minor: int) -> Triple:
        """A triple whose customer price, too, is in the property's own currency."""
        own = amount(exchange(minor, self.asked, self.own), self.own)
        return Triple(own, own, None)


def _discount(dice: Dice, price: int) -> tuple[int, int | None]:
    """The percentage shown and the price before it; a few contradict each other, as some providers' do."""
    shape = dice.below(100)
    if shape < 8:
        return 0, None
    if shape < 68:
        return 0, price
    percent = dice.pick(_DISCOUNTS)
    if shape < 94:
        return percent, round(price * 100 / (100 - percent))
    return percent, (price, price * 9 // 10, price * 3)[shape % 3]


def _surcharges(dice: Dice, money: _Money, price: int) -> list[Surcharge]:
    kinds = dice.some(_SURCHARGES, dice.pick((0, 0, 1, 1, 1, 1, 2, 2, 3, 1)))
    if dice.per_mille(1):
        kinds.append("LAVENDER_LEVY")
    return [_surcharge(dice, money, price, kind) for kind in kinds]


def _surcharge(dice: Dice, money: _Money, price: int, kind: str) -> Surcharge:
    share = price * dice.between(20, 110) // 1000
    return Surcharge(kind, money.abroad(share) if dice.per_mille(50) else money.triple(share))


def _deposit(dice: Dice, money: _Money, price: int) -> object:
    """Null nearly always; otherwise an amount, a triple, or a shape nobody announced."""
    if not dice.per_mille(45):
        return None
    shape = dice.below(4)
    if shape == 0:
        return amount(price // 5, money.asked)
    return money.triple(price // 5) if shape == 1 else ("20%", True)[shape - 2]
