"""The settings row, with a column for each setting that `domain.site_settings.Site` declares.

What admins maintain beside the settings: providers, corrections, blocks, featured destinations, code labels.
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from search.domain.site_settings import SETTINGS, CodeKind, Site, UnusableSettings

from .fields import model_field
from .pictures import check_picture, check_picture_address

ROW = 1


class SiteSettings(models.Model):
    """The one row (`pk` 1) of settings; read it through `store.current()`.

    `content_revision` grows with every change of the content tables, so that one query tells every
    process whether its copy is still true.
    """

    content_revision = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("site settings")
        verbose_name_plural = _("site settings")
        constraints = [models.CheckConstraint(condition=models.Q(id=ROW), name="one_settings_row")]

    def __str__(self) -> str:
        return gettext("Site settings")

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.pk = ROW
        super().save(*args, **kwargs)

    def clean(self) -> None:
        """Refuse what the site could not be read from: values at odds with each other, above all."""
        try:
            Site.read(self.values())
        except UnusableSettings as error:
            raise ValidationError(error.reasons) from error

    def values(self) -> dict[str, Any]:
        """The settings by name."""
        return {name: getattr(self, name) for name in SETTINGS}


for _setting in SETTINGS.values():
    SiteSettings.add_to_class(_setting.name, model_field(_setting))


IATA = RegexValidator(r"^[A-Z]{3}\Z", _("An airport code has three capital letters, such as STN."))

CODE_KINDS = {
    CodeKind.PROPERTY_TYPE: _("kind of property"),
    CodeKind.RATING: _("guest rating in words"),
    CodeKind.FACILITY: _("facility"),
    CodeKind.AVAILABILITY: _("where a facility is"),
    CodeKind.PAYMENT_MODE: _("way to pay"),
    CodeKind.PROMO_TYPE: _("promotion"),
    CodeKind.SURCHARGE: _("surcharge"),
}


class Provider(models.Model):
    """Who sells: the gateway's short code and how the site presents it."""

    code = models.CharField(
        _("code"), max_length=40, unique=True, help_text=_("As the gateway spells it, capitals included.")
    )
    label = models.CharField(
        _("label"), max_length=60, blank=True, help_text=_("What visitors read. Empty: the code.")
    )
    order = models.SmallIntegerField(
        _("order"), default=0, help_text=_("Smaller comes first where providers are listed.")
    )
    enabled = models.BooleanField(
        _("enabled"), default=True, help_text=_("Off: none of its offers are shown anywhere.")
    )

    class Meta:
        verbose_name = _("provider")
        verbose_name_plural = _("providers")
        ordering = ["order", "code"]

    def __str__(self) -> str:
        return self.label or self.code


class BlockedProperty(models.Model):
    """A property taken off the site by its key, the identity across providers."""

    key = models.CharField(
        _("key"),
        max_length=600,
        unique=True,
        help_text=_("The hotel's identity across providers, or simply the address of its page on this site."),
    )
    name = models.CharField(_("name"), max_length=200, blank=True, help_text=_("For this list only."))
    reason = models.TextField(_("reason"), help_text=_("For colleagues; visitors never read it."))
    until = models.DateField(
        _("until"), null=True, blank=True, help_text=_("The last day it is hidden. Empty: for good.")
    )
    created = models.DateTimeField(_("since"), auto_now_add=True)

    class Meta:
        verbose_name = _("blocked property")
        verbose_name_plural = _("blocked properties")
        ordering = ["-created"]

    def __str__(self) -> str:
        return self.name or self.key


class DestinationOverride(models.Model):
    """A correction to one airport of the destination field."""

    airport = models.CharField(
        _("airport"), max_length=3, unique=True, validators=[IATA], help_text=_("IATA code, such as LPA.")
    )
    place = models.CharField(
        _("place"),
        max_length=120,
        blank=True,
        help_text=_("What is searched when a visitor picks this airport. Empty: its city."),
    )
    search_words = models.CharField(
        _("search words"),
        max_length=200,
        blank=True,
        help_text=_("More words that find it, with spaces between: former names, other languages."),
    )
    hidden = models.BooleanField(
        _("hidden"), default=False, help_text=_("On: the destination field never suggests it.")
    )

    class Meta:
        verbose_name = _("airport correction")
        verbose_name_plural = _("airport corrections")
        ordering = ["airport"]

    def __str__(self) -> str:
        return self.airport


class FeaturedDestination(models.Model):
    """A destination offered on the home page and in the empty destination field."""

    place = models.CharField(
        _("place"), max_length=120, help_text=_("What is searched, and the title of its tile.")
    )
    airport = models.CharField(
        _("airport"),
        max_length=3,
        blank=True,
        validators=[IATA],
        help_text=_("Distances are measured from it. Empty: none."),
    )
    text = models.CharField(_("text"), max_length=200, blank=True, help_text=_("One line beneath the title."))
    order = models.SmallIntegerField(_("order"), default=0, help_text=_("Smaller comes first."))
    first_day = models.DateField(
        _("from"), null=True, blank=True, help_text=_("The first day it is shown. Empty: at once.")
    )
    last_day = models.DateField(
        _("until"), null=True, blank=True, help_text=_("The last day it is shown. Empty: no end.")
    )
    upload = models.FileField(
        _("uploaded picture"),
        upload_to="featured/",
        blank=True,
        validators=[check_picture],
        help_text=_("JPEG, PNG or WebP, 600 to 6000 pixels wide, at most 2 MB. Wins over an address."),
    )
    picture_address = models.CharField(
        _("picture address"),
        max_length=500,
        blank=True,
        validators=[check_picture_address],
        help_text=_("The https address of a picture; “Choose a picture” fills in one of a hotel's."),
    )

    class Meta:
        verbose_name = _("featured destination")
        verbose_name_plural = _("featured destinations")
        ordering = ["order", "place"]

    def __str__(self) -> str:
        return self.place

    @property
    def picture(self) -> str:
        """The address of the picture that visitors get, or an empty string."""
        return str(self.upload.url) if self.upload else self.picture_address

    def clean(self) -> None:
        if self.first_day and self.last_day and self.first_day > self.last_day:
            raise ValidationError({"last_day": gettext("The season ends before it begins.")})


class CodeLabel(models.Model):
    """Words for a code that the gateway uses and the site doesn't know."""

    kind = models.CharField(
        _("kind"), max_length=20, choices=[(kind.value, label) for kind, label in CODE_KINDS.items()]
    )
    code = models.CharField(_("code"), max_length=80, help_text=_("As the gateway spells it."))
    label = models.CharField(_("label"), max_length=80, help_text=_("What visitors read instead."))

    class Meta:
        verbose_name = _("code label")
        verbose_name_plural = _("code labels")
        ordering = ["kind", "code"]
        constraints = [models.UniqueConstraint(fields=["kind", "code"], name="one_label_per_code")]

    def __str__(self) -> str:
        return f"{self.code}: {self.label}"
