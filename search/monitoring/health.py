"""/healthz and /readyz for load balancers and monitoring: quick, no secrets, no gateway call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache

from search.web.shortcuts import read_only

from . import setup_check

PROBE_KEY = "health"


@dataclass(frozen=True)
class Health:
    """Whether database and cache work, and the breakers by endpoint; the site works with open ones, too."""

    database: bool
    cache: bool
    breakers: Mapping[str, str]

    @property
    def ready(self) -> bool:
        """Whether visitors should be sent here."""
        return self.database and self.cache


def check() -> Health:
    """One small query to the database and one entry written to and read from the cache."""
    return Health(
        database=_database_answers(), cache=_cache_answers(), breakers=dict(setup_check.status().breakers)
    )


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            return bool(cursor.fetchone() == (1,))
    except DatabaseError:
        return False


def _cache_answers() -> bool:
    try:
        cache.set(PROBE_KEY, 1, 10)
        return bool(cache.get(PROBE_KEY) == 1)
    except Exception:  # each backend raises errors of its own, and all mean the same
        return False


@never_cache
@read_only
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while the process answers at all."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@read_only
def readyz(request: HttpRequest) -> HttpResponse:
    """200, or 503 when the database or the cache doesn't answer; both as JSON with the breakers' states."""
    state = check()
    found = {
        "ready": state.ready,
        "database": "ok" if state.database else "down",
        "cache": "ok" if state.cache else "down",
        "breaker": dict(state.breakers),
        # By this process since its start, because it had too much to do.
        "turned_away": request.META.get("hotelsite.turned_away", 0),
    }
    return JsonResponse(found, status=200 if state.ready else 503)
