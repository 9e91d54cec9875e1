"""What a stay costs: providers' offers (sections 2.3, 2.4 of the interface) and the one headline total."""

import re
from collections import defaultdict
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from typing import Any

import msgspec

from .hotels import Distance, Facility, Property, at_provider
from .money import Money
from .vocabulary import CodeKind, facility_of, known_code

# Breakfast in the price by the name of the rate.
_BREAKFAST_RATE = re.compile(r"(?<!no )(?<!without )breakfast included\b", re.IGNORECASE)
_ZERO = Decimal(0)
# Of one property, whatever it is sent in: one entry, or the same one again and again.
MAX_OFFERS = 30


class SurchargeMode(StrEnum):
    """Whether the gateway's price holds its surcharges already; the interface doesn't say."""

    ADDED = "added"
    INCLUDED = "included"


class PriceBasis(StrEnum):
    """Whether the gateway's price is for the stay or for a night; the interface doesn't say."""

    STAY = "stay"
    NIGHT = "night"


class PriceRules(msgspec.Struct, frozen=True):
    """How prices are read, and whose offer goes first among equal totals: `providers` are codes."""

    surcharges: SurchargeMode = SurchargeMode.ADDED
    basis: PriceBasis = PriceBasis.STAY
    providers: tuple[str, ...] = ()


class Price(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A price in the visitor's currency and in the property's."""

    customer: Money | None = None
    property: Money | None = None


class Surcharge(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`kind` is an open code such as TAX_AND_FEES."""

    kind: str
    price: Price

    @property
    def amount(self) -> Money | None:
        """What is charged, in the property's currency where the visitor's is not given; None: unreadable."""
        asked, own = self.price.customer, self.price.property
        return own if asked is None or (own and own.amount > 0 >= asked.amount) else asked


class Offer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One provider's price of one property for one stay. Empty codes and names mean "not given".

    `original_price` is the one before a discount, None without one; `credit` a reward for booking.
    """

    provider: str
    property_id: str
    rate: str = ""
    price: Price | None = None
    original_price: Price | None = None
    credit: Money | None = None
    deposit: Price | None = None
    payment_mode: str = ""
    promo_type: str = ""
    discount_percent: int = 0
    surcharges: tuple[Surcharge, ...] = ()
    facilities: tuple[Facility, ...] = ()
    free_cancellation: bool = False

    @property
    def key(self) -> str:
        """The key its property would have if only this provider were known."""
        return at_provider(self.provider, self.property_id)

    @property
    def breakfast(self) -> bool:
        """Whether the price holds breakfast, as its facilities or the name of its rate say; BREAKFAST alone
        may cost extra."""
        codes = {facility_of(one.type, one.description, "").code for one in self.facilities}
        return "FREE_BREAKFAST" in codes or rate_has_breakfast(self.rate)

    @property
    def pay_later(self) -> bool:
        return known_code(CodeKind.PAYMENT_MODE, self.payment_mode) == "PAY_LATER"


@lru_cache(maxsize=4_096)
def rate_has_breakfast(rate: str) -> bool:
    """Whether the name of a rate says that its price holds breakfast."""
    return bool(_BREAKFAST_RATE.search(rate))


class Listing(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One card: a property, its offers and its distance from the destination."""

    property: Property
    offers: tuple[Offer, ...]
    distance: Distance | None

    def described_by(self) -> str:
        """The code of the provider that describes it, maybe empty."""
        return self.property.provider

    def all_keys(self) -> frozenset[str]:
        """Every key it may be known by: across providers, and at each that describes or offers it."""
        own_key = self.property.own_key
        return frozenset((self.property.key, own_key or self.property.key, *(one.key for one in self.offers)))


class SearchPage(msgspec.Struct, frozen=True, array_like=True):
    """One page of the gateway's answer. `received` counts the entries before unusable ones were left out."""

    listings: tuple[Listing, ...]
    total: int | None
    received: int


def merged(listings: list[Listing]) -> tuple[Listing, ...]:
    """Listings of one property united, in the order of first appearance; never united by name."""
    by_key: dict[str, list[Listing]] = {}
    for listing in listings:
        by_key.setdefault(listing.property.key, []).append(listing)
    return tuple(met[0] if len(met) == 1 else _united(met) for met in by_key.values())


def _united(repeats: list[Listing]) -> Listing:
    offers = dict.fromkeys(offer for one in repeats for offer in one.offers)
    return msgspec.structs.replace(repeats[0], offers=lowest(list(offers)))


def lowest(offers: list[Offer]) -> tuple[Offer, ...]:
    """At most `MAX_OFFERS` of them, as they stood: the lowest totals of each kind that a page tells apart or
    filters by, and those without a price last."""
    if len(offers) <= MAX_OFFERS:
        return tuple(offers)
    kinds: dict[tuple[Any, ...], list[tuple[Decimal, int]]] = defaultdict(list)
    for place, offer in enumerate(offers):
        # Nights would multiply all of them alike.
        total = stay_total(offer, PriceRules(), nights=1)
        amount = total.total.amount if total else _ZERO
        terms = (total.total.currency, total.complete) if total else ()
        kinds[total is None, terms, offer.free_cancellation].append((amount, place))
    in_turn = sorted(
        (kind[0], turn, place)
        for kind, priced in kinds.items()
        for turn, (_amount, place) in enumerate(sorted(priced))
    )
    kept = sorted(place for *_turn, place in in_turn[:MAX_OFFERS])
    return tuple(offers[place] for place in kept)


NamedAmounts = tuple[tuple[str, Money], ...]


class StayTotal(msgspec.Struct, frozen=True, gc=False):
    """The headline price of one offer: for the stay, for the party, surcharges included, in whole cents.

    `price` is the provider's own, before surcharges `added` anything; the offer's amounts count `factor`
    times. A surcharge that could not be added is `apart`, for its other currency, or `unread`, as its amount
    can't be read: then only its kind is known.
    """

    offer: Offer
    total: Money
    price: Money
    added: Decimal
    nights: int
    factor: int
    surcharges: NamedAmounts
    apart: NamedAmounts
    unread: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether all surcharges are in it."""
        return not (self.apart or self.unread)

    @property
    def per_night(self) -> Money:
        """An equal share of the total, unrounded."""
        return self.total.shared_by(self.nights)

    @property
    def before_discount(self) -> Money | None:
        """The total before the discount, where the provider's numbers agree with each other."""
        before = before_discount(self.offer)
        return before and Money(before.amount * self.factor + self.added, before.currency)

    @property
    def discount_percent(self) -> int:
        return self.offer.discount_percent if before_discount(self.offer) else 0

    @property
    def in_property_currency(self) -> Money | None:
        """The price in the property's own currency, if that is another one."""
        own = self.offer.price.property if self.offer.price else None
        other = own and own.amount > 0 and own.currency != self.price.currency
        return own.times(self.factor) if own and other else None

    @property
    def credit(self) -> Money | None:
        return self.offer.credit and self.offer.credit.times(self.factor)


class PricedOffer(msgspec.Struct, frozen=True, gc=False):
    """An offer with its total, or with none when the provider named no usable price."""

    offer: Offer
    total: StayTotal | None


def stay_total(offer: Offer, rules: PriceRules, nights: int) -> StayTotal | None:
    """The total of `offer` for a stay of `nights`; None without a usable price (0 is none).

    Foreign-currency surcharges are never converted or added. Where prices include their surcharges, nothing
    is missing from the total, whatever currency they are named in.
    """
    price = usable_price(offer)
    if price is None:
        return None
    factor = nights if rules.basis is PriceBasis.NIGHT else 1
    base = price.times(factor)
    named, apart, unread = _surcharges(offer, base.currency, factor)
    added = _ZERO
    if rules.surcharges is SurchargeMode.INCLUDED:
        apart, unread = (), ()
    elif named:
        added = sum((amount.amount for _kind, amount in named), _ZERO)
    # What reads the same is the same: no difference of less than a cent leads, is marked or is filtered by.
    total = Money(base.amount + added, base.currency).rounded()
    return StayTotal(offer, total, base, added, nights, factor, named, apart, unread)


def usable_price(offer: Offer) -> Money | None:
    """What the visitor is asked for, as the provider counts it, in the property's currency where that is all
    there is; what reads as 0 is no price."""
    told = offer.price
    if told is None:
        return None
    if told.customer and told.customer.rounded().amount > 0:
        return told.customer
    return told.property if told.property and told.property.rounded().amount > 0 else None


def _surcharges(
    offer: Offer, currency: str, factor: int
) -> tuple[NamedAmounts, NamedAmounts, tuple[str, ...]]:
    """Kind and amount of the surcharges in `currency`, of those in others (zero ones are none), and the kinds
    of those without a readable amount."""
    if not offer.surcharges:
        return (), (), ()
    named: list[tuple[str, Money]] = []
    apart: list[tuple[str, Money]] = []
    unread: list[str] = []
    for one in offer.surcharges:
        amount = one.amount
        if amount is None:
            unread.append(one.kind)
        elif amount.amount:
            (named if amount.currency == currency else apart).append((one.kind, amount.times(factor)))
    return tuple(named), tuple(apart), tuple(unread)


def before_discount(offer: Offer) -> Money | None:
    """The provider's price before discount, only when its own numbers agree with each other."""
    before, percent = offer.original_price, offer.discount_percent
    price = usable_price(offer) if before and percent > 0 else None
    if before is None or price is None:
        return None
    told = (before.customer, before.property)
    original = next((one for one in told if one and one.currency == price.currency), None)
    if original is None:
        return None
    saved = original.rounded().amount - price.rounded().amount
    return original if saved > 0 and abs(saved / original.amount * 100 - percent) <= 1 else None


def ranked_offers(listing: Listing, rules: PriceRules, nights: int, currency: str) -> tuple[PricedOffer, ...]:
    """All offers, comparable totals first and ascending, then incomplete, foreign and missing ones."""
    places = {code: place for place, code in enumerate(rules.providers)}

    def rank(one: PricedOffer) -> tuple[tuple[int, str, Decimal], int, str, str]:
        provider = one.offer.provider
        return price_rank(one, currency), places.get(provider, len(places)), provider, one.offer.property_id

    return tuple(
        sorted((PricedOffer(offer, stay_total(offer, rules, nights)) for offer in listing.offers), key=rank)
    )


def price_rank(priced: PricedOffer, currency: str) -> tuple[int, str, Decimal]:
    """A sort key of offers by price that never compares amounts of two currencies."""
    if priced.total is None:
        return (3, "", Decimal(0))
    money = priced.total.total
    if money.currency != currency:
        return (2, money.currency, money.amount)
    return (0 if priced.total.complete else 1, "", money.amount)
