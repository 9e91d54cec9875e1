"""The settings page: one row, grouped by what a visitor notices, each value restorable on its own."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import FieldDoesNotExist, PermissionDenied, ValidationError
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, resolve, reverse
from django.utils.text import capfirst
from django.utils.timezone import localdate

from search.domain.query import Refinement
from search.domain.site_settings import BUILT_IN_PLACES, SETTINGS, FeaturedDestination
from search.results.context import parsed
from search.results.full_results import FullResults
from search.sharing.staff import NoteField
from search.site_settings import store
from search.site_settings.models import ROW, SiteSettings
from search.web.links import results_path
from search.web.markets import MarketLanguageMiddleware
from search.web.shortcuts import Preview

from .forms import DurationField, MeaningfulForm, duration_words
from .history import RecordedAdmin, forbidden
from .monitoring import gateway_view

# The name of the preview buttons; the value HOME asks for the first page, any other for results.
PREVIEW = "_preview"
HOME = "home"
DURATIONS = frozenset(name for name in SETTINGS if name.endswith("_seconds"))
# Those whose order visitors meet: what is chosen stands first, in its order.
ORDERED = frozenset({"markets", "currencies"})
PROBE_NOTE = "The gateway's documents leave these open. “Probe” on the page “Gateway” measures them."
NOTES = {SETTINGS["price_basis"].group: PROBE_NOTE}


class SiteSettingsForm(MeaningfulForm):
    """The settings with, on every field, the range it accepts and the default it can go back to."""

    class Meta:
        model = SiteSettings
        fields = tuple(SETTINGS)
        field_classes = {"contact_text": NoteField, **dict.fromkeys(DURATIONS, DurationField)}
        widgets = {"contact_text": forms.Textarea(attrs={"rows": 3})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fixed = store.fixed_by_environment()
        for name, field in self.fields.items():
            if accepted := range_text(name):
                field.help_text = f"{field.help_text} {accepted}."
            field.built_in = in_words(name, SETTINGS[name].default)  # type: ignore[attr-defined]
            current = store.as_text(getattr(self.instance, name))
            field.differs = current != store.as_text(SETTINGS[name].default)  # type: ignore[attr-defined]
            if name in DURATIONS:
                field.error_messages["max_value"] = f"The longest is {_longest(name)}."
            if name in fixed:
                field.disabled, field.show_hidden_initial, self.initial[name] = True, False, fixed[name]
                field.help_text = f"Set by the deployment with {name.upper()}; not changeable here."
        for name in ORDERED & self.fields.keys():
            field = cast(forms.MultipleChoiceField, self.fields[name])
            labels = dict(cast("list[tuple[str, str]]", field.choices))
            chosen = {code: labels[code] for code in self.initial[name] if code in labels}
            field.choices = [*(chosen | labels).items()]

    def in_words(self, name: str, value: Any) -> str:
        return in_words(name, value)


def previewed_page(request: HttpRequest, preview: Preview, page: str) -> HttpResponse:
    """The first page, or the results of the first place on it, collected to the end: the scripts of a preview
    can't fetch more."""
    site, today = preview.site, localdate()
    address = reverse("home")
    if page != HOME:
        place = next(iter(site.home_places(today)), FeaturedDestination(BUILT_IN_PLACES[0]))
        near = Refinement(near=place.airport.upper())
        address = results_path(site.usual_search(place.place, today), near)
    where, _mark, query = address.partition("?")
    inner = WSGIRequest({**request.META, "REQUEST_METHOD": "GET", "PATH_INFO": where, "QUERY_STRING": query})
    inner.user, inner.preview = request.user, preview  # type: ignore[attr-defined]
    _form, context = parsed(inner)
    if context:
        FullResults(context).wait_for_all()
    view = resolve(where)
    return MarketLanguageMiddleware(partial(view.func, **view.kwargs))(inner)


def range_text(name: str) -> str:
    """`1 to 27`, or `0 to 1 day`; empty for what has no range."""
    limits = SETTINGS[name].limits
    if limits.ge is None:
        return ""
    return f"{limits.ge} to {_longest(name) if name in DURATIONS else limits.le}"


def _longest(name: str) -> str:
    return duration_words(int(SETTINGS[name].limits.le or 0))


def in_words(name: str, value: Any) -> str:
    """A value of a setting as a colleague would say it: `on`, `5 minutes`, `all`."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if value in ("", None, ()):
        return "empty"
    if name in DURATIONS:
        return duration_words(value)
    choices = SETTINGS[name].choices
    if choices and isinstance(value, tuple | list):
        labels = [choices.get(one, one) for one in map(str, value)]
        return "all" if len(labels) == len(choices) else ", ".join(labels)
    return choices.get(value) or store.as_text(value)


def _reading(name: str) -> Callable[[SiteSettings], str]:
    """A column that says the value in force of one setting."""

    @admin.display(description=SETTINGS[name].label)
    def reading(row: SiteSettings) -> str:
        return in_words(name, store.fixed_by_environment().get(name, getattr(row, name)))

    reading.__name__ = name
    return reading


@admin.register(SiteSettings)
class SiteSettingsAdmin(RecordedAdmin):
    form = SiteSettingsForm
    fieldsets = [
        (group, {"fields": [one.name for one in settings], "description": NOTES.get(group, "")})
        for group, settings in groupby(SETTINGS.values(), attrgetter("group"))
    ]
    has_add_permission = has_delete_permission = forbidden

    def view_on_site(self, obj: SiteSettings) -> str:
        return reverse("home")

    def get_fieldsets(self, request: HttpRequest, obj: SiteSettings | None = None) -> Any:
        """The groups of settings, with the values in words for colleagues who may only look."""
        if self.has_change_permission(request):
            return self.fieldsets
        groups = cast("list[tuple[str, Any]]", self.fieldsets)
        return [(group, {**about, "fields": [*map(_reading, about["fields"])]}) for group, about in groups]

    def can_put_back(self) -> frozenset[str]:
        return frozenset(SETTINGS.keys() - store.fixed_by_environment().keys())

    def said(self, change: store.Change) -> store.Change:
        """In the words of the form; as it is where the setting no longer takes its values."""
        name, *texts = change
        with suppress(FieldDoesNotExist, ValidationError):
            words = (in_words(name, store.from_text(name, text)) if text else "" for text in texts)
            return store.Change(name, *words)
        return change

    def get_object(self, request: HttpRequest, object_id: str, from_field: Any = None) -> SiteSettings | None:
        """The row, even if it is missing or out of range."""
        return store.stored() if object_id == str(ROW) else None

    def get_urls(self) -> list[URLPattern]:
        restore, gateway = map(self.admin_site.admin_view, (self.restore_view, gateway_view))
        return [
            path("restore/", restore, name="search_sitesettings_restore"),
            path("gateway/", gateway, name="search_gateway"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return redirect("admin:search_sitesettings_change", ROW)

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The preview, if it is asked for with values that Save would take; else the form."""
        if PREVIEW in request.POST and self.has_change_permission(request):
            row = store.stored()
            form = self.get_form(request, row, change=True)(request.POST, instance=row)
            if form.is_valid():
                differences = (
                    f"{capfirst(SETTINGS[name].label)}: "
                    f"{in_words(name, form.initial[name])} → {in_words(name, getattr(form.instance, name))}"
                    for name in form.changed_data
                )
                preview = Preview(store.proposed(form.instance), tuple(differences))
                return previewed_page(request, preview, request.POST[PREVIEW])
        return super().changeform_view(request, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: SiteSettings, form: Any, change: bool) -> None:
        if PREVIEW in request.POST:  # refused above, valid by now: still no Save
            raise PermissionDenied
        store.save(obj, form.changed_data)

    def restore_view(self, request: HttpRequest) -> HttpResponse:
        """One field to the value posted as text, or back to its default."""
        # The sign-in page leads here after a session has ended.
        if request.method == "POST":
            self._restore(request, request.POST.get("field", ""))
        goal = "search_gateway" if "back" in request.POST else "search_sitesettings_changelist"
        return redirect(f"admin:{goal}")

    def _restore(self, request: HttpRequest, name: str) -> None:
        if not (name in self.can_put_back() and self.has_change_permission(request)):
            raise PermissionDenied
        text = request.POST.get("value")
        try:
            value = SETTINGS[name].default if text is None else store.from_text(name, text)
            changes = store.change({name: value})
        except ValidationError as error:
            self.message_user(request, " ".join(error.messages), messages.ERROR)
            return
        self.record(request, store.stored(), changes)
        said = f"“{SETTINGS[name].label}” is now: {in_words(name, value)}" if changes else "Nothing changed."
        self.message_user(request, said)
