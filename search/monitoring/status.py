"""How the site does: /healthz, /readyz and /metrics for machines, and for staff how the gateway's three calls
go."""

import secrets
import time
from collections.abc import Callable
from datetime import date
from functools import cache, partial
from threading import Semaphore
from typing import NamedTuple, TypeVar

from django.conf import settings
from django.core.cache import cache as django_cache
from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from search.domain import process
from search.domain.site_settings import Site
from search.gateway import GatewayError, factory, parsing
from search.gateway.client import AIRPORTS_CALL, DetailsQuery, PageQuery, series_of
from search.gateway.search_page import SearchPage, search_page
from search.gateway.transport import Call
from search.web.shortcuts import page_deadline, read_only

from .metrics import CacheUsage

T = TypeVar("T")

NO_OFFER = "not called: no offer to look at"
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


@never_cache
@read_only
def metrics(request: HttpRequest) -> HttpResponse:
    """The counts of all processes in Prometheus' format, for a machine that has METRICS_TOKEN."""
    if not settings.METRICS_TOKEN:
        raise Http404
    # WSGI reads all bytes of a header as Latin-1.
    given = request.headers.get("Authorization", "").encode("latin-1", "replace")
    if not secrets.compare_digest(given, f"Bearer {settings.METRICS_TOKEN}".encode()):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    registry = CollectorRegistry()
    try:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # the library types but half of itself
    except ValueError:  # under a server that is not gunicorn; the counts are of this process alone
        registry = REGISTRY
    counts = generate_latest(registry) + generate_latest(CacheUsage())
    return HttpResponse(counts, content_type=CONTENT_TYPE_LATEST)


class CallCheck(NamedTuple):
    """How one call went: its milliseconds, and what it found or why not."""

    call: str
    ok: bool
    ms: int
    found: str


def check_calls(place: str, site: Site, today: date) -> list[CallCheck]:
    """The three calls past the cache: airports, a search of `place`, details of the first offer found."""
    checks: list[CallCheck] = []

    def ask(call: Call, read: Callable[[bytes], T], describe: Callable[[T], str]) -> T | None:
        """The answer, None of a call that failed."""
        began, answer = time.monotonic(), None
        try:
            answer = read(factory.transport().get(call, page_deadline()))
            text = describe(answer)
        except GatewayError as error:
            text = f"{type(error).__name__}: {error}"
        ms = round((time.monotonic() - began) * 1000)
        checks.append(CallCheck(call.endpoint, answer is not None, ms, text))
        return answer

    def results(page: SearchPage) -> str:
        offers = sum(len(listing.offers) for listing in page.listings)
        total = "an unknown number of" if page.total is None else page.total
        return f"{len(page.listings)} of {total} properties in {place}, {offers} offers"

    asked = site.usual_search(place, today)
    *_others, series = series_of(asked, site.categories_style)
    first_page = PageQuery(series, 0, site.page_size, site.categories_style).call()
    ask(AIRPORTS_CALL, parsing.airport_list, lambda airports: f"{len(airports)} airports")
    page = ask(first_page, search_page, results)
    offer = next((one for listing in (page.listings if page else ()) for one in listing.offers), None)
    if offer is None:
        return [*checks, CallCheck("details", False, 0, NO_OFFER)]
    ask(
        DetailsQuery(offer.provider, offer.property_id, asked).call(),
        partial(parsing.property_details, provider=offer.provider, property_id=offer.property_id),
        lambda found: f"{found.property.name or offer.property_id}: {len(found.room_types)} room types",
    )
    return checks
