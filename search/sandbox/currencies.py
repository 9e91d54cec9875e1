"""A fixed table of exchange rates: the sandbox's money never moves with the market."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

# How a price can be told: the property's one in its own currency, in the one asked for, or not at all;
# both prices in the property's currency; as an amount only. All but the last are the beginning of an object,
# which a travelCredit ends.
OWN, ASKED, HIDDEN, ABROAD, AMOUNT = range(5)
# A price is told in parts: how many millionths of it, and in which of these ways.
ONE = 1_000_000
# What writes parts of a price, which is given in minor units, as JSON text.
Telling = Callable[[int, Iterable[tuple[int, int]]], list[str]]


@dataclass(frozen=True, slots=True, eq=False)
class Currency:
    """``decimals`` as in ISO 4217, ``minor`` units make one of it, ``rate`` of them buy a thousand euros.

    ``fractions`` is what follows a whole number in an amount, for each number of minor units below one.
    """

    code: str
    decimals: int
    minor: int
    rate: int
    fractions: tuple[str, ...]


@cache
def _fractions(minor: int) -> tuple[str, ...]:
    """As JSON writes a floating-point number: ``.0``, ``.01``, ``.1``."""
    return tuple(str(units / minor).removeprefix("0") for units in range(minor))


def _currency(code: str, thousandths: int, decimals: int) -> Currency:
    minor = 10**decimals
    fractions = tuple(f'{fraction},"currencyCode":"{code}"}}' for fraction in _fractions(minor))
    return Currency(code, decimals, minor, thousandths * minor, fractions)


# Code, thousandths that buy one euro, decimals.
_TABLE = """
AED 4010 2, ALL 98200 2, AUD 1645 2, BAM 1956 2, BGN 1956 2, BHD 411 3, BRL 6020 2, CAD 1512 2, CHF 942 2,
CLP 1021000 0, CNY 7840 2, COP 4480000 2, CZK 25100 2, DKK 7460 2, EGP 54300 2, EUR 1000 2, GBP 862 2,
GEL 2960 2, HKD 8530 2, HUF 392000 2, IDR 17850000 2, ILS 3980 2, INR 94600 2, ISK 149000 0, JOD 774 3,
JPY 167000 0, KRW 1512000 0, KWD 335 3, MAD 10720 2, MXN 20600 2, MYR 4790 2, NOK 11640 2, NZD 1840 2,
OMR 420 3, PHP 63400 2, PLN 4280 2, RON 4980 2, RSD 117100 2, SAR 4090 2, SEK 11250 2, SGD 1452 2,
THB 37900 2, TND 3370 3, TRY 38400 2, TWD 34900 2, UAH 45600 2, USD 1091 2, VND 27700000 0, ZAR 19800 2
"""

CURRENCIES: dict[str, Currency] = {
    code: _currency(code, int(rate), int(decimals))
    for code, rate, decimals in map(str.split, _TABLE.strip().replace(",\n", ", ").split(", "))
}


def exchange(minor: int, source: Currency, target: Currency) -> int:
    """Minor units of one currency as minor units of another, rounded half up."""
    return (2 * minor * target.rate + source.rate) // (2 * source.rate)


@lru_cache(maxsize=256)
def telling(asked: Currency, own: Currency) -> Telling:
    """What tells the prices of a property, ``own`` its currency, in the one that is asked for."""
    unit, fractions = asked.minor, asked.fractions
    own_unit, own_fractions = own.minor, own.fractions
    times, half, by = 2 * own.rate, asked.rate, 2 * asked.rate
    in_both = None if own is asked else OWN

    # All prices in one call, the most frequent way without exchange(): calls would take longer than all else.
    def tell(price: int, parts: Iterable[tuple[int, int]]) -> list[str]:
        told = []
        for millionths, way in parts:
            minor = price * millionths // ONE
            if way == in_both:
                there = (minor * times + half) // by
                text = (
                    f'{{"customerPrice":{{"value":{minor // unit}{fractions[minor % unit]},'
                    f'"propertyPrice":{{"value":{there // own_unit}{own_fractions[there % own_unit]}'
                )
            elif way == ABROAD:
                there = exchange(minor, asked, own)
                text = f'{{"value":{there // own_unit}{own_fractions[there % own_unit]}'
                text = f'{{"customerPrice":{text},"propertyPrice":{text}'
            else:
                text = f'{{"value":{minor // unit}{fractions[minor % unit]}'
                if way != AMOUNT:
                    text = f'{{"customerPrice":{text},"propertyPrice":{"null" if way == HIDDEN else text}'
            told.append(text)
        return told

    return tell
