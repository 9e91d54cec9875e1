"""Amounts of one currency are reckoned with, amounts of two never meet."""

from __future__ import annotations

import operator
from decimal import Decimal

import pytest

from search.domain.money import Money
from tests.builders import euros
from tests.rows import each


def test_amounts_of_one_currency_are_added_and_compared():
    assert euros("1.10") + euros("2") == euros("3.10")
    assert euros("1.10") - euros("2") == euros("-0.90")
    assert euros("1.10") < euros("2")
    assert not euros("2") < euros("2")
    assert min(euros("2"), euros("1.10")) == euros("1.10")


@pytest.mark.parametrize("reckon", [operator.add, operator.sub, operator.lt])
def test_amounts_of_two_currencies_are_an_error(reckon):
    with pytest.raises(ValueError, match="EUR and USD"):
        reckon(euros("1"), Money(Decimal(1), "USD"))


def test_an_amount_is_multiplied():
    assert euros("10").times(3) == euros("30")


@each(
    ("amount", "currency", "rounded"),
    [("99.994", "EUR", "99.99"), ("99.996", "EUR", "100"), ("1234.6", "JPY", "1235"), ("0.0004", "KWD", "0")],
)
def test_an_amount_is_rounded_to_its_smallest_unit(amount, currency, rounded):
    assert Money(Decimal(amount), currency).rounded() == Money(Decimal(rounded), currency)


def test_what_needs_no_reckoning_stays_the_same_object():
    price = euros("99.9")
    assert price.rounded() is price
    assert price.times(1) is price


@pytest.mark.parametrize(
    ("amount", "currency", "plain"), [("108.1", "EUR", "108.10"), ("9", "JPY", "9"), ("1.5", "KWD", "1.500")]
)
def test_a_plain_amount_has_the_decimals_of_its_currency(amount, currency, plain):
    assert Money(Decimal(amount), currency).plain == plain
