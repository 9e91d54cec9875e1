"""What stays cost when we saw them: the lowest total of a hotel for one stay, a row for each run of equals;
and how long such totals last.

Seen where a hotel is opened, kept, shared or watched, never for a whole list; noted in memory and written
behind pages. Nothing about the reader is noted.
"""

import logging
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from operator import attrgetter, itemgetter
from threading import Lock
from typing import Any, NamedTuple, Self

from cachetools import LRUCache, TTLCache
from django.db import Error, connection, models, transaction
from django.db.models import F
from django.utils import timezone

from search.domain import process
from search.domain.context import SearchContext
from search.domain.offers import PricedOffer, price_rank
from search.domain.query import StaySearch
from search.domain.site_settings import Site
from search.monitoring.metrics import SEEN_AGAIN
from search.site_settings import store

logger = logging.getLogger(__name__)

# The newest rows that the panel looks at, so that it opens quickly on a large table.
MOST_ROWS = 20_000
A_WEEK = timedelta(days=7)
# With fewer changes nothing is said about how long a total lasts.
LEAST_CHANGES = 5
LEAST_LOOKS = 20
# So many of a hundred totals may have changed when the fresh time is over.
MOST_CHANGED = 5
# Days before arrival, by the first of them.
BANDS = {0: "0–3", 4: "4–7", 8: "8–30", 31: "31–90", 91: "91+"}
ANY = -1
# Equal totals seen farther apart are two runs: nothing is said about the time between them.
LONGEST_GAP = timedelta(hours=26)
SECONDS_BETWEEN_CLEANUPS = 3_600.0
# Sightings on their way to the database: how often they are written, and how many may wait.
WRITE_SECONDS = 2.0
MOST_PENDING = 10_000
# A page of a hotel asks the database at most so often: a query takes longer than 3% of a warm page.
READ_SECONDS = 30.0
# A database that hangs costs a page its patience, as in `site_settings.store`.
REST_SECONDS = 10.0


class Terms(NamedTuple):
    """What a total is for. Totals on other terms are never compared with it."""

    check_in: date
    check_out: date
    guests: int
    currency: str
    market: str
    counting: str

    @classmethod
    def of(cls, search: StaySearch, site: Site) -> Self:
        days = (search.dates.check_in, search.dates.check_out)
        return cls(*days, search.guests, search.currency, search.market, site.price_rules.counting)


class Run(NamedTuple):
    """The same lowest total of the same provider, seen `times` times in a row; without an amount the hotel
    was not offered."""

    amount: Decimal | None
    provider: str
    times: int
    first_seen: datetime
    last_seen: datetime

    @classmethod
    def once(cls, at: datetime, amount: Decimal | None = None, provider: str = "") -> Self:
        return cls(amount, provider, 1, at, at)


Runs = tuple[Run, ...]


def added(runs: Runs, seen: Run) -> Runs:
    """The runs with what was seen once after them. A hotel that was never offered has none."""
    if not runs:
        return () if seen.amount is None else (seen,)
    last, at = runs[-1], seen.last_seen
    if at <= last.last_seen:
        return runs
    if (last.amount, last.provider) == (seen.amount, seen.provider) and at - last.last_seen <= LONGEST_GAP:
        return (*runs[:-1], last._replace(times=last.times + 1, last_seen=at))
    return (*runs, seen)


class ObservedTotal(models.Model):
    """A `Run` of a hotel on its `Terms`."""

    hotel = models.CharField(max_length=600)
    check_in = models.DateField()
    check_out = models.DateField()
    guests = models.PositiveSmallIntegerField()
    currency = models.CharField(max_length=3)
    market = models.CharField(max_length=5)
    counting = models.CharField(max_length=20)
    amount = models.DecimalField(max_digits=16, decimal_places=4, null=True)
    provider = models.CharField(max_length=500, blank=True)
    times = models.PositiveIntegerField(default=1)
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["first_seen"]
        constraints = [
            models.UniqueConstraint(fields=["hotel", *Terms._fields, "first_seen"], name="one_run_a_moment"),
        ]

    def __str__(self) -> str:
        return f"{self.hotel}, {self.check_in}: {self.amount} {self.currency}"


Key = tuple[Terms, str]


class Memory:
    """What this process saw and has not written yet (beyond MOST_PENDING some are dropped), and the runs it
    read lately."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._reading, self._writing = Lock(), Lock()
        self._pending: deque[tuple[Key, Run]] = deque(maxlen=MOST_PENDING)
        self._noted: LRUCache[Key, datetime] = LRUCache(10_000)
        self._runs: TTLCache[Key, Runs] = TTLCache(2_000, READ_SECONDS, clock)
        self._write_at = self._rest_until = self._cleanup_at = float("-inf")

    def note(self, key: Key, seen: Run) -> None:
        """Note what was seen, once for all pages made of it."""
        with self._reading:
            if self._noted.get(key) == seen.last_seen:
                return
            self._noted[key] = seen.last_seen
        self._pending.append((key, seen))

    def runs(self, terms: Terms, hotels: Iterable[str]) -> dict[str, Runs]:
        """The runs of these hotels, oldest first; of none while the database is away."""
        with self._reading:
            runs = {one: self._runs.get((terms, one)) for one in hotels}
        missing = [one for one, known in runs.items() if known is None]
        if missing and self._clock() >= self._rest_until:
            try:
                read = stored(terms, missing)
            except Exception:  # each database raises errors of its own, and the page goes without
                self._rest_until = self._clock() + REST_SECONDS
                read = {}
            with self._reading:
                self._runs.update({(terms, one): known for one, known in read.items()})
            runs |= read
        return {one: known or () for one, known in runs.items()}

    def write_if_due(self) -> None:
        """Write what is pending behind a page, unless the last batch was written just now."""
        if not self._pending or self._clock() < self._write_at:
            return
        self._write_at = self._clock() + WRITE_SECONDS
        self.write()
        # A test's transaction would end with its connection.
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()

    def write(self) -> None:
        """Write what is pending, later if the database is away; a write holds up no other thread."""
        if not self._writing.acquire(blocking=False):
            return
        batch = [self._pending.popleft() for _ in range(len(self._pending))]
        try:
            if batch:
                self._save(batch)
        except Error as error:  # an InterfaceError is no DatabaseError
            logger.warning("observed totals could not be written yet (%s)", type(error).__name__)
            self._pending.extendleft(reversed(batch))
        finally:
            self._writing.release()

    def _save(self, batch: list[tuple[Key, Run]]) -> None:
        with transaction.atomic():
            for key, seen in batch:
                _save(*key, seen)
        with self._reading:
            for key, _seen in batch:
                self._runs.pop(key, None)
        if self._clock() >= self._cleanup_at:
            self._cleanup_at = self._clock() + SECONDS_BETWEEN_CLEANUPS
            forget(timezone.now(), store.current())


def _save(terms: Terms, hotel: str, seen: Run) -> None:
    """Write what was seen once; of two processes with the same sighting the second changes nothing."""
    rows = ObservedTotal.objects.filter(hotel=hotel, **terms._asdict())
    latest = rows.order_by("-last_seen").values_list(*Run._fields).first()
    last = Run(*latest) if latest else None
    before = (last,) if last else ()
    after = added(before, seen)
    if after == before:
        return
    if last and last.amount is not None and seen.last_seen - last.last_seen <= LONGEST_GAP:
        SEEN_AGAIN.labels(last.provider, "no" if seen.amount == last.amount else "yes").inc()
    if last and len(after) == 1:
        of_run = rows.filter(first_seen=last.first_seen, last_seen__lt=seen.last_seen)
        of_run.update(times=F("times") + 1, last_seen=seen.last_seen)
    else:
        row = ObservedTotal(hotel=hotel, **terms._asdict(), **seen._asdict())
        ObservedTotal.objects.bulk_create([row], ignore_conflicts=True)


def stored(terms: Terms, hotels: Iterable[str]) -> dict[str, Runs]:
    """The runs that the database has of each of these hotels."""
    runs: dict[str, Runs] = dict.fromkeys(hotels, ())
    rows = ObservedTotal.objects.filter(hotel__in=[*runs], **terms._asdict())
    for hotel, *run in rows.values_list("hotel", *Run._fields):
        runs[hotel] += (Run(*run),)
    return runs


def forget(now: datetime, site: Site) -> int:
    """Delete what was last seen too long ago, and the oldest beyond the most rows; how many rows."""
    rows = ObservedTotal.objects.all()
    deleted, _by_model = rows.filter(last_seen__lt=now - timedelta(days=site.remembered_days)).delete()
    beyond = rows.order_by("-last_seen").values_list("last_seen", flat=True)[site.remembered_rows :]
    if (latest := next(iter(beyond[:1]), None)) is not None:
        deleted += rows.filter(last_seen__lte=latest).delete()[0]
    return deleted


def note(context: SearchContext, hotel: str, offers: Iterable[PricedOffer] | None, at: datetime) -> None:
    """Note the lowest of the totals that can be compared, fetched `at`; nothing where none can. No list: the
    hotel was not offered for the stay."""
    if not context.site.remember_prices:
        return
    if seen := Run.once(at) if offers is None else lowest(context, offers, at):
        process.part(Memory).note((Terms.of(context.search, context.site), hotel), seen)


def lowest(context: SearchContext, offers: Iterable[PricedOffer], at: datetime) -> Run | None:
    """The lowest of the totals that can be compared; None where none can."""
    comparable = (one for one in offers if price_rank(one, context.search.currency)[0] == 0)
    priced = [(one.total.total.amount, one.offer.provider) for one in comparable if one.total]
    return Run.once(at, *min(priced, key=itemgetter(0))) if priced else None


def can_watch(site: Site) -> bool:
    """Whether visitors may have totals watched."""
    return site.remember_prices and site.watch_calls > 0


def write_if_due(**_signal: Any) -> None:
    """Write what is pending behind a page that has been sent."""
    process.part(Memory).write_if_due()


def write_pending() -> None:
    """Write what this process has seen and not written yet."""
    process.part(Memory).write()


@dataclass
class Lasting:
    """For how long the totals of a provider (empty: of all) in a band of days before arrival were seen in
    all, and how often they changed; of the last week, how many of the `looks` at a total that had been seen
    before `differed`."""

    provider: str
    band: int
    seen: timedelta = timedelta()
    changes: int = 0
    looks: int = 0
    differed: int = 0

    def add(self, row: ObservedTotal, after: ObservedTotal | None) -> None:
        """Count for how long a total was seen to hold, and whether another one came `after`."""
        until = after.first_seen if after else row.last_seen
        changed = after is not None and after.amount != row.amount
        self.seen += until - row.first_seen
        self.changes += changed
        if until > timezone.now() - A_WEEK:
            # Each look but the first found the total of the one before, or another.
            self.looks += row.times - 1 + bool(after)
            self.differed += changed

    @property
    def differed_percent(self) -> int | None:
        """Of a hundred next looks of the last week; None while there were too few."""
        return round(100 * self.differed / self.looks) if self.looks >= LEAST_LOOKS else None

    @property
    def days(self) -> str:
        """`4–7`, `91+`; empty for any."""
        return BANDS.get(self.band, "")

    @property
    def lasts(self) -> timedelta | None:
        """How long a total lasts on average; None while too few changes were seen."""
        return self.seen / self.changes if self.changes >= LEAST_CHANGES else None

    @property
    def fresh_seconds(self) -> int | None:
        """The longest fresh time after which at most `MOST_CHANGED` of a hundred have changed, in whole
        minutes or hours and at most a day."""
        if self.lasts is None:
            return None
        seconds = max(60, int(self.lasts.total_seconds()) * MOST_CHANGED // 100)
        return min(seconds - seconds % (3_600 if seconds > 3_600 else 60), 86_400)


def lasting() -> list[Lasting]:
    """How long totals last: of all, of each provider, and of each provider's bands."""
    of_stay = attrgetter("hotel", *Terms._fields)
    newest = ObservedTotal.objects.order_by("-last_seen")[:MOST_ROWS]
    rows = sorted(newest, key=lambda row: (of_stay(row), row.first_seen))
    measured: dict[tuple[str, int], Lasting] = {}
    for row, after in zip(rows, [*rows[1:], None], strict=False):
        if row.amount is None:
            continue
        if after and (of_stay(after) != of_stay(row) or after.first_seen - row.last_seen > LONGEST_GAP):
            after = None
        ahead = (row.check_in - timezone.localdate(row.first_seen)).days
        band = max((first for first in BANDS if first <= ahead), default=0)
        for key in (("", ANY), (row.provider, ANY), (row.provider, band)):
            measured.setdefault(key, Lasting(*key)).add(row, after)
    return [measured[key] for key in sorted(measured)]
