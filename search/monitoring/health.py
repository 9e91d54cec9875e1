"""/healthz and /readyz for load balancers and monitoring: quick, no secrets, no gateway call."""

from threading import Lock

from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache

from search.domain import process
from search.gateway import factory
from search.web.shortcuts import read_only

# A database that hangs gives no error. One question to it waits; who asks meanwhile waits this long.
PATIENCE_SECONDS = 1.0


def build_database_question() -> Lock:
    return Lock()


@never_cache
@read_only
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while the process answers at all."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@read_only
def readyz(request: HttpRequest) -> HttpResponse:
    """200, or 503 when the database or the cache doesn't answer, or this process is about to stop; both as
    JSON with the breakers' states.

    Open breakers are no reason for 503: the site works without the gateway, too.
    """
    database, cached = _database_answers(), _cache_answers()
    stopping = request.META.get("hotelsite.stopping", False)
    found = {
        "ready": database and cached and not stopping,
        "stopping": stopping,
        "database": "ok" if database else "down",
        "cache": "ok" if cached else "down",
        "breaker": dict(factory.status().breakers),
        # By this process since its start, because it had too much to do.
        "turned_away": request.META.get("hotelsite.turned_away", 0),
    }
    return JsonResponse(found, status=200 if found["ready"] else 503)


def _database_answers() -> bool:
    question = process.part(build_database_question)
    # The threads that answer here are few, and files and /healthz need them, too.
    if not question.acquire(timeout=PATIENCE_SECONDS):
        return False
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            return bool(cursor.fetchone() == (1,))
    except DatabaseError:
        return False
    finally:
        question.release()


def _cache_answers() -> bool:
    try:
        cache.set("health", 1, 10)
        return bool(cache.get("health") == 1)
    except Exception:  # each backend raises errors of its own, and all mean the same
        return False
