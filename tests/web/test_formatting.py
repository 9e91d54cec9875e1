"""Amounts are written fast, and as Babel writes them."""

from decimal import ROUND_HALF_UP, Decimal

from babel import localedata
from babel.numbers import format_decimal, list_currencies
from hypothesis import given
from hypothesis import strategies as st

from search.web import formatting
from tests.rows import each

AMOUNTS = st.decimals(min_value=0, max_value=10**9, places=3)
LOCALES = st.sampled_from(localedata.locale_identifiers())
CURRENCIES = st.sampled_from(sorted(list_currencies()))


@given(AMOUNTS, CURRENCIES, LOCALES)
def test_an_amount_is_written_as_babel_writes_it(amount, currency, locale):
    assert formatting.money(amount, currency, locale) == formatting._by_babel(amount, currency, locale, False)
    whole = amount.quantize(Decimal(1), ROUND_HALF_UP)
    assert formatting.whole_money(amount, currency, locale) == formatting._by_babel(
        whole, currency, locale, True
    )


@each(
    ("amount", "currency", "locale", "written"),
    [
        ("1234.5", "EUR", "en_GB", "€1,234.50"),
        ("1234.5", "EUR", "de_DE", "1.234,50\u00a0€"),
        ("1234567.5", "INR", "en_IN", "₹12,34,567.50"),
        ("1234.5", "JPY", "en_GB", "JP¥1,234"),
        ("1234.5", "KWD", "en_GB", "KWD\u00a01,234.500"),
        ("-5", "EUR", "en_GB", "-€5.00"),
        ("0", "PLN", "pl_PL", "0,00\u00a0zł"),
    ],
)
def test_amounts_have_the_decimals_of_their_currency(amount, currency, locale, written):
    assert formatting.money(Decimal(amount), currency, locale) == written


@given(st.integers(0, 1_100), LOCALES)
def test_a_count_is_written_as_babel_writes_it(count, locale):
    assert formatting.number(count, locale) == format_decimal(count, locale=locale)


@each(
    ("value", "locale", "written"),
    [(999, "en_GB", "999"), (1_000, "en_GB", "1,000"), (100, "tok", "1\u00a000"), (-5, "de_DE", "-5")],
)
def test_numbers_are_grouped_as_the_locale_does(value, locale, written):
    assert formatting.number(value, locale) == written
