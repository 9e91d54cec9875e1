"""History with old and new values: of each row, and of all settings and content in one list. Forms that take
nothing of a colleague's change back, those of accounts among them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from axes.admin import AccessAttemptAdmin
from django import forms
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.admin.options import get_content_type_for_model
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group, User
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.html import format_html_join

from search.site_settings.store import Change, as_text, assign

SHOWN = 200
# The permission that shows all rows of a model, where that isn't to view it.
NEEDED = {"sharedlink": "delete"}

# Django's classes take a model for the type checker alone.
if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    ModelForm = forms.ModelForm[Any]
else:
    ModelAdmin = admin.ModelAdmin
    ModelForm = forms.ModelForm


def forbidden(*_args: Any, **_kwargs: Any) -> bool:
    """A ModelAdmin's `has_..._permission` that no user has."""
    return False


class RowForm(ModelForm):
    """The form of a row, with the values it was opened with as hidden fields. What was not touched keeps a
    colleague's later value; what both have changed is refused once, with that value."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        has_hidden = any(name.startswith("initial-") for name in self.data)
        for name, field in self.fields.items():
            # Values that can't be changed, such as the digest of a password, stay out of the page.
            is_kept = self.instance.pk and not (field.disabled or isinstance(field, forms.FileField))
            # A list in which nothing was chosen has no hidden field.
            is_list = isinstance(field, forms.ModelMultipleChoiceField | forms.MultipleChoiceField)
            was_sent = has_hidden if is_list else self.add_initial_prefix(name) in self.data
            field.show_hidden_initial = bool(is_kept and (was_sent or not self.is_bound))

    def in_words(self, name: str, value: Any) -> str:
        """A value of a field in a sentence."""
        return ("on" if value else "off") if isinstance(value, bool) else as_text(value) or "empty"

    def clean(self) -> dict[str, Any] | None:
        touched = self.changed_data
        for name, field in self.fields.items():
            if not field.show_hidden_initial:
                continue
            if name not in touched:
                self.cleaned_data[name] = self.initial[name]
            elif name in self.cleaned_data and not isinstance(field, forms.ModelMultipleChoiceField):
                self._refuse_once(name, field)
        return super().clean()

    def _refuse_once(self, name: str, field: forms.Field) -> None:
        """Refuse a touched field that a colleague has set to something else meanwhile."""
        stored, hidden_name, widget = self.initial[name], self.add_initial_prefix(name), field.hidden_widget()
        value = widget.format_value(field.prepare_value(stored))
        opened_with = widget.value_from_datadict(self.data, self.files, hidden_name)
        if _words(opened_with) == _words(value) or as_text(self.cleaned_data[name]) == as_text(stored):
            return
        # The page that comes back shows the colleague's value: saving again replaces it.
        self.data = data = cast(QueryDict, self.data).copy()
        data.setlist(hidden_name, value if isinstance(value, list) else [value or ""])
        words = self.in_words(name, stored)
        self.add_error(name, f"A colleague has set this to “{words}” meanwhile. Save again to set yours.")


def _words(value: Any) -> list[str]:
    """A hidden field's value, with its white space made one."""
    return sorted(map(str, value)) if isinstance(value, (list, tuple)) else str(value or "").split()


class RecordedAdmin(ModelAdmin):
    """A ModelAdmin whose history keeps old and new values."""

    object_history_template = "admin/search/object_history.html"

    def construct_change_message(
        self, request: HttpRequest, form: forms.Form, formsets: Any, add: bool = False
    ) -> list[dict[str, Any]]:
        message: list[dict[str, Any]] = [*super().construct_change_message(request, form, formsets, add)]
        if not add and message and isinstance(form, forms.ModelForm):
            message[0]["values"] = [
                Change(name, as_text(form.initial.get(name)), as_text(getattr(form.instance, name)))
                for name in form.changed_data
            ]
        return message

    def record(self, request: HttpRequest, instance: Model, changes: Iterable[Change]) -> None:
        """Add changes made outside a form to an object's history."""
        if values := [*changes]:
            labels = [field_label(self.model, one.name) for one in values]
            self.log_change(request, instance, [{"changed": {"fields": labels}, "values": values}])

    def set_values(self, request: HttpRequest, instance: Model, values: Mapping[str, Any]) -> bool:
        """Set fields of a row and record what changed; whether any did."""
        changes = assign(instance, values)
        if changes:
            instance.save(update_fields=[one.name for one in changes])
            self.record(request, instance, changes)
        return bool(changes)

    def said(self, change: Change) -> Change:
        """A change with its values in the words of the form."""
        return change

    def can_put_back(self) -> frozenset[str]:
        """The fields whose former values the history offers to put back."""
        return frozenset()

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        entries = LogEntry.objects.filter(
            object_id=object_id, content_type=get_content_type_for_model(self.model)
        ).select_related("user")[:SHOWN]
        lines = [*chain.from_iterable(map(self._lines, entries))]
        can_put_back = self.can_put_back() if self.has_change_permission(request) else frozenset()
        context = {"lines": lines, "can_put_back": can_put_back, **(extra_context or {})}
        return super().history_view(request, object_id, context)

    def _lines(self, entry: LogEntry) -> Iterator[tuple[LogEntry, str, Change | None, str]]:
        """An entry's changes in words, each with its field's label and its former value as it is kept."""
        values = recorded_values(entry)
        if not values:
            yield entry, entry.get_change_message(), None, ""
        for one in values:
            yield entry, field_label(self.model, one.name), self.said(one), one.before


def field_label(model: type[Model] | None, name: str) -> str:
    """What a field is called; its name where the model no longer has it."""
    try:
        return str(getattr(model._meta.get_field(name), "verbose_name", name)) if model else name
    except FieldDoesNotExist:
        return name


def recorded_values(entry: LogEntry) -> list[Change]:
    """The old and new values of an entry; none if it has no values."""
    try:
        message = json.loads(entry.change_message or "[]")
        return [Change(*map(str, value)) for part in message for value in part.get("values", ())]
    except (ValueError, TypeError, AttributeError):
        return []


@admin.register(LogEntry)
class ChangesAdmin(ModelAdmin):
    """Read-only: history that can be edited is none."""

    list_display = ["action_time", "user", "content_type", "object_repr", "action_flag", "values"]
    list_display_links = None
    list_filter = [
        "action_time",
        "action_flag",
        *((name, admin.RelatedOnlyFieldListFilter) for name in ("content_type", "user")),
    ]
    list_select_related = ["user", "content_type"]
    search_fields = ["object_repr", "change_message", "user__username"]
    date_hierarchy = "action_time"
    list_per_page = 50

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        title = "Changes of settings, content and shared links"
        return super().changelist_view(request, {"title": title, **(extra_context or {})})

    @admin.display(description="before and after")
    def values(self, entry: LogEntry) -> str:
        model = entry.content_type.model_class() if entry.content_type else None
        page = self.admin_site._registry.get(model) if model else None
        in_words = page.said if isinstance(page, RecordedAdmin) else Change._make
        changes = [
            (field_label(model, one.name), one.before or "–", one.after or "–")
            for one in map(in_words, recorded_values(entry))
        ]
        return format_html_join("; ", "{}: <del>{}</del> <ins>{}</ins>", changes)

    def get_queryset(self, request: HttpRequest) -> QuerySet[LogEntry]:
        """Changes of what the reader may see; of shared links only for those who see everybody's."""
        types = [
            one
            for one in ContentType.objects.filter(app_label="search")
            if request.user.has_perm(f"search.{NEEDED.get(one.model, 'view')}_{one.model}")
        ]
        return super().get_queryset(request).filter(content_type__in=types)

    has_add_permission = has_change_permission = has_delete_permission = forbidden


class UserForm(RowForm, UserChangeForm):  # type: ignore[type-arg]
    """Django's own, which takes nothing of a colleague's change back."""


class AccountAdmin(ModelAdmin):
    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """The accounts or groups alone: their memberships, which go along, have no words of their own."""
        _nested, _counts, missing, protected = super().get_deleted_objects(objs, request)
        return [*map(str, objs)], {self.opts.verbose_name_plural: len(objs)}, missing, protected


admin.site.unregister([User, Group])


@admin.register(User)
class UserAdmin(AccountAdmin, DjangoUserAdmin):  # type: ignore[type-arg]
    form = UserForm


@admin.register(Group)
class GroupAdmin(AccountAdmin, DjangoGroupAdmin):
    form = RowForm


# The action of axes expects the moment of a sign-in.
AccessAttemptAdmin.actions = ()
