"""Staff who may share, visitors with a browser, and a gateway whose documents a test chooses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from search.services import site
from tests.journey.conftest import Wire, sandbox, wire  # noqa: F401

BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SEARCH = "place=Porto&checkin=2030-05-01&checkout=2030-05-04&guests=2"


@pytest.fixture(autouse=True)
def _new_process() -> Iterator[None]:
    site.forget()
    yield
    site.forget()


def signed_in(name: str, *roles: str, **flags: bool) -> Client:
    user = User.objects.create_user(username=name, **{"is_staff": True, **flags})
    user.groups.set(Group.objects.filter(name__in=roles))
    client = Client(headers={"user-agent": BROWSER})
    client.force_login(user)
    return client


@pytest.fixture
def sharer(db: None) -> Client:
    return signed_in("ann", "Sharer")


@pytest.fixture
def visitor() -> Client:
    return Client(headers={"user-agent": BROWSER})


def share(sharer: Client, path: str = f"/share/hotels/?{SEARCH}", **said: str) -> str:
    """The code of a link made as the form makes it."""
    answer = sharer.post(path, said)
    assert answer.status_code == 302, answer.content.decode()
    return answer["Location"].rstrip("/").rpartition("/")[2]
