"""The search bar that stays on every page, with all its values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Protocol
from urllib.parse import quote

from search.domain.context import SearchContext
from search.domain.query import ALL_STARS, MAX_DAYS_AHEAD
from search.domain.site_settings import Site

from . import formatting
from .formatting import Reader, chosen_stars, guests
from .links import reverse
from .translation import gettext as _

FIELDS = ("place", "checkin", "checkout", "guests", "stars", "currency", "market")


class FilledForm(Protocol):
    """What the search bar asks of a form: its fields by name (with `value()`), its errors, its limits."""

    site: Site
    today: date

    @property
    def errors(self) -> Any: ...

    def __getitem__(self, name: str) -> Any: ...


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class SearchBar:
    """Parameters of components/search_form.html. Days are YYYY-MM-DD, as date inputs want them.

    `errors` holds a text per field that has one. `summary` is the folded bar on phones, `more` what is
    chosen behind "more"; `opened` says that it must show (an error hides there).
    """

    action: str
    destinations: str
    place: str
    checkin: str
    checkout: str
    first_day: str
    last_day: str
    guests: tuple[Choice, ...]
    stars: tuple[Choice, ...]
    currencies: tuple[Choice, ...]
    markets: tuple[Choice, ...]
    errors: dict[str, str]
    summary: str
    more: str
    opened: bool

    @classmethod
    def of_search(cls, context: SearchContext) -> SearchBar:
        """The bar of a search whose results are shown, with the airport chosen for it."""
        search, anchor = context.search, context.anchor
        reader = Reader.for_search(context)
        place = f"{anchor.name} ({anchor.code})" if anchor else search.place
        days = formatting.stay_days_short(search.dates, reader.texts)
        values = {
            "place": place,
            "checkin": search.dates.check_in.isoformat(),
            "checkout": search.dates.check_out.isoformat(),
            "guests": str(search.guests),
            "stars": [str(star) for star in search.stars],
            "currency": search.currency,
            "market": search.market,
        }
        summary = " · ".join((search.place, days, guests(search.guests)))
        return cls._of(values, {}, summary, context.site, context.today)

    @classmethod
    def of_form(cls, form: FilledForm) -> SearchBar:
        """The bar of a form as it was typed, errors beside its fields."""
        values = {name: form[name].value() for name in FIELDS}
        errors = {name: " ".join(str(text) for text in texts) for name, texts in (form.errors or {}).items()}
        summary = str(values["place"] or _("Search"))
        return cls._of(values, errors, summary, form.site, form.today)

    @classmethod
    def _of(
        cls, values: dict[str, Any], errors: dict[str, str], summary: str, site: Site, today: date
    ) -> SearchBar:
        stars = {str(star) for star in values["stars"] or []}
        market, currency = str(values["market"] or ""), str(values["currency"] or "")
        texts = Reader.of(site, market or site.default_market).texts
        return cls(
            action=reverse("results"),
            destinations=f"{reverse('destinations')}?market={quote(market)}",
            place=str(values["place"] or ""),
            checkin=str(values["checkin"] or ""),
            checkout=str(values["checkout"] or ""),
            first_day=today.isoformat(),
            last_day=(today + timedelta(days=MAX_DAYS_AHEAD)).isoformat(),
            guests=_guest_choices(str(values["guests"] or ""), site),
            stars=tuple(Choice(str(star), chosen_stars((star,)), str(star) in stars) for star in ALL_STARS),
            currencies=tuple(
                Choice(code, formatting.currency_label(code, texts), code == currency)
                for code in site.currencies
            ),
            markets=tuple(
                Choice(code, formatting.market_label(code), code == market) for code in site.markets
            ),
            errors=errors,
            summary=summary,
            more=", ".join(filter(None, (_more_stars(stars), currency))),
            opened=bool({"stars", "currency", "market"} & set(errors)),
        )


def _guest_choices(current: str, site: Site) -> tuple[Choice, ...]:
    """1 to the site's most guests; what was typed stays selectable so that its error makes sense."""
    numbers = [str(number) for number in range(1, site.max_guests + 1)]
    if current and current not in numbers:
        numbers.append(current)
    return tuple(
        Choice(
            number, guests(int(number)) if number in numbers[: site.max_guests] else number, number == current
        )
        for number in numbers
    )


def _more_stars(stars: set[str]) -> str:
    known = tuple(star for star in ALL_STARS if str(star) in stars)
    return "" if known == ALL_STARS else chosen_stars(known)
