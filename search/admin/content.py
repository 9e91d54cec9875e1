"""The tables of content that admins maintain, with their filters, columns and bulk actions."""

from collections.abc import Callable, Mapping
from copy import copy
from datetime import date
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Max, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.defaultfilters import pluralize
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.timezone import localdate
from django.views.decorators.http import require_http_methods

from search.domain import hand_over
from search.domain.words import humanise
from search.site_settings import models
from search.site_settings.models import (
    BlockedProperty,
    FeaturedDestination,
    Provider,
    check_picture_address,
)
from search.site_settings.store import assign
from search.web.links import photo_addresses
from search.web.shortcuts import page_deadline

from .forms import (
    MOST_ORDER,
    AirportCorrectionForm,
    BlockedPropertyForm,
    ContentForm,
    FeaturedForm,
    MeaningfulForm,
    ProviderForm,
    featured_already,
    hotels_in,
    providers_met,
)
from .history import ModelForm, RecordedAdmin, RowForm

Rows = QuerySet[Any]
PICTURES = 24


def bulk_action(description: Any, **values: Any) -> Callable[..., None]:
    """An action that sets these fields of the selected rows; a callable makes a row's value."""

    @admin.action(description=description, permissions=["change"])
    def action(model_admin: ContentAdmin, request: HttpRequest, queryset: Rows) -> None:
        changed = 0
        for row in queryset:
            wanted = {name: value(row) if callable(value) else value for name, value in values.items()}
            changed += model_admin.set_values(request, row, wanted)
        model_admin.message_user(request, f"{changed} row{pluralize(changed)} changed.")

    return action


def today_at_the_latest(last: str) -> Callable[[Any], date]:
    """Makes today the last day of a row (its field `last`), unless it has ended before."""
    return lambda row: min(getattr(row, last) or date.max, localdate())


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


class NamedCells(MeaningfulForm):
    """A row of editable cells, each named for screen readers. An untouched row is not checked."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs["aria-label"] = f"{field.label}: {self.instance}"

    def clean(self) -> dict[str, Any] | None:
        return super().clean() if self.changed_data else RowForm.clean(self)


class ContentAdmin(RecordedAdmin):
    """What all content pages share."""

    form: type[ModelForm] = ContentForm
    list_per_page = 50

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> type[ModelForm]:
        """A form for each row of the list, which refuses what the row's own page refuses."""
        cells: type[ModelForm] = type("Cells", (NamedCells, self.form), {})
        return super().get_changelist_form(request, **{"form": cells, **kwargs})


@admin.register(Provider)
class ProviderAdmin(ContentAdmin):
    form = ProviderForm
    list_display = ["code", "label", "order", "enabled", "handed_over_to"]
    list_editable = ["label", "order", "enabled"]
    list_filter = ["enabled", ("address_template", admin.EmptyFieldListFilter)]
    search_fields = ["code", "label", "address_template"]
    fields = ["code", "label", "order", "enabled", "prices_change", "address_template", "example"]
    readonly_fields = ["example"]
    actions = ["enable", "disable"]
    enable = bulk_action("Show the offers of the selected providers", enabled=True)
    disable = bulk_action("Hide the offers of the selected providers", enabled=False)

    @admin.display(description="links lead to", ordering="address_template")
    def handed_over_to(self, obj: Provider) -> str:
        return urlsplit(obj.address_template).netloc

    @admin.display(description="for example")
    def example(self, obj: Provider) -> str:
        """The address for a made-up stay."""
        link = hand_over.link(obj.address_template, hand_over.EXAMPLE)
        if not link:
            return "Save an address template to see where it leads."
        opened = '<a href="{}" target="_blank" rel="noopener noreferrer nofollow">{}</a>'
        return format_html(opened, link, link)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """A new provider stands after all others, with readable words for the code of one seen lately."""
        given = super().get_changeform_initial_data(request)
        last = Provider.objects.aggregate(last=Max("order", default=0))["last"]
        return {"label": humanise(request.GET.get("code", "")), "order": min(last + 10, MOST_ORDER), **given}

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        unlisted = providers_met().difference(Provider.objects.values_list("code", flat=True))
        return super().changelist_view(request, {"seen": sorted(unlisted), **(extra_context or {})})


@admin.register(models.DestinationOverride)
class DestinationOverrideAdmin(ContentAdmin):
    form = AirportCorrectionForm
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
    form = FeaturedForm
    list_display = ["place", "thumbnail", "airport", "first_day", "last_day", "order", "shown_now"]
    list_editable = ["order"]
    list_filter = [InSeason, ("airport", admin.EmptyFieldListFilter)]
    search_fields = ["place", "airport", "text"]
    actions = ["end_today", "whole_year"]
    end_today = bulk_action(
        "Make today the last day of the selected", last_day=today_at_the_latest("last_day")
    )
    whole_year = bulk_action("Show the selected all year", first_day=None, last_day=None)
    fieldsets = [
        (None, {"fields": ["place", "airport", "text", "order"]}),
        ("Season", {"fields": [("first_day", "last_day")]}),
        ("Picture", {"fields": ["upload", "picture_address"]}),
    ]

    def set_values(self, request: HttpRequest, instance: Any, values: Mapping[str, Any]) -> bool:
        """As for other tables, but says why the form would refuse the season."""
        proposed = copy(instance)
        assign(proposed, values)
        try:
            proposed.clean()
            # Rows that overlap already may still be shortened.
            if not featured_already(instance) and (sentence := featured_already(proposed)):
                raise ValidationError(sentence)
        except ValidationError as error:
            self.message_user(request, f"{instance}: {' '.join(error.messages)}", messages.ERROR)
            return False
        return super().set_values(request, instance, values)

    def view_on_site(self, obj: FeaturedDestination) -> str:
        return reverse("home")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.pictures_view)
        pictures = path("<int:pk>/pictures/", view, name="search_featureddestination_pictures")
        return [pictures, *super().get_urls()]

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def pictures_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Choose a picture among those of the place's hotels."""
        featured = get_object_or_404(FeaturedDestination, pk=pk)
        if not self.has_change_permission(request, featured):
            raise PermissionDenied
        if request.method == "POST":
            return self._choose_picture(request, featured)
        results = hotels_in(featured.place, page_deadline())
        listings = results.listings if results else ()
        pictures = tuple(one.property.images[0] for one in listings if one.property.images)
        context = {
            **self.admin_site.each_context(request),
            "title": f"Pictures of hotels in {featured.place}",
            "featured": featured,
            "opts": self.opts,
            "pictures": photo_addresses(pictures)[:PICTURES],
        }
        return TemplateResponse(request, "admin/search/featureddestination/pictures.html", context)

    def _choose_picture(self, request: HttpRequest, featured: FeaturedDestination) -> HttpResponse:
        chosen = request.POST.get("picture", "")
        try:
            check_picture_address(chosen)
        except ValidationError:
            self.message_user(request, "Choose one of the pictures.", messages.ERROR)
            return redirect("admin:search_featureddestination_pictures", featured.pk)
        self.set_values(request, featured, {"picture_address": chosen})
        if featured.upload:
            text = "The picture is kept, but the uploaded one wins over it: clear that one to show it."
            self.message_user(request, text, messages.WARNING)
        else:
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


@admin.register(BlockedProperty)
class BlockedPropertyAdmin(ContentAdmin):
    form = BlockedPropertyForm
    list_display = ["__str__", "key", "reason", "until", "created", "in_force"]
    list_filter = [InForce, "created"]
    search_fields = ["key", "name", "reason"]
    date_hierarchy = "created"
    readonly_fields = ["also_known_as"]
    actions = ["end_today", "hide_for_good"]
    end_today = bulk_action(
        "Show the selected hotels again from tomorrow", until=today_at_the_latest("until")
    )
    hide_for_good = bulk_action("Hide the selected hotels for good", until=None)

    def save_model(self, request: HttpRequest, obj: BlockedProperty, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if form.warning:
            self.message_user(request, form.warning, messages.WARNING)

    @admin.display(description="also known as")
    def also_known_as(self, obj: BlockedProperty) -> str:
        return ", ".join(obj.other_keys or ()) or "not known"

    @admin.display(boolean=True, description="hidden now")
    def in_force(self, obj: BlockedProperty) -> bool:
        return obj.until is None or obj.until >= localdate()
