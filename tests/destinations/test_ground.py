"""The ground of our own map: a small world cut into tiles, and the tiles of the real one."""

from __future__ import annotations

import gzip
import json
from io import StringIO
from math import atan, degrees, pi, sinh
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from search.destinations import ground
from search.domain.hotels import Coordinates

WORLDS = json.loads(Path(__file__).with_name("worlds.json").read_text())
# Two countries share the meridian of 10° E; an island off them is a speck. In units of a degree.
SQUARES = WORLDS["squares"]
# A lake with an island in it, its own bay as a lake of its own, and the lake twice. In tenths of a degree.
LAKES = WORLDS["lakes"]
NO_LAKES = {**LAKES, "arcs": [], "objects": {"lakes": {"type": "GeometryCollection", "geometries": []}}}


def cut(world, folder, lakes=NO_LAKES) -> ground.GroundTable:
    """What the command makes of a world."""
    (folder / "countries-10m.json").write_text(json.dumps(world))
    (folder / "lakes-10m.json").write_text(json.dumps(lakes))
    call_command("update_ground", str(folder), output=folder / "ground.bin", stdout=StringIO())
    return ground.table(folder / "ground.bin")


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """The tiles of a small world."""
    made = cut(SQUARES, tmp_path)
    monkeypatch.setattr(ground, "table", lambda: made)
    return made


def points(steps: list[int]) -> list[tuple[int, int]]:
    """The points of a line of steps."""
    xs, ys, found = 0, 0, []
    for dx, dy in zip(steps[::2], steps[1::2], strict=True):
        xs, ys = xs + dx, ys + dy
        found.append((xs, ys))
    return found


def degrees_of(level: int, x: int, y: int, point: tuple[int, int]) -> tuple[float, float]:
    """Longitude and latitude of a point of a tile."""
    across, down = ((corner + at / ground.UNITS) / 2**level for corner, at in zip((x, y), point, strict=True))
    return (across - 0.5) * 360, degrees(atan(sinh(pi * (1 - 2 * down))))


def covers(tile: ground.GroundTile, level: int, x: int, y: int, where: Coordinates) -> bool:
    """Whether a place is on land, by the even-odd rule."""
    inside = False
    for ring in tile.land:
        corners = [degrees_of(level, x, y, one) for one in points(ring)]
        for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
            if (ay > where.latitude) != (by > where.latitude):
                crossing = ax + (where.latitude - ay) / (by - ay) * (bx - ax)
                inside ^= crossing > where.longitude
    return inside


def test_land_is_one_ring_and_only_the_shared_side_is_a_border(tiny):
    tile = ground.tile(0, 0, 0, "en")
    assert len(tile.land) == 1, "what is too small from so far away is left out"
    corners = {
        (round(lon), round(lat)) for lon, lat in (degrees_of(0, 0, 0, p) for p in points(tile.land[0]))
    }
    assert corners >= {(0, 0), (20, 0), (20, 10), (0, 10)}
    (border,) = tile.borders
    assert {round(degrees_of(0, 0, 0, one)[0]) for one in points(border)} == {10}


def test_close_by_the_island_is_there_and_the_open_sea_is_empty(tiny):
    assert ground.tile(6, 28, 35, "en").land
    sea = ground.tile(6, 10, 40, "en")
    assert (sea.land, sea.borders) == ([], [])


def test_a_lake_is_water_once_and_its_island_is_land(tmp_path, monkeypatch):
    made = cut(SQUARES, tmp_path, LAKES)
    monkeypatch.setattr(ground, "table", lambda: made)
    for latitude, longitude, land in ((1, 1, True), (3, 7, False), (7, 3, False), (5.2, 4.8, True)):
        where = Coordinates(latitude, longitude)
        for level in ground.LEVELS[1:]:
            x, y = tile_of(level, where)
            assert covers(ground.tile(level, x, y, "en"), level, x, y, where) is land, (where, level)


def test_an_island_across_the_180th_meridian_is_on_both_sides(tmp_path, monkeypatch):
    across = [[175, 50], [-350, 0], [0, 5], [350, 0], [0, -5]]
    alone = {"type": "GeometryCollection", "geometries": [{"type": "Polygon", "arcs": [[0]]}]}
    world = {**SQUARES, "arcs": [across], "objects": {"countries": alone, "land": alone}}
    made = cut(world, tmp_path)
    monkeypatch.setattr(ground, "table", lambda: made)
    for longitude, land in ((179.0, True), (-179.0, True), (0.0, False), (-170.0, False), (150.0, False)):
        where = Coordinates(52, longitude)
        for level in ground.LEVELS:
            x, y = tile_of(level, where)
            assert covers(ground.tile(level, x, y, "en"), level, x, y, where) is land, (longitude, level)


def test_a_folder_without_the_data_is_named(tmp_path):
    with pytest.raises(CommandError, match=r"countries-10m\.json is missing"):
        call_command("update_ground", str(tmp_path))


def test_land_and_sea_are_where_they_are():
    for latitude, longitude, land in [
        (41.42, 2.10, True),  # behind Barcelona
        (41.30, 2.35, False),  # before it
        (21.45, -158.00, True),  # Oahu
        (21.15, -157.90, False),
        (-17.80, 178.00, True),  # Viti Levu
        (-17.50, 177.00, False),
        (-16.85, 179.97, True),  # Taveuni, across the 180th meridian
        (-16.85, -179.97, True),
        (-15.50, 179.97, False),
        (-82.00, 30.00, True),  # Antarctica, around the pole
        (51.50, -0.10, True),  # London
        (46.50, 9.80, True),  # the Alps
        (46.45, 6.60, False),  # the Lake of Geneva
        (46.21, 6.13, True),  # Geneva
        (41.90, -87.30, False),  # Lake Michigan
        (41.88, -87.75, True),  # Chicago
        (45.40, -81.00, False),  # Georgian Bay, which the data has as a lake of its own
        (45.70, -82.20, True),  # Manitoulin, an island in both
        (-0.50, 33.00, False),  # Lake Victoria
        (0.40, 32.60, True),  # Kampala
        (42.00, 51.00, False),  # the Caspian Sea
    ]:
        where = Coordinates(latitude, longitude)
        for level in ground.LEVELS[2:]:
            x, y = tile_of(level, where)
            assert covers(ground.tile(level, x, y, "en"), level, x, y, where) is land, level


def tile_of(level: int, where: Coordinates) -> tuple[int, int]:
    (x, y) = ground.in_world(where)
    return int(x * 2**level), int(y * 2**level)


def test_names_are_in_the_page_s_language_at_their_cities():
    vienna = Coordinates(48.2, 16.37)
    x, y = tile_of(6, vienna)
    english, german = ground.tile(6, x, y, "en"), ground.tile(6, x, y, "de")
    assert english.names[0] == "Vienna"
    assert german.names[0] == "Wien"
    lon, lat = degrees_of(6, x, y, (english.at[0] / ground.FINER, english.at[1] / ground.FINER))
    assert Coordinates(lat, lon).km_to(vienna) < 5


def test_all_the_ground_is_small_and_no_tile_is_large():
    assert ground.TABLE.stat().st_size <= 1_500_000
    tiles = ground.table().tiles
    large = [name for name in tiles if len(tiles[name]) > 9_000 or not name.startswith("6/")]
    sizes = [len(gzip.compress(Client().get(address(name)).content, 6)) for name in large]
    assert max(sizes) <= 15_000


def address(name: str, language: str = "en", version: str = "") -> str:
    return f"/map/ground/{version or ground.version()}/{language}/{name}.json"


def test_a_tile_is_kept_for_ever_under_the_version_of_its_data():
    response = Client().get(address("4/8/5"), headers={"accept-encoding": "gzip"})
    assert set(response["Cache-Control"].split(", ")) == {"public", "max-age=31536000", "immutable"}
    assert response["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(response.content)).keys() == {"land", "borders", "names", "at"}


@pytest.mark.parametrize("name", ["1/0/0", "6/64/0", "6/0/64", "7/0/0", "0/0/1", "99999999999/0/0"])
def test_tiles_that_cannot_be_are_not_found(name):
    assert Client().get(address(name)).status_code == 404


def test_another_version_or_language_is_not_found():
    assert Client().get(address("0/0/0", version="0" * 12)).status_code == 404
    assert Client().get(address("0/0/0", language="xx")).status_code == 404
