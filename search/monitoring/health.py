"""/healthz and /readyz for load balancers and monitoring: quick, no secrets, no gateway call."""

from functools import cache
from threading import Semaphore

from django.conf import settings
from django.core.cache import cache as django_cache
from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache

from search.domain import process
from search.gateway import factory
from search.web.shortcuts import read_only

# A database that hangs gives no error. One question to it waits for it, others wait this long.
PATIENCE_SECONDS = 1.0


class Question(Semaphore):
    """Whose turn it is to ask the database: one at a time."""


@never_cache
@read_only
def healthz(request: HttpRequest) -> HttpResponse:
    """200 and the version while the process answers at all."""
    return HttpResponse(f"ok {settings.VERSION}\n", content_type="text/plain")


@never_cache
@read_only
def readyz(request: HttpRequest) -> HttpResponse:
    """200, or 503 when the database or the cache doesn't answer, a migration is missing, or this process is
    about to stop; both as JSON with the states of the breakers, which don't matter: the site works without
    the gateway, too."""
    database, cached = _database(), _cache_answers()
    stopping = request.META.get("hotelsite.stopping", False)
    document = {
        "ready": database == "ok" and cached and not stopping,
        "stopping": stopping,
        "database": database,
        "cache": "ok" if cached else "down",
        "breaker": dict(factory.status().breakers),
        "turned_away": request.META.get("hotelsite.turned_away", 0),
    }
    return JsonResponse(document, status=200 if document["ready"] else 503)


def _database() -> str:
    """One of "ok", "down" and "not migrated"."""
    asking = process.part(Question)
    if not asking.acquire(timeout=PATIENCE_SECONDS):
        return "down"
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            if cursor.fetchone() != (1,):
                return "down"
        migrated = MigrationRecorder(connection).applied_migrations().keys() >= _last_migrations()
    except Error:  # an InterfaceError is no DatabaseError
        return "down"
    finally:
        asking.release()
    return "ok" if migrated else "not migrated"


@cache
def _last_migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).graph.leaf_nodes())


def _cache_answers() -> bool:
    try:
        django_cache.set("health", 1, 10)
        return bool(django_cache.get("health") == 1)
    except Exception:  # each backend raises errors of its own, and all mean the same
        return False
