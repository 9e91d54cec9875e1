"""How long totals last, by days before arrival and provider, measured on what was seen."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import groupby
from operator import add
from typing import Any, NamedTuple, Self

from django.utils import timezone
from django.utils.timezone import localdate

from .observed import LONGEST_GAP, ObservedTotal, Terms

# The newest rows that are looked at, so that the panel opens quickly on a large table.
MOST_ROWS = 20_000
A_WEEK = timedelta(days=7)
# With fewer changes nothing is said about how long a total lasts.
LEAST_CHANGES = 5
LEAST_LOOKS = 20
# So many of a hundred totals may have changed when the fresh time is over.
MOST_CHANGED = 5
# The first day of each band before arrival.
BANDS = (0, 4, 8, 31, 91)


class Lasting(NamedTuple):
    """For how long totals were seen in all, and how often they changed; of the last week, how many of the
    `looks` at a total that had been seen before `differed`. Empty `provider`: of all providers, no `band`:
    any time before arrival, else the place in `BANDS`."""

    provider: str
    band: int | None
    seen: timedelta = timedelta()
    changes: int = 0
    looks: int = 0
    differed: int = 0

    def plus(self, other: "Lasting") -> Self:
        sums: Iterator[Any] = map(add, self[2:], other[2:])
        return type(self)(self.provider, self.band, *sums)

    @property
    def differed_percent(self) -> int | None:
        """Of a hundred next looks of the last week; None while there were too few."""
        return round(100 * self.differed / self.looks) if self.looks >= LEAST_LOOKS else None

    @property
    def days(self) -> str:
        """`4–7`, `91+`; empty for any."""
        if self.band is None:
            return ""
        first, after = BANDS[self.band], BANDS[self.band + 1 : self.band + 2]
        return f"{first}–{after[0] - 1}" if after else f"{first}+"

    @property
    def lasts(self) -> timedelta | None:
        """How long a total lasts on average; None while too few changes were seen."""
        return self.seen / self.changes if self.changes >= LEAST_CHANGES else None

    @property
    def fresh_seconds(self) -> int | None:
        """The longest fresh time after which at most `MOST_CHANGED` of a hundred have changed, in whole
        minutes or hours and at most a day."""
        if self.lasts is None:
            return None
        seconds = max(60, int(self.lasts.total_seconds()) * MOST_CHANGED // 100)
        return min(seconds - seconds % (3_600 if seconds > 3_600 else 60), 86_400)


def lasting() -> list[Lasting]:
    """Of all, of each provider, and of each provider's bands."""
    measured: dict[tuple[str, int | None], Lasting] = {}
    for one in _each():
        for key in (("", None), (one.provider, None), (one.provider, one.band)):
            measured[key] = measured.get(key, Lasting(*key)).plus(one)
    # The one of all bands stands before its bands.
    return [
        measured[key] for key in sorted(measured, key=lambda key: (key[0], -1 if key[1] is None else key[1]))
    ]


def _each() -> Iterator[Lasting]:
    """For how long each total was seen to hold, and whether another one followed."""
    rows = sorted(ObservedTotal.objects.order_by("-last_seen")[:MOST_ROWS], key=_stay_then_time)
    for _stay, of_stay in groupby(rows, key=lambda row: _stay_then_time(row)[:-1]):
        runs = [*of_stay]
        for row, after in zip(runs, (*runs[1:], None), strict=True):
            if row.amount is not None:
                goes_on = after and after.first_seen - row.last_seen <= LONGEST_GAP
                yield _measured(row, after if goes_on else None)


def _measured(row: ObservedTotal, after: ObservedTotal | None) -> Lasting:
    until = after.first_seen if after else row.last_seen
    changes = int(after is not None and after.amount != row.amount)
    before = max((row.check_in - localdate(row.first_seen)).days, 0)
    band = max(place for place, first in enumerate(BANDS) if first <= before)
    measured = Lasting(row.provider, band, until - row.first_seen, changes)
    if until <= timezone.now() - A_WEEK:
        return measured
    # Each look but the first found the total of the one before, or another.
    return measured._replace(looks=row.times - 1 + bool(after), differed=changes)


def _stay_then_time(row: ObservedTotal) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in ("hotel", *Terms._fields, "first_seen"))
