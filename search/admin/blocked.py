"""Taking a hotel down: by its key, or by the address of its page, whichever a colleague has at hand."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.widgets import AdminTextInputWidget
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from search.domain.deadline import Deadline
from search.models import BlockedProperty
from search.services import content, site

from .content import ContentAdmin, InForce, Rows

if TYPE_CHECKING:
    ModelForm = forms.ModelForm[BlockedProperty]
else:
    ModelForm = forms.ModelForm


class BlockedPropertyForm(ModelForm):
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
        found = content.property_at(*page, site.current(), localdate(), deadline)
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
