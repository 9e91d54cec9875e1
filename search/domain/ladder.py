"""What more comfort costs: from the cheapest total of a listing to free cancellation and breakfast."""

import msgspec

from .money import Money
from .offers import PricedOffer, price_rank


class Step(msgspec.Struct, frozen=True):
    """The cheapest offer that has what the step is about. `more` is what its total adds to that of the step
    before; None for the first step."""

    priced: PricedOffer
    more: Money | None = None

    @property
    def free_cancellation(self) -> bool:
        return self.priced.offer.free_cancellation

    @property
    def breakfast(self) -> bool:
        return self.priced.offer.breakfast

    def has(self, extras: tuple[str, ...]) -> bool:
        return all(getattr(self, extra) for extra in extras)


# In the order in which they are asked for, each on top of those before that some offer has.
_EXTRAS = ("free_cancellation", "breakfast")


def ladder(ranked: tuple[PricedOffer, ...], currency: str) -> tuple[Step, ...]:
    """The steps from the cheapest total upwards, each dearer than the one before; empty without a comparable
    total. An extra that no offer has is no step; where it costs nothing more, the step before has it."""
    comparable = [Step(one) for one in ranked if price_rank(one, currency)[0] == 0]
    if not comparable:
        return ()
    steps, asked = comparable[:1], tuple[str, ...]()
    for extra in _EXTRAS:
        found = next((one for one in comparable if one.has((*asked, extra))), None)
        if found is not None:
            asked = (*asked, extra)
            steps = _with_step(steps, found)
    return tuple(steps)


def _with_step(steps: list[Step], found: Step) -> list[Step]:
    """`found` on top, or in the place of the last step where it has the same total."""
    last = steps[-1]
    dearer = _total(found) - _total(last)
    if dearer.amount > 0:
        return [*steps, Step(found.priced, dearer)]
    return [*steps[:-1], Step(found.priced, last.more)]


def _total(step: Step) -> Money:
    assert step.priced.total is not None  # comparable offers have one
    return step.priced.total.total
