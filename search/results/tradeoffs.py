"""Which properties stand out: the best trade-offs among some, and the middle total of those alike.

The best trade-offs are a skyline (Börzsönyi, Kossmann and Stocker, The Skyline Operator, 2001): those for
which no other is at least as good in total, rating and distance, and better in one of them.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

# Of fewer alike there is no middle worth naming.
LEAST_ALIKE = 20


def skyline(
    numbers: Sequence[int], totals: Sequence[int], ratings: Sequence[int], distances: Sequence[int]
) -> list[int]:
    """Those of `numbers` that no other beats, by ascending total. The other three give the place of each
    property, 0 for the best; equals are all in it or all not.

    By ascending total only what came before can beat what comes next. Of that the stairs are enough: the best
    by rating and distance alone, from the best rated to the nearest.
    """
    facts = (map(fact.__getitem__, numbers) for fact in (totals, ratings, distances))
    found: list[int] = []
    rated: list[int] = []
    away: list[int] = []
    last = None
    for total, rating, distance, number in sorted(zip(*facts, numbers, strict=True)):
        place = total, rating, distance
        above = bisect_right(rated, rating)
        if above and away[above - 1] <= distance:
            if place == last:
                found.append(number)
            continue
        found.append(number)
        last = place
        start = end = bisect_left(rated, rating)
        while end < len(away) and away[end] >= distance:
            end += 1
        rated[start:end], away[start:end] = [rating], [distance]
    return found


class RowClass(NamedTuple):
    """The properties like one, itself among them: how many, and the middle of their lowest totals; of an even
    number the lower one of the middle two, which flatters nobody."""

    size: int
    middle: int


def classes(alike: Sequence[tuple[int, int, int]], scale: int | None) -> dict[tuple[int, int], RowClass]:
    """Of stars, tenths of the rating and the place of the total of each property: the class of all stars and
    ratings that at least `LEAST_ALIKE` share: the same stars, and ratings within a twentieth of the scale;
    none without a scale."""
    band = (scale or 0) * 10 // 20
    by_stars: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for stars, tenths, total in alike if scale else ():
        by_stars[stars].append((tenths, total))
    found: dict[tuple[int, int], RowClass] = {}
    for stars, rated in by_stars.items():
        rated.sort()
        for tenths, totals in _near(rated, band):
            if len(totals) >= LEAST_ALIKE:
                found[stars, tenths] = RowClass(len(totals), sorted(totals)[(len(totals) - 1) // 2])
    return found


def _near(rated: list[tuple[int, int]], band: int) -> Iterator[tuple[int, list[int]]]:
    """Each rating with the totals of those at most `band` away from it; `rated` is in ascending order."""
    ratings = [tenths for tenths, _total in rated]
    for tenths in dict.fromkeys(ratings):
        near = slice(bisect_left(ratings, tenths - band), bisect_right(ratings, tenths + band))
        yield tenths, [total for _tenths, total in rated[near]]
