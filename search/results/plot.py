"""The best trade-offs on a plot of total against rating, drawn on the server, and as a table."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import msgspec

from search.domain.money import Money
from search.web import formatting
from search.web.formatting import Reader
from search.web.labels import name_or_place
from search.web.links import Links
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy

from .selection import Point, Tradeoffs

# Where the dots are, in percent of the drawing: beside them stand the ratings, below them the totals. Those
# without a rating are on the lowest line, by themselves.
LEFT, RIGHT, TOP, LOWEST_RATED, BOTTOM = 16.0, 96.0, 9.0, 74.0, 85.0
# A number needs so much room, in percent of a phone's drawing.
NUMBER_WIDTH, NUMBER_HEIGHT = 7.0, 10.0

# What no other is, by whether any has a rating and any a distance.
_NO_OTHER = {
    (True, True): gettext_lazy("%(count)s of %(all)s: no other is cheaper, better rated and nearer at once"),
    (True, False): gettext_lazy("%(count)s of %(all)s: no other is cheaper and better rated at once"),
    (False, True): gettext_lazy("%(count)s of %(all)s: no other is cheaper and nearer at once"),
    (False, False): gettext_lazy("%(count)s of %(all)s: no other is cheaper"),
}


class Dot(msgspec.Struct, frozen=True):
    """One property on the plot and in the table; empty strings are unknown. `x` and `y` are percentages,
    `number` is its place in the table, 0 for those that aren't among the best; `numbered` says whether there
    is room to write it."""

    number: int
    name: str
    href: str
    total: str
    rating: str
    distance: str
    x: float
    y: float
    numbered: bool = False

    @property
    def words(self) -> str:
        """What the dot is called: its number first, which is what one sees of it."""
        return " · ".join(
            filter(None, (str(self.number or ""), self.name, self.total, self.rating, self.distance))
        )


class Tick(msgspec.Struct, frozen=True):
    """A mark of an axis: its words, and where, in percent of the drawing."""

    text: str
    at: float


@dataclass(frozen=True)
class TradeoffsPlot:
    """Parameters of results/tradeoffs.html."""

    tradeoffs: Tradeoffs
    reader: Reader
    links: Links

    @property
    def sentence(self) -> str:
        """`9 of 412: no other is cheaper, better rated and nearer at once`."""
        found, number = self.tradeoffs, self.reader.number
        text = str(_NO_OTHER[found.rated, found.measured])
        return text % {"count": number(len(found.best)), "all": number(found.among)}

    @cached_property
    def best(self) -> tuple[Dot, ...]:
        found: list[Dot] = []
        for number, point in enumerate(self.tradeoffs.best, 1):
            dot = self._dot(point, number)
            crowded = any(one.numbered and _touch(one, dot) for one in found)
            found.append(msgspec.structs.replace(dot, numbered=not crowded))
        return tuple(found)

    @cached_property
    def others(self) -> tuple[Dot, ...]:
        """Those that the scale holds: a few very dear ones would leave no room for all the rest."""
        return tuple(self._dot(point, 0) for point in self.tradeoffs.others if point.total <= self._totals[1])

    @property
    def totals(self) -> tuple[Tick, ...]:
        """The ends of the scale of totals, and its middle."""
        low, high = self._totals
        ends = dict.fromkeys((low, (low * high).sqrt(), high))
        return tuple(Tick(self._whole(total), self._x(total)) for total in ends)

    @property
    def ratings(self) -> tuple[Tick, ...]:
        """The best rating and the lowest, and the row of those without one."""
        low, high = self._ratings
        rated = dict.fromkeys((high, low)) if self.tradeoffs.rated else ()
        shown = tuple(Tick(self._rating(one), self._y(one)) for one in rated)
        return (*shown, Tick(_("none"), BOTTOM)) if self._unrated else shown

    @property
    def _unrated(self) -> bool:
        """Whether one of the best has no rating."""
        return any(point.row.rating is None for point in self.tradeoffs.best)

    @cached_property
    def _totals(self) -> tuple[Decimal, Decimal]:
        """The lowest total, and the highest of all but the dearest twentieth that aren't among the best."""
        best = [point.total for point in self.tradeoffs.best]
        others = sorted(point.total for point in self.tradeoffs.others)
        return min([*best, *others]), max([*best, *others[: len(others) * 19 // 20 + 1]])

    @cached_property
    def _ratings(self) -> tuple[Decimal, Decimal]:
        points = (*self.tradeoffs.best, *self.tradeoffs.others)
        found = [point.row.rating for point in points if point.row.rating is not None]
        return (min(found), max(found)) if found else (Decimal(0), Decimal(0))

    def _dot(self, point: Point, number: int) -> Dot:
        row, offer = point.row, point.offer
        return Dot(
            number,
            name_or_place(row.name, row.place),
            self.links.property(offer.provider, offer.property_id),
            self.reader.money(Money(point.total, self.links.search.currency)),
            self._rating(row.rating),
            "" if point.km is None else formatting.kilometres(point.km, self.reader.numbers),
            self._x(point.total),
            self._y(row.rating),
        )

    def _rating(self, rating: Decimal | None) -> str:
        return "" if rating is None else formatting.one_decimal(rating, self.reader.numbers)

    def _whole(self, total: Decimal) -> str:
        return formatting.whole_money(total, self.links.search.currency, self.reader.numbers)

    def _x(self, total: Decimal) -> float:
        """Twice the total is the same way anywhere: most totals are near the lowest."""
        low, high = self._totals
        return _between(total.ln(), low.ln(), high.ln(), LEFT, RIGHT)

    def _y(self, rating: Decimal | None) -> float:
        if rating is None:
            return BOTTOM
        return _between(rating, *self._ratings, LOWEST_RATED if self._unrated else BOTTOM, TOP)


def _between(value: Decimal, low: Decimal, high: Decimal, start: float, end: float) -> float:
    share = float((value - low) / (high - low)) if high > low else 0.5
    return round(start + share * (end - start), 1)


def _touch(one: Dot, other: Dot) -> bool:
    return abs(one.x - other.x) < NUMBER_WIDTH and abs(one.y - other.y) < NUMBER_HEIGHT
