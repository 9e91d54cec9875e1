"""What a made-up hotel says of itself fits together."""

import re
from dataclasses import replace
from datetime import date

import pytest

from search.sandbox.details import RoomKind, property_details, rooms_of
from search.sandbox.houses import house_of
from search.sandbox.offers import offers
from search.sandbox.pricing import Stay
from search.sandbox.properties import providers_of, summary_and_distance
from search.sandbox.world import City, world

pytestmark = pytest.mark.thorough

STAY = Stay(date(2030, 5, 1), date(2030, 5, 4), 2, "EUR", "en-gb")
ODD = {"CAVE_HOUSE", "CAPSULE_POD_XL", "HAMMOCK_ON_ROOF", "WIFI_7_BETA", "xk-17", "THERMAL_BATH"}
SLEEPERS = {"DOUBLE": 2, "KING": 2, "SINGLE": 1, "BUNK": 2}
# A thousand properties all over the world.
NUMBERS = range(0, world().size, world().size // 999)


def summary(number: int) -> dict:
    return summary_and_distance(number, providers_of(number)[0])[0]


def room_types(number: int) -> list[tuple[RoomKind, dict]]:
    """The kinds of room of a property and how its details describe them."""
    described = property_details(number, providers_of(number)[0])["roomTypes"]
    return list(zip(rooms_of(number), described, strict=True))


def kinds_of_picture(addresses: list[str] | None) -> set[str]:
    return {address.rpartition("/")[2].removesuffix(".svg") for address in addresses or ()}


def prices(number: int, stay: Stay = STAY) -> list[dict]:
    return [offer["minPrice"] for offer in offers(number, stay) if offer["minPrice"]]


def test_stars_fit_the_kind_of_house():
    most = {"HOSTEL": 2, "GUEST_HOUSE": 3, "BED_AND_BREAKFAST": 3, "APARTMENT": 4}
    least = {"RESORT": 4, "VILLA": 3}
    for house in map(house_of, NUMBERS):
        assert least.get(house.kind, 1) <= house.stars <= most.get(house.kind, 5)


def test_facilities_fit_stars_and_kind():
    for house in map(house_of, NUMBERS):
        kind, stars, amenities = house.kind, house.stars, house.amenities
        assert "SPA" not in amenities or stars >= 4
        assert "SWIMMING_POOL" not in amenities or stars >= 3
        assert "SWIMMING_POOL" in amenities or kind != "RESORT"
        assert "AIR_CONDITIONING" in amenities or stars < 5
        assert ("KITCHENETTE" in amenities) == (kind in {"APARTMENT", "VILLA"})
        assert "LOCKERS" not in amenities or kind == "HOSTEL"


def test_every_offer_is_of_the_house():
    for number in NUMBERS:
        amenities = house_of(number).amenities
        for offer in offers(number, STAY):
            assert {one["type"] for one in offer["facilities"]} <= amenities | ODD
        for price in prices(number):
            assert "breakfast included" not in price["rateDescription"] or "FREE_BREAKFAST" in amenities


@pytest.mark.parametrize("guests", [1, 2, 3, 4, 6])
def test_an_offer_has_a_room_large_enough_for_the_guests(guests):
    for number in NUMBERS:
        rooms = {one.name: one.sleeps for one in rooms_of(number)}
        for price in prices(number, replace(STAY, guests=guests)):
            sold = max((name for name in rooms if price["rateDescription"].startswith(name)), key=len)
            assert rooms[sold] >= guests or max(rooms.values()) < guests


def test_rooms_have_beds_for_all_guests_and_fit_the_house():
    for number in NUMBERS:
        house = house_of(number)
        for room, described in room_types(number):
            bed, count = room.beds
            assert described["name"] == room.name
            assert 1 <= room.sleeps <= SLEEPERS[bed] * count
            assert "Dormitory" not in room.name or house.kind == "HOSTEL"
            assert "Suite" not in room.name or house.stars >= 3


def test_pictures_show_what_is_there():
    for number in NUMBERS:
        shown = kinds_of_picture(summary(number)["images"])
        assert "pool" not in shown or "SWIMMING_POOL" in house_of(number).amenities
        assert "suite" not in shown or house_of(number).stars >= 4
        for room, described in room_types(number):
            kinds = kinds_of_picture(described.get("images"))
            assert room.beds[0] != "SINGLE" or kinds.isdisjoint({"room", "suite"})
            assert room.beds[0] not in {"DOUBLE", "KING"} or "twin" not in kinds


def test_texts_tell_of_nothing_that_is_not_there():
    for number in NUMBERS:
        hotel, house = summary(number), house_of(number)
        text = hotel["description"] or ""
        assert "use of the pool" not in text or "SWIMMING_POOL" in house.amenities
        assert "There is no restaurant" not in text or "RESTAURANT" not in house.amenities
        assert "Hostel" not in hotel["name"] or house.kind == "HOSTEL"
        assert "{" not in f"{hotel['name']} {hotel['address']} {text}"


def addresses(city: City) -> list[str]:
    return [summary(number)["address"] or "" for number in range(city.start, min(city.start + 9, city.stop))]


@pytest.mark.parametrize(
    ("country", "form"),
    [("es", r"\d{5}"), ("gb", r"[A-Z]{1,2}\d \d[A-Z]{2}"), ("nl", r"\d{4} [A-Z]{2}"), ("at", r"\d{4}"),
     ("pt", r"\d{4}-\d{3}"), ("pl", r"\d{2}-\d{3}"), ("se", r"\d{3} \d{2}")],
)  # fmt: skip
def test_postcodes_have_the_form_of_their_country(country, form):
    cities = [city for city in world().cities if city.country.code == country]
    written = [address for city in cities for address in addresses(city) if address]
    assert all(re.search(rf"(?<!\w){form}(?!\w)", address) for address in written)


def test_more_stars_cost_more():
    totals: dict[int, list[float]] = {stars: [] for stars in range(1, 6)}
    for number in NUMBERS:
        totals[house_of(number).stars] += [
            price["price"]["customerPrice"]["value"] for price in prices(number)
        ]
    middles = [sorted(values)[len(values) // 2] for values in totals.values()]
    assert middles == sorted(middles)


def test_a_property_is_the_same_at_each_of_its_providers():
    for number in NUMBERS[:50]:
        first, *others = (summary_and_distance(number, provider)[0] for provider in providers_of(number))
        own = {name: first[name] for name in ("providerId", "id")}
        assert all(other | own == first for other in others)
