"""Staff sign in; guessing is slowed down, and a password is never written down."""

import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from datetime import timedelta
from threading import Event
from typing import Any

import pytest
from axes import attempts
from axes.models import AccessAttempt, AccessLog
from django.conf import settings as configured
from django.contrib.auth import forms
from django.contrib.auth.models import User
from django.db.models import F
from django.test import Client, RequestFactory
from django.utils import timezone

from hotelsite import sign_in
from tests.waiting import wait_until

PASSWORD = "a-wrong-but-telling-password"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _throttled(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.AXES_ENABLED = True
    # Axes has imported its clock before the tests' day was pinned.
    monkeypatch.setattr(timezone, "now", attempts.now)


def _sign_in(client: Client, password: str, username: str = "ann") -> int:
    return client.post("/admin/login/", {"username": username, "password": password}).status_code


@pytest.mark.parametrize("page", ["/admin/", "/share/links/"])
def test_a_session_that_was_never_given_is_none(client: Client, page: str) -> None:
    # A browser may quote a NUL, for which PostgreSQL refuses to look.
    assert client.get(page, headers={"cookie": 'sessionid="aaaaaaaa\\000"'}).status_code in {302, 404}


@pytest.mark.parametrize("after", ["", "https://elsewhere.example/"])
def test_signing_in_leads_to_the_admin(client: Client, after: str) -> None:
    User.objects.create_superuser("ann", "", "right")
    values = {"username": "ann", "password": "right", "next": after}
    assert client.post("/admin/login/", values)["Location"] == "/admin/"


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


def test_of_guesses_at_once_the_right_one_may_be_too_late(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.create_superuser("ann", "", "right")
    check = User.check_password

    def while_others_guess(user: User, password: str) -> bool:
        for _ in range(configured.AXES_FAILURE_LIMIT if password == "right" else 0):
            _sign_in(Client(), PASSWORD)
        return check(user, password)

    monkeypatch.setattr(User, "check_password", while_others_guess)
    monkeypatch.setattr(sign_in, "ONE_AT_A_TIME", nullcontext())  # that of another process
    assert _sign_in(client, "right") == 429
    assert client.get("/admin/").status_code == 302


def test_one_password_is_checked_at_a_time_and_few_wait(
    rf: RequestFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[object] = []
    most_at_once: list[int] = []
    go_on = Event()

    def look(*_args: object, **_password: object) -> None:
        looked_at.append(1)
        most_at_once.append(len(looked_at))
        go_on.wait(10)
        looked_at.pop()

    def said() -> str:
        form = sign_in.SignInForm(rf.post("/"), {"username": "ann", "password": PASSWORD})
        return str(form.non_field_errors())

    monkeypatch.setattr(forms, "authenticate", look)
    with ThreadPoolExecutor(sign_in.MOST_SIGNING_IN + 4) as visitors:
        answers = [visitors.submit(said) for _ in range(sign_in.MOST_SIGNING_IN + 4)]
        wait_until(lambda: sum(one.done() for one in answers) == 4, "four are turned away")
        go_on.set()
    assert sum("try again in a few seconds" in one.result() for one in answers) == 4
    assert max(most_at_once) == 1
    assert len(most_at_once) == sign_in.MOST_SIGNING_IN


def test_tries_during_the_ten_minutes_do_not_make_them_longer(client: Client) -> None:
    def pass_minutes(minutes: int) -> None:
        AccessAttempt.objects.update(attempt_time=F("attempt_time") - timedelta(minutes=minutes))

    User.objects.create_superuser("ann", "", "right")
    for _ in range(configured.AXES_FAILURE_LIMIT):
        _sign_in(client, PASSWORD)
    pass_minutes(8)
    assert [_sign_in(client, tried) for tried in (PASSWORD, "right")] == [429, 429]
    pass_minutes(3)
    assert _sign_in(client, "right") == 302


@pytest.mark.parametrize(
    ("address", "name", "status"),
    [
        ("2001:db8:1:2:{:x}::1", "ann", 429),  # a whole network of IPv6 is one guesser
        ("2001:db8:1:{:x}::1", "ann", 200),
        ("::ffff:10.0.0.{}", "ann", 200),
        ("10.0.0.{}", "ann", 200),
        ("10.0.0.1", "user{}", 429),
    ],
)
def test_who_is_stopped_is_told_for_how_long(client: Client, address: str, name: str, status: int) -> None:
    for number in range(configured.AXES_FAILURE_LIMIT + 1):
        values = {"username": name.format(number), "password": PASSWORD}
        last = client.post("/admin/login/", values, REMOTE_ADDR=address.format(number))
    assert last.status_code == status
    if status == 429:
        assert last["Retry-After"] == "600"
        assert "Please try again in ten minutes." in last.text


def test_signing_in_clears_the_count(client: Client) -> None:
    User.objects.create_superuser("ann", "", "right")
    for _ in range(configured.AXES_FAILURE_LIMIT - 1):
        _sign_in(client, PASSWORD)
    assert _sign_in(client, "right") == 302
    client.logout()
    assert _sign_in(client, PASSWORD) == 200


def test_signing_in_clears_no_guesses_at_another_name(client: Client) -> None:
    User.objects.create_superuser("boss", "", "right")
    User.objects.create_user("ann", "", "right", is_staff=True)
    for _ in range(configured.AXES_FAILURE_LIMIT - 1):
        _sign_in(client, PASSWORD, "boss")
    assert _sign_in(client, "right") == 302
    client.logout()
    assert _sign_in(client, PASSWORD, "boss") == 429
