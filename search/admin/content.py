"""The tables of content that admins maintain, with their filters, columns and bulk actions."""

import time
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.widgets import AdminTextInputWidget
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Max, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.defaultfilters import pluralize
from django.template.response import TemplateResponse
from django.urls import Resolver404, URLPattern, path, resolve, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.timezone import localdate
from django.views.decorators.http import require_http_methods, require_POST

from search.domain import hand_over
from search.domain.deadline import Deadline
from search.domain.hotels import Property
from search.domain.text import humanise
from search.gateway.errors import GatewayError
from search.gateway.factory import gateway
from search.monitoring.metrics import KEPT_DAYS, Report, last_days, reports
from search.site_settings import models, store
from search.site_settings.models import BlockedProperty, FeaturedDestination, Provider
from search.site_settings.store import Change
from search.web.photos import photo_addresses

from .history import ModelForm, RecordedAdmin

Rows = QuerySet[Any]
PICTURES = 24


def bulk_action(description: Any, **values: Any) -> Callable[..., None]:
    """An action that sets these fields of the selected rows; a callable is called for its value."""

    @admin.action(description=description, permissions=["change"])
    def action(model_admin: ContentAdmin, request: HttpRequest, queryset: Rows) -> None:
        wanted = {name: value() if callable(value) else value for name, value in values.items()}
        changed = sum(model_admin.set_values(request, row, wanted) for row in queryset)
        model_admin.message_user(request, f"{changed} row{pluralize(changed)} changed.")

    return action


def hotel_pictures(place: str) -> tuple[str, ...]:
    """The first picture of each hotel on the first page of a usual search; none when unavailable."""
    site = store.current()
    search = site.usual_search(place, localdate())
    try:
        answer = gateway().search(search, page=0, size=site.page_size, site=site, deadline=_deadline())
    except GatewayError:
        return ()
    return tuple(one.property.images[0] for one in answer.value.listings if one.property.images)


def property_at(provider: str, property_id: str) -> Property | None:
    """The property that a provider sells under this identifier; None when the gateway can't tell."""
    site = store.current()
    search = site.usual_search("", localdate())
    try:
        found = gateway().details(provider, property_id, search, site=site, deadline=_deadline())
    except GatewayError:
        return None
    return found.value.property


def _deadline() -> Deadline:
    return Deadline(settings.GATEWAY_DEADLINE, time.monotonic)


def property_page(address: str) -> tuple[str, str] | None:
    """Provider and property id of a hotel page's address; None when it is no such address."""
    try:
        match = resolve(unquote(urlsplit(address).path))
    except (Resolver404, ValueError):
        return None
    return (match.kwargs["provider"], match.kwargs["property_id"]) if match.url_name == "property" else None


class InForce(admin.SimpleListFilter):
    """Rows with an end: still in force, or over. `last` is the model field of the last day."""

    title = "state"
    parameter_name = "state"
    last = "until"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("on", "in force"), ("over", "over")]

    def queryset(self, request: HttpRequest, queryset: Rows) -> Rows:
        over = Q(**{f"{self.last}__lt": localdate()})
        return queryset.filter({"on": ~over, "over": over}.get(self.value() or "", Q()))


class InSeason(InForce):
    last = "last_day"


class NamedCells(ModelForm):
    """A row of editable cells, each named for those who can't see the column's head."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs["aria-label"] = f"{field.label}: {self.instance}"


class ContentAdmin(RecordedAdmin):
    """What all content pages share."""

    list_per_page = 50
    save_on_top = False

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> type[ModelForm]:
        return super().get_changelist_form(request, **{"form": NamedCells, **kwargs})


def providers_seen() -> list[str]:
    """The codes of the providers met in the last seven days that nobody has listed yet."""
    met = Report.merged(reports(last_days(KEPT_DAYS)), localdate()).seen.providers
    return sorted({code for code in met if code} - set(Provider.objects.values_list("code", flat=True)))


@admin.register(Provider)
class ProviderAdmin(ContentAdmin):
    change_list_template = "admin/search/provider/change_list.html"
    list_display = ["code", "label", "order", "enabled", "handed_over_to"]
    list_editable = ["label", "order", "enabled"]
    list_filter = ["enabled", ("address_template", admin.EmptyFieldListFilter)]
    search_fields = ["code", "label", "address_template"]
    fields = ["code", "label", "order", "enabled", "address_template", "example"]
    readonly_fields = ["example"]
    actions = ["enable", "disable"]
    enable = bulk_action("Show the offers of the selected providers", enabled=True)
    disable = bulk_action("Hide the offers of the selected providers", enabled=False)

    @admin.display(description="links lead to", ordering="address_template")
    def handed_over_to(self, obj: Provider) -> str:
        return urlsplit(obj.address_template).netloc

    @admin.display(description="for example")
    def example(self, obj: Provider) -> str:
        """The address for a made-up stay, to be tried out; of a template that was refused, nothing."""
        link = hand_over.link(obj.address_template, hand_over.EXAMPLE)
        if not link:
            return "Save an address template to see where it leads."
        opened = '<a href="{}" target="_blank" rel="noopener noreferrer nofollow">{}</a>'
        return format_html(opened, link, link)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        seen = providers_seen() if self.has_add_permission(request) else []
        return super().changelist_view(request, {"seen": seen, **(extra_context or {})})

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.add_seen_view)
        return [path("add-seen/", view, name="search_provider_add_seen"), *super().get_urls()]

    @method_decorator(require_POST)
    def add_seen_view(self, request: HttpRequest) -> HttpResponse:
        """List a provider that offers came from: `code`, readable words for it, after all others."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        code = request.POST.get("code", "")
        if code in providers_seen():
            last = Provider.objects.aggregate(last=Max("order", default=0))["last"]
            row = Provider.objects.create(code=code, label=humanise(code)[:60], order=min(last + 10, 32_767))
            self.log_addition(request, row, [{"added": {}}])
            self.message_user(request, f"{row} is listed now, after all others.")
        else:
            self.message_user(request, "No unlisted provider of this code was met lately.", messages.ERROR)
        return redirect("admin:search_provider_changelist")


@admin.register(models.DestinationOverride)
class DestinationOverrideAdmin(ContentAdmin):
    list_display = ["airport", "place", "search_words", "hidden"]
    list_editable = ["place", "search_words", "hidden"]
    list_filter = ["hidden", ("place", admin.EmptyFieldListFilter)]
    search_fields = ["airport", "place", "search_words"]
    actions = ["hide", "show"]
    hide = bulk_action("Never suggest the selected airports", hidden=True)
    show = bulk_action("Suggest the selected airports again", hidden=False)

    def view_on_site(self, obj: models.DestinationOverride) -> str:
        return f"{reverse('destinations')}?{urlencode({'q': obj.airport})}"


@admin.register(FeaturedDestination)
class FeaturedDestinationAdmin(ContentAdmin):
    list_display = ["place", "thumbnail", "airport", "first_day", "last_day", "order", "shown_now"]
    list_editable = ["order"]
    list_filter = [InSeason, ("airport", admin.EmptyFieldListFilter)]
    search_fields = ["place", "airport", "text"]
    actions = ["end_today", "whole_year"]
    end_today = bulk_action("Make today the last day of the selected", last_day=localdate)
    whole_year = bulk_action("Show the selected all year", first_day=None, last_day=None)
    fieldsets = [
        (None, {"fields": ["place", "airport", "text", "order"]}),
        ("Season", {"fields": [("first_day", "last_day")]}),
        ("Picture", {"fields": ["upload", "picture_address"]}),
    ]

    def view_on_site(self, obj: FeaturedDestination) -> str:
        return reverse("home")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.pictures_view)
        return [
            path("<int:pk>/pictures/", view, name="search_featureddestination_pictures"),
            *super().get_urls(),
        ]

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def pictures_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Choose a picture among those of the place's hotels, as the gateway's own results show them."""
        featured = get_object_or_404(FeaturedDestination, pk=pk)
        if not self.has_change_permission(request, featured):
            raise PermissionDenied
        if request.method == "POST":
            return self._choose_picture(request, featured)
        context = {
            **self.admin_site.each_context(request),
            "title": f"Pictures of hotels in {featured.place}",
            "featured": featured,
            "opts": self.opts,
            "pictures": photo_addresses(hotel_pictures(featured.place))[:PICTURES],
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
            self.message_user(request, "The picture is on the home page now.")
        return redirect("admin:search_featureddestination_change", featured.pk)

    @admin.display(description="picture")
    def thumbnail(self, obj: FeaturedDestination) -> str:
        if not obj.picture:
            return "none"
        return format_html('<img class="thumbnail" src="{}" alt="" width="96" height="64">', obj.picture)

    @admin.display(boolean=True, description="shown now")
    def shown_now(self, obj: FeaturedDestination) -> bool:
        today = localdate()
        return (obj.first_day or today) <= today <= (obj.last_day or today)


@admin.register(models.CodeLabel)
class CodeLabelAdmin(ContentAdmin):
    list_display = ["code", "kind", "label"]
    list_editable = ["label"]
    list_filter = ["kind"]
    search_fields = ["code", "label"]


class BlockedPropertyForm(ModelForm):
    """A block whose key may be given as the address of the hotel's page; its name is then filled in."""

    key = forms.CharField(
        max_length=4_000,
        strip=False,
        label="Key or address",
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
        found = property_at(*page)
        if found is None:
            raise forms.ValidationError("The gateway can't say which hotel this is right now.")
        self.found_name = found.name
        return found.key

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        name = getattr(self, "found_name", "")
        if name and cleaned and not cleaned.get("name"):
            cleaned["name"] = name[: BlockedProperty._meta.get_field("name").max_length]
        return cleaned


@admin.register(BlockedProperty)
class BlockedPropertyAdmin(ContentAdmin):
    form = BlockedPropertyForm
    list_display = ["__str__", "key", "reason", "until", "created", "in_force"]
    list_filter = [InForce, "created"]
    search_fields = ["key", "name", "reason"]
    date_hierarchy = "created"
    actions = ["end_today", "hide_for_good"]
    end_today = bulk_action("Show the selected hotels again from tomorrow", until=localdate)
    hide_for_good = bulk_action("Hide the selected hotels for good", until=None)

    @admin.display(boolean=True, description="hidden now")
    def in_force(self, obj: BlockedProperty) -> bool:
        return obj.until is None or obj.until >= localdate()
