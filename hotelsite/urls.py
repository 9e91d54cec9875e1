"""The site's addresses: the app's own, the admin, and what a machine asks."""

from inspect import unwrap

from django.conf import settings
from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponseBase
from django.urls import include, path
from django.views import defaults
from django.views.decorators.cache import cache_control
from django.views.static import serve

from search.monitoring import status


@cache_control(public=True, max_age=300)
def media(request: HttpRequest, path: str) -> HttpResponseBase:
    """One of the few pictures that staff upload; a proxy may serve the folder itself."""
    try:
        return serve(request, path, document_root=str(settings.MEDIA_ROOT))
    except OSError:  # a name longer than the file system takes
        raise Http404 from None


urlpatterns = [
    path("healthz", status.healthz, name="healthz"),
    path("readyz", status.readyz, name="readyz"),
    path("metrics", status.metrics, name="metrics"),
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
