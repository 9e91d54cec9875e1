"""Stars, and which properties a listing holds: closed forms, whatever the place and the page."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache

from search.sandbox.rng import seed
from search.sandbox.world import Place

# Stars repeat with this period over the property numbers: that gives every place its share of each
# rating, and the k-th property with given stars without counting through the ones before it.
_STAR_COUNTS = {1: 14, 2: 38, 3: 92, 4: 80, 5: 32}
_ORDERED = [star for star, count in _STAR_COUNTS.items() for _ in range(count)]
_PATTERN = [_ORDERED[position] for position in sorted(range(len(_ORDERED)), key=lambda at: seed("stars", at))]
_PERIOD = len(_PATTERN)


def stars_of(number: int) -> int:
    """The star rating of a property, 1 to 5."""
    return _PATTERN[number % _PERIOD]


@lru_cache(maxsize=64)
def _positions(stars: frozenset[int]) -> list[int]:
    return [position for position, star in enumerate(_PATTERN) if star in stars]


@dataclass(frozen=True, slots=True)
class Selection:
    """The properties of a place with some of the stars, in the stable order of their listing."""

    place: Place
    stars: frozenset[int]

    @property
    def total(self) -> int:
        """How many there are, exactly."""
        return self._before(self.place.stop) - self._before(self.place.start)

    def numbers(self, first: int, count: int) -> list[int]:
        """The property numbers at positions ``first`` to ``first + count - 1``; fewer at the end."""
        total = self.total
        if not 0 <= first < total:
            return []
        stride, offset = _stride(total), self._before(self.place.start)
        positions = _positions(self.stars)
        numbers = []
        for rank in range(first, min(first + count, total)):
            turn, position = divmod(offset + rank * stride % total, len(positions))
            numbers.append(turn * _PERIOD + positions[position])
        return numbers

    def _before(self, number: int) -> int:
        turns, rest = divmod(number, _PERIOD)
        positions = _positions(self.stars)
        return turns * len(positions) + bisect_left(positions, rest)


@lru_cache(maxsize=4096)
def _stride(total: int) -> int:
    """A step that visits each of ``total`` ranks once and mixes the cities of a country over its pages."""
    stride = max(1, int(total * 0.6180339887))
    while math.gcd(stride, total) != 1:
        stride += 1
    return stride
