"""Picked by hand: just those cards, in the picked order, from any page."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.http import QueryDict

from search.sharing.forms import compared, picks
from search.sharing.models import MAX_PICKS
from search.web.links import card_anchor
from tests.journey.reading import words
from tests.sharing.conftest import RESULTS, share


def picked(*keys: str, page: int = 1) -> str:
    return RESULTS + "".join(f"&pick={page}.{card_anchor(key)}" for key in keys)


def test_a_hand_picked_list_keeps_the_order_of_the_picks(market, sharer, visitor):
    text = words(visitor.get(f"/s/{share(sharer, picked('cc', 'aa'))}/"))
    assert text.index("Hotel cc") < text.index("Hotel aa")
    assert "Hotel bb" not in text


def test_the_order_of_the_picks_makes_another_link(market, sharer):
    assert share(sharer, picked("aa", "cc")) != share(sharer, picked("cc", "aa"))
    assert share(sharer, picked("aa", "cc")) == share(sharer, picked("aa", "cc"))


def test_picks_stay_picked_in_another_language(market, sharer):
    (german,) = re.findall(r'href="([^"]*market=de-de)"', unescape(sharer.get(picked("cc", "aa")).text))
    assert "2 Hotels – Porto" in words(sharer.get("/share/hotels/" + german))


def test_picks_that_are_nowhere_are_left_out(market, sharer, visitor):
    page = sharer.get(picked("aa", "zz"))
    assert "1 hotel in Porto" in words(page)
    assert "There is nothing to share" in words(sharer.get(picked("zz")))


def test_picks_with_the_gateway_away_are_no_empty_list(market, sharer):
    market.is_away()
    page = sharer.get(picked("aa"))
    assert page.status_code == 503
    assert "not available right now" in words(page)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("pick=2.stay-0a&pick=1.stay-0b", [("stay-0a", 2), ("stay-0b", 1)]),
        ("pick=1.stay-0a&pick=7.stay-0a", [("stay-0a", 1)]),
        ("pick=0.stay-0a&pick=-1.a&pick=x.a&pick=1.&pick=1.A&pick=1.a/b&pick=9999999.a&pick=%00", []),
        ("pick=１.stay-0a", []),
    ],
)
def test_picks_are_read_strictly(query, found):
    assert list(picks(QueryDict(query)).items()) == found


def test_twenty_picks_are_the_most():
    query = QueryDict("&".join(f"pick=1.stay-{number:x}" for number in range(1000)))
    assert len(picks(query)) == MAX_PICKS


def test_four_compared_are_the_most_and_each_stands_once():
    assert compared(QueryDict("stay=a&stay=a&stay=b&stay=c&stay=d&stay=e")) == ("a", "b", "c", "d")
