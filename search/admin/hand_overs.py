"""How many visitors went on to each provider: a plot of thirty days, and all of them as CSV."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.timezone import localdate

from search.monitoring.hand_overs import by_provider
from search.monitoring.models import HandOverCount
from search.sharing.csv import table
from search.site_settings import store

from .charts import BarChart
from .history import ModelAdmin, forbidden

DAYS = 30


@admin.register(HandOverCount)
class HandOverAdmin(ModelAdmin):
    """Counts are looked at by those who keep the providers; nobody writes them by hand."""

    has_add_permission = has_change_permission = has_delete_permission = forbidden

    def has_view_permission(self, request: HttpRequest, obj: HandOverCount | None = None) -> bool:
        return bool(request.user.has_perm("search.view_provider"))

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not self.has_view_permission(request):
            return super().changelist_view(request, extra_context)
        if request.GET.get("format") == "csv":
            return _table()
        site, found = store.current(), by_provider(localdate(), DAYS)
        charts = [
            BarChart.of(site.provider_label(code), found[code])
            for code in sorted(found, key=site.provider_order)
        ]
        context = {
            **self.admin_site.each_context(request),
            "title": f"Hand-overs of {DAYS} days",
            "opts": self.opts,
            "charts": charts,
        }
        return TemplateResponse(request, "admin/search/handovercount/change_list.html", context)


def _table() -> HttpResponse:
    """Every count there is: day, provider's code and label, hand-overs."""
    by_provider(localdate(), 1)  # writes what this process has not written yet
    site = store.current()
    rows = (
        [row.day.isoformat(), row.provider, site.provider_label(row.provider), row.count]
        for row in HandOverCount.objects.all()
    )
    response = HttpResponse(
        table(["day", "provider", "label", "hand-overs"], rows), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = 'attachment; filename="hand-overs.csv"'
    return response
