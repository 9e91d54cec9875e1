"""Which properties stand out: the best trade-offs among some, and the middle total of those alike.

The best trade-offs are a skyline (Börzsönyi, Kossmann and Stocker, The Skyline Operator, 2001): those for
which no other is at least as good in total, rating and distance, and better in one of them.
"""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

# Of fewer alike there is no middle worth naming.
LEAST_ALIKE = 20


def skyline(
    numbers: Iterable[int], totals: Sequence[int], ratings: Sequence[int], distances: Sequence[int]
) -> list[int]:
    """Those of `numbers` that no other beats, in the order given, which is by ascending total. The other
    three parameters give the rank of each property, 0 for the best; equal ones are all in it or all not.

    Only what came before can beat what comes next, and of that the nearest of each rating and better is
    enough. Of equal totals one may come before what beats it, so the few that are left are sorted and asked
    once more.
    """
    nearest = _nowhere(ratings, distances)
    standing = []
    for number in numbers:
        rating, distance = ratings[number], distances[number]
        if distance <= nearest[rating] and distance < nearest[rating - 1]:
            standing.append((totals[number], rating, distance, number))
            _come_nearer(nearest, rating, distance)
    nearest = _nowhere(ratings, distances)
    found: list[int] = []
    last = None
    for *place, number in sorted(standing):
        _total, rating, distance = place
        if distance < nearest[rating] or place == last:
            found.append(number)
            last = place
            _come_nearer(nearest, rating, distance)
    return found


def _nowhere(ratings: Sequence[int], distances: Sequence[int]) -> list[int]:
    """For each rating a distance beyond all; once more for what is rated better than the best."""
    return [max(distances, default=0) + 1] * (max(ratings, default=0) + 2)


def _come_nearer(nearest: list[int], rating: int, distance: int) -> None:
    """Note for this rating and each worse one that something rated so is at this distance."""
    for place in range(rating, len(nearest) - 1):
        if nearest[place] <= distance:
            break
        nearest[place] = distance


class RowClass(NamedTuple):
    """The properties like one, itself among them: how many, and the middle of their lowest totals; of an even
    number the lower one of the middle two, which flatters nobody."""

    size: int
    middle: int


def classes(alike: Sequence[tuple[int, int, int]], scale: int | None) -> dict[tuple[int, int], RowClass]:
    """The class for each pair of stars and tenths of a rating, where at least `LEAST_ALIKE` properties are
    alike: of the same stars, and of ratings within a twentieth of the scale. `alike` has stars, tenths of the
    rating and the rank of the total of each property. Empty without a scale."""
    band = (scale or 0) * 10 // 20
    by_stars: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for stars, tenths, total in alike if scale else ():
        by_stars[stars].append((tenths, total))
    found: dict[tuple[int, int], RowClass] = {}
    for stars, rated in by_stars.items():
        rated.sort()
        for tenths, totals in _near(rated, band):
            if len(totals) >= LEAST_ALIKE:
                found[stars, tenths] = RowClass(len(totals), totals[(len(totals) - 1) // 2])
    return found


def _near(rated: list[tuple[int, int]], band: int) -> Iterator[tuple[int, list[int]]]:
    """Each rating with the totals, ascending, of those at most `band` away from it, good until the next is
    asked for; `rated` is in ascending order."""
    near: list[int] = []
    first = end = 0
    for tenths in dict.fromkeys(tenths for tenths, _total in rated):
        while end < len(rated) and rated[end][0] <= tenths + band:
            insort(near, rated[end][1])
            end += 1
        while rated[first][0] < tenths - band:
            del near[bisect_left(near, rated[first][1])]
            first += 1
        yield tenths, near
