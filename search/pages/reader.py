"""Who reads the page: the market's numbers, the page's language, the site's own words for codes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import cache

from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from search import formatting
from search.domain.catalogue import Facility, GuestRating
from search.domain.money import Money
from search.domain.site import CodeKind, Site

from . import words


@dataclass(frozen=True)
class Reader:
    """Made once per page. `numbers` and `texts` are Babel locales."""

    site: Site
    numbers: str
    texts: str
    _labels: dict[tuple[CodeKind, str], str] = field(default_factory=dict)

    @classmethod
    def of(cls, site: Site, market: str) -> Reader:
        language = get_language() or "en"
        return cls(site, formatting.number_locale(market), formatting.text_locale(market, language))

    def money(self, value: Money) -> str:
        return formatting.money(value.amount, value.currency, self.numbers)

    def number(self, value: int | Decimal) -> str:
        return formatting.number(value, self.numbers)

    def clock(self, moment: datetime) -> str:
        local = timezone.localtime(moment) if timezone.is_aware(moment) else moment
        return formatting.clock(local, self.texts)

    def stale_note(self, fetched_at: datetime) -> str:
        """What a page says when an older answer stands in for a new one."""
        return _("Prices from %(time)s. They may have changed since.") % {"time": self.clock(fetched_at)}

    def country(self, code: str) -> str:
        return formatting.country_name(code, self.texts) if code else ""

    def label(self, kind: CodeKind, code: str) -> str:
        """The words for one of the gateway's codes, looked up once per page."""
        known = self._labels.get((kind, code))
        if known is None:
            known = self._labels[kind, code] = words.label(kind, code, self.site)
        return known

    def facility(self, facility: Facility, *, where: bool = False) -> str:
        """A facility in words: of its known type, else the provider's own, else of the code.

        `where` adds where it is found, unless that is the room.
        """
        known = words.is_known(CodeKind.FACILITY, facility.type, self.site)
        text = (not known and facility.description) or self.label(CodeKind.FACILITY, facility.type)
        if where and text and facility.availability not in ("", "ROOM"):
            text = f"{text} ({self.label(CodeKind.AVAILABILITY, facility.availability)})"
        return text

    def rating(self, rating: GuestRating | None) -> tuple[str, str]:
        """The number (on its scale only if the site names one) and the words; either may be empty."""
        if rating is None:
            return "", ""
        value = "" if rating.value is None else formatting.one_decimal(rating.value, self.numbers)
        if value and self.site.rating_scale:
            value = f"{value}/{self.site.rating_scale}"
        return value, self.label(CodeKind.RATING, rating.code)


def per_language(make: Callable[[int], str]) -> Callable[[int], str]:
    """`make`, asked once for each number and language: plural forms cost more than the rest of a line."""
    made = cache(lambda _language, count: make(count))
    return lambda count: made(get_language(), count)


@per_language
def nights(count: int) -> str:
    return ngettext("%(count)s night", "%(count)s nights", count) % {"count": count}


@per_language
def guests(count: int) -> str:
    return ngettext("%(count)s guest", "%(count)s guests", count) % {"count": count}


@per_language
def star_words(stars: int) -> str:
    """What a screen reader hears for the row of stars; nothing for none."""
    if not stars:
        return ""
    return ngettext("%(count)s star", "%(count)s stars", stars) % {"count": stars}


def chosen_stars(stars: tuple[int, ...]) -> str:
    """`4 and 5 stars`, or empty when every rating will do."""
    if not stars:
        return ""
    if len(stars) == 1:
        return star_words(stars[0])
    return _("%(first)s and %(last)s stars") % {
        "first": ", ".join(str(star) for star in stars[:-1]),
        "last": stars[-1],
    }
