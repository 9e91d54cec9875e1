"""Hand-overs are counted by provider and day: from the site's own pages, for known providers."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, InterfaceError
from django.test import Client
from django.utils.timezone import localdate

from hotelsite import gunicorn_conf
from search.domain import process
from search.monitoring import hand_overs
from search.monitoring.hand_overs import HandOverCount, Tally
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
    hand_overs.write_pending()
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


def test_a_flood_reaches_the_database_once_in_a_while(django_assert_max_num_queries):
    now = [100.0]
    tally = Tally(clock=lambda: now[0])
    with django_assert_max_num_queries(10):
        for _ in range(1_000):
            tally.add("AA", localdate())
    assert HandOverCount.objects.get().count == 1
    now[0] += 1
    tally.add("AA", localdate())
    assert HandOverCount.objects.get().count == 1_001


def test_the_last_ones_of_a_process_are_counted_when_it_ends():
    process.put(Tally, Tally(clock=lambda: 100.0))
    assert [tell("AA") for _ in range(3)] == [204] * 3
    assert HandOverCount.objects.get().count == 1
    gunicorn_conf.worker_exit(None, None)
    assert HandOverCount.objects.get().count == 3


@pytest.mark.parametrize("error", [DatabaseError, InterfaceError])
def test_hand_overs_without_a_database_are_counted_later(monkeypatch, error):
    def away(*_args: object, **_values: object) -> None:
        raise error

    with monkeypatch.context() as without:
        without.setattr(HandOverCount.objects, "get_or_create", away)
        assert tell("AA") == 204
    assert counted() == [("AA", 1)]


def test_a_database_that_hangs_holds_one_visitor(monkeypatch):
    now, visits = [100.0], []
    tally = Tally(clock=lambda: now[0])

    def hang(*_args: object, **_values: object) -> None:
        visits.append(now[0])
        now[0] += 1
        if len(visits) < 5:
            tally.add("AA", localdate())  # another visitor, meanwhile
        raise DatabaseError

    with monkeypatch.context() as without:
        without.setattr(HandOverCount.objects, "get_or_create", hang)
        tally.add("AA", localdate())
    assert visits == [100.0]
    tally.write()
    assert HandOverCount.objects.get().count == 2


def test_each_day_of_the_plot_has_a_number():
    today = localdate()
    HandOverCount.objects.create(provider="AA", day=today - timedelta(days=2), count=4)
    HandOverCount.objects.create(provider="AA", day=today - timedelta(days=40), count=9)
    assert list(hand_overs.by_provider(today, 4)["AA"].values()) == [0, 4, 0, 0]
