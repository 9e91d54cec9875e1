"""A cached gateway over a scripted client, with a clock the test moves."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.cache import cache

from search.domain.deadline import Deadline
from search.domain.hotels import Airport, Property, PropertyDetails
from search.domain.money import Money
from search.domain.offers import Listing, Offer, Price, SearchPage
from search.domain.query import StayDates, StaySearch
from search.domain.site_settings import CategoriesStyle
from search.gateway.cache import CachedGateway, FreshTimes
from search.gateway.cache_store import CachedValue

ROME = StaySearch("Rome", StayDates(date(2030, 5, 1), date(2030, 5, 4)), 2, (4, 5), "EUR", "en-gb")
START = datetime(2030, 1, 1, 14, 5, tzinfo=UTC)


def page_of(price: str) -> SearchPage:
    """A page whose one offer has this price; which fetch an answer came from shows in it."""
    money = Money(Decimal(price), "EUR")
    building = Property("k", "TST", "p1", "東京 Inn", "", "", "Rome", "it", None, 4, None, (), "HOTEL")
    offer = Offer(
        provider="TST",
        property_id="p1",
        rate="Double",
        price=Price(money, None, None),
        original_price=None,
        travel_credit=None,
        deposit=None,
        payment_mode="",
        promo_type="",
        discount_percent=0,
        surcharges=(),
        facilities=(),
        free_cancellation=False,
    )
    return SearchPage((Listing(building, (offer,), None),), 1, 1)


@dataclass
class ScriptedClient:
    """Answers with the number of the call as the price, or fails as told."""

    failure: Exception | None = None
    calls: int = 0
    gate: threading.Event | None = None
    told: Callable[[Deadline], None] = lambda deadline: None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def search(self, search: StaySearch, *, deadline: Deadline, **parts: Any) -> SearchPage:
        self.told(deadline)
        return page_of(f"{self._call()}.10")

    def details(self, provider: str, property_id: str, search: StaySearch, **parts: Any) -> PropertyDetails:
        self._call()
        building = page_of("1").listings[0].property
        return PropertyDetails(building, ("15:00",), (), (), (), (), ())

    def airports(self, **parts: Any) -> tuple[Airport, ...]:
        self._call()
        return (Airport("FCO", "Rome", None, True, "it", "", "ROME", "EUR", (), (), (), 1),)

    def _call(self) -> int:
        with self.lock:
            self.calls += 1
            number = self.calls
        if self.gate is not None:
            self.gate.wait(5)
        if self.failure is not None:
            raise self.failure
        return number


class Recording:
    """A store that remembers its keys and values."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def get(self, key: str) -> Any:
        return self.values.get(key)

    def set(self, key: str, value: Any, timeout: float | None) -> None:
        self.values[key] = value

    def add(self, key: str, value: Any, timeout: float | None) -> bool:
        return self.values.setdefault(key, value) is value

    def delete(self, key: str) -> None:
        self.values.pop(key, None)


class Inline:
    """Work behind a page that the test lets happen when it wants to."""

    def __init__(self) -> None:
        self.jobs: dict[str, Callable[[], None]] = {}

    def start(self, name: str, job: Callable[[], None]) -> bool:
        return self.jobs.setdefault(name, job) is job

    def run(self) -> None:
        jobs, self.jobs = self.jobs, {}
        for job in jobs.values():
            job()


@dataclass
class Setting:
    """Everything around one cached gateway."""

    client: ScriptedClient = field(default_factory=ScriptedClient)
    background: Inline = field(default_factory=Inline)
    fresh: FreshTimes = field(default_factory=lambda: FreshTimes(search=300, details=300, airports=300))
    store: Any = field(default_factory=lambda: cache)
    base_url: str = "https://one.example"
    elapsed: float = 0.0

    def now(self) -> datetime:
        return START + timedelta(seconds=self.elapsed)

    def gateway(self, **parts: Any) -> CachedGateway:
        return CachedGateway(
            self.client,
            self.store,
            base_url=self.base_url,
            fresh=lambda: self.fresh,
            now=self.now,
            background=self.background,
            **parts,
        )


def ask(
    gateway: CachedGateway, search: StaySearch = ROME, patience: float = 3.0, **parts: Any
) -> CachedValue[Any]:
    chosen = {"page": 0, "size": 20, "categories_style": CategoriesStyle.COMMA, **parts}
    return gateway.search(search, deadline=Deadline(patience, time.monotonic), **chosen)


def price_of(answer: CachedValue[Any]) -> str:
    return str(answer.value.listings[0].offers[0].price.customer.amount)


@pytest.fixture
def setting() -> Setting:
    return Setting()
