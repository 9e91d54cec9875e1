"""The settings row: one, typed, range-checked; its fields are those of `domain.site_settings.Site`.

What admins maintain beside the settings: providers, corrections, blocks, featured destinations, words.
"""

from __future__ import annotations

from typing import Any, Final

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from search.domain.offers import PriceBasis, SurchargeMode
from search.domain.query import Sort
from search.domain.site_settings import CategoriesStyle, CodeKind, Site

from . import fields
from .fields import WordsField
from .pictures import check_picture, check_picture_address

DEFAULTS: Final = Site()
ROW = 1

SORTS = {
    Sort.PRICE: _("Lowest total"),
    Sort.RATING: _("Highest guest rating"),
    Sort.STARS: _("Most stars"),
    Sort.DISTANCE: _("Nearest"),
    Sort.PROVIDER: _("Provider order"),
}


def _number(setting: str, name: Any, help_text: Any) -> models.PositiveIntegerField[int, int]:
    return models.PositiveIntegerField(
        name,
        help_text=help_text,
        default=getattr(DEFAULTS, setting),
        validators=fields.range_of(setting),
    )


def _switch(setting: str, name: Any, help_text: Any) -> models.BooleanField[bool, bool]:
    return models.BooleanField(name, help_text=help_text, default=getattr(DEFAULTS, setting))


class SiteSettings(models.Model):
    """The one row (`pk` 1) of settings; read it through `site_settings.store.current()`.

    `content_revision` grows with every change of the content tables, so that one query tells every
    process whether its copy is still true.
    """

    site_name = models.CharField(
        _("site name"),
        max_length=60,
        default=DEFAULTS.site_name,
        help_text=_("Shown in the header, in every page title and in link previews."),
    )
    contact_email = models.EmailField(
        _("contact address"),
        blank=True,
        default=DEFAULTS.contact_email,
        help_text=_("Shown in the footer and on error pages as a mail link. Empty: no link."),
    )
    contact_text = models.TextField(
        _("contact text"),
        blank=True,
        default=DEFAULTS.contact_text,
        validators=fields.range_of("contact_text"),
        help_text=_("A line or two in the footer: who runs the site, when somebody answers."),
    )
    banner_text = models.CharField(
        _("banner"),
        max_length=300,
        blank=True,
        default=DEFAULTS.banner_text,
        help_text=_("A message above every page. Empty: no banner."),
    )
    banner_until = models.DateField(
        _("banner until"),
        null=True,
        blank=True,
        default=DEFAULTS.banner_until,
        help_text=_("The last day the banner is shown. Empty: until you take it down."),
    )

    default_market = models.CharField(
        _("default market"),
        max_length=5,
        default=DEFAULTS.default_market,
        validators=[fields.known_market],
        help_text=_(
            "Language and country for visitors who chose none, such as en-gb: the words, the number format "
            "and which offers providers return."
        ),
    )
    markets = WordsField(
        _("offered markets"),
        default=DEFAULTS.markets,
        validators=[*fields.range_of("markets"), fields.each_market],
        help_text=_("What visitors can choose, in this order, with spaces between: en-gb de-de pl-pl."),
    )
    default_currency = models.CharField(
        _("default currency"),
        max_length=3,
        default=DEFAULTS.default_currency,
        validators=[fields.known_currency],
        help_text=_("Prices are in this currency until a visitor chooses another."),
    )
    currencies = WordsField(
        _("offered currencies"),
        default=DEFAULTS.currencies,
        validators=[*fields.range_of("currencies"), fields.each_currency],
        help_text=_("What visitors can choose, in this order, with spaces between: EUR GBP USD."),
    )

    nights_ahead = _number(
        "nights_ahead",
        _("days ahead"),
        _("The check-in day filled into an empty form: this many days from today."),
    )
    nights = _number("nights", _("nights"), _("The length of stay filled into an empty form."))
    guests = _number("guests", _("guests"), _("The party filled into an empty form."))
    max_guests = _number(
        "max_guests", _("most guests"), _("The largest party the form offers; larger ones are refused.")
    )

    page_size = _number(
        "page_size", _("hotels per page"), _("Cards on one page of results. More means slower pages.")
    )
    cap = _number(
        "cap",
        _("hotels compared at most"),
        _("Sorting and filtering reach this many hotels of an answer; the page says when there are more."),
    )
    parallel_calls = _number(
        "parallel_calls",
        _("calls at once"),
        _("Pages of an answer fetched side by side. More is quicker for one visitor, harder on the gateway."),
    )
    search_fresh_seconds = _number(
        "search_fresh_seconds",
        _("prices are fresh for (seconds)"),
        _("Within this time the same search shows the same prices without asking again. 0: always ask."),
    )
    details_fresh_seconds = _number(
        "details_fresh_seconds",
        _("descriptions are fresh for (seconds)"),
        _("The same for the descriptions and rooms of a hotel. 0: always ask."),
    )
    airports_fresh_seconds = _number(
        "airports_fresh_seconds",
        _("airports are fresh for (seconds)"),
        _("The same for the list of airports behind the destination field. 0: always ask."),
    )

    surcharge_mode = models.CharField(
        _("taxes and fees"),
        max_length=8,
        default=DEFAULTS.surcharge_mode.value,
        choices=[
            (SurchargeMode.ADDED.value, _("come on top of the gateway's price")),
            (SurchargeMode.INCLUDED.value, _("are inside the gateway's price")),
        ],
        help_text=_("Decides the total on every card: on top never promises too low a price."),
    )
    price_basis = models.CharField(
        _("the gateway's price is"),
        max_length=5,
        default=DEFAULTS.price_basis.value,
        choices=[
            (PriceBasis.STAY.value, _("for the whole stay")),
            (PriceBasis.NIGHT.value, _("for one night")),
        ],
        help_text=_("For one night: totals are multiplied by the nights of the stay."),
    )
    categories_style = models.CharField(
        _("several star ratings"),
        max_length=6,
        default=DEFAULTS.categories_style.value,
        choices=[
            (CategoriesStyle.COMMA.value, _("one parameter, commas between (4,5)")),
            (CategoriesStyle.REPEAT.value, _("the parameter repeated")),
            (CategoriesStyle.EACH.value, _("one call for each star rating")),
        ],
        help_text=_(
            "How the gateway wants to be asked; the wrong way finds too few hotels of several stars."
        ),
    )
    rating_scale = models.PositiveSmallIntegerField(
        _("guest rating scale"),
        null=True,
        blank=True,
        default=DEFAULTS.rating_scale,
        choices=[(5, _("out of 5")), (10, _("out of 10")), (100, _("out of 100"))],
        help_text=_("Shown behind the number, such as 8.4/10. Empty: the bare number."),
    )

    sorts = WordsField(
        _("offered orders"),
        default=tuple(map(str, DEFAULTS.sorts)),
        validators=[fields.each_sort],
        help_text=_("The choices beside “Sort by”."),
    )
    default_sort = models.CharField(
        _("default order"),
        max_length=10,
        default=DEFAULTS.default_sort.value,
        choices=[(sort.value, label) for sort, label in SORTS.items()],
        help_text=_("The order of results until a visitor chooses another."),
    )
    filters = WordsField(
        _("offered filters"),
        blank=True,
        default=tuple(map(str, DEFAULTS.filters)),
        validators=[fields.each_filter],
        help_text=_("The groups of the filter panel."),
    )

    map_enabled = _switch("map_enabled", _("map"), _("The map beside results and on hotel pages."))
    compare_enabled = _switch(
        "compare_enabled", _("compare"), _("Picking hotels and looking at them side by side.")
    )
    date_strip_enabled = _switch(
        "date_strip_enabled", _("nearby dates"), _("Totals a few days earlier and later, on request.")
    )
    sharing_enabled = _switch(
        "sharing_enabled",
        _("sharing"),
        _("The share button for staff. Off: links made earlier stop opening until it is on again."),
    )
    export_enabled = _switch(
        "export_enabled", _("export"), _("The download of a result list as a table, for staff.")
    )
    share_days = _number(
        "share_days",
        _("links live for (days)"),
        _("A link ends after this time, or on its check-in day."),
    )

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
        """Refuse values that are fine alone and contradict each other."""
        errors: dict[str, str] = {}
        if self.default_market not in self.markets:
            errors["default_market"] = gettext("The default market must be among the offered ones.")
        if self.default_currency not in self.currencies:
            errors["default_currency"] = gettext("The default currency must be among the offered ones.")
        if self.default_sort not in self.sorts:
            errors["default_sort"] = gettext("The default order must be among the offered ones.")
        if _exceeds(self.guests, self.max_guests):
            errors["guests"] = gettext("The default party is larger than the largest party.")
        if _exceeds(self.page_size, self.cap):
            errors["cap"] = gettext("At least one page of hotels must be compared.")
        if self.banner_until and not self.banner_text:
            errors["banner_until"] = gettext("There is no banner to end on this day.")
        if errors:
            raise ValidationError(errors)


def _exceeds(value: int | None, limit: int | None) -> bool:
    """Whether both are numbers and the first is larger: a field refused before arrives here as None."""
    return value is not None and limit is not None and value > limit


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
