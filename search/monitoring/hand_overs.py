"""`/hand-over/`: a browser tells that its visitor went on to a provider. Counted by provider and day."""

import logging
import time
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from threading import Lock

from django.db import Error, models
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.timezone import localdate
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from search.domain import process
from search.site_settings import store
from search.web.shortcuts import origin_of

from .metrics import HAND_OVERS


class HandOverCount(models.Model):
    """One row for each provider and day; it says nothing about anybody."""

    provider = models.CharField(max_length=40)
    day = models.DateField()
    count = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = "hand-over"
        ordering = ["-day", "provider"]
        constraints = [models.UniqueConstraint(fields=["day", "provider"], name="one_count_per_day")]

    def __str__(self) -> str:
        return f"{self.provider} on {date_format(self.day)}"


MOST_BYTES = 200
# Counts in between are written with the next one, or when the process ends.
SECONDS_BETWEEN_WRITES = 0.2

logger = logging.getLogger(__name__)

Counts = Counter[tuple[str, date]]


# A beacon has no token: where it comes from is checked instead.
@csrf_exempt
@require_POST
def count(request: HttpRequest) -> HttpResponse:
    """Count one hand-over. The body is the code of a provider that visitors are sent to: 204, else 4xx."""
    if not _is_own_page(request):
        return HttpResponse(status=403)
    body = request.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        return HttpResponse(status=413)
    code = body.decode(errors="replace")
    if not store.current().address_template(code):
        return HttpResponse(status=400)
    HAND_OVERS.labels(code).inc()
    process.part(Tally).add(code, localdate())
    return HttpResponse(status=204)


def _is_own_page(request: HttpRequest) -> bool:
    """Whether a page of this site sends it. Old browsers, and all without TLS, name the origin alone."""
    site = request.headers.get("Sec-Fetch-Site")
    is_ours = request.headers.get("Origin") == origin_of(request)
    return is_ours if site is None else site == "same-origin"


class Tally:
    """Counts on their way to the database, which is written at most five times a second."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._writing = Lock()
        self._pending: Counts = Counter()
        self._due = float("-inf")

    def add(self, provider: str, day: date) -> None:
        with self._lock:
            self._pending[provider, day] += 1
            if self._clock() < self._due:
                return
            self._due = self._clock() + SECONDS_BETWEEN_WRITES
        self.write()

    def write(self) -> None:
        """Add what is pending to the database, later if that is away; a write holds up no other thread."""
        if not self._writing.acquire(blocking=False):
            return
        try:
            self._write()
        finally:
            self._writing.release()

    def _write(self) -> None:
        with self._lock:
            counts, self._pending = self._pending, Counter()
        try:
            for provider, day in list(counts):
                row, _made = HandOverCount.objects.get_or_create(provider=provider, day=day)
                HandOverCount.objects.filter(pk=row.pk).update(count=F("count") + counts[provider, day])
                del counts[provider, day]
        except Error as error:  # an InterfaceError is no DatabaseError
            logger.warning("hand-overs could not be counted yet (%s)", type(error).__name__)
            with self._lock:
                self._pending.update(counts)


def write_pending() -> None:
    """Write what this process has counted and not written yet."""
    process.part(Tally).write()


def by_provider(today: date, days: int) -> dict[str, dict[date, int]]:
    """The counts of the last `days` days up to today, each day of each provider that has any."""
    write_pending()
    shown = [today - timedelta(days=back) for back in reversed(range(days))]
    counts: dict[str, dict[date, int]] = {}
    for row in HandOverCount.objects.filter(day__range=(shown[0], today)):
        counts.setdefault(row.provider, dict.fromkeys(shown, 0))[row.day] = row.count
    return counts
