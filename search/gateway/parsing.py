"""The interface's documents -> domain objects. JSON ends here.

Strict on the envelope, tolerant of its entries: an entry that no other can be told from is left out and
counted in one WARNING; a wrong member costs its own member only. Sizes are bounded here, once.

Single values of the wire -> domain values: None (or an empty text) for whatever can't be used.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import msgspec

from search.domain.hotels import (
    Airport,
    Coordinates,
    Distance,
    Facility,
    GuestRating,
    Property,
    PropertyDetails,
    Room,
    RoomType,
    Route,
    at_provider,
)
from search.domain.money import Money
from search.domain.offers import Listing, Offer, Price, SearchPage, Surcharge, merged

from . import schema
from .errors import Garbled, GatewayError
from .text import clean, clean_line, https_address, lines_of, times_of

log = logging.getLogger(__name__)

MAX_NAME = 300
MAX_DESCRIPTION = 20_000
MAX_LISTED_DESCRIPTION = 1_000
MAX_IMAGES = 40
MAX_OFFERS = 30
MAX_SURCHARGES = 20
MAX_FACILITIES = 60
MAX_ROOM_TYPES = 60
MAX_ROOMS = 20

_COUNTRY = re.compile(r"[A-Za-z]{2}")
_IATA = re.compile(r"[A-Za-z]{3}")


P = ParamSpec("P")
T = TypeVar("T")


def _garbled_at_worst(read: Callable[P, T]) -> Callable[P, T]:
    """`read`, with every error that is no GatewayError made one: what came over the wire is to blame."""

    @wraps(read)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return read(*args, **kwargs)
        except GatewayError:
            raise
        except Exception as error:
            # Its message may hold parts of the document; raised outside, the new error has no context.
            log.error("reading=%s unexpected=%s", read.__name__, type(error).__name__)
        raise Garbled("envelope")

    return guarded


def search_page(body: bytes) -> SearchPage:
    """Section 2.1 of the interface. Raises Garbled for anything but a listing with usable entries."""
    listings, count = search_entries(body)
    return SearchPage(merged([one for one in listings if one]), count, len(listings))


@_garbled_at_worst
def search_entries(body: bytes) -> tuple[list[Listing | None], int | None]:
    """The entries of a listing in the gateway's order, None for unusable ones, and its total."""
    envelope = schema.decode_envelope(body, schema.SearchEnvelope)
    entries = [schema.decode_entry(raw, schema.ResultEntry) for raw in envelope.results]
    listings = [_listing(entry) if entry else None for entry in entries]
    if listings and not any(listings):
        raise Garbled("entries")
    _warn_of_skipped("search", listings.count(None))
    return listings, total(envelope.Total)


@_garbled_at_worst
def property_details(body: bytes, provider: str, property_id: str) -> PropertyDetails:
    """Section 2.6 of the interface, for the property that was asked for at `provider`.

    Raises Garbled for anything but an object; one without usable propertyDetails has no details `available`.
    """
    document = schema.decode_envelope(body, schema.DetailsDocument)
    details = document.propertyDetails
    available = details is not None and details != schema.WireDetails()
    details = details or schema.WireDetails()
    room_types = document.roomTypes if document.roomTypes is not None else details.roomTypes
    return PropertyDetails(
        property=_described(details.propertySummary, provider, property_id),
        check_in_time=times_of(details.checkinTime),
        check_out_time=times_of(details.checkoutTime),
        policies=lines_of(details.policies),
        facilities=lines_of(details.facilities),
        accepted_cards=lines_of(details.acceptedCreditCards),
        room_types=tuple(_room_type(one) for one in (room_types or [])[:MAX_ROOM_TYPES] if one),
        available=available,
    )


@_garbled_at_worst
def airport_list(body: bytes) -> tuple[Airport, ...]:
    """Section 2.7 of the interface, without repeats and without entries that carry no IATA code."""
    entries = schema.decode_envelope(body, list[msgspec.Raw])
    airports = [
        airport
        for raw in entries
        if (entry := schema.decode_entry(raw, schema.WireAirport)) and (airport := _airport(entry))
    ]
    if entries and not airports:
        raise Garbled("entries")
    _warn_of_skipped("airports", len(entries) - len(airports))
    return tuple({airport.code: airport for airport in reversed(airports)}.values())[::-1]


def _warn_of_skipped(endpoint: str, count: int) -> None:
    if count:
        log.warning("%s: %d unusable entries left out", endpoint, count)


def _listing(entry: schema.ResultEntry) -> Listing | None:
    """None when no identifier tells the property from others."""
    if entry.propertySummary is None:
        return None
    provider = identifier(entry.propertySummary.providerId)
    offers = [_offer(one, provider) for one in (entry.offers or [])[:MAX_OFFERS] if one]
    usable = tuple(one for one in offers if one)
    own_id = identifier(entry.propertySummary.id)
    key = at_provider(provider, own_id) if own_id else usable[0].key if usable else ""
    building = _property(entry.propertySummary, key, provider, own_id, MAX_LISTED_DESCRIPTION)
    return Listing(building, usable, distance(entry.distance)) if building.key else None


def _described(summary: schema.PropertySummary | None, provider: str, property_id: str) -> Property:
    """The property of a details answer: it is the one asked for, whatever identifiers came back."""
    key = at_provider(provider, property_id)
    return _property(summary or schema.PropertySummary(), key, provider, property_id, MAX_DESCRIPTION)


def _property(
    summary: schema.PropertySummary, key: str, provider: str, own_id: str, max_description: int
) -> Property:
    """`key` stands in for an identifier across providers that is not there."""
    images = [https_address(one) for one in (summary.images or [])[:MAX_IMAGES] if one]
    return Property(
        key=identifier(summary.ryanairId) or key,
        provider=provider,
        id=own_id,
        name=clean_line(summary.name or "", MAX_NAME),
        description=clean(summary.description or "", max_description),
        address=clean_line(summary.address or "", MAX_NAME),
        city=clean_line((summary.location.city if summary.location else None) or "", MAX_NAME),
        country=country(summary.countryCode),
        coordinates=coordinates(summary.coordinates),
        stars=stars(summary.category),
        rating=rating(summary.rating),
        images=tuple(dict.fromkeys(one for one in images if one)),
        type=text(summary.propertyType),
    )


def _offer(offer: schema.WireOffer, listed_by: str) -> Offer | None:
    provider = identifier(offer.providerId) or listed_by
    property_id = identifier(offer.providerPropertyId)
    if not provider or not property_id:
        return None
    quoted = offer.minPrice or schema.MinPrice()
    facilities = [_facility(one) for one in (offer.facilities or [])[:MAX_FACILITIES] if one]
    return Offer(
        provider=provider,
        property_id=property_id,
        rate=clean_line(quoted.rateDescription or "", MAX_NAME),
        price=price(quoted.price),
        original_price=price(quoted.originalPrice),
        travel_credit=price(quoted.travelCredit),
        deposit=deposit(quoted.deposit),
        payment_mode=text(quoted.paymentMode),
        promo_type=text(quoted.promoType),
        discount_percent=whole(quoted.discountPercentage, 99) or 0,
        surcharges=_surcharges([_surcharge(one) for one in quoted.surcharges or [] if one]),
        facilities=tuple(dict.fromkeys(facilities)),
        free_cancellation=offer.freeCancellation is True,
    )


def _surcharges(named: list[Surcharge]) -> tuple[Surcharge, ...]:
    """The first ones, and all others as one per currency, so that no total is too low for our limit."""
    rest: dict[str, Money | None] = {}
    for one in named[MAX_SURCHARGES:]:
        amount, currency = one.amount, one.amount.currency if one.amount else ""
        known = rest.get(currency)
        rest[currency] = known + amount if known and amount else amount
    if len(rest) > MAX_SURCHARGES:
        rest = {**dict(list(rest.items())[:MAX_SURCHARGES]), "": None}
    others = [Surcharge("", Price(amount, None, None)) for amount in rest.values()]
    return (*named[:MAX_SURCHARGES], *others)


def _surcharge(surcharge: schema.WireSurcharge) -> Surcharge:
    return Surcharge(text(surcharge.type), price(surcharge.price) or Price(None, None, None))


def _facility(facility: schema.WireFacility) -> Facility:
    return Facility(
        type=text(facility.type),
        description=clean_line(facility.description or "", MAX_NAME),
        availability=text(facility.availability),
        id=text(facility.id),
    )


def _room_type(room_type: schema.WireRoomType) -> RoomType:
    images = room_type.images if isinstance(room_type.images, list) else [room_type.images]
    return RoomType(
        name=" ".join(lines_of(room_type.name)),
        description="\n".join(lines_of(room_type.description)),
        images=tuple(dict.fromkeys(one for url in images[:MAX_IMAGES] if (one := image(url)))),
        facilities=lines_of(room_type.facilities),
        rooms=tuple(_room(one) for one in (room_type.rooms or [])[:MAX_ROOMS] if one),
    )


def _room(room: schema.WireRoom) -> Room:
    return Room(
        name=" ".join(lines_of(room.name)),
        description="\n".join(lines_of(room.description)),
        max_occupancy=lines_of(room.maxOccupancy),
        bed_types=lines_of(room.bedTypes),
        policies=lines_of(room.policies),
        cancellation_policies=lines_of(room.cancellationPolicies),
    )


def _airport(airport: schema.WireAirport) -> Airport | None:
    code = text(airport.iataCode)
    if not _IATA.fullmatch(code):
        return None
    return Airport(
        code=code.upper(),
        name=clean_line(airport.name or "", MAX_NAME) or code.upper(),
        coordinates=coordinates(airport.coordinates),
        base=airport.base is True,
        country=country(airport.countryCode),
        region=text(airport.regionCode),
        city=text(airport.cityCode),
        currency=currency(airport.currencyCode),
        routes=routes(airport.routes),
        seasonal_routes=routes(airport.seasonalRoutes),
        categories=tuple(dict.fromkeys(text(one) for one in airport.categories or [] if one)),
        priority=whole(airport.priority, 1_000_000) or 0,
    )


MAX_CODE = 60
MAX_ID = 500
MAX_TOTAL = 100_000_000
MAX_AMOUNT = Decimal(10) ** 12

_CURRENCY = re.compile(r"[A-Za-z]{3}")


def currency(code: str | None) -> str:
    """An ISO 4217 code in capitals, or nothing."""
    return code.upper() if code and _CURRENCY.fullmatch(code) else ""


def country(code: str | None) -> str:
    """A two-letter country code in lower case, or nothing."""
    given = text(code)
    return given.lower() if _COUNTRY.fullmatch(given) else ""


def price(triple: schema.Triple | None) -> Price | None:
    if triple is None:
        return None
    members = Price(money(triple.customerPrice), money(triple.propertyPrice), money(triple.travelCredit))
    return members if members.customer or members.property or members.travel_credit else None


def deposit(value: Any) -> Price | None:
    """A deposit counts only as an amount or as a price triple; its type is not shown in the interface."""
    if not isinstance(value, dict):
        return None
    if "currencyCode" in value:
        amount = money(schema.mended(value, schema.Amount))
        return Price(amount, None, None) if amount else None
    return price(schema.mended(value, schema.Triple))


def money(amount: schema.Amount | None) -> Money | None:
    """None for a missing, textual, negative, infinite or absurd value or an odd currency."""
    code = currency(amount.currencyCode) if amount else ""
    value = number(amount.value) if amount else None
    return Money(value, code) if code and value is not None and 0 <= value <= MAX_AMOUNT else None


def number(value: Any) -> Decimal | None:
    """A JSON number that arithmetic can be done on cheaply; textual numbers are none."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    try:
        found = value if isinstance(value, Decimal) else Decimal(str(value))
    except (InvalidOperation, ValueError):
        return None
    # 1e-999999 is finite too, and writing it out is not cheap.
    return found if found.is_finite() and (not found or abs(found.adjusted()) <= 15) else None


def whole(value: Any, most: int) -> int | None:
    """A whole number of 0 to `most`."""
    found = number(value)
    return int(found) if found is not None and found == int(found) and 0 <= found <= most else None


def total(value: Any) -> int | None:
    return whole(value, MAX_TOTAL) if isinstance(value, int) else None


def stars(value: Any) -> int | None:
    return whole(value, 5) or None


def rating(rated: schema.WireRating | None) -> GuestRating | None:
    if rated is None:
        return None
    value = number(rated.value)
    value = value if value is not None and 0 <= value <= 1_000 else None
    code = text(rated.code)
    return GuestRating(value, code) if value is not None or code else None


def coordinates(point: schema.WireCoordinates | None) -> Coordinates | None:
    """None outside the globe, and for 0,0: a property in the Gulf of Guinea is a missing value."""
    latitude, longitude = (number(point.latitude), number(point.longitude)) if point else (None, None)
    if latitude is None or longitude is None or not (abs(latitude) <= 90 and abs(longitude) <= 180):
        return None
    return Coordinates(float(latitude), float(longitude)) if latitude or longitude else None


def distance(measured: schema.WireDistance | None) -> Distance | None:
    value = number(measured.value) if measured else None
    return Distance(value, text(measured.unit)) if measured and value is not None and value >= 0 else None


def routes(entries: list[str | None] | None) -> tuple[Route, ...]:
    pairs = (text(entry).partition(":") for entry in entries or [] if entry)
    return tuple(dict.fromkeys(Route(kind, code) for kind, _, code in pairs if kind and code))


def text(code: str | None) -> str:
    """A code or another short text."""
    return clean_line(code or "", MAX_CODE)


def identifier(given: str | None) -> str:
    """Kept as it came, so that it can be sent back; an absurdly long or unencodable one is none."""
    given = given or ""
    return "" if len(given) > MAX_ID or any("\ud800" <= char <= "\udfff" for char in given) else given


def image(value: Any) -> str | None:
    """A room's picture: an address, or an object that holds one (the interface shows neither)."""
    if isinstance(value, dict):
        value = next((value[key] for key in ("url", "href", "src", "link") if key in value), None)
    return https_address(value) if isinstance(value, str) else None
