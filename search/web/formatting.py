"""Amounts, days, distances, places and codes as a visitor of one market reads them.

`locale` is a Babel identifier such as `en_GB`.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Self
from unicodedata import bidirectional

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_interval, format_skeleton, format_time, format_timedelta
from babel.numbers import (
    format_currency,
    format_decimal,
    format_percent,
    get_currency_name,
    get_currency_symbol,
)
from django.utils import timezone
from django.utils.functional import cached_property

from search.domain.context import SearchContext
from search.domain.hotels import KM_PER_MILE, GuestRating, km_per
from search.domain.money import Money
from search.domain.query import StayDates, StaySearch
from search.domain.site_settings import Site
from search.domain.words import CodeKind

from . import labels
from .translation import get_language, ngettext
from .translation import gettext as _

FALLBACK_LOCALE = "en_GB"
# Plain English would be American: months first. Plain Portuguese would be Brazilian: Tchéquia, Madri.
_OF_A_LANGUAGE = {"en": FALLBACK_LOCALE, "pt": "pt_PT"}
ONE_DECIMAL = Decimal("0.1")

_CODE_THEN_DIGIT = re.compile(r"(?<=[A-Za-z])(?=\d)")
_FIRST_OF_MONTH = re.compile(r"\b1\b")
_SPACED_DAYS = re.compile(r"(?<=\d)\s+–\s+(?=\d)")
_MILLION = re.compile(r"(\D*)1(\D)111(?:\2)111(?:(\D)(0+))?(\D*)")


@lru_cache(maxsize=64)  # a visitor may write it, at any length
def number_locale(market: str) -> str:
    """The locale of a market (`de-at` -> `de_AT`), or of its language, or the fallback."""
    language, _dash, country = market.partition("-")
    for candidate in (f"{language}_{country.upper()}", _OF_A_LANGUAGE.get(language, language)):
        with suppress(UnknownLocaleError, ValueError):
            return str(Locale.parse(candidate))
    return FALLBACK_LOCALE


def whole_money(amount: Decimal, currency: str, locale: str) -> str:
    """`€413`: rounded to whole units, for map pins and bar labels."""
    return money(amount.quantize(Decimal(1), ROUND_HALF_UP), currency, locale, whole=True)


def money(amount: Decimal, currency: str, locale: str, whole: bool = False) -> str:
    """`€412.60`: the currency's own decimals, the locale's signs, no line break inside. As `_by_babel`, which
    takes fifteen times as long: a page has some two hundred amounts."""
    signs = _signs(currency, locale, whole)
    if signs is None or not amount >= 0:
        return _by_babel(amount, currency, locale, whole)
    before, spec, separators, after = signs
    return f"{before}{format(amount, spec).translate(separators)}{after}"


@lru_cache(maxsize=512)
def _signs(currency: str, locale: str, whole: bool) -> tuple[str, str, dict[int, str], str] | None:
    """What Babel writes before, between and after the digits; None where they aren't in groups of three."""
    sample = _MILLION.fullmatch(_by_babel(Decimal(1_111_111), currency, locale, whole))
    if sample is None:
        return None
    before, group, point, decimals, after = sample.groups(default="")
    return before, f",.{len(decimals)}f", {ord(","): group, ord("."): point}, after


def _by_babel(amount: Decimal, currency: str, locale: str, whole: bool) -> str:
    pattern = Locale.parse(locale).currency_formats["standard"].pattern
    if whole:
        pattern = pattern.replace(".00", "")
    text = format_currency(amount, currency, pattern, locale, currency_digits=not whole)
    # CLDR wants a space between a currency's letters and its digits; Babel leaves it out.
    return _CODE_THEN_DIGIT.sub("\u00a0", text.replace(" ", "\u00a0"))


@lru_cache(maxsize=4_096)
def number(value: Decimal | int, locale: str) -> str:
    """A plain number, grouped and pointed as the locale does."""
    return format_decimal(value, locale=locale)


@lru_cache(maxsize=1_024)
def one_decimal(value: Decimal, locale: str) -> str:
    """`9.0`: numbers that stand beside each other keep the same decimals; beyond ten most have none."""
    return format_decimal(value.quantize(ONE_DECIMAL), "0.0" if value <= 10 else "0.#", locale=locale)


@lru_cache(maxsize=2_048)
def discount(percent: int, locale: str) -> str:
    """`\u221210%`, or with the locale's space before the sign."""
    return "\u2212" + format_percent(percent / 100, locale=locale)


@lru_cache(maxsize=2_048)
def stay_days(dates: StayDates, locale: str, skeleton: str = "yMMMd") -> str:
    """`3\u20137 Dec 2026`; without the year by the skeleton `MMMd`."""
    return _counted(format_interval(dates.check_in, dates.check_out, skeleton, locale=locale), locale)


def in_whole_parts(stay: str) -> str:
    """`3–7 Dec · 2 guests` that breaks between its parts, not inside one."""
    return stay.replace(" ", "\u00a0").replace("\u00b7\u00a0", "\u00b7 ").replace("\u2013", "\u2013\u2060")


def before_days(name: str) -> str:
    """The name, with a mark at its end if it is written from right to left: the days that follow would be
    turned around, too (`13–10 Dec`)."""
    turns = not name.isascii() and any(bidirectional(char) in ("R", "AL") for char in name)
    return f"{name}\u200e" if turns else name


@lru_cache(maxsize=1_024)
def weekday(day: date, locale: str) -> str:
    """`Thu`."""
    return format_date(day, "ccc", locale=locale)


@lru_cache(maxsize=2_048)
def single_day(day: date, skeleton: str, locale: str) -> str:
    """`28 Nov 2026` by the skeleton `yMMMd`."""
    return _counted(format_skeleton(skeleton, day, locale=locale), locale)


def _counted(days: str, locale: str) -> str:
    """`3–7 Dec`, where some versions of CLDR have spaces; French counts the first of a month: `1er nov.`."""
    days = _SPACED_DAYS.sub("–", days)
    return _FIRST_OF_MONTH.sub("1er", days) if locale.startswith("fr") else days


def day_and_time(day: date, clock: time | None, locale: str) -> str:
    """`28 Nov 2026`, with `, 18:00` where there is a time."""
    text = single_day(day, "yMMMd", locale)
    return f"{text}, {format_time(clock, 'short', locale=locale)}" if clock else text


def kilometres(km: float, locale: str) -> str:
    """`1.2 km` under ten, `14 km` from there; miles where the locale has those."""
    return measure(Decimal(str(km)), "KM", locale)


def kilometres_read_as(limit: float, locale: str) -> float:
    """Below how many kilometres `kilometres` says no more than of these."""
    unit = float(KM_PER_MILE) if in_miles(locale) else 1.0
    tenths = int(limit / unit * 10 + 0.5)
    return (tenths / 10 + 0.05 if tenths < 100 else int(limit / unit + 0.5) + 0.5) * unit


_TERRITORIES_OF_MILES = frozenset({"GB", "LR", "MM", "US"})


def in_miles(locale: str) -> bool:
    """Whether road signs there are in miles."""
    return locale.rpartition("_")[2] in _TERRITORIES_OF_MILES


def measure(value: Decimal, unit: str, locale: str) -> str:
    """A distance in the one unit of the locale; as it came where its unit code is not known."""
    per_unit, short = km_per(unit), unit.lower()
    if per_unit is not None and in_miles(locale):
        value, short = value * per_unit / KM_PER_MILE, "mi"
    elif per_unit is not None and (value * per_unit >= 1 or short.startswith("k")):
        value, short = value * per_unit, "km"
    elif per_unit is not None:
        value, short = value * per_unit * 1000, "m"
    rounded = value.quantize(ONE_DECIMAL if value < 10 and short != "m" else Decimal(1), ROUND_HALF_UP)
    return f"{number(rounded, locale)}\u00a0{short}".rstrip()


@lru_cache(maxsize=2_048)
def country_name(code: str, locale: str) -> str:
    """The country of a two-letter code in the locale's language; the code itself, upper case, if unknown."""
    return str(Locale.parse(locale).territories.get(code.upper(), code.upper()))


@lru_cache(maxsize=2_048)
def currency_name(code: str, locale: str) -> str:
    """`Polish Zloty (PLN)`; a code without a name stands alone."""
    name = get_currency_name(code, locale=locale)
    return code if name == code else f"{name} ({code})"


@lru_cache(maxsize=2_048)
def currency_label(code: str, locale: str) -> str:
    """`EUR \u2013 Euro (€)`."""
    name, symbol = get_currency_name(code, locale=locale), get_currency_symbol(code, locale=locale)
    label = code if name == code else f"{code} \u2013 {name}"
    return label if symbol == code else f"{label} ({symbol})"


@lru_cache(maxsize=512)
def market_label(market: str) -> str:
    """`Deutsch (Österreich)`: a market in its own language, so that its people find it."""
    locale = Locale.parse(number_locale(market))
    name = locale.get_language_name(locale) or market
    country = locale.get_territory_name(locale)
    name = name[:1].upper() + name[1:]
    return f"{name} ({country})" if country else name


@dataclass(frozen=True)
class Reader:
    """Made once per page. `numbers` and `texts` are Babel locales."""

    site: Site
    numbers: str
    texts: str

    @cached_property
    def facilities(self) -> labels.FacilityWords:
        return labels.FacilityWords(self.site)

    @classmethod
    def of(cls, site: Site, market: str) -> Self:
        """Words and dates are in the market's own locale if it speaks the page's language, else in that."""
        numbers, spoken = number_locale(market), get_language()
        texts = numbers if numbers.partition("_")[0] == spoken else number_locale(spoken)
        return cls(site, numbers, texts)

    @classmethod
    def for_search(cls, context: SearchContext) -> Self:
        return cls.of(context.site, context.reader_market or context.search.market)

    def money(self, value: Money) -> str:
        return money(value.amount, value.currency, self.numbers)

    def limit(self, value: Money) -> str:
        """`€400`, `€400.50`: decimals only where there are some, as one types it."""
        whole = value.amount == value.amount.to_integral_value()
        return (whole_money if whole else money)(value.amount, value.currency, self.numbers)

    def number(self, value: int | Decimal) -> str:
        return number(value, self.numbers)

    def stay_line(self, search: StaySearch) -> str:
        """`3–7 Dec 2026 · 4 nights · 2 guests`."""
        days = stay_days(search.dates, self.texts)
        return " · ".join((days, nights(search.dates.nights), guests(search.guests)))

    def ago(self, moment: datetime) -> str:
        """`12 minutes ago`: right in every time zone."""
        past = min(moment - timezone.now(), timedelta(seconds=-1))
        return format_timedelta(past, granularity="minute", add_direction=True, locale=self.texts)

    def stale_note(self, fetched_at: datetime) -> str:
        """What a page says when an older answer stands in for a new one."""
        text = _("Prices checked %(ago)s. They may have changed since.")
        return text % {"ago": self.ago(fetched_at)}

    def stale_note_of_none(self, fetched_at: datetime) -> str:
        """`stale_note` where the older answer has no prices."""
        return _("Answered %(ago)s. It may have changed since.") % {"ago": self.ago(fetched_at)}

    def country(self, code: str) -> str:
        return country_name(code, self.texts) if code else ""

    def label(self, kind: CodeKind, code: str, otherwise: str = "") -> str:
        return labels.label(kind, code, self.site, otherwise)

    def rating(self, rating: GuestRating | None) -> tuple[str, str]:
        """The number (on its scale only if the site names one that holds it) and the words; either may be
        empty."""
        if rating is None:
            return "", ""
        number, scale = rating.value, self.site.rating_scale
        value = "" if number is None else one_decimal(number, self.numbers)
        if number is not None and scale and number <= scale:
            value = f"{value}/{scale}"
        return value, self.label(CodeKind.RATING, rating.code)


def short_day(when: date | datetime, reader: Reader) -> str:
    """`3 Nov` in the reader's language; of another year `3 Nov 2027`."""
    day = timezone.localtime(when).date() if isinstance(when, datetime) else when
    return single_day(day, "MMMd" if day.year == timezone.localdate().year else "yMMMd", reader.texts)


def sentences(text: str, values: Mapping[str, str]) -> str:
    """The sentences with their values; a day such as `8. Nov.` brings the full stop that ends one."""
    return (text % values).replace("..", ".")


def nights(count: int) -> str:
    return ngettext("%(count)s night", "%(count)s nights", count) % {"count": count}


def guests(count: int) -> str:
    return ngettext("%(count)s guest", "%(count)s guests", count) % {"count": count}


def star_words(stars: int) -> str:
    """What a screen reader hears for the row of stars; nothing for none."""
    return ngettext("%(count)s star", "%(count)s stars", stars) % {"count": stars} if stars else ""


def chosen_stars(stars: tuple[int, ...]) -> str:
    """`4 and 5 stars`, or empty when every rating will do."""
    if len(stars) < 2:
        return star_words(stars[0] if stars else 0)
    return _("%(first)s and %(last)s stars") % {"first": ", ".join(map(str, stars[:-1])), "last": stars[-1]}
