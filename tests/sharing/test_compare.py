"""Hotels side by side: a row for each fact, what only some have and the lowest total marked."""

from __future__ import annotations

from typing import Any

import pytest

from search.domain.context import SearchContext
from search.domain.hotels import PropertyDetails, RoomType
from search.domain.offers import Offer, Surcharge
from search.results.listings import PricedListing
from search.sharing import compare
from search.sharing.compare import ComparePage, CompareRow
from search.sharing.link import LinkKind, snapshot_of
from search.sharing.models import SharedLink
from search.sharing.price_change import OpenedLink, ThenAndNow
from search.sharing.price_change import compare as then_and_now
from tests import builders as build


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, PropertyDetails]:
    """The details of hotels by key; the others have none."""
    known: dict[str, PropertyDetails] = {}

    def details(one: ThenAndNow, context: SearchContext) -> PropertyDetails | None:
        return known.get(one.then.key) if context.search.dates == build.DATES else None

    monkeypatch.setattr(compare, "details", details)
    return known


def page(*now: PricedListing, number: int = 1, **surroundings: Any) -> ComparePage:
    link = SharedLink(code="AbC", kind=LinkKind.RESULTS, page=number, shared_at=build.NOON)
    context = build.context(build.search(market="en-ie"), **surroundings)
    opened = OpenedLink(link, context, can_search=True, origin="http://testserver")
    return ComparePage.build(opened, tuple(then_and_now(snapshot_of(one, 1), one) for one in now))


def rows(*now: PricedListing) -> dict[str, CompareRow]:
    return {row.label: row for row in page(*now).rows}


@pytest.mark.usefixtures("told")
def test_the_page_says_how_many_when_and_where_back():
    found = page(build.priced(key="aa", name="Hotel A"), build.priced(key="bb", name="Hotel B"))
    assert found.title == "2 hotels side by side"
    assert "3 nights" in found.stay
    assert found.back == "/s/AbC/"
    assert found.head.title.startswith("2 hotels in Barcelona")
    assert [card.name for card in found.cards] == ["Hotel A", "Hotel B"]
    assert page(build.priced()).title == "1 hotel side by side"


def test_every_fact_has_its_row_in_one_order(told):
    told["a1b2c3"] = build.DETAILS
    free = build.offer(free_cancellation=True, payment_mode="PAY_LATER")
    found = rows(build.priced(free))
    assert {label: row.cells for label, row in found.items()} == {
        "Total": [("€412.60",)],
        "When shared": [("€412.60, the same as when shared on 21 Nov",)],
        "Per night": [("€137.53 per night",)],
        "Taxes and fees": [("Taxes and fees €22.60",)],
        "Offered by": [("AAA",)],
        "Rate": [("Double room, city view",)],
        "Cancellation": [("Free cancellation",)],
        "Good to know": [("Pay later",)],
        "Guest rating": [("8.4 Very good",)],
        "Stars": [("4 stars",)],
        "Kind": [("Hotel",)],
        "Where": [("Carrer de Mallorca 401, Barcelona",)],
        "Distance": [("1.2\xa0km from destination",)],
        "Facilities": [("Free wifi", "Lift", "Pool")],
        "Rooms": [("Double room",)],
        "Check-in": [("15:00 – 23:00",)],
        "Check-out": [("11:00",)],
    }
    assert list(found)[:2] == ["Total", "When shared"]
    assert not any(row.differs or row.rare or row.lowest for row in found.values())


@pytest.mark.usefixtures("told")
def test_what_nobody_has_makes_no_row_and_what_one_has_not_an_empty_cell():
    plain = build.priced(build.offer(surcharges=(), rate=""), key="aa", type="", address="", city="")
    found = rows(plain, build.priced(build.offer(rate=""), key="bb", type="", address="", city=""))
    assert found["Taxes and fees"].cells == [(), ("Taxes and fees €22.60",)]
    assert found["Taxes and fees"].differs
    assert not {"Rate", "Good to know", "Kind", "Where", "Rooms", "Check-in", "Check-out"} & set(found)


@pytest.mark.usefixtures("told")
def test_a_hotel_without_a_price_says_so_and_tells_nothing_of_an_offer():
    found = rows(build.priced(build.offer(None), key="aa", rating=None), build.priced(key="bb"))
    assert found["Total"].cells == [("No price for these dates",), ("€412.60",)]
    assert found["Guest rating"].cells[0] == ("No guest rating",)
    assert {found[label].cells[0] for label in ("Per night", "Offered by", "Cancellation")} == {()}


@pytest.mark.usefixtures("told")
def test_what_free_cancellation_would_cost_stands_below_its_absence():
    strict = build.offer("390")
    dearer = build.offer("404", "BBB", free_cancellation=True)
    found = rows(build.priced(strict, dearer, key="aa"), build.priced(strict, key="bb"))
    assert found["Cancellation"].cells == [
        ("No free cancellation at this price", "+ €14.00 for free cancellation"),
        ("No free cancellation at this price",),
    ]


def lowest(*offers: Offer | None) -> frozenset[int]:
    cards = [build.priced(one or build.offer(None), key=str(number)) for number, one in enumerate(offers)]
    found = rows(*cards)
    assert not any(row.lowest for label, row in found.items() if label != "Total")
    return found["Total"].lowest


@pytest.mark.usefixtures("told")
def test_every_place_of_the_lowest_total_is_marked_where_totals_differ():
    low, high = build.offer("100"), build.offer("200")
    assert lowest(high, low, None) == {1}
    assert lowest(low, high, low) == {0, 2}
    assert lowest(low, high, build.offer("100", "BBB")) == {0, 2}
    assert lowest(low, low) == set()
    assert lowest(low, None) == set()
    assert lowest(None, None) == set()


@pytest.mark.usefixtures("told")
def test_only_whole_totals_in_the_currency_of_the_search_compete_for_the_lowest():
    foreign = build.offer("1", price=build.price("1", "USD"), surcharges=())
    partial = build.offer("1", surcharges=(Surcharge("TAX", build.price("9", "USD")),))
    assert lowest(build.offer("100"), foreign, partial) == set()
    assert lowest(build.offer("100"), foreign, partial, build.offer("90")) == {3}


def test_facilities_of_offers_and_details_are_one_list_each_once_and_the_rare_ones_marked(told):
    told["aa"] = build.details(facilities=("swimming pool", "FREE WIFI", "Äpfel"))
    told["bb"] = build.details(facilities=("Swimming pool", "bar"))
    facilities = rows(build.priced(key="aa"), build.priced(key="bb"), build.priced(key="cc"))["Facilities"]
    assert facilities.cells == [
        ("Free wifi", "Pool", "Äpfel"),
        ("Bar", "Free wifi", "Pool"),
        ("Free wifi",),
    ]
    assert facilities.rare == {"Pool", "Äpfel", "Bar"}
    assert facilities.differs


def test_only_facilities_are_marked_as_rare(told):
    told["aa"] = build.details(check_in_time=("12:00",))
    found = rows(build.priced(key="aa"), build.priced(key="bb", stars=3))
    assert found["Check-in"].cells == [("12:00",), ()]
    assert [row.label for row in found.values() if row.rare] == ["Facilities"]


def test_the_first_six_kinds_of_room_are_named_and_the_others_counted(told):
    def kinds(count: int) -> tuple[RoomType, ...]:
        named = [build.room_type(name=f"Room {number}") for number in range(count)]
        return (*named, build.room_type(name=""), build.room_type(name="Room 0"))

    cells = []
    for count in (6, 7, 9):
        told["aa"] = build.details(room_types=kinds(count))
        cells += rows(build.priced(key="aa"))["Rooms"].cells
    first = tuple(f"Room {number}" for number in range(6))
    assert cells == [first, (*first, "and 1 more"), (*first, "and 3 more")]


@pytest.mark.usefixtures("told")
def test_the_distance_to_the_chosen_airport_is_told_below_the_gateways():
    found = page(build.priced(anchor_km=14.2), anchor=build.AIRPORT).rows
    (distance,) = [row for row in found if row.label == "Distance"]
    assert distance.cells == [("1.2\xa0km from destination", "14\xa0km from BCN in a straight line")]


@pytest.mark.usefixtures("told")
def test_the_page_leads_to_hotels_as_the_page_of_results_that_was_shared():
    (card,) = page(build.priced(), number=3).cards
    assert "page=3" in card.href
    assert card.photo.eager
