"""Answers are composed as text: what comes out is JSON as an encoder would write it."""

from __future__ import annotations

from itertools import repeat

import msgspec
import pytest

from search.sandbox.currencies import ABROAD, AMOUNT, ASKED, CURRENCIES, HIDDEN, ONE, OWN, exchange, telling
from search.sandbox.descriptions import describe
from search.sandbox.documents import plain, quoted
from search.sandbox.houses import house_of
from search.sandbox.weather import parse_weather
from search.sandbox.world import world
from tests.sandbox.questions import ask

AWKWARD = [
    'Zum "Löwen"',
    "a\\b",
    "first\nsecond\r\n\tthird",
    "\x00\x1f\x7f",
    "فندق 酒店 \u2028 🏨",
    "{city} %s",
    "",
]


@pytest.mark.parametrize("text", AWKWARD)
def test_a_string_is_quoted_as_an_encoder_does_it(text):
    assert quoted(text) == msgspec.json.encode(text).decode()


@pytest.mark.parametrize("name", AWKWARD[:2] + AWKWARD[4:5])
def test_a_description_of_any_length_holds_an_awkward_name(name):
    city, numbers = world().cities[0], range(400)
    described = describe(numbers, repeat(quoted(name)), repeat(city), map(house_of, numbers))
    texts = list(map(plain, described))
    told = [text for text in texts if text]
    assert 370 < len(told) < 400
    assert all(name in text and city.name in text and "{" not in text for text in told)
    assert any(text.startswith("<p>") for text in told)
    assert max(map(len, told)) > 2000


@pytest.mark.parametrize("code", ["EUR", "JPY", "KWD", "VND"])
def test_an_amount_is_written_as_an_encoder_does_it(code):
    currency = CURRENCIES[code]
    for minor in [*range(2_000), *range(3, 10**12, 9_999_999_967)]:
        document = {"value": minor / currency.minor, "currencyCode": code}
        assert telling(currency, currency)(minor, [(ONE, AMOUNT)]) == [msgspec.json.encode(document).decode()]


@pytest.mark.parametrize(("asked", "own"), [("EUR", "EUR"), ("EUR", "KWD"), ("JPY", "GBP")])
def test_a_price_is_told_in_each_way(asked, own):
    money, there = CURRENCIES[asked], CURRENCIES[own]
    mine = {"value": 12_345 / money.minor, "currencyCode": asked}
    theirs = {"value": exchange(12_345, money, there) / there.minor, "currencyCode": own}
    ways = [(ONE, way) for way in (OWN, ASKED, HIDDEN, ABROAD, AMOUNT)]
    *prices, alone = telling(money, there)(12_345, ways)
    members = [tuple(plain(text + "}").values()) for text in prices]
    assert members == [(mine, theirs), (mine, mine), (mine, None), (theirs, theirs)]
    assert plain(alone) == mine


@pytest.mark.parametrize("place", ["Barcelona", "Japan", "Morocco", "Kuwait", "Iceland", "London"])
@pytest.mark.parametrize("currency", ["EUR", "KWD"])
def test_a_listing_is_written_as_an_encoder_does_it(place, currency):
    weather = parse_weather("max_size=400")
    body = ask(place=place, currencyCode=currency, size="400", weather=weather).body
    assert msgspec.json.encode(msgspec.json.decode(body)) == body
