"""`/hand-over/`: a browser tells that its visitor went on to a provider. Counted by provider and day."""

from collections import Counter
from datetime import date, timedelta

from django.db import models
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.timezone import localdate
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from search.domain import process
from search.site_settings import store
from search.web.shortcuts import is_own_page
from search.web.write_behind import WriteBehind

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


# A beacon has no token: where it comes from is checked instead.
@csrf_exempt
@require_POST
def count(request: HttpRequest) -> HttpResponse:
    """Count one hand-over. The body is the code of a provider that visitors are sent to: 204, else 4xx."""
    if not is_own_page(request):
        return HttpResponse(status=403)
    body = request.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        return HttpResponse(status=413)
    code = body.decode(errors="replace")
    if not store.current().provider(code).address_template:
        return HttpResponse(status=400)
    HAND_OVERS.labels(code).inc()
    process.part(Tally).add(code, localdate())
    return HttpResponse(status=204)


class Tally(WriteBehind[tuple[str, date]]):
    """Hand-overs by provider and day, counted in the database at most five times a second."""

    what = "hand-overs"

    def add(self, provider: str, day: date) -> None:
        self.gather((provider, day))
        self.write_if_due()

    def save(self, batch: list[tuple[str, date]]) -> None:
        for (provider, day), count in Counter(batch).items():
            row, _made = HandOverCount.objects.get_or_create(provider=provider, day=day)
            HandOverCount.objects.filter(pk=row.pk).update(count=F("count") + count)
            batch[:] = [one for one in batch if one != (provider, day)]


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
