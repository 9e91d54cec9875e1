"""A fixed table of exchange rates: the sandbox's money never moves with the market."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

# What writes a price, given in minor units, as JSON text.
Telling = Callable[[int], str]


# How a price can be told: the property's one in its own currency, in the one asked for, or not at all;
# both prices in the property's currency; as an amount only. All but the last are the beginning of an object,
# which a travelCredit ends.
OWN, ASKED, HIDDEN, ABROAD, AMOUNT = range(5)


@dataclass(frozen=True, slots=True, eq=False)
class Currency:
    """``decimals`` as in ISO 4217, ``minor`` units make one of it, ``rate`` of them buy a thousand euros.

    ``fractions`` is how each number of minor units below one is written behind a whole number.
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
    return Currency(code, decimals, minor, thousandths * minor, _fractions(minor))


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
def tellings(asked: Currency, own: Currency) -> tuple[Telling, ...]:
    """Each way to tell a price that is in minor units of the currency asked for: ``OWN`` and so on."""
    twice, twice_in_own = _twice(asked), _twice(own)
    in_own = twice if own is asked else _in_both(asked, own)
    return (
        in_own,
        twice,
        _without_own(asked),
        lambda minor: twice_in_own(exchange(minor, asked, own)),
        amount(asked),
    )


# Each of these writes the whole text itself: calls of one another would take longer than all else.


def amount(currency: Currency) -> Telling:
    """As an amount, whose value has at most the decimals of its currency."""
    unit, fractions, end = currency.minor, currency.fractions, _end(currency)
    return lambda minor: f'{{"value":{minor // unit}{fractions[minor % unit]}{end}'


def _twice(currency: Currency) -> Telling:
    """The same for the customer and the property."""
    unit, fractions, end = currency.minor, currency.fractions, _end(currency)

    def tell(minor: int) -> str:
        value = f'{{"value":{minor // unit}{fractions[minor % unit]}{end}'
        return f'{{"customerPrice":{value},"propertyPrice":{value}'

    return tell


def _in_both(asked: Currency, own: Currency) -> Telling:
    unit, fractions, end = asked.minor, asked.fractions, _end(asked)
    own_unit, own_fractions, own_end = own.minor, own.fractions, _end(own)

    def tell(minor: int) -> str:
        there = exchange(minor, asked, own)
        return (
            f'{{"customerPrice":{{"value":{minor // unit}{fractions[minor % unit]}{end},'
            f'"propertyPrice":{{"value":{there // own_unit}{own_fractions[there % own_unit]}{own_end}'
        )

    return tell


def _without_own(asked: Currency) -> Telling:
    unit, fractions, end = asked.minor, asked.fractions, _end(asked)
    return lambda minor: (
        f'{{"customerPrice":{{"value":{minor // unit}{fractions[minor % unit]}{end},"propertyPrice":null'
    )


def _end(currency: Currency) -> str:
    """What follows the value of an amount."""
    return f',"currencyCode":"{currency.code}"}}'
