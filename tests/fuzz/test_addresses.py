"""No address, method or header makes an error of ours or a log line that tells of a search or shared link."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.handlers.wsgi import WSGIHandler
from django.db import connection
from django.test import Client

from hotelsite.logging import LineFormatter, calm
from tests.fuzz.hostile import CODE, CSRF_TOKEN, SECRET, requests
from tests.fuzz.plan import PLAN, Plan
from tests.sharing.conftest import share

SIGNED_IN_FOR = 50
SEARCH = "place=Porto&checkin=2030-05-01&checkout=2030-05-04&guests=2"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What the site writes to standard error."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(LineFormatter())
    handler.addFilter(calm)
    logging.getLogger().addHandler(handler)
    yield written
    logging.getLogger().removeHandler(handler)


@pytest.fixture
def one_connection(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection of the test's transaction stays open after each answer, as under Django's own client."""
    monkeypatch.setattr(connection, "close_if_unusable_or_obsolete", lambda: None)


@pytest.fixture
def staff(db: None) -> User:
    return User.objects.create_superuser("ann")


def cookies_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    client.cookies["csrftoken"] = CSRF_TOKEN
    return client.cookies.output(header="", attrs=[], sep=";")


def answered(site: WSGIHandler, environ: dict[str, Any]) -> int:
    """The status, after the whole answer was read."""
    statuses: list[str] = []
    body = site(environ, lambda status, headers, exc_info=None: statuses.append(status))
    try:
        for _part in body:
            pass
    finally:
        getattr(body, "close", lambda: None)()
    return int(statuses[-1].split()[0])


@pytest.mark.usefixtures("one_connection")
def test_nothing_breaks_and_the_log_keeps_secrets(
    request: pytest.FixtureRequest, log: io.StringIO, staff: User
) -> None:
    plan, site = request.config.stash.get(PLAN, Plan()), WSGIHandler()
    client = Client()
    client.force_login(staff)
    code = share(client, f"/share/hotels/?{SEARCH}")
    secrets = [SECRET, CODE, code, "Porto"]
    faults: list[str] = []
    for number, one in enumerate(islice(requests(plan.seed, (code,)), plan.count)):
        if number % SIGNED_IN_FOR == 0:
            cookies = cookies_of(staff)
        if one.staff:
            one.environ["HTTP_COOKIE"] = cookies
        log.truncate(log.seek(0))
        status = answered(site, one.environ)
        told = log.getvalue()
        unwanted = [mark for mark in ("level=ERROR", "trace=", *secrets) if mark in told]
        if status >= 500 or unwanted:
            faults.append(f"{number}: {status} {unwanted} {one}\n{told[-1500:]}")
    assert not faults, f"{len(faults)} of {plan.count}\n" + "\n".join(faults[:20])
