"""The interface's shapes, field by field (sections 2.1 to 2.5 and 2.7 of its document), in its own spelling.

Every member may be missing or null. A document that fits is decoded straight into these; one that doesn't
is mended member by member, so that a wrong type costs its own member and nothing else. A member that is large
or that few rows need is Raw: it is decoded by `member` where it is read.
"""

import codecs
import json
import types
import typing
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from functools import cache
from threading import Lock
from typing import Any, TypeVar

import msgspec

from . import Garbled

T = TypeVar("T")
Identifier = str | int  # a number is an identifier as good as a text
Raw = msgspec.Raw
NULL = Raw(b"null")
# What reading a text raises that doesn't fit; msgspec's own errors are ValueErrors.
DOES_NOT_FIT = (ValueError, RecursionError, ArithmeticError)
Loose = Any  # a member whose type the interface doesn't show, or whose wrong types need telling apart


class Amount(msgspec.Struct, gc=False):
    value: Loose = None
    currencyCode: str | None = None


class PricePair(msgspec.Struct, gc=False):
    customerPrice: Amount | None = None
    propertyPrice: Raw = NULL  # Amount


class Triple(PricePair, gc=False):
    travelCredit: Raw = NULL  # Amount


class WireSurcharge(msgspec.Struct, gc=False):
    type: str | None = None
    price: PricePair | None = None


# A surcharge that can't be read is still one: without it the total would claim to be complete.
UNREADABLE = WireSurcharge()


class MinPrice(msgspec.Struct, gc=False):
    price: Triple | None = None
    travelCredit: Raw = NULL  # Triple
    originalPrice: Raw = NULL  # PricePair
    deposit: Loose = None
    paymentMode: str | None = None
    promoType: str | None = None
    surcharges: list[WireSurcharge | None] | None = None
    rateDescription: str | None = None
    discountPercentage: Loose = None


class WireFacility(msgspec.Struct, frozen=True, gc=False):
    description: str | None = None
    type: str | None = None
    availability: str | bool | None = None


class WireOffer(msgspec.Struct, gc=False):
    providerId: Identifier | None = None
    providerPropertyId: Identifier | None = None
    minPrice: MinPrice | None = None
    facilities: Raw = NULL  # list[WireFacility | None]
    freeCancellation: bool | None = None


class WireCoordinates(msgspec.Struct, gc=False):
    longitude: Loose = None
    latitude: Loose = None


class WireLocation(msgspec.Struct, gc=False):
    city: str | None = None


class WireRating(msgspec.Struct, gc=False):
    value: Loose = None
    code: str | None = None


class PropertySummary(msgspec.Struct, gc=False):
    providerId: Identifier | None = None
    ryanairId: Identifier | None = None
    id: Identifier | None = None
    name: str | None = None
    description: Raw = NULL  # str
    address: str | None = None
    location: WireLocation | None = None
    countryCode: str | None = None
    coordinates: WireCoordinates | None = None
    category: Loose = None
    rating: WireRating | None = None
    images: Raw = NULL  # list[str | None]
    propertyType: str | None = None


class WireDistance(msgspec.Struct, gc=False):
    value: Loose = None
    unit: str | None = None


class ResultEntry(msgspec.Struct, gc=False):
    propertySummary: PropertySummary | None = None
    distance: WireDistance | None = None
    offers: list[WireOffer | None] | None = None


class WireAirport(msgspec.Struct, gc=False):
    iataCode: str | None = None
    name: str | None = None
    coordinates: WireCoordinates | None = None
    base: bool | None = None
    countryCode: str | None = None
    regionCode: str | None = None
    cityCode: str | None = None
    currencyCode: str | None = None
    routes: list[str | None] | None = None
    seasonalRoutes: list[str | None] | None = None
    categories: list[str | None] | None = None
    priority: Loose = None


class SearchDocument(msgspec.Struct, gc=False):
    results: list[Raw] | None = None
    Total: Loose = None


_MAKING = Lock()


@cache
def decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """The decoder of this kind. Made one at a time, for msgspec reads with what another thread has only half
    made of a struct, and the process ends with SIGSEGV."""
    # Untyped numbers arrive as Decimal with every digit they had; a price never passes through a float.
    with _MAKING:
        return msgspec.json.Decoder(kind, float_hook=Decimal)


def decode(body: bytes, kind: type[T]) -> T:
    """The document in `body` as `kind`, None for what doesn't fit; raises Garbled when it is another one."""
    body = body.removeprefix(codecs.BOM_UTF8)
    try:
        body.decode()  # msgspec does not check texts that it does not read
        document: T = decoder(typing.cast(Any, kind)).decode(body)
        return document
    except DOES_NOT_FIT:
        pass  # an error raised here would have this one as its context, with parts of the body
    return mended_document(body, kind)


def member(sent: Raw, kind: type[T]) -> T | None:
    """A member that was skipped until now; None where it doesn't fit."""
    with suppress(Garbled):
        return decode(bytes(sent), kind) if sent != NULL else None
    return None


def mended_document(body: bytes, kind: type[T]) -> T:
    """As `decode`, by the standard library, which accepts NaN, Infinity and lone surrogates."""
    failure = "envelope"
    try:
        read = json.loads(body.decode(), parse_float=Decimal, parse_constant=lambda _name: None, strict=False)
        if (document := mended(read, kind)) is not None:
            return typing.cast(T, document)
    except UnicodeDecodeError:
        failure = "encoding"
    except DOES_NOT_FIT:
        failure = "json"
    raise Garbled(failure)  # outside `except`, so that it carries no context with the body in it


def first_values(value: Any, left: Iterator[int]) -> Any:
    """The value with as many of those that it holds as are `left`, in their order; objects and lists count,
    too. A document is cut itself, as no copy of it is needed."""
    if isinstance(value, list):
        return [first_values(one, left) for one, _ in zip(value, left)]  # noqa: B905 - the shorter one ends it
    if isinstance(value, dict):
        pairs = zip(value.items(), left)  # noqa: B905 - as above
        return {name: first_values(one, left) for (name, one), _ in pairs}
    return value


_members = cache(typing.get_type_hints)


def mended(data: Any, kind: Any) -> Any:
    """`data` as `kind` with every member that doesn't fit replaced by None."""
    first, *others = typing.get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    if first is Raw:
        return Raw(json.dumps(data, default=float).encode())
    if data is None or first is Any or type(data) in (first, *others):
        return data
    if typing.get_origin(first) is list:
        return _mended_list(data, *typing.get_args(first))
    if isinstance(data, dict) and (members := _members(first)):
        return first(**{name: mended(data.get(name), hint) for name, hint in members.items()})
    return UNREADABLE if data and first is WireSurcharge else None


def _mended_list(data: Any, inner: Any) -> Any:
    if isinstance(data, list):
        return [mended(one, inner) for one in data]
    return [UNREADABLE] if data and inner == WireSurcharge | None else None
