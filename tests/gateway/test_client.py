"""The three calls on the wire: exactly the addresses of the interface, whatever a visitor typed."""

from __future__ import annotations

import time
from datetime import date
from urllib.parse import parse_qsl, urlsplit

import pytest

from search.domain.process import Deadline
from search.domain.query import StayDates, StaySearch
from search.domain.site_settings import CategoriesStyle
from search.gateway.client import Client
from search.gateway.errors import NotFound
from search.gateway.http import Upstream
from search.gateway.resilience import Clock
from search.gateway.transport import Transport
from tests.gateway.documents import (
    a_listing_document,
    a_summary,
    an_airport,
    an_entry,
    an_offer,
    details_document,
)
from tests.wire import AIRPORTS, BASE, ROOMS, Reply, Wire


def a_search(place: str = "Rome", stars: tuple[int, ...] = (), market: str = "en-GB") -> StaySearch:
    return StaySearch(place, StayDates(date(2030, 5, 1), date(2030, 5, 4)), 2, stars, "EUR", market)


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def client(wire: Wire) -> Client:
    return Client(Transport(Upstream(BASE, "k3y&=", wire), clock=Clock(sleep=lambda _seconds: None)))


def find(client: Client, search: StaySearch, style: CategoriesStyle = CategoriesStyle.COMMA, page: int = 0):
    return client.search(
        search, page=page, size=20, categories_style=style, deadline=Deadline(5, time.monotonic)
    )


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


def test_properties_of_other_stars_are_left_out(client, wire):
    entries = [an_entry(a_summary(ryanairId=str(star), category=star)) for star in (3, 4, 5)]
    wire.search(a_listing_document(*entries, total=300))
    page = find(client, a_search(stars=(4, 5)))
    assert [listing.property.stars for listing in page.listings] == [4, 5]
    assert page.total is None
    assert page.received == 3


def test_an_entry_without_stars_has_those_of_its_property(client, wire):
    told = [("a", None), ("a", 4), ("a", 3), ("b", 3), ("b", 4), ("c", None), ("d", 4), ("d", None)]
    entries = [
        an_entry(a_summary(ryanairId=key, category=stars), [an_offer(providerId=f"P{place}")])
        for place, (key, stars) in enumerate(told)
    ]
    wire.search(a_listing_document(*entries, total=4))
    page = find(client, a_search(stars=(4,)))
    assert [(listing.property.key, len(listing.offers)) for listing in page.listings] == [("a", 3), ("d", 2)]
    assert [listing.property.stars for listing in page.listings] == [4, 4]
    assert (page.total, page.received) == (None, 8)


def star_gateway(counts: dict[int, int], most: int = 100, counted: bool = True):
    """Answers one star rating per call, `counts` properties each, in pages as asked but of `most` at most."""

    def answer(request):
        asked = dict(parse_qsl(urlsplit(request.url).query))
        star, page, size = int(asked["categories"]), int(asked["page"]), min(int(asked["size"]), most)
        numbers = range(counts.get(star, 0))[page * size : (page + 1) * size]
        entries = [an_entry(a_summary(ryanairId=f"{star}-{number}", category=star)) for number in numbers]
        return Reply(a_listing_document(*entries, **({"total": counts.get(star, 0)} if counted else {})))

    return answer


COUNTS = [
    {3: 45, 4: 1, 5: 30},
    {3: 0, 4: 20, 5: 40},
    {3: 20, 4: 20, 5: 20},
    {3: 5, 4: 5, 5: 5},
    {3: 70, 4: 41, 5: 0},
]


@pytest.mark.parametrize("most", [100, 15, 7])
@pytest.mark.parametrize("counts", COUNTS)
def test_one_call_per_star_lays_the_answers_end_to_end(client, wire, counts, most):
    wire.answer_search(star_gateway(counts, most))
    keys: list[str] = []
    for page in range(-(-sum(counts.values()) // 20)):
        before = len(wire.requests)
        found = find(client, a_search(stars=(3, 4, 5)), CategoriesStyle.EACH, page)
        keys += [listing.property.key for listing in found.listings]
        # One behind a full page where a total says that it ends.
        assert len(wire.requests) - before <= 3 + 20 // most + 3 + 1
    assert keys == [f"{star}-{number}" for star in (3, 4, 5) for number in range(counts[star])]


@pytest.mark.parametrize("counts", COUNTS)
def test_each_of_these_pages_knows_the_total_of_all_stars(client, wire, counts):
    wire.answer_search(star_gateway(counts))
    found = find(client, a_search(stars=(3, 4, 5)), CategoriesStyle.EACH)
    assert (found.total, found.received) == (sum(counts.values()), min(20, sum(counts.values())))


def test_one_call_per_star_with_no_stars_chosen_is_five_calls(client, wire):
    wire.answer_search(star_gateway({1: 2, 2: 3, 3: 4, 4: 5, 5: 6}))
    assert len(find(client, a_search(), CategoriesStyle.EACH).listings) == 20
    assert len(wire.requests) == 5


def test_one_call_per_star_keeps_unread_stars(client, wire):
    entries = [an_entry(a_summary(ryanairId=key, category=stars)) for key, stars in (("a", "4"), ("b", 4))]
    wire.search(a_listing_document(*entries, total=2))
    found = find(client, a_search(), CategoriesStyle.EACH).listings
    assert {(one.property.key, one.property.stars) for one in found} == {("a", None), ("b", 4)}
    chosen = find(client, a_search(stars=(3, 4)), CategoriesStyle.EACH).listings
    assert {one.property.key for one in chosen} == {"b"}


@pytest.mark.parametrize("most", [100, 8])
@pytest.mark.parametrize("counts", [*COUNTS[:2], {3: 5, 4: 130}, {3: 37, 4: 61, 5: 0}])
def test_one_call_per_star_needs_no_totals(client, wire, counts, most):
    wire.answer_search(star_gateway(counts, most, counted=False))
    keys: list[str] = []
    for page in range(8):
        found = find(client, a_search(stars=(3, 4, 5)), CategoriesStyle.EACH, page)
        keys += [listing.property.key for listing in found.listings]
    assert keys == [f"{star}-{number}" for star in counts for number in range(counts[star])]


@pytest.mark.parametrize("counted", [True, False])
def test_one_call_per_star_finds_all_in_pages_with_gaps(client, wire, counted):
    counts, sold_out = {3: 90, 4: 61}, {3, 22, 23, 24, 47, 80}
    every = star_gateway(counts, counted=counted)

    def answer(request):
        document = every(request).json
        kept = [
            one for one in document["results"] if int(one["propertySummary"]["ryanairId"][2:]) not in sold_out
        ]
        return Reply({**document, "results": kept})

    wire.answer_search(answer)
    keys = {
        listing.property.key
        for page in range(9)
        for listing in find(client, a_search(stars=(3, 4)), CategoriesStyle.EACH, page).listings
    }
    assert keys == {f"{star}-{n}" for star in counts for n in range(counts[star]) if n not in sold_out}


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
