"""What stays cost when we saw them: the lowest total of a hotel for one stay, a row for each run of equals.

Seen where a hotel is opened, kept, shared or watched, never for a whole list; noted in memory and written
behind pages. Nothing about the reader is noted.
"""

import time
from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta
from decimal import Decimal
from operator import itemgetter
from threading import Lock
from typing import Any, NamedTuple, Self

from cachetools import LRUCache, TTLCache
from django.db import connection, models, transaction
from django.db.models import F
from django.utils import timezone

from search.domain import process
from search.domain.context import SearchContext
from search.domain.offers import PricedOffer, price_rank
from search.domain.query import StaySearch
from search.domain.site_settings import Site
from search.monitoring.metrics import SEEN_AGAIN
from search.site_settings import store
from search.web.write_behind import WriteBehind

# Equal totals seen farther apart are two runs: nothing is said about the time between them.
LONGEST_GAP = timedelta(hours=26)
SECONDS_BETWEEN_CLEANUPS = 3_600.0
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


class Seen(NamedTuple):
    """The lowest total of a hotel at one moment; without an amount the hotel was not offered."""

    terms: Terms
    hotel: str
    at: datetime
    amount: Decimal | None = None
    provider: str = ""


class Run(NamedTuple):
    """The same lowest total of the same provider, seen `times` times in a row."""

    amount: Decimal | None
    provider: str
    times: int
    first_seen: datetime
    last_seen: datetime


Runs = tuple[Run, ...]


def added(runs: Runs, seen: Seen) -> Runs:
    """The runs with what was seen after them. A hotel that was never offered has none."""
    begun = Run(seen.amount, seen.provider, 1, seen.at, seen.at)
    last = runs[-1] if runs else None
    if last is None:
        return () if seen.amount is None else (begun,)
    if seen.at <= last.last_seen:
        return runs
    equal = (last.amount, last.provider) == (seen.amount, seen.provider)
    if equal and seen.at - last.last_seen <= LONGEST_GAP:
        return (*runs[:-1], last._replace(times=last.times + 1, last_seen=seen.at))
    return (*runs, begun)


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


class Memory(WriteBehind[Seen]):
    """What this process saw and has not written yet, and the runs it read lately."""

    seconds = 2.0
    what = "observed totals"

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self._reading = Lock()
        self._noted: LRUCache[Key, datetime] = LRUCache(10_000)
        self._runs: TTLCache[Key, Runs] = TTLCache(2_000, READ_SECONDS, clock)
        self._rest_until = self._cleanup_at = float("-inf")

    def note(self, seen: Seen) -> None:
        """Note what was seen, once for all pages made of it."""
        key = (seen.terms, seen.hotel)
        with self._reading:
            if self._noted.get(key) == seen.at:
                return
            self._noted[key] = seen.at
        self.gather(seen)

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

    def save(self, batch: list[Seen]) -> None:
        with transaction.atomic():
            for seen in batch:
                _save(seen)
        with self._reading:
            for seen in batch:
                self._runs.pop((seen.terms, seen.hotel), None)
        if self._clock() >= self._cleanup_at:
            self._cleanup_at = self._clock() + SECONDS_BETWEEN_CLEANUPS
            forget(timezone.now(), store.current())


def _save(seen: Seen) -> None:
    """Write one sighting; of two processes with the same one the second changes nothing."""
    rows = ObservedTotal.objects.filter(hotel=seen.hotel, **seen.terms._asdict())
    last = rows.order_by("last_seen").last()
    before = (_run(last),) if last else ()
    after = added(before, seen)
    if after == before:
        return
    if last and last.amount is not None and seen.at - last.last_seen <= LONGEST_GAP:
        SEEN_AGAIN.labels(last.provider, "no" if after[-1].amount == last.amount else "yes").inc()
    if last and len(after) == 1:
        rows.filter(pk=last.pk, last_seen__lt=seen.at).update(times=F("times") + 1, last_seen=seen.at)
    else:
        row = ObservedTotal(hotel=seen.hotel, **seen.terms._asdict(), **after[-1]._asdict())
        ObservedTotal.objects.bulk_create([row], ignore_conflicts=True)


def _run(row: ObservedTotal) -> Run:
    return Run(*(getattr(row, name) for name in Run._fields))


def stored(terms: Terms, hotels: Iterable[str]) -> dict[str, Runs]:
    """The runs that the database has of each of these hotels."""
    runs: dict[str, Runs] = dict.fromkeys(hotels, ())
    for row in ObservedTotal.objects.filter(hotel__in=[*runs], **terms._asdict()):
        runs[row.hotel] += (_run(row),)
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
    gone = Seen(Terms.of(context.search, context.site), hotel, at)
    if seen := gone if offers is None else lowest(context, hotel, offers, at):
        process.part(Memory).note(seen)


def lowest(context: SearchContext, hotel: str, offers: Iterable[PricedOffer], at: datetime) -> Seen | None:
    """The lowest of the totals that can be compared; None where none can."""
    currency = context.search.currency
    comparable = (one for one in offers if price_rank(one, currency)[0] == 0)
    priced = [(one.total.total.amount, one.offer.provider) for one in comparable if one.total]
    if not priced:
        return None
    return Seen(Terms.of(context.search, context.site), hotel, at, *min(priced, key=itemgetter(0)))


def can_watch(site: Site) -> bool:
    """Whether visitors may have totals watched."""
    return site.remember_prices and site.watch_calls > 0


def write_if_due(**_signal: Any) -> None:
    """Write what is pending behind a page that has been sent."""
    # A test's transaction would end with its connection.
    if process.part(Memory).write_if_due() and not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()


def write_pending() -> None:
    """Write what this process has seen and not written yet."""
    process.part(Memory).write()
