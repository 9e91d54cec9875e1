"""The search bar that stays on every page, with all its values."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, Self

from babel import Locale
from django.http import QueryDict

from search.domain.context import SearchContext
from search.domain.query import (
    ALL_STARS,
    FILTERS_ABOUT,
    MAX_DAYS_AHEAD,
    MAX_NIGHTS,
    Refinement,
    StayDates,
    canonical_stars,
    earliest_day,
    meant,
)
from search.domain.site_settings import Site

from . import formatting
from .formatting import Reader, chosen_stars, guests, nights, per_language, star_words
from .search_form import SearchForm
from .translation import get_language
from .translation import gettext as _

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
_KEPT = [name for name in Refinement.__struct_fields__ if name not in ("near", "country", "all")]


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
            values["place"] = f"{search.place}, {context.refinement.country}"
        days = formatting.stay_days(search.dates, Reader.for_search(context).texts, "MMMd")
        stay = formatting.in_whole_parts(f"{days} · {guests(search.guests)}")
        summary = "\u00a0· ".join(filter(None, (formatting.before_days(search.place), stay)))
        first_day = context.first_day or earliest_day(context.today)
        kept = _kept([pair for pair in context.refinement.pairs() if pair[0] in _KEPT], values)
        return cls(values, {}, summary, context.site, context.today, first_day, context.mended, totals, kept)

    @classmethod
    def of_form(cls, form: SearchForm) -> Self:
        """The bar of a form as it was typed, errors beside its fields."""
        values = {name: field.prepare_value(form.values[name]) or "" for name, field in form.fields.items()}
        values["place"] = _told_apart(values["place"], form.query)
        # Two rules may be broken by one letter and say the same.
        errors = {name: " ".join(dict.fromkeys(map(str, texts))) for name, texts in form.errors.items()}
        summary = values["place"] or _("Search")
        query = form.query
        asked = [(name, value) for name in _KEPT for value in query.getlist(name) if value]
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
            "nights": _nights_up_to(MAX_NIGHTS),
        }

    @property
    def guests(self) -> tuple[Choice, ...]:
        """1 to the site's most guests; what was typed stays selectable so that its error makes sense."""
        typed = self.values["guests"]
        return _guest_choices(
            self.site.max_guests, typed if len(typed) <= LONGEST_NUMBER else "", get_language()
        )

    @property
    def stars(self) -> tuple[Choice, ...]:
        return _choices({str(star): star_words(star) for star in ALL_STARS}, *self.values["stars"])

    @property
    def currencies(self) -> tuple[Choice, ...]:
        return _currency_choices(self.site.currencies, self._currency, self.reader.texts)

    @property
    def _currency(self) -> str:
        """The one that was asked for, where the site offers it."""
        asked = self.values["currency"]
        return asked if asked in self.site.currencies else self.site.default_currency

    @property
    def markets(self) -> tuple[Choice, ...]:
        codes, chosen = self.site.markets, self.values["market"]
        return _market_choices(codes, chosen if chosen in codes else self.site.default_market)

    @property
    def more(self) -> str:
        """What is chosen behind "more"."""
        stars = canonical_stars([star for star in ALL_STARS if str(star) in self.values["stars"]])
        return ", ".join(filter(None, (chosen_stars(stars), self._currency)))

    @property
    def opened(self) -> bool:
        """Whether "more" must show: an error hides there."""
        return not {"stars", "currency", "market"}.isdisjoint(self.errors)


def _told_apart(place: str, query: QueryDict) -> str:
    """The place with what tells it from others of its name, as the bar of its results has it."""
    near, country = meant(query.get("near", ""), query.get("country", ""))
    said = f" ({near})" if near else f", {country}" if country else ""
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


# The lists of choices are those of most pages, so each is made once. Nothing of any length may be kept with
# them: whoever asks could fill the memory.
@lru_cache(maxsize=512)
def _guest_choices(most: int, typed: str, _language: str) -> tuple[Choice, ...]:
    offered = {str(number): guests(number) for number in range(1, most + 1)}
    return _choices(offered if typed in offered or not typed else {**offered, typed: typed}, typed)


@lru_cache(maxsize=512)
def _currency_choices(codes: tuple[str, ...], chosen: str, locale: str) -> tuple[Choice, ...]:
    return _choices({code: formatting.currency_label(code, locale) for code in codes}, chosen)


@lru_cache(maxsize=512)
def _market_choices(codes: tuple[str, ...], chosen: str) -> tuple[Choice, ...]:
    return _choices({code: formatting.market_label(code) for code in codes}, chosen)


@per_language
def _nights_up_to(most: int) -> str:
    """`1 night|2 nights`."""
    return "|".join(map(nights, range(1, most + 1)))


def _choices(labels: dict[str, str], *chosen: str) -> tuple[Choice, ...]:
    return tuple(Choice(value, label, value in chosen) for value, label in labels.items())
