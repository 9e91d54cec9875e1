"""A model field for a short ordered list of codes, kept readable: `EUR GBP USD`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    Text = models.TextField[Any, Any]
else:
    Text = models.TextField


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

    def value_from_object(self, obj: models.Model) -> Any:
        """What a form shows: the words as one line of text."""
        return " ".join(self.to_python(super().value_from_object(obj)))

    def validate(self, value: tuple[str, ...], model_instance: models.Model | None) -> None:
        if not value and not self.blank:
            raise ValidationError(_("Name at least one."), code="blank")

    def run_validators(self, value: tuple[str, ...]) -> None:
        if value:
            super().run_validators(value)
