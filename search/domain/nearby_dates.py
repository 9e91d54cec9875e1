"""The same length of stay a few days earlier or later."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from .money import Money
from .stay import StayDates

MOST_DAYS_OFF = 3


class DatesTotal(msgspec.Struct, frozen=True):
    """The lowest total found for some dates: of every place when `whole`, else of the first page of them.

    `lowest` is None where nothing has a price; `known` is False where the gateway didn't answer.
    """

    dates: StayDates
    lowest: Money | None
    whole: bool
    known: bool


def dates_around(dates: StayDates, today: date) -> tuple[StayDates, ...]:
    """`dates` and those up to three days off, in order, none in the past."""
    shifts = (timedelta(days=days) for days in range(-MOST_DAYS_OFF, MOST_DAYS_OFF + 1))
    moved = (StayDates(dates.check_in + shift, dates.check_out + shift) for shift in shifts)
    return tuple(one for one in moved if one.check_in >= today)
