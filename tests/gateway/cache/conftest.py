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

from search.domain.hotels import Airport, Property, PropertyDetails
from search.domain.money import Money
from search.domain.offers import Listing, Offer, Price
from search.domain.process import Deadline
from search.domain.query import StayDates, StaySearch
from search.domain.site_settings import Site
from search.gateway.cache import CachedGateway
from search.gateway.cache_store import CachedValue, CachedValues
from search.gateway.errors import GatewayError
from search.gateway.resilience import Clock
from search.gateway.search_page import SearchPage
from search.gateway.transport import CallLog
from tests import builders as build

ROME = StaySearch("Rome", StayDates(date(2030, 5, 1), date(2030, 5, 4)), 2, (4, 5), "EUR", "en-gb")
START = datetime(2030, 1, 1, 14, 5, tzinfo=UTC)


def page_of(price: str) -> SearchPage:
    """A page whose one offer has this price; which fetch an answer came from shows in it."""
    money = Money(Decimal(price), "EUR")
    building = Property("k", "TST", "p1", "東京 Inn", "", "", "Rome", "it", None, 4, None, (), "HOTEL")
    offer = Offer("TST", "p1", "Double", Price(money))
    return build.search_page((Listing(building, (offer,), None),), 1, 1)


@dataclass
class ScriptedClient:
    """Answers with the number of the call as the price, or fails as told."""

    failure: Exception | None = None
    resting: GatewayError | None = None
    probed: bool = False
    without_details: bool = False
    without_hotels: int | None = None  # the total beside none
    calls: int = 0
    gate: threading.Event | None = None
    told: Callable[[Deadline], None] = lambda deadline: None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def search(self, search: StaySearch, *, deadline: Deadline, **parts: Any) -> SearchPage:
        self.told(deadline)
        found = page_of(f"{self._call()}.10")
        return found if self.without_hotels is None else build.search_page((), self.without_hotels, 0)

    def details(self, provider: str, property_id: str, search: StaySearch, **parts: Any) -> PropertyDetails:
        self._call()
        building = page_of("1").listings[0].property
        if self.without_details:
            return PropertyDetails(building, (), (), (), (), (), (), available=False)
        return PropertyDetails(building, ("15:00",), (), (), (), (), ())

    def immediate_failure(self, _endpoint: str) -> GatewayError | None:
        return self.resting

    def failing(self, _endpoint: str) -> bool:
        return self.probed

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

    seconds = 6.0

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
    site: Site = field(default_factory=lambda: fresh_for(300))
    store: Any = field(default_factory=lambda: cache)
    base_url: str = "https://one.example"
    elapsed: float = 0.0

    def now(self) -> datetime:
        return START + timedelta(seconds=self.elapsed)

    def gateway(self, background: Any = None, **times: Any) -> CachedGateway:
        """A process's gateway; `times` are parts of its clock."""
        clock = Clock(now=self.now, **times)
        return CachedGateway(
            self.client,
            CachedValues(self.store, self.base_url, clock),
            log=CallLog(),
            background=background or self.background,
            clock=clock,
        )

    def ask(self, gateway: CachedGateway, search: StaySearch = ROME, **parts: Any) -> CachedValue[Any]:
        """One search; `patience` is how many seconds it may take."""
        deadline = Deadline(parts.pop("patience", 3.0), time.monotonic)
        return gateway.search(
            search, **{"page": 0, "size": 20, "site": self.site, "deadline": deadline, **parts}
        )


def fresh_for(seconds: int) -> Site:
    return Site(search_fresh_seconds=seconds, details_fresh_seconds=seconds, airports_fresh_seconds=seconds)


def price_of(answer: CachedValue[Any]) -> str:
    return str(answer.value.listings[0].offers[0].price.customer.amount)


@pytest.fixture
def setting() -> Setting:
    return Setting()
