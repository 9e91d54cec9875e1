"""Offers: what each provider asks for a stay, with surcharges, discounts, credit and every odd case."""

from __future__ import annotations

from msgspec import Raw, Struct

from search.sandbox.currencies import Currency, exchange, triple
from search.sandbox.documents import Amount, MinPrice, Offer, Surcharge, Triple
from search.sandbox.facilities import facilities, odd_facilities
from search.sandbox.houses import House, house_of
from search.sandbox.identity import provider_property_id
from search.sandbox.pricing import Quote, Stay, own_currency_of, quotes
from search.sandbox.rooms import RoomKind, rooms_of
from search.sandbox.terms import ONE, Terms


class _Common(Struct, gc=False):
    """What all offers of one property share; ``rooms`` are those that the guests fit in, if any is."""

    number: int
    house: House
    rooms: tuple[RoomKind, ...]
    board: str
    own: Currency
    odd: list[Raw]


def offers(number: int, stay: Stay) -> list[Offer]:
    """One offer per provider of the property that isn't sold out; none at all for one property in 83."""
    if number % 83 == 41:
        return []
    house, rooms = house_of(number), rooms_of(number, stay.guests)
    board = ", breakfast included" if "FREE_BREAKFAST" in house.amenities else ", room only"
    common = _Common(number, house, rooms, board, own_currency_of(number), odd_facilities(number))
    return [_offer(common, quote, stay) for quote in quotes(number, stay) if not quote.sold_out]


def _offer(common: _Common, quote: Quote, stay: Stay) -> Offer:
    provider, terms = quote.provider, quote.terms
    return Offer(
        provider_id=provider,
        provider_property_id=provider_property_id(common.number, provider),
        min_price=_min_price(common, quote, stay) if terms.priced else None,
        facilities=facilities(common.house, terms.facilities) + common.odd,
        free_cancellation=terms.free_cancellation,
        allotment=terms.allotment,
    )


def _min_price(common: _Common, quote: Quote, stay: Stay) -> MinPrice:
    terms, asked, own = quote.terms, stay.money, common.own
    shown = (own, asked, None)[terms.shown]
    price = round(quote.price / stay.nights) if stay.nightly else quote.price
    told, credit = triple(price, asked, shown), triple(price * terms.credit // ONE, asked, shown)
    before = told if terms.before == ONE else triple(price * terms.before // ONE, asked, shown)
    if terms.credit_in_price:
        told = Triple(told.customer_price, told.property_price, credit.customer_price)
    surcharges = []
    for kind, part, abroad in terms.surcharges:
        due = price * part // ONE
        priced = triple(exchange(due, asked, own), own, own) if abroad else triple(due, asked, shown)
        surcharges.append(Surcharge(kind, priced))
    room, rate = common.rooms[terms.room % len(common.rooms)], terms.rate
    return MinPrice(
        price=told,
        travel_credit=credit if terms.credit_apart else None,
        original_price=before if terms.before else None,
        deposit=_deposit(terms, price, asked, shown) if terms.deposit else None,
        payment_mode=terms.payment_mode,
        promo_type=terms.promo_type,
        surcharges=surcharges,
        rate_description=room.name + (common.board if rate is None else rate),
        discount_percentage=terms.percent,
    )


def _deposit(terms: Terms, price: int, asked: Currency, shown: Currency | None) -> object:
    """A fifth of the price as an amount or a triple, or a shape nobody announced."""
    fifth = triple(price // 5, asked, shown)
    if terms.deposit is Amount:
        return fifth.customer_price
    return fifth if terms.deposit is Triple else terms.deposit
