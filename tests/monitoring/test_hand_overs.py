"""Hand-overs are counted by provider and day: from the site's own pages, for known providers."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, InterfaceError
from django.test import Client
from django.utils.timezone import localdate

from search.monitoring import hand_overs
from search.monitoring.hand_overs import HandOverCount
from search.site_settings.models import Provider
from tests.builders import OURS

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _provider() -> None:
    Provider.objects.create(code="AA", address_template="https://www.example.com/{property}")
    Provider.objects.create(code="BB")


def tell(body: Any, headers: dict[str, str] = OURS) -> int:
    client = Client(enforce_csrf_checks=True)
    return client.post("/hand-over/", body, content_type="text/plain", headers=headers).status_code


def counted() -> list[tuple[str, int]]:
    return list(HandOverCount.objects.values_list("provider", "count"))


def test_hand_overs_of_a_day_are_one_row():
    assert [tell("AA") for _ in range(3)] == [204] * 3
    assert counted() == [("AA", 3)]


def test_a_page_with_an_origin_only_counts_if_it_is_ours():
    assert tell("AA", {"origin": "http://testserver"}) == 204
    assert tell("AA", {"origin": "http://elsewhere.example"}) == 403
    assert tell("AA", {"origin": "null"}) == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none", ""])
def test_other_sites_count_nothing(site):
    assert tell("AA", {"sec-fetch-site": site, "origin": "http://testserver"}) == 403
    assert tell("AA", {}) == 403
    assert counted() == []


@pytest.mark.parametrize(
    "body", ["", "BB", "ZZ", "aa", "AA\n", b"\xff\xfe", "AA\x00", "A" * 200, '{"provider": "AA"}']
)
def test_what_names_no_provider_that_is_linked_to_is_refused(body):
    assert tell(body) == 400
    assert counted() == []


def test_a_long_body_is_refused_unread():
    assert tell("A" * 100_000) == 413


def test_it_is_only_posted_to():
    assert Client().get("/hand-over/", headers=OURS).status_code == 405


@pytest.mark.parametrize("error", [DatabaseError, InterfaceError])
def test_without_a_database_a_hand_over_is_not_counted(monkeypatch, caplog, error):
    def away(*_args: object, **_values: object) -> None:
        raise error

    with monkeypatch.context() as without:
        without.setattr(HandOverCount.objects, "update_or_create", away)
        assert tell("AA") == 204
    assert "a hand-over could not be counted" in caplog.text
    assert counted() == []


def test_each_day_of_the_plot_has_a_number():
    today = localdate()
    HandOverCount.objects.create(provider="AA", day=today - timedelta(days=2), count=4)
    HandOverCount.objects.create(provider="AA", day=today - timedelta(days=40), count=9)
    assert list(hand_overs.by_provider(today, 4)["AA"].values()) == [0, 4, 0, 0]
