"""Counts of gateway calls and of what listings lack: for Prometheus since the start, and by day in the cache
for the staff panel; one entry of the cache a day, to which each process adds every `PUBLISH_SECONDS`."""

import os
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date, datetime, timedelta
from functools import partial
from threading import Lock
from typing import Any, Self, cast

import msgspec
from cachetools import LRUCache
from django.conf import settings
from django.core.cache import cache
from django.utils.timezone import localdate
from prometheus_client import Counter, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from search.domain import process
from search.domain.offers import Listing, before_discount, usable_price
from search.domain.process import Process
from search.domain.words import CodeKind
from search.gateway import factory
from search.gateway.cache import CachedValue
from search.gateway.factory import build_safe_store
from search.gateway.search_page import SearchPage
from search.gateway.transport import CallLog, CallRecord

PUBLISH_SECONDS = 5.0
KEPT_DAYS = 7
KEPT_CALLS = 50
# Of a page of results. A sample tells what listings lack, and each is read whole for it.
SAMPLE = 5
KEPT_VALUES = 500
# A gateway that invents codes and providers must not fill our memory.
MOST_GROUPS = 60
MOST_NAMES = 400
MOST_LETTERS = 80
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


class Call(msgspec.Struct, frozen=True):
    """One gateway call; `at` is in seconds since the epoch."""

    endpoint: str
    outcome: str
    ms: int
    at: float


class Report(msgspec.Struct):
    """A day of all processes: the last calls, values by where they came from; of each provider what its
    properties and offers lack, of each kind of code how often each was met."""

    day: date
    processes: set[str] = set()
    calls: list[Call] = []
    failed: int = 0
    values: dict[str, int] = {}
    quality: dict[str, dict[str, int]] = {}
    codes: dict[str, dict[str, int]] = {}

    @property
    def made(self) -> int:
        return self.values.get("miss", 0)

    @property
    def error_rate(self) -> float | None:
        """Failed calls per call made; None before the first."""
        return self.failed / self.made if self.made else None

    @property
    def hit_rate(self) -> float | None:
        """The share of values served without a call of their own; None before the first."""
        return 1 - self.made / sum(self.values.values()) if self.values else None

    def add(self, other: Self) -> None:
        self.processes |= other.processes
        self.calls = sorted([*self.calls, *other.calls], key=lambda call: call.at)[-KEPT_CALLS:]
        self.failed += other.failed
        for source, times in other.values.items():
            self.values[source] = self.values.get(source, 0) + times
        for table, others in ((self.quality, other.quality), (self.codes, other.codes)):
            for group, counts in others.items():
                _count(table, group, counts)

    def add_listing(self, listing: Listing) -> None:
        described = listing.property
        of_property = {
            "properties": 1,
            "without_picture": not described.images,
            "without_coordinates": described.coordinates is None,
            "without_rating": described.rating is None or described.rating.value is None,
        }
        _count(self.quality, described.provider, of_property)
        _count(self.codes, CodeKind.PROPERTY_TYPE, {described.type: 1})
        if described.rating:
            _count(self.codes, CodeKind.RATING, {described.rating.code: 1})
        for offer in listing.offers:
            without_price, claimed = usable_price(offer.price) is None, offer.discount_percent > 0
            odd = claimed and not without_price and before_discount(offer) is None
            of_offer = {
                "offers": 1,
                "without_price": without_price,
                "discounts": claimed,
                "odd_discounts": odd,
            }
            _count(self.quality, offer.provider, of_offer)
            _count(self.codes, CodeKind.PAYMENT_MODE, {offer.payment_mode: 1})
            _count(self.codes, CodeKind.PROMO_TYPE, {offer.promo_type: 1})
            for surcharge in offer.surcharges:
                _count(self.codes, CodeKind.SURCHARGE, {surcharge.kind: 1})
            for facility in offer.facilities:
                _count(self.codes, CodeKind.FACILITY, {facility.type: 1})


def _count(table: dict[str, dict[str, int]], group: str, counts: Mapping[str, int]) -> None:
    """Add to the counts of a group, as far as there is room."""
    if group not in table and len(table) >= MOST_GROUPS:
        return
    group_counts = table.setdefault(str(group), {})
    for name, times in counts.items():
        has_room = name in group_counts or len(group_counts) < MOST_NAMES
        if 0 < len(name) <= MOST_LETTERS and has_room:
            group_counts[name] = group_counts.get(name, 0) + times


_REPORTS = msgspec.msgpack.Decoder(Report)


class Observer:
    """Counts calls, cached values and their contents."""

    def __init__(self) -> None:
        self._lock, self._publishing = Lock(), Lock()
        self._noted: LRUCache[datetime, bool] = LRUCache(KEPT_VALUES)
        self._due = float("-inf")
        self._pending = Report(localdate())
        self.latest: dict[str, str] = {}
        """How the last call of each kind ended here."""

    def record(self, record: CallRecord) -> None:
        """Count one record of the gateway's call log."""
        with self._lock:
            report = self._pending
            if record.cache == "garbled":
                GARBLED.labels(record.endpoint, record.outcome.removeprefix("garbled ")).inc()
            else:
                report.values[record.cache] = report.values.get(record.cache, 0) + 1
                VALUES.labels(record.endpoint, record.cache).inc()
            if record.cache == "miss":
                CALLS.labels(record.endpoint, record.outcome.replace(" ", "-")).inc()
                CALL_SECONDS.labels(record.endpoint).observe(record.ms / 1000)
            if record.cache in ("miss", "garbled"):
                self.latest[record.endpoint] = record.outcome
                call = Call(record.endpoint, record.outcome, record.ms, time.time())
                report.calls = [*report.calls[1 - KEPT_CALLS :], call]
                report.failed += record.outcome != "ok"
        self._publish_if_due()

    def count_page(self, page: CachedValue[SearchPage]) -> None:
        """Count what the first listings on a page of results have, once for each fetch."""
        with self._lock:
            if page.fetched_at in self._noted:
                return
            self._noted[page.fetched_at] = True
            for entry in page.value.entries[:SAMPLE]:
                self._pending.add_listing(entry.listing)
        self._publish_if_due()

    def _publish_if_due(self) -> None:
        if time.monotonic() >= self._due:
            self.publish()

    def publish(self) -> None:
        """Add what was counted to the day's entry of the cache, unless another one does that just now."""
        self._due = time.monotonic() + PUBLISH_SECONDS
        store, day = process.part(build_safe_store), localdate()
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


def reports(days: int) -> list[Report]:
    """A report of each of the last days, today's last; an empty one of a day without, or without a cache."""
    publish_pending()
    last = [localdate() - timedelta(days=back) for back in reversed(range(days))]
    entries = process.part(build_safe_store).get_many([_key(day) for day in last])
    return [_decoded(entries.get(_key(day))) or Report(day) for day in last]


def merged(reports: list[Report]) -> Report:
    """One report of many days."""
    whole = Report(reports[-1].day)
    for report in reports:
        whole.add(report)
    return whole


def _decoded(entry: Any) -> Report | None:
    """None for an entry of another version, and for none."""
    with suppress(msgspec.DecodeError, TypeError):
        return _REPORTS.decode(entry)
    return None
