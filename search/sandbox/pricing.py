"""Prices: a property's nightly rate, the nights of a stay, and what providers make of them.

All arithmetic is in whole minor units, so that a stay is exactly the sum of its nights.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache

from msgspec import Struct

from search.sandbox.currencies import CURRENCIES, Currency
from search.sandbox.movement import HABITS, LONG_BEFORE, move
from search.sandbox.rng import scatter, seed
from search.sandbox.selection import stars_of
from search.sandbox.terms import SHEETS, Terms, all_terms
from search.sandbox.world import City

_EURO_CENTS = {1: 3400, 2: 5200, 3: 8100, 4: 12600, 5: 23800}
_GUESTS = (100, 82, 100, 124, 146, 172, 196)  # per cent of the price for two, from 0 to 6 guests
_WEEKDAYS = (96, 94, 95, 98, 112, 118, 99)  # Monday first
_PROVIDERS = {"NB": 970, "HX": 1005, "SOL": 942, "VY": 1031, "OTR": 984}  # per mille, at least
_DOLLARS = CURRENCIES["USD"]
# In so many ways the prices of houses drift from night to night.
_DRIFTS = 80
# An offer's throw: by how many per mille it is dearer, its terms, and on which days it moves.
_DEARER = 60
_TERMS = SHEETS * _DEARER
_THROWS = HABITS * _TERMS
# What a provider makes of each night is cut to parts of ten thousand millions; a night is in parts, too.
_CUT, _WHOLE = 10**12, 10**13
_HALF = _WHOLE // 2


class Quote(Struct, gc=False):
    """What one provider asks for the stay, in minor units of the currency asked for, and on which terms."""

    provider: str
    price: int
    sold_out: bool
    terms: Terms


@dataclass(frozen=True)
class Stay:
    """What is asked: from when to when, for how many, in which currency, for which market.

    ``moved`` is a change of every price in per cent, ``nightly`` gives prices per night: see weather.py.
    ``asked`` is the day on which it is asked for: see movement.py.
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
    def money(self) -> Currency:
        """The currency asked for."""
        return CURRENCIES[self.currency]

    @cached_property
    def days(self) -> tuple[int, int]:
        """Check-in and the day asked, counted from the beginning of the calendar."""
        return self.checkin.toordinal(), self.asked.toordinal()

    @cached_property
    def share(self) -> int:
        """What guests, weather, market and currency make of every price: parts of a million millions."""
        percent = _guests_percent(self.guests) * (100 + self.moved)
        return percent * (992 + seed("market", self.market) % 17) * self.money.rate


def quotes(number: int, city: City, providers: Iterable[str], stay: Stay) -> list[Quote]:
    """What each of a property's providers asks for the stay on the day it is asked for."""
    (checkin, asked), (side, crowd) = stay.days, _town(city)
    nights = _nights(checkin, stay.nights, side, number % _DRIFTS)
    mixed = number * 2654435761
    # Per cent, most often about 110.
    house = 62 + mixed // 1_009 % 50 + mixed // 10_007 % 50
    usual = _EURO_CENTS[stars_of(number)] * crowd * house // 10_000 * stay.share
    sheets, found = all_terms(), []
    for provider in providers:
        level = _PROVIDERS[provider]
        throw = scatter(number, level, _THROWS)
        moved, sold_out = move(number, level, throw // _TERMS, checkin, asked)
        share = usual * (level + throw % _DEARER) * moved // _CUT
        price = 0
        for night in nights:
            price += (night * share + _HALF) // _WHOLE
        found.append(Quote(provider, price, sold_out, sheets[throw // _DEARER % SHEETS]))
    return found


def own_currency_of(city: City) -> Currency:
    """The currency properties charge in: their country's, or US dollars where the table has no rate."""
    return CURRENCIES.get(city.country.currency, _DOLLARS)


@lru_cache(maxsize=4_096)
def _town(city: City) -> tuple[int, int]:
    """When the high season of a city is, and what its size makes of its prices, per cent.

    1 stands for the north, -1 for the south, 0 for near the equator.
    """
    side = 0 if abs(city.latitude) < 15 else (1 if city.latitude > 0 else -1)
    return side, 82 + int(7 * math.log10(city.stop - city.start) ** 1.5)


@lru_cache(maxsize=256)
def _nights(checkin: int, nights: int, side: int, drift: int) -> list[int]:
    """What season, weekday and a house's own drift make of each night, as parts of ten millions."""
    calendar = _calendar(checkin, nights, side)
    return [factor * (960 + (drift + day * day * 40503) % _DRIFTS) for day, factor in calendar]


@lru_cache(maxsize=64)
def _calendar(checkin: int, nights: int, side: int) -> list[tuple[int, int]]:
    """Each night with its season and weekday as parts of ten thousand."""
    return [(day, _night(date.fromordinal(day), side)) for day in range(checkin, checkin + nights)]


def _night(night: date, side: int) -> int:
    summer = math.cos((night.timetuple().tm_yday - 205) / 365.25 * 2 * math.pi)
    season = 100 + round(17 * summer * side)
    if (night.month, night.day) >= (12, 23):
        season += 22
    return season * _WEEKDAYS[night.weekday()]


def _guests_percent(guests: int) -> int:
    return _GUESTS[guests] if guests < len(_GUESTS) else _GUESTS[-1] + 24 * (guests - len(_GUESTS) + 1)
