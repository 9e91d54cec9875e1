"""Counts of gateway calls and of what listings lack: for Prometheus since the start, and by day in the cache
for the staff panel; one entry of the cache a day, to which each process adds every `PUBLISH_SECONDS`."""

import os
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from functools import partial
from threading import Lock
from typing import Any, Self, cast

import msgspec
from cachetools import LRUCache
from django.conf import settings
from django.core.cache import cache
from django.utils.timezone import localdate
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from search.domain import process
from search.domain.offers import Listing, Offer, before_discount, usable_price
from search.domain.process import Process
from search.domain.vocabulary import CodeKind
from search.gateway import factory
from search.gateway.cache import CachedValue
from search.gateway.factory import build_safe_store
from search.gateway.search_page import SearchPage
from search.gateway.transport import CallLog, CallRecord

# A gateway that invents codes must not fill our memory.
MAX_CODES = 400
MAX_PROVIDERS = 60
MAX_CODE_LENGTH = 80


class ProviderQuality(msgspec.Struct):
    """Counts over the properties a provider describes and the offers it makes."""

    properties: int = 0
    without_picture: int = 0
    without_coordinates: int = 0
    without_rating: int = 0
    offers: int = 0
    without_price: int = 0
    discounts: int = 0
    odd_discounts: int = 0


class ListingTally(msgspec.Struct):
    """Quality by provider, and how often each code of each kind was met."""

    providers: dict[str, ProviderQuality] = {}
    codes: dict[str, dict[str, int]] = {}

    def add(self, listings: Iterable[Listing]) -> None:
        for listing in listings:
            described = listing.property
            self._count(
                described.provider,
                properties=1,
                without_picture=not described.images,
                without_coordinates=described.coordinates is None,
                without_rating=described.rating is None or described.rating.value is None,
            )
            for offer in listing.offers:
                self._add_offer(offer)
            for kind, code in _codes(listing):
                self._add_code(kind, code, 1)

    def _add_offer(self, offer: Offer) -> None:
        without, claimed = usable_price(offer.price) is None, offer.discount_percent > 0
        odd = claimed and not without and before_discount(offer) is None
        self._count(offer.provider, offers=1, without_price=without, discounts=claimed, odd_discounts=odd)

    def merge(self, other: Self) -> None:
        for provider, quality in other.providers.items():
            self._count(provider, **msgspec.structs.asdict(quality))
        for kind, codes in other.codes.items():
            for code, count in codes.items():
                self._add_code(kind, code, count)

    def _count(self, provider: str, **counts: int) -> None:
        if provider in self.providers or len(self.providers) < MAX_PROVIDERS:
            quality = self.providers.setdefault(provider, ProviderQuality())
            for name, count in counts.items():
                setattr(quality, name, getattr(quality, name) + count)

    def _add_code(self, kind: str, code: str, count: int) -> None:
        if not code or len(code) > MAX_CODE_LENGTH:
            return
        codes = self.codes.setdefault(str(kind), {})
        if code in codes or len(codes) < MAX_CODES:
            codes[code] = codes.get(code, 0) + count


def _codes(listing: Listing) -> Iterator[tuple[CodeKind, str]]:
    """Every code of a listing and its kind."""
    yield CodeKind.PROPERTY_TYPE, listing.property.type
    if listing.property.rating:
        yield CodeKind.RATING, listing.property.rating.code
    for offer in listing.offers:
        yield CodeKind.PAYMENT_MODE, offer.payment_mode
        yield CodeKind.PROMO_TYPE, offer.promo_type
        yield from ((CodeKind.SURCHARGE, one.kind) for one in offer.surcharges)
        yield from ((CodeKind.FACILITY, one.type) for one in offer.facilities)


PUBLISH_SECONDS = 5.0
KEPT_DAYS = 7
KEPT_CALLS = 50
# Of a page of results. A sample tells what listings lack, and each is read whole for it.
SAMPLE = 5
KEPT_VALUES = 500
SERVED_WITHOUT_A_CALL = ("hit", "stale", "joined")
# Asked for once: each time, all threads that count calls would wait while the system is asked.
_HOST = socket.gethostname()

CALLS = Counter("hotelsite_gateway_calls", "Gateway calls by their outcome", ["endpoint", "outcome"])
GARBLED = Counter(
    "hotelsite_gateway_garbled", "Answers that came and are not what the interface says", ["endpoint", "kind"]
)
CALL_SECONDS = Histogram(
    "hotelsite_gateway_call_duration_seconds",
    "Time of gateway calls, failed ones too",
    ["endpoint"],
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2, 3, 4, 5, 6, 8),
)
VALUES = Counter(
    "hotelsite_gateway_values", "Values asked for: miss (a call), hit, stale, joined", ["endpoint", "source"]
)
_of_live = partial(Gauge, multiprocess_mode="livesum")
OPEN_BREAKERS = _of_live(
    "hotelsite_gateway_open_breakers", "Processes whose circuit breaker is not closed", ["endpoint"]
)
CALLS_IN_PROGRESS = _of_live("hotelsite_gateway_calls_in_progress", "Calls now")
CALLERS_WAITING = _of_live("hotelsite_gateway_callers_waiting", "Callers waiting for a place of the bulkhead")
COLLECTIONS = _of_live("hotelsite_collections_in_progress", "Full results being fetched")
SHARED_LINKS = Counter("hotelsite_shared_links", "Links made", ["kind"])
LINK_OPENS = Counter("hotelsite_shared_link_opens", "Opens of links, a visitor's repeats apart")

SEEN_AGAIN = Counter(
    "hotelsite_totals_seen_again",
    "Lowest totals looked at again, by the provider of the first look and whether they differed",
    ["provider", "differed"],
)
HAND_OVERS = Counter("hotelsite_hand_overs", "Visitors who went on to a provider", ["provider"])


CACHE = CollectorRegistry()


def cache_usage() -> dict[str, float] | None:
    """How full the cache's file is; None of a cache that doesn't tell, as a server has figures of its own."""
    try:
        return cast("dict[str, float]", cast(Any, cache).usage())
    except Exception:  # each backend raises errors of its own, and most don't know the question
        return None


class CacheUsage(Collector):
    """The file's figures for Prometheus, read when it asks."""

    def collect(self) -> Iterator[GaugeMetricFamily | CounterMetricFamily]:
        if usage := cache_usage():
            age = time.time() - usage["oldest_at"]
            yield GaugeMetricFamily("hotelsite_cache_bytes", "Used of CACHE_MAX_BYTES", usage["bytes"])
            yield GaugeMetricFamily("hotelsite_cache_entries", "Entries of the cache", usage["entries"])
            yield GaugeMetricFamily("hotelsite_cache_oldest_seconds", "Age of the oldest entry", age)
            yield CounterMetricFamily("hotelsite_cache_evicted", "Dropped in their time", usage["evicted"])


CACHE.register(CacheUsage())


class Call(msgspec.Struct, frozen=True):
    """One gateway call; `at` is in seconds since the epoch."""

    endpoint: str
    outcome: str
    ms: int
    at: float


class Report(msgspec.Struct):
    """A day of all processes: the last calls, values by where they came from, what was in them."""

    day: date
    processes: set[str] = set()
    calls: list[Call] = []
    made: int = 0
    failed: int = 0
    answers: dict[str, int] = {}
    seen: ListingTally = msgspec.field(default_factory=ListingTally)

    @classmethod
    def merged(cls, reports: Iterable[Self], day: date) -> Self:
        """One report of many days."""
        whole = cls(day)
        for report in reports:
            whole.add(report)
        return whole

    @property
    def error_rate(self) -> float | None:
        """Failed calls per call made; None before the first."""
        return self.failed / self.made if self.made else None

    @property
    def hit_rate(self) -> float | None:
        """The share of values served without a call of their own; None before the first."""
        asked = sum(self.answers.values())
        return sum(self.answers.get(source, 0) for source in SERVED_WITHOUT_A_CALL) / asked if asked else None

    def add(self, other: Self) -> None:
        self.processes |= other.processes
        self.calls = sorted([*self.calls, *other.calls], key=lambda call: call.at)[-KEPT_CALLS:]
        self.made += other.made
        self.failed += other.failed
        for source, count in other.answers.items():
            self.answers[source] = self.answers.get(source, 0) + count
        self.seen.merge(other.seen)


_REPORTS = msgspec.msgpack.Decoder(Report)


class Observer:
    """Counts calls, cached values and their contents. `now` counts seconds since the epoch."""

    def __init__(
        self, now: Callable[[], float] = time.time, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._now = now
        self._clock = clock
        self._lock, self._publishing = Lock(), Lock()
        self._noted: LRUCache[datetime, bool] = LRUCache(KEPT_VALUES)
        self._due = float("-inf")
        self._pending = Report(_day(now()))
        self.latest: dict[str, str] = {}
        """How the last call of each kind ended here."""

    def record(self, record: CallRecord) -> None:
        """Count one record of the gateway's call log."""
        with self._lock:
            report = self._pending
            if record.cache == "garbled":
                GARBLED.labels(record.endpoint, record.outcome.removeprefix("garbled ")).inc()
                report.failed += 1
                self._keep(record)
                return
            report.answers[record.cache] = report.answers.get(record.cache, 0) + 1
            VALUES.labels(record.endpoint, record.cache).inc()
            if record.cache == "miss":
                CALLS.labels(record.endpoint, record.outcome.replace(" ", "-")).inc()
                CALL_SECONDS.labels(record.endpoint).observe(record.ms / 1000)
                self._keep(record)
                report.made += 1
                report.failed += record.outcome != "ok"
        self._publish_if_due()

    def _keep(self, record: CallRecord) -> None:
        self.latest[record.endpoint] = record.outcome
        call = Call(record.endpoint, record.outcome, record.ms, self._now())
        self._pending.calls = [*self._pending.calls[1 - KEPT_CALLS :], call]

    def count_page(self, page: CachedValue[SearchPage]) -> None:
        """Count what the first listings on a page of results have, once for each fetch."""
        with self._lock:
            if page.fetched_at in self._noted:
                return
            self._noted[page.fetched_at] = True
            self._pending.seen.add([entry.listing for entry in page.value.entries[:SAMPLE]])
        self._publish_if_due()

    def _publish_if_due(self) -> None:
        if self._clock() >= self._due:
            self.publish()

    def publish(self) -> None:
        """Add what was counted to the day's entry of the cache, unless another one does that just now."""
        self._due = self._clock() + PUBLISH_SECONDS
        store, day = process.part(build_safe_store), _day(self._now())
        if not self._publishing.acquire(blocking=False):
            return
        try:
            if give_back := store.claim(_key(day)):
                with self._lock:
                    pending, self._pending = self._pending, Report(day)
                pending.processes = {f"{_HOST}:{os.getpid()}"}
                report = _decoded(store.get(_key(day))) or Report(day)
                report.add(pending)
                store.set(_key(day), msgspec.msgpack.encode(report), KEPT_DAYS * 86_400)
                give_back()
        finally:
            self._publishing.release()


def _day(seconds: float) -> date:
    return localdate(datetime.fromtimestamp(seconds, UTC))


def _key(day: date) -> str:
    """The cache's key of a report about this gateway."""
    return f"observed:{settings.GATEWAY_BASE_URL}:{day.isoformat()}"


def observe(started: Process) -> None:
    """Count each record of the call log of this process."""
    started.part(CallLog).listen(started.part(Observer).record)


def set_gauges(**_signal: Any) -> None:
    """Set the gauges of this process's gateway, after each request."""
    status = factory.status()
    for endpoint, state in status.breakers.items():
        OPEN_BREAKERS.labels(endpoint).set(state != "closed")
    CALLS_IN_PROGRESS.set(status.in_flight)
    CALLERS_WAITING.set(status.waiting)


def count_page(page: CachedValue[SearchPage]) -> None:
    """Count what is on a page of results; cheap for one that was counted before."""
    process.part(Observer).count_page(page)


def publish_pending() -> None:
    """Put what this process has counted and not published yet into the cache."""
    process.part(Observer).publish()


def reports(days: Iterable[date]) -> list[Report]:
    """The reports of those days that have one; none while the cache is away."""
    process.part(Observer).publish()
    entries = process.part(build_safe_store).get_many([_key(day) for day in days])
    return [report for report in map(_decoded, entries.values()) if report]


def _decoded(entry: Any) -> Report | None:
    """None for an entry of another version, and for none."""
    with suppress(msgspec.DecodeError, TypeError):
        return _REPORTS.decode(entry)
    return None


def last_days(count: int) -> list[date]:
    """Today and the days before it, by the clock that days of reports are counted with."""
    today = _day(time.time())
    return [today - timedelta(days=back) for back in range(count)]
