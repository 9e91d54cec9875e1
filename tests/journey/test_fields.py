"""Every field of the interface, sections 2.1 to 2.7: where a visitor meets it.

Fields that surface nowhere are named with their reason in docs/gateway.md, and the last test holds that list.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.gateway.documents import (
    a_listing_document,
    a_min_price,
    a_summary,
    an_airport,
    an_entry,
    an_offer,
    details_document,
    triple,
)
from tests.journey.conftest import SEARCH
from tests.journey.reading import words

RESULTS = f"/hotels/?{SEARCH}&sort=provider"
PROPERTY = f"/hotels/ACME/77/?{SEARCH}"


def priced(**changes):
    return an_entry(offers=[an_offer(minPrice=a_min_price(**changes))])


def money(value, currency="EUR"):
    return {"value": value, "currencyCode": currency}


@pytest.mark.parametrize(
    ("field", "entry", "shown"),
    [
        ("name", an_entry(a_summary(name="Casa Azul")), "Casa Azul"),
        ("address", an_entry(a_summary(address="Rua Nova 7")), "Rua Nova 7"),
        ("location.city", an_entry(a_summary(location={"city": "Matosinhos"})), "Matosinhos"),
        ("category", an_entry(a_summary(category=3)), "3 stars"),
        ("rating.value", an_entry(a_summary(rating={"value": 9.1, "code": "VERY_GOOD"})), "9.1"),
        ("rating.code", an_entry(a_summary(rating={"value": 9.1, "code": "VERY_GOOD"})), "Very good"),
        (
            "rating.code unknown",
            an_entry(a_summary(rating={"value": None, "code": "QUITE_ODD"})),
            "Quite odd",
        ),
        ("propertyType", an_entry(a_summary(propertyType="GUEST_HOUSE")), "Guest house"),
        ("distance", an_entry(a_summary(coordinates=None), distance={"value": 3.4, "unit": "KM"}), "2.1 mi"),
        ("offer.providerId", an_entry(offers=[an_offer(providerId="ZEBRA")]), "ZEBRA"),
        ("price.customerPrice", priced(surcharges=[]), "€390.00"),
        ("surcharges", an_entry(), "€22.60"),
        ("surcharges.type", an_entry(), "axes and fees"),
        ("the total", an_entry(), "€412.60"),
        ("price.propertyPrice", priced(price=triple(390, propertyPrice=money(333, "GBP"))), "£333.00"),
        ("travelCredit", an_entry(), "€19.50"),
        ("price.travelCredit", priced(travelCredit=None, price=triple(390, travelCredit=money(7))), "€7.00"),
        ("originalPrice", an_entry(), "€455.93"),
        ("discountPercentage", an_entry(), "10%"),
        ("paymentMode", an_entry(), "Pay later"),
        ("promoType", an_entry(), "Promotion"),
        ("rateDescription", priced(rateDescription="Attic double"), "Attic double"),
        ("freeCancellation", an_entry(), "Free cancellation"),
        ("facility.type", an_entry(), "Free wifi"),
        (
            "facility.description",
            an_entry(offers=[an_offer(facilities=[{"type": "X", "description": "Roof terrace"}])]),
            "Roof terrace",
        ),
    ],
)
def test_a_field_of_the_listing_is_on_the_results_page(wire, visitor, field, entry, shown):
    wire.search(a_listing_document(entry, total=1))
    assert shown in words(visitor.get(RESULTS)), field


@pytest.mark.parametrize("nothing", ["NONE", "UNKNOWN", "N/A", "null", "NOT_SPECIFIED"])
def test_a_code_that_means_nothing_is_not_shown(wire, visitor, nothing):
    price = a_min_price(paymentMode=nothing, promoType=nothing, rateDescription=nothing)
    summary = a_summary(
        name=nothing, address=nothing, propertyType=nothing, rating={"value": 7, "code": nothing}
    )
    wire.search(a_listing_document(an_entry(summary, [an_offer(minPrice=price)]), total=1))
    shown = words(visitor.get(RESULTS))
    assert "Hotel in Porto" in shown
    assert nothing not in shown
    assert not re.search(r"\b(None|Unknown|N/a|Null|Not specified)\b", shown)


def test_the_total_count_is_on_the_results_page(wire, visitor):
    wire.search(a_listing_document(*[an_entry(a_summary(ryanairId=str(n))) for n in range(20)], total=1412))
    assert "1,412" in words(visitor.get(RESULTS))


def test_pictures_are_on_the_card_and_in_the_gallery(wire, visitor):
    assert 'src="https://pictures.example/1.jpg"' in visitor.get(RESULTS).content.decode()
    assert "https://pictures.example/1.jpg" in visitor.get(PROPERTY).content.decode()


def test_a_picture_whose_scheme_is_in_capitals_is_on_the_card(wire, visitor):
    wire.search(a_listing_document(an_entry(a_summary(images=["HTTPS://PICTURES.EXAMPLE/UP.JPG"])), total=1))
    assert 'src="https://PICTURES.EXAMPLE/UP.JPG"' in visitor.get(RESULTS).content.decode()


def test_a_name_of_which_nothing_is_seen_is_none(wire, visitor):
    wire.search(a_listing_document(an_entry(a_summary(name="\u200b")), total=1))
    assert "Hotel in 1 Harbour Street" in words(visitor.get(RESULTS))


def test_the_property_identifier_is_in_the_link(wire, visitor):
    wire.search(a_listing_document(an_entry(offers=[an_offer(providerPropertyId="9/9 %")]), total=1))
    assert "/hotels/ACME/9%2F9%20%25/?" in visitor.get(RESULTS).content.decode()


def test_the_fields_of_the_details_are_on_the_property_page(wire, visitor):
    page = words(visitor.get(PROPERTY))
    for shown in (
        "Hotel Miramar", "By the sea.", "With a garden.", "1 Harbour Street", "Porto", "Portugal",
        "4 stars", "8.4", "Very good", "15:00", "07:00 – 11:00", "Pets welcome", "Pool", "Sauna", "Visa",
        "Double", "A room for two.", "Air conditioning", "Double with sea view", "No smoking",
        "Free until the day before.", "King", "2",
    ):  # fmt: skip
        assert shown in page


def test_the_fields_of_the_offers_are_on_the_property_page(wire, visitor):
    offer = an_offer(minPrice=a_min_price(deposit=money(55.5)))
    wire.search(a_listing_document(an_entry(offers=[offer]), total=1))
    page = words(visitor.get(PROPERTY))
    for shown in (
        "€412.60", "€22.60", "€455.93", "€19.50", "Pay later", "Free cancellation", "Double room", "ACME",
        "€55.50", "Free wifi",
    ):  # fmt: skip
        assert shown in page


def test_where_a_facility_is_stands_in_the_offers_table(wire, visitor):
    offer = an_offer(facilities=[{"type": "SAUNA", "availability": "ON_REQUEST"}])
    wire.search(a_listing_document(an_entry(offers=[offer]), total=1))
    assert "(on request)" in words(visitor.get(PROPERTY))


@pytest.mark.parametrize(
    "said", ["NOT_AVAILABLE", "No", "NONE", "UNAVAILABLE", "FALSE", False, "NOT_INCLUDED"]
)
def test_a_facility_that_is_not_there_stands_nowhere(wire, visitor, said):
    sent = [{"type": "FREE_BREAKFAST", "availability": said}, {"type": "FREE_WIFI", "availability": "ROOM"}]
    wire.search(a_listing_document(an_entry(offers=[an_offer(facilities=sent)]), total=1))
    details = details_document()
    details["propertyDetails"]["facilities"] = [{"type": "SPA", "availability": said}, {"type": "LIFT"}]
    wire.details(details)
    results, found = words(visitor.get(RESULTS)), words(visitor.get(PROPERTY))
    assert "Free wifi" in results
    assert "Lift" in found
    assert not re.search(r"[Bb]reakfast(?! not listed)", results + found)
    assert "Spa" not in found


@pytest.mark.parametrize("said", ["PAID", "CHARGEABLE", "Extra charge", "SURCHARGE", "OPTIONAL"])
def test_what_is_charged_for_is_not_called_free(wire, visitor, said):
    sent = [{"type": kind, "availability": said} for kind in ("FREE_BREAKFAST", "FREE_WIFI")]
    wire.search(a_listing_document(an_entry(offers=[an_offer(facilities=sent)]), total=1))
    details = details_document()
    details["propertyDetails"]["facilities"] = [{"type": "FREE_PARKING", "availability": said}]
    wire.details(details)
    results, found = words(visitor.get(RESULTS)), words(visitor.get(PROPERTY))
    assert "Breakfast (charge)" in results
    assert "Parking (charge)" in found
    assert not re.search("Free (wifi|parking)|[Bb]reakfast included", results + found)


def test_a_room_types_picture_is_on_the_property_page(wire, visitor):
    assert "https://pictures.example/room.jpg" in visitor.get(PROPERTY).content.decode()


def test_coordinates_give_the_distance_to_the_citys_airport(wire, visitor):
    wire.airports([an_airport(iataCode="OPO", name="Porto", cityCode="PORTO", countryCode="pt",
                              coordinates={"latitude": 41.24, "longitude": -8.68})])  # fmt: skip
    assert re.search(r"Porto.{0,40}\d+(\.\d)? mi", words(visitor.get(PROPERTY)))


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        ("iataCode", "STN"),
        ("name", "London Stansted"),
        ("countryCode", "United Kingdom"),
        ("cityCode", "London"),
    ],
)
def test_a_field_of_an_airport_is_in_the_picker(wire, visitor, field, shown):
    wire.airports([an_airport()])
    assert shown in words(visitor.get("/destinations/?q=stansted"))


def test_routes_and_seasonal_routes_say_where_one_can_fly(wire, visitor):
    wire.airports([
        an_airport(),
        an_airport(iataCode="OPO", name="Porto", cityCode="PORTO", countryCode="pt"),
        an_airport(iataCode="FAO", name="Faro", cityCode="FARO", countryCode="pt", regionCode="ALGARVE"),
    ])  # fmt: skip
    page = words(visitor.get("/destinations/from/STN/"))
    assert "Porto" in page
    assert "Faro" in page
    assert "easonal" in page


def test_categories_and_regions_are_ways_into_the_destinations(wire, visitor):
    wire.airports([an_airport(categories=["SKI"])])
    page = words(visitor.get("/destinations/"))
    assert "England" in page
    assert "Ski" in page


def test_every_field_that_surfaces_nowhere_is_explained():
    text = (Path(__file__).resolve().parents[2] / "docs" / "gateway.md").read_text()
    for field in (
        "offer.allotment",
        "facility.id",
        "propertySummary.id",
        "propertySummary.ryanairId",
        "seoName",
    ):
        row = next(line for line in text.splitlines() if line.startswith(f"| {field}"))
        assert "not shown" in row or "not read" in row
    assert details_document()["propertyDetails"].keys() <= set(re.findall(r"\w+", text))
