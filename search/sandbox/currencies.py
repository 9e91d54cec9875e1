"""A fixed table of exchange rates: the sandbox's money never moves with the market."""

from __future__ import annotations

from dataclasses import dataclass

from search.sandbox.documents import Amount, Triple


@dataclass(frozen=True, slots=True)
class Currency:
    """``decimals`` as in ISO 4217, ``minor`` units make one of it, ``rate`` of them buy a thousand euros."""

    code: str
    decimals: int
    minor: int
    rate: int


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
    code: Currency(code, int(decimals), 10 ** int(decimals), int(rate) * 10 ** int(decimals))
    for code, rate, decimals in map(str.split, _TABLE.strip().replace(",\n", ", ").split(", "))
}


def exchange(minor: int, source: Currency, target: Currency) -> int:
    """Minor units of one currency as minor units of another, rounded half up."""
    return (2 * minor * target.rate + source.rate) // (2 * source.rate)


def triple(minor: int, asked: Currency, shown: Currency | None) -> Triple:
    """A price in the currency asked for and, as the property's, in the one ``shown``, if any is.

    Values have at most the decimals of their currency.
    """
    customer = Amount(minor / asked.minor, asked.code)
    if shown is asked:
        return Triple(customer, customer, None)
    if shown is None:
        return Triple(customer, None, None)
    return Triple(customer, Amount(exchange(minor, asked, shown) / shown.minor, shown.code), None)
