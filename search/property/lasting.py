"""How long totals last, by days before arrival and provider, measured on what was seen."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import groupby
from typing import Any, NamedTuple, Self

from django.utils.timezone import localdate

from .observed import LONGEST_GAP, ObservedTotal, Terms

# The newest rows that are looked at, so that the panel opens quickly on a large table.
MOST_ROWS = 20_000
# With fewer changes nothing is said about how long a total lasts.
LEAST_CHANGES = 5
# So many of a hundred totals may have changed when the fresh time is over.
MOST_CHANGED = 5
# The first day of each band before arrival.
BANDS = (0, 4, 8, 31, 91)


class Lasting(NamedTuple):
    """For how long totals were seen in all, and how often they changed; empty `provider`: of all providers,
    no `band`: any time before arrival, else the place in `BANDS`."""

    provider: str
    band: int | None
    seen: timedelta = timedelta()
    changes: int = 0

    def plus(self, seen: timedelta, changes: int) -> Self:
        return self._replace(seen=self.seen + seen, changes=self.changes + changes)

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
    for row, seen, changes in _stretches():
        before = (row.check_in - localdate(row.first_seen)).days
        band = max(place for place, first in enumerate(BANDS) if first <= max(before, 0))
        for key in (("", None), (row.provider, None), (row.provider, band)):
            measured[key] = measured.get(key, Lasting(*key)).plus(seen, changes)
    # The one of all bands stands before its bands.
    return [
        measured[key] for key in sorted(measured, key=lambda key: (key[0], -1 if key[1] is None else key[1]))
    ]


def _stretches() -> Iterator[tuple[ObservedTotal, timedelta, int]]:
    """Each total with how long it was seen to hold, and 1 if another one followed."""
    rows = sorted(ObservedTotal.objects.order_by("-last_seen")[:MOST_ROWS], key=_stay_then_time)
    for _stay, of_stay in groupby(rows, key=lambda row: _stay_then_time(row)[:-1]):
        runs = [*of_stay]
        for row, after in zip(runs, (*runs[1:], None), strict=True):
            if row.amount is None:
                continue
            if after and after.first_seen - row.last_seen <= LONGEST_GAP:
                yield row, after.first_seen - row.first_seen, int(after.amount != row.amount)
            else:
                yield row, row.last_seen - row.first_seen, 0


def _stay_then_time(row: ObservedTotal) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in ("hotel", *Terms._fields, "first_seen"))
