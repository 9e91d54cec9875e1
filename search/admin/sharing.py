"""Shared links in the admin: their owners see their own, admins see all of them."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.template.defaultfilters import pluralize
from django.utils import timezone
from django.utils.timezone import localdate

from search.sharing import service as links
from search.sharing.link import LinkState
from search.sharing.models import SharedLink
from search.site_settings import store

from .history import RecordedAdmin, forbidden

Rows = QuerySet[SharedLink]

STATES = {
    LinkState.LIVE: "live",
    LinkState.EXPIRED: "expired",
    LinkState.PAST: "dates passed",
    LinkState.REVOKED: "revoked",
}

EDITABLE = ("title", "note", "label", "expires")
SHOWN = (
    "state", "owner", "kind", "place", "check_in", "properties", "shared_at", "revoked_at", "about_opens",
    "first_opened_at", "last_opened_at",
)  # fmt: skip
LISTED = ("owner", "place", "check_in", "expires", "state", "about_opens", "last_opened_at")
OWNERS = ("owner", admin.RelatedOnlyFieldListFilter)


class StateFilter(admin.SimpleListFilter):
    """Links by what a recipient would find."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(state.value, words) for state, words in STATES.items()]

    def queryset(self, request: HttpRequest, queryset: Rows) -> Rows:
        if (chosen := self.value() or "") not in STATES:
            return queryset
        return queryset.filter(links.in_state(LinkState(chosen), localdate()))


class OwnerGoneFilter(admin.SimpleListFilter):
    """Links whose owner's account was deleted or shut."""

    title = "owner"
    parameter_name = "owner_gone"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", "account gone or shut")]

    def queryset(self, request: HttpRequest, queryset: Rows) -> Rows:
        gone = Q(owner__isnull=True) | Q(owner__is_active=False)
        return queryset.filter(gone) if self.value() == "yes" else queryset


class ToColleague(ActionForm):
    """The choice of an action, and of the colleague for handing over."""

    colleague = forms.ModelChoiceField(
        User.objects.filter(is_active=True, is_staff=True), required=False, label="to"
    )


@admin.register(SharedLink)
class SharedLinkAdmin(RecordedAdmin):
    """Links are made on the site; here they are found, worded, prolonged and revoked."""

    list_display = ["__str__", *LISTED]
    list_filter = [StateFilter, OwnerGoneFilter, "kind", OWNERS, "check_in"]
    list_select_related = ["owner"]
    list_per_page = 50
    search_fields = ["code", "title", "note", "label", "place", "owner__username", "owner__last_name"]
    date_hierarchy = "shared_at"
    actions = ["revoke", "restore", "extend", "hand_over"]
    action_form = ToColleague
    fields = (*EDITABLE, *SHOWN)
    readonly_fields = SHOWN
    has_add_permission = forbidden

    def get_queryset(self, request: HttpRequest) -> Rows:
        """Everybody's links only for those who may delete them."""
        rows = super().get_queryset(request)
        return rows if self.has_delete_permission(request) else rows.filter(owner_id=request.user.pk)

    def save_model(self, request: HttpRequest, obj: SharedLink, form: Any, change: bool) -> None:
        """A link in other words is no longer the one that sharing the same again should give."""
        if {"title", "note"} & set(form.changed_data):
            obj.digest = ""
        super().save_model(request, obj, form, change)

    @admin.display(description="state")
    def state(self, obj: SharedLink) -> str:
        return str(STATES[obj.state(localdate())])

    @admin.display(description="opens, about", ordering="opens")
    def about_opens(self, obj: SharedLink) -> int:
        return obj.opens

    @admin.display(description="properties")
    def properties(self, obj: SharedLink) -> str:
        return ", ".join(one.name for one in obj.shown)

    @admin.action(description="Revoke the selected links", permissions=["change"])
    def revoke(self, request: HttpRequest, queryset: Rows) -> None:
        count = links.revoke_all(queryset, now=timezone.now())
        self.message_user(request, f"{count} link{pluralize(count)} revoked.")

    @admin.action(description="Let the selected links work again", permissions=["change"])
    def restore(self, request: HttpRequest, queryset: Rows) -> None:
        count = links.restore(queryset)
        self.message_user(request, f"{count} link{pluralize(count)} restored.")

    @admin.action(description="Hand the selected links over", permissions=["delete"])
    def hand_over(self, request: HttpRequest, queryset: Rows) -> None:
        colleague = User.objects.filter(pk=int(request.POST.get("colleague") or 0)).first()
        if colleague is None or not colleague.has_perm("search.add_sharedlink"):
            self.message_user(request, "Choose a colleague who may share links.", messages.ERROR)
            return
        count = links.hand_over(queryset, colleague)
        self.message_user(request, f"{count} link{pluralize(count)} handed over to {colleague}.")

    @admin.action(description="Extend the selected links", permissions=["change"])
    def extend(self, request: HttpRequest, queryset: Rows) -> None:
        count = links.extend_all(queryset, today=localdate(), days=store.current().share_days)
        unchanged = "Revoked links and past stays stay as they are."
        self.message_user(request, f"{count} link{pluralize(count)} extended. {unchanged}")
