"""Pages of the sandbox's hotels: each offer says which described room it sells, or that nobody knows."""

import re
from html import unescape

import pytest

from tests.journey.conftest import sandbox as sandbox
from tests.journey.conftest import visitor as visitor

SEARCH = "checkin=2030-05-01&checkout=2030-05-04&guests=2&market=en-gb"
CARD = re.compile(r'class="listing-card__name"><a href="([^"]+)"')
ROW = re.compile(r'<tr role="row" id="offer-\d+".*?</tr>', re.DOTALL)
ROOMS = ("#room-", "As named by the provider", "Room not named by the provider")

pytestmark = pytest.mark.usefixtures("sandbox")


def test_each_offer_has_a_described_room_or_is_the_providers(visitor):
    results = visitor.get(f"/hotels/?place=Barcelona&{SEARCH}").content.decode()
    pages = [visitor.get(unescape(path)).content.decode() for path in CARD.findall(results)[:5]]
    rows = [row for html in pages for row in ROW.findall(html)]
    assert len(rows) >= 5
    assert [sum(said in row for said in ROOMS) for row in rows] == [1] * len(rows)


def test_the_first_step_leads_to_the_offer_with_its_total(visitor):
    results = visitor.get(f"/hotels/?place=Barcelona&{SEARCH}").content.decode()
    paths = CARD.findall(results)[:5]
    assert paths
    for path in paths:
        html = visitor.get(unescape(path)).content.decode()
        rows = dict(
            re.findall(r'<tr role="row" id="(offer-\d+)".*?offer-table__total">([^<]+)', html, re.DOTALL)
        )
        steps = re.findall(
            r'ladder__step" href="#(offer-\d+)".*?ladder__price"><strong>([^<]+)', html, re.DOTALL
        )
        assert steps
        assert rows[steps[0][0]] == steps[0][1]
        assert {offer for offer, _amount in steps} <= rows.keys()
        assert all(amount.startswith("+") for _offer, amount in steps[1:])
