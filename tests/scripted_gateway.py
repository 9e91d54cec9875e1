"""A gateway that answers as a test says: any total, any page, failures, and waits until it is let go."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from threading import Condition, Event
from typing import Any, cast
from urllib.parse import parse_qs

import msgspec
from django.core.cache import cache
from django.utils import timezone

from search.domain.hotels import Coordinates, GuestRating
from search.domain.money import Money
from search.domain.offers import Listing, Offer, Price
from search.domain.process import Deadline
from search.domain.query import ALL_STARS
from search.gateway import GatewayError, Unavailable
from search.gateway.cache import CachedGateway, CachedValues
from search.gateway.resilience import Background, Clock
from search.gateway.search_page import SearchPage
from search.gateway.transport import Call, CallLog, Transport
from tests import builders as build

NOW = datetime(2030, 4, 1, 12, 0, tzinfo=UTC)
# How long a test waits for a thread before it gives up.
LONG = 10.0


def listing(number: int, *, total: int | None = None, provider: str = "HB", free: bool = False) -> Listing:
    """Property `number`; totals fall and rise with the number, so that no order is the gateway's own."""
    amount = total if total is not None else 100 + (number * 37) % 101
    offer = build.offer(
        str(amount), provider, property_id=f"p{number}", free_cancellation=free, surcharges=(), facilities=()
    )
    building = build.building(
        key=f"k{number}",
        provider=provider,
        id=f"p{number}",
        name=f"Hotel {number}",
        city="Rome",
        country="it",
        coordinates=Coordinates(41.9 + number / 10_000, 12.5),
        stars=1 + number % 5,
        rating=GuestRating(Decimal(number % 10), "GOOD"),
    )
    return Listing(building, (offer,), None)


def page_of(numbers: range | list[int], total: int | None) -> SearchPage:
    return build.search_page(tuple(listing(number) for number in numbers), total, len(numbers))


def honest(count: int, total: int | None = None) -> Callable[[int, int], SearchPage]:
    """`count` properties in a stable order; says there are `total` (as many as there are, unless told)."""
    return lambda page, size: page_of(
        range(count)[page * size : (page + 1) * size], count if total is None else total
    )


class ScriptedGateway(CachedGateway):
    """The site's own with its cache, on a wire where `script(page, size)` gives the page or raises, `size`
    never above `largest`. `hold` makes every page but the first wait for `release()`; `away` makes all fail.
    Each call is counted; `calls` has its page and stars."""

    def __init__(
        self, script: Callable[[int, int], SearchPage], *, hold: bool = False, largest: int = 50
    ) -> None:
        clock = Clock(now=lambda: timezone.now())
        values = CachedValues(cache, "https://scripted.example", clock)
        super().__init__(cast(Transport, self), values, CallLog(), Background(), clock)
        self.script = script
        self.largest = largest
        self.away = False
        self.resting: GatewayError | None = None
        self.calls: list[tuple[int, tuple[int, ...]]] = []
        self.most_at_once = 0
        self._at_once = 0
        self._changed = Condition()
        self._gate = Event()
        if not hold:
            self._gate.set()

    def hold(self) -> None:
        self._gate.clear()

    def release(self) -> None:
        self._gate.set()

    def wait_until_waiting(self, calls: int) -> None:
        """Until this many calls are in flight at once."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._at_once >= calls, LONG), "too few calls came"

    def in_another_process(self) -> ScriptedGateway:
        """The same gateway, asked by a process that shares the cache and nothing else."""
        beside = ScriptedGateway(lambda page, size: self.script(page, size), largest=self.largest)
        beside.calls, beside._gate = self.calls, self._gate
        return beside

    @property
    def pages(self) -> list[int]:
        """The pages asked for, in no particular order."""
        return sorted(page for page, _stars in self.calls)

    def immediate_failure(self, _endpoint: str) -> GatewayError | None:
        return self.resting

    def failing(self, _endpoint: str) -> bool:
        return self.resting is not None

    def get(self, call: Call, _deadline: Deadline) -> bytes:
        if call.endpoint == "airports":
            return b"[]"
        asked = parse_qs(call.query)
        page, size = int(asked["page"][0]), int(asked["size"][0])
        stars = tuple(int(star) for spelled in asked["categories"] for star in spelled.split(","))
        with self._changed:
            self.calls.append((page, () if stars == ALL_STARS else stars))
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            self._changed.notify_all()
        try:
            if page:
                assert self._gate.wait(LONG), "the test never released the gateway"
            if self.away or self.resting:
                raise (self.resting or Unavailable("connection")).afresh()
            return document_of(self.script(page, min(size, self.largest)))
        finally:
            with self._changed:
                self._at_once -= 1


def document_of(page: SearchPage) -> bytes:
    """The page as a gateway sends it."""
    entries = [_entry(one) for one in page.listings]
    entries += [{}] * (page.received - len(entries))
    total = {} if page.total is None else {"Total": page.total}
    return _encoder.encode({"results": entries, **total})


_encoder = msgspec.json.Encoder(decimal_format="number")


def _entry(listing: Listing) -> dict[str, Any]:
    building, distance = listing.property, listing.distance
    at, rating = building.coordinates, building.rating
    summary = {
        "providerId": building.provider,
        "ryanairId": building.key,
        "id": building.id,
        "name": building.name,
        "description": building.description,
        "address": building.address,
        "location": {"city": building.city},
        "countryCode": building.country,
        "coordinates": at and {"latitude": at.latitude, "longitude": at.longitude},
        "category": building.stars,
        "rating": rating and {"value": rating.value, "code": rating.code},
        "images": list(building.images),
        "propertyType": building.type,
    }
    return {
        "propertySummary": summary,
        "distance": distance and {"value": distance.value, "unit": distance.unit},
        "offers": [_offer(one) for one in listing.offers],
    }


def _offer(offer: Offer) -> dict[str, Any]:
    return {
        "providerId": offer.provider,
        "providerPropertyId": offer.property_id,
        "freeCancellation": offer.free_cancellation,
        "facilities": [
            {"description": one.description, "type": one.type, "availability": one.availability}
            for one in offer.facilities
        ],
        "minPrice": {
            "price": _price(offer.price),
            "travelCredit": {"customerPrice": _money(offer.credit)} if offer.credit else None,
            "originalPrice": _price(offer.original_price),
            "deposit": _price(offer.deposit),
            "paymentMode": offer.payment_mode or None,
            "promoType": offer.promo_type or None,
            "surcharges": [{"type": one.kind, "price": _price(one.price)} for one in offer.surcharges],
            "rateDescription": offer.rate,
            "discountPercentage": offer.discount_percent,
        },
    }


def _price(price: Price | None) -> dict[str, Any] | None:
    if price is None:
        return None
    return {"customerPrice": _money(price.customer), "propertyPrice": _money(price.property)}


def _money(money: Money | None) -> dict[str, Any] | None:
    return money and {"value": money.amount, "currencyCode": money.currency}


def failing(error: GatewayError | None = None) -> Callable[[int, int], SearchPage]:
    def script(_page: int, _size: int) -> SearchPage:
        raise error or Unavailable("connection")

    return script
