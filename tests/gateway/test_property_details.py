"""The details of a property become domain objects: times, policies, facilities, room types and rooms."""

from __future__ import annotations

import pytest

from search.domain.hotels import Coordinates
from search.gateway import Garbled, parsing
from tests.gateway.documents import a_summary, an_airport, details_document, encoded
from tests.rows import each


def details_of(document, provider="ACME", property_id="77"):
    return parsing.property_details(encoded(document), provider, property_id)


def test_every_field_of_the_details_arrives():
    details = details_of(details_document())
    assert details.available
    assert details.property.name == "Hotel Miramar"
    assert (details.check_in_time, details.check_out_time) == (("15:00",), ("07:00 – 11:00",))
    assert details.policies == ("Pets welcome.",)
    assert details.facilities == ("Pool", "Sauna")
    assert details.accepted_cards == ("Visa", "Mastercard")
    room_type = details.room_types[0]
    assert (room_type.name, room_type.description) == ("Double", "A room for two.")
    assert room_type.images == ("https://pictures.example/room.jpg",)
    assert room_type.facilities == ("Air conditioning",)
    room = room_type.rooms[0]
    assert (room.name, room.description, room.max_occupancy) == ("Double with sea view", "", ("2",))
    assert (room.bed_types, room.policies) == (("King",), ("No smoking",))
    assert room.cancellation_policies == ("Free until the day before.",)


def test_every_field_of_an_airport_arrives():
    (airport,) = parsing.airport_list(encoded([an_airport()]))
    assert (airport.code, airport.name) == ("STN", "London Stansted")
    assert airport.coordinates == Coordinates(51.885, 0.235)
    assert (airport.base, airport.country, airport.region, airport.city) == (True, "gb", "ENGLAND", "LONDON")
    assert (airport.currency, airport.categories, airport.priority) == ("GBP", ("CTY", "FAM"), 1)
    assert (airport.routes, airport.seasonal_routes) == (("OPO",), ("FAO",))


def test_room_types_are_also_found_inside_the_details():
    document = details_document()
    document["propertyDetails"]["roomTypes"] = document.pop("roomTypes")
    assert details_of(document).room_types[0].name == "Double"


def test_details_are_of_the_property_asked_for():
    other = details_of(details_document(), "OTHER", "a/9").property
    assert (other.provider, other.id, other.key) == ("OTHER", "a/9", "a1b2c3")


def test_details_without_identifiers_are_usable():
    document = details_document()
    for member in ("providerId", "ryanairId", "id", "propertyType"):
        del document["propertyDetails"]["propertySummary"][member]
    building = details_of(document).property
    assert (building.key, building.name) == ("ACME:77", "Hotel Miramar")


@each("value", [None, ..., {}, [], "not available", 7])
def test_an_answer_without_usable_details_says_so(value):
    document = {"roomTypes": []} if value is ... else {"propertyDetails": value, "roomTypes": []}
    details = details_of(document)
    assert not details.available
    assert (details.property.key, details.property.name) == ("ACME:77", "")


@each("body", [b"null", b"[]", b'"text"', b"<html>"])
def test_an_answer_that_is_no_object_is_garbled(body):
    with pytest.raises(Garbled):
        parsing.property_details(body, "ACME", "77")


@each("digit", ["²", "٣", "１５", "Ⅳ"])
def test_a_time_in_digits_of_no_clock_stays_as_it_came(digit):
    document = details_document()
    document["propertyDetails"]["checkinTime"] = digit
    assert details_of(document).check_in_time == (digit,)


def test_absurd_sizes_are_bounded():
    images = [f"https://x.example/{number}.jpg" for number in range(200)]
    summary = a_summary(name="N" * 6_000, images=images, description="d" * 200_000)
    document = details_document(roomTypes=details_document()["roomTypes"] * 300)
    document["propertyDetails"]["propertySummary"] = summary
    details = details_of(document)
    assert len(details.property.name) <= parsing.MAX_NAME
    assert len(details.property.description) <= parsing.MAX_DESCRIPTION
    assert len(details.property.images) <= parsing.MAX_IMAGES
    assert len(details.room_types) <= parsing.MAX_ROOM_TYPES
    assert details.room_types_sent == 300


@pytest.mark.parametrize("member", ["checkinTime", "policies", "facilities", "acceptedCreditCards"])
def test_a_member_of_very_many_values_costs_itself_alone(member):
    document = details_document(roomTypes=[{"name": "Twin"}])
    document["propertyDetails"] |= {"policies": "No pets.", member: [["no"] * 200] * 200}
    details = details_of(document)
    assert [one.name for one in details.room_types] == ["Twin"]
    assert member == "policies" or details.policies == ("No pets.",)


def test_room_types_of_very_many_values_are_read_in_part():
    many = [[["no"] * 100] * 100] * 2
    room_types = [
        {"name": "Twin", "description": many},
        {"name": "Single", "description": many},
        {"name": "Suite"},
    ]
    for document in (
        details_document(roomTypes=room_types),
        {"propertyDetails": {**details_document()["propertyDetails"], "roomTypes": room_types}},
    ):
        details = details_of(document)
        assert [(one.name, one.description) for one in details.room_types] == [
            ("Twin", "no"),
            ("Single", "no"),
        ]
        assert details.room_types_sent == 3


def test_room_types_are_those_that_a_page_holds():
    (described,) = details_document()["roomTypes"]
    long = [
        {**described["rooms"][0], "policies": [f"{number}{kind} {'word ' * 190}" for kind in range(9)]}
        for number in range(20)
    ]
    details = details_of(details_document(roomTypes=[{**described, "rooms": long}] * 3))
    assert [len(one.rooms) for one in details.room_types] == [20]
    assert details.room_types_sent == 3
    short = details_of(details_document(roomTypes=[{**described, "rooms": long[:1]}] * 60))
    assert 20 < len(short.room_types) < 60
    small = details_of(details_document(roomTypes=[{"name": "A", "rooms": [{"name": "B"}] * 20}] * 60))
    assert 20 < len(small.room_types) < 30


def test_room_types_and_rooms_that_say_nothing_are_none():
    (described,) = details_document()["roomTypes"]
    nothing = ["Twin", {}, {"rooms": None}, {"name": " ", "images": [], "rooms": [{}, {"maxOccupancy": 0}]}]
    told = {**described, "rooms": [{}, *described["rooms"], {"policies": []}]}
    details = details_of(details_document(roomTypes=[*nothing, told]))
    assert details.room_types == details_of(details_document()).room_types


@each("sent", [0, "0", -1, 0.0])
def test_a_room_that_nobody_sleeps_in_doesnt_say_how_many_do(sent):
    document = details_document()
    document["roomTypes"][0]["rooms"][0]["maxOccupancy"] = sent
    (room_type,) = parsing.property_details(encoded(document), "ACME", "77").room_types
    assert room_type.rooms[0].max_occupancy == ()


def test_the_hundredth_facility_of_the_details_is_there():
    document = details_document()
    document["propertyDetails"]["facilities"] = [*(f"Thing {number}" for number in range(100)), "Pool"]
    assert "Pool" in parsing.property_details(encoded(document), "ACME", "77").facilities
