"""Places and the properties they own."""

from itertools import pairwise

import pytest

from search.sandbox.airports import airports
from search.sandbox.selection import Selection, stars_of
from search.sandbox.world import Place, fold, world

ALL = frozenset({1, 2, 3, 4, 5})


def found(text: str) -> Place:
    place = world().find(text)
    assert place is not None, text
    return place


def test_there_are_well_over_a_million_properties():
    assert world().size > 1_200_000


def test_cities_share_out_all_numbers_without_gap_or_overlap():
    cities = world().cities
    assert cities[0].start == 0
    assert all(one.stop == other.start for one, other in pairwise(cities))


def test_every_city_has_at_least_twelve_properties():
    assert min(city.stop - city.start for city in world().cities) >= 12


@pytest.mark.parametrize("city", ["London", "Barcelona", "Rome", "Paris"])
def test_capitals_of_travel_have_several_thousand(city):
    place = found(city)
    assert place.stop - place.start > 5000


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("london", "London"),
        ("  LONDON ", "London"),
        ("STN", "London"),
        ("stn", "London"),
        ("Łódź", "Lodz"),
        ("LODZ", "Lodz"),
        ("Venezia", "Venice"),
        ("Málaga", "Malaga"),
        ("Trinidad & Tobago", "Trinidad & Tobago"),
        ("trinidad and tobago", "Trinidad & Tobago"),
        ("L'Aquila", "L'Aquila"),
        ("L’Aquila", "L'Aquila"),
        ("東京", "Tokyo"),
        ("Gran Canaria", "Gran Canaria"),
        ("Sardinia", "Sardinia"),
        ("Canary Isles", "Canary Islands"),
        ("Spain", "Spain"),
        ("London, Canada", "London"),
    ],
)
def test_a_place_is_found_however_it_is_written(spelling, name):
    assert found(spelling).name == name


def test_a_country_after_the_comma_chooses_between_namesakes():
    assert found("London, Canada") != found("London, United Kingdom") == found("London")


@pytest.mark.parametrize("nonsense", ["", "Nowhere at all", "100%", "x=y&apikey=evil", "\x00", "," * 50])
def test_an_unknown_place_is_not_found(nonsense):
    assert world().find(nonsense) is None


def test_a_country_holds_its_regions_and_they_hold_their_cities():
    spain, canaries, island = found("Spain"), found("Canary Islands"), found("Gran Canaria")
    assert spain.start <= canaries.start <= island.start < island.stop <= canaries.stop <= spain.stop


def test_every_airport_leads_to_properties_in_its_own_country():
    for airport in airports():
        place = found(str(airport["cityCode"]).replace("_", " "))
        assert world().city_of(place.start).country.code == airport["countryCode"], airport


def test_every_city_can_be_asked_for_by_name_and_country():
    for city in world().cities[::37]:
        assert world().find(f"{city.name}, {city.country.name}") == Place(city.name, city.start, city.stop)


@pytest.mark.parametrize("stars", [ALL, frozenset({4}), frozenset({1, 5}), frozenset({2, 3, 4})])
@pytest.mark.parametrize("name", ["Barcelona", "Canary Islands", "Lukla", "Malta"])
def test_a_listing_holds_each_fitting_property_once(name, stars):
    place = world().find(name) or found("Nice")
    chosen = Selection(place, stars)
    expected = [number for number in range(place.start, place.stop) if stars_of(number) in stars]
    assert chosen.total == len(expected)
    assert sorted(chosen.numbers(0, chosen.total)) == expected


def test_pages_are_pieces_of_one_order():
    chosen = Selection(found("Dublin"), frozenset({3, 4}))
    whole = chosen.numbers(0, chosen.total)
    pages = [number for first in range(0, chosen.total, 17) for number in chosen.numbers(first, 17)]
    assert pages == whole


def test_beyond_the_end_there_is_nothing():
    chosen = Selection(found("Dublin"), ALL)
    assert chosen.numbers(chosen.total, 20) == []
    assert len(chosen.numbers(chosen.total - 3, 20)) == 3


def test_folding_forgets_case_accents_and_punctuation():
    assert fold("  Sankt-Pölten & Øresund’s ") == "sankt polten and oresunds"
