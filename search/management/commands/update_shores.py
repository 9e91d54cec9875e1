"""`update_shores`: make the sandbox's table of the land around its cities from the ground of the map.

To be run after `update_ground`, and when the sandbox's cities have changed.
"""

import zlib
from collections.abc import Iterator
from functools import cache
from itertools import accumulate, groupby, pairwise
from pathlib import Path

import msgspec
from django.core.management.base import BaseCommand, CommandParser

from search.destinations import ground
from search.domain.hotels import Coordinates
from search.management.commands.update_ground import Line, Point, cut_ring
from search.sandbox.shores import SECTORS, STEPS, TABLE, TURN, key_of, kilometres, position
from search.sandbox.world import City, world

LEVEL = ground.LEVELS[-1]
# Looked at twice as finely as the table tells it.
BEARINGS, DISTANCES = 2 * SECTORS, 2 * STEPS


class Command(BaseCommand):
    help = "Makes search/sandbox/shores.bin, the land around the sandbox's cities, from the map's ground."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--output", type=Path, default=TABLE, help="where to write the table")

    def handle(self, *_args: object, output: Path, **_options: object) -> None:
        found = {key_of(city): land for city in world().cities if (land := land_around(city))}
        packed = zlib.compress(msgspec.msgpack.encode(found), 9)
        output.write_bytes(packed)
        self.stdout.write(f"{len(found)} cities by the sea, {len(packed) / 1e3:.0f} kB")


def land_around(city: City) -> bytes:
    """The stretch of land in each sector around a city; empty if there is no land, or nothing else."""
    spots = [
        [
            in_units(position(city, bearing * TURN / BEARINGS, kilometres(city, distance / DISTANCES)))
            for distance in range(DISTANCES + 1)
        ]
        for bearing in range(BEARINGS)
    ]
    xs, ys = ([spot[axis] for line in spots for spot in line] for axis in (0, 1))
    rings = list(rings_between((min(xs), min(ys)), (max(xs), max(ys))))
    land = [[is_land(rings, spot) for spot in line] for line in spots]
    stretches = bytes(_stretch(land, sector) for sector in range(SECTORS))
    return b"" if set(stretches) in ({0}, {STEPS}) else stretches


def _stretch(land: list[list[bool]], sector: int) -> int:
    """The longest stretch of land in a sector: its beginning times sixteen, and its end; 0 for none."""
    sides = [land[(2 * sector + side) % BEARINGS] for side in range(3)]
    dry = [all(side[at] for side in sides) for at in range(DISTANCES + 1)]
    steps = [all(dry[2 * step : 2 * step + 3]) for step in range(STEPS)]
    best, at = (0, 0), 0
    for is_dry, run in groupby(steps):
        length = len(list(run))
        if is_dry and length > best[1] - best[0]:
            best = at, at + length
        at += length
    return best[0] * (STEPS + 1) + best[1]


def in_units(where: tuple[float, float]) -> Point:
    """Latitude and longitude in units of the most detailed tiles, from the world's corner."""
    x, y = ground.in_world(Coordinates(*where))
    return x * 2**LEVEL * ground.UNITS, y * 2**LEVEL * ground.UNITS


def is_land(rings: list[Line], spot: Point) -> bool:
    """Whether a point is inside of an odd number of rings."""
    x, y = spot
    crossed = 0
    for ring in rings:
        for (ax, ay), (bx, by) in pairwise([ring[-1], *ring]):
            crossed += (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax
    return crossed % 2 == 1


def rings_between(low: Point, high: Point) -> Iterator[Line]:
    """The rings of land between two corners, each tile's part by itself."""
    first, last = ([int(one // ground.UNITS) for one in corner] for corner in (low, high))
    for column in range(first[0], last[0] + 1):
        for row in range(first[1], last[1] + 1):
            for ring in _tile(column, row):
                for axis, tile in enumerate((column, row)):
                    # A little more than the points span, lest one is on the edge.
                    ring = cut_ring(ring, axis, max(low[axis] - 1, tile * ground.UNITS), 1)
                    ring = cut_ring(ring, axis, min(high[axis] + 1, (tile + 1) * ground.UNITS), -1)
                if ring:
                    yield ring


@cache
def _tile(column: int, row: int) -> list[Line]:
    """The rings of a tile in units from the world's corner."""
    tile = ground.tile(LEVEL, column, row, "en")
    left, top = column * ground.UNITS, row * ground.UNITS
    lines = tile.land if tile else []
    return [
        [(left + x, top + y) for x, y in zip(accumulate(line[::2]), accumulate(line[1::2]), strict=True)]
        for line in lines
    ]
