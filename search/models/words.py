"""A model field for a short ordered list of codes, kept readable: `EUR GBP USD`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

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
