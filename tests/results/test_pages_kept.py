"""Which gateway pages are cached by themselves: the first, and all that came where some are lost."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from search.results import full_results
from tests.gateway.documents import a_listing_document, a_summary, an_entry
from tests.journey.reading import words
from tests.results.cached_views import view
from tests.wire import Reply, Wire

TOTAL, LARGEST = 250, 100

pytestmark = pytest.mark.usefixtures("patient")


@pytest.fixture
def failing(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The pages that the gateway can't give now; whatever was fetched may be fetched again at once."""
    failing: set[int] = set()

    def reply(request) -> Reply:
        page = page_of(request.url)
        if page in failing:
            return Reply(status=404, body="{}")
        numbers = range(page * LARGEST, min(TOTAL, (page + 1) * LARGEST))
        entries = [an_entry(a_summary(ryanairId=f"{number:024x}", id=str(number))) for number in numbers]
        return Reply(json=a_listing_document(*entries, total=TOTAL))

    wire.answer_search(reply)
    monkeypatch.setattr(full_results, "SETTLED", timedelta(seconds=-1))
    return failing


def page_of(url: str) -> int:
    return int(parse_qs(urlsplit(url).query)["page"][0])


def asked(wire: Wire) -> list[int]:
    return sorted(map(page_of, wire.addresses()))


def test_another_try_asks_for_the_lost_pages_alone(wire, failing):
    failing.add(1)
    assert view().coverage.compared == 150
    assert asked(wire) == [0, 1, 2]
    failing.clear()
    wire.requests.clear()
    assert view().coverage.compared == TOTAL
    assert asked(wire) == [1]


@pytest.mark.parametrize("total", [0, 40])
def test_hotels_of_before_outlive_none_beside_a_total(wire, visitor, clock, total):
    """Some forty hotels, and none of them, is no answer; none of none is one."""
    wire.search(a_listing_document(an_entry(), total=1))
    address = "/hotels/?place=Porto&checkin=2030-05-01&checkout=2030-05-04&guests=2"
    visitor.get(address)
    wire.search(a_listing_document(total=total))
    clock.pass_seconds(12 * 3600)
    page = words(visitor.get(address))
    assert ("Prices checked" in page) is (total > 0)
    assert ("Nothing found" in page) is (total == 0)


@pytest.mark.parametrize("order", ["", "&sort=provider"])
def test_an_older_answer_without_hotels_speaks_of_no_prices(wire, visitor, clock, order):
    wire.search(a_listing_document(total=0))
    address = f"/hotels/?place=Porto&checkin=2030-05-01&checkout=2030-05-04&guests=2{order}"
    visitor.get(address)
    wire.answer_search(lambda _request: Reply(status=503, body="{}"))
    clock.pass_seconds(600)
    page = words(visitor.get(address))
    assert "Answered 10 minutes ago; a newer answer is coming in" in page
    assert "Prices checked" not in page
