"""The three calls on the wire: exactly the addresses of the interface, whatever a visitor typed."""

from __future__ import annotations

import time
from datetime import date
from urllib.parse import parse_qsl, urlsplit

import pytest

from search.domain.process import Deadline
from search.domain.query import StayDates, StaySearch
from search.domain.site_settings import CategoriesStyle
from search.gateway import NotFound
from search.gateway.client import AIRPORTS_CALL, DetailsQuery, PageQuery
from search.gateway.parsing import airport_list, property_details
from search.gateway.resilience import Clock
from search.gateway.transport import Call, Transport, Upstream
from tests.gateway.documents import an_airport, details_document
from tests.wire import AIRPORTS, BASE, ROOMS, Wire


def a_search(place: str = "Rome", stars: tuple[int, ...] = (), market: str = "en-GB") -> StaySearch:
    return StaySearch(place, StayDates(date(2030, 5, 1), date(2030, 5, 4)), 2, stars, "EUR", market)


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def transport(wire: Wire) -> Transport:
    return Transport(Upstream(BASE, "k3y&=", wire), clock=Clock(sleep=lambda _seconds: None))


def get(transport: Transport, call: Call) -> bytes:
    return transport.get(call, Deadline(5, time.monotonic))


def find(transport: Transport, search: StaySearch, style=CategoriesStyle.COMMA, page: int = 0) -> None:
    get(transport, PageQuery(search, page, 20, style).call())


def sent(wire: Wire) -> str:
    (request,) = wire.requests
    return str(request.url)


def test_a_search_is_the_interfaces_address_to_the_byte(transport, wire):
    find(transport, a_search("São Paulo"), page=3)
    assert sent(wire) == (
        f"{ROOMS}?checkinDate=2030-05-01&checkoutDate=2030-05-04&roomAllocations=2&place=S%C3%A3o%20Paulo"
        "&categories=1,2,3,4,5&currencyCode=EUR&market=en-gb&size=20&page=3&apikey=k3y%26%3D"
    )


@pytest.mark.parametrize(
    "place",
    ["Trinidad & Tobago", "L'Aquila", "東京", "100%", "x=y&apikey=evil", "a+b", "#?/", "%20", "\u200f"],
)
def test_any_place_arrives_as_one_parameter(transport, wire, place):
    find(transport, a_search(place))
    pairs = parse_qsl(urlsplit(sent(wire)).query, keep_blank_values=True)
    assert [value for name, value in pairs if name == "place"] == [place]
    assert [name for name, _ in pairs].count("apikey") == 1
    assert pairs[-1][0] == "apikey"
    assert "+" not in sent(wire)


@pytest.mark.parametrize(
    ("style", "stars", "spelled"),
    [
        (CategoriesStyle.COMMA, (4, 5), ["4,5"]),
        (CategoriesStyle.COMMA, (4,), ["4"]),
        (CategoriesStyle.REPEAT, (4, 5), ["4", "5"]),
        (CategoriesStyle.REPEAT, (), ["1", "2", "3", "4", "5"]),
    ],
)
def test_stars_are_spelled_as_the_setting_says(transport, wire, style, stars, spelled):
    find(transport, a_search(stars=stars), style)
    pairs = parse_qsl(urlsplit(sent(wire)).query)
    assert [value for name, value in pairs if name == "categories"] == spelled


@pytest.mark.parametrize(
    "property_id",
    ["1", "a/b", "a b", "100%", "?x=1", "#top", "\"'", "new\nline", "é", "x" * 400, ".", "..", "a/../b"],
)
def test_any_property_identifier_is_one_path_part(transport, wire, property_id):
    get(transport, DetailsQuery("AC/ME", property_id, a_search()).call())
    path, _, query = sent(wire).removeprefix(BASE).partition("?")
    assert path.startswith("/pub/v1/rooms/ha/v2/propertyOffers/provider/AC%2FME/property/")
    assert path.count("/") == 10
    assert path.rpartition("/")[2] not in (".", "..", "")
    assert query == (
        "checkinDate=2030-05-01&checkoutDate=2030-05-04&roomAllocations=2&currencyCode=EUR&market=en-gb"
        "&apikey=k3y%26%3D"
    )


def test_details_are_those_of_the_path(transport, wire):
    document = details_document()
    for member in ("providerId", "ryanairId", "id"):
        del document["propertyDetails"]["propertySummary"][member]
    wire.details(document)
    body = get(transport, DetailsQuery("AC/ME", "7/7", a_search()).call())
    details = property_details(body, "AC/ME", "7/7")
    assert (details.property.provider, details.property.id) == ("AC/ME", "7/7")


def test_the_airports_call_carries_the_key_alone(transport, wire):
    wire.airports([an_airport()])
    (airport,) = airport_list(get(transport, AIRPORTS_CALL))
    assert sent(wire) == f"{AIRPORTS}?apikey=k3y%26%3D"
    assert airport.code == "STN"


def test_an_unknown_property_is_not_found(transport, wire):
    wire.details(status=404)
    with pytest.raises(NotFound):
        get(transport, DetailsQuery("ACME", "1", a_search()).call())
