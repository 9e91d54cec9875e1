"""Other readings of what the interface leaves open, a drill word each."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from search.sandbox import weather as weather_module
from search.sandbox.weather import parse_weather
from tests.sandbox.questions import ask, details, listing

NAMED_IN_SECTION_2_6 = {
    "name", "description", "address", "location", "countryCode", "coordinates", "category", "rating",
    "images",
}  # fmt: skip
IDS = {"providerId", "ryanairId", "id"}
PLACE = {"place": "Lerwick"}


def first_offers(weather="", count=30):
    entries = listing(weather=parse_weather(weather), size=str(count))["results"]
    return [offer for entry in entries for offer in entry["offers"] if offer["minPrice"]]


def keys(weather="", **changes):
    document = listing(weather=parse_weather(weather), **{**PLACE, **changes})
    return [entry["propertySummary"]["ryanairId"] for entry in document["results"]]


def all_keys(weather="", size=20):
    return [keys(weather, size=str(size), page=str(page)) for page in range(30)]


def test_details_carry_what_the_interface_names_and_no_identifier():
    for offer in first_offers():
        summary = details(offer)["propertyDetails"]["propertySummary"]
        assert set(summary) == NAMED_IN_SECTION_2_6


def test_details_may_name_the_identifiers_too():
    offer = first_offers()[0]
    summary = details(offer, weather=parse_weather("details=ids"))["propertyDetails"]["propertySummary"]
    assert set(summary) == NAMED_IN_SECTION_2_6 | IDS
    assert summary["id"] == offer["providerPropertyId"]


@pytest.mark.parametrize(
    ("word", "given"),
    [("null", None), ("missing", ...), ("empty", {}), ("list", []), ("text", "not available")],
)
def test_details_may_be_unusable(word, given):
    document = details(first_offers()[0], weather=parse_weather(f"details={word}"))
    assert document.get("propertyDetails", ...) == given


@pytest.mark.parametrize("most", [20, 50, 400])
def test_a_larger_size_is_cut_or_refused(most):
    assert len(listing(weather=parse_weather(f"max_size={most}"), size="500")["results"]) == most
    refusing = parse_weather(f"max_size={most},too_large=refused")
    assert ask(weather=refusing, size=str(most + 1)).status == 400
    assert len(listing(weather=refusing, size=str(most))["results"]) == most


def test_one_page_may_be_empty_in_the_middle():
    plain, holed = all_keys(), all_keys("empty_page=2")
    assert plain[2]
    assert not holed[2]
    assert [one for page, one in enumerate(holed) if page != 2] == [
        one for page, one in enumerate(plain) if page != 2
    ]


def test_nothing_lies_beyond_a_window_although_the_total_says_so():
    assert sum(map(len, all_keys("window=55"))) == 55
    assert listing(weather=parse_weather("window=55"), **PLACE)["Total"] == listing(**PLACE)["Total"]


def test_repeats_lose_nothing_and_the_total_counts_them():
    plain = [key for page in all_keys() for key in page]
    pages = all_keys("repeats")
    said = listing(weather=parse_weather("repeats"), **PLACE)["Total"]
    given = [key for page in pages for key in page]
    assert list(dict.fromkeys(given)) == plain
    assert len(given) == said > len(plain)
    assert pages[1][0] == pages[0][-1]


def test_gaps_are_the_same_properties_whatever_the_size_and_the_total_counts_them():
    plain = [key for page in all_keys() for key in page]
    left = [key for page in all_keys("gaps") for key in page]
    assert len(plain) * 0.85 < len(left) < len(plain)
    assert left == [key for key in plain if key in left]
    gaps = parse_weather("gaps")
    larger = listing(weather=gaps, **{**PLACE, "size": "60"})
    keys = [one["propertySummary"]["ryanairId"] for one in larger["results"]]
    assert keys == [key for key in plain[:60] if key in left]
    assert larger["Total"] == listing(**PLACE)["Total"]


def test_the_total_may_be_missing_or_move():
    assert "Total" not in listing(weather=parse_weather("total=missing"))
    moving = {listing(weather=parse_weather("total=moving"), page=str(page))["Total"] for page in range(5)}
    assert len(moving) == 5


def test_surcharges_may_have_a_price_in_the_propertys_currency_only():
    named = [one["price"] for offer in first_offers("surcharges=property-currency")
             for one in offer["minPrice"]["surcharges"]]  # fmt: skip
    assert named
    assert all(one["customerPrice"] is None and one["propertyPrice"]["value"] > 0 for one in named)


def test_surcharges_may_have_no_amount_at_all():
    offers = first_offers("surcharges=unreadable")
    text = json.dumps([offer["minPrice"]["surcharges"] for offer in offers])
    assert not re.search(r'"value": [0-9]', text)
    assert len({type(one["price"]) for offer in offers for one in offer["minPrice"]["surcharges"]}) == 3


def test_prices_may_hold_their_surcharges():
    for plain, raised in zip(first_offers(), first_offers("surcharges=included"), strict=True):
        before, after = plain["minPrice"], raised["minPrice"]
        named = [one["price"]["customerPrice"] for one in before["surcharges"]]
        extra = sum(one["value"] for one in named if one["currencyCode"] == "EUR")
        assert after["price"]["customerPrice"]["value"] == pytest.approx(
            before["price"]["customerPrice"]["value"] + extra, abs=0.001
        )


def test_some_prices_may_be_zero():
    prices = [offer["minPrice"]["price"]["customerPrice"]["value"] for offer in first_offers("zero_prices")]
    assert 0.1 < prices.count(0) / len(prices) < 0.5


def test_numbers_may_be_strings():
    weather = parse_weather("text_numbers")
    document = listing(weather=weather)
    assert isinstance(document["Total"], str)
    assert not re.search(r": -?[0-9]", json.dumps(document))


def test_dialects_and_faults_combine():
    weather = parse_weather("window=30,total=missing,zero_prices,prices=+10%")
    document = listing(weather=weather, size="50")
    assert len(document["results"]) == 30
    assert "Total" not in document


def test_every_word_is_in_the_document():
    told = (Path(__file__).parents[2] / "docs/sandbox.md").read_text()
    assert all(f"`{word}" in told for word in weather_module._WORDS)
