"""Every field of the interface is there, and everything that may be null is null somewhere."""

import itertools
import json
import re
from collections import Counter
from typing import Any

import pytest

from search.sandbox.airports import airports
from search.sandbox.details import property_details
from search.sandbox.identity import PROVIDERS, key_of, number_at, provider_property_id, providers_of
from search.sandbox.terms import SHEETS, all_terms
from search.sandbox.world import world
from tests.sandbox.questions import listing

SUMMARY = {
    "providerId", "ryanairId", "id", "name", "description", "address", "location", "countryCode",
    "coordinates", "category", "rating", "images", "propertyType",
}  # fmt: skip
MIN_PRICE = {
    "price", "travelCredit", "originalPrice", "deposit", "paymentMode", "promoType", "surcharges",
    "rateDescription", "discountPercentage",
}  # fmt: skip
AIRPORT = {
    "iataCode", "name", "seoName", "coordinates", "base", "countryCode", "regionCode", "cityCode",
    "currencyCode", "routes", "seasonalRoutes", "categories", "priority",
}  # fmt: skip


@pytest.fixture(scope="module")
def entries() -> list[dict[str, Any]]:
    """400 properties of one country with several languages around it."""
    return [
        entry
        for place, page in itertools.product(("Spain", "Greece", "Japan", "United Kingdom"), "0")
        for entry in listing(place=place, page=page, size="100", currencyCode="EUR")["results"]
    ]


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


def test_entries_have_the_fields_of_the_interface(entries):
    assert len(entries) == 400
    for entry in entries:
        assert set(entry) == {"propertySummary", "distance", "offers"}
        assert set(entry["propertySummary"]) == SUMMARY
        for offer in entry["offers"]:
            assert set(offer) == {
                "providerId", "providerPropertyId", "minPrice", "facilities", "freeCancellation", "allotment",
            }  # fmt: skip
            assert offer["minPrice"] is None or set(offer["minPrice"]) == MIN_PRICE


@pytest.mark.parametrize("field", ["description", "address", "coordinates", "rating", "propertyType"])
def test_a_nullable_field_of_the_summary_is_null_somewhere(entries, field):
    values = [entry["propertySummary"][field] for entry in entries]
    assert None in values
    assert values.count(None) < len(values) / 5


@pytest.mark.parametrize("field", ["travelCredit", "originalPrice", "deposit", "paymentMode", "promoType"])
def test_a_nullable_field_of_the_price_is_null_somewhere_and_something_elsewhere(prices, field):
    values = [price[field] for price in prices]
    assert None in values
    assert any(value is not None for value in values)


def test_some_properties_have_no_offers_and_some_offers_no_price(entries, offers):
    assert any(not entry["offers"] for entry in entries)
    assert any(offer["minPrice"] is None for offer in offers)
    assert {len(entry["offers"]) for entry in entries} == {0, 1, 2, 3, 4}


def test_allotment_and_deposit_are_mostly_null_and_take_other_shapes(offers, prices):
    for values in ([offer["allotment"] for offer in offers], [price["deposit"] for price in prices]):
        assert values.count(None) > len(values) * 0.9
        assert len({type(value) for value in values}) > 2


def test_property_prices_are_null_the_same_or_in_the_propertys_currency(prices):
    kinds = Counter((price["price"]["propertyPrice"] or {}).get("currencyCode", "none") for price in prices)
    assert {"none", "EUR", "GBP", "JPY"} <= set(kinds)


def test_surcharges_number_none_to_three_and_a_few_are_in_another_currency(prices):
    assert {0, 1, 2, 3} <= {len(price["surcharges"]) for price in prices}
    currencies = Counter(
        surcharge["price"]["customerPrice"]["currencyCode"]
        for price in prices
        for surcharge in price["surcharges"]
    )
    assert currencies["EUR"] > 0.9 * currencies.total()
    assert len(currencies) > 1


def test_most_discounts_agree_with_the_original_price_and_a_few_do_not(prices):
    agree = []
    for price in prices:
        if price["discountPercentage"] and price["originalPrice"]:
            now, before = (price[name]["customerPrice"]["value"] for name in ("price", "originalPrice"))
            agree.append(abs((1 - now / before) * 100 - price["discountPercentage"]) <= 1)
    assert 0.6 < sum(agree) / len(agree) < 1


def test_a_few_codes_are_unknown_to_everyone(entries, offers, prices):
    assert {"HOTEL", "APARTMENT", "HOSTEL"} <= {entry["propertySummary"]["propertyType"] for entry in entries}
    assert {"PAY_LATER", "PAY_NOW"} <= {price["paymentMode"] for price in prices}
    assert {"REGULAR_PROMOTION", "EARLY_BIRD"} <= {price["promoType"] for price in prices}
    codes = {facility["type"] for offer in offers for facility in offer["facilities"]}
    assert {"WIFI", "INTERNET_ACCESS", "FREE_WIFI", "FREE_BREAKFAST"} <= codes
    many = json.dumps([listing(place="London", page=str(page), size="100") for page in range(30)])
    for odd in ("CAVE_HOUSE|CAPSULE_POD_XL", "PAY_IN_INSTALMENTS_V2", "FLASH_SALE_42", "LAVENDER_LEVY"):
        assert re.search(odd, many), odd
    assert re.search("HAMMOCK_ON_ROOF|WIFI_7_BETA|xk-17|THERMAL_BATH", many)


def test_terms_with_a_code_nobody_knows_are_few_and_have_a_price():
    sheets = all_terms()
    for odd in (
        [one for one in sheets if "PAY_IN_INSTALMENTS_V2" in "".join(one.offer)],
        [one for one in sheets if "FLASH_SALE_42" in "".join(one.offer)],
        [one for one in sheets if "LAVENDER_LEVY" in "".join(one.offer)],
    ):
        assert 1 <= len(odd) <= SHEETS / 500
        assert all(one.parts for one in odd)


def test_hotels_of_one_place_are_no_copies_of_each_other():
    entries = [one for page in "01234" for one in listing(page=page, size="100")["results"]]
    summaries = [entry["propertySummary"] for entry in entries]
    assert len({(one["name"], one["address"]) for one in summaries}) == len(entries) == 500
    texts = Counter((one["description"] or "").replace(one["name"], "") for one in summaries)
    assert len(texts) > 0.95 * len(entries)
    offers = [json.dumps([offer["minPrice"] for offer in entry["offers"]]) for entry in entries]
    assert len(set(offers)) > 0.95 * len(entries)


def test_ratings_have_a_code_and_a_value_or_lack_either(entries):
    ratings = [entry["propertySummary"]["rating"] for entry in entries if entry["propertySummary"]["rating"]]
    assert "VERY_GOOD" in {rating["code"] for rating in ratings}
    assert None in {rating["code"] for rating in ratings}
    assert None in {rating["value"] for rating in ratings}
    assert all(0 <= rating["value"] <= 10 for rating in ratings if rating["value"] is not None)


def test_facilities_have_ids_and_descriptions_or_lack_them(offers):
    facilities = [facility for offer in offers for facility in offer["facilities"]]
    assert all(set(facility) == {"id", "description", "type", "availability"} for facility in facilities)
    for field in ("id", "description"):
        assert {type(facility[field]) for facility in facilities} == {str, type(None)}


def test_descriptions_are_short_long_and_of_several_lines(entries):
    texts = [entry["propertySummary"]["description"] or "" for entry in entries]
    assert any("\n\n" in text for text in texts)
    assert any("\r\n" in text for text in texts)
    assert max(map(len, texts)) > 2000
    assert "" in texts


def test_names_come_in_other_scripts():
    names = "".join(
        entry["propertySummary"]["name"]
        for place in ("Tokyo", "Marrakech", "Tel Aviv", "Athens")
        for entry in listing(place=place, size="100")["results"]
    )
    for low, high in (("\u3040", "\u30ff"), ("\u0600", "\u06ff"), ("\u0590", "\u05ff"), ("\u0370", "\u03ff")):
        assert any(low <= letter <= high for letter in names)


def test_images_number_none_to_twelve(entries):
    counts = {len(entry["propertySummary"]["images"]) for entry in entries}
    assert min(counts) == 0
    assert max(counts) == 12


def test_distances_are_in_kilometres_or_miles_or_missing(entries):
    units = {(entry["distance"] or {}).get("unit") for entry in entries}
    assert units == {None, "KM", "MI"}


def test_details_have_every_field_somewhere_and_lack_some_elsewhere(details):
    fields = ("checkinTime", "checkoutTime", "policies", "facilities", "acceptedCreditCards")
    for field in fields:
        present = [
            answer["propertyDetails"][field] for answer in details if field in answer["propertyDetails"]
        ]
        assert len({json.dumps(value)[:1] for value in present}) > 1, field
    assert any(field not in answer["propertyDetails"] for answer in details for field in fields[1:])


def test_room_types_have_every_field_somewhere_and_lack_some_elsewhere(details):
    types = [room_type for answer in details for room_type in answer["roomTypes"]]
    rooms = [room for room_type in types for room in room_type["rooms"]]
    assert {len(answer["roomTypes"]) for answer in details} == {1, 2, 3, 4, 5}
    assert any("images" not in room_type for room_type in types)
    assert any(room_type.get("images") is None for room_type in types if "images" in room_type)
    assert {"name", "description", "images", "facilities", "rooms"} == set().union(*types)
    assert {
        "maxOccupancy",
        "policies",
        "cancellationPolicies",
        "bedTypes",
        "name",
        "description",
    } == set().union(*rooms)
    for field in ("maxOccupancy", "policies", "cancellationPolicies", "bedTypes", "description"):
        shapes = {type(room.get(field)) for room in rooms}
        assert type(None) in shapes, field
        assert len(shapes) > 1, field


def test_ids_at_providers_find_their_property_again_however_awkward():
    awkward = 0
    for number in range(0, world().size, 1009):
        for provider in providers_of(number):
            property_id = provider_property_id(number, provider)
            assert number_at(provider, property_id) == number
            awkward += any(letter in property_id for letter in '/ %?#"酒')
    assert awkward > 10


def test_an_id_belongs_to_its_provider_only():
    for number in range(0, world().size, 50_021):
        own = providers_of(number)
        for provider in set(PROVIDERS) - set(own):
            assert number_at(provider, provider_property_id(number, own[0])) != number


def test_keys_look_like_hexadecimal_and_do_not_repeat():
    keys = {key_of(number) for number in range(20_000)}
    assert len(keys) == 20_000
    assert all(len(key) == 24 and int(key, 16) >= 0 for key in itertools.islice(keys, 50))


def test_airports_have_the_fields_of_the_interface():
    for airport in airports():
        assert set(airport) == AIRPORT
        assert airport["countryCode"] == airport["countryCode"].lower()
        assert airport["cityCode"] == airport["cityCode"].upper()
        assert 0 <= airport["priority"] <= 1000


def test_there_are_a_few_hundred_airports_and_cities_with_several():
    cities = Counter(airport["cityCode"] for airport in airports())
    assert 230 <= len(airports()) <= 320
    assert cities["LONDON"] >= 4
    assert cities["MILAN"] >= 3
    assert cities["PARIS"] >= 2
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


def test_every_airport_has_routes_and_they_name_cities_countries_and_regions():
    kinds = {entry.partition(":")[0] for airport in airports() for entry in airport["routes"]}
    assert kinds == {"airport", "city", "country", "region"}
    assert all(airport["routes"] for airport in airports())
    assert any(not airport["seasonalRoutes"] for airport in airports())


def test_themes_of_airports_include_one_nobody_knows():
    themes = {theme for airport in airports() for theme in airport["categories"]}
    assert {"FAM", "CTY", "CUL", "OUT", "SEA", "NIT", "SKI", "GLF", "ROM", "XMS"} < themes
