"""The site's addresses: the app's own, the admin, and what a machine asks."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django.views.static import serve

from search.views import health

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("admin/", admin.site.urls),
    # The few pictures that staff upload; a proxy may serve the folder itself.
    path("media/<path:path>", serve, {"document_root": settings.MEDIA_ROOT}, name="media"),
    path("", include("search.urls")),
]
