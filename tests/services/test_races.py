"""What two do at the same moment, on a database and a cache that let them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from typing import TypeVar

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connections

from search.domain.query import StayDates, StaySearch
from search.gateway.cache import SafeStore
from search.sharing.models import SharedLink, share
from search.sharing.views import MOST_MISSES, count_open, is_blocked, note_miss
from search.site_settings import store
from search.site_settings.models import SiteSettings

pytestmark = pytest.mark.django_db(transaction=True)

T = TypeVar("T")
NOW = datetime(2031, 3, 1, tzinfo=UTC)
MANY = 12


def at_the_same_moment(count: int, work: Callable[[int], T]) -> list[T]:
    """What `work(number)` returns, begun in all threads at once, each with a connection of its own."""
    ready = threading.Barrier(count)

    def one(number: int) -> T:
        try:
            ready.wait(20)
            return work(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def a_link() -> SharedLink:
    day = date(2031, 5, 1)
    search = StaySearch("Rome", StayDates(day, date(2031, 5, 4)), 2, (), "EUR", "en-gb")
    return SharedLink(kind="results", search=search.query_string(), place="Rome", check_in=day, expires=day)


def test_equal_shares_at_the_same_moment_are_one_link() -> None:
    owner = User.objects.create_user("ada")
    codes = at_the_same_moment(MANY, lambda _: share(a_link(), owner).code)
    assert SharedLink.objects.count() == 1
    assert set(codes) == {SharedLink.objects.get().code}


def test_an_ended_link_shared_again_at_once_is_one_new_link() -> None:
    owner = User.objects.create_user("ada")
    ended = share(a_link(), owner)
    SharedLink.objects.update(expires=date(2020, 2, 1))
    codes = at_the_same_moment(MANY, lambda _: share(a_link(), owner).code)
    assert SharedLink.objects.count() == 2
    assert len(set(codes)) == 1
    assert ended.code not in codes


def test_opens_at_the_same_moment_all_count() -> None:
    link = share(a_link(), User.objects.create_user("ada"))
    counted = at_the_same_moment(
        MANY, lambda number: count_open(link.code, address=f"192.0.2.{number}", browser="x", now=NOW)
    )
    link.refresh_from_db()
    assert (link.opens, counted) == (MANY, [True] * MANY)


def test_guesses_at_the_same_moment_all_count() -> None:
    at_the_same_moment(MOST_MISSES, lambda _: note_miss("192.0.2.1"))
    assert is_blocked("192.0.2.1")


def test_one_of_many_gets_the_right_to_fetch() -> None:
    claims = at_the_same_moment(MANY, lambda _: SafeStore(cache).claim("a-key"))
    assert len([claim for claim in claims if claim]) == 1


def test_settings_first_saved_by_many_at_once_are_one_row() -> None:
    at_the_same_moment(4, lambda number: store.change({"page_size": 10 + number}))
    assert SiteSettings.objects.count() == 1
