"""The settings row, with a column for each setting of `domain.site_settings.Site`, and the content tables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from babel import Locale
from babel.localedata import locale_identifiers
from babel.numbers import get_currency_name, get_territory_currencies
from django import forms
from django.core.exceptions import ValidationError
from django.core.files.base import File
from django.core.validators import (
    MaxLengthValidator,
    MaxValueValidator,
    MinValueValidator,
    RegexValidator,
    URLValidator,
)
from django.db import models
from msgspec import Meta
from PIL import Image

from search.domain import hand_over
from search.domain.money import NO_CURRENCIES
from search.domain.site_settings import OWN_PAGE, SETTINGS, Setting, Site
from search.domain.words import CodeKind

ROW = 1
MAX_BYTES = 2 * 1024 * 1024
MIN_WIDTH, MAX_WIDTH, MAX_HEIGHT = 600, 6_000, 6_000
EXTENSIONS = {"JPEG": (".jpg", ".jpeg"), "PNG": (".png",), "WEBP": (".webp",)}
SANDBOX_PICTURE = re.compile(r"/sandbox/photos/[0-9]+/[a-z]+\.svg")


class WordsField(models.Field):  # type: ignore[type-arg]
    """Some of its choices as a tuple, stored with a space between them; takes text and iterables of text."""

    def get_internal_type(self) -> str:
        return "TextField"

    def from_db_value(self, value: str | None, _expression: object, _connection: object) -> tuple[str, ...]:
        return self.to_python(value)

    def to_python(self, value: str | Iterable[str] | None) -> tuple[str, ...]:
        words = value.replace(",", " ").split() if isinstance(value, str) else map(str, value or ())
        return tuple(dict.fromkeys(words))

    def get_prep_value(self, value: Any) -> str:
        return " ".join(self.to_python(value))

    def value_to_string(self, obj: models.Model) -> str:
        return self.get_prep_value(self.value_from_object(obj))

    def validate(self, value: tuple[str, ...], model_instance: models.Model | None) -> None:
        for one in value or [None]:
            super().validate(one, model_instance)

    def formfield(self, **options: Any) -> Any:
        """Boxes to tick."""
        boxes = {"choices_form_class": forms.TypedMultipleChoiceField, "widget": forms.CheckboxSelectMultiple}
        return super().formfield(**{**boxes, "choices": self.choices, "coerce": str, **options})


@cache
def markets() -> list[tuple[str, str]]:
    """The languages of each country, in English words."""
    codes = (one for one in locale_identifiers() if re.fullmatch("[a-z]{2}_[A-Z]{2}", one))
    names = {one.replace("_", "-").lower(): Locale.parse(one).get_display_name("en") for one in codes}
    return sorted(((code, f"{name}: {code}") for code, name in names.items()), key=lambda pair: pair[1])


@cache
def currencies() -> list[tuple[str, str]]:
    """Those in use, in English words."""
    countries = map(str, Locale("en").territories)
    codes = {code for country in countries for code in get_territory_currencies(country)} - NO_CURRENCIES
    return [(code, f"{code} – {get_currency_name(code, locale='en')}") for code in sorted(codes)]


def default_currencies() -> list[tuple[str, str]]:
    return [("", "that of the visitor's country"), *currencies()]


# What the default and the limits of a setting don't say of its column.
COLUMNS: dict[str, type[models.Field[Any, Any]]] = {
    "contact_email": models.EmailField,
    "contact_text": models.TextField,
    "banner_until": models.DateField,
    "rating_scale": models.PositiveSmallIntegerField,
}
COLUMNS_BY_TYPE: dict[type, type[models.Field[Any, Any]]] = {
    bool: models.BooleanField,
    int: models.PositiveIntegerField,
    str: models.CharField,
    tuple: WordsField,
}
OPTIONS: dict[str, dict[str, Any]] = {
    "default_market": {"max_length": 5, "choices": markets},
    "markets": {"choices": markets},
    "default_currency": {"max_length": 3, "choices": default_currencies},
    "currencies": {"choices": currencies},
    "default_sort": {"max_length": 10},
}
NO_PAGE = "Give an https address or a path such as /imprint."


def model_field(setting: Setting) -> models.Field[Any, Any]:
    """The column of a setting, with its declared words, default and limits."""
    limits, default = setting.limits, _plain(setting.default)
    column = COLUMNS.get(setting.name) or COLUMNS_BY_TYPE[type(default)]
    options: dict[str, Any] = {"choices": [*setting.choices.items()] or None}
    if issubclass(column, models.CharField):
        options["max_length"] = limits.max_length or max(map(len, setting.choices), default=None)
    if default is not None:
        # The version before, still running, makes a row without this column.
        options["db_default"] = " ".join(default) if column is WordsField else default
    return column(
        setting.label,
        help_text=setting.help_text,
        default=default,
        null=default is None,
        blank=default in (None, "") or (column is WordsField and limits.min_length is None),
        validators=_validators(limits, column),
        **{**options, **OPTIONS.get(setting.name, {})},
    )


def _plain(value: Any) -> Any:
    """The value without enumerations, as migrations keep it."""
    if isinstance(value, tuple):
        return tuple(map(str, value))
    return str(value) if isinstance(value, str) else value


def _validators(limits: Meta, column: type[models.Field[Any, Any]]) -> list[Any]:
    if limits.ge is not None:
        return [MinValueValidator(limits.ge), MaxValueValidator(limits.le)]
    if limits.pattern:
        return [RegexValidator(limits.pattern, NO_PAGE if limits.pattern == OWN_PAGE else None)]
    # A CharField has its own.
    is_bare = limits.max_length and not issubclass(column, models.CharField)
    return [MaxLengthValidator(limits.max_length)] if is_bare else []


class SiteSettings(models.Model):
    """The one row of settings; read it through `store.current()`. `content_revision` grows with each change
    of the content tables."""

    content_revision = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        verbose_name_plural = "site settings"
        constraints = [models.CheckConstraint(condition=models.Q(id=ROW), name="one_settings_row")]

    def __str__(self) -> str:
        return "Site settings"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.pk = ROW
        super().save(*args, **kwargs)

    def clean(self) -> None:
        """Refuse values at odds with each other; each by itself has its field's sentence."""
        if reasons := Site(**self.values()).contradictions():
            raise ValidationError(reasons)

    def values(self) -> dict[str, Any]:
        """The settings by name."""
        return {name: getattr(self, name) for name in SETTINGS}


for _setting in SETTINGS.values():
    SiteSettings.add_to_class(_setting.name, model_field(_setting))


def check_picture(upload: File[bytes]) -> None:
    """Refuse an upload that is too large, no JPEG, PNG or WebP, misnamed, or of unusable dimensions."""
    try:
        size = upload.size or 0
    except FileNotFoundError:
        return  # checked when it was sent: another machine has its file, or a backup
    if size > MAX_BYTES:
        raise ValidationError("The picture is larger than 2 MB.")
    upload.seek(0)
    try:
        picture = Image.open(upload, formats=tuple(EXTENSIONS))  # reads the header, decodes no pixel
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise ValidationError("This is no JPEG, PNG or WebP picture.") from error
    finally:
        upload.seek(0)
    # A camera's JPEG with a smaller copy of itself is of another format to Pillow.
    if not str(upload.name).lower().endswith(EXTENSIONS.get(picture.format or "", EXTENSIONS["JPEG"])):
        raise ValidationError("The name of the file doesn't say what kind of picture it is.")
    width, height = picture.size
    if not (MIN_WIDTH <= width <= MAX_WIDTH and 1 <= height <= MAX_HEIGHT):
        raise ValidationError("The picture must be between 600 and 6000 pixels wide.")


def check_picture_address(address: str) -> None:
    """Refuse an address that is neither https nor one of the sandbox's own drawings."""
    if not SANDBOX_PICTURE.fullmatch(address):
        URLValidator(["https"])(address)


def check_address_template(template: str) -> None:
    """Refuse what can't make safe addresses at a provider."""
    if sentence := hand_over.problem(template):
        raise ValidationError(sentence)


IATA = RegexValidator(r"^[A-Z]{3}\Z", "An airport code has three capital letters, such as STN.")

CODE_KINDS = {
    CodeKind.PROPERTY_TYPE: "kind of property",
    CodeKind.RATING: "guest rating in words",
    CodeKind.FACILITY: "facility",
    CodeKind.PAYMENT_MODE: "way to pay",
    CodeKind.PROMO_TYPE: "promotion",
    CodeKind.SURCHARGE: "surcharge",
}


class Provider(models.Model):
    """Who sells: the gateway's short code and how the site presents it."""

    code = models.CharField(
        max_length=40, unique=True, help_text="As the gateway spells it, capitals included."
    )
    label = models.CharField(max_length=60, blank=True, help_text="What visitors read. Empty: the code.")
    order = models.SmallIntegerField(default=0, help_text="Smaller comes first where providers are listed.")
    enabled = models.BooleanField(default=True, help_text="Off: none of its offers are shown anywhere.")
    address_template = models.CharField(
        max_length=hand_over.MOST_CHARACTERS,
        blank=True,
        default="",
        db_default="",
        validators=[check_address_template],
        help_text="Where “Go to …” leads, such as https://www.example.com/hotel/{property}?from={checkin}"
        "&to={checkout}. Placeholders: {property}, {checkin}, {checkout}, {nights}, {guests}, {currency}, "
        "{language}, {place}. Empty: visitors copy the facts or ask the contact address to book.",
    )
    prices_change = models.BooleanField(
        "prices often change",
        default=False,
        db_default=False,
        help_text="On: its offers say so. How often they change is in the gateway panel.",
    )

    class Meta:
        ordering = ["order", "code"]

    def __str__(self) -> str:
        return self.label or self.code


class BlockedProperty(models.Model):
    """A property taken off the site by its key and by the keys that results had for it then."""

    key = models.CharField(
        max_length=600,
        unique=True,
        help_text="The hotel's identity across providers, or simply the address of its page on this site.",
    )
    # Null, not an empty list: the version before, still running, makes a row without this column.
    other_keys = models.JSONField("also known as", null=True, blank=True, editable=False)
    name = models.CharField(max_length=200, blank=True, help_text="For this list only.")
    reason = models.TextField(help_text="For colleagues; visitors never read it.")
    until = models.DateField(null=True, blank=True, help_text="The last day it is hidden. Empty: for good.")
    created = models.DateTimeField("since", auto_now_add=True)

    class Meta:
        verbose_name_plural = "blocked properties"
        ordering = ["-created"]

    def __str__(self) -> str:
        return self.name or self.key


class DestinationOverride(models.Model):
    """A correction to one airport of the destination field."""

    airport = models.CharField(
        max_length=3, unique=True, validators=[IATA], help_text="IATA code, such as LPA."
    )
    place = models.CharField(
        max_length=120,
        blank=True,
        help_text="What is searched when a visitor picks this airport. Empty: its city.",
    )
    search_words = models.CharField(
        max_length=200,
        blank=True,
        help_text="More names that find it, with commas between: former ones, other languages.",
    )
    hidden = models.BooleanField(default=False, help_text="On: the destination field never suggests it.")

    class Meta:
        verbose_name = "airport correction"
        verbose_name_plural = "airport corrections"
        ordering = ["airport"]

    def __str__(self) -> str:
        return self.airport


class FeaturedDestination(models.Model):
    """A destination offered on the home page and in the empty destination field."""

    place = models.CharField(max_length=120, help_text="What is searched, and the title of its tile.")
    airport = models.CharField(
        max_length=3,
        blank=True,
        validators=[IATA],
        help_text="Distances are measured from it. Empty: from the centre of the place.",
    )
    text = models.CharField(max_length=200, blank=True, help_text="One line beneath the title.")
    order = models.SmallIntegerField(default=0, help_text="Smaller comes first.")
    first_day = models.DateField(
        "from", null=True, blank=True, help_text="The first day it is shown. Empty: at once."
    )
    last_day = models.DateField(
        "until", null=True, blank=True, help_text="The last day it is shown. Empty: no end."
    )
    upload = models.FileField(
        "uploaded picture",
        upload_to="featured/",
        blank=True,
        validators=[check_picture],
        help_text="JPEG, PNG or WebP, 600 to 6000 pixels wide, at most 2 MB. Wins over an address.",
    )
    picture_address = models.CharField(
        max_length=500,
        blank=True,
        validators=[check_picture_address],
        help_text="The https address of a picture; “Choose a picture” fills in one of a hotel's.",
    )

    class Meta:
        ordering = ["order", "place"]

    def __str__(self) -> str:
        return self.place

    @property
    def picture(self) -> str:
        """The address of the picture that visitors get, or an empty string."""
        return str(self.upload.url) if self.upload else self.picture_address

    def clean(self) -> None:
        if self.first_day and self.last_day and self.first_day > self.last_day:
            raise ValidationError({"last_day": "The season ends before it begins."})


class CodeLabel(models.Model):
    """Words for a code that the gateway uses and the site doesn't know."""

    kind = models.CharField(max_length=20, choices=[*CODE_KINDS.items()])
    code = models.CharField(max_length=80, help_text="As the gateway spells it.")
    label = models.CharField(max_length=80, help_text="What visitors read instead.")

    class Meta:
        ordering = ["kind", "code"]
        constraints = [models.UniqueConstraint(fields=["kind", "code"], name="one_label_per_code")]

    def __str__(self) -> str:
        return f"{self.code}: {self.label}"
