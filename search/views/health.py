"""/healthz and /readyz, for machines: no secrets, no gateway call."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache

from search.services import health

from .edge import read_only


@never_cache
@read_only
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while the process answers at all."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@read_only
def readyz(request: HttpRequest) -> HttpResponse:
    """200, or 503 when the database or the cache doesn't answer; both as JSON with the breakers' states."""
    state = health.check()
    found = {
        "ready": state.ready,
        "database": "ok" if state.database else "down",
        "cache": "ok" if state.cache else "down",
        "breaker": dict(state.breakers),
    }
    return JsonResponse(found, status=200 if state.ready else 503)
