"""The model field of each declared setting, a field for lists such as `EUR GBP USD`, and validators."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from io import BytesIO
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.numbers import list_currencies
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
from PIL import Image, ImageOps

from search.domain import hand_over
from search.domain.money import NO_CURRENCIES
from search.domain.site_settings import OWN_PAGE, SETTINGS, Setting

MAX_BYTES = 2 * 1024 * 1024
MIN_WIDTH, MAX_WIDTH, MAX_HEIGHT = 600, 6_000, 6_000
SANDBOX_PICTURE = re.compile(r"/sandbox/photos/[0-9]+/[a-z]+\.svg")
# What CLDR names beside countries: unions, tests of spelling, the unknown.
NO_COUNTRIES = frozenset({"EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"})
# Twice as wide as any page shows it.
WIDEST, QUALITY = 1_600, 85
EXTENSIONS = {"JPEG": (".jpg", ".jpeg"), "PNG": (".png",), "WEBP": (".webp",)}


def each_market(values: str | Iterable[str]) -> None:
    """Refuse what is no culture code such as `en-gb` of a language and a country that exist."""
    _each(values, _is_market, "“%(value)s” is not a market such as en-gb.")


def each_currency(values: str | Iterable[str]) -> None:
    """Refuse what is no ISO 4217 currency code in capitals."""
    codes = list_currencies() - NO_CURRENCIES
    _each(values, codes.__contains__, "“%(value)s” is not a currency such as EUR.")


def _each(given: str | Iterable[str], is_known: Callable[[str], bool], message: str) -> None:
    values = [given] if isinstance(given, str) else given
    if errors := [ValidationError(message, params={"value": one}) for one in values if not is_known(one)]:
        raise ValidationError(errors)


def _is_market(value: str) -> bool:
    language, _dash, country = value.partition("-")
    with suppress(UnknownLocaleError, ValueError):
        is_code = len(language) == len(country) == 2 and value == value.lower()
        is_country = country.upper() in Locale("en").territories.keys() - NO_COUNTRIES
        return is_code and is_country and bool(Locale.parse(language))
    return False


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
    if SANDBOX_PICTURE.fullmatch(address):
        return
    URLValidator(["https"])(address)


def check_address_template(template: str) -> None:
    """Refuse what can't make safe addresses at a provider."""
    if sentence := hand_over.problem(template):
        raise ValidationError(sentence)


class WordsField(models.TextField):  # type: ignore[type-arg]
    """A tuple of different words, stored with a space between them; takes text and iterables of text."""

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

    def validate(self, value: tuple[str, ...], model_instance: models.Model | None) -> None:
        if not value and not self.blank:
            raise ValidationError("Name at least one.", code="blank")

    def run_validators(self, value: tuple[str, ...]) -> None:
        if value:
            super().run_validators(value)


COLUMNS: dict[str, type[models.Field[Any, Any]]] = {
    "contact_email": models.EmailField,
    "contact_text": models.TextField,
    "banner_until": models.DateField,
    "rating_scale": models.PositiveSmallIntegerField,
}
# For all others; the first that the default is an instance of.
COLUMNS_BY_TYPE: dict[type, type[models.Field[Any, Any]]] = {
    bool: models.BooleanField,
    int: models.PositiveIntegerField,
    str: models.CharField,
    tuple: WordsField,
}
OWN_PAGE_VALIDATOR = RegexValidator(OWN_PAGE, "Give an https address or a path such as /imprint.")
OPTIONS: dict[str, dict[str, Any]] = {
    "default_market": {"max_length": 5, "validators": [each_market]},
    "markets": {"validators": [each_market]},
    "default_currency": {"max_length": 3, "validators": [each_currency]},
    "currencies": {"validators": [each_currency]},
    **{name: {"validators": [OWN_PAGE_VALIDATOR]} for name in SETTINGS if name.endswith("_address")},
    "default_sort": {"max_length": 10},
    "surcharge_mode": {"max_length": 8},
    "price_basis": {"max_length": 5},
    "categories_style": {"max_length": 6},
    "place_name_language": {"max_length": 7},
}


def model_field(setting: Setting) -> models.Field[Any, Any]:
    """The column of a setting, with its declared words, default and range."""
    default, limits = setting.default, setting.limits
    column = _column(setting)
    options = {**OPTIONS.get(setting.name, {})}
    options["validators"] = _validators(column, limits, options.get("validators", []))
    if limits.max_length and issubclass(column, models.CharField):
        options["max_length"] = limits.max_length
    if setting.choices:
        options["choices"] = [(_plain(value), label) for value, label in setting.choices.items()]
    if default is not None:
        # The version before, still running, makes a row without this column.
        options["db_default"] = " ".join(_plain(default)) if column is WordsField else _plain(default)
    return column(
        setting.label,
        help_text=setting.help_text,
        default=_plain(default),
        null=default is None,
        blank=default in (None, "") or (column is WordsField and limits.min_length is None),
        **options,
    )


def _column(setting: Setting) -> type[models.Field[Any, Any]]:
    """The class of a setting's column."""
    kinds = (column for kind, column in COLUMNS_BY_TYPE.items() if isinstance(setting.default, kind))
    return COLUMNS.get(setting.name) or next(kinds)


def _validators(column: type[models.Field[Any, Any]], limits: Meta, others: list[Any]) -> list[Any]:
    """Those of the declared range or length, and the others."""
    if limits.ge is not None:
        return [MinValueValidator(limits.ge), MaxValueValidator(limits.le)]
    if limits.max_length and not issubclass(column, models.CharField):
        return [MaxLengthValidator(limits.max_length), *others]
    return others


def _plain(value: Any) -> Any:
    """The value without enumerations, as migrations keep it."""
    if isinstance(value, tuple):
        return tuple(map(str, value))
    return str(value) if isinstance(value, str) else value


def as_kept(upload: BytesIO) -> bytes:
    """The picture upright, at most `WIDEST` pixels each way, without what its camera wrote into it. Raises
    OSError or ValueError for a damaged one."""
    picture: Image.Image = Image.open(upload, formats=tuple(EXTENSIONS))
    # A JPEG is decoded no larger than it is needed.
    picture.draft("RGB", (WIDEST, WIDEST))
    # Cameras put a smaller copy beside their JPEGs, which is another format to Pillow.
    kind = picture.format if picture.format in EXTENSIONS else "JPEG"
    colours = picture.info.get("icc_profile")
    with suppress(SyntaxError):  # what it says of its camera can't be read
        picture = ImageOps.exif_transpose(picture)
    if picture.mode == "CMYK":
        colours = None  # of inks
    if picture.mode not in ("L", "RGB", "RGBA"):
        picture = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    picture.thumbnail((WIDEST, WIDEST))
    picture.info.clear()  # some of it would be written with the pixels
    content = BytesIO()
    picture.save(content, kind, quality=QUALITY, optimize=True, icc_profile=colours)
    return content.getvalue()
