"""Shared links in the admin: their owners see their own, admins see all of them."""

from collections.abc import Callable
from functools import partial
from operator import methodcaller
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.contrib.auth.models import User
from django.db.models import QuerySet, TextField
from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import pluralize
from django.urls import reverse

from search.sharing import models as links
from search.sharing.models import LinkState, SharedLink
from search.sharing.staff import NoteField
from search.site_settings import store
from search.site_settings.store import Change, as_text

from .history import RecordedAdmin, RowForm, forbidden

Rows = QuerySet[SharedLink]

STATES = {
    LinkState.LIVE: "live",
    LinkState.EXPIRED: "expired",
    LinkState.PAST: "dates passed",
    LinkState.REVOKED: "revoked",
}

SHOWN = (
    "state", "owner", "kind", "place", "check_in", "properties", "shared_at", "revoked_at", "about_opens",
    "first_opened_at", "last_opened_at",
)  # fmt: skip
LISTED = ("owner", "place", "check_in", "expires", "state", "about_opens", "last_opened_at")
# What actions change, for the history.
RECORDED = ("owner", "expires", "revoked_at")
PERMISSIONS = "django.contrib.auth.backends.ModelBackend"


class StateFilter(admin.SimpleListFilter):
    """Links by what a recipient would find."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(state.value, words) for state, words in STATES.items()]

    def queryset(self, request: HttpRequest, queryset: Rows) -> Rows:
        if (chosen := self.value() or "") not in STATES:
            return queryset
        return queryset.alias(now=links.state_now()).filter(now=chosen)


class ToColleague(ActionForm):
    """The choice of an action, and of the colleague for handing over."""

    colleague = forms.ModelChoiceField(
        User.objects.with_perm("search.add_sharedlink", backend=PERMISSIONS).filter(is_staff=True),
        required=False,
        label="to",
    )


@admin.register(SharedLink)
class SharedLinkAdmin(RecordedAdmin):
    """Links are made on the site; here they are found, worded, prolonged and revoked."""

    form = RowForm
    list_display = ["__str__", *LISTED]
    list_select_related = ["owner"]
    list_per_page = 50
    search_fields = ["code", "title", "note", "label", "place", "owner__username", "owner__last_name"]
    date_hierarchy = "shared_at"
    actions = ["revoke", "restore", "extend", "hand_over"]
    action_form = ToColleague
    fields = ("title", "note", "label", "expires", *SHOWN)
    readonly_fields = SHOWN
    has_add_permission = forbidden
    formfield_overrides = {TextField: {"form_class": NoteField}}

    def view_on_site(self, obj: SharedLink) -> str:
        """The address for those who see the link; the admin tells a model's own to every colleague."""
        return reverse("shared", args=[obj.code])

    def get_queryset(self, request: HttpRequest) -> Rows:
        """Everybody's links only for those who may delete them."""
        rows = super().get_queryset(request)
        return rows if self.has_delete_permission(request) else rows.filter(owner_id=request.user.pk)

    def get_list_filter(self, request: HttpRequest) -> Any:
        """By owner only for those who see everybody's links; those of deleted accounts have the owner “-”."""
        by_owner = [("owner", admin.RelatedOnlyFieldListFilter)]
        return [StateFilter, *(by_owner if self.has_delete_permission(request) else ()), "kind", "check_in"]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """The choice of a colleague only for those who may hand links over."""
        response = super().changelist_view(request, extra_context)
        form = (getattr(response, "context_data", None) or {}).get("action_form")
        if form and not self.has_delete_permission(request):
            del form.fields["colleague"]
        return response

    def save_model(self, request: HttpRequest, obj: SharedLink, form: Any, change: bool) -> None:
        """Sharing the same again gives a new link once this one has other words."""
        if {"title", "note"} & set(form.changed_data):
            obj.digest = ""
        super().save_model(request, obj, form, change)

    @admin.display(description="state")
    def state(self, obj: SharedLink) -> str:
        return STATES[obj.state]

    @admin.display(description="opens, about", ordering="opens")
    def about_opens(self, obj: SharedLink) -> int:
        return obj.opens

    @admin.display(description="properties")
    def properties(self, obj: SharedLink) -> str:
        return ", ".join(one.name for one in obj.shown)

    def _do(self, request: HttpRequest, queryset: Rows, action: Callable[[Rows], int], done: str) -> None:
        """An action on links: what it changes goes into the history of each, and its count into a message."""
        before = {link.pk: link for link in queryset.select_related("owner")}
        count = action(queryset)
        for link in SharedLink.objects.filter(pk__in=before).select_related("owner"):
            values = ((name, getattr(before[link.pk], name), getattr(link, name)) for name in RECORDED)
            changes = (Change(name, as_text(was), as_text(now)) for name, was, now in values if was != now)
            self.record(request, link, changes)
        self.message_user(request, f"{count} link{pluralize(count)} {done}")

    @admin.action(description="Revoke the selected links", permissions=["change"])
    def revoke(self, request: HttpRequest, queryset: Rows) -> None:
        self._do(request, queryset, links.revoke_all, "revoked.")

    @admin.action(description="Let the selected links work again", permissions=["change"])
    def restore(self, request: HttpRequest, queryset: Rows) -> None:
        self._do(request, queryset, links.restore, "restored.")

    @admin.action(description="Hand the selected links over", permissions=["delete"])
    def hand_over(self, request: HttpRequest, queryset: Rows) -> None:
        colleague = User.objects.filter(pk=int(request.POST.get("colleague") or 0)).first()
        if colleague is None or not colleague.has_perm("search.add_sharedlink"):
            self.message_user(request, "Choose a colleague who may share links.", messages.ERROR)
            return
        hand_over = methodcaller("update", owner=colleague, digest="")
        self._do(request, queryset, hand_over, f"handed over to {colleague}.")

    @admin.action(description="Extend the selected links", permissions=["change"])
    def extend(self, request: HttpRequest, queryset: Rows) -> None:
        longer = partial(links.extend_all, days=store.current().share_days)
        self._do(request, queryset, longer, "extended. Revoked links and past stays stay as they are.")
