"""`/styleguide/`: every component with named examples, for staff and for DEBUG."""

import time
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from search.domain.context import SearchContext
from search.domain.hotels import Coordinates, Distance, Facility, GuestRating, Property, Room, RoomType
from search.domain.money import Money
from search.domain.offers import Listing, Offer, Price, Surcharge
from search.domain.process import Deadline
from search.domain.query import Refinement, StayDates, StaySearch
from search.domain.site_settings import Site
from search.property.rooms import RoomTypeView, StayWords
from search.results.listings import FoundStays, PricedListing, RefinedResults, priced
from search.results.page import ResultsPage
from search.results.pagination import Coverage, CoverageState
from search.web.links import Head
from search.web.shortcuts import is_staff, read_only

SEARCH = StaySearch(
    place="Barcelona",
    dates=StayDates(date(2030, 5, 1), date(2030, 5, 4)),
    guests=2,
    stars=(),
    currency="EUR",
    market="en-gb",
)
CONTEXT = SearchContext(SEARCH, Refinement(), Site(), date(2030, 4, 1), Deadline(0, time.monotonic))


def _amount(amount: str, currency: str = "EUR", own: Money | None = None) -> Price:
    return Price(Money(Decimal(amount), currency), own)


def _offer(amount: str | None, provider: str, **changes: Any) -> Offer:
    given: dict[str, Any] = {
        "rate": "Double room, courtyard",
        "price": _amount(amount) if amount else None,
        "surcharges": (Surcharge("TAX_AND_FEES", _amount("22.60")),) if amount else (),
        "facilities": tuple(Facility(code, availability="ROOM") for code in ("FREE_WIFI", "POOL", "GYM")),
    }
    return Offer(provider, "1", **{**given, **changes})


def _listing(*offers: Offer, **changes: Any) -> PricedListing:
    given: dict[str, Any] = {
        "name": "Hotel Miramar",
        "address": "Carrer de Mallorca 401",
        "city": "Barcelona",
        "country": "es",
        "coordinates": Coordinates(41.40363, 2.17436),
        "stars": 4,
        "rating": GuestRating(Decimal("8.4"), "VERY_GOOD"),
        "images": ("https://sandbox.invalid/photos/1/facade.svg",),
        "type": "HOTEL",
    }
    building = Property(changes.pop("key", "sample"), "AAA", "1", **{**given, **changes})
    return priced(Listing(building, offers, Distance(Decimal("1.2"), "KM")), CONTEXT)


def listings() -> dict[str, PricedListing]:
    """A listing for each named example."""
    discounted = {"original_price": _amount("433.33"), "discount_percent": 10}
    return {
        "Everything": _listing(
            _offer("390.00", "AAA", **discounted, credit=_amount("19.50").customer, payment_mode="PAY_LATER"),
            _offer("404.00", "BBB", free_cancellation=True),
        ),
        "Charged in another currency": _listing(
            _offer("390.00", "AAA", price=_amount("390.00", own=Money(Decimal("351.00"), "GBP"))), key="own"
        ),
        "A surcharge that can't be added": _listing(
            _offer("390.00", "AAA", surcharges=(Surcharge("CITY_TAX", _amount("120", "MAD")),)), key="apart"
        ),
        "No price, no picture, no rating": _listing(
            _offer(None, "AAA"), key="bare", images=(), rating=None, stars=None, coordinates=None
        ),
        "A right-to-left name": _listing(
            _offer("210.00", "AAA"), key="rtl", name="فندق شاطئ البحر", address="شارع الكورنيش ١٢", city=""
        ),
        "A very long name": _listing(
            _offer("99.90", "AAA"), key="long", name="The Grand Old Harbour House & Conference Centre " * 3
        ),
    }


def room_type() -> RoomType:
    rooms = tuple(
        Room(name, "", ("2",), ("1 double bed",), ("No smoking",), (cancellation,))
        for name, cancellation in (
            ("Flexible", "Free until two days before arrival."),
            ("Saver", "Non-refundable."),
        )
    )
    images = tuple(f"https://sandbox.invalid/photos/1/{kind}.svg" for kind in ("room", "bath"))
    return RoomType("Double room", "Facing the courtyard.", images, ("Desk", "Kettle"), rooms)


def page() -> dict[str, Any]:
    """Parameters of styleguide.html."""
    samples = listings()
    fetched_at = datetime(2030, 4, 1, 14, 5, tzinfo=UTC)
    coverage = Coverage(CoverageState.COMPLETE, 236, 236, 236)
    stays = FoundStays(
        listings=tuple(samples.values()),
        total=236,
        page=3,
        last_page=12,
        fetched_at=fetched_at,
        stale=True,
        refined=RefinedResults(CONTEXT.sort, coverage, 236, facets=(), histogram=None, drops=()),
    )
    results = ResultsPage.build(CONTEXT, stays)
    return {
        "head": Head(title="Style", robots="noindex"),
        "results": results,
        "cards": tuple(zip(samples, results.cards, strict=True)),
        "room_type": RoomTypeView.of(room_type(), StayWords.of(CONTEXT, dated=True)),
    }


@read_only
def styleguide(request: HttpRequest) -> HttpResponse:
    if not (settings.DEBUG or is_staff(request)):
        raise Http404
    return render(request, "styleguide.html", {"page": page()})
