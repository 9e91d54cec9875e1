"""The content admins maintain, with the filters, columns and bulk actions of each table."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from search.domain.deadline import Deadline
from search.models import CodeLabel, DestinationOverride, FeaturedDestination, Provider
from search.pages.photos import photo_addresses
from search.services import content, site
from search.services.site import Change

from .history import RecordedAdmin

if TYPE_CHECKING:
    ModelForm = forms.ModelForm[Any]
else:
    ModelForm = forms.ModelForm

Rows = QuerySet[Any]
PICTURES = 24


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


class NamedCells(ModelForm):
    """A row of editable cells, each named for those who can't see the column's head."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs["aria-label"] = f"{field.label}: {self.instance}"


class ContentAdmin(RecordedAdmin):
    """What all content pages share: bulk actions that set one field, each change recorded."""

    list_per_page = 50
    save_on_top = False

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> type[ModelForm]:
        return super().get_changelist_form(request, **{"form": NamedCells, **kwargs})

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
    list_display = ["place", "thumbnail", "airport", "first_day", "last_day", "order", "shown_now"]
    list_editable = ["order"]
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

    def get_urls(self) -> list[URLPattern]:
        choose = path(
            "<int:pk>/pictures/",
            self.admin_site.admin_view(self.pictures_view),
            name="search_featureddestination_pictures",
        )
        return [choose, *super().get_urls()]

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def pictures_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Choose a picture among those of the place's hotels, as the gateway's own results show them."""
        featured = get_object_or_404(FeaturedDestination, pk=pk)
        if not self.has_change_permission(request, featured):
            raise PermissionDenied
        if request.method == "POST":
            return self._choose_picture(request, featured)
        deadline = Deadline(settings.GATEWAY_DEADLINE, time.monotonic)
        found = content.pictures(featured.place, site.current(), localdate(), deadline)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Pictures of hotels in %(place)s") % {"place": featured.place},
            "featured": featured,
            "opts": self.opts,
            "pictures": photo_addresses(found)[:PICTURES],
        }
        return TemplateResponse(request, "admin/search/featureddestination/pictures.html", context)

    def _choose_picture(self, request: HttpRequest, featured: FeaturedDestination) -> HttpResponse:
        before = featured.picture_address
        featured.picture_address = request.POST.get("picture", "")
        try:
            featured.full_clean()
        except ValidationError as error:
            self.message_user(request, " ".join(error.messages), messages.ERROR)
        else:
            featured.save()
            self.record(request, featured, [Change("picture_address", before, featured.picture_address)])
            self.message_user(request, _("The picture is on the home page now."))
        return redirect("admin:search_featureddestination_change", featured.pk)

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
