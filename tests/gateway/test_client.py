"""The three calls on the wire: exactly the addresses of the interface, whatever a visitor typed."""

from __future__ import annotations

import time
from datetime import date
from urllib.parse import parse_qsl, urlsplit

import pytest

from search.domain.process import Deadline
from search.domain.query import StayDates, StaySearch
from search.domain.site_settings import CategoriesStyle
from search.gateway.client import Client, PageQuery
from search.gateway.errors import NotFound
from search.gateway.http import Upstream
from search.gateway.resilience import Clock
from search.gateway.transport import Transport
from tests.gateway.documents import an_airport, details_document
from tests.wire import AIRPORTS, BASE, ROOMS, Wire


def a_search(place: str = "Rome", stars: tuple[int, ...] = (), market: str = "en-GB") -> StaySearch:
    return StaySearch(place, StayDates(date(2030, 5, 1), date(2030, 5, 4)), 2, stars, "EUR", market)


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def client(wire: Wire) -> Client:
    return Client(Transport(Upstream(BASE, "k3y&=", wire), clock=Clock(sleep=lambda _seconds: None)))


def find(client: Client, search: StaySearch, style: CategoriesStyle = CategoriesStyle.COMMA, page: int = 0):
    return client.search(PageQuery(search, page, 20, style), Deadline(5, time.monotonic))


def sent(wire: Wire) -> str:
    (request,) = wire.requests
    return str(request.url)


def test_a_search_is_the_interfaces_address_to_the_byte(client, wire):
    find(client, a_search("São Paulo"), page=3)
    assert sent(wire) == (
        f"{ROOMS}?checkinDate=2030-05-01&checkoutDate=2030-05-04&roomAllocations=2&place=S%C3%A3o%20Paulo"
        "&categories=1,2,3,4,5&currencyCode=EUR&market=en-gb&size=20&page=3&apikey=k3y%26%3D"
    )


@pytest.mark.parametrize(
    "place",
    ["Trinidad & Tobago", "L'Aquila", "東京", "100%", "x=y&apikey=evil", "a+b", "#?/", "%20", "\u200f"],
)
def test_any_place_arrives_as_one_parameter(client, wire, place):
    find(client, a_search(place))
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
def test_stars_are_spelled_as_the_setting_says(client, wire, style, stars, spelled):
    find(client, a_search(stars=stars), style)
    pairs = parse_qsl(urlsplit(sent(wire)).query)
    assert [value for name, value in pairs if name == "categories"] == spelled


@pytest.mark.parametrize(
    "property_id",
    ["1", "a/b", "a b", "100%", "?x=1", "#top", "\"'", "new\nline", "é", "x" * 400, ".", "..", "a/../b"],
)
def test_any_property_identifier_is_one_path_part(client, wire, property_id):
    client.details("AC/ME", property_id, a_search(), deadline=Deadline(5, time.monotonic))
    path, _, query = sent(wire).removeprefix(BASE).partition("?")
    assert path.startswith("/pub/v1/rooms/ha/v2/propertyOffers/provider/AC%2FME/property/")
    assert path.count("/") == 10
    assert path.rpartition("/")[2] not in (".", "..", "")
    assert query == (
        "checkinDate=2030-05-01&checkoutDate=2030-05-04&roomAllocations=2&currencyCode=EUR&market=en-gb"
        "&apikey=k3y%26%3D"
    )


def test_details_are_those_of_the_path(client, wire):
    document = details_document()
    for member in ("providerId", "ryanairId", "id"):
        del document["propertyDetails"]["propertySummary"][member]
    wire.details(document)
    details = client.details("AC/ME", "7/7", a_search(), deadline=Deadline(5, time.monotonic))
    assert (details.property.provider, details.property.id) == ("AC/ME", "7/7")


def test_the_airports_call_carries_the_key_alone(client, wire):
    wire.airports([an_airport()])
    (airport,) = client.airports(deadline=Deadline(5, time.monotonic))
    assert sent(wire) == f"{AIRPORTS}?apikey=k3y%26%3D"
    assert airport.code == "STN"


def test_an_unknown_property_is_not_found(client, wire):
    wire.details(status=404)
    with pytest.raises(NotFound):
        client.details("ACME", "1", a_search(), deadline=Deadline(5, time.monotonic))
