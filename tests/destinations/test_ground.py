"""The ground of our own map: a small world cut into tiles, and the tiles of the real one."""

import gzip
import json
import zlib
from dataclasses import replace
from io import StringIO
from types import SimpleNamespace

import msgspec
import pytest
import shapefile
from django.core.management import CommandError, call_command
from django.test import Client
from shapely import LineString, Polygon, box

from search.destinations import ground
from search.domain.hotels import Coordinates
from search.management.commands import update_map
from search.sandbox.world import world
from tests.land import is_land, points, tile_at

# Two countries share the meridian of 10° E; an island off them is a speck.
SQUARES = [box(0, 0, 10, 10), box(10, 0, 20, 10), box(-20, -20, -19, -19)]
# A lake with an island in it, its own bay as a lake of its own, and the lake twice.
LAKE = Polygon(box(2, 2, 8, 8).exterior, [box(4, 4, 6, 6).exterior])
LAKES = [Polygon([(2, 2), (8, 2), (8, 8)]), LAKE, LAKE]


@pytest.fixture
def cut(tmp_path, monkeypatch):
    """Makes the tiles of a small world, which the site then has."""

    def cut(land, lakes=(), borders=()):
        shapes = {"land": land, "lakes": lakes, "admin_0_boundary_lines_land": borders}
        for name, of_name in shapes.items():
            kind = shapefile.POLYLINE if of_name is borders else shapefile.POLYGON
            with shapefile.Writer(shp=str(tmp_path / f"ne_10m_{name}.shp"), shapeType=kind) as writer:
                for one in of_name:
                    writer.shape(one)
        towns = SimpleNamespace(
            cities=[replace(world().city_at("BCN"), latitude=5.0, longitude=at) for at in (0.0, 5.0)]
        )
        monkeypatch.setattr(update_map, "world", lambda: towns)
        paths = {name: tmp_path / f"{name}.bin" for name in ("ground", "shores")}
        call_command("update_map", str(tmp_path), **paths, stdout=StringIO())
        tiles = ground.tiles(paths["ground"])
        monkeypatch.setattr(ground, "tiles", lambda: tiles)
        return msgspec.msgpack.decode(zlib.decompress(paths["shores"].read_bytes()))

    return cut


@pytest.fixture
def tiny(cut):
    cut(SQUARES, borders=[LineString([(10, -5), (10, 10)])])


def test_land_is_one_ring_and_only_what_is_on_land_a_border(tiny):
    tile = ground.tile(0, 0, 0, "en")
    assert len(tile.land) == 1, "what is too small from so far away is left out"
    assert {*map(tuple, points(tile.land[0]))} >= {
        in_tile(*at) for at in [(0, 0), (0, 20), (10, 20), (10, 0)]
    }
    (border,) = tile.borders
    assert {*map(tuple, points(border))} == {in_tile(0, 10), in_tile(10, 10)}


def in_tile(latitude, longitude):
    """Where a place is in the tile of the whole world."""
    return tuple(round(one) for one in tile_at(Coordinates(latitude, longitude), 0)[1])


def test_close_by_the_island_is_there_and_the_open_sea_is_empty(tiny):
    assert ground.tile(6, 28, 35, "en").land
    sea = ground.tile(6, 10, 40, "en")
    assert (sea.land, sea.borders) == ([], [])


def test_a_lake_is_water_once_and_its_island_is_land(cut):
    cut(SQUARES, LAKES)
    for latitude, longitude, land in ((1, 1, True), (3, 7, False), (7, 3, False), (5.2, 4.8, True)):
        for level in ground.LEVELS[1:]:
            assert is_land(Coordinates(latitude, longitude), level) is land, (latitude, longitude, level)


def test_an_island_across_the_180th_meridian_is_on_both_sides(cut):
    cut([box(175, 50, 180, 55), box(-180, 50, -175, 55)])
    for longitude, land in ((179.0, True), (-179.0, True), (0.0, False), (-170.0, False), (150.0, False)):
        for level in ground.LEVELS:
            assert is_land(Coordinates(52, longitude), level) is land, (longitude, level)
    for tile in (ground.tile(0, 0, 0, "en"), ground.tile(6, 0, 21, "en")):
        assert not any(x in (0, ground.UNITS) for ring in tile.land for x, _y in points(ring)), (
            "no coast there"
        )


def test_the_land_around_a_town_by_the_sea_is_written(cut):
    ((town, stretches),) = cut(SQUARES).items()
    assert town == "5.000,0.000"
    assert ({*stretches[1:17]}, {*stretches[18:]}) == ({15}, {0}), "land is in the east"


def test_a_folder_without_the_data_is_named(tmp_path):
    with pytest.raises(CommandError, match=r"ne_10m_land\.shp is missing"):
        call_command("update_map", str(tmp_path))


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
        for level in ground.LEVELS[2:]:
            assert is_land(Coordinates(latitude, longitude), level) is land, level


def test_names_are_in_the_page_s_language_at_their_cities():
    tile, vienna = tile_at(Coordinates(48.2, 16.37), 6)
    assert tile.names[0] == "Vienna"
    assert [one / ground.FINER for one in tile.at[:2]] == pytest.approx(vienna, abs=15)
    assert ground.tile(6, 34, 22, "de").names[0] == "Wien"


def test_all_the_ground_is_small_and_no_tile_is_large():
    assert ground.TABLE.stat().st_size <= 1_500_000
    tiles = ground.tiles()
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
