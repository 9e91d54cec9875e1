"""The settings row, with a column for each setting of `domain.site_settings.Site`, and the content tables."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models

from search.domain import hand_over
from search.domain.site_settings import SETTINGS, Site, UnusableSettings
from search.domain.vocabulary import CodeKind

from .fields import check_address_template, check_picture, check_picture_address, model_field

ROW = 1


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
        """Refuse values at odds with each other; those out of range have their field's sentence."""
        try:
            Site.read(self.values())
        except UnusableSettings as error:
            reasons = dict(error.reasons)
            for name in error.reasons:
                try:
                    self._meta.get_field(name).clean(getattr(self, name), self)  # type: ignore[union-attr]
                except ValidationError:
                    del reasons[name]
            if reasons:
                raise ValidationError(reasons) from error

    def values(self) -> dict[str, Any]:
        """The settings by name."""
        return {name: getattr(self, name) for name in SETTINGS}


for _setting in SETTINGS.values():
    SiteSettings.add_to_class(_setting.name, model_field(_setting))


IATA = RegexValidator(r"^[A-Z]{3}\Z", "An airport code has three capital letters, such as STN.")

CODE_KINDS = {
    CodeKind.PROPERTY_TYPE: "kind of property",
    CodeKind.RATING: "guest rating in words",
    CodeKind.FACILITY: "facility",
    CodeKind.PAYMENT_MODE: "way to pay",
    CodeKind.PROMO_TYPE: "promotion",
    CodeKind.SURCHARGE: "surcharge",
}


LONGEST_CODE = 40


class Provider(models.Model):
    """Who sells: the gateway's short code and how the site presents it."""

    code = models.CharField(
        max_length=LONGEST_CODE, unique=True, help_text="As the gateway spells it, capitals included."
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
