"""What a made-up hotel says of itself fits together, and the same number stays the same hotel."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from search.sandbox.details import property_details
from search.sandbox.documents import plain
from search.sandbox.houses import house_of
from search.sandbox.identity import providers_of
from search.sandbox.pricing import Stay
from search.sandbox.properties import property_summary
from search.sandbox.rooms import RoomKind, rooms_of
from search.sandbox.selection import stars_of
from search.sandbox.world import world
from tests.sandbox.questions import offered

STAY = Stay(date(2030, 5, 1), date(2030, 5, 4), 2, "EUR", "en-gb")
ODD = {"CAVE_HOUSE", "CAPSULE_POD_XL", "HAMMOCK_ON_ROOF", "WIFI_7_BETA", "xk-17", "THERMAL_BATH"}
SLEEPERS = {"DOUBLE": 2, "KING": 2, "SINGLE": 1, "BUNK": 2}


def kinds_of_room(number: int) -> tuple[RoomKind, ...]:
    return rooms_of(number, house_of(number), world().city_of(number))


@pytest.fixture(scope="module")
def numbers() -> range:
    """A thousand properties all over the world."""
    return range(0, world().size, world().size // 999)


def summary(number: int) -> dict[str, Any]:
    return plain(property_summary(number, providers_of(number)[0]))


def test_stars_fit_the_kind_of_house(numbers):
    assert len(numbers) >= 1_000
    for number in numbers:
        kind, stars = house_of(number).kind, stars_of(number)
        assert not (kind == "HOSTEL" and stars > 2)
        assert not (kind in {"GUEST_HOUSE", "BED_AND_BREAKFAST"} and stars > 3)
        assert not (kind == "RESORT" and stars < 4)
        assert not (stars == 5 and kind not in {"HOTEL", "RESORT", "VILLA"})


def test_facilities_fit_stars_and_kind(numbers):
    for number in numbers:
        house = house_of(number)
        kind, stars, amenities = house.kind, house.stars, house.amenities
        assert not ("SPA" in amenities and stars < 4)
        assert not ("SWIMMING_POOL" in amenities and stars < 3)
        assert kind != "RESORT" or "SWIMMING_POOL" in amenities
        assert ("KITCHENETTE" in amenities) == (kind in {"APARTMENT", "VILLA"})
        assert stars < 5 or "AIR_CONDITIONING" in amenities
        assert kind == "HOSTEL" or "LOCKERS" not in amenities


def test_every_offer_is_of_the_house(numbers):
    for number in numbers:
        rooms = {one.name for one in kinds_of_room(number)}
        for offer in offered(number, STAY):
            assert {one["type"] for one in offer["facilities"]} <= house_of(number).amenities | ODD
            if offer["minPrice"]:
                rate = offer["minPrice"]["rateDescription"]
                assert any(rate.startswith(room) for room in rooms)
                assert "breakfast included" not in rate or "FREE_BREAKFAST" in house_of(number).amenities


@pytest.mark.parametrize("guests", [1, 2, 3, 4, 6])
def test_the_room_of_an_offer_is_one_that_the_guests_fit_in_where_there_is_one(numbers, guests):
    stay = replace(STAY, guests=guests)
    for number in numbers:
        rooms = {one.name: one.sleeps for one in kinds_of_room(number)}
        for offer in offered(number, stay):
            if offer["minPrice"] and max(rooms.values()) >= guests:
                sold = [name for name in rooms if offer["minPrice"]["rateDescription"].startswith(name)]
                assert rooms[max(sold, key=len)] >= guests


def test_rooms_have_beds_for_whoever_sleeps_in_them_and_fit_the_house(numbers):
    for number in numbers:
        for room in kinds_of_room(number):
            kind, count = room.beds
            assert 1 <= room.sleeps <= SLEEPERS[kind] * count
            assert ("Dormitory" in room.name) <= (house_of(number).kind == "HOSTEL")
            assert ("Suite" in room.name) <= (stars_of(number) >= 3)
        described = [one["name"] for one in property_details(number, providers_of(number)[0])["roomTypes"]]
        assert described == [one.name for one in kinds_of_room(number)]


def test_pictures_show_what_is_there(numbers):
    for number in numbers:
        shown = {address.rpartition("/")[2].removesuffix(".svg") for address in summary(number)["images"]}
        assert "pool" not in shown or "SWIMMING_POOL" in house_of(number).amenities
        assert "suite" not in shown or stars_of(number) >= 4
        for described in property_details(number, providers_of(number)[0])["roomTypes"]:
            kinds = {one.rpartition("/")[2].removesuffix(".svg") for one in described.get("images") or ()}
            beds = next(one.beds[0] for one in kinds_of_room(number) if one.name == described["name"])
            assert not (beds == "SINGLE" and kinds & {"room", "suite"})
            assert not (beds in {"DOUBLE", "KING"} and "twin" in kinds)


def test_texts_tell_of_nothing_that_is_not_there(numbers):
    for number in numbers:
        text, amenities = summary(number)["description"] or "", house_of(number).amenities
        assert "use of the pool" not in text or "SWIMMING_POOL" in amenities
        assert not ("There is no restaurant" in text and "RESTAURANT" in amenities)
        assert "Hostel" not in summary(number)["name"] or house_of(number).kind == "HOSTEL"


@pytest.mark.parametrize(
    ("country", "form"),
    [("es", r"\d{5}"), ("gb", r"[A-Z]{1,2}\d \d[A-Z]{2}"), ("nl", r"\d{4} [A-Z]{2}"), ("at", r"\d{4}"),
     ("pt", r"\d{4}-\d{3}"), ("pl", r"\d{2}-\d{3}"), ("se", r"\d{3} \d{2}")],
)  # fmt: skip
def test_postcodes_have_the_form_of_their_country(country, form):
    cities = [city for city in world().cities if city.country.code == country]
    addresses = [summary(city.start)["address"] for city in cities]
    assert all(re.search(rf"(?<!\w){form}(?!\w)", one) for one in addresses if one)


def test_barcelona_has_postcodes_of_barcelona():
    place = world().find("Barcelona")
    found = {
        re.search(r"\b\d{5}\b", summary(number)["address"] or "")
        for number in range(place.start, place.start + 50)
    }
    assert {match[0][:2] for match in found if match} == {"08"}


def test_codes_nobody_knows_are_one_in_a_thousand():
    types = Counter(summary(number)["propertyType"] in ODD for number in range(20_000))
    assert 5 <= types[True] <= 60


def test_more_stars_cost_more(numbers):
    nightly: dict[int, list[int]] = {stars: [] for stars in range(1, 6)}
    for number in numbers:
        for offer in offered(number, STAY):
            if offer["minPrice"]:
                nightly[stars_of(number)].append(offer["minPrice"]["price"]["customerPrice"]["value"])
    middles = [sorted(values)[len(values) // 2] for values in nightly.values()]
    assert middles == sorted(middles)


def test_the_same_number_is_the_same_hotel_whoever_sells_it_and_whenever():
    number = world().find("Rome").start
    first, *others = [plain(property_summary(number, one)) for one in providers_of(number)]
    own = {"providerId", "id"}
    for other in others:
        assert {k: v for k, v in first.items() if k not in own} == {
            k: v for k, v in other.items() if k not in own
        }
