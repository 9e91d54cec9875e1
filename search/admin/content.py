"""The content admins maintain, with the filters, columns and bulk actions of each table.

What the content pages of the admin need to know of the gateway.

Taking a hotel down: by its key, or by the address of its page, whichever a colleague has at hand.
"""

from __future__ import annotations

import time
from datetime import date
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlencode, urlsplit

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.widgets import AdminTextInputWidget
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import Resolver404, URLPattern, path, resolve, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from search.domain.deadline import Deadline
from search.domain.hotels import Property
from search.domain.site_settings import Site
from search.gateway.errors import GatewayError
from search.gateway.factory import gateway
from search.site_settings import store
from search.site_settings.models import (
    BlockedProperty,
    CodeLabel,
    DestinationOverride,
    FeaturedDestination,
    Provider,
)
from search.site_settings.store import Change
from search.web.photos import photo_addresses

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
        found = pictures(featured.place, store.current(), localdate(), deadline)
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


def pictures(place: str, site: Site, today: date, deadline: Deadline) -> tuple[str, ...]:
    """The first picture of each hotel on the first page of a usual search; none when it can't be had."""
    try:
        answer = gateway().search(
            site.usual_search(place, today),
            page=0,
            size=site.page_size,
            categories_style=site.categories_style,
            deadline=deadline,
        )
    except GatewayError:
        return ()
    return tuple(one.property.images[0] for one in answer.value.listings if one.property.images)


def property_at(
    provider: str, property_id: str, site: Site, today: date, deadline: Deadline
) -> Property | None:
    """The property that a provider sells under this identifier; None when the gateway can't tell."""
    try:
        search = site.usual_search("", today)
        return gateway().details(provider, property_id, search, deadline=deadline).value.property
    except GatewayError:
        return None


if TYPE_CHECKING:
    BlockedForm = forms.ModelForm[BlockedProperty]
else:
    BlockedForm = forms.ModelForm


class BlockedPropertyForm(BlockedForm):
    """A block whose key may be given as the address of the hotel's page; its name is then filled in."""

    key = forms.CharField(
        max_length=4_000,
        strip=False,
        label=lazy("Key or address"),
        help_text=BlockedProperty._meta.get_field("key").help_text,
        widget=AdminTextInputWidget,
    )

    class Meta:
        model = BlockedProperty
        fields = ("key", "name", "reason", "until")

    def clean_key(self) -> str:
        given = str(self.cleaned_data["key"])
        page = property_page(given.strip())
        if page is None:
            return given
        deadline = Deadline(settings.GATEWAY_DEADLINE, time.monotonic)
        found = property_at(*page, store.current(), localdate(), deadline)
        if found is None:
            raise forms.ValidationError(_("The gateway can't say which hotel this is right now."))
        self.found_name = found.name
        return found.key

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        name = getattr(self, "found_name", "")
        if name and cleaned and not cleaned.get("name"):
            cleaned["name"] = name[: BlockedProperty._meta.get_field("name").max_length]
        return cleaned


def property_page(address: str) -> tuple[str, str] | None:
    """Provider and property id of a hotel page's address; None when it is no such address."""
    try:
        match = resolve(unquote(urlsplit(address).path))
    except (Resolver404, ValueError):
        return None
    return (match.kwargs["provider"], match.kwargs["property_id"]) if match.url_name == "property" else None


@admin.register(BlockedProperty)
class BlockedPropertyAdmin(ContentAdmin):
    form = BlockedPropertyForm
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
