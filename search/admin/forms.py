"""Forms of the admin that check what a value means: readable words, airports, places and hotels."""

import re
import time
from contextlib import suppress
from datetime import date
from io import BytesIO
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

from django import forms
from django.contrib.admin.widgets import AdminTextInputWidget
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import MaxValueValidator, MinValueValidator
from django.forms.widgets import Script
from django.urls import Resolver404, resolve, reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localdate
from PIL import Image, ImageOps

from search.destinations import service as destinations
from search.destinations.index import Kind
from search.domain.context import SearchContext
from search.domain.hotels import Property, at_provider
from search.domain.process import Deadline
from search.domain.query import Refinement
from search.domain.words import fold
from search.gateway import GatewayError, Rejected
from search.gateway.client import DetailsQuery, PageQuery, series_of
from search.gateway.factory import gateway
from search.gateway.search_page import SearchPage
from search.monitoring.metrics import KEPT_DAYS, merged, reports
from search.property import service as properties
from search.site_settings import store
from search.site_settings.models import EXTENSIONS, BlockedProperty, FeaturedDestination, check_picture
from search.web.shortcuts import page_deadline

from .history import RowForm

_INVISIBLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
)
_AIRPORT = re.compile(r"(?:.*\()?([A-Za-z]{3})\)?\s*")
MOST_ORDER = 10_000
# The gateway is asked while the row is saved: with SQLite others wait to write, for 5 s at the most.
MOST_SECONDS_TO_ASK = 2.0
# Twice as wide as any page shows it.
WIDEST, QUALITY = 1_600, 85
PAST_DAYS = {
    "banner_until": "This day is over: nobody would see the banner.",
    "until": "This day is over: nothing would be hidden.",
    "last_day": "This day is over: nobody would see it.",
}


def seconds_to_ask() -> Deadline:
    """The time one form may spend on the gateway in all."""
    return Deadline(MOST_SECONDS_TO_ASK, time.monotonic)


def hotels_in(place: str, within: Deadline) -> SearchPage | None:
    """The first page of a usual search; None when the gateway is not available."""
    site = store.current()
    *_others, series = series_of(site.usual_search(place, localdate()), site.categories_style)
    query = PageQuery(series, 0, site.page_size, site.categories_style)
    try:
        return gateway().search(query, site, within).value
    except GatewayError:
        return None


def providers_met() -> set[str]:
    """The codes of the providers that offers came from in the last seven days."""
    return set(filter(None, merged(reports(KEPT_DAYS)).quality))


def property_page(address: str) -> tuple[str, str] | None:
    """Provider and property id of a hotel page's address; None for another address."""
    try:
        match = resolve(unquote(urlsplit(address).path))
    except (Resolver404, ValueError):
        return None
    return (match.kwargs["provider"], match.kwargs["property_id"]) if match.url_name == "property" else None


def property_at(provider: str, property_id: str, within: Deadline) -> Property:
    """A provider's property; its key alone without the gateway, as it has to come off the site now. Raises
    ValidationError where there is none."""
    site = store.current()
    search = site.usual_search("", localdate())
    try:
        response = gateway().details(DetailsQuery(provider, property_id, search, dated=False), site, within)
    except GatewayError as error:
        if isinstance(error, Rejected) and error.kind == "request":
            raise ValidationError("No hotel has this address: neither provider nor id is known.") from None
        return Property(at_provider(provider, property_id), provider, property_id)
    return response.value.property


class MeaningfulForm(RowForm):
    """Refuses unreadable text and last days that are over, in what was changed: a row whose season has ended
    can still be worded."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if order := self.fields.get("order"):  # SQLite takes a number of any size
            order.validators = [MinValueValidator(-MOST_ORDER), MaxValueValidator(MOST_ORDER)]

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        values = self.cleaned_data if cleaned is None else cleaned
        for name in self.changed_data:
            value = values.get(name)
            sentence = _unreadable(value) if isinstance(value, str) else ""
            if isinstance(value, date) and value < localdate():
                sentence = PAST_DAYS.get(name, "")
            if sentence:
                self.add_error(name, sentence)
        return cleaned


def _unreadable(text: str) -> str:
    if _INVISIBLE.search(text):
        return "This holds characters that can't be seen or that turn the reading direction."
    return "" if not text or any(map(str.isalnum, text)) else "There is no letter and no digit in this."


ONE_ADDRESS = (
    "Only this address of the hotel is known: no results of its city told those at other providers just now. "
    "If it has any, block them, too."
)
UNITS = {"day": 86_400, "hour": 3_600, "minute": 60, "second": 1}
_DURATION = re.compile(r"(\d{1,9})\s*(day|hour|minute|min|second|sec|d|h|m|s)s?", re.IGNORECASE | re.ASCII)


def duration_words(seconds: int) -> str:
    """`5 minutes`: in the largest unit that needs no fraction."""
    unit = next(one for one, length in UNITS.items() if seconds % length == 0)
    count = seconds // UNITS[unit]
    return f"{count} {unit}{'' if count == 1 else 's'}" if seconds else "0"


class DurationField(forms.IntegerField):
    """Seconds, written with a unit."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "widget": AdminTextInputWidget(attrs={"size": "14"})})

    def prepare_value(self, value: Any) -> Any:
        return duration_words(value) if isinstance(value, int) else value

    def to_python(self, value: Any) -> int | None:
        if isinstance(value, int):  # of a disabled field
            return value
        text = str(value or "").strip()
        if match := _DURATION.fullmatch(text):
            unit = next(one for one in UNITS if one.startswith(match[2].lower()[:1]))
            return int(match[1]) * UNITS[unit]
        if text.strip("0"):
            raise ValidationError("Say a time and its unit, such as 90 seconds, 5 minutes, 2 hours or 1 day.")
        return super().to_python(value)


class PlaceInput(AdminTextInputWidget):
    """A text field with the site's own picker, of places or of `airports`; without scripts a plain one.
    `beside` is the name of the field that a choice fills, too."""

    class Media:
        css = {"all": ["css/components/icon.css", "css/components/destination-picker.css"]}
        js = [Script("js/destination-picker.js", defer=True), Script("js/admin-destination.js", defer=True)]

    def __init__(self, attrs: Any = None, beside: str = "", *, airports: bool = False) -> None:
        super().__init__({"autocomplete": "off", "spellcheck": "false", **(attrs or {})})
        self.beside, self.airports = beside, airports
        if airports:
            self.attrs["list"] = "airports"

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """The site suggests in English where it offers that: so is the admin."""
        site = store.current()
        english = next((one for one in site.markets if one.startswith("en-")), site.default_market)
        asked, options = {"market": english}, SafeString()
        if self.airports:
            asked["kind"] = Kind.AIRPORT
            airports = ((f"{one.name} ({one.code})",) for one in destinations.index(page_deadline()).airports)
            rows = format_html_join("", '<option value="{}"></option>', airports)
            options = format_html('<datalist id="airports">{}</datalist>', rows)
        return format_html(
            '<destination-picker class="destination-picker" data-suggestions="{}" data-beside="{}">{}{}'
            "</destination-picker>",
            f"{reverse('destinations')}?{urlencode(asked)}",
            self.beside,
            super().render(name, value, attrs, renderer),
            options,
        )


class ContentForm(MeaningfulForm):
    """Takes airports of the list and places that are known or have hotels. Choosing one of the two fills the
    other, where they are `together`."""

    together = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if airport := self.fields.get("airport"):
            place = self.fields["place"]
            place.widget = PlaceInput(place.widget.attrs, beside="airport" if self.together else "")
            airport.widget = PlaceInput(beside="place" if self.together else "", airports=True)
            airport.validators = []  # room for "Name (CODE)", as the list writes it

    def clean_airport(self) -> str:
        written = str(self.cleaned_data["airport"]).strip()
        match = _AIRPORT.fullmatch(written)
        code = match[1].upper() if match else ""
        if written and destinations.airport(code, page_deadline()) is None:
            raise ValidationError("No airport of the list is called so. Choose one of those offered.")
        return code

    def clean_place(self) -> str:
        place = str(self.cleaned_data["place"])
        if not place or "place" not in self.changed_data or _unreadable(place):
            return place
        destination = destinations.resolve(place, destinations.index(page_deadline()))
        if destination is None or destination.kind is Kind.PLACE:
            page = hotels_in(place, seconds_to_ask())
            if page and not page.entries:  # a place is taken while the gateway is away
                raise ValidationError(f"No place is called “{place}”, and no hotel is found there.")
        return place


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


class FeaturedForm(ContentForm):
    """One place may be featured several times, in seasons that don't overlap."""

    def clean_upload(self) -> Any:
        """A picture that was just sent, without what its camera wrote into it."""
        upload = self.cleaned_data["upload"]
        if not isinstance(upload, UploadedFile):
            return upload
        check_picture(upload)
        try:
            return ContentFile(as_kept(BytesIO(upload.read())), upload.name)
        except (OSError, ValueError) as error:
            raise ValidationError("This picture is damaged: parts of it are missing.") from error

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if not self.errors and {"place", "first_day", "last_day"} & {*self.changed_data}:
            values = {name: self.cleaned_data[name] for name in ("place", "first_day", "last_day")}
            if sentence := featured_already(FeaturedDestination(pk=self.instance.pk, **values)):
                self.add_error("place", sentence)
        return cleaned


def featured_already(row: FeaturedDestination) -> str:
    """The sentence that refuses a row whose place another one features on some of its days; else empty."""
    first, last = row.first_day or date.min, row.last_day or date.max
    others = FeaturedDestination.objects.exclude(pk=row.pk)
    for other in others.exclude(last_day__lt=first).exclude(first_day__gt=last):
        if _meant_by(other.place) == _meant_by(row.place):
            ends = (("from", other.first_day), ("until", other.last_day))
            season = " ".join(f"{word} {date_format(day)}" for word, day in ends if day) or "all year"
            return f"“{other.place}” is featured already, {season}. Change that one, or choose other days."
    return ""


def _meant_by(place: str) -> str:
    """One text for all spellings and names of a place."""
    destination = destinations.resolve(place, destinations.index(page_deadline()))
    return fold(place) if destination is None or destination.kind is Kind.PLACE else destination.text


class AirportCorrectionForm(ContentForm):
    together = False  # the airport is what is corrected, the place how

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        corrections = map(self.cleaned_data.get, ("place", "search_words", "hidden"))
        if not self.errors and not any(corrections):
            raise ValidationError("Nothing is corrected: name a place or search words, or hide the airport.")
        return cleaned


class ProviderForm(MeaningfulForm):
    def clean_code(self) -> str:
        code = str(self.cleaned_data["code"])
        spelt = {one.casefold(): one for one in providers_met()}.get(code.casefold(), code)
        if any(map(str.isspace, code)):
            raise ValidationError("A provider's code has no spaces.")
        if spelt != code:
            raise ValidationError(f"The gateway spells it {spelt}.")
        return code

    def clean_label(self) -> str:
        label = str(self.cleaned_data["label"])
        others = type(self.instance)._default_manager.exclude(pk=self.instance.pk)
        asked = label and "label" in self.changed_data
        if asked and (other := others.filter(label__iexact=label).first()):
            raise ValidationError(f"{other.code} is called so already.")
        return label


class BlockedPropertyForm(MeaningfulForm):
    """A block; the address of the hotel's page stands for its key, and fills in name and other keys."""

    found_name = warning = ""
    key = forms.CharField(
        max_length=4_000,
        strip=False,
        label="Key or address",
        help_text=BlockedProperty._meta.get_field("key").help_text,
        widget=AdminTextInputWidget,
    )

    class Meta:
        model = BlockedProperty
        fields = ("key", "name", "reason", "until")

    def clean_key(self) -> str:
        """The hotel's key; one across providers can't be looked up and is kept as it is."""
        given = str(self.cleaned_data["key"])
        if "key" not in self.changed_data:
            return given
        self.instance.other_keys = None
        given = given.strip()
        self.warning = f"“{given}” is kept, but no hotel was found by it: is it hidden on the site?"
        page = property_page(given) or _at_provider(given)
        if page is not None:
            within = seconds_to_ask()
            building = property_at(*page, within)
            self.found_name = building.name
            site, today = store.current(), localdate()
            search = site.usual_search(building.city, today)
            context = SearchContext(search, Refinement(), site, today, within)
            keys = properties.all_keys(context, building)
            self.warning = "" if keys else ONE_ADDRESS
            self.instance.other_keys = sorted({at_provider(*page), *keys} - {building.key})
            return building.key
        if given.startswith("/") or "://" in given:
            raise ValidationError("This is not the address of a hotel's page on this site.")
        if any(map(str.isspace, given)):
            raise ValidationError("A key has no spaces. Paste the address of the hotel's page instead.")
        return given

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if self.found_name and cleaned and not cleaned.get("name"):
            cleaned["name"] = self.found_name[: BlockedProperty._meta.get_field("name").max_length]
        return cleaned


def _at_provider(key: str) -> tuple[str, str] | None:
    """Provider and id of a key of that form, `NB:12`, of a provider that is known."""
    provider, colon, property_id = key.partition(":")
    codes = {one.code for one in store.current().providers} | providers_met()
    return (provider, property_id) if colon and property_id and provider in codes else None
