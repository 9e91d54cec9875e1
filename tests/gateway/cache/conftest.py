"""A cached gateway over a scripted client, with a clock the test moves."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache

from search.domain.process import Deadline
from search.domain.query import StayDates, StaySearch
from search.domain.site_settings import Site
from search.gateway import GatewayError
from search.gateway.cache import CachedGateway, CachedValue, CachedValues
from search.gateway.client import PageQuery
from search.gateway.resilience import Clock
from search.gateway.transport import Call, CallLog
from tests.gateway.documents import (
    a_listing_document,
    a_min_price,
    a_summary,
    an_airport,
    an_entry,
    an_offer,
    details_document,
    encoded,
    triple,
)

ROME = StaySearch("Rome", StayDates(date(2030, 5, 1), date(2030, 5, 4)), 2, (4, 5), "EUR", "en-gb")
START = datetime(2030, 1, 1, 14, 5, tzinfo=UTC)


def page_of(price: str) -> bytes:
    """A page whose one offer has this price; which fetch an answer came from shows in it."""
    offer = an_offer(providerId="TST", minPrice=a_min_price(price=triple("the price"), surcharges=[]))
    entry = an_entry(a_summary(ryanairId="k", name="東京 Inn"), [offer])
    return encoded(a_listing_document(entry, total=1)).replace(b'"the price"', price.encode())


@dataclass
class ScriptedTransport:
    """Answers with its `body`, else with the number of the call as the price, or fails as told."""

    body: bytes | None = None
    failure: Exception | None = None
    resting: GatewayError | None = None
    probed: bool = False
    without_details: bool = False
    without_hotels: int | None = None  # the total beside none
    calls: int = 0
    gate: threading.Event | None = None
    told: Callable[[Deadline], None] = lambda deadline: None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, call: Call, deadline: Deadline) -> bytes:
        self.told(deadline)
        number = self._call()
        if self.body is not None:
            return self.body
        if call.endpoint == "airports":
            return encoded([an_airport()])
        if call.endpoint == "details":
            return encoded({} if self.without_details else details_document())
        if self.without_hotels is None:
            return page_of(f"{number}.10")
        return encoded(a_listing_document(total=self.without_hotels))

    def immediate_failure(self, _endpoint: str) -> GatewayError | None:
        return self.resting

    def failing(self, _endpoint: str) -> bool:
        return self.probed

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

    def get_many(self, keys: list[str]) -> dict[str, Any]:
        return {key: self.values[key] for key in keys if key in self.values}

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
        self.jobs: list[Callable[[], None]] = []

    def start(self, job: Callable[[], None]) -> bool:
        self.jobs.append(job)
        return True

    def run(self) -> None:
        while self.jobs:
            self.jobs.pop(0)()


@dataclass
class Setting:
    """Everything around one cached gateway."""

    client: ScriptedTransport = field(default_factory=ScriptedTransport)
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
        """One search; `patience` is how many seconds it may take, `parts` are of the page."""
        deadline = Deadline(parts.pop("patience", 3.0), time.monotonic)
        site, stale_ok = parts.pop("site", self.site), parts.pop("stale_ok", True)
        query = PageQuery(search, **{"number": 0, "size": 20, **parts})
        return gateway.search(query, site, deadline, stale_ok=stale_ok)


def fresh_for(seconds: int) -> Site:
    return Site(search_fresh_seconds=seconds, details_fresh_seconds=seconds, airports_fresh_seconds=seconds)


def price_of(answer: CachedValue[Any]) -> str:
    return str(answer.value.listings[0].offers[0].price.customer.amount)


@pytest.fixture
def setting() -> Setting:
    return Setting()
