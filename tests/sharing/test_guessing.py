"""Codes can't be guessed: too many of them, and nobody may try for long."""

from __future__ import annotations

import re
import secrets

import pytest
from django.core.cache import cache

from search.sharing import views
from search.site_settings import store
from tests.sharing.conftest import RESULTS, share


@pytest.fixture(autouse=True)
def _few_misses(monkeypatch):
    monkeypatch.setattr(views, "MOST_MISSES", 10)


def test_guesses_find_nothing_and_are_soon_refused(market, sharer, visitor):
    share(sharer)
    statuses = [
        visitor.get(f"/s/{secrets.token_urlsafe(9)}/").status_code for _ in range(2 * views.MOST_MISSES)
    ]
    assert set(statuses) == {404, 429}
    assert statuses.index(429) == views.MOST_MISSES
    assert set(statuses[views.MOST_MISSES :]) == {429}


def test_a_refused_address_learns_nothing_about_real_codes(market, sharer, visitor):
    code = share(sharer)
    for _ in range(views.MOST_MISSES):
        visitor.get("/s/AAAAAAAAAAAA/")
    real, unknown = visitor.get(f"/s/{code}/"), visitor.get("/s/BBBBBBBBBBBB/")
    assert (real.status_code, real.content) == (unknown.status_code, unknown.content)
    assert int(real["Retry-After"]) > 0
    assert visitor.get(f"/s/{code}/", REMOTE_ADDR="192.0.2.7").status_code == 200


def test_who_has_to_wait_goes_on_in_the_market_of_the_address(market, visitor):
    for _ in range(views.MOST_MISSES):
        visitor.get("/s/AAAAAAAAAAAA/")
    page = visitor.get("/s/AAAAAAAAAAAA/?market=pt-pt").content.decode()
    assert 'class="button button--primary" href="/?market=pt-pt"' in page


def test_wrong_codes_are_alike_whatever_is_wrong_with_them(
    market, sharer, visitor, django_assert_num_queries
):
    code = share(sharer)
    wrong = ["AAAAAAAAAAAA", code[:-1], code.swapcase(), code + "x", "x" * 500, "a", "%00", "é"]
    pages = []
    for guess in wrong:
        with django_assert_num_queries(1):
            pages.append(visitor.get(f"/s/{guess}/"))
    assert {page.status_code for page in pages} == {404}
    assert len({page.content for page in pages}) == 1
    assert {page["Cache-Control"] for page in pages} == {"no-store"}


def test_codes_have_72_random_bits(market, sharer):
    codes = {share(sharer, note=str(number)) for number in range(4)}
    assert len(codes) == 4
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{12}", code) for code in codes)


def test_opening_a_real_link_is_no_guess(market, sharer, visitor):
    code = share(sharer)
    for _ in range(views.MOST_MISSES + 5):
        assert visitor.get(f"/s/{code}/").status_code == 200
    store.change({"sharing_enabled": False})
    for _ in range(views.MOST_MISSES + 5):
        assert visitor.get(f"/s/{code}/").status_code == 404
    assert sharer.get(RESULTS).status_code == 404
    store.change({"sharing_enabled": True})
    assert visitor.get(f"/s/{code}/").status_code == 200


def test_a_page_of_another_site_makes_none_of_its_readers_wait(market, sharer, visitor):
    code = share(sharer)
    embedded = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image"}
    for _ in range(views.MOST_MISSES):
        assert visitor.get("/s/AAAAAAAAAAAA/", headers=embedded).status_code == 404
    assert visitor.get(f"/s/{code}/", headers=embedded).status_code == 404
    followed = {**embedded, "Sec-Fetch-Dest": "document"}
    assert visitor.get(f"/s/{code}/", headers=followed).status_code == 200


def test_a_whole_ipv6_network_is_one_guesser(market, visitor):
    for number in range(views.MOST_MISSES):
        visitor.get("/s/nowhere/", REMOTE_ADDR=f"2001:db8:1:2::{number:x}")
    assert visitor.get("/s/nowhere/", REMOTE_ADDR="2001:db8:1:2:ffff::1").status_code == 429
    assert visitor.get("/s/nowhere/", REMOTE_ADDR="2001:db8:1:3::1").status_code == 404


def test_without_a_cache_each_process_counts_guesses(market, sharer, visitor, monkeypatch):
    def away(*args, **kwargs):
        raise ConnectionError("no cache")

    for name in ("get", "add", "incr"):
        monkeypatch.setattr(cache, name, away)
    for number in range(views.MOST_MISSES):
        assert visitor.get(f"/s/nowhere{number}/").status_code == 404
    assert visitor.get("/s/nowhere/").status_code == 429
