"""Offers: what each provider asks for a stay, with surcharges, discounts, credit and every odd case."""

from __future__ import annotations

from msgspec import Raw, Struct

from search.sandbox.currencies import Currency, amount, exchange
from search.sandbox.dice import scatter
from search.sandbox.documents import Amount, MinPrice, Offer, Surcharge, Triple
from search.sandbox.facilities import facilities, odd_facilities
from search.sandbox.houses import House, house_of
from search.sandbox.identity import provider_property_id
from search.sandbox.pricing import Quote, Stay, own_currency_of, quotes
from search.sandbox.rooms import RoomKind, rooms_of
from search.sandbox.terms import Due, Terms


class _Common(Struct, gc=False):
    """What all offers of one property share; ``rooms`` are those that the guests fit in, if any is.

    ``shown`` are the currencies of property prices that terms choose from.
    """

    number: int
    house: House
    rooms: tuple[RoomKind, ...]
    shown: tuple[Currency, Currency, None]
    odd: list[Raw]


def offers(number: int, stay: Stay) -> list[Offer]:
    """One offer per provider of the property that isn't sold out; none at all for a few properties."""
    if scatter(number, 1, 1000) < 12:
        return []
    rooms = rooms_of(number)
    fitting = tuple([room for room in rooms if room.sleeps >= stay.guests]) or rooms
    shown = own_currency_of(number), stay.money, None
    common = _Common(number, house_of(number), fitting, shown, odd_facilities(number))
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
    terms, asked = quote.terms, stay.money
    shown = common.shown[terms.shown]
    price = round(quote.price / stay.nights) if stay.nightly else quote.price
    credit = price * terms.credit_percent // 100
    before = terms.before
    return MinPrice(
        price=_triple(price, asked, shown, amount(credit, asked) if terms.credit_in_price else None),
        travel_credit=_triple(credit, asked, shown) if terms.credit_apart else None,
        original_price=None if before is None else _triple(round(price * before), asked, shown),
        deposit=_deposit(terms, price, asked, shown) if terms.deposit else None,
        payment_mode=terms.payment_mode,
        promo_type=terms.promo_type,
        surcharges=[_surcharge(due, price, asked, shown, common.shown[0]) for due in terms.surcharges],
        rate_description=_rate(common, terms),
        discount_percentage=terms.percent,
    )


def _rate(common: _Common, terms: Terms) -> str:
    """A room the house has, and on which terms."""
    room, rate = common.rooms[terms.room % len(common.rooms)].name, terms.rate
    if rate is not None:
        return room + rate
    breakfast = "FREE_BREAKFAST" in common.house.amenities
    return f"{room}, breakfast included" if breakfast else f"{room}, room only"


def _triple(minor: int, asked: Currency, shown: Currency | None, credit: Amount | None = None) -> Triple:
    """A price in the currency asked for and in the one shown for the property, if any is."""
    customer = amount(minor, asked)
    if shown is asked:
        return Triple(customer, customer, credit)
    return Triple(customer, amount(exchange(minor, asked, shown), shown) if shown else None, credit)


def _surcharge(due: Due, price: int, asked: Currency, shown: Currency | None, own: Currency) -> Surcharge:
    share = price * due.per_mille // 1000
    if due.abroad:
        share, asked, shown = exchange(share, asked, own), own, own
    return Surcharge(due.kind, _triple(share, asked, shown))


def _deposit(terms: Terms, price: int, asked: Currency, shown: Currency | None) -> object:
    """A fifth of the price as an amount or a triple, or a shape nobody announced."""
    if terms.deposit is Amount:
        return amount(price // 5, asked)
    return _triple(price // 5, asked, shown) if terms.deposit is Triple else terms.deposit
