"""Routes, parameters, paging and status codes."""

import json
import os
import re
import subprocess
import sys
from itertools import count, takewhile
from urllib.parse import urlencode

import pytest

from search.domain.money import NO_CURRENCY
from search.sandbox.api import AIRPORTS_PATH, SEARCH_PATH, answer
from tests.rows import each
from tests.sandbox.questions import SEARCH, ask, details, details_path, keys_of, listing


def rest_of(*names: str) -> str:
    """The usual question without these parameters."""
    return urlencode({name: value for name, value in SEARCH.items() if name not in names})


def test_another_process_has_the_same_answers():
    offer = next(offer for entry in listing()["results"] for offer in entry["offers"])
    paths = (SEARCH_PATH, details_path(offer), AIRPORTS_PATH)
    program = (
        "import sys; from tests.sandbox.questions import ask; "
        "sys.stdout.buffer.write(b''.join(ask(path).body for path in sys.argv[1:]))"
    )
    there = subprocess.run(
        [sys.executable, "-c", program, *paths],
        env=os.environ | {"PYTHONHASHSEED": "7"},
        capture_output=True,
        check=True,
    )
    assert there.stdout == b"".join(ask(path).body for path in paths)


def test_pages_hold_each_property_once():
    first = listing(place="Cork", categories="4", size="50")
    pages = (keys_of(listing(place="Cork", categories="4", size="50", page=str(page))) for page in count())
    keys = [key for page in takewhile(bool, pages) for key in page]
    assert len(keys) == len(set(keys)) == first["Total"]


def test_star_ratings_part_a_place():
    whole = listing(place="Malta")["Total"]
    assert whole == sum(listing(place="Malta", categories=str(stars))["Total"] for stars in range(1, 6))


@each("query", ["categories=4%2C5", "categories=4,5", "categories=4&categories=5", "categories=5,4,4"])
def test_a_series_of_stars_is_understood_in_each_style(query):
    response = answer(SEARCH_PATH, f"{query}&{rest_of('categories')}")
    stars = {entry["propertySummary"]["category"] for entry in json.loads(response.body)["results"]}
    assert stars == {4, 5}


def test_an_unknown_place_has_nothing():
    assert listing(place="Atlantis on Sea") == {"results": [], "Total": 0}


@pytest.mark.parametrize("encoded", ["Palma%20de%20Mallorca", "Palma+de+Mallorca"])
def test_a_space_in_a_place_is_read_in_both_encodings(encoded):
    response = answer(SEARCH_PATH, f"place={encoded}&{rest_of('place')}")
    assert json.loads(response.body)["Total"] > 1000


@pytest.mark.parametrize(("size", "count"), [("1", 1), ("100", 100), ("101", 100)])
def test_a_size_above_the_largest_is_cut(size, count):
    assert len(listing(size=size)["results"]) == count


def test_size_and_page_have_defaults():
    assert json.loads(answer(SEARCH_PATH, rest_of("size", "page")).body) == listing()


def test_a_page_beyond_the_end_is_empty_and_keeps_the_total():
    assert listing(page="99999") == {"results": [], "Total": listing()["Total"]}


MALFORMED = {
    "checkinDate": ["01/05/2030", "2030-02-31", "2030-5-1", "٢٠٣٠-٠٥-٠١"],
    "checkoutDate": ["2030-05-01", "2030-04-30", "2030-05-29", "9999-12-31"],
    "roomAllocations": ["0", "-1", "two", "31"],
    "place": ["   "],
    "categories": ["0", "6", "4;5", "4,,5"],
    "currencyCode": ["eur", "EURO", NO_CURRENCY],
    "market": ["EN-GB", "english"],
    "size": ["0", "x"],
    "page": ["-1", "1.5"],
}


def test_a_missing_or_malformed_parameter_is_named():
    for name in MALFORMED:
        responses = [ask(**{name: value}) for value in MALFORMED[name]]
        if name not in ("size", "page"):
            responses.append(ask(without=name))
        for response in responses:
            assert (response.status, json.loads(response.body)["parameter"]) == (400, name)


def test_twenty_seven_nights_are_the_longest_stay():
    assert ask(checkoutDate="2030-05-28").status == 200


@pytest.mark.parametrize("key", ["", "wrong", "Sandbox", "sandbox "])
@pytest.mark.parametrize("path", [SEARCH_PATH, AIRPORTS_PATH, "/nothing"])
def test_a_wrong_key_is_refused_everywhere(path, key):
    response = ask(path, apikey=key)
    assert (response.status, json.loads(response.body)["parameter"]) == (401, "apikey")


def test_a_parameter_given_twice_is_refused():
    assert answer(SEARCH_PATH, rest_of() + "&place=Rome").status == 400


def test_an_unknown_path_property_or_picture_is_not_found():
    for path in [
        "/", f"{SEARCH_PATH}/", f"{SEARCH_PATH}/provider/NB", "/pub/v1/core/3/routes",
        f"{SEARCH_PATH}/provider/NB/property/99999999", f"{SEARCH_PATH}/provider/ZZ/property/100001",
        f"{SEARCH_PATH}/provider/NB/property/abc", f"{SEARCH_PATH}/provider/NB/property/%ff%fe",
        "/photos/99999999/facade.svg", "/photos/1/ufo.svg",
    ]:  # fmt: skip
        response = ask(path)
        assert response.status == 404, path
        assert "message" in json.loads(response.body), path


def test_details_need_the_parameters_of_the_stay():
    offer = next(offer for entry in listing()["results"] for offer in entry["offers"])
    assert ask(details_path(offer), checkinDate="").status == 400


def test_details_of_every_offer_are_those_of_its_property():
    for entry in listing(place="Rome", size="200", weather="max_size=200")["results"]:
        listed = entry["propertySummary"]
        for offer in entry["offers"]:
            document = details(offer, weather="details=ids")
            described = document["propertyDetails"]["propertySummary"]
            assert not re.search(r"customerPrice|minPrice|currencyCode", json.dumps(document))
            assert described["id"] == offer["providerPropertyId"]
            assert described["providerId"] == offer["providerId"]
            same = described.keys() - {"id", "providerId"}
            assert {name: described[name] for name in same} == {name: listed[name] for name in same}


def test_photos_need_no_key_and_are_pictures():
    entry = next(entry for entry in listing()["results"] if entry["propertySummary"]["images"])
    address = entry["propertySummary"]["images"][0]
    response = answer(address.removeprefix("https://sandbox.invalid"), "")
    assert (response.status, response.headers["Content-Type"]) == (200, "image/svg+xml")
    assert response.body.startswith(b"<svg")
