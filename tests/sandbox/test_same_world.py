"""Whole answers by their digests: the made-up hotels stay what they are from version to version.

Whoever changes them on purpose, or takes another release of the airport data, puts the new digests here.
"""

from __future__ import annotations

from datetime import date
from hashlib import blake2b
from urllib.parse import urlencode

import pytest

from search.sandbox.api import AIRPORTS_PATH, SEARCH_PATH, answer
from search.sandbox.weather import parse_weather
from tests.sandbox.questions import SEARCH, ask, details_path, listing

CHRISTMAS = {"checkinDate": "2030-12-20", "checkoutDate": "2031-01-14", "roomAllocations": "5"}
LISTINGS = [
    ({"size": "100"}, "", date.min, "af08b126326b"),
    ({"place": "Japan", "page": "77", "currencyCode": "JPY"}, "", date.min, "59f671ce2dda"),
    ({"place": "New York", "size": "100", "currencyCode": "KWD"}, "", date.min, "9763251d6d6c"),
    ({"place": "Rome", "size": "100", "market": "de-de"}, "", date(2030, 4, 27), "4fef798b6905"),
    ({"place": "Sydney", **CHRISTMAS}, "", date(2030, 12, 1), "754c1ddc2c36"),
    ({"size": "100"}, "basis=night,surcharges=included", date.min, "95e36aa623a2"),
    ({"place": "London"}, "surcharges=property-currency,repeats", date.min, "8b965b603af2"),
    ({}, "surcharges=unreadable,text_numbers", date.min, "f7209145a8a8"),
    ({"categories": "4,5"}, "zero_prices,prices=+10%,total=moving", date.min, "3fb38258b569"),
]
DETAILS = [("", "b060dbb70277"), ("details=ids", "f37fd4c88063"), ("text_numbers", "eb3b839b8344")]


def digest(*bodies: bytes) -> str:
    return blake2b(b"".join(bodies), digest_size=6).hexdigest()


@pytest.mark.parametrize(("changes", "weather", "asked", "expected"), LISTINGS)
def test_a_listing_is_the_same_for_ever(changes, weather, asked, expected):
    given = answer(SEARCH_PATH, urlencode(SEARCH | changes), weather=parse_weather(weather), asked=asked)
    assert digest(given.body) == expected


@pytest.mark.parametrize(("weather", "expected"), DETAILS)
def test_details_are_the_same_for_ever(weather, expected):
    offers = [offer for entry in listing(place="Malta", size="50")["results"] for offer in entry["offers"]]
    answers = [ask(details_path(offer), weather=parse_weather(weather)) for offer in offers]
    assert len(answers) > 100
    assert digest(*(given.body for given in answers)) == expected


def test_the_airports_are_the_same_for_ever():
    assert digest(ask(AIRPORTS_PATH).body) == "e57dbc84b91c"
