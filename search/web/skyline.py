"""Drawn skylines: every place has its own, always the same one, some with what they are known for."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import blake2b
from itertools import cycle
from typing import NamedTuple

from search.domain.text import fold

WIDTH, GROUND = 320, 120


class Skyline(NamedTuple):
    """SVG path data on a ground of 320 by 120: buildings far and near, lit windows, and the sun's x."""

    far: str
    near: str
    lit: str
    sun: int


@lru_cache(maxsize=512)
def skyline(place: str) -> Skyline:
    """The skyline of a place, by its name."""
    name = fold(place)
    numbers = cycle(blake2b(name.encode(), digest_size=64).digest())
    landmark, room = LANDMARKS.get(name) or GENERIC[next(numbers) % len(GENERIC)]
    start = 60 + next(numbers) % (WIDTH - 120 - room)
    far = "".join(_house(x, wide, 34 + tall % 30, 0) for x, wide, tall, _roof in _row(numbers, 0, WIDTH))
    houses = [*_row(numbers, 0, start), *_row(numbers, start + room, WIDTH)]
    near = [_house(x, wide, 16 + tall % 28, roof) for x, wide, tall, roof in houses]
    lit = [_windows(x, wide, 16 + tall % 28, numbers) for x, wide, tall, _roof in houses]
    return Skyline(far, "".join(near) + landmark(start), "".join(lit), 30 + next(numbers))


def _row(numbers: Iterator[int], start: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """Houses side by side: where each starts, its width, and two numbers for its height and roof."""
    while start < end:
        wide = min(16 + next(numbers) % 18, end - start)
        yield start, wide, next(numbers), next(numbers)
        start += wide


def _house(x: int, wide: int, tall: int, roof: int) -> str:
    flat, half = f"h{wide}", wide // 2
    gable = f"l{half}-9 {wide - half} 9"
    step = f"v-5h{half}v5h{wide - half}"
    tops = (flat, gable, flat, step)
    return f"M{x} {GROUND}v-{tall}{tops[roof % len(tops)]}v{tall}z"


def _windows(x: int, wide: int, tall: int, numbers: Iterator[int]) -> str:
    """A few of the windows of a house."""
    places = ((x + dx, GROUND - tall + dy) for dy in range(6, tall - 6, 9) for dx in range(4, wide - 5, 7))
    return "".join(f"M{left} {top}h3v4h-3z" for left, top in places if next(numbers) % 4 == 0)


def _box(x: int, wide: int, tall: int, above: int = 0) -> str:
    return f"M{x} {GROUND - above}v-{tall}h{wide}v{tall}z"


def _spire(x: int, wide: int, tall: int, point: int) -> str:
    """A tower with a pointed roof."""
    return f"M{x} {GROUND}v-{tall}l{wide / 2:g}-{point} {wide / 2:g} {point}v{tall}z"


def _tapered_towers(x: int) -> str:
    towers = ((0, 66), (17, 82), (34, 82), (51, 66))
    return "".join(
        f"M{x + dx} {GROUND}q1-{tall * 0.6:g} 7-{tall}q6 {tall * 0.4:g} 7 {tall}z" for dx, tall in towers
    ) + _box(x - 4, 74, 22)


def _iron_tower(x: int) -> str:
    legs = f"M{x} {GROUND}q20-28 25-100h6q5 72 25 100h-13q-3-20-15-20t-15 20z"
    return legs + _box(x + 12, 32, 3, 38) + _box(x + 20, 16, 3, 62)


def _arena(x: int) -> str:
    arches = ((x + 7 + 15 * column, above) for above in (2, 22) for column in range(6))
    # A hole runs the other way round.
    holes = (f"M{left + 8} {GROUND - above}v-8a4 4 0 0 0-8 0v8z" for left, above in arches)
    return f"M{x} {GROUND}v-42q48-12 96 0v42z" + "".join(holes)


def _temple(x: int) -> str:
    columns = "".join(_box(x + 8 + 12 * number, 6, 30, 12) for number in range(7))
    roof = f"M{x} {GROUND - 46}l47-16 47 16z"
    return _box(x - 6, 106, 8) + _box(x + 2, 90, 4, 8) + columns + _box(x + 2, 90, 4, 42) + roof


def _bridge(x: int) -> str:
    cables = f"M{x + 34} 46q31 92 62 0v3q-31 92-62 0zM{x} 98l34-52v4l-31 48zM{x + 130} 98l-34-52v4l31 48z"
    return _box(x, 130, 5, 18) + _box(x + 32, 5, 76) + _box(x + 93, 5, 76) + cables


def _unequal_towers(x: int) -> str:
    return _box(x, 60, 30) + _spire(x, 17, 62, 32) + _spire(x + 40, 17, 50, 16)


def _castle(x: int) -> str:
    spires = _spire(x + 52, 10, 54, 34) + _spire(x + 66, 10, 54, 34) + _spire(x + 30, 12, 40, 22)
    return _box(x, 108, 26) + spires


def _needle(x: int) -> str:
    return f"M{x + 28} {GROUND}l2.5-108 2.5 108z" + _box(x, 60, 24)


def _dome(x: int) -> str:
    return f"M{x} {GROUND}v-32h9a26 26 0 0 1 52 0h9v32z" + _box(x + 31, 8, 12, 56)


def _church(x: int) -> str:
    return _spire(x, 16, 48, 34) + f"M{x + 14} {GROUND}v-28l18-12 18 12v28z"


def _wheel(x: int) -> str:
    ring = f"M{x} 78a32 32 0 1 0 64 0a32 32 0 1 0-64 0zM{x + 4} 78a28 28 0 1 1 56 0a28 28 0 1 1-56 0z"
    return ring + f"M{x + 32} 76l18 44h-4l-14-36-14 36h-4z"


def _lighthouse(x: int) -> str:
    return f"M{x} {GROUND}l5-60h12l5 60zM{x + 3} 58h16v-4h-3v-10h-10v10h-3zM{x + 5} 43l6-9 6 9z"


Drawing = Callable[[int], str]

# Each with the room it takes. The named ones are there for the places that the first page starts with.
GENERIC: tuple[tuple[Drawing, int], ...] = (
    (_dome, 70),
    (_church, 50),
    (_wheel, 64),
    (_lighthouse, 24),
    (_unequal_towers, 58),
)
LANDMARKS: dict[str, tuple[Drawing, int]] = {
    "barcelona": (_tapered_towers, 66),
    "paris": (_iron_tower, 56),
    "rome": (_arena, 96),
    "athens": (_temple, 96),
    "lisbon": (_bridge, 130),
    "krakow": (_unequal_towers, 58),
    "prague": (_castle, 108),
    "dublin": (_needle, 60),
}
