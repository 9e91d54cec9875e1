"""`/hand-over/`: a browser tells that its visitor went on to a provider. Counted by provider and day."""

import logging
from datetime import date, timedelta

from django.db import Error, models
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.timezone import localdate
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from search.site_settings import store
from search.web.shortcuts import is_own_page

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

logger = logging.getLogger(__name__)


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
    try:
        HandOverCount.objects.update_or_create(
            {"count": F("count") + 1}, create_defaults={"count": 1}, provider=code, day=localdate()
        )
    except Error as error:  # an InterfaceError is no DatabaseError
        logger.warning("a hand-over could not be counted (%s)", type(error).__name__)
    return HttpResponse(status=204)


def by_provider(today: date, days: int) -> dict[str, dict[date, int]]:
    """The counts of the last `days` days up to today, each day of each provider that has any."""
    shown = [today - timedelta(days=back) for back in reversed(range(days))]
    counts: dict[str, dict[date, int]] = {}
    for row in HandOverCount.objects.filter(day__range=(shown[0], today)):
        counts.setdefault(row.provider, dict.fromkeys(shown, 0))[row.day] = row.count
    return counts
