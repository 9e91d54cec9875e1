"""What each filter would do to an answer: counts beside its values, a histogram of totals, what to drop."""

from __future__ import annotations

from bisect import bisect_left
from decimal import Decimal
from typing import Any

import msgspec

from search.domain.query import Filter, spelled

from .filters import FILTERS, ResultsFilter
from .index import bits
from .selection import Selection

MAX_BARS = 24
STEP_DIGITS = (Decimal(1), Decimal(2), Decimal(5))


class FacetValue(msgspec.Struct, frozen=True):
    """One choice of a filter. `count` is the size of the answer once it is toggled, `own` how many
    properties that pass the other filters have this very value; None where the rows can't tell."""

    value: str
    count: int | None
    own: int | None
    selected: bool


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
    """Headline totals under every filter but the price limit; `lowest` and `highest` are real totals."""

    bars: tuple[Bar, ...]
    lowest: Decimal
    highest: Decimal


class Drop(msgspec.Struct, frozen=True):
    """A filter by its name, and how many properties there would be without it (None: the rows can't tell)."""

    name: str
    regains: int | None


def facets(
    selection: Selection, held_stars: tuple[int, ...] = (), *, complete: bool = True
) -> tuple[Facet, ...]:
    """Every filter with something to choose in this answer.

    `held_stars` are the star ratings the rows were asked for; empty means all of them. `complete` says
    whether the rows are all there are: choosing stars asks a new question, so among some of the rows there
    is no count to promise.
    """
    found = (_facet(selection, one, held_stars, complete) for one in FILTERS.values())
    return tuple(facet for facet in found if facet.values)


def _facet(selection: Selection, one: ResultsFilter, held_stars: tuple[int, ...], complete: bool) -> Facet:
    index, question = selection.index, selection.question
    chosen = one.values(question.refinement, question.stars)
    rest = selection.rest(one.name)

    def count(values: tuple[Any, ...]) -> int | None:
        """The size of the answer with exactly these values chosen."""
        if not one.countable(values, held_stars, complete=complete):
            return None
        return rest.count(one.passing(index, values, question.anchor) if values else None)

    def choice(value: Any) -> FacetValue:
        own, after = count((value,)), one.toggled(chosen, value)
        return FacetValue(spelled(value), own if after == (value,) else count(after), own, value in chosen)

    return Facet(one.name, tuple(choice(value) for value in one.choices(index, chosen, question.anchor)))


def drops(selection: Selection, held_stars: tuple[int, ...] = ()) -> tuple[Drop, ...]:
    """For an answer that came out empty: each filter with what it regains, the most helpful first.

    `held_stars` as for `facets`: what other stars would bring isn't in the rows.
    """
    found = (
        Drop(name, selection.rest(name).count() if FILTERS[name].countable((), held_stars) else None)
        for name in selection.active
    )
    return tuple(sorted(found, key=lambda drop: -(drop.regains or 0)))


def histogram(selection: Selection) -> Histogram | None:
    """The spread of headline totals; None with fewer than two different ones."""
    totals = _totals(selection.without(Filter.MAX_PRICE))
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
    return Histogram(tuple(bars), totals[0], totals[-1])


def _totals(selection: Selection) -> list[Decimal]:
    """The comparable headline totals, ascending. Sorted by place: comparing integers is far quicker."""
    leads, places, totals = (
        selection.headlines,
        selection.index.price_ranks,
        selection.index.comparable_totals,
    )
    found = [
        places[number][lead] for number in bits(selection.matching) if (lead := leads[number]) is not None
    ]
    return [totals[place] for place in sorted(found) if place < len(totals)]


def _step(totals: list[Decimal]) -> Decimal:
    """The smallest of 1, 2, 5, 10... that shows all but the dearest twentieth in bars of its width."""
    spread = totals[len(totals) * 19 // 20] - totals[0] or totals[-1] - totals[0]
    power = Decimal(10) ** (spread / MAX_BARS).adjusted()
    steps = (digit * power * scale for scale in (1, 10) for digit in STEP_DIGITS)
    return next(step for step in steps if step * (MAX_BARS - 1) > spread)
