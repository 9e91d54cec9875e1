"""Every field of the interface is there, and everything that may be null is null somewhere."""

import json
import re
from collections import Counter
from typing import Any

import pytest

from search.sandbox.details import property_details
from search.sandbox.properties import PROVIDERS, key_of, number_at, provider_property_id, providers_of
from search.sandbox.world import world
from tests.sandbox.questions import listing

pytestmark = pytest.mark.thorough

SUMMARY = {
    "providerId", "ryanairId", "id", "name", "description", "address", "location", "countryCode",
    "coordinates", "category", "rating", "images", "propertyType",
}  # fmt: skip
OFFER = {
    "providerId", "providerPropertyId", "minPrice", "facilities", "freeCancellation", "allotment",
}  # fmt: skip
MIN_PRICE = {
    "price", "travelCredit", "originalPrice", "deposit", "paymentMode", "promoType", "surcharges",
    "rateDescription", "discountPercentage",
}  # fmt: skip
ROOM = {"maxOccupancy", "policies", "cancellationPolicies", "bedTypes", "name", "description"}


@pytest.fixture(scope="module")
def entries() -> list[dict[str, Any]]:
    """400 properties of four countries."""
    places = ("Spain", "Greece", "Japan", "United Kingdom")
    return [entry for place in places for entry in listing(place=place, size="100")["results"]]


@pytest.fixture(scope="module")
def summaries(entries) -> list[dict[str, Any]]:
    return [entry["propertySummary"] for entry in entries]


@pytest.fixture(scope="module")
def offers(entries) -> list[dict[str, Any]]:
    return [offer for entry in entries for offer in entry["offers"]]


@pytest.fixture(scope="module")
def prices(offers) -> list[dict[str, Any]]:
    return [offer["minPrice"] for offer in offers if offer["minPrice"]]


@pytest.fixture(scope="module")
def details() -> list[dict[str, Any]]:
    numbers = range(0, world().size, world().size // 400)
    return [property_details(number, providers_of(number)[0]) for number in numbers]


def test_entries_have_the_fields_of_the_interface(entries, offers, prices):
    assert all(entry.keys() == {"propertySummary", "distance", "offers"} for entry in entries)
    assert all(entry["propertySummary"].keys() == SUMMARY for entry in entries)
    assert all(offer.keys() == OFFER for offer in offers)
    assert all(price.keys() == MIN_PRICE for price in prices)


@pytest.mark.parametrize("field", ["description", "address", "coordinates", "rating", "propertyType"])
def test_a_nullable_field_of_the_summary_is_null_somewhere(summaries, field):
    values = [summary[field] for summary in summaries]
    assert 0 < values.count(None) < len(values) / 5


@pytest.mark.parametrize("field", ["travelCredit", "originalPrice", "deposit", "paymentMode", "promoType"])
def test_a_nullable_field_of_the_price_is_null_somewhere(prices, field):
    values = [price[field] for price in prices]
    assert 0 < values.count(None) < len(values)


def test_some_properties_have_no_offers_and_some_offers_no_price(entries, offers):
    assert any(offer["minPrice"] is None for offer in offers)
    assert {len(entry["offers"]) for entry in entries} == {0, 1, 2, 3, 4}


def test_allotment_and_deposit_are_mostly_null(offers, prices):
    for values in ([offer["allotment"] for offer in offers], [price["deposit"] for price in prices]):
        assert values.count(None) > len(values) * 0.9
        assert len({type(value) for value in values}) > 2


def test_property_prices_are_null_or_in_either_currency(prices):
    currencies = {(price["price"]["propertyPrice"] or {}).get("currencyCode") for price in prices}
    assert {None, "EUR", "GBP", "JPY"} <= currencies


def test_surcharges_are_up_to_three_a_few_in_other_currencies(prices):
    assert {0, 1, 2, 3} <= {len(price["surcharges"]) for price in prices}
    currencies = Counter(
        surcharge["price"]["customerPrice"]["currencyCode"]
        for price in prices
        for surcharge in price["surcharges"]
    )
    assert 0.9 * currencies.total() < currencies["EUR"] < currencies.total()


def test_most_discounts_agree_with_the_original_price(prices):
    agree = []
    for price in prices:
        if price["discountPercentage"] and price["originalPrice"]:
            now, before = (price[name]["customerPrice"]["value"] for name in ("price", "originalPrice"))
            agree.append(abs((1 - now / before) * 100 - price["discountPercentage"]) <= 1)
    assert 0.6 < sum(agree) / len(agree) < 1


def test_usual_codes_are_there_and_a_few_that_no_client_knows(summaries, offers, prices):
    assert {"HOTEL", "APARTMENT", "HOSTEL"} <= {summary["propertyType"] for summary in summaries}
    assert {"PAY_LATER", "PAY_NOW"} <= {price["paymentMode"] for price in prices}
    assert {"REGULAR_PROMOTION", "EARLY_BIRD"} <= {price["promoType"] for price in prices}
    codes = {facility["type"] for offer in offers for facility in offer["facilities"]}
    assert {"WIFI", "INTERNET_ACCESS", "FREE_WIFI", "FREE_BREAKFAST"} <= codes
    many = json.dumps([listing(place="London", page=str(page), size="100") for page in range(30)])
    for code in ("CAVE_HOUSE|CAPSULE_POD_XL", "PAY_IN_INSTALMENTS_V2", "FLASH_SALE_42", "LAVENDER_LEVY",
                 "HAMMOCK_ON_ROOF|WIFI_7_BETA|xk-17|THERMAL_BATH"):  # fmt: skip
        assert 1 <= len(re.findall(code, many)) < 60, code


def test_hotels_of_one_place_are_no_copies_of_each_other():
    entries = listing(size="500", weather="max_size=500")["results"]
    summaries = [entry["propertySummary"] for entry in entries]
    assert len({(one["name"], one["address"]) for one in summaries}) == len(entries) == 500
    assert len({one["ryanairId"] for one in summaries}) == 500
    texts = {(one["description"] or "").replace(one["name"], "") for one in summaries}
    assert len(texts) > 0.95 * len(entries)
    offers = {json.dumps([offer["minPrice"] for offer in entry["offers"]]) for entry in entries}
    assert len(offers) > 0.95 * len(entries)


def test_ratings_have_a_code_and_a_value_or_lack_either(summaries):
    ratings = [summary["rating"] for summary in summaries if summary["rating"]]
    assert {"VERY_GOOD", None} <= {rating["code"] for rating in ratings}
    values = [rating["value"] for rating in ratings]
    assert None in values
    assert all(0 <= value <= 10 for value in values if value is not None)


def test_facilities_have_ids_and_descriptions_or_lack_them(offers):
    facilities = [facility for offer in offers for facility in offer["facilities"]]
    assert all(facility.keys() == {"id", "description", "type", "availability"} for facility in facilities)
    for field in ("id", "description"):
        assert {type(facility[field]) for facility in facilities} == {str, type(None)}


def test_descriptions_differ_in_length_markup_and_lines(summaries):
    texts = [summary["description"] or "" for summary in summaries]
    assert "" in texts
    assert max(map(len, texts)) > 2000
    assert all(any(part in text for text in texts) for part in ("\n\n", "\r\n", "<br/>", "&"))


def test_names_come_in_other_scripts():
    places = ("Tokyo", "Marrakech", "Tel Aviv", "Athens")
    entries = [entry for place in places for entry in listing(place=place, size="100")["results"]]
    names = "".join(entry["propertySummary"]["name"] for entry in entries)
    for low, high in (("\u3040", "\u30ff"), ("\u0600", "\u06ff"), ("\u0590", "\u05ff"), ("\u0370", "\u03ff")):
        assert any(low <= letter <= high for letter in names)


def test_images_number_none_to_twelve(summaries):
    counts = {len(summary["images"]) for summary in summaries}
    assert (min(counts), max(counts)) == (0, 12)


def test_distances_are_in_kilometres_or_miles_or_missing(entries):
    assert {(entry["distance"] or {}).get("unit") for entry in entries} == {None, "KM", "MI"}


@pytest.mark.parametrize(
    "field", ["checkinTime", "checkoutTime", "policies", "facilities", "acceptedCreditCards"]
)
def test_a_field_of_details_has_several_shapes_or_is_missing(details, field):
    values = [
        document["propertyDetails"][field] for document in details if field in document["propertyDetails"]
    ]
    assert len({json.dumps(value)[:1] for value in values}) > 1
    assert field == "checkinTime" or len(values) < len(details)


def test_room_types_have_each_field_only_somewhere(details):
    assert {len(document["roomTypes"]) for document in details} == {1, 2, 3, 4, 5}
    types = [room_type for document in details for room_type in document["roomTypes"]]
    assert {"name", "description", "images", "facilities", "rooms"} == set().union(*types)
    images = [room_type.get("images", "missing") for room_type in types]
    assert None in images
    assert "missing" in images
    rooms = [room for room_type in types for room in room_type["rooms"]]
    assert set().union(*rooms) == ROOM
    for field in ROOM - {"name"}:
        shapes = {type(room.get(field)) for room in rooms}
        assert type(None) in shapes, field
        assert len(shapes) > 1, field


def test_awkward_ids_lead_to_their_property():
    awkward = 0
    for number in range(0, world().size, 1009):
        own = providers_of(number)
        for provider in own:
            property_id = provider_property_id(number, provider)
            assert number_at(provider, property_id) == number
            awkward += any(letter in property_id for letter in '/ %?#"酒')
        for provider in PROVIDERS.keys() - set(own):
            assert number_at(provider, provider_property_id(number, own[0])) != number
    assert awkward > 10


def test_keys_look_like_hexadecimal_and_do_not_repeat():
    keys = {key_of(number) for number in range(20_000)}
    assert len(keys) == 20_000
    assert all(re.fullmatch("[0-9a-f]{24}", key) for key in keys)
