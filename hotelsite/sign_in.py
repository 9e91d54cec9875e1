"""How wrong passwords are counted, and what is answered after too many of them."""

from threading import BoundedSemaphore, Lock
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.handlers.proxy import AxesProxyHandler
from axes.helpers import get_client_username
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

# Checking a password takes a processor the better part of a second, and each sign-in that waits for its turn
# holds a thread that pages need.
MOST_SIGNING_IN = 8
WAITING_PLACES, ONE_AT_A_TIME = BoundedSemaphore(MOST_SIGNING_IN), Lock()


class SignInHandler(AxesDatabaseHandler):  # type: ignore[misc]
    """axes' own handler, except that a successful sign-in clears fewer of the failures before it."""

    def reset_user_attempts(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Clears the failures for the name that has signed in, not for all of its address: a colleague could
        guess an administrator's password without end by signing in after every four guesses."""
        own = get_client_username(request, credentials)
        address = request.axes_ip_address  # type: ignore[attr-defined]
        count: int = AccessAttempt.objects.filter(ip_address=address, username=own).delete()[0]
        return count


class SignInForm(AdminAuthenticationForm):
    """The admin's form. A process checks one password at a time, so that guesses sent at once leave the
    processor to pages. Then it asks again whether the address is locked out: other processes count, too."""

    def clean(self) -> dict[str, Any]:
        if not WAITING_PLACES.acquire(blocking=False):
            raise ValidationError("Too many are signing in just now. Please try again in a few seconds.")
        try:
            with ONE_AT_A_TIME:
                return super().clean()
        finally:
            WAITING_PLACES.release()

    def confirm_login_allowed(self, user: User) -> None:
        super().confirm_login_allowed(user)
        if not AxesProxyHandler.is_allowed(self.request, {"username": user.get_username()}):
            self.request.axes_locked_out = True  # type: ignore[union-attr]  # answered by `locked_out`
            raise self.get_invalid_login_error()


def locked_out(request: HttpRequest, _response: HttpResponse, _credentials: Any) -> HttpResponse:
    """What is answered where too many wrong passwords came from, until the time is over (429)."""
    response = render(request, "429.html", status=429)
    response["Retry-After"] = str(round(settings.AXES_COOLOFF_TIME.total_seconds()))
    return response
