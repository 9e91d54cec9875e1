"""Routes, parameters, paging and status codes."""

import json
import re

import pytest

from search.domain.money import NO_CURRENCY
from search.sandbox import descriptions, facilities, names, properties, terms
from search.sandbox.api import AIRPORTS_PATH, SEARCH_PATH, answer, prepare
from search.sandbox.weather import parse_weather
from tests.sandbox.questions import SEARCH, ask, details, details_path, listing


def test_the_same_question_has_the_same_answer():
    assert ask() == ask()


def test_the_total_is_the_sum_over_the_pages():
    first = listing(place="Cork", categories="4", size="50")
    keys = []
    for page in range(first["Total"] // 50 + 2):
        keys += [
            entry["propertySummary"]["ryanairId"]
            for entry in listing(place="Cork", categories="4", size="50", page=str(page))["results"]
        ]
    assert len(keys) == len(set(keys)) == first["Total"]


def test_star_ratings_part_a_place():
    whole = listing(place="Malta")["Total"]
    assert whole == sum(listing(place="Malta", categories=str(stars))["Total"] for stars in range(1, 6))


@pytest.mark.parametrize(
    "query", ["categories=4%2C5", "categories=4,5", "categories=4&categories=5", "categories=5,4,4"]
)
def test_a_series_of_stars_is_understood_in_each_style(query):
    rest = "&".join(f"{name}={value}" for name, value in SEARCH.items() if name != "categories")
    given = json.loads(answer(SEARCH_PATH, f"{query}&{rest}").body)
    assert {entry["propertySummary"]["category"] for entry in given["results"]} == {4, 5}


def test_an_unknown_place_has_nothing():
    assert listing(place="Atlantis on Sea") == {"results": [], "Total": 0}


@pytest.mark.parametrize("encoded", ["Palma%20de%20Mallorca", "Palma+de+Mallorca"])
def test_a_space_in_a_place_is_read_in_both_encodings(encoded):
    rest = "&".join(f"{name}={value}" for name, value in SEARCH.items() if name != "place")
    assert json.loads(answer(SEARCH_PATH, f"place={encoded}&{rest}").body)["Total"] > 1000


@pytest.mark.parametrize(("size", "count"), [("1", 1), ("20", 20), ("100", 100), ("101", 100), ("5000", 100)])
def test_a_size_above_the_largest_is_cut(size, count):
    assert len(listing(size=size)["results"]) == count


def test_size_and_page_have_defaults():
    rest = "&".join(f"{name}={value}" for name, value in SEARCH.items() if name not in ("size", "page"))
    assert json.loads(answer(SEARCH_PATH, rest).body) == listing()


def test_a_page_beyond_the_end_is_empty_and_keeps_the_total():
    beyond = listing(page="99999")
    assert beyond["results"] == []
    assert beyond["Total"] == listing()["Total"]


@pytest.mark.parametrize("name", [name for name in SEARCH if name not in ("size", "page", "apikey")])
def test_a_missing_parameter_is_named(name):
    given = ask(without=name)
    assert given.status == 400
    assert json.loads(given.body)["parameter"] == name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("checkinDate", "01/05/2030"),
        ("checkinDate", "2030-02-31"),
        ("checkinDate", "2030-5-1"),
        ("checkinDate", "٢٠٣٠-٠٥-٠١"),
        ("checkoutDate", "2030-05-01"),
        ("checkoutDate", "2030-04-30"),
        ("checkoutDate", "2030-05-29"),
        ("checkoutDate", "9999-12-31"),
        ("roomAllocations", "0"),
        ("roomAllocations", "-1"),
        ("roomAllocations", "two"),
        ("roomAllocations", "31"),
        ("place", "   "),
        ("categories", "0"),
        ("categories", "6"),
        ("categories", "4;5"),
        ("categories", "4,,5"),
        ("currencyCode", "eur"),
        ("currencyCode", "EURO"),
        ("currencyCode", NO_CURRENCY),
        ("market", "EN-GB"),
        ("market", "english"),
        ("size", "0"),
        ("size", "x"),
        ("page", "-1"),
        ("page", "1.5"),
    ],
)
def test_a_malformed_parameter_is_named(name, value):
    given = ask(**{name: value})
    assert given.status == 400
    assert json.loads(given.body)["parameter"] == name


def test_twenty_seven_nights_are_the_longest_stay():
    assert ask(checkoutDate="2030-05-28").status == 200
    assert ask(checkoutDate="2030-05-29").status == 400


@pytest.mark.parametrize("key", ["", "wrong", "Sandbox", "sandbox "])
@pytest.mark.parametrize("path", [SEARCH_PATH, AIRPORTS_PATH, "/nothing"])
def test_a_wrong_key_is_refused_everywhere(path, key):
    given = ask(path, apikey=key)
    assert given.status == 401
    assert json.loads(given.body)["parameter"] == "apikey"


def test_a_parameter_given_twice_is_refused():
    query = "&".join(f"{name}={value}" for name, value in SEARCH.items())
    assert answer(SEARCH_PATH, query + "&place=Rome").status == 400


@pytest.mark.parametrize(
    "path", ["/", "/pub", SEARCH_PATH + "/", SEARCH_PATH + "/provider/NB", "/pub/v1/core/3/routes"]
)
def test_an_unknown_path_is_not_found(path):
    given = ask(path)
    assert given.status == 404
    assert "message" in json.loads(given.body)


@pytest.mark.parametrize(
    "tail", ["NB/property/99999999", "ZZ/property/100001", "NB/property/abc", "NB/property/%ff%fe"]
)
def test_an_unknown_property_is_not_found(tail):
    assert ask(f"{SEARCH_PATH}/provider/{tail}").status == 404


def test_details_need_the_parameters_of_the_stay():
    offer = next(offer for entry in listing()["results"] for offer in entry["offers"])
    given = ask(details_path(offer), checkinDate="")
    assert given.status == 400


def test_details_of_every_offer_are_those_of_its_property():
    for page in range(8):
        for entry in listing(place="Rome", size="50", page=str(page))["results"]:
            for offer in entry["offers"]:
                weather = parse_weather("details=ids")
                summary = details(offer, weather=weather)["propertyDetails"]["propertySummary"]
                assert summary["ryanairId"] == entry["propertySummary"]["ryanairId"]
                assert summary["id"] == offer["providerPropertyId"]
                assert summary["providerId"] == offer["providerId"]


def test_details_carry_no_price():
    text = json.dumps(
        [details(offer) for entry in listing(size="50")["results"] for offer in entry["offers"]]
    )
    assert not re.search(r"customerPrice|minPrice|currencyCode", text)


def test_photos_need_no_key_and_are_pictures():
    entry = next(entry for entry in listing()["results"] if entry["propertySummary"]["images"])
    address = entry["propertySummary"]["images"][0]
    given = answer(address.removeprefix("https://sandbox.invalid"), "")
    assert given.status == 200
    assert given.headers["Content-Type"] == "image/svg+xml"
    assert given.body.startswith(b"<svg")


@pytest.mark.parametrize("path", ["/photos/99999999/facade.svg", "/photos/1/ufo.svg"])
def test_an_unknown_photo_is_not_found(path):
    assert answer(path, "").status == 404


def test_what_properties_share_is_made_before_anybody_asks():
    prepare()
    shared = (
        terms.all_terms,
        facilities.facilities,
        names.names_for,
        properties.pictures_of,
        descriptions._told,
        descriptions._true_of,
    )
    made = [one.cache_info().misses for one in shared]
    listing(place="Rome", size="200")
    assert [one.cache_info().misses for one in shared] == made
