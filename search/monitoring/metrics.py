"""What this process saw of the gateway today, put where the staff panel of any process can read it.

Nothing of it touches the database: a visitor's page writes at most one entry to the cache, every
`PUBLISH_SECONDS`.
"""

from __future__ import annotations

import logging
import os
import socket
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, timedelta
from threading import Lock
from typing import Any

import msgspec
from django.core.cache import cache

from search.domain.offers import SearchPage
from search.gateway.cache_store import CachedValue

from .data_quality import Seen

PUBLISH_SECONDS = 5.0
# A cache that doesn't answer is left alone for a while: it costs a page its patience each time.
PUBLISH_AFTER_FAILURE_SECONDS = 60.0
KEPT_DAYS = 7
KEPT_CALLS = 50
KEPT_ANSWERS = 500
SLOTS = 256


class Call(msgspec.Struct, frozen=True):
    """One gateway call. `outcome` is ok or a kind of failure, `at` seconds since the epoch."""

    endpoint: str
    outcome: str
    ms: int
    at: float


class Report(msgspec.Struct):
    """One process's day: last calls (newest last), answers by where they came from, what was in them."""

    process: str
    day: date
    updated: float = 0.0
    calls: list[Call] = []
    made: int = 0
    failed: int = 0
    answers: dict[str, int] = {}
    seen: Seen = msgspec.field(default_factory=Seen)

    def merge(self, other: Report) -> None:
        """Take another report of any process and day into this one."""
        self.updated = max(self.updated, other.updated)
        self.calls = sorted([*self.calls, *other.calls], key=lambda call: call.at)[-KEPT_CALLS:]
        self.made += other.made
        self.failed += other.failed
        for source, count in other.answers.items():
            self.answers[source] = self.answers.get(source, 0) + count
        self.seen.merge(other.seen)


class Observer(logging.Handler):
    """Reads the wire's call lines as they are logged, and answers as `note` is told of them.

    `now` is seconds since the epoch, `clock` seconds from any start.
    """

    def __init__(
        self, now: Callable[[], float] = time.time, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(logging.INFO)
        self._now = now
        self._clock = clock
        self._guard = Lock()
        self._noted: OrderedDict[datetime, None] = OrderedDict()
        self._due = float("-inf")
        self._report = self._new_report()

    def emit(self, record: logging.LogRecord) -> None:
        """Count one line of `gateway.call_log`; other lines of that logger carry no `cache`."""
        source = getattr(record, "cache", None)
        if source is None:
            return
        with self._guard:
            report = self._today()
            report.answers[source] = report.answers.get(source, 0) + 1
            if source == "miss":
                call = Call(str(getattr(record, "endpoint", "")), str(getattr(record, "outcome", "")),
                            int(getattr(record, "ms", 0)), record.created)  # fmt: skip
                report.calls = [*report.calls[1 - KEPT_CALLS :], call]
                report.made += 1
                report.failed += call.outcome != "ok"
        self.publish_when_due()

    def note(self, answer: CachedValue[SearchPage]) -> None:
        """Count what is in an answer, once however often it is served from the cache."""
        with self._guard:
            if answer.fetched_at in self._noted:
                return
            self._noted[answer.fetched_at] = None
            if len(self._noted) > KEPT_ANSWERS:
                self._noted.popitem(last=False)
            self._today().seen.add(answer.value.listings)
        self.publish_when_due()

    def publish_when_due(self) -> None:
        if self._clock() >= self._due:
            self.publish()

    def publish(self) -> None:
        """Put this process's report into the cache."""
        self._due = self._clock() + PUBLISH_SECONDS
        with self._guard:
            report = self._today()
            report.updated = self._now()
            entry = msgspec.msgpack.encode(report)
        try:
            cache.set(_key(report.day, _slot()), entry, KEPT_DAYS * 86_400)
        except Exception:  # each backend raises errors of its own, and a page must not fail on any
            self._due = self._clock() + PUBLISH_AFTER_FAILURE_SECONDS

    def _today(self) -> Report:
        if self._report.day != _day(self._now()) or self._report.process != _process():
            self._report = self._new_report()
        return self._report

    def _new_report(self) -> Report:
        return Report(_process(), _day(self._now()))


def _day(seconds: float) -> date:
    return datetime.fromtimestamp(seconds, UTC).date()


def _process() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


def _slot() -> int:
    # Neighbouring process numbers never meet, and other hosts start elsewhere.
    return (zlib.crc32(socket.gethostname().encode()) + os.getpid()) % SLOTS


def _key(day: date, slot: int) -> str:
    return f"observed:{day.isoformat()}:{slot}"


_observer = Observer()
logging.getLogger("search.gateway").addHandler(_observer)


def note(answer: CachedValue[SearchPage]) -> None:
    """Tell the staff panel what is in an answer; cheap for one that was told before."""
    _observer.note(answer)


def reports(days: Iterable[date]) -> list[Report]:
    """Every process's reports of these days, as far as the cache is shared; nothing when it is away."""
    _observer.publish()
    keys = [_key(day, slot) for day in days for slot in range(SLOTS)]
    try:
        entries: dict[str, Any] = cache.get_many(keys)
    except Exception:  # each backend raises errors of its own; the panel says that there is no report
        return []
    found = []
    for entry in entries.values():
        try:
            found.append(msgspec.msgpack.decode(entry, type=Report))
        except msgspec.DecodeError:
            continue  # written by another version of this code
    return found


def last_days(count: int) -> list[date]:
    """Today and the days before it, by the clock that days of reports are counted with."""
    today = _day(time.time())
    return [today - timedelta(days=back) for back in range(count)]
