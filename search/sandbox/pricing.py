"""Prices: a property's nightly rate, the nights of a stay, and how providers move them from day to day.

All arithmetic is in whole minor units, so that a stay is exactly the sum of its nights. Exchange rates are a
fixed table: the sandbox's money never moves with the market. Within a day nothing moves. Each offer has days
of its own on which it moves, four to nine days apart; its state between two of them depends on nothing but
the offer, its check-in and the first of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property, lru_cache
from typing import NamedTuple

from search.sandbox import read_toml
from search.sandbox.properties import PROVIDERS, providers_of
from search.sandbox.rng import scatter, seed
from search.sandbox.world import City, stars_of, world

_EURO_CENTS = {1: 3400, 2: 5200, 3: 8100, 4: 12600, 5: 23800}
_GUESTS = (100, 82, 100, 124, 146, 172, 196)  # per cent of the price for two, from 0 to 6 guests
_WEEKDAYS = (96, 94, 95, 98, 112, 118, 99)  # Monday first
# In so many ways the prices of houses drift from night to night.
_DRIFTS = 80
# So many different terms of sale there are in the world; what is rare must be among them.
SHEETS = 2048
# An offer's throw: by how many per mille it is dearer, its sheet, and on which days it moves. An offer moves
# every four to nine days, from any of 504 days on, which all six divide.
_DEARER, _HABITS = 60, 6 * 504
# A night in parts: what a provider makes of it is cut to parts of ten thousand millions.
_CUT, _WHOLE = 10**12, 10**13
# Nothing moves so early; a sandbox without a day is asked before any stay.
STILL_UNTIL_DAYS = 365
LONG_BEFORE = date.min
# A step of 30 down after 30 up, or the reverse, and what nine days nearer add stay within eight per cent.
_SWING = 30
_DEARER_FROM_DAYS, _DEARER_BY = 90, 150


@dataclass(frozen=True, slots=True)
class Currency:
    """`minor` units make one of it, `rate` of them buy a thousand euros."""

    code: str
    minor: int
    rate: int


CURRENCIES = {
    code: Currency(code, 10**decimals, thousandths * 10**decimals)
    for code, (thousandths, decimals) in read_toml("currencies.toml").items()
}


def exchange(minor: int, source: Currency, target: Currency) -> int:
    """Minor units of one currency as minor units of another, rounded half up."""
    return (2 * minor * target.rate + source.rate) // (2 * source.rate)


def own_currency_of(city: City) -> Currency:
    """The currency properties charge in: their country's, or US dollars where the table has no rate."""
    return CURRENCIES.get(city.country.currency, CURRENCIES["USD"])


class Quote(NamedTuple):
    """What one provider asks for the stay, in minor units of the currency asked for, and on which terms."""

    provider: str
    price: int
    sold_out: bool
    sheet: int


@dataclass(frozen=True)
class Stay:
    """What is asked: from when to when, for how many, in which currency, for which market, on which day.

    `moved` is a change of every price in per cent, `nightly` gives prices per night: see weather.py.
    """

    checkin: date
    checkout: date
    guests: int
    currency: str
    market: str
    moved: int = 0
    nightly: bool = False
    asked: date = LONG_BEFORE

    @cached_property
    def nights(self) -> int:
        """The number of nights, 1 to 27."""
        return (self.checkout - self.checkin).days

    @cached_property
    def share(self) -> int:
        """What guests, weather, market and currency make of every price: parts of a million millions."""
        more = max(0, self.guests - len(_GUESTS) + 1)
        percent = (_GUESTS[self.guests - more] + 24 * more) * (100 + self.moved)
        return percent * (992 + seed("market", self.market) % 17) * CURRENCIES[self.currency].rate


def quotes(number: int, stay: Stay) -> Iterator[Quote]:
    """What each of a property's providers asks for the stay on the day it is asked for."""
    city = world().city_of(number)
    side = 0 if abs(city.latitude) < 15 else (1 if city.latitude > 0 else -1)
    nights = [
        factor * (960 + (number % _DRIFTS + day * day * 40503) % _DRIFTS)
        for day, factor in _calendar(stay.checkin, stay.nights, side)
    ]
    crowd = 82 + int(7 * math.log10(city.stop - city.start) ** 1.5)
    mixed = number * 2654435761
    house = 62 + mixed // 1_009 % 50 + mixed // 10_007 % 50  # per cent, most often about 110
    usual = _EURO_CENTS[stars_of(number)] * crowd * house // 10_000 * stay.share
    for provider in providers_of(number):
        level = PROVIDERS[provider].level
        habit, throw = divmod(scatter(number, level, _HABITS * SHEETS * _DEARER), SHEETS * _DEARER)
        sheet, dearer = divmod(throw, _DEARER)
        moved, sold_out = _move(number, level, habit, stay)
        share = usual * (level + dearer) * moved // _CUT
        price = sum((night * share + _WHOLE // 2) // _WHOLE for night in nights)
        yield Quote(provider, price, sold_out, sheet)


@lru_cache(maxsize=64)
def _calendar(checkin: date, nights: int, side: int) -> list[tuple[int, int]]:
    """Each night with its season and weekday as parts of ten thousand. `side` is 1 in the north, -1 in the
    south, 0 near the equator."""
    calendar = []
    for night in (checkin + timedelta(days) for days in range(nights)):
        summer = math.cos((night.timetuple().tm_yday - 205) / 365.25 * 2 * math.pi)
        christmas = 22 if (night.month, night.day) >= (12, 23) else 0
        season = 100 + round(17 * summer * side) + christmas
        calendar.append((night.toordinal(), season * _WEEKDAYS[night.weekday()]))
    return calendar


def _move(number: int, salt: int, habit: int, stay: Stay) -> tuple[int, bool]:
    """The offer on the day asked: per mille of its price long before, and whether it is sold out. It is
    dearer and more often sold out towards check-in. `salt` is the provider's own number, `habit`
    (below `_HABITS`) tells on which days the offer moves."""
    checkin, asked = stay.checkin.toordinal(), stay.asked.toordinal()
    turn, since = divmod(asked + habit // 6, 4 + habit % 6)
    lead = max(0, checkin - asked + since)
    if lead > STILL_UNTIL_DAYS:
        return 1000, False
    draw = scatter(number, (turn * 4_000_000 + checkin) * 2000 + salt, 1_000_000)
    dearer = max(0, _DEARER_FROM_DAYS - lead) * _DEARER_BY // _DEARER_FROM_DAYS
    sold_out = draw // 1000 < 15 + max(0, 60 - lead) // 2
    return 1000 - _SWING + dearer + draw % (2 * _SWING + 1), sold_out
