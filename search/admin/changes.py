"""Every change of settings and content in one list, deletions included: who, when, from what to what."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.translation import gettext_lazy as lazy

from .history import ModelAdmin, recorded_values


@admin.register(LogEntry)
class ChangesAdmin(ModelAdmin):
    """Read-only: history that can be edited is none."""

    list_display = ["action_time", "user", "content_type", "object_repr", "action_flag", "values"]
    list_display_links = None
    list_filter = [
        "action_time",
        "action_flag",
        ("content_type", admin.RelatedOnlyFieldListFilter),
        ("user", admin.RelatedOnlyFieldListFilter),
    ]
    list_select_related = ["user", "content_type"]
    search_fields = ["object_repr", "change_message", "user__username"]
    date_hierarchy = "action_time"
    list_per_page = 50

    @admin.display(description=lazy("before and after"))
    def values(self, entry: LogEntry) -> str:
        changes = [(one.name, one.before or "–", one.after or "–") for one in recorded_values(entry)]
        return format_html_join("; ", "{}: <del>{}</del> <ins>{}</ins>", changes)

    def get_queryset(self, request: HttpRequest) -> QuerySet[LogEntry]:
        return super().get_queryset(request).filter(content_type__app_label="search")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
