"""Hotels of a shortlist: just those, in its order."""

from __future__ import annotations

import re
from html import unescape

import pytest

from tests.journey.reading import words
from tests.sharing.conftest import RESULTS, SEARCH, share


def picked(*keys: str) -> str:
    return RESULTS + "".join(f"&stay=ACME/{key}" for key in keys)


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


@pytest.mark.parametrize("stay", ["ACME", "/aa", "ACME/", "%00"])
def test_what_names_no_hotel_shares_the_page(market, sharer, stay):
    assert "3 hotels in Porto" in words(sharer.get(f"{RESULTS}&stay={stay}"))


def test_staff_share_their_shortlist_without_scripts(market, sharer, visitor):
    path = f"/shortlist/?{SEARCH}&stay=ACME/aa"
    assert 'formaction="/share/hotels/"' in sharer.get(path).text
    assert 'formaction="/share/hotels/"' not in visitor.get(path).text
