"""One page of a search (section 2.1 of the interface): each entry with what is compared of it, and as it was
sent, to be read whole only where its card is shown.

An entry that fits the interface is read from its text at once, its few members that rows are made of; any
other one as `parsing` reads it, with the same outcome.
"""

import codecs
from collections.abc import Callable, Sequence
from contextlib import suppress
from decimal import Decimal
from functools import lru_cache
from typing import Any, Protocol, Self, TypeVar

import msgspec

from search.domain.hotels import Coordinates, first_known
from search.domain.money import Money
from search.domain.offers import (
    MAX_OFFERS,
    Listing,
    as_one_listing,
    asked,
    charged,
    is_above_zero,
    is_pay_later,
    price_before,
    rate_has_breakfast,
)
from search.gateway.outlines import OfferOutline, Outline, facility_codes, outline_of

from . import parsing, schema
from .errors import Garbled

T = TypeVar("T")

# A longer entry is kept as it was read, within the limits of that: the cache holds hundreds of them.
MAX_SENT = 12_288
# What nests so deeply is, too: it can't be read on a stack that is deep already.
MAX_DEPTH = 300
# A code, a list of facilities, or the name of a rate, that is no longer is remembered.
_OFTEN = 1_000

# Coordinates nearer than that to the equator or the meridian of Greenwich are looked at twice.
_NEAR_ZERO = 1e-9
# Of an outline, what the next entry of its property may tell where the first doesn't.
_FACTS = ("type", "stars", "rating", "coordinates", "distance")
_NO_PRICE = schema.BriefPrice()
_sent_pages: msgspec.json.Decoder[schema.SentPage] = schema.decoder(schema.SentPage)
_brief_entries = schema.decoder(schema.BriefEntry)
_pairs = schema.decoder(schema.BriefPair | None)
_amounts = schema.decoder(schema.Amount | None)
_facility_lists = schema.decoder(list[schema.WireFacility | None] | None)
# How a text of the gateway begins, and none of ours.
_OBJECT, _ARRAY = b"{", b"["

_writer = msgspec.json.Encoder(decimal_format="number")
_encoder = msgspec.msgpack.Encoder()
_listings = msgspec.msgpack.Decoder(Listing)


class _NotBrief(ValueError):
    """An entry that is read by `parsing`: it has more than fits, or less than is needed."""


# What reading a text raises that doesn't fit; msgspec's own errors are ValueErrors.
_DOES_NOT_FIT = (ValueError, RecursionError, ArithmeticError)


class Entry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One property of a page. `packed` is its listing: what the gateway sent, JSON of an object, or of an
    array where it sent several; or our own, where that doesn't fit."""

    outline: Outline
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
    if packed[:1] not in (_OBJECT, _ARRAY):
        return _listings.decode(packed)
    sent = packed if packed[:1] == _ARRAY else _ARRAY + packed + b"]"
    entries = schema.decode(sent, list[schema.ResultEntry | None])
    listings = parsing.nonempty([parsing.listing(one) for one in parsing.nonempty(entries)])
    if not listings:
        raise Garbled("entries")
    return listings[0] if len(listings) == 1 else as_one_listing(listings)


class SearchPage(msgspec.Struct, frozen=True, array_like=True):
    """One page of the gateway's answer. `received` counts the entries before unusable ones were left out."""

    entries: tuple[Entry, ...]
    total: int | None
    received: int

    @property
    def listings(self) -> tuple[Listing, ...]:
        """The whole listing of each entry."""
        return tuple(one.listing for one in self.entries)


def search_page(body: bytes) -> SearchPage:
    """Section 2.1 of the interface. Raises Garbled for anything but a listing with usable entries."""
    return page_of(*search_entries(body))


def page_of(entries: Sequence[Entry | None], total: int | None) -> SearchPage:
    return SearchPage(merged([one for one in entries if one]), total, len(entries))


class Counted(Protocol):
    """What came of one page: as many entries, of so many in all, if anybody knows."""

    @property
    def received(self) -> int: ...

    @property
    def total(self) -> int | None: ...


def is_cut(page: Counted, size: int, largest: int = 0) -> bool:
    """Whether these entries, fewer than the `size` asked for, are as many as the gateway's pages hold, its
    own maximum, and there may be more. Where a page has held as many as `largest`, only a number that looks
    like a maximum is one: some gateways leave out what is sold out once they have counted a page."""
    if not 0 < page.received < size or page.total == page.received:
        return False
    return size > largest or page.received * 2 <= size or page.received % 5 == 0


def merged(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Entries of one property united, in the order of first appearance; never united by name."""
    if len({one.outline.key for one in entries}) == len(entries):
        return tuple(entries)
    by_key: dict[str, list[Entry]] = {}
    for entry in entries:
        by_key.setdefault(entry.outline.key, []).append(entry)
    return tuple(met[0] if len(met) == 1 else _united(met) for met in by_key.values())


def _united(repeats: list[Entry]) -> Entry:
    """Entries of one property as one: side by side where no offer is in two of them, else read whole."""
    if len(met := [*{one.packed: one for one in repeats}.values()]) == 1:
        return met[0]
    offers = [offer for one in met for offer in one.outline.offers]
    sent = [one.packed[1:-1] if one.packed[:1] == _ARRAY else one.packed for one in met]
    packed = _ARRAY + b",".join(sent) + b"]"
    apart = len({(offer.provider, offer.property_id) for offer in offers}) == len(offers) <= MAX_OFFERS
    if apart and len(packed) <= MAX_SENT and all(one[:1] == _OBJECT for one in sent):
        facts = first_known([one.outline for one in met], _FACTS)
        return Entry(msgspec.structs.replace(met[0].outline, offers=tuple(offers), **facts), packed)
    return Entry.of(as_one_listing([one.listing for one in met]))


@parsing.garbled_at_worst
def search_entries(body: bytes) -> tuple[list[Entry | None], int | None]:
    """The entries of a listing in the gateway's order, None for unusable ones, and its total."""
    body = body.removeprefix(codecs.BOM_UTF8)
    sent = _sent_page(body)
    document = sent or schema.mended_document(body, schema.SearchDocument)
    if document.results is None:
        raise Garbled("envelope")
    read = _entry_as_sent if sent else _entry_written_again
    entries = [read(one) for one in document.results]
    parsing.check_skipped("search", entries)
    if not entries and isinstance(document.Total, int | Decimal) and document.Total > parsing.MAX_TOTAL:
        raise Garbled("envelope")  # it doesn't say that nothing was found
    return entries, parsing.whole(document.Total, parsing.MAX_TOTAL)


def _sent_page(body: bytes) -> schema.SentPage | None:
    """None for another document, and for text in another encoding."""
    with suppress(*_DOES_NOT_FIT):
        body.decode()  # msgspec does not check texts that it does not read
        return _deep_down(_sent_pages.decode, body)
    return None


def _deep_down(read: Callable[[bytes], T], body: bytes, depth: int = MAX_DEPTH) -> T:
    """Read what can also be read on a stack that is `depth` deeper, as that of a page being rendered."""
    return _deep_down(read, body, depth - 1) if depth else read(body)


def _entry_as_sent(sent: msgspec.Raw) -> Entry | None:
    packed = bytes(sent)
    return _entry(packed) if packed.startswith(_OBJECT) else None


def _entry_written_again(sent: Any) -> Entry | None:
    """An entry of a page that msgspec doesn't read, written again: most of them may be as they should."""
    if not isinstance(sent, dict):
        return None
    try:
        packed = _writer.encode(sent)
    except (ValueError, RecursionError):  # half a character can't be written
        return _entry_read_whole(schema.mended(sent, schema.ResultEntry))
    if packed.count(_OBJECT) + packed.count(_ARRAY) > MAX_DEPTH:
        return _entry_read_whole(schema.decode(packed, schema.ResultEntry))
    return _entry(packed)


def _entry(packed: bytes) -> Entry | None:
    """The entry of this text, None for an unusable one."""
    if len(packed) <= MAX_SENT and (outline := _brief_outline(packed)):
        return Entry(outline, packed)
    return _entry_read_whole(schema.decode(packed, schema.ResultEntry))


def _brief_outline(packed: bytes) -> Outline | None:
    """None for an entry that doesn't fit."""
    try:
        return _outline(_brief_entries.decode(packed))
    except _DOES_NOT_FIT:
        return None


def _entry_read_whole(entry: schema.ResultEntry) -> Entry | None:
    listing = parsing.listing(entry)
    return Entry.of(listing) if listing else None


def _outline(entry: schema.BriefEntry) -> Outline:
    """As `outline_of` the listing of the entry."""
    summary, sent = entry.propertySummary, parsing.nonempty(entry.offers)
    if summary is None or len(sent) > MAX_OFFERS:
        raise _NotBrief
    provider, own_id = parsing.identifier(summary.providerId), parsing.identifier(summary.id)
    offers = tuple([outline for one in sent if (outline := _offer(one, provider, own_id))])
    key = parsing.property_key(parsing.identifier(summary.ryanairId), provider, own_id, offers)
    name = parsing.line(summary.name)
    if not (key and name):
        raise _NotBrief
    if len({one.property_id for one in offers}) < len(offers) and _any_alike(offers):
        raise _NotBrief
    return Outline(
        key=key,
        provider=provider,
        id=own_id,
        name=name,
        type=parsing.with_letters(parsing.open_code(summary.propertyType)),
        stars=parsing.stars(summary.category),
        rating=parsing.rating_value(summary.rating),
        coordinates=_coordinates(summary.coordinates),
        distance=parsing.distance(entry.distance),
        offers=offers,
    )


def _coordinates(point: schema.BriefCoordinates | None) -> Coordinates | None:
    """As `values.coordinates`; raises _NotBrief for what may be none."""
    latitude, longitude = (point.latitude, point.longitude) if point else (None, None)
    if latitude is None or longitude is None or latitude == longitude == 0:
        return None
    if _NEAR_ZERO < abs(latitude) <= 90 and _NEAR_ZERO < abs(longitude) <= 180:
        return Coordinates(latitude, longitude)
    raise _NotBrief


def _any_alike(offers: tuple[OfferOutline, ...]) -> bool:
    """Whether one may have come twice: only whole offers tell if they differ in what isn't compared. What
    they cost takes long to hash."""
    known_as = {(one.provider, one.property_id) for one in offers}
    return len(known_as) < len(offers) and len({*offers}) < len(offers)


def _offer(offer: schema.BriefOffer, listed_by: str, listed_as: str) -> OfferOutline | None:
    sold_by, sold_as = parsing.seller(offer, listed_by, listed_as)
    if not (sold_by and sold_as):
        return None
    quoted = offer.minPrice or _NO_PRICE
    price = _price(quoted.price)
    percent = quoted.discountPercentage and parsing.whole(quoted.discountPercentage, 99)
    mode, rate, facilities = quoted.paymentMode, quoted.rateDescription, bytes(offer.facilities)
    codes = _known_facility_codes if len(facilities) <= _OFTEN else _facility_codes
    return OfferOutline(
        provider=sold_by,
        property_id=sold_as,
        price=price,
        surcharges=_surcharges(quoted.surcharges, price) if quoted.surcharges else (),
        discounted=_is_discounted(price, quoted.originalPrice, percent) if percent else False,
        free_cancellation=offer.freeCancellation is True,
        pay_later=mode is not None and _known_pay_later(mode if len(mode) <= _OFTEN else parsing.code(mode)),
        facilities=codes(
            facilities,
            rate is not None and _known_breakfast(rate if len(rate) <= _OFTEN else parsing.line(rate)),
        ),
    )


@lru_cache(maxsize=512)
def _known_pay_later(mode: str) -> bool:
    return is_pay_later(parsing.code(mode))


@lru_cache(maxsize=2_048)
def _known_breakfast(rate: str) -> bool:
    return rate_has_breakfast(parsing.line(rate))


def _surcharges(sent: list[schema.BriefSurcharge | None], price: Money | None) -> tuple[Money | None, ...]:
    if len(sent) > parsing.MAX_SURCHARGES:
        raise _NotBrief
    return tuple([_surcharge(one.price, price) for one in sent if one])


# Of most prices and surcharges the first amount is enough, and the other one isn't read.


def _price(pair: schema.BriefPair | None) -> Money | None:
    if pair is None:
        return None
    first = parsing.money(pair.customerPrice)
    return first if first and is_above_zero(first) else asked((parsing.money(_property_amount(pair)),))


def _surcharge(pair: schema.BriefPair | None, price: Money | None) -> Money | None:
    if pair is None:
        return None
    first = parsing.extra_cost(pair.customerPrice)
    if first and price and first.currency == price.currency and first.amount:
        return first
    return charged((first, parsing.extra_cost(_property_amount(pair))), price)


def _is_discounted(price: Money | None, before: msgspec.Raw, percent: int) -> bool:
    pair = _pairs.decode(before)
    if pair is None or price is None:
        return False
    first = parsing.money(pair.customerPrice)
    same = first is not None and first.currency == price.currency
    told = (first,) if same else (parsing.money(_property_amount(pair)),)
    return price_before(price, told, percent) is not None


def _property_amount(pair: schema.BriefPair) -> schema.Amount | None:
    read: schema.Amount | None = _amounts.decode(pair.propertyPrice)
    return read


def _facility_codes(sent: bytes, has_breakfast: bool) -> tuple[str, ...]:
    read = parsing.nonempty(_facility_lists.decode(sent), parsing.MAX_FACILITIES)
    return facility_codes(parsing.facilities(read), has_breakfast)


# The offers of a provider, and those of a house, often have the same ones.
_known_facility_codes = lru_cache(maxsize=4_096)(_facility_codes)
