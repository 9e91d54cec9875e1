"""One page of a search (section 2.1 of the interface): of each entry its outline, by which results are
sorted, filtered, counted and mapped, and what the gateway sent, to be read whole where its card is shown.

An entry is decoded once and read for the few members that rows are made of: a quarter of a cold search less
than reading it whole. What only whole offers tell is read whole by `parsing`, with the same outcome.
"""

from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal
from functools import lru_cache
from typing import Any, Generic, Self, TypeVar

import msgspec

from search.domain import offers as pricing
from search.domain.hotels import Coordinates, Distance, Facility, Property, at_provider
from search.domain.money import Money
from search.domain.offers import MAX_OFFERS, Listing, Offer
from search.domain.words import facility_of

from . import Garbled, parsing, schema

# A longer entry is kept as our own listing, within the limits of that: the cache holds hundreds of them.
MAX_SENT = 12_288

_NO_PRICE = schema.MinPrice()
_encoder = msgspec.msgpack.Encoder()
_listings = msgspec.msgpack.Decoder(Listing)


class OfferOutline(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One offer. `price` is the usable one and `surcharges` are amounts, None if unreadable, for the stay or
    for a night as they came. `facilities` are those of `facility_codes`. `rate` is the name of one with free
    cancellation, which may take that back."""

    provider: str
    property_id: str
    price: Money | None
    surcharges: tuple[Money | None, ...]
    discounted: bool
    free_cancellation: bool
    pay_later: bool
    facilities: tuple[str, ...]
    rate: str = ""

    @property
    def key(self) -> str:
        return at_provider(self.provider, self.property_id)


OfOffer = TypeVar("OfOffer", bound=Any)


class Outline(msgspec.Struct, Generic[OfOffer], frozen=True, array_like=True, gc=False):
    """One listing, compact: members of its `Property` under the same names, and its offers. `distance` is in
    kilometres where `unit` is empty, else as it came. `place` is the address or city of a property without a
    name: pages call it by that."""

    key: str
    provider: str
    id: str
    name: str
    type: str
    stars: int | None
    rating: Decimal | None
    coordinates: Coordinates | None
    distance: float | None
    unit: str
    offers: tuple[OfOffer, ...]
    place: str = ""
    country: str = ""

    def all_keys(self) -> frozenset[str]:
        own_key = at_provider(self.provider, self.id) if self.provider and self.id else self.key
        offered = (at_provider(one.provider, one.property_id) for one in self.offers)
        return frozenset((self.key, own_key, *offered))

    def described_by(self) -> str:
        """The code of the provider that describes it; may be empty."""
        return self.provider


def outline_of(listing: Listing) -> Outline[OfferOutline]:
    offers = tuple(_offer_outline(offer) for offer in listing.offers)
    return _with_offers(listing.property, listing.distance, offers)


def _with_offers(
    building: Property, measured: Distance | None, offers: tuple[OfferOutline, ...]
) -> Outline[OfferOutline]:
    distance, unit = (measured.km, "") if measured else (None, "")
    if measured and distance is None:
        distance, unit = float(measured.value), measured.unit.upper()
    return Outline(
        key=building.key,
        provider=building.provider,
        id=building.id,
        name=building.name,
        type=building.type,
        stars=building.stars,
        rating=building.rating.value if building.rating else None,
        coordinates=building.coordinates,
        distance=distance,
        unit=unit,
        offers=offers,
        place="" if building.name else building.address or building.city,
        country=building.country,
    )


def _offer_outline(offer: Offer) -> OfferOutline:
    price = pricing.usable_price(offer.price)
    return OfferOutline(
        provider=offer.provider,
        property_id=offer.property_id,
        price=price,
        surcharges=offer.due_on(price),
        discounted=pricing.before_discount(offer) is not None,
        free_cancellation=offer.free_cancellation,
        pay_later=offer.pay_later,
        facilities=facility_codes(offer.facilities, pricing.rate_has_breakfast(offer.rate)),
        rate=offer.rate if offer.free_cancellation else "",
    )


def facility_codes(facilities: tuple[Facility, ...], has_breakfast: bool) -> tuple[str, ...]:
    """The codes as the gateway spells them, and those that only a description or the rate names."""
    codes = {"FREE_BREAKFAST"} if has_breakfast else set()
    for one in facilities:
        codes |= {one.type, facility_of(one.type, one.description, one.availability).code}
    return tuple(sorted(codes - {""}))


class Entry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One property. `packed` is its listing: JSON as it was sent or, where that is unfit, our msgpack."""

    outline: Outline[OfferOutline]
    packed: bytes

    @classmethod
    def of(cls, listing: Listing) -> Self:
        return cls(outline_of(listing), _encoder.encode(listing))

    @property
    def listing(self) -> Listing:
        """The whole listing, which is read anew each time."""
        return unpacked(self.packed)

    def all_keys(self) -> frozenset[str]:
        return self.outline.all_keys()


def unpacked(packed: bytes) -> Listing:
    """The listing of an entry. Raises Garbled or a msgspec error for one that can't be read."""
    if not packed.startswith(b"{"):
        return _listings.decode(packed)
    if listing := parsing.listing(schema.decode(packed, schema.ResultEntry)):
        return listing
    raise Garbled("entries")


class SearchPage(msgspec.Struct, frozen=True, array_like=True):
    """One page. `received` counts the entries before unusable ones were left out."""

    entries: tuple[Entry, ...]
    total: int | None
    received: int

    @property
    def listings(self) -> tuple[Listing, ...]:
        return tuple(one.listing for one in self.entries)


@parsing.garbled_at_worst
def search_page(body: bytes) -> SearchPage:
    """Section 2.1 of the interface. Raises Garbled for anything but a listing with usable entries."""
    document = schema.decode(body, schema.SearchDocument)
    if document.results is None:
        raise Garbled("envelope")
    entries = [_entry(bytes(one)) for one in document.results]
    parsing.check_skipped("search", entries)
    if not entries and isinstance(document.Total, int | Decimal) and document.Total > parsing.MAX_TOTAL:
        raise Garbled("envelope")  # it doesn't say that nothing was found
    total = parsing.whole(document.Total, parsing.MAX_TOTAL)
    return SearchPage(merged([one for one in entries if one]), total, len(entries))


def merged(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Entries of one property united, in the order of first appearance; never united by name."""
    by_key: dict[str, list[Entry]] = {}
    for entry in entries:
        by_key.setdefault(entry.outline.key, []).append(entry)
    return tuple([one[0] if len(one) == 1 else _united(one) for one in by_key.values()])


def _united(repeats: list[Entry]) -> Entry:
    different = [*{one.packed: one for one in repeats}.values()]
    if len(different) == 1:
        return different[0]
    return Entry.of(pricing.as_one_listing([one.listing for one in different]))


def is_cut(page: SearchPage, size: int, largest: int = 0) -> bool:
    """Whether fewer entries than the `size` asked for are the gateway's own maximum, and there may be more.
    Where a page has held `largest`, only a number that looks like a maximum is one: some gateways leave out
    what is sold out after they counted a page."""
    if not 0 < page.received < size or page.total == page.received:
        return False
    return size > largest or page.received * 2 <= size or page.received % 5 == 0


def _entry(packed: bytes) -> Entry | None:
    """None for an unusable one. Of one that is long or unusual our own listing is kept."""
    with suppress(Garbled):
        entry = schema.decode(packed, schema.ResultEntry)
        if len(packed) <= MAX_SENT and (outline := _outline(entry)):
            return Entry(outline, packed)
        listing = parsing.listing(entry)
        return Entry.of(listing) if listing else None
    return None


def _outline(entry: schema.ResultEntry) -> Outline[OfferOutline] | None:
    """As `outline_of` the listing of the entry; None for one that is to be read whole."""
    summary, sent = entry.propertySummary, parsing.nonempty(entry.offers)
    if summary is None or len(sent) > MAX_OFFERS:
        return None
    provider, own_id = parsing.identifier(summary.providerId), parsing.identifier(summary.id)
    offers = tuple([offer for one in sent if (offer := _offer(one, provider, own_id))])
    key = parsing.property_key(parsing.identifier(summary.ryanairId), provider, own_id, offers)
    # Only whole offers tell whether two of one seller are the same.
    if not key or len({(one.provider, one.property_id) for one in offers}) < len(offers):
        return None
    building = parsing.property_in_brief(summary, key, provider, own_id)
    return _with_offers(building, parsing.distance(entry.distance), offers)


def _offer(offer: schema.WireOffer, listed_by: str, listed_as: str) -> OfferOutline | None:
    provider, property_id = parsing.seller(offer, listed_by, listed_as)
    if not provider or not property_id:
        return None
    quoted = offer.minPrice or _NO_PRICE
    price = _price(quoted.price)
    free_cancellation, rate = offer.freeCancellation is True, _rate_name(quoted.rateDescription)
    return OfferOutline(
        provider=provider,
        property_id=property_id,
        price=price,
        surcharges=_surcharges(quoted, price),
        discounted=bool(quoted.discountPercentage) and _is_discounted(quoted, price),
        free_cancellation=free_cancellation,
        pay_later=pricing.is_pay_later(parsing.open_code(quoted.paymentMode)),
        facilities=_facility_codes(bytes(offer.facilities), pricing.rate_has_breakfast(rate)),
        rate=rate if free_cancellation else "",
    )


# The first amount is mostly enough: without going through both, reading a page takes a tenth less.


def _price(pair: schema.PricePair | None) -> Money | None:
    first = parsing.money(pair.customerPrice) if pair else None
    if first and pricing.is_above_zero(first):
        return first
    return pricing.asked(parsing.amounts(pair, parsing.money))


def _surcharge(pair: schema.PricePair | None, price: Money | None) -> Money | None:
    first = parsing.extra_cost(pair.customerPrice) if pair else None
    if first and first.amount and price and first.currency == price.currency:
        return first
    return pricing.charged(parsing.amounts(pair, parsing.extra_cost), price)


def _surcharges(quoted: schema.MinPrice, price: Money | None) -> tuple[Money | None, ...]:
    amounts = [_surcharge(one.price, price) for one in quoted.surcharges or () if one]
    most = parsing.MAX_SURCHARGES
    return tuple(amounts) if len(amounts) <= most else (*amounts[:most], None)


def _is_discounted(quoted: schema.MinPrice, price: Money | None) -> bool:
    percent = parsing.whole(quoted.discountPercentage, 99)
    if not percent:
        return False
    original = schema.member(quoted.originalPrice, schema.PricePair)
    return pricing.price_before(price, parsing.amounts(original, parsing.money), percent) is not None


# The offers of a provider often have the same facilities and rates; an entry bounds how long they are.
@lru_cache(maxsize=2_048)
def _facility_codes(sent: bytes, has_breakfast: bool) -> tuple[str, ...]:
    return facility_codes(parsing.facilities(schema.Raw(sent)), has_breakfast)


_rate_name = lru_cache(maxsize=1_024)(parsing.line)
