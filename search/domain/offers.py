"""What a stay costs: providers' offers (sections 2.3 and 2.4 of the interface), each with one total."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import astuple

from .hotels import Distance, Facility, Property, PropertyDetails, Room, RoomType, at_provider, filled
from .money import Money
from .words import WORDS, CodeKind, facility_of, fold, known_code

# A part of a rate's name that ends so includes breakfast, unless a denial stands before it. What stands
# behind these words may be its charge.
_BREAKFAST_RATE = re.compile(
    r"(?:^|[,;|/(])(?:(?!\b(?:no|not|non|without|except|excl\w*)\b)[^,;|/(])*"
    r"\bbreakfast included\s*(?:$|[,;|/)])",
    re.IGNORECASE,
)
_ZERO, _ONE = Decimal(0), Decimal(1)
# Of one property, in one entry or in several.
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

    def factor(self, nights: int) -> int:
        return nights if self.basis == "night" else 1  # looking a member up takes ten times as long

    @property
    def counting(self) -> str:
        """How totals are counted, as a shared link keeps it beside a total: `added, stay`."""
        return f"{self.surcharges}, {self.basis}"


class Price(msgspec.Struct, frozen=True, array_like=True, gc=False):
    customer: Money | None = None
    property: Money | None = None


def charged(surcharge: Iterable[Money | None], price: Money | None) -> Money | None:
    """What a surcharge adds to `price`, out of its amounts for the visitor and for the property: the one in
    the currency of `price`, else the first that isn't 0."""
    first: Money | None = None
    for amount in surcharge:
        if amount and amount.amount > 0 and price and amount.currency == price.currency:
            return amount
        if first is None or not first.amount:
            first = amount or first
    return first


class Surcharge(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`kind` is an open code such as TAX_AND_FEES."""

    kind: str
    price: Price

    def amount_on(self, price: Money | None) -> Money | None:
        """What is charged on top of `price`, in its currency if the provider names one; None: unreadable."""
        return charged(astuple(self.price), price)


class Offer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One provider's price of one property for one stay. Empty codes and names mean "not given".
    `original_price` is the one before a discount, None without one; `credit` a reward for booking."""

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
        """The property's key if it had no other provider."""
        return at_provider(self.provider, self.property_id)

    def due_on(self, price: Money | None) -> tuple[Money | None, ...]:
        """Its surcharges on top of `price`, None for unreadable ones."""
        return tuple(one.amount_on(price) for one in self.surcharges)

    @property
    def breakfast(self) -> bool:
        """Whether facilities or the name of the rate include breakfast; BREAKFAST alone may cost extra."""
        codes = {facility_of(one.type, one.description, one.availability).code for one in self.facilities}
        return "FREE_BREAKFAST" in codes or rate_has_breakfast(self.rate)

    @property
    def pay_later(self) -> bool:
        return is_pay_later(self.payment_mode)


@lru_cache(maxsize=512)
def is_pay_later(payment_mode: str) -> bool:
    return known_code(CodeKind.PAYMENT_MODE, payment_mode) == "PAY_LATER"


@lru_cache(maxsize=4_096)
def rate_has_breakfast(rate: str) -> bool:
    return bool(_BREAKFAST_RATE.search(rate))


class Listing(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One card: a property, its offers and its distance from the destination."""

    property: Property
    offers: tuple[Offer, ...]
    distance: Distance | None

    def described_by(self) -> str:
        """The code of the provider that describes the property; may be empty."""
        return self.property.provider

    def all_keys(self) -> frozenset[str]:
        """Its keys: across providers, and at each provider that describes or offers it."""
        own_key = self.property.own_key
        return frozenset((self.property.key, own_key or self.property.key, *(one.key for one in self.offers)))


def as_one_listing(repeats: Sequence[Listing]) -> Listing:
    """Several listings of one property as one; facts that the first lacks come from the next ones. An offer
    that comes again at another price is the dearer one: no total is shown that is too low."""
    building = filled([one.property for one in repeats])
    offers: dict[tuple[Any, ...], Offer] = {}
    for one in repeats:
        rates: Counter[tuple[Any, ...]] = Counter()
        for offer in dict.fromkeys(one.offers):
            price = usable_price(offer.price)
            terms = (offer.free_cancellation, offer.payment_mode, offer.facilities, price and price.currency)
            rate = (offer.provider, offer.property_id, offer.rate, *terms)
            rates[rate] += 1
            place = (*rate, rates[rate])
            offers[place] = max(offers.get(place, offer), offer, key=_asked_in_all)
    distance = next((one.distance for one in repeats if one.distance), None)
    return Listing(building, lowest_offers(list(offers.values())), distance)


def _asked_in_all(offer: Offer) -> Decimal:
    total = stay_total(offer, PriceRules(), nights=1)
    return total.total.amount if total else _ZERO


def lowest_offers(offers: list[Offer]) -> tuple[Offer, ...]:
    """At most `MAX_OFFERS`, those with the lowest totals, in the order given."""

    def order(place: int) -> tuple[bool, Decimal]:
        return usable_price(offers[place].price) is None, _asked_in_all(offers[place])

    places = range(len(offers))
    lowest = places if len(offers) <= MAX_OFFERS else sorted(sorted(places, key=order)[:MAX_OFFERS])
    return tuple(offers[place] for place in lowest)


NamedAmounts = tuple[tuple[str, Money], ...]


class StayTotal(msgspec.Struct, frozen=True, gc=False):
    """The headline price of one offer: for the stay, for the party, surcharges included, in whole cents.
    `price` is the provider's own, before `added` surcharges. `due` are all surcharges by kind, None for an
    unreadable amount; unless `complete`, some of them aren't in the total."""

    offer: Offer
    total: Money
    price: Money
    added: Decimal
    nights: int
    rules: PriceRules
    complete: bool
    due: tuple[tuple[str, Money | None], ...]

    def _named(self, own: bool) -> NamedAmounts:
        """The surcharges above 0 in the currency of the price, or in others."""
        readable = ((kind, one) for kind, one in self.due if one and one.amount)
        return tuple(named for named in readable if (named[1].currency == self.price.currency) is own)

    @property
    def surcharges(self) -> NamedAmounts:
        return self._named(own=True)

    @property
    def apart(self) -> NamedAmounts:
        """Those in another currency, which aren't in the total."""
        return () if self.complete else self._named(own=False)

    @property
    def unread(self) -> tuple[str, ...]:
        """The kinds of those without a readable amount, which isn't in the total."""
        return () if self.complete else tuple(kind for kind, one in self.due if one is None)

    @property
    def names_all_surcharges(self) -> bool:
        """Whether `surcharges` are all that are in it: an including price may name some unreadably."""
        is_named = not self._named(own=False) and all(one for _kind, one in self.due)
        return is_named or self.rules.surcharges is SurchargeMode.ADDED

    @property
    def factor(self) -> int:
        return self.rules.factor(self.nights)

    @property
    def per_night(self) -> Money:
        """An equal share of the total, unrounded."""
        return Money(self.total.amount / self.nights, self.total.currency)

    @property
    def before_discount(self) -> Money | None:
        """The total before the discount, where the provider's numbers agree and a whole per cent came off."""
        price = before_discount(self.offer)
        before = price and Money(price.amount * self.factor + self.added, price.currency)
        return before if before and whole_percent(self.total, before) else None

    @property
    def discount_percent(self) -> int:
        """By how many per cent the total is lower than the one before the discount. Less than the provider
        says where both include surcharges: they have no discount."""
        before = self.before_discount
        return whole_percent(self.total, before) if before else 0

    @property
    def property_price(self) -> Money | None:
        """`price` in the property's own currency, if that is another one."""
        return self._sent_property_price and self._sent_property_price.times(self.factor)

    @property
    def in_property_currency(self) -> Money | None:
        """The total in the property's own, other currency, if every surcharge has an amount in it."""
        own = self._sent_property_price
        if own is None:
            return None
        total, _added, complete = headline(own, self.offer.due_on(own), self.rules, self.nights)
        return total if complete else None

    @property
    def _sent_property_price(self) -> Money | None:
        own = self.offer.price.property if self.offer.price else None
        return own if own and is_above_zero(own) and own.currency != self.price.currency else None

    @property
    def credit(self) -> Money | None:
        return self.offer.credit and self.offer.credit.times(self.factor)


class PricedOffer(msgspec.Struct, frozen=True, gc=False):
    """An offer with its total; None without a usable price."""

    offer: Offer
    total: StayTotal | None


def stay_total(offer: Offer, rules: PriceRules, nights: int) -> StayTotal | None:
    """The total of `offer` for a stay of `nights`; None without a usable price (0 is none)."""
    price = usable_price(offer.price)
    if price is None:
        return None
    due, factor = offer.due_on(price), rules.factor(nights)
    total, added, complete = headline(price, due, rules, nights)
    kinds = (one.kind for one in offer.surcharges)
    named = tuple((kind, one and one.times(factor)) for kind, one in zip(kinds, due, strict=True))
    return StayTotal(offer, total, price.times(factor), added, nights, rules, complete, named)


def headline(
    price: Money, surcharges: Iterable[Money | None], rules: PriceRules, nights: int
) -> tuple[Money, Decimal, bool]:
    """The total of a stay of `nights`, what surcharges (None: unreadable) added, and whether all are in it.
    Surcharges in another currency are never converted or added. A price that includes them is complete."""
    factor, currency = rules.factor(nights), price.currency
    added, complete = _ZERO, True
    if rules.surcharges == "added":  # as above
        for one in surcharges:
            if one and one.currency == currency:
                added += one.amount
            elif one is None or one.amount:
                complete = False
    amount = price.amount
    if factor != 1:
        amount, added = amount * factor, added * factor
    # Rounded: totals that read the same are equal to orders, marks and filters.
    return Money(amount + added, currency).rounded(), added, complete


def usable_price(price: Price | None) -> Money | None:
    """The price for the visitor, for a stay or a night as the gateway sends it; None for 0."""
    return asked(astuple(price)) if price else None


def asked(price: Iterable[Money | None]) -> Money | None:
    """The first of a price's amounts, for the visitor and for the property, that is above zero."""
    return next((one for one in price if one and is_above_zero(one)), None)


def is_above_zero(amount: Money) -> bool:
    """Whether pages print it as more than 0."""
    return amount.amount >= _ONE or amount.rounded().amount > _ZERO


def before_discount(offer: Offer) -> Money | None:
    """The provider's price before the discount, only where its numbers agree with each other."""
    if offer.original_price is None:
        return None
    return price_before(usable_price(offer.price), astuple(offer.original_price), offer.discount_percent)


def whole_percent(total: Money, before: Money) -> int:
    """By how many per cent a total is lower than it was before, to the nearest whole one."""
    saved = before.amount - total.amount
    return int((saved * 100 / before.amount).to_integral_value(ROUND_HALF_UP))


def price_before(price: Money | None, originals: Iterable[Money | None], percent: int) -> Money | None:
    """The original price, if `percent` off it is `price`, give or take one per cent; else None."""
    if price is None or percent <= 0:
        return None
    for original in originals:
        if original and original.currency == price.currency:
            saved = original.rounded().amount - price.rounded().amount
            near = abs(saved * 100 - original.amount * percent) <= original.amount
            return original if saved > _ZERO and near else None
    return None


# A sort key that never compares amounts of two currencies.
PriceRank = tuple[int, str, Decimal]


def ranked_offers(listing: Listing, rules: PriceRules, nights: int, currency: str) -> tuple[PricedOffer, ...]:
    """All offers: comparable totals first and ascending, then incomplete, foreign and missing ones."""

    def order(one: PricedOffer) -> tuple[Any, ...]:
        return offer_order(price_rank(one, currency), one.offer.provider, one.offer.property_id, rules)

    priced = (PricedOffer(offer, stay_total(offer, rules, nights)) for offer in listing.offers)
    return tuple(sorted(priced, key=order))


def offer_order(rank: PriceRank, provider: str, property_id: str, rules: PriceRules) -> tuple[Any, ...]:
    preferred = rules.providers
    place = preferred.index(provider) if provider in preferred else len(preferred)
    return rank, place, provider, property_id


def price_rank(priced: PricedOffer, currency: str) -> PriceRank:
    """The offer's `rank_of` among those of a search in `currency`."""
    total = priced.total
    return rank_of(total.total, total.complete, currency) if total else rank_of(None, False, currency)


def rank_of(total: Money | None, complete: bool, currency: str) -> PriceRank:
    """Begins with 0 for a complete total in `currency`, 1 without a surcharge, 2 in another, 3 for none."""
    if total is None:
        return (3, "", _ZERO)
    if total.currency != currency:
        return (2, total.currency, total.amount)
    return (0 if complete else 1, "", total.amount)


class Step(msgspec.Struct, frozen=True):
    """The cheapest offer with the step's extras; `more` is what they add, None for the first step."""

    priced: PricedOffer
    more: Money | None = None

    @property
    def free_cancellation(self) -> bool:
        return self.priced.offer.free_cancellation

    @property
    def breakfast(self) -> bool:
        return self.priced.offer.breakfast


def ladder(ranked: tuple[PricedOffer, ...], currency: str) -> tuple[Step, ...]:
    """The steps from the cheapest total upwards, each dearer than the one before; empty without a comparable
    total. An extra that no offer has is no step; one that costs nothing more belongs to the step before."""
    comparable = [(one, one.total.total) for one in ranked if one.total and price_rank(one, currency)[0] == 0]
    if not comparable:
        return ()
    (cheapest, last_total), extras = comparable[0], tuple[str, ...]()
    steps = [Step(cheapest)]
    for extra in ("free_cancellation", "breakfast"):
        wanted = (*extras, extra)
        having = (one for one in comparable if all(getattr(one[0].offer, name) for name in wanted))
        if with_extra := next(having, None):
            offer, total = with_extra
            more = total - last_total
            if more.amount > 0:
                steps.append(Step(offer, more))
            else:
                steps[-1] = Step(offer, steps[-1].more)
            extras, last_total = wanted, total
    return tuple(steps)


# Words that say nothing about which room it is.
_ANY_ROOM = frozenset(" ".join(WORDS["room"].values()).split())


class SoldRoom(msgspec.Struct, frozen=True):
    """`place` is that of its type among the described ones, `rooms` the rooms of the type that it may be."""

    place: int
    rooms: tuple[Room, ...]

    def agreed(self, field: str) -> tuple[str, ...]:
        """The lines of a field of Room if all rooms have the same, else none."""
        values = {getattr(room, field) for room in self.rooms}
        return values.pop() if len(values) == 1 else ()


def sold_room(rate: str, described: tuple[RoomType, ...]) -> SoldRoom | None:
    """The room type that `rate` names: its own words are exactly those of the type or of one of its rooms,
    and of no other type. None where the names leave a choice: "Double room" is no "Deluxe double room"."""
    words = _own_words(rate)
    sold = []
    for place, one in enumerate(described if words else ()):
        rooms = tuple(room for room in one.rooms if _own_words(room.name) == words)
        if rooms or _own_words(one.name) == words:
            sold.append(SoldRoom(place, rooms or one.rooms))
    return sold[0] if len(sold) == 1 else None


def terms_of(offer: Offer, details: PropertyDetails) -> tuple[str, ...]:
    """What `details` of its provider say on cancelling the room that it sells, or any of their rooms."""
    described = details.property
    if (offer.provider, offer.property_id) != (described.provider, described.id):
        return ()
    sold = sold_room(offer.rate, details.room_types)
    every = SoldRoom(0, tuple(room for one in details.room_types for room in one.rooms))
    return (sold or every).agreed("cancellation_policies")


def _own_words(name: str) -> frozenset[str]:
    return frozenset(fold(name).split()) - _ANY_ROOM
