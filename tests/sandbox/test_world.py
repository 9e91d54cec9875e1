"""Places, the properties they own, and the airports."""

from collections import Counter
from itertools import pairwise

import pytest

from search.sandbox.airports import airports
from search.sandbox.world import Place, Selection, stars_of, world
from tests.rows import each

ALL = frozenset({1, 2, 3, 4, 5})
AIRPORT = {
    "iataCode", "name", "seoName", "coordinates", "base", "countryCode", "regionCode", "cityCode",
    "currencyCode", "routes", "seasonalRoutes", "categories", "priority",
}  # fmt: skip


def place(text: str) -> Place:
    found = world().find(text)
    assert found is not None, text
    return found


def test_cities_share_out_all_numbers_without_gap_or_overlap():
    cities = world().cities
    assert cities[0].start == 0
    assert all(one.stop == other.start for one, other in pairwise(cities))
    assert cities[-1].stop == world().size > 1_200_000
    assert min(city.stop - city.start for city in cities) >= 12


@each("city", ["London", "Barcelona", "Rome", "Paris"])
def test_capitals_of_travel_have_several_thousand(city):
    assert place(city).stop - place(city).start > 5000


def test_a_place_is_found_however_it_is_written():
    for name, spellings in [
        ("London", ["london", "  LONDON ", "STN", "stn"]), ("Lodz", ["Łódź", "LODZ"]),
        ("Venice", ["Venezia"]), ("Malaga", ["Málaga", "Costa del Sol"]),
        ("Trinidad & Tobago", ["Trinidad & Tobago", "trinidad and tobago"]),
        ("L'Aquila", ["L'Aquila", "L’Aquila"]), ("Tokyo", ["東京"]), ("Verona", ["Lake Garda"]),
        ("Gran Canaria", ["Gran Canaria"]), ("Sardinia", ["Sardinia", "Sardegna"]),
        ("Canary Islands", ["Canary Isles"]), ("United Kingdom", ["UK", "United Kingdom"]),
        ("London", ["London, Canada"]),
    ]:  # fmt: skip
        assert {place(spelling).name for spelling in spellings} == {name}


def test_a_country_after_the_comma_chooses_between_namesakes():
    assert place("London, Canada") != place("London, United Kingdom") == place("London")


@each("nonsense", ["", "Nowhere at all", "100%", "x=y&apikey=evil", "\x00", "," * 50])
def test_an_unknown_place_is_not_found(nonsense):
    assert world().find(nonsense) is None


def test_a_country_holds_its_regions_and_they_hold_their_cities():
    spain, canaries, island = place("Spain"), place("Canary Islands"), place("Gran Canaria")
    assert spain.start <= canaries.start <= island.start < island.stop <= canaries.stop <= spain.stop


def test_every_city_can_be_asked_for_by_name_and_country():
    for city in world().cities[::37]:
        assert place(f"{city.name}, {city.country.name}") == city


@pytest.mark.parametrize("stars", [ALL, frozenset({4}), frozenset({1, 5})])
@pytest.mark.parametrize("name", ["Barcelona", "Canary Islands", "Lukla"])
def test_a_listing_holds_each_fitting_property_once(name, stars):
    listed = Selection(place(name), stars)
    expected = [number for number in range(place(name).start, place(name).stop) if stars_of(number) in stars]
    assert listed.total == len(expected)
    assert sorted(listed.numbers(0, listed.total)) == expected


def test_pages_are_pieces_of_one_order():
    listed = Selection(place("Dublin"), frozenset({3, 4}))
    pages = [number for first in range(0, listed.total + 17, 17) for number in listed.numbers(first, 17)]
    assert pages == listed.numbers(0, listed.total)


def test_airports_have_the_fields_of_the_interface():
    for airport in airports():
        assert airport.keys() == AIRPORT
        assert airport["countryCode"] == airport["countryCode"].lower()
        assert 0 <= airport["priority"] <= 1000
        city = place(airport["cityCode"].replace("_", " "))
        assert world().city_of(city.start).country.code == airport["countryCode"], airport


def test_there_are_hundreds_of_airports_some_in_one_city():
    cities = Counter(airport["cityCode"] for airport in airports())
    assert 230 <= len(airports()) <= 320
    assert cities["LONDON"] >= 4
    assert {"GRAN_CANARIA", "MALAGA", "LODZ"} <= set(cities)
    assert "Łódź" in {airport["name"] for airport in airports()}


@pytest.mark.parametrize("field", ["routes", "seasonalRoutes"])
def test_routes_go_both_ways(field):
    ends = {
        (airport["iataCode"], entry.removeprefix("airport:"))
        for airport in airports()
        for entry in airport[field]
        if entry.startswith("airport:")
    }
    assert ends
    assert ends == {(to, start) for start, to in ends}


def test_every_airport_has_routes_of_all_kinds():
    kinds = {entry.partition(":")[0] for airport in airports() for entry in airport["routes"]}
    assert kinds == {"airport", "city", "country", "region"}
    assert all(airport["routes"] for airport in airports())
    assert any(not airport["seasonalRoutes"] for airport in airports())


def test_themes_of_airports_include_one_that_no_client_knows():
    themes = {theme for airport in airports() for theme in airport["categories"]}
    assert {"FAM", "CTY", "CUL", "OUT", "SEA", "NIT", "SKI", "GLF", "ROM", "XMS"} < themes
