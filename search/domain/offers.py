"""What a stay costs: providers' offers (sections 2.3, 2.4 of the interface) and the one headline total."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

import msgspec

from .hotels import Distance, Facility, Property
from .money import Money


class SurchargeMode(StrEnum):
    """Whether the gateway's price holds its surcharges already; the interface doesn't say."""

    ADDED = "added"
    INCLUDED = "included"


class PriceBasis(StrEnum):
    """Whether the gateway's price is for the stay or for a night; the interface doesn't say."""

    STAY = "stay"
    NIGHT = "night"


class PriceRules(msgspec.Struct, frozen=True):
    surcharges: SurchargeMode = SurchargeMode.ADDED
    basis: PriceBasis = PriceBasis.STAY


class Price(msgspec.Struct, frozen=True):
    """The interface's price triple: in the visitor's currency, in the property's, as travel credit."""

    customer: Money | None
    property: Money | None
    travel_credit: Money | None


class Surcharge(msgspec.Struct, frozen=True):
    """`kind` is an open code such as TAX_AND_FEES."""

    kind: str
    price: Price


class Offer(msgspec.Struct, frozen=True):
    """One provider's price of one property for one stay. Empty codes and names mean "not given"."""

    provider: str
    property_id: str
    rate: str
    price: Price | None
    original_price: Price | None
    travel_credit: Price | None
    deposit: Price | None
    payment_mode: str
    promo_type: str
    discount_percent: int
    surcharges: tuple[Surcharge, ...]
    facilities: tuple[Facility, ...]
    free_cancellation: bool

    @property
    def pay_later(self) -> bool:
        return self.payment_mode == "PAY_LATER"


class Listing(msgspec.Struct, frozen=True):
    """One card: a property, its offers and its distance from the destination."""

    property: Property
    offers: tuple[Offer, ...]
    distance: Distance | None


class SearchPage(msgspec.Struct, frozen=True):
    """One page of the gateway's answer. `received` counts the entries before unusable ones were left out."""

    listings: tuple[Listing, ...]
    total: int | None
    received: int


def merged(listings: list[Listing]) -> tuple[Listing, ...]:
    """Listings of one property united, in the order of first appearance; never united by name."""
    by_key: dict[str, Listing] = {}
    for listing in listings:
        known = by_key.get(listing.property.key)
        if known is None:
            by_key[listing.property.key] = listing
        else:
            offers = tuple(dict.fromkeys((*known.offers, *listing.offers)))
            by_key[listing.property.key] = msgspec.structs.replace(known, offers=offers)
    return tuple(by_key.values())


class StayTotal(msgspec.Struct, frozen=True):
    """The headline price of one offer: for the stay, for the party, surcharges included.

    `price` is the provider's own, before any surcharge was added. `complete` is False when a surcharge in
    another currency could not be added; it is in `apart`.
    """

    total: Money
    price: Money
    complete: bool
    per_night: Money
    surcharges: tuple[tuple[str, Money], ...]
    apart: tuple[tuple[str, Money], ...]
    before_discount: Money | None
    discount_percent: int
    in_property_currency: Money | None
    credit: Money | None


class PricedOffer(msgspec.Struct, frozen=True):
    """An offer with its total, or with none when the provider named no usable price."""

    offer: Offer
    total: StayTotal | None


def stay_total(offer: Offer, rules: PriceRules, nights: int) -> StayTotal | None:
    """The total of `offer` for a stay of `nights`; None without a usable price.

    Foreign-currency surcharges are never converted or added.
    """
    if offer.price is None or offer.price.customer is None:
        return None
    factor = nights if rules.basis is PriceBasis.NIGHT else 1
    base = offer.price.customer.times(factor)
    named = [
        (surcharge.kind, surcharge.price.customer.times(factor))
        for surcharge in offer.surcharges
        if surcharge.price.customer is not None and surcharge.price.customer.amount > 0
    ]
    domestic = tuple(pair for pair in named if pair[1].currency == base.currency)
    apart = tuple(pair for pair in named if pair[1].currency != base.currency)
    extra = Money(Decimal(0), base.currency)
    if rules.surcharges is SurchargeMode.ADDED:
        for _kind, amount in domestic:
            extra += amount
    total = base + extra
    before = _before_discount(offer, offer.price.customer)
    foreign = offer.price.property
    return StayTotal(
        total=total,
        price=base,
        complete=not apart,
        per_night=total.shared_by(nights),
        surcharges=domestic,
        apart=apart,
        before_discount=before.times(factor) + extra if before else None,
        discount_percent=offer.discount_percent if before else 0,
        in_property_currency=foreign.times(factor) if foreign and foreign.currency != base.currency else None,
        credit=_credit(offer, factor),
    )


def _before_discount(offer: Offer, price: Money) -> Money | None:
    """The provider's price before discount, only when its own numbers agree with each other."""
    original = offer.original_price.customer if offer.original_price else None
    if original is None or original.currency != price.currency or original.amount <= price.amount:
        return None
    saved = (original.amount - price.amount) / original.amount * 100
    return original if offer.discount_percent > 0 and abs(saved - offer.discount_percent) <= 1 else None


def _credit(offer: Offer, factor: int) -> Money | None:
    """The reward: the offer's own travel-credit triple, else the credit member of its price."""
    for price in (offer.travel_credit, offer.price):
        if price is not None:
            amount = price.travel_credit or (price.customer if price is offer.travel_credit else None)
            if amount is not None and amount.amount > 0:
                return amount.times(factor)
    return None


def ranked_offers(listing: Listing, rules: PriceRules, nights: int, currency: str) -> tuple[PricedOffer, ...]:
    """All offers, comparable totals first and ascending, then incomplete, foreign and missing ones."""
    priced = [PricedOffer(offer, stay_total(offer, rules, nights)) for offer in listing.offers]
    return tuple(sorted(priced, key=lambda one: price_rank(one, currency)))


def price_rank(priced: PricedOffer, currency: str) -> tuple[int, str, Decimal, str, str]:
    """A total order over offers that never compares amounts of two currencies."""
    identity = (priced.offer.provider, priced.offer.property_id)
    if priced.total is None:
        return (3, "", Decimal(0), *identity)
    money = priced.total.total
    if money.currency != currency:
        return (2, money.currency, money.amount, *identity)
    return (0 if priced.total.complete else 1, "", money.amount, *identity)


def cost_of_flexibility(ranked: tuple[PricedOffer, ...], currency: str) -> Money | None:
    """Cheapest total with free cancellation minus cheapest total; None when there is no such choice."""
    totals = [
        (one.total.total, one.offer.free_cancellation)
        for one in ranked
        if one.total and one.total.complete and one.total.total.currency == currency
    ]
    flexible = [total for total, free in totals if free]
    if not flexible or totals[0][1]:
        return None
    extra = min(flexible) - totals[0][0]
    return extra if extra.amount > 0 else None
