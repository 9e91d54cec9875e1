"""/metrics: the counts of all processes of this server in Prometheus' text format, and those of requests.

Gateway calls and links are counted in search/monitoring/metrics.py.
"""

import secrets

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 7.5)

_requests = Counter("hotelsite_http_requests", "Answers by view and status", ["view", "status"])
_seconds = Histogram(
    "hotelsite_http_request_duration_seconds",
    "Time until the answer was made, by view",
    ["view"],
    buckets=SECONDS,
)


def open_files() -> None:
    """Opens all files in which this process counts; they serve it even when deleted. Raises OSError."""
    # Before the first label there is no histogram, and with its file those of counters and gauges are opened.
    _seconds.labels("static")


def count_request(view: str, status: int, seconds: float) -> None:
    """Counts one answer of Django."""
    _requests.labels(view, status).inc()
    _seconds.labels(view).observe(seconds)


def count_refusal(status: int) -> None:
    """Counts a request that the server refused before it reached a view."""
    _requests.labels("refused", status).inc()


@csrf_exempt  # a machine brings no token: it is told that it may only read
@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """The counts of all processes, for whoever knows METRICS_TOKEN; 404 while there is none."""
    if not settings.METRICS_TOKEN:
        raise Http404
    # WSGI reads the bytes of a header as Latin-1, whatever they are.
    given = request.headers.get("Authorization", "").encode("latin-1", "replace")
    if not secrets.compare_digest(given, f"Bearer {settings.METRICS_TOKEN}".encode()):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    return HttpResponse(generate_latest(_registry()), content_type=CONTENT_TYPE_LATEST)


def _registry() -> CollectorRegistry:
    """That of all processes of the server; under another server, of this process alone."""
    registry = CollectorRegistry()
    try:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # the library types but half of itself
    except ValueError:
        return REGISTRY
    return registry
