"""The search form: what an address or a visitor typed -> StaySearch, or errors beside the fields."""

import re
from contextlib import suppress
from copy import copy
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.http import QueryDict

from search.domain.query import (
    ALL_STARS,
    MAX_DAYS_AHEAD,
    MAX_NIGHTS,
    StayDates,
    StaySearch,
    canonical_stars,
    earliest_day,
)
from search.domain.site_settings import Site
from search.domain.text import BIDI_CONTROL

from .translation import gettext
from .translation import gettext_lazy as _

MAX_PLACE = 200

_UNREADABLE = _("Please use letters and numbers only.")
_AT_LEAST_ONE = _("Please choose at least one guest.")
_DAY_PATTERN = "%Y-%m-%d"
_CONTROL = re.compile("[\x01-\x1f\x7f-\x9f\ud800-\udfff]")


@lru_cache(maxsize=1_024)
def _day(text: str, pattern: str) -> date:
    """A form reads each of its days twice, and most forms have the same ones."""
    return datetime.strptime(text, pattern).date()


def _padded(text: str) -> str:
    """`2030-05-04` for `2030-5-4`, as a date input wants it; what is no day as it came."""
    with suppress(ValueError):
        return _day(text.strip(), _DAY_PATTERN).isoformat()
    return text


class DayField(forms.DateField):
    """A day. What is none isn't shown again: a date input can't hold it."""

    # Django's own texts address the reader in another way than the site does in some languages.
    default_error_messages: ClassVar = {"invalid": _("Please choose a day.")}

    def strptime(self, value: str, format: str) -> date:
        return _day(value, format)

    def prepare_value(self, value: Any) -> Any:
        try:
            self.to_python(value)
        except ValidationError:
            return ""
        return value


class OfferedField(forms.ChoiceField):
    """One of the values that the site offers. They change from form to form and no widget shows them, so they
    stand beside Django's `choices`, of which each field and widget makes copies."""

    offered: tuple[str, ...] = ()

    def valid_value(self, value: Any) -> bool:
        return value in self.offered


class StarsField(forms.TypedMultipleChoiceField):
    """Star ratings; without `choices` for the same reason."""

    def valid_value(self, value: Any) -> bool:
        return value in map(str, ALL_STARS)


class SharedParts(dict[str, forms.Field]):
    """Fields of which each form has a copy, but not of their widgets, validators and messages: Django would
    copy those too, and no form changes them."""

    def __deepcopy__(self, _memo: dict[int, Any]) -> dict[str, forms.Field]:
        return {name: copy(field) for name, field in self.items()}


class SearchForm(forms.Form):
    """Bound when the address asks for days, otherwise unbound and filled with sensible values.

    `query` holds the parameters of the address. A missing currency, market or number of
    guests takes the site's default; so do missing dates with `needs_place=False` (the property page, which
    is about one building whatever the place). `bind=False` fills the form without judging what is in it.
    `first_day` is today where the place is, the earliest check-in; without it, every day that isn't over
    everywhere may be one.

    `values` are what the fields show, defaults filled in. `mended` says that the check-out of the address
    wasn't after its check-in, so the usual length of stay was taken.
    """

    place = forms.CharField(
        label=_("Where to?"),
        max_length=MAX_PLACE,
        validators=[RegexValidator(_CONTROL, _UNREADABLE, inverse_match=True)],
        error_messages={
            "required": _("Tell us where you want to go: a city, a region or an airport."),
            "null_characters_not_allowed": _UNREADABLE,
            "max_length": _("This name is too long. Please use a shorter one."),
        },
    )
    checkin = DayField(label=_("Check-in"), input_formats=[_DAY_PATTERN])
    checkout = DayField(label=_("Check-out"), input_formats=[_DAY_PATTERN])
    guests = forms.IntegerField(
        label=_("Guests"),
        min_value=1,
        error_messages={"invalid": _AT_LEAST_ONE, "min_value": _AT_LEAST_ONE},
    )
    stars = StarsField(
        label=_("Stars"),
        required=False,
        coerce=int,
        error_messages={"invalid_choice": _("Please choose from 1 to 5 stars.")},
    )
    currency = OfferedField(
        label=_("Currency"), error_messages={"invalid_choice": _("Please choose one of these currencies.")}
    )
    market = OfferedField(
        label=_("Language and country"),
        error_messages={"invalid_choice": _("Please choose one of these languages.")},
    )

    def __init__(
        self,
        query: QueryDict,
        *,
        site: Site,
        today: date,
        first_day: date | None = None,
        needs_place: bool = True,
        bind: bool = True,
    ) -> None:
        self.query = query
        self.site = site
        self.today = today
        self.first_day = first_day or earliest_day(today)
        self.values = values = _with_defaults(query, site, today, self.first_day)
        dated = bool(query.get("checkin") and query.get("checkout"))
        self.mended = _mend(values, site.nights) and dated
        if bind and (dated or not needs_place):
            super().__init__(data=values)
        else:
            super().__init__(initial=values)
        self.fields["place"].required = needs_place
        self.fields["currency"].offered = site.currencies  # type: ignore[attr-defined]
        self.fields["market"].offered = site.markets  # type: ignore[attr-defined]

    def clean_guests(self) -> int:
        guests: int = self.cleaned_data["guests"]
        if guests > (most := self.site.max_guests):
            raise ValidationError(gettext("Guests in one room: %(most)d at most.") % {"most": most})
        return guests

    def clean_checkin(self) -> date:
        check_in: date = self.cleaned_data["checkin"]
        if check_in < self.first_day:
            raise ValidationError(_("This day has passed. Choose today or a later day."), code="past")
        if check_in > self.today + timedelta(days=MAX_DAYS_AHEAD):
            raise ValidationError(_("Nobody sells rooms that far ahead yet."))
        return check_in

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        check_in, check_out = values.get("checkin"), values.get("checkout")
        if check_in and check_out:
            try:
                values["dates"] = StayDates(check_in, check_out)
            except ValueError:
                too_long = gettext("A stay can last %(most)d nights at most.") % {"most": MAX_NIGHTS}
                self.add_error("checkout", too_long)
        return values

    @property
    def only_past(self) -> bool:
        """Whether nothing is wrong but that check-in has passed."""
        return list(self.errors) == ["checkin"] and self.has_error("checkin", "past")

    def search(self) -> StaySearch:
        """The search of a valid form."""
        values = self.cleaned_data
        return StaySearch(
            place=" ".join(values["place"].split()),
            dates=values["dates"],
            guests=values["guests"],
            stars=canonical_stars(values["stars"]),
            currency=values["currency"],
            market=values["market"],
        )


SearchForm.base_fields = SharedParts(SearchForm.base_fields)


def _with_defaults(query: QueryDict, site: Site, today: date, first_day: date) -> dict[str, Any]:
    """The form's values: what the address says, else the site's defaults."""
    check_in, check_out = _days(query, site, max(today, first_day), first_day)
    return {
        "place": BIDI_CONTROL.sub("", query.get("place", "")).strip(),
        "checkin": check_in,
        "checkout": check_out,
        "guests": query.get("guests") or str(site.guests),
        "stars": [star for star in query.getlist("stars") if star],
        "currency": query.get("currency", "").upper() or site.default_currency,
        "market": query.get("market", "").lower() or site.default_market,
    }


def _days(query: QueryDict, site: Site, today: date, first_day: date) -> tuple[str, str]:
    """Check-in and check-out as the address has them. One that is missing is the usual length of stay away
    from the other; both missing, or the other none that can be booked, they are the usual ones."""
    check_in, check_out = _padded(query.get("checkin", "")), _padded(query.get("checkout", ""))
    if check_in and check_out:
        return check_in, check_out
    usual, length = site.usual_search("", today).dates, timedelta(days=site.nights)
    first, last = usual.check_in, usual.check_out
    with suppress(ValueError, OverflowError):
        day = _day(check_in or check_out, _DAY_PATTERN)
        one, other = (day, day + length) if check_in else (max(today, day - length), day)
        if first_day <= one < other <= today + timedelta(days=MAX_DAYS_AHEAD):
            first, last = one, other
    return first.isoformat(), last.isoformat()


def _mend(values: dict[str, Any], nights: int) -> bool:
    """Whether check-out wasn't after check-in; then it is set to that many nights after it."""
    with suppress(ValueError, OverflowError):
        check_in, check_out = (date.fromisoformat(values[name]) for name in ("checkin", "checkout"))
        if check_out <= check_in:
            values["checkout"] = (check_in + timedelta(days=nights)).isoformat()
            return True
    return False
