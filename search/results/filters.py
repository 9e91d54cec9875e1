"""A complete answer, refined: which properties pass the filters, in which order, by which of their offers.

Values within one filter are alternatives, filters narrow each other, and the filters about offers must be
met by one and the same offer: "free cancellation" and "at most 400" finds a room that is both. The cheapest
offer that passes is the row's headline; sort, histogram and cards take their total from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import cached_property, reduce
from math import inf
from operator import and_

import msgspec

from search.domain.hotels import Coordinates
from search.domain.query import MapArea, Refinement, Sort
from search.domain.text import fold

from .index import Planes, Row, RowIndex, bits, union

SEVERAL = ("stars", "type", "facility", "provider")
ROW_FACTS = ("stars", "type")
SWITCHES = ("free_cancellation", "pay_later", "deals")


class Question(msgspec.Struct, frozen=True):
    """What is asked of an answer. `stars` is the search's own filter; without `anchor` (where the airport
    `refinement.near` is) the filter `max_km` asks nothing and "nearest" means the gateway's distance."""

    refinement: Refinement
    stars: tuple[int, ...] = ()
    sort: Sort = Sort.PRICE
    anchor: Coordinates | None = None

    def chosen(self, name: str) -> tuple[str, ...]:
        """The values set for one of the filters that have several values or are switches."""
        if name == "stars":
            return tuple(str(star) for star in self.stars)
        value = getattr(self.refinement, name)
        if isinstance(value, bool):
            return ("1",) if value else ()
        return tuple(value)


class Selection:
    """One question put to one answer. `row_filters` and `offer_filters` hold what each active filter lets
    through, by its name in the address."""

    def __init__(self, index: RowIndex, question: Question) -> None:
        self.index = index
        self.question = question
        self.row_filters: dict[str, int] = {}
        self.offer_filters: dict[str, Planes] = {}
        for name in (*SEVERAL, *SWITCHES):
            self._add_values(name)
        self._add_limits(question.refinement)

    def _add_values(self, name: str) -> None:
        chosen = self.question.chosen(name)
        if not chosen:
            return
        if name in ROW_FACTS:
            self.row_filters[name] = rows_with(self.index, name, chosen)
        else:
            self.offer_filters[name] = planes_with(self.index, name, chosen)

    def _add_limits(self, refinement: Refinement) -> None:
        if refinement.max_price is not None:
            self.offer_filters["max_price"] = self.index.offers_at_most(refinement.max_price)
        if refinement.min_rating is not None:
            self.row_filters["min_rating"] = self.index.rated(refinement.min_rating)
        if refinement.max_km is not None and self.question.anchor is not None:
            self.row_filters["max_km"] = rows_within(
                self.index, self.question.anchor, float(refinement.max_km)
            )
        if refinement.name:
            self.row_filters["name"] = rows_named(self.index, refinement.name)
        if refinement.bbox is not None:
            self.row_filters["bbox"] = rows_inside(self.index, refinement.bbox)

    @property
    def active(self) -> tuple[str, ...]:
        return (*self.row_filters, *self.offer_filters)

    @cached_property
    def matching(self) -> int:
        """The set of rows that pass."""
        return self.rows_through(self.row_filters, self.offer_filters)

    @property
    def count(self) -> int:
        return self.matching.bit_count()

    def without_limit(self, name: str) -> Selection:
        """The selection without one of the refinement's filters; this very one if it isn't set."""
        if name not in self.active:
            return self
        refinement = self.question.refinement.without(name)
        return Selection(self.index, msgspec.structs.replace(self.question, refinement=refinement))

    def count_if(self, name: str, *, rows: int | None = None, planes: Planes | None = None) -> int:
        """How many rows would pass if `name` let through these instead; nothing given means without it."""
        row_filters = {other: passed for other, passed in self.row_filters.items() if other != name}
        offer_filters = {other: passed for other, passed in self.offer_filters.items() if other != name}
        if rows is not None:
            row_filters[name] = rows
        if planes is not None:
            offer_filters[name] = planes
        return self.rows_through(row_filters, offer_filters).bit_count()

    def rows_through(self, row_filters: Mapping[str, int], offer_filters: Mapping[str, Planes]) -> int:
        rows = reduce(and_, row_filters.values(), self.index.everything)
        return rows & union(self.planes_through(offer_filters)) if offer_filters else rows

    def planes_through(self, offer_filters: Mapping[str, Planes]) -> Planes:
        planes = self.index.offers
        for passed in offer_filters.values():
            planes = tuple(there & through for there, through in zip(planes, passed, strict=True))
        return planes

    @cached_property
    def headlines(self) -> list[int | None]:
        """For each row of the answer, which offer leads: the cheapest that passes, None without one."""
        leads: list[int | None] = [None] * len(self.index.rows)
        planes = self.planes_through(self.offer_filters)
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
        planes = self.planes_through(self.offer_filters)
        return tuple(plane for plane, there in enumerate(planes) if there >> number & 1)


def rows_with(index: RowIndex, name: str, values: tuple[str, ...]) -> int:
    return union(index.row_facts.get((name, value), 0) for value in values)


def planes_with(index: RowIndex, name: str, values: tuple[str, ...]) -> Planes:
    none = (0,) * len(index.offers)
    of_values = [index.offer_facts.get((name, value), none) for value in values]
    return tuple(union(planes) for planes in zip(none, *of_values, strict=True))


def rows_within(index: RowIndex, anchor: Coordinates, km: float) -> int:
    return index.numbers_where(away <= km for away in index.km_from(anchor))


def rows_named(index: RowIndex, text: str) -> int:
    """Rows whose name contains every word of `text`, accents and case aside."""
    words = fold(text).split()
    return index.numbers_where(all(word in name for word in words) for name in index.folded_names)


def rows_inside(index: RowIndex, area: MapArea) -> int:
    return index.rows_where(
        lambda row: (
            row.latitude is not None and row.longitude is not None and area.holds(row.latitude, row.longitude)
        )
    )


def _descending(value: Decimal | int | None) -> tuple[bool, Decimal | int]:
    return (value is None, 0 if value is None else -value)


def _distance(row: Row) -> tuple[int, str, float]:
    """Kilometres first, then each unit nobody knows for itself, then no distance."""
    if row.distance is None:
        return (2, "", 0.0)
    return (1 if row.unit else 0, row.unit, row.distance)
