"""The rows of a search, refined: which pass the filters, in which order, led by which offer, and what each
filter would do: counts beside its values, a histogram of totals, what to drop.

Values within one filter are alternatives, filters narrow each other, and the filters about offers must be
met by one and the same offer: "free cancellation" and "at most 400" finds a room that is both. The cheapest
offer that passes leads its row; sort, histogram and cards take their total from it. `index` says what sets
of rows and of offers (planes) are.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, reduce
from math import inf
from operator import and_
from typing import Any, NamedTuple

import msgspec

from search.domain.hotels import Coordinates
from search.domain.query import Filter, Refinement, Sort, spelled

from .filters import FILTERS, MIN_PRICE, ResultsFilter
from .index import Passed, Planes, Row, RowIndex, RowOffer, bits, set_of, skyline, union

MAX_BARS = 24
# Of the others so many are enough to show where the best stand.
MAX_OTHERS = 150
STEP_DIGITS = (Decimal(1), Decimal(2), Decimal(5))


class Question(msgspec.Struct, frozen=True):
    """What is asked of the rows. `stars` is the search's own filter; without `anchor` (where distances are
    measured from) the filter `max_km` asks nothing and "nearest" means the gateway's distance."""

    refinement: Refinement
    stars: tuple[int, ...] = ()
    sort: Sort = Sort.PRICE
    anchor: Coordinates | None = None


@dataclass(frozen=True)
class Rest:
    """What some filters let through; `planes` is None where none of them is about offers."""

    rows: int
    planes: Planes | None

    @cached_property
    def matching(self) -> int:
        """The set of rows that pass."""
        return self.rows if self.planes is None else self.rows & union(self.planes)

    def count(self, passed: Passed | None = None) -> int:
        """How many rows pass these filters and, if given, one more that let `passed` through."""
        if passed is None:
            return self.matching.bit_count()
        if isinstance(passed, int):
            return (self.matching & passed).bit_count()
        planes = passed if self.planes is None else _both(self.planes, passed)
        return (self.rows & union(planes)).bit_count()


class Standing(NamedTuple):
    """The headline total of a row, and the middle total of the `size` properties like it (itself among
    them)."""

    size: int
    middle: Decimal
    total: Decimal


class Point(NamedTuple):
    """A row by what trade-offs are about: its headline offer and that total, and kilometres where known."""

    row: Row
    offer: RowOffer
    total: Decimal
    km: float | None


class Tradeoffs(NamedTuple):
    """The best trade-offs among `among` rows, by total, and some of the `others` that have a rating. `rated`
    and `measured` say whether any of them has a rating, a distance."""

    best: tuple[Point, ...]
    others: tuple[Point, ...]
    among: int
    rated: bool
    measured: bool


class Selection:
    """One question put to the rows. `filters` holds what each filter that is set lets through, by name;
    left out, they are those of the question."""

    def __init__(
        self, index: RowIndex, question: Question, filters: Mapping[str, Passed] | None = None
    ) -> None:
        self.index = index
        self.question = question
        passed = _passed(index, question) if filters is None else filters
        self.row_filters = {name: rows for name, rows in passed.items() if isinstance(rows, int)}
        self.offer_filters = {name: offers for name, offers in passed.items() if not isinstance(offers, int)}

    @property
    def active(self) -> tuple[str, ...]:
        of_all = (str(Filter.TRADEOFFS),) if self.question.refinement.tradeoffs else ()
        return (*self.row_filters, *self.offer_filters, *of_all)

    @cached_property
    def matching(self) -> int:
        """The set of rows that pass."""
        if self.question.refinement.tradeoffs:
            return set_of(self.tradeoffs, len(self.index.rows))
        return self.left

    @cached_property
    def left(self) -> int:
        """The set of rows that pass all filters but the best trade-offs."""
        return self.rest("").matching

    @cached_property
    def tradeoffs(self) -> list[int]:
        """The numbers of the rows with the best trade-offs among those the other filters leave, by total. A
        rating or distance that is missing is worse than any; without a comparable total a row is none."""
        index, places = self.index, self.headline_ranks
        distances = index.distance_ranks(self.question.anchor)
        end = bisect_left(self._left_by_total, len(index.comparable_totals), key=places.__getitem__)
        return skyline(self._left_by_total[:end], places, index.rating_ranks, distances)

    @cached_property
    def _left_by_total(self) -> list[int]:
        """The numbers of the rows in `left` by headline total, equals in the gateway's order."""
        return sorted(bits(self.left), key=self.headline_ranks.__getitem__)

    @cached_property
    def by_total(self) -> list[int]:
        """The numbers of the matching rows by headline total, equals in the gateway's order."""
        if self.matching == self.left:
            return self._left_by_total
        return sorted(bits(self.matching), key=self.headline_ranks.__getitem__)

    @property
    def count(self) -> int:
        return self.matching.bit_count()

    def without(self, name: str) -> "Selection":
        """The selection without one filter; this very one if it isn't set."""
        if name not in self.active:
            return self
        passed: dict[str, Passed] = {**self.row_filters, **self.offer_filters}
        if passed.pop(name, None) is not None:
            return Selection(self.index, self.question, passed)
        refinement = self.question.refinement.without(name)
        return Selection(self.index, msgspec.structs.replace(self.question, refinement=refinement), passed)

    def rest(self, name: str) -> Rest:
        """What all filters but this one let through."""
        rows = (passed for other, passed in self.row_filters.items() if other != name)
        offers = [passed for other, passed in self.offer_filters.items() if other != name]
        return Rest(reduce(and_, rows, self.index.everything), reduce(_both, offers) if offers else None)

    def described_tradeoffs(self) -> Tradeoffs:
        """The best trade-offs and what they stand out from."""
        rows, places, end = self.index.rows, self.headline_ranks, len(self.index.comparable_totals)
        best, left = self.tradeoffs, [*bits(self.left)]
        others = sorted({*left} - {*best}, key=places.__getitem__)
        drawn = [number for number in others if places[number] < end and rows[number].rating is not None]
        return Tradeoffs(
            tuple(map(self._point, best)),
            tuple(map(self._point, drawn[:: len(drawn) // MAX_OTHERS + 1])),
            len(left),
            any(rows[number].rating is not None for number in left),
            any(self._km(number) is not None for number in left),
        )

    def _point(self, number: int) -> Point:
        lead = self.headlines[number] or 0
        row, total = self.index.rows[number], self.index.comparable_totals[self.headline_ranks[number]]
        return Point(row, row.offers[lead], total, self._km(number))

    def _km(self, number: int) -> float | None:
        km = self.index.kilometres(self.question.anchor)[number]
        return None if km == inf else km

    @cached_property
    def _passing(self) -> Planes:
        """The offers that pass the filters about offers."""
        return reduce(_both, self.offer_filters.values(), self.index.offers)

    @cached_property
    def headlines(self) -> list[int | None]:
        """For each row which offer leads: the cheapest that passes, None without one."""
        leads: list[int | None] = [None] * len(self.index.rows)
        for plane, numbers in self._passing_by_plane():
            for number in numbers:
                leads[number] = plane
        return leads

    def _passing_by_plane(self) -> Iterator[tuple[int, Iterator[int]]]:
        """Each plane and the rows whose offer in it passes, the dearest first: what is set last for a row is
        that of its cheapest."""
        for plane in range(len(self._passing) - 1, -1, -1):
            yield plane, bits(self._passing[plane])

    def leading(self, number: int) -> RowOffer | None:
        """The offer that leads a row, None without one."""
        lead = self.headlines[number]
        return None if lead is None else self.index.rows[number].offers[lead]

    @cached_property
    def headline_ranks(self) -> list[int]:
        """For each row the place of its leading offer among all prices; without one, after all of them."""
        if not self.offer_filters:
            return self.index.lowest_ranks
        ranks = self.index.price_ranks
        found = [self.index.price_count] * len(ranks)
        for plane, numbers in self._passing_by_plane():
            for number in numbers:
                found[number] = ranks[number][plane]
        return found

    def standing(self, number: int) -> Standing | None:
        """Where the headline total of a row stands among those like it, None without a class or a total."""
        totals, own = self.index.comparable_totals, self.index.classes[number]
        place = self.headline_ranks[number]
        if own is None or place >= len(totals):
            return None
        return Standing(own.size, totals[own.middle], totals[place])

    def ordered(self) -> list[int]:
        """The numbers of the matching rows in the order asked for; ties go to the lower total, then to the
        gateway's own order."""
        if self.question.sort is Sort.PROVIDER:
            return list(bits(self.matching))
        numbers = [*self.by_total]
        if self.question.sort is Sort.TRADEOFFS:
            best = frozenset(self.tradeoffs)
            numbers.sort(key=lambda number: number not in best)
        else:
            self._sort_by_fact(numbers)
        return numbers

    def _sort_by_fact(self, numbers: list[int]) -> None:
        """Put the numbers into an order by something that is so of a row."""
        rows, anchor = self.index.rows, self.question.anchor
        if self.question.sort is Sort.RATING:
            # What reads the same is the same: ties go to the lower total.
            numbers.sort(key=self.index.rating_ranks.__getitem__)
        elif self.question.sort is Sort.STARS:
            numbers.sort(key=lambda number: _descending(rows[number].stars))
        elif self.question.sort is Sort.DISTANCE and anchor:
            numbers.sort(key=self.index.km_from(anchor).__getitem__)
        elif self.question.sort is Sort.DISTANCE:
            numbers.sort(key=lambda number: _distance(rows[number]))

    def passing_offers(self, number: int) -> tuple[int, ...]:
        """Which offers of a row pass the filters about offers, the cheapest first."""
        return tuple(plane for plane, there in enumerate(self._passing) if there >> number & 1)


def _passed(index: RowIndex, question: Question) -> dict[str, Passed]:
    """What each filter that is set lets through."""
    found = {}
    for name, one in FILTERS.items():
        values = one.values(question.refinement, question.stars)
        passed = one.passing(index, values, question.anchor) if values else None
        if passed is not None:
            found[name] = passed
    return found


def _both(one: Planes, other: Planes) -> Planes:
    return tuple(map(and_, one, other))


def _descending(value: int | None) -> float:
    return inf if value is None else -value


def _distance(row: Row) -> tuple[bool, str, float]:
    """Kilometres (no unit) first, then each unit nobody knows for itself, then no distance."""
    return (row.distance is None, row.unit, row.distance or 0.0)


class FacetValue(msgspec.Struct, frozen=True):
    """One choice of a filter. `count` is how many rows there are once it is toggled, `own` how many that pass
    the other filters have this very value; None where the rows can't tell, and beside the best trade-offs,
    which any other choice changes. `least` is then how many of the rows have it: there may be more."""

    value: str
    count: int | None
    own: int | None
    selected: bool
    least: int = 0


class Facet(msgspec.Struct, frozen=True):
    """A filter by its name in the address, its values in an order that doesn't move while filtering."""

    name: str
    values: tuple[FacetValue, ...]


class Bar(msgspec.Struct, frozen=True):
    """Properties whose headline total is at least `low` and below `high` (None: the rest)."""

    low: Decimal
    high: Decimal | None
    count: int


class Histogram(msgspec.Struct, frozen=True):
    """Headline totals under every filter but the price limits; `lowest`, `middle` and `highest` are real
    totals: as many are below the middle as above."""

    bars: tuple[Bar, ...]
    lowest: Decimal
    middle: Decimal
    highest: Decimal


class Drop(msgspec.Struct, frozen=True):
    """A filter by its name, and how many properties there would be without it (None: the rows can't tell)."""

    name: str
    regains: int | None


class Counts(NamedTuple):
    """What is counted of a selection for the filters. Neither another page nor another order changes it."""

    facets: tuple[Facet, ...]
    histogram: Histogram | None


def counts(selection: Selection, fetched_stars: tuple[int, ...], *, complete: bool) -> Counts:
    """See `facets`; those of the last filters that an index was asked about are kept with it."""
    index, asked = selection.index, selection.question
    key = (asked.refinement.filters, asked.stars, asked.anchor, fetched_stars, complete)
    kept = index.counts
    if kept is None or kept[0] != key:
        found = Counts(facets(selection, fetched_stars, complete=complete), histogram(selection))
        kept = index.counts = (key, found)
    return kept[1]


def facets(
    selection: Selection, fetched_stars: tuple[int, ...] = (), *, complete: bool = True
) -> tuple[Facet, ...]:
    """Every filter with something to choose.

    `fetched_stars` are the star ratings the rows were asked for (none: all), `complete` says whether they are
    all there are: choosing stars asks a new question, so among some of them there is no count to promise.
    """
    found = (_facet(selection, one, fetched_stars, complete) for one in FILTERS.values())
    return tuple(facet for facet in found if facet.values)


def _facet(selection: Selection, one: ResultsFilter, fetched_stars: tuple[int, ...], complete: bool) -> Facet:
    index, question = selection.index, selection.question
    chosen = one.values(question.refinement, question.stars)
    rest = selection.rest(one.name)

    def count(values: tuple[Any, ...]) -> int | None:
        """How many rows there are with exactly these values chosen."""
        if one.name == Filter.TRADEOFFS:
            return len(selection.tradeoffs) if values else selection.left.bit_count()
        if question.refinement.tradeoffs or not one.countable(values, fetched_stars, complete=complete):
            return None
        return rest.count(one.passing(index, values, question.anchor) if values else None)

    def least(value: Any) -> int:
        """How many of them have it where some are missing."""
        if fetched_stars or question.refinement.tradeoffs:
            return 0
        return rest.count(one.passing(index, (value,), question.anchor))

    def choice(value: Any) -> FacetValue:
        own, after = count((value,)), one.toggled(chosen, value)
        resulting = own if after == (value,) else count(after)
        return FacetValue(spelled(value), resulting, own, value in chosen, least(value) if own is None else 0)

    return Facet(one.name, tuple(choice(value) for value in one.choices(index, chosen, question.anchor)))


def drops(selection: Selection, fetched_stars: tuple[int, ...]) -> tuple[Drop, ...]:
    """Where no row passes: each filter with what it regains, the most helpful first; for `fetched_stars` see
    `facets`: what other stars would bring isn't in the rows."""
    found = (
        Drop(name, selection.without(name).count if FILTERS[name].countable((), fetched_stars) else None)
        for name in selection.active
    )
    return tuple(sorted(found, key=lambda drop: -(drop.regains or 0)))


def histogram(selection: Selection) -> Histogram | None:
    """The spread of headline totals; None with fewer than two different ones."""
    totals = _totals(selection.without(Filter.MAX_PRICE).without(MIN_PRICE))
    if not totals or totals[0] == totals[-1]:
        return None
    step = _step(totals)
    start = totals[0] // step * step
    used = min(MAX_BARS, int((totals[-1] - start) // step) + 1)
    edges = [start + step * number for number in range(used + 1)]
    below = [bisect_left(totals, edge) for edge in edges]
    bars = [
        Bar(edges[number], edges[number + 1], below[number + 1] - below[number]) for number in range(used)
    ]
    beyond = len(totals) - below[-1]
    if beyond:
        bars[-1] = Bar(edges[-2], None, bars[-1].count + beyond)
    return Histogram(tuple(bars), totals[0], totals[len(totals) // 2], totals[-1])


def _totals(selection: Selection) -> list[Decimal]:
    """The comparable headline totals, ascending."""
    totals = selection.index.comparable_totals
    found = [*map(selection.headline_ranks.__getitem__, selection.by_total)]
    return [*map(totals.__getitem__, found[: bisect_left(found, len(totals))])]


def _step(totals: list[Decimal]) -> Decimal:
    """The smallest of 1, 2, 5, 10... that shows all but the dearest twentieth in bars of its width."""
    spread = totals[len(totals) * 19 // 20] - totals[0] or totals[-1] - totals[0]
    power = Decimal(10) ** (spread / MAX_BARS).adjusted()
    steps = (digit * power * scale for scale in (1, 10) for digit in STEP_DIGITS)
    return next(step for step in steps if step * (MAX_BARS - 1) > spread)
