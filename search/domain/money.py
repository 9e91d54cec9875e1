"""Money: an amount in one currency. Two currencies never mix."""

from decimal import Decimal
from functools import lru_cache

import msgspec
from babel.numbers import get_currency_precision, list_currencies

# ISO 4217 has a code for "no currency" and one for tests.
NO_CURRENCY, TEST_CURRENCY = "XXX", "XTS"
NO_CURRENCIES = frozenset({NO_CURRENCY, TEST_CURRENCY})
# A gateway may have others.
CURRENCIES = frozenset(list_currencies()) - NO_CURRENCIES
# A cold search asks thousands of times.
_decimals_of = lru_cache(maxsize=512)(get_currency_precision)


class Money(msgspec.Struct, frozen=True, gc=False):
    """`amount` in major units (euros, not cents) of the ISO 4217 `currency`."""

    amount: Decimal
    currency: str

    def _same_currency(self, other: "Money") -> None:
        if self.currency != other.currency:
            raise ValueError(f"{self.currency} and {other.currency} don't mix")

    def __add__(self, other: "Money") -> "Money":
        self._same_currency(other)
        return Money(self.amount + other.amount, self.currency)

    def __sub__(self, other: "Money") -> "Money":
        self._same_currency(other)
        return Money(self.amount - other.amount, self.currency)

    def __lt__(self, other: "Money") -> bool:
        self._same_currency(other)
        return self.amount < other.amount

    def times(self, factor: int) -> "Money":
        return self if factor == 1 else Money(self.amount * factor, self.currency)

    def rounded(self) -> "Money":
        """To the smallest unit of the currency, as pages print it."""
        amount = round(self.amount, _decimals_of(self.currency))
        return self if amount == self.amount else Money(amount, self.currency)

    @property
    def plain(self) -> str:
        """The amount alone, with the decimals of its currency: `108.10`."""
        return f"{self.amount:.{_decimals_of(self.currency)}f}"
