"""The interface's documents -> domain objects. JSON ends here.

Strict on the envelope, tolerant of its entries: an entry without anything to show is left out and
counted in one WARNING; a wrong member costs its own member only. Sizes are bounded here, once.
"""

from __future__ import annotations

import logging
import re

import msgspec

from search.domain.airports import Airport
from search.domain.catalogue import (
    Facility,
    Property,
    PropertyDetails,
    Room,
    RoomType,
)
from search.domain.offers import Listing, Offer, Price, SearchPage, Surcharge, merged

from . import values, wire
from .cleaning import clean, clean_line, https_address
from .errors import Garbled
from .normaliser import lines_of, times_of

log = logging.getLogger(__name__)

MAX_NAME = 300
MAX_DESCRIPTION = 20_000
MAX_LISTED_DESCRIPTION = 1_000
MAX_IMAGES = 40
MAX_OFFERS = 30
MAX_FACILITIES = 60
MAX_ROOM_TYPES = 60
MAX_ROOMS = 20

_COUNTRY = re.compile(r"[A-Za-z]{2}")
_IATA = re.compile(r"[A-Za-z]{3}")


def search_page(body: bytes) -> SearchPage:
    """Section 2.1 of the interface. Raises Garbled for anything but a listing with usable entries."""
    envelope = wire.decode_envelope(body, wire.SearchEnvelope)
    listings = [
        listing
        for raw in envelope.results
        if (entry := wire.decode_entry(raw, wire.ResultEntry)) and (listing := _listing(entry))
    ]
    received = len(envelope.results)
    if received and not listings:
        raise Garbled("entries")
    _warn_of_skipped("search", received - len(listings))
    return SearchPage(merged(listings), values.total(envelope.Total), received)


def property_details(body: bytes) -> PropertyDetails:
    """Section 2.6 of the interface. Raises Garbled without propertyDetails or without a property in it."""
    document = wire.decode_envelope(body, wire.DetailsDocument)
    details = document.propertyDetails
    building = _property(details.propertySummary, MAX_DESCRIPTION) if details else None
    if details is None or building is None:
        raise Garbled("envelope")
    room_types = document.roomTypes if document.roomTypes is not None else details.roomTypes
    return PropertyDetails(
        property=building,
        check_in_time=times_of(details.checkinTime),
        check_out_time=times_of(details.checkoutTime),
        policies=lines_of(details.policies),
        facilities=lines_of(details.facilities),
        accepted_cards=lines_of(details.acceptedCreditCards),
        room_types=tuple(_room_type(one) for one in (room_types or [])[:MAX_ROOM_TYPES] if one),
    )


def airport_list(body: bytes) -> tuple[Airport, ...]:
    """Section 2.7 of the interface, without repeats and without entries that carry no IATA code."""
    entries = wire.decode_envelope(body, list[msgspec.Raw])
    airports = [
        airport
        for raw in entries
        if (entry := wire.decode_entry(raw, wire.WireAirport)) and (airport := _airport(entry))
    ]
    if entries and not airports:
        raise Garbled("entries")
    _warn_of_skipped("airports", len(entries) - len(airports))
    return tuple({airport.code: airport for airport in reversed(airports)}.values())[::-1]


def _warn_of_skipped(endpoint: str, count: int) -> None:
    if count:
        log.warning("%s: %d unusable entries left out", endpoint, count)


def _listing(entry: wire.ResultEntry) -> Listing | None:
    building = _property(entry.propertySummary, MAX_LISTED_DESCRIPTION)
    if building is None:
        return None
    offers = [_offer(one, building) for one in (entry.offers or [])[:MAX_OFFERS] if one]
    return Listing(building, tuple(one for one in offers if one), values.distance(entry.distance))


def _property(summary: wire.PropertySummary | None, max_description: int) -> Property | None:
    """None when there is nothing to call the property by or no way to tell it from others."""
    if summary is None:
        return None
    name = clean_line(summary.name or "", MAX_NAME)
    provider = values.identifier(summary.providerId)
    own_id = values.identifier(summary.id)
    key = values.identifier(summary.ryanairId) or (f"{provider}:{own_id}" if own_id else "")
    if not name or not key:
        return None
    country = values.text(summary.countryCode)
    images = [https_address(one) for one in (summary.images or [])[:MAX_IMAGES] if one]
    return Property(
        key=key,
        provider=provider,
        id=own_id,
        name=name,
        description=clean(summary.description or "", max_description),
        address=clean_line(summary.address or "", MAX_NAME),
        city=clean_line((summary.location.city if summary.location else None) or "", MAX_NAME),
        country=country.lower() if _COUNTRY.fullmatch(country) else "",
        coordinates=values.coordinates(summary.coordinates),
        stars=values.stars(summary.category),
        rating=values.rating(summary.rating),
        images=tuple(dict.fromkeys(one for one in images if one)),
        type=values.text(summary.propertyType),
    )


def _offer(offer: wire.WireOffer, building: Property) -> Offer | None:
    provider = values.identifier(offer.providerId) or building.provider
    property_id = values.identifier(offer.providerPropertyId)
    if not provider or not property_id:
        return None
    price = offer.minPrice or wire.MinPrice()
    facilities = [_facility(one) for one in (offer.facilities or [])[:MAX_FACILITIES] if one]
    return Offer(
        provider=provider,
        property_id=property_id,
        rate=clean_line(price.rateDescription or "", MAX_NAME),
        price=values.price(price.price),
        original_price=values.price(price.originalPrice),
        travel_credit=values.price(price.travelCredit),
        deposit=values.deposit(price.deposit),
        payment_mode=values.text(price.paymentMode),
        promo_type=values.text(price.promoType),
        discount_percent=values.whole(price.discountPercentage, 99) or 0,
        surcharges=tuple(_surcharge(one) for one in price.surcharges or [] if one),
        facilities=tuple(dict.fromkeys(facilities)),
        free_cancellation=offer.freeCancellation is True,
    )


def _surcharge(surcharge: wire.WireSurcharge) -> Surcharge:
    return Surcharge(values.text(surcharge.type), values.price(surcharge.price) or Price(None, None, None))


def _facility(facility: wire.WireFacility) -> Facility:
    return Facility(
        type=values.text(facility.type),
        description=clean_line(facility.description or "", MAX_NAME),
        availability=values.text(facility.availability),
        id=values.text(facility.id),
    )


def _room_type(room_type: wire.WireRoomType) -> RoomType:
    images = room_type.images if isinstance(room_type.images, list) else [room_type.images]
    return RoomType(
        name=" ".join(lines_of(room_type.name)),
        description="\n".join(lines_of(room_type.description)),
        images=tuple(dict.fromkeys(one for image in images[:MAX_IMAGES] if (one := values.image(image)))),
        facilities=lines_of(room_type.facilities),
        rooms=tuple(_room(one) for one in (room_type.rooms or [])[:MAX_ROOMS] if one),
    )


def _room(room: wire.WireRoom) -> Room:
    return Room(
        name=" ".join(lines_of(room.name)),
        description="\n".join(lines_of(room.description)),
        max_occupancy=lines_of(room.maxOccupancy),
        bed_types=lines_of(room.bedTypes),
        policies=lines_of(room.policies),
        cancellation_policies=lines_of(room.cancellationPolicies),
    )


def _airport(airport: wire.WireAirport) -> Airport | None:
    code = values.text(airport.iataCode)
    if not _IATA.fullmatch(code):
        return None
    country = values.text(airport.countryCode).lower()
    return Airport(
        code=code.upper(),
        name=clean_line(airport.name or "", MAX_NAME) or code.upper(),
        seo_name=values.text(airport.seoName),
        coordinates=values.coordinates(airport.coordinates),
        base=airport.base is True,
        country=country if _COUNTRY.fullmatch(country) else "",
        region=values.text(airport.regionCode),
        city=values.text(airport.cityCode),
        currency=values.currency(airport.currencyCode),
        routes=values.routes(airport.routes),
        seasonal_routes=values.routes(airport.seasonalRoutes),
        categories=tuple(dict.fromkeys(values.text(one) for one in airport.categories or [] if one)),
        priority=values.whole(airport.priority, 1_000_000) or 0,
    )
