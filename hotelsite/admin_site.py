"""The admin's first page and side bar: what the site is about first, its accounts last."""

from functools import wraps
from typing import Any

from django.apps import apps
from django.contrib import messages
from django.contrib.admin import AdminSite, site
from django.contrib.admin.apps import AdminConfig as DjangoAdminConfig
from django.core.exceptions import BadRequest
from django.db import DataError
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse

# Apps that aren't named stand behind the first.
APPS = {"search": 0, "admin": 2, "auth": 3, "axes": 4}
APP_NAMES = {"admin": "Changes", "auth": "Accounts", "axes": "Sign-in protection"}
# The first ones; sorting leaves the others as they are.
MODELS = ("SiteSettings", "Provider", "HandOverCount", "FeaturedDestination", "DestinationOverride")


class SiteAdmin(AdminSite):
    """Django's admin in the order in which a colleague needs it."""

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """`site` is the site's settings, as on any page; on the sign-in page Django gives it the host."""
        from search.web import shortcuts  # needs models, which are loaded after this module

        return {**super().each_context(request), "site": shortcuts.site_of(request)}

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """As Django's own. Values that no row can have are a 400; a colleague whose form came after their
        session had ended is warned."""
        guarded = super().admin_view(view, cacheable)

        @wraps(guarded)
        def with_warning(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            try:
                response: HttpResponseBase = guarded(request, *args, **kwargs)
            # Of a year 99999, or a key that is no number.
            except (OverflowError, ValueError, DataError) as error:
                raise BadRequest from error
            is_lost = request.method == "POST" and response.status_code == 302 and request.user.is_anonymous
            if is_lost and request.path != reverse("admin:logout"):
                messages.warning(
                    request, "You were no longer signed in, so nothing has changed. Sign in and do it again."
                )
            return response

        return with_warning

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
        shown = super().get_app_list(request, app_label)
        for app in shown:
            app["models"].sort(key=lambda model: (*MODELS, model["object_name"]).index(model["object_name"]))
        return sorted(shown, key=lambda app: APPS.get(app["app_label"], 1))


class AdminConfig(DjangoAdminConfig):
    """In INSTALLED_APPS in the place of Django's own."""

    default_site = "hotelsite.admin_site.SiteAdmin"

    def ready(self) -> None:
        from hotelsite.sign_in import SignInForm  # as above

        super().ready()
        site.login_form = SignInForm
        for label, name in APP_NAMES.items():
            apps.get_app_config(label).verbose_name = name
