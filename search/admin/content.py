"""The content admins maintain, with the filters, columns and bulk actions of each table."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from search.models import BlockedProperty, CodeLabel, DestinationOverride, FeaturedDestination, Provider

from .history import RecordedAdmin

Rows = QuerySet[Any]


class InForce(admin.SimpleListFilter):
    """Rows with an end: still in force, or over. `last` is the model field of the last day."""

    title = lazy("state")
    parameter_name = "state"
    last = "until"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("on", lazy("in force")), ("over", lazy("over"))]

    def queryset(self, request: HttpRequest, queryset: Rows) -> Rows:
        over = Q(**{f"{self.last}__lt": localdate()})
        match self.value():
            case "on":
                return queryset.exclude(over)
            case "over":
                return queryset.filter(over)
        return queryset


class InSeason(InForce):
    last = "last_day"


class ContentAdmin(RecordedAdmin):
    """What all content pages share: bulk actions that set one field, each change recorded."""

    list_per_page = 50
    save_on_top = False

    def set_all(self, request: HttpRequest, rows: Rows, name: str, value: Any) -> None:
        """Set `name` to `value` on the chosen rows and say how many changed."""
        changed = self.set_value(request, rows, name, value)
        message = ngettext("%(count)d row changed.", "%(count)d rows changed.", changed)
        self.message_user(request, message % {"count": changed})


@admin.register(Provider)
class ProviderAdmin(ContentAdmin):
    list_display = ["code", "label", "order", "enabled"]
    list_editable = ["label", "order", "enabled"]
    list_filter = ["enabled"]
    search_fields = ["code", "label"]
    actions = ["enable", "disable"]

    @admin.action(description=lazy("Show the offers of the selected providers"), permissions=["change"])
    def enable(self, request: HttpRequest, queryset: Rows) -> None:
        self.set_all(request, queryset, "enabled", True)

    @admin.action(description=lazy("Hide the offers of the selected providers"), permissions=["change"])
    def disable(self, request: HttpRequest, queryset: Rows) -> None:
        self.set_all(request, queryset, "enabled", False)


@admin.register(BlockedProperty)
class BlockedPropertyAdmin(ContentAdmin):
    list_display = ["__str__", "key", "reason", "until", "created", "in_force"]
    list_filter = [InForce, "created"]
    search_fields = ["key", "name", "reason"]
    date_hierarchy = "created"
    actions = ["end_today", "hide_for_good"]

    @admin.display(boolean=True, description=lazy("hidden now"))
    def in_force(self, obj: BlockedProperty) -> bool:
        return obj.until is None or obj.until >= localdate()

    @admin.action(description=lazy("Show the selected hotels again from tomorrow"), permissions=["change"])
    def end_today(self, request: HttpRequest, queryset: Rows) -> None:
        self.set_all(request, queryset, "until", localdate())

    @admin.action(description=lazy("Hide the selected hotels for good"), permissions=["change"])
    def hide_for_good(self, request: HttpRequest, queryset: Rows) -> None:
        self.set_all(request, queryset, "until", None)


@admin.register(DestinationOverride)
class DestinationOverrideAdmin(ContentAdmin):
    list_display = ["airport", "place", "search_words", "hidden"]
    list_editable = ["place", "search_words", "hidden"]
    list_filter = ["hidden", ("place", admin.EmptyFieldListFilter)]
    search_fields = ["airport", "place", "search_words"]
    actions = ["hide", "show"]

    def view_on_site(self, obj: DestinationOverride) -> str:
        return f"{reverse('destinations')}?{urlencode({'q': obj.airport})}"

    @admin.action(description=lazy("Never suggest the selected airports"), permissions=["change"])
    def hide(self, request: HttpRequest, queryset: Rows) -> None:
        self.set_all(request, queryset, "hidden", True)

    @admin.action(description=lazy("Suggest the selected airports again"), permissions=["change"])
    def show(self, request: HttpRequest, queryset: Rows) -> None:
        self.set_all(request, queryset, "hidden", False)


@admin.register(FeaturedDestination)
class FeaturedDestinationAdmin(ContentAdmin):
    list_display = ["thumbnail", "place", "airport", "first_day", "last_day", "order", "shown_now"]
    list_display_links = ["thumbnail", "place"]
    list_editable = ["order", "first_day", "last_day"]
    list_filter = [InSeason, ("airport", admin.EmptyFieldListFilter)]
    search_fields = ["place", "airport", "text"]
    actions = ["end_today", "whole_year"]
    fieldsets = [
        (None, {"fields": ["place", "airport", "text", "order"]}),
        (lazy("Season"), {"fields": [("first_day", "last_day")]}),
        (lazy("Picture"), {"fields": ["upload", "picture_address"]}),
    ]

    def view_on_site(self, obj: FeaturedDestination) -> str:
        return reverse("home")

    @admin.display(description=lazy("picture"))
    def thumbnail(self, obj: FeaturedDestination) -> str:
        if not obj.picture:
            return _("none")
        return format_html('<img class="thumbnail" src="{}" alt="" width="96" height="64">', obj.picture)

    @admin.display(boolean=True, description=lazy("shown now"))
    def shown_now(self, obj: FeaturedDestination) -> bool:
        today = localdate()
        return (obj.first_day or today) <= today <= (obj.last_day or today)

    @admin.action(description=lazy("Make today the last day of the selected"), permissions=["change"])
    def end_today(self, request: HttpRequest, queryset: Rows) -> None:
        self.set_all(request, queryset, "last_day", localdate())

    @admin.action(description=lazy("Show the selected all year"), permissions=["change"])
    def whole_year(self, request: HttpRequest, queryset: Rows) -> None:
        rows = list(queryset)
        self.set_value(request, rows, "first_day", None)
        self.set_all(request, queryset, "last_day", None)


@admin.register(CodeLabel)
class CodeLabelAdmin(ContentAdmin):
    list_display = ["code", "kind", "label"]
    list_editable = ["label"]
    list_filter = ["kind"]
    search_fields = ["code", "label"]
