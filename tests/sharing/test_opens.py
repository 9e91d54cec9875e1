"""Opens: people count, about once per reading; machines and colleagues don't; nobody is remembered."""

from __future__ import annotations

import tomllib
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import DatabaseError, InterfaceError, close_old_connections
from django.test import Client

from search.sharing import views
from search.sharing.models import LinkOpens, SharedLink
from tests.builders import NOON
from tests.sharing.conftest import BROWSER, share, signed_in

AGENTS = tomllib.loads((Path(__file__).parent / "user_agents.toml").read_text("utf-8"))


def opens() -> int:
    return SharedLink.objects.get().opens


def test_previews_and_machines_get_the_tags_uncounted(market, sharer):
    code = share(sharer)
    for name, agent in AGENTS["machines"].items():
        page = Client(headers={"user-agent": agent}).get(f"/s/{code}/")
        assert page.status_code == 200
        assert 'property="og:title" content="3 hotels in Porto' in page.content.decode(), name
        assert opens() == 0, name


def test_people_are_counted(market, sharer):
    code = share(sharer)
    for number, (name, agent) in enumerate(AGENTS["people"].items(), 1):
        Client(headers={"user-agent": agent}).get(f"/s/{code}/")
        assert opens() == number, name


@contextmanager
def kept_connection():
    """A handler ends the connections to the database, that of the test too. A test's client connects again
    what ends them, so none is used within."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in signals:
            signal.connect(close_old_connections)


def test_an_open_is_counted_once_its_answer_was_sent(market, sharer, rf):
    request = rf.get(f"/s/{share(sharer)}/", headers={"user-agent": BROWSER})
    with kept_connection():
        answer = WSGIHandler()(request.environ, lambda _status, _headers: None)
        assert "Porto" in b"".join(answer).decode()
        assert opens() == 0
        answer.close()
    assert opens() == 1


def test_pages_fetched_ahead_are_not_counted(market, sharer, visitor):
    code = share(sharer)
    for header in ("sec-purpose: prefetch;prerender", "purpose: prefetch", "x-moz: prefetch"):
        name, _, value = header.partition(": ")
        visitor.get(f"/s/{code}/", headers={name: value})
        assert opens() == 0, header


def test_looking_at_the_headers_is_no_open(market, sharer, visitor):
    page = visitor.head(f"/s/{share(sharer)}/")
    assert (page.status_code, page.content) == (200, b"")
    assert opens() == 0


def test_colleagues_are_not_counted(market, sharer):
    code = share(sharer)
    sharer.get(f"/s/{code}/")
    signed_in("bob").get(f"/s/{code}/")
    assert opens() == 0


def test_reading_twice_is_one_open_and_another_reader_is_another(market, sharer, visitor):
    code = share(sharer)
    for _ in range(3):
        visitor.get(f"/s/{code}/")
    assert opens() == 1
    visitor.get(f"/s/{code}/", REMOTE_ADDR="192.0.2.7")
    assert opens() == 2


def test_an_ended_link_counts_nothing(market, sharer, visitor):
    code = share(sharer)
    sharer.post(f"/share/links/{code}/revoke/")
    visitor.get(f"/s/{code}/")
    assert opens() == 0


def test_first_and_last_are_kept(market, sharer):
    code = share(sharer)
    for minutes in (0, 10, 70):
        views.count_open(
            code, address=f"192.0.2.{minutes}", browser=BROWSER, now=NOON + timedelta(minutes=minutes)
        )
    link = SharedLink.objects.get()
    assert (link.opens, link.first_opened_at, link.last_opened_at) == (3, NOON, NOON + timedelta(minutes=70))


def test_nothing_about_a_reader_is_kept(market, sharer):
    views.count_open(share(sharer), address="192.0.2.7", browser=BROWSER, now=NOON)
    kept = repr([SharedLink.objects.values_list().get(), getattr(cache, "_cache", {})])
    assert "192.0.2.7" not in kept
    assert "Firefox" not in kept


def test_without_a_cache_the_page_is_shown_and_the_open_counted(market, sharer, visitor, monkeypatch):
    code = share(sharer)

    def away(*args, **kwargs):
        raise ConnectionError("no cache")

    for name in ("add", "get_or_set", "incr"):
        monkeypatch.setattr(views.cache, name, away)
    assert views.count_open(code, address="192.0.2.7", browser=BROWSER, now=NOON)
    assert opens() == 1


@pytest.mark.parametrize("error", [DatabaseError, InterfaceError])
def test_a_locked_database_keeps_nobody_from_reading(market, sharer, visitor, monkeypatch, error):
    code = share(sharer)

    def locked(*args, **kwargs):
        raise error("database is locked")

    monkeypatch.setattr("django.db.models.query.QuerySet.update", locked)
    assert visitor.get(f"/s/{code}/").status_code == 200
    assert opens() == 0


def test_a_link_deleted_while_opened_counts_nothing(market, sharer):
    code = share(sharer)
    SharedLink.objects.all().delete()
    assert not views.count_open(code, address="192.0.2.7", browser=BROWSER, now=NOON)


def test_each_day_has_a_count_of_its_own(market, sharer):
    code = share(sharer)
    for moment, address in (
        (NOON, "192.0.2.1"),
        (NOON, "192.0.2.2"),
        (NOON + timedelta(days=1), "192.0.2.1"),
    ):
        views.count_open(code, address=address, browser=BROWSER, now=moment)
    counts = LinkOpens.objects.order_by("day").values_list("day", "opens")
    assert list(counts) == [(NOON.date(), 2), (NOON.date() + timedelta(days=1), 1)]
