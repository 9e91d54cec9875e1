"""Pages of the sandbox's hotels: each offer says which described room it sells, or that nobody knows."""

import re
from html import unescape

import pytest

from tests.journey.conftest import sandbox as sandbox
from tests.journey.conftest import visitor as visitor

SEARCH = "checkin=2030-05-01&checkout=2030-05-04&guests=2&market=en-gb"
CARD = re.compile(r'class="listing-card__name"><a href="([^"]+)"')
ROW = re.compile(r'(<tr role="row" id="(offer-\d+)".*?</tr>)', re.DOTALL)
ROOMS = ("#room-", "As named by the provider", "Room not named by the provider")

pytestmark = pytest.mark.usefixtures("sandbox")


def test_each_offer_has_a_described_room_and_each_step_its_offer(visitor):
    results = visitor.get(f"/hotels/?place=Barcelona&{SEARCH}").text
    for path in CARD.findall(results)[:5]:
        html = visitor.get(unescape(path)).text
        rows = {id_: row for row, id_ in ROW.findall(html)}
        assert [sum(said in row for said in ROOMS) for row in rows.values()] == [1] * len(rows)
        steps = re.findall(r'__step" href="#(offer-\d+)".*?__price"><strong>([^<]+)', html, re.DOTALL)
        assert f'offer-table__total">{steps[0][1]}<' in rows[steps[0][0]]
        assert {offer for offer, _amount in steps} <= rows.keys()
        assert all(amount.startswith("+") for _offer, amount in steps[1:])
