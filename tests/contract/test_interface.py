"""The interface, field by field, as plain requests see it."""

import json
import re

import pytest

from tests.contract.conftest import AIRPORTS_PATH, SEARCH_PATH, question
from tests.contract.shapes import check_facility, check_min_price, check_summary, is_number


def test_a_listing_has_results_and_a_total(listing):
    assert isinstance(listing["results"], list)
    assert isinstance(listing["Total"], int)
    assert listing["Total"] >= len(listing["results"])


def test_each_property_is_listed_once(entries):
    keys = [entry["propertySummary"]["ryanairId"] for entry in entries]
    assert len(keys) == len(set(keys))


def test_an_entry_has_summary_distance_and_offers(entries):
    for entry in entries:
        check_summary(entry["propertySummary"])
        assert isinstance(entry["offers"], list)
        if entry["distance"] is not None:
            assert is_number(entry["distance"]["value"])
            assert isinstance(entry["distance"]["unit"], str)


def test_an_offer_has_provider_price_facilities_and_terms(offers):
    assert offers
    for offer in offers:
        assert isinstance(offer["providerId"], str)
        assert isinstance(offer["providerPropertyId"], str)
        assert isinstance(offer["freeCancellation"], bool)
        assert "allotment" in offer
        for facility in offer["facilities"]:
            check_facility(facility)
        if offer["minPrice"] is not None:
            check_min_price(offer["minPrice"])


def test_customer_prices_are_in_the_currency_asked_for(offers):
    for offer in offers:
        if offer["minPrice"] is not None:
            assert offer["minPrice"]["price"]["customerPrice"]["currencyCode"] == "EUR"


def test_a_property_has_at_most_one_offer_of_each_provider(entries):
    for entry in entries:
        providers = [offer["providerId"] for offer in entry["offers"]]
        assert len(providers) == len(set(providers))


def test_size_limits_the_page(gateway):
    assert len(gateway.search(size="5")["results"]) <= 5


def test_pages_count_from_zero_and_do_not_overlap(gateway):
    pages = [gateway.search(size="5", page=page)["results"] for page in ("0", "1")]
    keys = [entry["propertySummary"]["ryanairId"] for page in pages for entry in page]
    assert len(keys) == len(set(keys)) == 10


def test_stars_are_those_asked_for(gateway):
    for stars in (3, 5):
        found = gateway.search(categories=str(stars))["results"]
        assert {entry["propertySummary"]["category"] for entry in found} == {stars}


def test_details_have_the_property_and_its_room_types(details):
    assert details
    for answer in details:
        summary = answer["propertyDetails"]["propertySummary"]
        assert isinstance(summary["name"], str)
        assert isinstance(answer["roomTypes"], list)
        known = {"checkinTime", "checkoutTime", "policies", "facilities", "acceptedCreditCards"}
        assert known & set(answer["propertyDetails"])


def test_details_are_of_the_property_of_the_offer_asked_for(details, entries):
    names = [entry["propertySummary"]["name"] for entry in entries for _offer in entry["offers"]]
    assert [answer["propertyDetails"]["propertySummary"]["name"] for answer in details] == names[
        : len(details)
    ]


def test_room_types_have_names_and_rooms(details):
    types = [room_type for answer in details for room_type in answer["roomTypes"]]
    assert types
    for room_type in types:
        assert isinstance(room_type["name"], str)
        assert isinstance(room_type["rooms"], list)
        for room in room_type["rooms"]:
            assert {"maxOccupancy", "name"} <= set(room)


def test_airports_have_every_field(airports):
    assert len(airports) > 50
    for airport in airports:
        assert re.fullmatch(r"[A-Z]{3}", airport["iataCode"])
        for name in ("name", "seoName", "cityCode", "regionCode"):
            assert isinstance(airport[name], str)
        assert re.fullmatch(r"[a-z]{2}", airport["countryCode"])
        assert re.fullmatch(r"[A-Z]{3}", airport["currencyCode"])
        assert isinstance(airport["base"], bool)
        assert isinstance(airport["priority"], int)
        assert is_number(airport["coordinates"]["latitude"])
        assert is_number(airport["coordinates"]["longitude"])
        assert all(isinstance(code, str) for code in airport["categories"])


def test_airport_codes_do_not_repeat(airports):
    codes = [airport["iataCode"] for airport in airports]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("field", ["routes", "seasonalRoutes"])
def test_routes_are_prefixed_codes(airports, field):
    for airport in airports:
        for entry in airport[field]:
            assert re.fullmatch(r"(airport|city|country|region|connectingAirport):\S+", entry), entry


def test_a_call_without_the_key_is_refused(gateway):
    for path in (SEARCH_PATH, AIRPORTS_PATH):
        response = gateway.get(path, {name: value for name, value in question().items() if name != "apikey"})
        assert 400 <= response.status_code < 500


@pytest.fixture
def sandbox(gateway):
    """Only for what the interface leaves open and the sandbox decides."""
    if not gateway.is_sandbox:
        pytest.skip("the interface doesn't say")
    return gateway


def test_a_stay_of_twenty_eight_nights_is_refused(sandbox):
    response = sandbox.get(SEARCH_PATH, question(checkoutDate="2030-05-29"))
    assert response.status_code == 400
    assert json.loads(response.content)["parameter"] == "checkoutDate"


def test_an_unknown_property_is_not_found(sandbox):
    response = sandbox.get(f"{SEARCH_PATH}/provider/NB/property/0", question())
    assert response.status_code == 404


def test_the_total_does_not_depend_on_the_page(sandbox):
    assert len({sandbox.search(page=page)["Total"] for page in ("0", "3", "99999")}) == 1


def test_a_property_id_of_any_letters_leads_to_its_details(sandbox):
    awkward = [
        offer
        for page in range(6)
        for entry in sandbox.search(size="100", page=str(page))["results"]
        for offer in entry["offers"]
        if not re.fullmatch(r"[\w.-]+", offer["providerPropertyId"], re.ASCII)
    ]
    assert len(awkward) > 5
    for offer in awkward:
        assert sandbox.details(offer)["propertyDetails"]["propertySummary"]["name"]
