"""The rows of a search, refined: which pass the filters, in which order, led by which offer; then the effect
of each filter: counts beside its values, a histogram of totals, filters to drop.

Values within one filter are alternatives, filters narrow each other, and one and the same offer must pass
the filters about offers: "free cancellation" and "at most 400" finds a room that is both. The cheapest offer
that passes leads its row and gives it the total. `index` explains sets of rows and of slots.
"""

from bisect import bisect_left
from collections.abc import Mapping
from decimal import Decimal
from functools import reduce
from math import inf
from operator import and_
from typing import Any, NamedTuple

import msgspec
from django.utils.functional import cached_property

from search.domain.hotels import Coordinates
from search.domain.query import Filter, Refinement, Sort, spelled

from .filters import FILTERS, MIN_PRICE, ResultsFilter
from .index import Row, RowIndex, RowOffer, bits, skyline

MAX_BARS = 24
# So many others are enough to show where the best stand.
MAX_OTHERS = 150
# Farther than anything on Earth.
UNKNOWN_KM = 1e6
STEP_DIGITS = (Decimal(1), Decimal(2), Decimal(5))


class Question(msgspec.Struct, frozen=True):
    """A question to the rows. `stars` is the search's own filter; without `anchor`, from which distances are
    measured, the filter `max_km` asks nothing and "nearest" means the gateway's distance. The histogram is of
    totals of `1 / nights` of the stay."""

    refinement: Refinement
    stars: tuple[int, ...] = ()
    sort: Sort = Sort.PRICE
    anchor: Coordinates | None = None
    nights: int = 1


class Standing(NamedTuple):
    """The headline total of a row beside the `size` properties like it and itself: their middle total, and
    the highest of their lowest tenth."""

    size: int
    middle: Decimal
    total: Decimal
    tenth: Decimal


class Point(NamedTuple):
    """A row with its headline offer and total, and kilometres if known."""

    row: Row
    offer: RowOffer
    total: Decimal
    km: float | None


class Tradeoffs(NamedTuple):
    """The best trade-offs among `among` rows, by total, and some of the `others` with a rating. `rated` and
    `measured` say whether any of them has a rating or a distance."""

    best: tuple[Point, ...]
    others: tuple[Point, ...]
    among: int
    rated: bool
    measured: bool


class Selection:
    """One question to the rows. `filters` holds by name the slots that pass each filter in force; without it,
    they are those of the question."""

    def __init__(self, index: RowIndex, question: Question, filters: Mapping[str, int] | None = None) -> None:
        self.index = index
        self.question = question
        self.filters = _passed(index, question) if filters is None else filters

    def without(self, name: str) -> "Selection":
        """The selection without one filter; this very one if it isn't in force."""
        filters = {other: slots for other, slots in self.filters.items() if other != name}
        return Selection(self.index, self.question, filters) if name in self.filters else self

    @cached_property
    def passing(self) -> int:
        """The slots that pass."""
        return reduce(and_, self.filters.values(), self.index.everything)

    @cached_property
    def matching(self) -> int:
        """The set of rows that pass."""
        return self.index.rows_of(self.passing)

    @property
    def count(self) -> int:
        return self.matching.bit_count()

    @cached_property
    def tradeoffs(self) -> list[int]:
        """The numbers of the rows with the best trade-offs among the matching ones, by total. A missing
        rating or distance is worse than any; a row without a comparable total is none."""
        index, ranks = self.index, self.headline_ranks
        km = [min(one, UNKNOWN_KM) for one in index.kilometres(self.question.anchor)]
        end = bisect_left(self.by_total, len(index.comparable_totals), key=ranks.__getitem__)
        return skyline(self.by_total[:end], ranks, index.rating_ranks, km)

    @cached_property
    def by_total(self) -> list[int]:
        """The numbers of the matching rows by headline total, equals by name."""
        by_name = sorted(bits(self.matching), key=self.index.name_ranks.__getitem__)
        return sorted(by_name, key=self.headline_ranks.__getitem__)

    def described_tradeoffs(self) -> Tradeoffs:
        """The best trade-offs and some of the others."""
        rows, places, end = self.index.rows, self.headline_ranks, len(self.index.comparable_totals)
        best, left = self.tradeoffs, [*bits(self.matching)]
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
    def headlines(self) -> list[int | None]:
        """For each row the place of its leading offer: the cheapest that passes, None without one."""
        size = len(self.index.rows)
        leads: list[int | None] = [None] * size
        # The dearest first: the last one for a row is its cheapest.
        for slot in reversed([*bits(self.passing >> size)]):
            leads[slot % size] = slot // size
        return leads

    def leading(self, number: int) -> RowOffer | None:
        """The leading offer of a row, None without one."""
        lead = self.headlines[number]
        return None if lead is None else self.index.rows[number].offers[lead]

    @cached_property
    def headline_ranks(self) -> list[int]:
        """For each row the place of its leading offer among all prices; without one, after all of them."""
        if self.passing & self.index.all_rows:  # no filter is about offers
            return self.index.lowest_ranks
        ranks = zip(self.index.price_ranks, self.headlines, strict=True)
        return [self.index.price_count if lead is None else of_row[lead] for of_row, lead in ranks]

    def standing(self, number: int) -> Standing | None:
        """The headline total of a row beside those like it, None without a class or a total."""
        totals, own = self.index.comparable_totals, self.index.classes[number]
        place = self.headline_ranks[number]
        if own is None or place >= len(totals):
            return None
        return Standing(own.size, totals[own.middle], totals[place], totals[own.tenth])

    def ordered(self) -> list[int]:
        """The numbers of the matching rows in the order of the question; ties go to the lower total, then
        to the name: the gateway's own order may be another one at the next fetch."""
        rows, anchor = self.index.rows, self.question.anchor
        match self.question.sort:
            case Sort.PROVIDER:
                return list(bits(self.matching))
            case Sort.TRADEOFFS:
                best = frozenset(self.tradeoffs)
                return sorted(self.by_total, key=lambda number: number not in best)
            case Sort.RATING:
                # Ratings that read the same are the same: ties go to the lower total.
                return sorted(self.by_total, key=self.index.rating_ranks.__getitem__)
            case Sort.STARS:
                return sorted(self.by_total, key=lambda number: -(rows[number].stars or 0))
            case Sort.DISTANCE if anchor:
                return sorted(self.by_total, key=self.index.kilometres(anchor).__getitem__)
            case Sort.DISTANCE:
                return sorted(self.by_total, key=lambda number: _distance(rows[number]))
        return [*self.by_total]

    def passing_offers(self, number: int) -> tuple[int, ...]:
        """The places of the offers of a row that pass, the cheapest first."""
        size, offers = len(self.index.rows), self.index.rows[number].offers
        return tuple(nth for nth in range(len(offers)) if self.passing >> size * (nth + 1) + number & 1)


def _passed(index: RowIndex, question: Question) -> dict[str, int]:
    """The slots that pass each filter in force."""
    return {
        name: slots
        for name, one in FILTERS.items()
        if (chosen := one.values(question.refinement, question.stars))
        and (slots := one.passing(index, chosen, question.anchor)) is not None
    }


def _distance(row: Row) -> tuple[bool, str, float]:
    """Kilometres (no unit) first, then each unknown unit by itself, then no distance."""
    return (row.distance is None, row.unit, row.distance or 0.0)


class FacetValue(msgspec.Struct, frozen=True):
    """One choice of a filter. `count` is how many rows there are once it is toggled, `own` how many of those
    that pass the other filters have this very value; None if the rows can't tell. `least` is then how many
    rows have it: there may be more."""

    value: str
    count: int | None
    own: int | None
    selected: bool
    least: int = 0


# Filters with something to choose by their names in the address; values in an order that doesn't move while
# filtering.
Facets = dict[str, tuple[FacetValue, ...]]


class Bar(msgspec.Struct, frozen=True):
    """Properties with a headline total of at least `low` and below `high` (None: the rest)."""

    low: Decimal
    high: Decimal | None
    count: int


class Histogram(msgspec.Struct, frozen=True):
    """Headline totals under every filter but the price limits; `lowest`, `middle` and `highest` are totals of
    hotels: as many are below the middle as above."""

    bars: tuple[Bar, ...]
    lowest: Decimal
    middle: Decimal
    highest: Decimal


def counts(
    selection: Selection, fetched_stars: tuple[int, ...], *, complete: bool
) -> tuple[Facets, Histogram | None]:
    """The counts beside filters, see `facets`. Neither another page nor another order changes them: the index
    keeps those of the last filters."""
    index, question = selection.index, selection.question
    asked = (question.refinement.filters, question.stars, question.anchor, question.nights)
    key = (asked, fetched_stars, complete)
    if index.counts[0] != key:
        counted = facets(selection, fetched_stars, complete=complete), histogram(selection)
        index.counts = key, counted
        return counted
    last: tuple[Facets, Histogram | None] = index.counts[1]
    return last


def facets(selection: Selection, fetched_stars: tuple[int, ...] = (), *, complete: bool = True) -> Facets:
    """`fetched_stars` are those of the search that brought the rows (none: all), `complete` says whether
    these are all: other stars are another search, whose counts some of the rows can't promise."""
    every = {name: _values(selection, one, fetched_stars, complete) for name, one in FILTERS.items()}
    return {name: values for name, values in every.items() if values}


def _values(
    selection: Selection, one: ResultsFilter, fetched_stars: tuple[int, ...], complete: bool
) -> tuple[FacetValue, ...]:
    index, question = selection.index, selection.question
    chosen = one.values(question.refinement, question.stars)
    rest = selection.without(one.name).passing

    def matching(values: tuple[Any, ...]) -> int:
        """How many of the rows match with exactly these values chosen."""
        passed = one.passing(index, values, question.anchor) if values else None
        return index.rows_of(rest if passed is None else rest & passed).bit_count()

    def count(values: tuple[Any, ...]) -> int | None:
        """The same, None if the rows can't tell."""
        return matching(values) if one.countable(values, fetched_stars, complete=complete) else None

    def choice(value: Any) -> FacetValue:
        own, after = count((value,)), one.toggled(chosen, value)
        resulting = own if after == (value,) else count(after)
        least = matching((value,)) if own is None and not fetched_stars else 0
        return FacetValue(spelled(value), resulting, own, value in chosen, least)

    return tuple(choice(value) for value in one.choices(index, chosen, question.anchor))


def drops(selection: Selection, fetched_stars: tuple[int, ...]) -> dict[str, int | None]:
    """If no row passes: how many match without each filter, the most helpful first; None if the rows, which
    are those of `fetched_stars` (see `facets`), can't tell."""
    regained = {
        name: selection.without(name).count if FILTERS[name].countable((), fetched_stars) else None
        for name in selection.filters
    }
    return dict(sorted(regained.items(), key=lambda drop: -(drop[1] or 0)))


def histogram(selection: Selection) -> Histogram | None:
    """The spread of headline totals; None with fewer than two different ones."""
    of_stay = _totals(selection.without(Filter.MAX_PRICE).without(MIN_PRICE))
    totals = [total / selection.question.nights for total in of_stay]
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
    totals, ranks = selection.index.comparable_totals, selection.headline_ranks
    return [totals[ranks[number]] for number in selection.by_total if ranks[number] < len(totals)]


def _step(totals: list[Decimal]) -> Decimal:
    """The smallest width of 1, 2, 5, 10... whose bars show all but the dearest twentieth."""
    spread = totals[len(totals) * 19 // 20] - totals[0] or totals[-1] - totals[0]
    power = Decimal(10) ** (spread / MAX_BARS).adjusted()
    steps = (digit * power * scale for scale in (1, 10) for digit in STEP_DIGITS)
    return next(step for step in steps if step * (MAX_BARS - 1) > spread)
