"""The search bar that stays on every page, with all its values."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Self

from search.domain.context import SearchContext
from search.domain.query import ALL_STARS, MAX_DAYS_AHEAD, canonical_stars, earliest_day
from search.domain.site_settings import Site

from . import formatting
from .formatting import Reader, chosen_stars, guests, star_words
from .search_form import SearchForm
from .translation import gettext as _


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class SearchBar:
    """Parameters of components/search_form.html.

    `values` holds what each field says (days as YYYY-MM-DD), `errors` a text per field that has one,
    `summary` the folded bar on phones.
    """

    values: dict[str, Any]
    errors: dict[str, str]
    summary: str
    site: Site
    today: date

    @classmethod
    def of_search(cls, context: SearchContext) -> Self:
        """The bar of a search whose results are shown, with the airport chosen for it."""
        search, anchor = context.search, context.anchor
        values: dict[str, Any] = {**dict(search.pairs()), "stars": [str(star) for star in search.stars]}
        if anchor:
            values["place"] = f"{anchor.name} ({anchor.code})"
        days = formatting.stay_days_short(search.dates, Reader.for_search(context).texts)
        summary = " · ".join((search.place, days, guests(search.guests)))
        return cls(values, {}, summary, context.site, context.today)

    @classmethod
    def of_form(cls, form: SearchForm) -> Self:
        """The bar of a form as it was typed, errors beside its fields."""
        values = {name: form[name].value() or "" for name in form.fields}
        errors = {name: " ".join(map(str, texts)) for name, texts in form.errors.items()}
        return cls(values, errors, values["place"] or _("Search"), form.site, form.today)

    @property
    def first_day(self) -> date:
        return earliest_day(self.today)

    @property
    def last_day(self) -> date:
        return self.today + timedelta(days=MAX_DAYS_AHEAD)

    @property
    def guests(self) -> tuple[Choice, ...]:
        """1 to the site's most guests; what was typed stays selectable so that its error makes sense."""
        offered = {str(number): guests(number) for number in range(1, self.site.max_guests + 1)}
        typed = self.values["guests"]
        return _choices(offered if typed in offered or not typed else {**offered, typed: typed}, typed)

    @property
    def stars(self) -> tuple[Choice, ...]:
        return _choices({str(star): star_words(star) for star in ALL_STARS}, *self.values["stars"])

    @property
    def currencies(self) -> tuple[Choice, ...]:
        texts = Reader.of(self.site, self.values["market"]).texts
        labels = {code: formatting.currency_label(code, texts) for code in self.site.currencies}
        return _choices(labels, self.values["currency"])

    @property
    def markets(self) -> tuple[Choice, ...]:
        labels = {code: formatting.market_label(code) for code in self.site.markets}
        return _choices(labels, self.values["market"])

    @property
    def more(self) -> str:
        """What is chosen behind "more"."""
        stars = canonical_stars([star for star in ALL_STARS if str(star) in self.values["stars"]])
        return ", ".join(filter(None, (chosen_stars(stars), self.values["currency"])))

    @property
    def opened(self) -> bool:
        """Whether "more" must show: an error hides there."""
        return not {"stars", "currency", "market"}.isdisjoint(self.errors)


def _choices(labels: dict[str, str], *chosen: str) -> tuple[Choice, ...]:
    return tuple(Choice(value, label, value in chosen) for value, label in labels.items())
