"""The three calls through requests itself, as without a sandbox: what goes out, what the answers become."""

from __future__ import annotations

import re
import time
from datetime import date

import pytest
import requests
import responses

from search.domain.process import Deadline
from search.domain.query import StayDates, StaySearch
from search.gateway import GatewayError, NotFound, Rejected, Unavailable
from search.gateway.client import AIRPORTS_CALL, DetailsQuery, PageQuery
from search.gateway.parsing import airport_list, property_details
from search.gateway.resilience import Clock
from search.gateway.search_page import search_page
from search.gateway.sockets import NetworkAdapter
from search.gateway.transport import Call, Transport, Upstream
from tests.gateway.documents import a_listing_document, an_airport, an_entry, details_document
from tests.wire import AIRPORTS, BASE, ROOMS

SEARCH = StaySearch("Rome", StayDates(date(2030, 5, 1), date(2030, 5, 4)), 2, (), "EUR", "en-GB")


@pytest.fixture
def transport() -> Transport:
    return Transport(
        Upstream(BASE, "k3y", NetworkAdapter("k3y", 2)), clock=Clock(sleep=lambda _seconds: None)
    )


def get(transport: Transport, call: Call) -> bytes:
    return transport.get(call, Deadline(5, time.monotonic))


def find(transport: Transport) -> int:
    return len(search_page(get(transport, PageQuery(SEARCH, 0, 20).call())).listings)


@responses.activate
def test_a_search_goes_out_with_our_name_and_the_key_last(transport: Transport) -> None:
    responses.get(ROOMS, json=a_listing_document(an_entry(), total=1))
    assert find(transport) == 1
    (call,) = responses.calls
    assert call.request.headers["User-Agent"].startswith("hotelsite/")
    assert str(call.request.url).endswith("&page=0&apikey=k3y")


@responses.activate
def test_details_and_airports_are_found_at_their_addresses(transport: Transport) -> None:
    responses.get(re.compile(f"{ROOMS}/provider/ACME/property/77"), json=details_document())
    responses.get(AIRPORTS, json=[an_airport(iataCode="OPO")])
    details = get(transport, DetailsQuery("ACME", "77", SEARCH).call())
    assert property_details(details, "ACME", "77").available
    assert [airport.code for airport in airport_list(get(transport, AIRPORTS_CALL))] == ["OPO"]


@responses.activate
@pytest.mark.parametrize(
    ("status", "error", "calls"),
    [(401, Rejected, 1), (404, NotFound, 1), (400, Rejected, 1), (503, Unavailable, 2)],
)
def test_a_status_is_an_error_with_as_many_calls_as_may_help(
    transport: Transport, status: int, error: type[GatewayError], calls: int
) -> None:
    responses.get(ROOMS, status=status)
    with pytest.raises(error):
        find(transport)
    assert len(responses.calls) == calls


@responses.activate
def test_an_error_of_requests_says_its_kind_and_never_the_key(transport: Transport) -> None:
    responses.get(ROOMS, body=requests.ConnectionError("https://gateway.example/?apikey=k3y"))
    with pytest.raises(Unavailable) as raised:
        find(transport)
    assert str(raised.value) == "connection"
    assert raised.value.__context__ is None
