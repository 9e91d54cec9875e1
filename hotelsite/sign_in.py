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

# To look at a password takes a processor the better part of a second, and who waits for that keeps a thread
# from pages.
MOST_SIGNING_IN = 8
ROOM, TURN = BoundedSemaphore(MOST_SIGNING_IN), Lock()


class SignInHandler(AxesDatabaseHandler):  # type: ignore[misc]
    """That of axes, but for whose wrong passwords signing in clears."""

    def reset_user_attempts(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Those for one's own name alone. Were all of the address cleared, a colleague who signs in after
        every four guesses could try as many passwords of an administrator as they like."""
        own = get_client_username(request, credentials)
        address = request.axes_ip_address  # type: ignore[attr-defined]
        count: int = AccessAttempt.objects.filter(ip_address=address, username=own).delete()[0]
        return count


class SignInForm(AdminAuthenticationForm):
    """That of the admin, for one at a time in a process, so that guesses sent at once leave it to its pages
    and are counted one by one. Whether the address is shut is asked once more when the password is known:
    other processes count, too."""

    def clean(self) -> dict[str, Any]:
        if not ROOM.acquire(blocking=False):
            raise ValidationError("Too many are signing in just now. Please try again in a few seconds.")
        try:
            with TURN:
                return super().clean()
        finally:
            ROOM.release()

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
