"""The site's addresses: the app's own, the admin, and what a machine asks."""

import secrets
from inspect import unwrap

from django.conf import settings
from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import include, path
from django.views import defaults
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from django.views.static import serve
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from search.monitoring import health
from search.monitoring import metrics as counts


@cache_control(public=True, max_age=300)
def media(request: HttpRequest, path: str) -> HttpResponseBase:
    """One of the few pictures that staff upload; a proxy may serve the folder itself."""
    try:
        return serve(request, path, document_root=str(settings.MEDIA_ROOT))
    except OSError:  # a name longer than the file system takes
        raise Http404 from None


@csrf_exempt  # a machine brings no token, and has to learn that it may only read
@never_cache
@require_safe
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
    text = generate_latest(registry) + generate_latest(counts.CACHE)
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST)


urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("admin/", admin.site.urls),
    path("media/<path:path>", media, name="media"),
    path("", include("search.urls")),
]

# Django wraps these to read the form that was sent, for a token that our error pages don't need; a form that
# can't be read would make an error 500 of each.
handler400 = unwrap(defaults.bad_request)
handler403 = unwrap(defaults.permission_denied)
handler404 = unwrap(defaults.page_not_found)
handler500 = unwrap(defaults.server_error)
