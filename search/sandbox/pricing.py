"""Prices: a property's nightly rate, the nights of a stay, and what providers make of them.

All arithmetic is in whole minor units, so that a stay is exactly the sum of its nights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from search.sandbox.currencies import CURRENCIES, Currency, minor_units, own_currency
from search.sandbox.dice import Dice, scatter, seed
from search.sandbox.movement import LONG_BEFORE, price_per_mille, sold_out
from search.sandbox.selection import stars_of
from search.sandbox.world import world

_EURO_CENTS = {1: 3400, 2: 5200, 3: 8100, 4: 12600, 5: 23800}
_GUESTS = (100, 82, 100, 124, 146, 172, 196)  # per cent of the price for two, from 0 to 6 guests
_WEEKDAYS = (96, 94, 95, 98, 112, 118, 99)  # Monday first
_PROVIDERS = {"NB": 1000, "HX": 1035, "SOL": 972, "VY": 1061, "OTR": 1014}  # per mille


@dataclass(frozen=True, slots=True)
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

    @property
    def nights(self) -> int:
        """The number of nights, 1 to 27."""
        return (self.checkout - self.checkin).days


def stay_price(number: int, provider: str, stay: Stay) -> int:
    """The price of the stay at one provider, in minor units of the currency asked for."""
    return sum(nightly_prices(number, provider, stay))


def nightly_prices(number: int, provider: str, stay: Stay) -> list[int]:
    """The price of each night at one provider, in minor units of the currency asked for."""
    currency = CURRENCIES[stay.currency]
    share = _PROVIDERS[provider] + scatter(number, _PROVIDERS[provider], 60) - 30
    share = share * price_per_mille(number, _PROVIDERS[provider], stay.checkin, stay.asked)
    share = share * _guests_percent(stay.guests) * (100 + stay.moved) * _market_per_mille(stay.market)
    base = euro_cents_per_night(number)
    quiver = number * 2654435761
    prices = []
    for turn, factor in enumerate(
        _calendar(stay.checkin, stay.nights, hemisphere(number)), stay.checkin.toordinal()
    ):
        drift = 960 + (quiver + turn * turn * 40503) % 80
        prices.append(minor_units(base * factor * drift * share // 10**20, currency))
    return prices


def is_sold_out(number: int, provider: str, stay: Stay) -> bool:
    """Whether the provider has nothing for the stay on the day it is asked for."""
    return sold_out(number, _PROVIDERS[provider], stay.checkin, stay.asked)


def own_currency_of(number: int) -> Currency:
    """The currency the property itself charges in."""
    return own_currency(world().city_of(number).country.currency)


@lru_cache(maxsize=1_024)
def euro_cents_per_night(number: int) -> int:
    """The rate of an average night for two, in euro cents: stars, size of the city, and the house itself."""
    city, dice = world().city_of(number), Dice("rate", number)
    crowd = 82 + int(7 * math.log10(city.stop - city.start) ** 1.5)
    house = 62 + dice.below(50) + dice.below(50)
    return _EURO_CENTS[stars_of(number)] * crowd * house // 10_000


def hemisphere(number: int) -> int:
    """1 in the north, -1 in the south, 0 near the equator: when the high season is."""
    latitude = world().city_of(number).latitude
    return 0 if abs(latitude) < 15 else (1 if latitude > 0 else -1)


@lru_cache(maxsize=256)
def _calendar(checkin: date, nights: int, side: int) -> tuple[int, ...]:
    """Each night's season and weekday as parts of ten thousand."""
    return tuple(_night(checkin + timedelta(days=turn), side) for turn in range(nights))


def _night(night: date, side: int) -> int:
    summer = math.cos((night.timetuple().tm_yday - 205) / 365.25 * 2 * math.pi)
    season = 100 + round(17 * summer * side)
    if (night.month, night.day) >= (12, 23):
        season += 22
    return season * _WEEKDAYS[night.weekday()]


def _guests_percent(guests: int) -> int:
    return _GUESTS[guests] if guests < len(_GUESTS) else _GUESTS[-1] + 24 * (guests - len(_GUESTS) + 1)


@lru_cache(maxsize=256)
def _market_per_mille(market: str) -> int:
    return 992 + seed("market", market) % 17
