"""Validators of the settings row, derived from the ranges that domain/site_settings.py declares.

A model field for a short ordered list of codes, kept readable: `EUR GBP USD`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from babel import Locale, UnknownLocaleError
from babel.numbers import list_currencies
from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from search.domain import site_settings as site
from search.domain.query import Sort

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


if TYPE_CHECKING:
    Text = models.TextField[Any, Any]
else:
    Text = models.TextField


class WordsFormField(forms.CharField):
    """One line of words with spaces or commas between them."""

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) or value is None else " ".join(value)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(
            self.prepare_value(initial), " ".join((data or "").replace(",", " ").split())
        )


class WordsField(Text):
    """A tuple of words without white space, stored with a space between them.

    Text rather than JSON, so that a row spoiled behind the admin's back still reads, word by word.
    Assigning text or any iterable of text works; repeats are dropped, the order is kept.
    """

    def from_db_value(self, value: str | None, _expression: object, _connection: object) -> tuple[str, ...]:
        return self.to_python(value)

    def to_python(self, value: str | Iterable[str] | None) -> tuple[str, ...]:
        if value is None:
            return ()
        words = value.replace(",", " ").split() if isinstance(value, str) else map(str, value)
        return tuple(dict.fromkeys(words))

    def get_prep_value(self, value: Any) -> str:
        return " ".join(self.to_python(value))

    def value_to_string(self, obj: models.Model) -> str:
        return self.get_prep_value(self.value_from_object(obj))

    def formfield(self, **kwargs: Any) -> forms.Field | None:
        return super().formfield(**{"form_class": WordsFormField, "widget": forms.TextInput, **kwargs})

    def validate(self, value: tuple[str, ...], model_instance: models.Model | None) -> None:
        if not value and not self.blank:
            raise ValidationError(_("Name at least one."), code="blank")

    def run_validators(self, value: tuple[str, ...]) -> None:
        if value:
            super().run_validators(value)
