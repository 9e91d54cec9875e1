"""Where a value stops being usable: the last that is taken and the first that is not."""

from __future__ import annotations

import logging
from decimal import Decimal
from typing import Any

import pytest

from search.domain.hotels import Coordinates, Distance, Facility, GuestRating
from search.domain.money import Money
from search.domain.offers import PriceRules, ranked_offers
from search.gateway import Garbled, parsing
from search.gateway.schema import Amount, WireCoordinates, WireDistance, WireRating
from search.gateway.search_page import outline_of, search_page
from tests.gateway.documents import (
    a_listing_document,
    a_min_price,
    a_summary,
    an_airport,
    an_entry,
    an_offer,
    details_document,
    encoded,
    row,
    triple,
)
from tests.rows import each


@pytest.fixture(autouse=True)
def _each_facility_is_read_anew(monkeypatch):
    monkeypatch.setattr(parsing, "MAX_REMEMBERED", 0)


def listing(*offers: Any, **summary: Any) -> Any:
    body = encoded(a_listing_document(an_entry(a_summary(**summary), list(offers) or [an_offer()])))
    (entry,) = search_page(body).entries
    assert row(entry.outline) == row(outline_of(entry.listing))
    return entry.listing


def decoded(value: Any) -> Any:
    """A number as the decoder gives it."""
    return Decimal(str(value)) if isinstance(value, float) else value


def room_types(*sent: dict[str, Any]) -> Any:
    given = [{**details_document()["roomTypes"][0], **one} for one in sent]
    return parsing.property_details(encoded(details_document(roomTypes=given)), "ACME", "77").room_types


def test_details_may_begin_with_a_byte_order_mark():
    body = b"\xef\xbb\xbf" + encoded(details_document())
    assert parsing.property_details(body, "ACME", "77").available


@each(
    ("value", "read"),
    [
        (0, 0),
        (0.0, 0),
        (5, 5),
        (5.0, 5),
        (6, None),
        (-1, None),
        (4.5, None),
        ("4", None),
        (None, None),
        (True, None),
    ],
)
def test_a_whole_number_has_a_least_and_a_most(value, read):
    assert parsing.whole(decoded(value), 5) == read


@each(
    ("value", "usable"),
    [
        (0, True),
        (10**15, True),
        (10**16, False),
        (Decimal("1e-15"), True),
        (Decimal("1e-16"), False),
        (Decimal("0e-999999"), True),
        (Decimal("nan"), False),
        (Decimal("inf"), False),
    ],
)
def test_a_number_is_one_that_is_cheap_to_write_out(value, usable):
    assert parsing.number(value) == (value if usable else None)


@each(("value", "usable"), [(0, True), (10**12, True), (10**12 + 1, False), (Decimal("-0.01"), False)])
def test_an_amount_of_money_is_not_absurd(value, usable):
    assert parsing.money(Amount(value, "eur")) == (Money(Decimal(value), "EUR") if usable else None)


@each(
    ("value", "code", "read"),
    [
        (8.4, "GOOD", GuestRating(Decimal("8.4"), "GOOD")),
        (0, "", None),
        (0, "GOOD", GuestRating(None, "GOOD")),
        (0.5, "", GuestRating(Decimal("0.5"), "")),
        (1_000, "", GuestRating(Decimal(1_000), "")),
        (1_000.5, "", None),
        (-1, "", None),
        (-1, "GOOD", GuestRating(None, "GOOD")),
        (None, "GOOD", GuestRating(None, "GOOD")),
        (4.5, "4.5/5", GuestRating(Decimal("4.5"), "")),
        (None, "4.5", None),
        (7, "NONE", GuestRating(Decimal(7), "")),
        (None, "NOT_RATED", None),
        (None, None, None),
    ],
)
def test_a_rating_has_a_usable_number_or_a_word(value, code, read):
    assert parsing.rating(WireRating(decoded(value), code)) == read
    assert parsing.rating(None) is None


@each(
    ("latitude", "longitude", "usable"),
    [
        (90, 180, True),
        (-90, -180, True),
        (90.1, 0, False),
        (0, 180.1, False),
        (0, 5, True),
        (5, 0, True),
        (0, 0, False),
        (-1, 0, False),
        ("5.5", "-7", True),
        (5, None, False),
        (None, 5, False),
    ],
)
def test_coordinates_are_on_the_globe_its_edges_too(latitude, longitude, usable):
    read = parsing.coordinates(WireCoordinates(longitude=decoded(longitude), latitude=decoded(latitude)))
    assert read == (Coordinates(float(latitude), float(longitude)) if usable else None)


@each(
    ("value", "read"),
    [
        (0, Distance(Decimal(0), "KM")),
        (0.4, Distance(Decimal("0.4"), "KM")),
        (-1, None),
        (None, None),
        ("1", None),
    ],
)
def test_a_distance_is_a_number_from_zero_on(value, read):
    assert parsing.distance(WireDistance(decoded(value), "KM")) == read
    assert parsing.distance(None) is None


@each(
    ("given", "read"),
    [
        ("a/b ?", "a/b ?"),
        ("i" * 500, "i" * 500),
        ("i" * 501, ""),
        ("\ud800", ""),
        ("a\udfff", ""),
        ("a\0b", ""),
        ("a\udabcb", ""),
        ("\ud7ff\ue000", "\ud7ff\ue000"),
        (None, ""),
    ],
)
def test_an_identifier_can_be_sent_back_as_it_came_or_is_none(given, read):
    assert parsing.identifier(given) == read


@each(
    ("given", "read"),
    [
        ("PT", "pt"),
        ("PRT", "pt"),
        ("UK", "gb"),
        ("eu", ""),
        ("P1", ""),
        ("", ""),
        (None, ""),
        ("zz", ""),
        ("XX", ""),
    ],
)
def test_a_country_is_two_letters_that_stand_for_one(given, read):
    assert parsing.country(given) == read


def test_a_route_leads_to_an_airport():
    sent = ["airport:OPO", "region:a:b", "airport:", ":OPO", "OPO", None, "airport:opo", "airport:FAO"]
    assert parsing.routes(sent) == ("OPO", "FAO")


def test_an_airports_priority_is_a_count():
    given = {"AAA": 1_000_000, "AAB": 1_000_001, "AAC": 0, "AAD": None}
    sent = [an_airport(iataCode=code, priority=priority) for code, priority in given.items()]
    assert [one.priority for one in parsing.airport_list(encoded(sent))] == [1_000_000, 0, 0, 0]


def test_stars_are_one_to_five():
    assert [listing(category=stars).property.stars for stars in (0, 1, 5, 6)] == [None, 1, 5, None]


def test_half_a_star_is_none():
    read = {0.5: None, 1.0: 1, 3.0: 3, 3.5: 3, 5.5: 5, 6.0: None}
    assert [listing(category=stars).property.stars for stars in read] == list(read.values())


def test_a_long_code_is_cut():
    assert parsing.code("x" * 81) == "x" * 59 + "…"
    assert parsing.code("x" * 80) == "x" * 59 + "…"
    assert parsing.code("x" * 60) == "x" * 60
    assert parsing.code(None) == ""


def test_a_text_of_entities_is_read_in_part():
    assert (parsing.code("&eacute;" * 20), parsing.line("&eacute;" * 200)) == ("é" * 15, "é" * 150)


def test_of_very_many_offers_the_first_are_read():
    offers = [an_offer(minPrice=None, providerPropertyId=str(number)) for number in range(200)]
    cheapest = an_offer(providerPropertyId="201")
    assert "201" not in [one.property_id for one in listing(*offers, cheapest).offers]
    assert "201" in [one.property_id for one in listing(*offers[1:], cheapest).offers]


@pytest.mark.parametrize(("sent", "read"), [("204", ""), ("HOTEL", "HOTEL"), ("3 stars", "3 stars")])
def test_a_type_that_is_a_number_is_none(sent, read):
    assert listing(propertyType=sent).property.type == read


@each(
    "nothing",
    ["NONE", "unknown", "N/A", "NULL", "NOT_SPECIFIED", "Not specified", "UNDEFINED", "none", "-", "..."],
)
def test_a_code_or_a_name_that_stands_for_nothing_is_none(nothing):
    price = a_min_price(
        paymentMode=nothing,
        promoType=nothing,
        rateDescription=nothing,
        surcharges=[{"type": nothing, "price": triple(5)}],
    )
    offer = an_offer(minPrice=price, facilities=[{"type": nothing, "description": nothing}])
    found = listing(offer, propertyType=nothing, name=nothing, address=nothing, description=nothing)
    building, sold = found.property, found.offers[0]
    assert (building.type, building.name, building.address, building.description) == ("", "", "", "")
    assert (sold.payment_mode, sold.promo_type, sold.rate, sold.surcharges[0].kind) == ("", "", "", "")
    assert sold.facilities == (Facility(""),)


@each("name", ["Nil Hotel", "Nonesuch", "UNKNOWN_PLEASURES", "No promotion needed", "NA 1", "- Z -"])
def test_a_word_for_nothing_within_a_longer_text_says_something(name):
    found = listing(name=name, propertyType=name).property
    assert (found.name, found.type) == (name, name)


@each("name", ["1898", "(44)", "٢٤", "東京", "[o]"])
def test_a_name_of_figures_or_of_any_script_is_one(name):
    assert listing(name=name).property.name == name


@pytest.mark.parametrize(
    ("sent", "read"), [(", ,", ""), ("12, Kings Road", "12, Kings Road"), ("東京都 1-2", "東京都 1-2")]
)
def test_an_address_without_a_letter_is_none(sent, read):
    assert listing(address=sent).property.address == read


def test_a_discount_is_up_to_99_percent_and_else_none():
    def percent(value: object) -> int:
        return listing(an_offer(minPrice=a_min_price(discountPercentage=value))).offers[0].discount_percent

    assert [percent(value) for value in (0, 99, 100, -5, None)] == [0, 99, 0, 0, 0]


def test_a_property_without_a_description_has_none():
    assert listing(description=None).property.description == ""


def test_an_offer_without_a_provider_is_of_the_lister():
    found = listing(
        an_offer(providerId=None), an_offer(providerId=None, providerPropertyId=None, minPrice=None)
    )
    assert [(one.provider, one.property_id) for one in found.offers] == [("ACME", "77")] * 2


def test_an_offer_that_no_provider_can_be_asked_for_is_none():
    found = listing(an_offer(providerId=None), an_offer(providerPropertyId=None), providerId=None)
    assert found.offers == ()


def test_a_property_is_known_by_its_own_number_first():
    assert listing(an_offer(providerId="OTHER"), ryanairId=None, id="9").property.key == "ACME:9"


def test_a_facility_arrives_with_all_it_says():
    sent = {"id": "f1", "description": "Free\nWi-Fi", "type": "WIFI", "availability": "ROOM"}
    dear = {"type": "DOG_SPA", "availability": "CHARGEABLE"}
    assert listing(an_offer(facilities=[sent, dear])).offers[0].facilities == (
        Facility("WIFI", "Free Wi-Fi", "ROOM"),
        Facility("DOG_SPA", "", "CHARGEABLE"),
    )


def test_a_facility_with_a_number_for_a_type_needs_words():
    sent = [{"type": "1005", "description": "Tour desk"}, {"type": "1010", "description": "7"}, {"type": "9"}]
    read = listing(an_offer(facilities=sent)).offers[0].facilities
    assert {(facility.type, facility.description) for facility in read} == {
        ("Tour desk", "Tour desk"),
        ("", ""),
    }


@pytest.mark.parametrize(
    ("availability", "codes"),
    [
        ("NOT_AVAILABLE", ()),
        ("unavailable", ()),
        (False, ()),
        ("CHARGEABLE", ("WIFI",)),
        ("AT_NIGHT", ("FREE_WIFI",)),
        (True, ("FREE_WIFI",)),
        (7, ("FREE_WIFI",)),
        (None, ("FREE_WIFI",)),
    ],
)
@pytest.mark.parametrize("odd", [{}, {"name": ["odd"]}])
def test_a_denied_facility_is_none_a_charged_one_not_free(availability, codes, odd):
    sent = {"type": "FREE_WIFI", "description": "Free Wi-Fi", "availability": availability}
    found = listing(an_offer(facilities=[sent]), **odd)
    assert outline_of(found).offers[0].facilities == codes
    assert tuple(one.type for one in found.offers[0].facilities) == codes


def test_a_facility_that_has_a_description_alone_has_no_type():
    (read,) = listing(an_offer(facilities=[{"description": "Tour desk"}])).offers[0].facilities
    assert (read.type, read.description) == ("", "Tour desk")


def test_offers_and_their_facilities_are_bounded():
    facilities = [{"type": f"F{number}"} for number in range(241)]
    offers = [an_offer(providerPropertyId=str(number), facilities=facilities) for number in range(31)]
    found = listing(*offers).offers
    assert (len(found), len(found[0].facilities)) == (30, 240)


def test_a_hotel_of_many_offers_keeps_its_first_key():
    offers = [
        an_offer(providerPropertyId=str(40 - number), minPrice=a_min_price(price=triple(200 - number)))
        for number in range(40)
    ]
    assert listing(*offers, ryanairId=None, id=None).property.key == "ACME:40"


def test_a_room_is_one_line_its_description_several():
    (room_type,) = room_types(
        {
            "name": ["Double", "Deluxe"],
            "description": ["Quiet.", "Sunny."],
            "images": "https://x.example/1.jpg",
            "rooms": [{"name": ["Twin", "beds"], "description": ["By the sea.", "High up."]}],
        }
    )
    assert (room_type.name, room_type.description) == ("Double Deluxe", "Quiet.\nSunny.")
    assert room_type.images == ("https://x.example/1.jpg",)
    assert (room_type.rooms[0].name, room_type.rooms[0].description) == ("Twin beds", "By the sea.\nHigh up.")


def test_rooms_of_a_type_are_bounded():
    (room_type,) = room_types({"rooms": [{"name": str(number)} for number in range(21)]})
    assert len(room_type.rooms) == 20


@each(
    ("images", "names"),
    [
        ([{"width": 9, "url": "1"}, {"width": 9}, {"url": 7}, 7, None, "2"], ["1", "2"]),
        ({"bedroom": ["b"], "bathroom": {"href": "w"}, "caption": None}, ["b", "w"]),
        ([[[[[[["deep"]]]]]]], ["deep"]),
        ([[[[[[[["deeper"]]]]]]]], []),
        ([[[[[[{"url": "deep"}]]]]]], ["deep"]),
        ([f"{number}" for number in range(41)], [f"{number}" for number in range(40)]),
    ],
)
def test_a_picture_is_an_address_or_an_object_that_holds_one(images, names):
    def addressed(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: addressed(one) for name, one in value.items()}
        if isinstance(value, list):
            return [addressed(one) for one in value]
        return f"https://x.example/{value}" if isinstance(value, str) else value

    (room_type,) = room_types({"images": addressed(images)})
    assert room_type.images == tuple(f"https://x.example/{name}" for name in names)


def test_beds_that_are_numbers_are_none():
    sent = [{"name": "Twin", "bedTypes": one} for one in (["1", 2], 2, ["1 King bed", "3"])]
    (room_type,) = room_types({"rooms": sent})
    assert [room.bed_types for room in room_type.rooms] == [(), (), ("1 King bed",)]


def test_the_log_says_which_call_had_how_many_unusable_entries(caplog):
    caplog.set_level(logging.WARNING)
    search_page(encoded(a_listing_document(an_entry(), None, {})))
    parsing.airport_list(encoded([an_airport(), {}]))
    assert caplog.messages == ["search: 2 unusable entries left out", "airports: 1 unusable entries left out"]


# A member of the wrong type, so that the document is mended member by member.
ODD = {"name": ["odd"], "ryanairId": "odd"}


def test_a_mended_document_keeps_every_digit_of_its_prices():
    offer = an_offer(minPrice=a_min_price(price=triple(390)))
    body = encoded(a_listing_document(an_entry(a_summary(**ODD), [offer])))
    found = search_page(body.replace(b'"value": 390', b'"value": 0.1000000000000000055')).listings[0]
    assert str(found.offers[0].price.customer.amount) == "0.1000000000000000055"


@pytest.mark.parametrize("digits", [b"NaN", b"-Infinity"])
@pytest.mark.parametrize("summary", [{}, ODD])
def test_a_number_that_python_cant_hold_costs_itself_only(digits, summary):
    body = encoded(a_listing_document(an_entry(a_summary(**summary)))).replace(
        b'"value": 390', b'"value": ' + digits
    )
    found = search_page(body).listings[0]
    assert found.offers[0].price is None
    assert found.offers[0].original_price.customer == Money(Decimal("433.33"), "EUR")


def test_details_that_hold_no_number_hold_nothing():
    read = parsing.property_details(b'{"propertyDetails": {"policies": NaN}}', "ACME", "77")
    assert not read.available


def test_a_document_nested_beyond_reading_is_no_json():
    nested = b"[" * 100_000 + b"]" * 100_000
    with pytest.raises(Garbled) as caught:
        search_page(b'{"results": [{"distance": {"value": ' + nested + b"}}]}")
    assert caught.value.kind == "json"


def test_of_many_offers_the_lowest_total_is_kept():
    def sold(number: int, price: int, tax: int) -> dict[str, Any]:
        quoted = a_min_price(price=triple(price), surcharges=[{"type": "TAX", "price": triple(tax)}])
        return an_offer(providerPropertyId=str(number), minPrice=quoted)

    many = [sold(number, 100 + number, 1) for number in range(30)]
    found = listing(sold(30, 50, 90), *many)
    front = ranked_offers(found, PriceRules(), 3, "EUR")[0].total
    assert (len(found.offers), front.total.amount) == (30, 101)
