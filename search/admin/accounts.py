"""Django's own pages of users and groups, in words that colleagues know, and those of django-axes."""

from collections.abc import Iterable
from typing import Any

from axes.admin import AccessAttemptAdmin, AccessFailureLogAdmin, AccessLogAdmin
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group, User
from django.http import HttpRequest
from django.utils.text import capfirst

from .history import ListAdmin, RowForm

# Their rows only say who is in which group and who may do what, and have no words of their own.
MEMBERSHIPS = (User.groups.through, User.user_permissions.through, Group.permissions.through)
BEGINNINGS = tuple(f"{capfirst(one._meta.verbose_name)}: " for one in MEMBERSHIPS)


class AccountAdmin(ListAdmin):
    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """What goes along, without memberships."""
        lines, counts, missing, protected = super().get_deleted_objects(objs, request)
        for one in MEMBERSHIPS:
            counts.pop(str(one._meta.verbose_name_plural), None)
        return _without_memberships(lines), counts, missing, protected


def _without_memberships(lines: Iterable[Any]) -> list[Any]:
    """Lines and lists of lines, without lists that are left empty."""
    others = [_without_memberships(one) if isinstance(one, list) else one for one in lines]
    return [one for one in others if one and not (isinstance(one, str) and one.startswith(BEGINNINGS))]


class UserForm(RowForm, UserChangeForm):  # type: ignore[type-arg]
    """Django's own, which takes nothing of a colleague's change back."""


admin.site.unregister([User, Group, AccessAttempt, AccessFailureLog, AccessLog])


@admin.register(User)
class UserAdmin(AccountAdmin, DjangoUserAdmin):  # type: ignore[type-arg]
    form = UserForm


@admin.register(Group)
class GroupAdmin(AccountAdmin, DjangoGroupAdmin):
    form = RowForm


@admin.register(AccessAttempt)
class AttemptAdmin(ListAdmin, AccessAttemptAdmin):  # type: ignore[misc]
    @admin.action(description="Clean up expired attempts")
    def cleanup_expired_attempts(self, request: HttpRequest, queryset: Any) -> None:
        """axes' own, which expects the moment of a sign-in: None stands for now."""
        request.axes_attempt_time = None  # type: ignore[attr-defined]
        super().cleanup_expired_attempts(request, queryset)


@admin.register(AccessFailureLog)
class FailureAdmin(ListAdmin, AccessFailureLogAdmin):  # type: ignore[misc]
    pass


@admin.register(AccessLog)
class SignInAdmin(ListAdmin, AccessLogAdmin):  # type: ignore[misc]
    pass
