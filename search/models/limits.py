"""Validators of the settings row, derived from the ranges that domain/site.py declares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.numbers import list_currencies
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, MaxValueValidator, MinValueValidator
from django.utils.translation import gettext as _

from search.domain import site
from search.domain.refinement import Sort

Validator = Callable[[Any], None]


def range_of(name: str) -> list[Validator]:
    """The validators of one setting's declared range."""
    declared = site.limits(name)
    found: list[Validator] = []
    if declared.ge is not None:
        found.append(MinValueValidator(declared.ge))
    if declared.le is not None:
        found.append(MaxValueValidator(declared.le))
    if declared.max_length is not None:
        found.append(MaxLengthValidator(declared.max_length))
    return found


def known_market(value: str) -> None:
    """Refuse what is no culture code such as `en-gb` of a language and a country that exist."""
    language, separator, country = value.partition("-")
    try:
        if not separator or value != value.lower() or len(country) != 2:
            raise ValueError
        known = country.upper() in Locale("en").territories and bool(Locale.parse(language).language)
    except (UnknownLocaleError, ValueError):
        known = False
    if not known:
        raise ValidationError(_("“%(value)s” is not a market such as en-gb."), params={"value": value})


def known_currency(value: str) -> None:
    """Refuse what is no ISO 4217 currency code in capitals."""
    if value not in list_currencies():
        raise ValidationError(_("“%(value)s” is not a currency such as EUR."), params={"value": value})


def known_sort(value: str) -> None:
    if value not in set(Sort):
        raise ValidationError(_("“%(value)s” is not an order of results."), params={"value": value})


def known_filter(value: str) -> None:
    if value not in set(site.Filter):
        raise ValidationError(_("“%(value)s” is not a filter."), params={"value": value})


def each_market(values: tuple[str, ...]) -> None:
    _each(known_market, values)


def each_currency(values: tuple[str, ...]) -> None:
    _each(known_currency, values)


def each_sort(values: tuple[str, ...]) -> None:
    _each(known_sort, values)


def each_filter(values: tuple[str, ...]) -> None:
    _each(known_filter, values)


def _each(validator: Validator, values: tuple[str, ...]) -> None:
    errors = []
    for value in values:
        try:
            validator(value)
        except ValidationError as error:
            errors.append(error)
    if errors:
        raise ValidationError(errors)
