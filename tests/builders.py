"""Domain objects for tests: a plausible one of each kind, and how to have it otherwise."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from django.db import connection
from msgspec.structs import replace

from search.domain.context import SearchContext
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
from search.domain.offers import Listing, Offer, Price, Surcharge
from search.domain.process import Deadline
from search.domain.query import Refinement, StayDates, StaySearch
from search.domain.site_settings import Site
from search.gateway.search_page import Entry, SearchPage
from search.results.listings import FoundProperty, FoundStays, PricedListing
from search.results.listings import priced as priced_listing
from search.results.pagination import Coverage, CoverageState

# Columns of a settings row with values that the database holds and nobody can read: SQLite stores any type,
# PostgreSQL days that Python doesn't have.
UNREADABLE = (
    [("banner_until", "2030-99-99"), ("page_size", "banana"), ("site_name", b"\xff\xfe")]
    if connection.vendor == "sqlite"
    else [("banner_until", day) for day in ("infinity", "12030-01-01", "2030-01-01 BC")]
)
UNREADABLE_DAY = UNREADABLE[0][1]
# What a browser says of a form of our own page.
OURS = {"sec-fetch-site": "same-origin"}
TODAY = date(2026, 11, 21)
NOON = datetime(2026, 11, 21, 14, 5, tzinfo=UTC)

DATES = StayDates(date(2026, 12, 3), date(2026, 12, 6))
SEARCH = StaySearch("Barcelona", DATES, guests=2, stars=(), currency="EUR", market="en-gb")


def search(**changes: Any) -> StaySearch:
    return replace(SEARCH, **changes)


def context(
    of: StaySearch = SEARCH, refinement: Refinement | None = None, *, site: Site | None = None, **others: Any
) -> SearchContext:
    """`others`: the day, the deadline, the anchor."""
    values: dict[str, Any] = {"today": TODAY, "deadline": Deadline(10, time.monotonic), **others}
    return SearchContext(of, refinement or Refinement(), site or Site(), **values)


def euros(amount: str) -> Money:
    return Money(Decimal(amount), "EUR")


def price(amount: str, currency: str = "EUR", **members: Money | None) -> Price:
    return replace(Price(Money(Decimal(amount), currency), property=None), **members)


def facility(code: str) -> Facility:
    return Facility(type=code, description="", availability="ROOM")


OFFER = Offer(
    provider="AAA",
    property_id="AAA-1",
    rate="Double room, city view",
    price=None,
    facilities=(facility("FREE_WIFI"),),
)
TAXES = Surcharge("TAX_AND_FEES", price("22.60"))


def offer(amount: str | None = "390.00", provider: str = "AAA", **changes: Any) -> Offer:
    """An offer at this price and its taxes, or without any price."""
    given: dict[str, Any] = {"provider": provider, "property_id": f"{provider}-1"}
    if amount:
        given |= {"price": price(amount), "surcharges": (TAXES,)}
    return replace(OFFER, **{**given, **changes})


PROPERTY = Property(
    key="a1b2c3",
    provider="AAA",
    id="AAA-1",
    name="Hotel Miramar",
    description="A quiet house by the sea.\nTwo minutes from the beach.",
    address="Carrer de Mallorca 401",
    city="Barcelona",
    country="es",
    coordinates=Coordinates(41.40363, 2.17436),
    stars=4,
    rating=GuestRating(Decimal("8.4"), "VERY_GOOD"),
    images=("https://sandbox.invalid/photos/1/facade.svg", "https://sandbox.invalid/photos/1/room.svg"),
    type="HOTEL",
)


def building(**changes: Any) -> Property:
    return replace(PROPERTY, **changes)


def priced(
    *offers: Offer,
    of: StaySearch = SEARCH,
    anchor_km: float | None = None,
    centre_km: float | None = None,
    **changes: Any,
) -> PricedListing:
    """One listing with its offers ranked; `changes` go to the property."""
    listing = Listing(building(**changes), offers or (offer(),), Distance(Decimal("1.2"), "KM"))
    return replace(priced_listing(listing, context(of)), anchor_km=anchor_km, centre_km=centre_km)


def search_page(listings: Iterable[Listing], total: int | None, received: int) -> SearchPage:
    """A page of the gateway with these listings."""
    return SearchPage(tuple(map(Entry.of, listings)), total, received)


def found(*listings: PricedListing, total: int | None = None, **changes: Any) -> FoundStays:
    count = len(listings)
    total = count if total is None else total
    whole = FoundStays(
        listings=listings,
        page=1,
        last_page=1,
        fetched_at=NOON,
        stale=False,
        coverage=Coverage(CoverageState.COMPLETE, count, total, count),
        matching=count,
        facets={},
        histogram=None,
        drops={},
    )
    return replace(whole, **changes)


ROOM_TYPE = RoomType(
    name="Double room",
    description="Twenty square metres, facing the sea.",
    images=("https://sandbox.invalid/photos/1/bath.svg",),
    facilities=("Air conditioning", "Desk"),
    rooms=(
        Room(
            name="Double room with balcony",
            description="",
            max_occupancy=("2",),
            bed_types=("1 king bed",),
            policies=("No smoking",),
            cancellation_policies=("Free until 2 days before check-in",),
        ),
    ),
)


def room_type(**changes: Any) -> RoomType:
    return replace(ROOM_TYPE, **changes)


DETAILS = PropertyDetails(
    property=PROPERTY,
    check_in_time=("15:00 – 23:00",),
    check_out_time=("11:00",),
    policies=("Pets are welcome.",),
    facilities=("Swimming pool", "Lift"),
    accepted_cards=("Visa", "Mastercard"),
    room_types=(ROOM_TYPE,),
)


def details(**changes: Any) -> PropertyDetails:
    return replace(DETAILS, **changes)


AIRPORT = Airport(
    code="BCN",
    name="Barcelona El Prat",
    coordinates=Coordinates(41.2971, 2.0785),
    base=True,
    country="es",
    region="CATALUNYA",
    city="BARCELONA",
    currency="EUR",
    routes=(),
    seasonal_routes=(),
    categories=("CTY",),
    priority=1,
)


def airport(**changes: Any) -> Airport:
    return replace(AIRPORT, **changes)


def found_property(
    listing: PricedListing | None = None,
    *,
    first_day: date | None = None,
    building: Property | None = None,
    listed: bool = True,
    **changes: Any,
) -> FoundProperty:
    """As the page finds it: what the details say on cancelling holds."""
    shown, terms = listing or priced(), changes.get("details", DETAILS)
    by_terms = priced_listing(shown.listing, context(first_day=first_day), terms)
    shown = by_terms if by_terms.listing != shown.listing else shown
    card = replace(shown, listing=Listing(building or shown.listing.property, (), None))
    whole = FoundProperty(
        provider="AAA",
        property_id="AAA-1",
        card=card if listed else replace(card, offers=(), ladder=()),
        details=DETAILS,
        listing=shown.listing if listed else None,
        fetched_at=NOON,
        stale=False,
        airports=((AIRPORT, 14.2),),
    )
    return replace(whole, **changes)
