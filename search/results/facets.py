"""What each filter would do to an answer: counts beside its values, a histogram of totals, what to drop."""

from __future__ import annotations

from bisect import bisect_left
from decimal import Decimal

import msgspec

from .filters import ROW_FACTS, SEVERAL, SWITCHES, Selection, planes_with, rows_with, rows_within
from .index import bits

MAX_BARS = 24
KM_STEPS = (1, 2, 5, 10, 25, 50)
# The gateway doesn't name its rating scale: the smallest that holds every rating, with its useful limits.
RATING_STEPS = (
    (5, (Decimal("4.5"), Decimal(4), Decimal("3.5"), Decimal(3))),
    (10, (Decimal(9), Decimal(8), Decimal(7), Decimal(6))),
    (100, (Decimal(90), Decimal(80), Decimal(70), Decimal(60))),
)
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
    found = [_several(selection, name) for name in SEVERAL if name != "stars"]
    found.insert(0, _stars(selection, held_stars, complete))
    found += [_several(selection, name) for name in SWITCHES]
    found += [_min_rating(selection), _max_km(selection)]
    return tuple(facet for facet in found if facet.values)


def _several(selection: Selection, name: str) -> Facet:
    chosen = selection.question.chosen(name)
    values = selection.index.values(name) or (["1"] if name in SWITCHES else [])
    values += [value for value in chosen if value not in values]
    return Facet(
        name,
        tuple(
            FacetValue(
                value, _toggled(selection, name, value), _size(selection, name, (value,)), value in chosen
            )
            for value in values
        ),
    )


def _stars(selection: Selection, held: tuple[int, ...], complete: bool) -> Facet:
    chosen = selection.question.stars
    values = []
    for star in range(5, 0, -1):
        after = set(chosen) ^ {star}
        told = complete and (not held or (after and after <= set(held)))
        values.append(
            FacetValue(
                value=str(star),
                count=_toggled(selection, "stars", str(star)) if told else None,
                own=_size(selection, "stars", (str(star),))
                if complete and (not held or star in held)
                else None,
                selected=star in chosen,
            )
        )
    return Facet("stars", tuple(values))


def _toggled(selection: Selection, name: str, value: str) -> int:
    chosen = selection.question.chosen(name)
    after = tuple(one for one in chosen if one != value) if value in chosen else (*chosen, value)
    return _size(selection, name, after)


def _size(selection: Selection, name: str, values: tuple[str, ...]) -> int:
    """The answer's size with exactly these values chosen for one filter."""
    if not values:
        return selection.count_if(name)
    if name in ROW_FACTS:
        return selection.count_if(name, rows=rows_with(selection.index, name, values))
    return selection.count_if(name, planes=planes_with(selection.index, name, values))


def _min_rating(selection: Selection) -> Facet:
    chosen = selection.question.refinement.min_rating
    ratings, _numbers = selection.index.ratings
    steps = next((steps for scale, steps in RATING_STEPS if ratings and ratings[-1] <= scale), ())
    return Facet("min_rating", _limits(selection, "min_rating", steps, chosen))


def _max_km(selection: Selection) -> Facet:
    steps = KM_STEPS if selection.question.anchor is not None else ()
    chosen = selection.question.refinement.max_km if steps else None
    return Facet("max_km", _limits(selection, "max_km", tuple(map(Decimal, steps)), chosen))


def _limits(
    selection: Selection, name: str, steps: tuple[Decimal, ...], chosen: Decimal | None
) -> tuple[FacetValue, ...]:
    """The choices of a filter that has one value at a time, the chosen one among them."""
    if chosen is not None and chosen not in steps:
        steps = tuple(sorted((*steps, chosen), reverse=name == "min_rating"))
    values = []
    for step in steps:
        own = selection.count_if(name, rows=_within_limit(selection, name, step))
        count = selection.count_if(name) if step == chosen else own
        values.append(FacetValue(format(step.normalize(), "f"), count, own, step == chosen))
    return tuple(values)


def _within_limit(selection: Selection, name: str, step: Decimal) -> int:
    if name == "min_rating":
        return selection.index.rated(step)
    anchor = selection.question.anchor
    return rows_within(selection.index, anchor, float(step)) if anchor else 0


def drops(selection: Selection, held_stars: tuple[int, ...] = ()) -> tuple[Drop, ...]:
    """For an answer that came out empty: each filter with what it regains, the most helpful first.

    `held_stars` as for `facets`: what other stars would bring isn't in the rows.
    """
    found = [
        Drop(name, None if name == "stars" and held_stars else selection.count_if(name))
        for name in selection.active
    ]
    return tuple(sorted(found, key=lambda drop: -(drop.regains or 0)))


def histogram(selection: Selection) -> Histogram | None:
    """The spread of headline totals; None with fewer than two different ones."""
    totals = sorted(_totals(selection.without_limit("max_price")))
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
    leads = selection.headlines
    found = []
    for number in bits(selection.matching):
        lead = leads[number]
        total = None if lead is None else selection.index.rows[number].offers[lead].comparable
        if total is not None:
            found.append(total)
    return found


def _step(totals: list[Decimal]) -> Decimal:
    """The smallest of 1, 2, 5, 10... that shows all but the dearest twentieth in bars of its width."""
    spread = totals[len(totals) * 19 // 20] - totals[0] or totals[-1] - totals[0]
    power = Decimal(10) ** (spread / MAX_BARS).adjusted()
    steps = (digit * power * scale for scale in (1, 10) for digit in STEP_DIGITS)
    return next(step for step in steps if step * (MAX_BARS - 1) > spread)
