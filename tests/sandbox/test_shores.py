"""Properties stand on the land of the site's map, and the table of it is the one that the map gives."""

import zlib
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from django.core.management import call_command

from search.management.commands import update_shores
from search.management.commands.update_shores import in_units, is_land, land_around, rings_between
from search.sandbox.properties import providers_of, summary_and_distance
from search.sandbox.shores import TABLE, TURN, key_of, on_land
from search.sandbox.world import City, world


def city(code: str) -> City:
    return world().city_at(code)


def spots(code: str) -> list[tuple[float, float]]:
    """Where the first properties of a town are."""
    numbers = range(city(code).start, min(city(code).stop, city(code).start + 150))
    summaries = (summary_and_distance(number, providers_of(number)[0])[0] for number in numbers)
    coordinates = (summary["coordinates"] for summary in summaries)
    return [(spot["latitude"], spot["longitude"]) for spot in coordinates if spot]


def at_sea(spot: tuple[float, float]) -> bool:
    point = in_units(spot)
    return not is_land(list(rings_between(point, point)), point)


@pytest.mark.parametrize("code", ["BCN", "LIS", "HKG", "MIA"])
def test_no_property_stands_in_the_sea(code):
    assert len(spots(code)) > 120
    assert not [spot for spot in spots(code) if at_sea(spot)]


def test_properties_by_the_sea_are_still_spread_over_the_town():
    assert len({(round(one, 2), round(other, 2)) for one, other in spots("BCN")}) > 40


def test_a_town_far_from_the_sea_has_land_all_around():
    assert all(on_land(city("MAD"), bearing, 0.7) == (bearing, 0.7) for bearing in range(0, TURN, 7))


def test_the_command_writes_the_table_of_the_towns_by_the_sea(tmp_path: Path, monkeypatch, capsys):
    towns = SimpleNamespace(cities=[city("BCN"), city("MAD")])
    monkeypatch.setattr(update_shores, "world", lambda: towns)
    call_command("update_shores", output=tmp_path / "shores.bin")
    written = msgspec.msgpack.decode(zlib.decompress((tmp_path / "shores.bin").read_bytes()))
    assert list(written) == [key_of(city("BCN"))]
    assert capsys.readouterr().out.startswith("1 cities by the sea, 0 kB")


@pytest.mark.parametrize("code", ["BCN", "PMI", "MAD"])
def test_the_table_is_of_todays_ground_and_cities(code):
    table = msgspec.msgpack.decode(zlib.decompress(TABLE.read_bytes()))
    assert table.get(key_of(city(code)), b"") == land_around(city(code))
