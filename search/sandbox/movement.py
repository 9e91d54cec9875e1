"""How an offer moves from one day of asking to another: its price in small steps, now and then sold out.

Within a day nothing moves. Each offer has days of its own on which it moves, four to nine days apart; what it
is from one of them to the next depends on nothing but the offer, its check-in and that day.
"""

from __future__ import annotations

from datetime import date

from search.sandbox.rng import scatter

# Nothing moves so early; a sandbox that isn't told the day is asked before any stay.
STILL_UNTIL_DAYS = 365
LONG_BEFORE = date.min
_STEADY = 1000
# A step of 30 down after 30 up, or the reverse, and what nine days nearer add stay within eight per cent.
_SWING = 30
_SWINGS = 2 * _SWING + 1
# An offer moves every four to nine days, from any of 504 days on, which all six divide.
HABITS = 6 * 504
_DEARER_FROM_DAYS, _DEARER_BY = 90, 150


def _near(lead: int) -> tuple[int, int]:
    """The least per mille of a price so many days ahead, and how many in a thousand are sold out."""
    dearer = max(0, _DEARER_FROM_DAYS - lead) * _DEARER_BY // _DEARER_FROM_DAYS
    return _STEADY - _SWING + dearer, 15 + max(0, 60 - lead) // 2


_NEAR = [_near(lead) for lead in range(STILL_UNTIL_DAYS + 1)]


def move(number: int, salt: int, habit: int, checkin: int, asked: int) -> tuple[int, bool]:
    """The offer on the day asked: per mille of its price long before, and whether it is sold out.

    Dearer towards check-in; a few in a hundred are sold out, more of them near it. ``salt`` is the provider's
    own number, ``habit`` (below ``HABITS``) tells on which days the offer moves; both days are counted from
    the beginning of the calendar.
    """
    turn, since = divmod(asked + habit // 6, 4 + habit % 6)
    lead = checkin - asked + since
    if lead > STILL_UNTIL_DAYS:
        return _STEADY, False
    draw = scatter(number, (turn * 4_000_000 + checkin) * 2000 + salt, 1_000_000)
    least, sold_out = _NEAR[lead if lead > 0 else 0]
    return least + draw % _SWINGS, draw // 1000 < sold_out
