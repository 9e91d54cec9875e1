"""Amounts of one currency are reckoned with, amounts of two never meet."""

from __future__ import annotations

import operator
from decimal import Decimal

import pytest

from search.domain.money import CurrencyMismatch, Money


def euros(amount: str) -> Money:
    return Money(Decimal(amount), "EUR")


def test_amounts_of_one_currency_are_added_subtracted_and_compared():
    assert euros("1.10") + euros("2") == euros("3.10")
    assert euros("1.10") - euros("2") == euros("-0.90")
    assert euros("1.10") < euros("2")
    assert not euros("2") < euros("2")
    assert min(euros("2"), euros("1.10")) == euros("1.10")


@pytest.mark.parametrize("reckon", [operator.add, operator.sub, operator.lt])
def test_amounts_of_two_currencies_are_not_and_the_error_names_both(reckon):
    with pytest.raises(CurrencyMismatch, match="EUR and USD"):
        reckon(euros("1"), Money(Decimal(1), "USD"))


def test_shares_add_up_to_the_whole_and_are_not_rounded():
    assert euros("10").times(3) == euros("30")
    assert euros("10").shared_by(4) == euros("2.50")
    assert euros("10").shared_by(3).amount == Decimal(10) / 3
