"""Free cancellation whose day is over is promised on no page about the hotel."""

import json
import re
from pathlib import Path

import pytest

from search.web.links import card_anchor
from tests.sharing.conftest import share
from tests.sharing.conftest import sharer as sharer

CASE = json.loads(Path("tests/cases/deadline-over.json").read_text())
STAYS = "stay=AA/deadline-over~1&stay=AA/another~1"
PROMISE = re.compile(r"free cancellation(?! ended on|</span></label>|\"| listed)", re.IGNORECASE)


def _another(entry):
    """The same at another hotel: a comparison needs two."""
    return json.loads(json.dumps(entry).replace("deadline-over", "another"))


@pytest.fixture(params=["2026-11-20", "2026-11-20T18:00:00Z", "20 November 2026", "90 days before arrival"])
def page(request, wire, visitor):
    """The text of an address under the market's own path, by what the terms say."""
    listing, details = json.loads(json.dumps([CASE["listing"], CASE["details"]]))
    (room,) = details["roomTypes"][0]["rooms"]
    room["cancellationPolicies"] = f"Free cancellation until {request.param}"
    wire.search({"results": [*listing, _another(listing[0])], "Total": 2})
    wire.details(details)

    def read(address: str) -> str:
        found = visitor.get(address, follow=True)
        assert found.status_code == 200
        return found.content.decode()

    return read


def test_a_hotel_page_says_when_it_ended(page):
    html = page(CASE["ask"])
    assert "Free cancellation ended on" in html
    assert not PROMISE.findall(html), PROMISE.findall(html)


def test_a_comparison_takes_the_promise_back_as_well(page):
    query = CASE["ask"].partition("?")[2]
    html = page(f"/compare/?{query}&{STAYS}")
    assert html.count("No free cancellation listed at this price") == 2


def test_a_shared_comparison_takes_it_back_as_well(page, sharer):
    code = share(sharer, f"/share/hotels/?{CASE['ask'].partition('?')[2]}")
    chosen = "&".join(f"stay={card_anchor(key)}" for key in ("deadline-over", "another"))
    assert page(f"/s/{code}/compare/?{chosen}").count("No free cancellation listed at this price") == 2


@pytest.mark.parametrize("rate", ["free cancellation until 20 Nov 2026", "non-refundable"])
def test_a_rate_that_takes_it_back_passes_no_filter(wire, visitor, rate):
    entry = json.loads(json.dumps(CASE["listing"][0]))
    entry["offers"][0]["minPrice"]["rateDescription"] = f"Double room, {rate}"
    wire.search({"results": [entry], "Total": 1})
    query = CASE["ask"].partition("?")[2]
    assert (
        'class="price__promise price__promise--good' not in visitor.get(f"/hotels/?{query}").content.decode()
    )
    filtered = visitor.get(f"/hotels/?{query}&free_cancellation=1").content.decode()
    assert "Hotel Example" not in filtered
