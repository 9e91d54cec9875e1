"""Staff sign in; guessing is slowed down, and a password is never written down."""

import logging

import pytest
from axes.models import AccessAttempt, AccessLog
from django.conf import settings as configured
from django.contrib.auth.models import User
from django.test import Client

PASSWORD = "a-wrong-but-telling-password"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _throttled(settings: object) -> None:
    settings.AXES_ENABLED = True  # type: ignore[attr-defined]


def _sign_in(client: Client, password: str, username: str = "ann") -> int:
    return client.post("/admin/login/", {"username": username, "password": password}).status_code


def test_guessing_a_password_is_stopped_with_429(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    User.objects.create_superuser("ann", "", "right")
    statuses = [_sign_in(client, PASSWORD) for _ in range(configured.AXES_FAILURE_LIMIT + 1)]
    assert statuses[0] == 200
    assert statuses[-1] == 429
    assert _sign_in(client, "right") == 429
    written = (
        caplog.text + repr(list(AccessAttempt.objects.values())) + repr(list(AccessLog.objects.values()))
    )
    assert PASSWORD not in written


def test_another_name_from_the_same_address_is_stopped_too(client: Client) -> None:
    for number in range(configured.AXES_FAILURE_LIMIT):
        _sign_in(client, PASSWORD, username=f"user{number}")
    assert _sign_in(client, PASSWORD, username="somebody-else") == 429


def test_signing_in_clears_the_count(client: Client) -> None:
    User.objects.create_superuser("ann", "", "right")
    for _ in range(configured.AXES_FAILURE_LIMIT - 1):
        _sign_in(client, PASSWORD)
    assert _sign_in(client, "right") == 302
    client.logout()
    assert _sign_in(client, PASSWORD) == 200
