"""From an address to the search context that views work with."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client, RequestFactory

from search.domain.hotels import Coordinates
from search.domain.query import Refinement, Sort
from search.results.context import parsed
from search.site_settings import store
from search.web.search_form import SearchBar
from tests.gateway.documents import an_airport
from tests.results.conftest import Clock
from tests.wire import Wire

STAY = "checkin=2030-05-01&checkout=2030-05-04"

pytestmark = pytest.mark.usefixtures("wire")


def context_of(query: str):
    _form, context = parsed(RequestFactory().get(f"/hotels/?{query}"))
    return context


def test_strict_search_and_lenient_refinement_come_out_as_values():
    context = context_of(f"place=Porto&{STAY}&guests=2&stars=4&sort=rating&min_rating=high&deals=1")
    assert (context.search.place, context.search.dates.nights, context.search.stars) == ("Porto", 3, (4,))
    assert context.refinement == Refinement(sort=Sort.RATING, deals=True)
    assert context.sort is Sort.RATING


def test_an_airport_becomes_its_place_and_the_anchor():
    context = context_of(f"place=Porto+%28OPO%29&{STAY}")
    assert (context.search.place, context.refinement.near) == ("Porto", "OPO")
    assert context.anchor.code == "OPO"


def test_an_airport_nobody_knows_is_no_anchor():
    context = context_of(f"place=Porto&{STAY}&near=ZZZ")
    assert (context.refinement.near, context.anchor) == ("ZZZ", None)


@pytest.mark.parametrize("near", ["", "ZZZ", "nonsense"])
def test_a_distance_from_nowhere_is_no_filter_and_has_no_chip(visitor: Client, near: str):
    address = f"/hotels/?place=Nowhere+at+all&{STAY}&max_km=5&near={near}"
    assert context_of(address.partition("?")[2]).refinement.max_km is None
    page = visitor.get(address).content.decode()
    assert "Within" not in page
    assert "Remove filter" not in page


def test_a_distance_from_a_known_airport_is_a_filter():
    assert context_of(f"place=Porto&{STAY}&max_km=5&near=OPO").refinement.max_km == 5


@pytest.mark.parametrize("near", ["", "ZZZ"])
def test_without_an_airport_distances_are_from_the_centre(near: str):
    context = context_of(f"place=Porto&{STAY}&max_km=5&near={near}")
    assert context.refinement.max_km == 5
    assert context.origin == context.centre
    assert context.centre.km_to(Coordinates(41.149, -8.611)) < 3


def test_an_airport_goes_before_the_centre_which_is_still_known(wire: Wire):
    at_porto = {"coordinates": {"latitude": 41.242, "longitude": -8.678}, "cityCode": "PORTO"}
    wire.airports([an_airport(iataCode="OPO", name="Porto", countryCode="pt", **at_porto)])
    context = context_of(f"place=Porto+%28OPO%29&{STAY}")
    assert context.origin == context.anchor.coordinates
    assert context.centre.km_to(Coordinates(41.149, -8.611)) < 3


@pytest.mark.parametrize("place", ["Crete", "Portugal", "Nowhere at all"])
def test_a_region_a_country_and_an_unknown_place_have_no_centre(place: str):
    assert context_of(f"place={place}&{STAY}").centre is None


@pytest.mark.parametrize(
    ("place", "today"), [("Tokyo", "2030-05-02"), ("Porto", "2030-05-01"), ("Honolulu", "2030-05-01")]
)
def test_the_earliest_check_in_is_today_where_the_hotel_is(place: str, today: str, clock: Clock):
    clock.now = datetime(2030, 5, 1, 20, 30, tzinfo=UTC)
    day = date.fromisoformat(today)
    for check_in, accepted in ((day, True), (day - timedelta(days=1), False)):
        request = RequestFactory().get(f"/hotels/?place={place}&checkin={check_in}&checkout=2030-05-04")
        form, context = parsed(request)
        assert (context is not None) is accepted
        assert SearchBar.of_form(form).first_day == day


def test_without_a_complete_search_there_is_a_form():
    form, context = parsed(
        RequestFactory().get("/hotels/?place=Porto&checkin=2030-05-04&checkout=2030-06-04")
    )
    assert context is None
    assert "checkout" in form.errors


def test_a_page_that_is_switched_off_is_not_there(visitor: Client):
    store.change({"date_strip_enabled": False})
    assert visitor.get("/hotels/dates/?place=Porto&checkin=31&checkout=2").status_code == 404
