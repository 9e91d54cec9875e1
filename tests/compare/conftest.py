"""Hotels of Porto whose prices a test moves, and visitors."""

from __future__ import annotations

import pytest
from requests import PreparedRequest

from tests.gateway.documents import a_summary, details_document
from tests.journey.conftest import visitor as visitor
from tests.journey.conftest import wire as wire
from tests.sharing.conftest import Market, hotel
from tests.wire import Reply, Wire

SEARCH = "place=Porto&checkin=2030-05-01&checkout=2030-05-04&guests=2&currency=EUR&market=en-gb"


@pytest.fixture
def market(wire: Wire) -> Market:
    """Three hotels, each with details of its own."""
    found = Market(wire)
    found.has(hotel("aa", 100), hotel("bb", 200), hotel("cc", 300))
    wire.answer_details(details_of)
    return found


def details_of(request: PreparedRequest) -> Reply:
    """The details of the hotel that is asked for."""
    key = str(request.url).partition("?")[0].rpartition("/")[2]
    summary = a_summary(ryanairId=key, id=key, name=f"Hotel {key}")
    document = details_document()
    document["propertyDetails"]["propertySummary"] = summary
    return Reply(document)
