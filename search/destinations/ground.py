"""The ground of our own map: coasts, lakes and borders from Natural Earth, names from the table of places.

The table beside this module is made by `manage.py update_map`. The world is the web's square
Mercator one; tile 6/x/y is one of 64 times 64, drawn from zoom 9 on. Lesser levels have less detail.
"""

import hashlib
import zlib
from array import array
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import islice
from math import asinh, pi, radians, tan
from pathlib import Path
from threading import Lock

import msgspec

from search.domain.hotels import Coordinates

from . import places

TABLE = Path(__file__).with_name("ground.bin")
LEVELS = (0, 2, 4, 6)
# The size of a tile in the unit of its coordinates.
UNITS = 2048
MOST_NAMES = 80
# What a name's coordinates are finer than a line's.
FINER = 16

# A map asks for all its tiles at once: of a process that has just started one thread reads, the others wait.
_READING = Lock()


class GroundTile(msgspec.Struct, frozen=True):
    """What a browser draws of a tile, in units of it. A line is the steps from its corner to the first point
    and from each to the next, x and y by turns; `land` are rings, even-odd: a lake is a hole in it.
    `at` are x and y of each name, `FINER` times as fine, the biggest city first."""

    land: list[list[int]]
    borders: list[list[int]]
    names: list[str]
    at: list[int]


@cache
def tiles(path: Path = TABLE) -> dict[str, bytes]:
    """By `level/x/y`: 16-bit numbers, as `update_map` packs them. What isn't there is sea."""
    return msgspec.msgpack.decode(zlib.decompress(path.read_bytes()), type=dict[str, bytes])


@cache
def version() -> str:
    """Changes with all that a tile is made of."""
    files = (TABLE, places.TABLE, Path(__file__))
    return hashlib.sha256(b"".join(one.read_bytes() for one in files)).hexdigest()[:12]


def tile(level: int, x: int, y: int, language: str) -> GroundTile | None:
    """The tile with its names in a language; None where there is none such."""
    if level not in LEVELS or not (0 <= x < 2**level and 0 <= y < 2**level):
        return None
    with _READING:
        packed, found = tiles().get(f"{level}/{x}/{y}", b""), _names(level).get((x, y), [])
    numbers, world = iter(array("h", packed)), places.world()
    return GroundTile(
        land=_lines(numbers),
        borders=_lines(numbers),
        names=[world.label(number, language) for number, _at in found],
        at=[one for _number, at in found for one in at],
    )


def _lines(numbers: Iterator[int]) -> list[list[int]]:
    """The rings of a tile or, after them, its borders: each line as its numbers in turn; none at sea."""
    return [list(islice(numbers, 2 * next(numbers))) for _line in range(next(numbers, 0))]


def in_world(where: Coordinates) -> tuple[float, float]:
    """Where a place is in the square world, which is 1 wide and high; the north is at 0."""
    return where.longitude / 360 + 0.5, 0.5 - asinh(tan(radians(where.latitude))) / (2 * pi)


@cache
def _names(level: int) -> dict[tuple[int, int], list[tuple[int, tuple[int, int]]]]:
    """The cities in each tile of a level, the biggest first, by number and with their place in it."""
    found: dict[tuple[int, int], list[tuple[int, tuple[int, int]]]] = defaultdict(list)
    world = places.world()
    size = 2**level
    for number in range(len(world)):
        place = world[number]
        if place.is_region:
            continue
        x, y = (one * size for one in in_world(place.coordinates))
        column, row = int(x), int(y)
        inside = found[column, row]
        if len(inside) < MOST_NAMES:
            fine = UNITS * FINER
            inside.append((number, (round((x - column) * fine), round((y - row) * fine))))
    return dict(found)
