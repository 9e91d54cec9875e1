"""The search form, from an address to a StaySearch or errors beside the fields, and the search bar that
shows it.
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, ClassVar, NamedTuple, Self

from babel import Locale
from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.http import QueryDict

from search.domain.context import SearchContext
from search.domain.query import (
    ALL_STARS,
    FILTERS_ABOUT,
    MAX_DAYS_AHEAD,
    MAX_NIGHTS,
    NO_FILTERS,
    Refinement,
    StayDates,
    StaySearch,
    canonical_stars,
    earliest_day,
    place_parts,
)
from search.domain.site_settings import Site
from search.domain.words import BIDI_CONTROL

from . import formatting
from .formatting import Reader, chosen_stars, guests, nights, star_words
from .translation import gettext, gettext_lazy
from .translation import gettext as _

MAX_PLACE = 200

_UNREADABLE = gettext_lazy("Please use letters and numbers only.")
_AT_LEAST_ONE = gettext_lazy("Please choose at least one guest.")
# Django's own texts address the reader in another way than the site does in some languages.
_NO_DAY = {"invalid": gettext_lazy("Please choose a day.")}
_NOT_OFFERED = {
    "currency": gettext_lazy("Please choose one of these currencies."),
    "market": gettext_lazy("Please choose one of these languages."),
}
_DAY_PATTERN = "%Y-%m-%d"
_CONTROL = re.compile("[\x01-\x1f\x7f-\x9f\ud800-\udfff]")


class SearchForm(forms.Form):
    """Bound when the address asks for days, otherwise unbound and filled with sensible values.

    `query` holds the parameters of the address. A missing currency, market or number of
    guests takes the site's default. `bind=False` fills the form without judging what is in it. `first_day`
    is today where the place is, the earliest check-in; without it, a day that isn't over everywhere.

    `values` are what the fields show, defaults filled in. `mended` says that the check-out of the address
    wasn't after its check-in, so the usual length of stay was taken.
    """

    needs_place: ClassVar = True
    place = forms.CharField(
        label=gettext_lazy("Where to?"),
        max_length=MAX_PLACE,
        validators=[RegexValidator(_CONTROL, _UNREADABLE, inverse_match=True)],
        error_messages={
            "required": gettext_lazy("Tell us where you want to go: a city, a region or an airport."),
            "null_characters_not_allowed": _UNREADABLE,
            "max_length": gettext_lazy("This name is too long. Please use a shorter one."),
        },
    )
    checkin = forms.DateField(
        label=gettext_lazy("Check-in"), input_formats=[_DAY_PATTERN], error_messages=_NO_DAY
    )
    checkout = forms.DateField(
        label=gettext_lazy("Check-out"), input_formats=[_DAY_PATTERN], error_messages=_NO_DAY
    )
    guests = forms.IntegerField(
        label=gettext_lazy("Guests"),
        min_value=1,
        error_messages={"invalid": _AT_LEAST_ONE, "min_value": _AT_LEAST_ONE},
    )
    stars = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Stars"),
        choices=[(star, star) for star in ALL_STARS],
        required=False,
        coerce=int,
        error_messages={"invalid_choice": gettext_lazy("Please choose from 1 to 5 stars.")},
    )
    currency = forms.CharField()
    market = forms.CharField()

    def __init__(
        self,
        query: QueryDict,
        *,
        site: Site,
        today: date,
        first_day: date | None = None,
        bind: bool = True,
    ) -> None:
        self.query = query
        self.site = site
        self.today = today
        self.first_day = first_day or earliest_day(today)
        self.last_day = today + timedelta(days=MAX_DAYS_AHEAD)
        check_in, check_out, self.mended = _days(query, site, max(today, self.first_day), self.first_day)
        self.values = {**_with_defaults(query, site), "checkin": check_in, "checkout": check_out}
        dated = query.get("checkin") and query.get("checkout")
        is_bound = bind and (dated or not self.needs_place)
        super().__init__(self.values if is_bound else None, initial=self.values)
        self.fields["place"].required = self.needs_place
        at_most = gettext("Guests in one room: %(most)d at most.") % {"most": site.max_guests}
        self.fields["guests"].validators.append(MaxValueValidator(site.max_guests, at_most))
        self.fields["checkin"].validators += [
            MinValueValidator(
                self.first_day, gettext_lazy("This day has passed. Choose today or a later day.")
            ),
            MaxValueValidator(self.last_day, gettext_lazy("Rooms aren't sold that far ahead yet.")),
        ]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        check_in, check_out = values.get("checkin"), values.get("checkout")
        if check_in and check_out:
            try:
                values["dates"] = StayDates(check_in, check_out)
            except ValueError:
                too_long = gettext("A stay can last %(most)d nights at most.") % {"most": MAX_NIGHTS}
                self.add_error("checkout", too_long)
        for name, offered in (("currency", self.site.currencies), ("market", self.site.markets)):
            if name in values and values[name] not in offered:
                self.add_error(name, _NOT_OFFERED[name])
        return values

    @property
    def only_past(self) -> bool:
        """Whether nothing is wrong but that check-in has passed."""
        return list(self.errors) == ["checkin"] and self.has_error("checkin", MinValueValidator.code)

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


class StayForm(SearchForm):
    """A stay at a known hotel: it needs no place, and missing dates take the site's default."""

    needs_place = False


def _with_defaults(query: QueryDict, site: Site) -> dict[str, Any]:
    """What the address says, else the site's defaults, of all fields but the days."""
    market = query.get("market", "").lower() or site.default_market
    return {
        "place": BIDI_CONTROL.sub("", query.get("place", "")).strip(),
        "guests": query.get("guests") or str(site.guests),
        "stars": [star for star in query.getlist("stars") if star],
        "currency": query.get("currency", "").upper() or site.currency_of(market),
        "market": market,
    }


def _days(query: QueryDict, site: Site, today: date, first_day: date) -> tuple[str, str, bool]:
    """Check-in and check-out as the address has them, and whether check-out had to be mended: where it isn't
    after check-in, it becomes the usual length of stay after it. A missing day is that length away from the
    other; both missing, or the other none that can be booked, they are the usual ones."""
    check_in, check_out = _padded(query.get("checkin", "")), _padded(query.get("checkout", ""))
    length = timedelta(days=site.nights)
    if check_in and check_out:
        with suppress(ValueError, OverflowError):
            first = date.fromisoformat(check_in)
            if date.fromisoformat(check_out) <= first:
                return check_in, (first + length).isoformat(), True
        return check_in, check_out, False
    usual = site.usual_search("", today).dates
    first, last = usual.check_in, usual.check_out
    with suppress(ValueError, OverflowError):
        day = date.fromisoformat(check_in or check_out)
        one, other = (day, day + length) if check_in else (max(today, day - length), day)
        if first_day <= one < other <= today + timedelta(days=MAX_DAYS_AHEAD):
            first, last = one, other
    return first.isoformat(), last.isoformat(), False


def _padded(text: str) -> str:
    """`2030-05-04` for `2030-5-4`, as a date input wants it; what is no day as it came."""
    with suppress(ValueError):
        return datetime.strptime(text.strip(), _DAY_PATTERN).date().isoformat()
    return text


# A longer text is no number of guests that anybody meant.
LONGEST_NUMBER = 20


class Choice(NamedTuple):
    value: str
    label: str
    chosen: bool


class DayTotals(NamedTuple):
    """What the stay costs by its check-in day, where that is known: `2030-05-01 €412` with `|` between, and a
    note of what the totals are."""

    by_day: str = ""
    note: str = ""


NO_TOTALS = DayTotals()
# The order and the filters, which one search hands on to the next.
_KEPT = {*Refinement.__struct_fields__} - {*NO_FILTERS} | {"sort", "per_night"}


@dataclass(frozen=True, slots=True)
class SearchBar:
    """Parameters of components/search_form.html.

    `values` holds what each field says (days as YYYY-MM-DD), `errors` a text per field that has one,
    `summary` the folded bar on phones, `first_day` is the earliest check-in. `mended` says that check-out is
    not what the address asked for. `kept` are the order and the filters of the search, which the next one
    keeps.
    """

    values: dict[str, Any]
    errors: dict[str, str]
    summary: str
    site: Site
    today: date
    first_day: date
    mended: bool = False
    totals: DayTotals = NO_TOTALS
    kept: tuple[tuple[str, str], ...] = ()
    most_nights: ClassVar[int] = MAX_NIGHTS

    @classmethod
    def of_search(cls, context: SearchContext, totals: DayTotals = NO_TOTALS) -> Self:
        """The bar of a search whose results are shown, with the airport chosen for it."""
        search, anchor = context.search, context.anchor
        values: dict[str, Any] = {**dict(search.pairs()), "stars": [str(star) for star in search.stars]}
        if anchor:
            values["place"] = f"{anchor.name} ({anchor.code})"
        elif context.refinement.country:
            values["place"] = f"{search.place}, {context.refinement.around}"
        days = formatting.stay_days(search.dates, Reader.for_search(context).texts, "MMMd")
        stay = formatting.in_whole_parts(f"{days} · {guests(search.guests)}")
        summary = "\u00a0· ".join(filter(None, (formatting.before_days(search.place), stay)))
        first_day = context.first_day or earliest_day(context.today)
        kept = _kept([pair for pair in context.refinement.pairs() if pair[0] in _KEPT], values)
        return cls(values, {}, summary, context.site, context.today, first_day, context.mended, totals, kept)

    @classmethod
    def of_form(cls, form: SearchForm) -> Self:
        """The bar of a form as it was typed, errors beside its fields."""
        query = form.query
        values = {**form.values, "place": _told_apart(form.values["place"], query)}
        # Two rules may be broken by one letter and say the same.
        errors = {name: " ".join(dict.fromkeys(map(str, texts))) for name, texts in form.errors.items()}
        summary = values["place"] or _("Search")
        asked = [(name, one) for name, several in query.lists() if name in _KEPT for one in several if one]
        before = {name: query.get(f"{name}_before") or values[name] for name in FILTERS_ABOUT}
        kept = _kept(asked, before)
        return cls(values, errors, summary, form.site, form.today, form.first_day, form.mended, kept=kept)

    @property
    def last_day(self) -> date:
        return self.today + timedelta(days=MAX_DAYS_AHEAD)

    @property
    def reader(self) -> Reader:
        return Reader.of(self.site, self.values["market"])

    @property
    def dates(self) -> StayDates | None:
        """The stay of the two days; None where they are none."""
        with suppress(ValueError):
            return StayDates(*(date.fromisoformat(self.values[name]) for name in ("checkin", "checkout")))
        return None

    @property
    def said(self) -> dict[str, tuple[str, ...]]:
        """What stands beside the names of the two days: weekdays and, at check-out, nights."""
        if not (dates := self.dates):
            return {"checkin": ("",), "checkout": ("", "")}
        days, texts = (dates.check_in, dates.check_out), self.reader.texts
        first, last = (formatting.weekday(day, texts) for day in days)
        return {"checkin": (first,), "checkout": (last, nights(dates.nights))}

    @property
    def note(self) -> str:
        """What was changed in the search that was asked for; mostly nothing."""
        if not (self.mended and (dates := self.dates)):
            return ""
        days = formatting.stay_days(dates, self.reader.texts)
        said = {"dates": days, "nights": nights(dates.nights)}
        return _("Check-out must be after check-in. The stay is now %(dates)s, %(nights)s.") % said

    @property
    def calendar(self) -> dict[str, str]:
        """What a browser's calendar can't know: the market's first day of the week (0 is Sunday), the page's
        locale, and `1 night`, `2 nights` up to the longest stay."""
        reader = self.reader
        first_day = (Locale.parse(reader.numbers).first_week_day + 1) % 7
        return {
            "locale": reader.texts.replace("_", "-"),
            "first": str(first_day),
            "nights": "|".join(map(nights, range(1, MAX_NIGHTS + 1))),
        }

    @property
    def guests(self) -> tuple[Choice, ...]:
        """1 to the site's most guests; what was typed stays to be seen beside its error."""
        offered = {str(number): guests(number) for number in range(1, self.site.max_guests + 1)}
        typed = self.values["guests"][:LONGEST_NUMBER]
        offered.setdefault(typed, typed)
        return _choices(offered, typed)

    @property
    def stars(self) -> tuple[Choice, ...]:
        return _choices({str(star): star_words(star) for star in ALL_STARS}, *self.values["stars"])

    @property
    def currencies(self) -> tuple[Choice, ...]:
        texts = self.reader.texts
        labels = {code: formatting.currency_label(code, texts) for code in self.site.currencies}
        return _choices(labels, self.currency)

    @property
    def currency(self) -> str:
        """The one that was asked for, where the site offers it."""
        asked = self.values["currency"]
        return asked if asked in self.site.currencies else self.site.currency_of(self.values["market"])

    @property
    def market(self) -> str:
        asked = self.values["market"]
        return asked if asked in self.site.markets else self.site.default_market

    @property
    def chosen_stars(self) -> str:
        return chosen_stars(
            canonical_stars([star for star in ALL_STARS if str(star) in self.values["stars"]])
        )


def _told_apart(place: str, query: QueryDict) -> str:
    """The place with what tells it from others of its name, as the bar of its results has it."""
    said_by = Refinement(**place_parts(query))
    said = f" ({said_by.near})" if said_by.near else f", {said_by.around}" if said_by.country else ""
    return place if not place or place.endswith(said) else f"{place}{said}"


def _kept(asked: list[tuple[str, str]], values: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """The parameters, and of what they depend on (`place_before`) what it was when they were chosen."""
    chosen = {name for name, _value in asked}
    before = (
        (f"{about}_before", values[about])
        for about, names in FILTERS_ABOUT.items()
        if values[about] and not chosen.isdisjoint(names)
    )
    return (*asked, *before)


def _choices(labels: dict[str, str], *chosen: str) -> tuple[Choice, ...]:
    return tuple(Choice(value, label, value in chosen) for value, label in labels.items())
