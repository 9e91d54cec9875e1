"""A complete answer, refined: which properties pass the filters, in which order, by which of their offers.

Values within one filter are alternatives, filters narrow each other, and the filters about offers must be
met by one and the same offer: "free cancellation" and "at most 400" finds a room that is both. The cheapest
offer that passes leads its row; sort, histogram and cards take their total from it. `index` says what sets
of rows and of offers (planes) are.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import cached_property, reduce
from math import inf
from operator import and_

import msgspec

from search.domain.hotels import Coordinates
from search.domain.query import Refinement, Sort

from .filters import FILTERS
from .index import Passed, Planes, Row, RowIndex, bits, union


class Question(msgspec.Struct, frozen=True):
    """What is asked of an answer. `stars` is the search's own filter; without `anchor` (where the airport
    `refinement.near` is) the filter `max_km` asks nothing and "nearest" means the gateway's distance."""

    refinement: Refinement
    stars: tuple[int, ...] = ()
    sort: Sort = Sort.PRICE
    anchor: Coordinates | None = None


class Rest(msgspec.Struct, frozen=True):
    """What all filters but one let through; `planes` is None where no other is about offers."""

    rows: int
    planes: Planes | None

    def count(self, passed: Passed | None = None) -> int:
        """The size of the answer if that one let through these; without it if nothing is given."""
        rows, planes = self.rows, self.planes
        if isinstance(passed, int):
            rows &= passed
        elif passed is not None:
            planes = passed if planes is None else _both(planes, passed)
        return (rows if planes is None else rows & union(planes)).bit_count()


class Selection:
    """One question put to one answer. `filters` holds what each filter that is set lets through, by name;
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
        return (*self.row_filters, *self.offer_filters)

    @cached_property
    def matching(self) -> int:
        """The set of rows that pass."""
        rest = self.rest("")
        return rest.rows if rest.planes is None else rest.rows & union(rest.planes)

    @property
    def count(self) -> int:
        return self.matching.bit_count()

    def without(self, name: str) -> Selection:
        """The selection without one filter; this very one if it isn't set."""
        if name not in self.active:
            return self
        passed: dict[str, Passed] = {**self.row_filters, **self.offer_filters}
        del passed[name]
        return Selection(self.index, self.question, passed)

    def rest(self, name: str) -> Rest:
        """What all filters but this one let through."""
        rows = (passed for other, passed in self.row_filters.items() if other != name)
        offers = [passed for other, passed in self.offer_filters.items() if other != name]
        return Rest(reduce(and_, rows, self.index.everything), reduce(_both, offers) if offers else None)

    @cached_property
    def _passing(self) -> Planes:
        """The offers that pass the filters about offers."""
        return reduce(_both, self.offer_filters.values(), self.index.offers)

    @cached_property
    def headlines(self) -> list[int | None]:
        """For each row of the answer, which offer leads: the cheapest that passes, None without one."""
        leads: list[int | None] = [None] * len(self.index.rows)
        planes = self._passing
        for plane in range(len(planes) - 1, -1, -1):
            for number in bits(planes[plane]):
                leads[number] = plane
        return leads

    def ordered(self) -> list[int]:
        """The numbers of the matching rows in the order asked for.

        Every order is total: ties go to the lower total, then to the gateway's own order.
        """
        numbers = list(bits(self.matching))
        if self.question.sort is Sort.PROVIDER:
            return numbers
        ranks, leads = self.index.price_ranks, self.headlines
        prices = [inf if lead is None else of_row[lead] for of_row, lead in zip(ranks, leads, strict=True)]
        numbers.sort(key=prices.__getitem__)
        rows = self.index.rows
        if self.question.sort is Sort.RATING:
            numbers.sort(key=lambda number: _descending(rows[number].rating))
        elif self.question.sort is Sort.STARS:
            numbers.sort(key=lambda number: _descending(rows[number].stars))
        elif self.question.sort is Sort.DISTANCE:
            self._by_distance(numbers)
        return numbers

    def _by_distance(self, numbers: list[int]) -> None:
        rows, anchor = self.index.rows, self.question.anchor
        if anchor is not None:
            numbers.sort(key=self.index.km_from(anchor).__getitem__)
        else:
            numbers.sort(key=lambda number: _distance(rows[number]))

    def passing_offers(self, number: int) -> tuple[int, ...]:
        """Which offers of a row pass the filters about offers, the cheapest first."""
        planes = self._passing
        return tuple(plane for plane, there in enumerate(planes) if there >> number & 1)


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


def _descending(value: Decimal | int | None) -> tuple[bool, Decimal | int]:
    return (value is None, 0 if value is None else -value)


def _distance(row: Row) -> tuple[int, str, float]:
    """Kilometres first, then each unit nobody knows for itself, then no distance."""
    if row.distance is None:
        return (2, "", 0.0)
    return (1 if row.unit else 0, row.unit, row.distance)
