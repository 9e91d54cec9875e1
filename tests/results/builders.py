"""Domain objects for page tests, with a plausible default for whatever a test isn't about."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

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
)
from search.domain.money import Money
from search.domain.offers import (
    Listing,
    Offer,
    Price,
    PriceRules,
    Surcharge,
    cost_of_flexibility,
    ranked_offers,
)
from search.domain.query import StayDates, StaySearch
from search.results.listings import FoundProperty, FoundStays, PricedListing

TODAY = date(2026, 11, 21)
NOON = datetime(2026, 11, 21, 14, 5, tzinfo=UTC)


def euros(amount: str) -> Money:
    return Money(Decimal(amount), "EUR")


def triple(amount: str, currency: str = "EUR", **members: Money | None) -> Price:
    values: dict[str, Money | None] = {"customer": Money(Decimal(amount), currency), "property": None}
    return Price(**{"travel_credit": None, **values, **members})


def search(**changes: Any) -> StaySearch:
    dates = StayDates(date(2026, 12, 3), date(2026, 12, 6))
    values: dict[str, Any] = {"place": "Barcelona", "dates": dates, "guests": 2, "stars": ()}
    return StaySearch(**{**values, "currency": "EUR", "market": "en-gb", **changes})


def facility(code: str) -> Facility:
    return Facility(type=code, description="", availability="ROOM", id="")


def offer(amount: str | None = "390.00", provider: str = "AAA", **changes: Any) -> Offer:
    values: dict[str, Any] = {
        "provider": provider,
        "property_id": f"{provider}-1",
        "rate": "Double room, city view",
        "price": triple(amount) if amount else None,
        "original_price": None,
        "travel_credit": None,
        "deposit": None,
        "payment_mode": "",
        "promo_type": "",
        "discount_percent": 0,
        "surcharges": (Surcharge("TAX_AND_FEES", triple("22.60")),) if amount else (),
        "facilities": (facility("FREE_WIFI"),),
        "free_cancellation": False,
    }
    return Offer(**{**values, **changes})


def building(**changes: Any) -> Property:
    values: dict[str, Any] = {
        "key": "a1b2c3",
        "provider": "AAA",
        "id": "AAA-1",
        "name": "Hotel Miramar",
        "description": "A quiet house by the sea.\nTwo minutes from the beach.",
        "address": "Carrer de Mallorca 401",
        "city": "Barcelona",
        "country": "es",
        "coordinates": Coordinates(41.40363, 2.17436),
        "stars": 4,
        "rating": GuestRating(Decimal("8.4"), "VERY_GOOD"),
        "images": (
            "https://sandbox.invalid/photos/1/facade.svg",
            "https://sandbox.invalid/photos/1/room.svg",
        ),
        "type": "HOTEL",
    }
    return Property(**{**values, **changes})


def priced(
    *offers: Offer, of: StaySearch | None = None, anchor_km: float | None = None, **changes: Any
) -> PricedListing:
    """One listing with its offers ranked; `changes` go to the building."""
    asked = of or search()
    listing = Listing(building(**changes), offers or (offer(),), Distance(Decimal("1.2"), "KM"))
    ranked = ranked_offers(listing, PriceRules(), asked.dates.nights, asked.currency)
    return PricedListing(listing, ranked, cost_of_flexibility(ranked, asked.currency), anchor_km)


def found(*listings: PricedListing, **changes: Any) -> FoundStays:
    values: dict[str, Any] = {
        "listings": listings,
        "total": len(listings),
        "page": 1,
        "page_size": 20,
        "last_page": 1,
        "more": False,
        "fetched_at": NOON,
        "stale": False,
        "anchor": None,
    }
    return FoundStays(**{**values, **changes})


def room_type(**changes: Any) -> RoomType:
    room = Room(
        name="Double room with balcony",
        description="",
        max_occupancy=("2",),
        bed_types=("1 king bed",),
        policies=("No smoking",),
        cancellation_policies=("Free until 2 days before check-in",),
    )
    values: dict[str, Any] = {
        "name": "Double room",
        "description": "Twenty square metres, facing the sea.",
        "images": ("https://sandbox.invalid/photos/1/bath.svg",),
        "facilities": ("Air conditioning", "Desk"),
        "rooms": (room,),
    }
    return RoomType(**{**values, **changes})


def details(**changes: Any) -> PropertyDetails:
    values: dict[str, Any] = {
        "property": building(),
        "check_in_time": ("15:00 – 23:00",),
        "check_out_time": ("11:00",),
        "policies": ("Pets are welcome.",),
        "facilities": ("Swimming pool", "Lift"),
        "accepted_cards": ("Visa", "Mastercard"),
        "room_types": (room_type(),),
    }
    return PropertyDetails(**{**values, **changes})


def airport(**changes: Any) -> Airport:
    values: dict[str, Any] = {
        "code": "BCN",
        "name": "Barcelona El Prat",
        "coordinates": Coordinates(41.2971, 2.0785),
        "base": True,
        "country": "es",
        "region": "CATALUNYA",
        "city": "BARCELONA",
        "currency": "EUR",
        "routes": (),
        "seasonal_routes": (),
        "categories": ("CTY",),
        "priority": 1,
    }
    return Airport(**{**values, **changes})


def found_property(listing: PricedListing | None = None, **changes: Any) -> FoundProperty:
    shown = listing or priced()
    values: dict[str, Any] = {
        "provider": "AAA",
        "property_id": "AAA-1",
        "building": shown.listing.property,
        "details": details(),
        "offers": shown.offers,
        "flexibility": shown.flexibility,
        "listing": shown.listing,
        "fetched_at": NOON,
        "stale": False,
        "anchor": None,
        "anchor_km": None,
        "airports": ((airport(), 14.2),),
    }
    return FoundProperty(**{**values, **changes})
