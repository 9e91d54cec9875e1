"""Properties stand on the land of the site's map, by a table that is made with it."""

import zlib

import msgspec
import pytest

from search.domain.hotels import Coordinates
from search.sandbox.properties import providers_of, summary_and_distance
from search.sandbox.shores import TABLE, TURN, key_of, on_land
from search.sandbox.world import City, world
from tests.land import is_land


def city(code: str) -> City:
    return world().city_at(code)


def spots(code: str) -> list[tuple[float, float]]:
    """Where the first properties of a town are."""
    numbers = range(city(code).start, min(city(code).stop, city(code).start + 150))
    summaries = (summary_and_distance(number, providers_of(number)[0])[0] for number in numbers)
    coordinates = (summary["coordinates"] for summary in summaries)
    return [(spot["latitude"], spot["longitude"]) for spot in coordinates if spot]


@pytest.mark.parametrize("code", ["BCN", "LIS", "HKG", "MIA"])
def test_no_property_stands_in_the_sea(code):
    assert len(spots(code)) > 120
    assert not [spot for spot in spots(code) if not is_land(Coordinates(*spot))]


def test_properties_by_the_sea_are_still_spread_over_the_town():
    assert len({(round(one, 2), round(other, 2)) for one, other in spots("BCN")}) > 40


def test_a_town_far_from_the_sea_has_land_all_around():
    assert all(on_land(city("MAD"), bearing, 0.7) == (bearing, 0.7) for bearing in range(0, TURN, 7))


def test_the_table_is_of_todays_cities():
    table = msgspec.msgpack.decode(zlib.decompress(TABLE.read_bytes()))
    assert set(table) <= set(map(key_of, world().cities))
