"""The price of the same stay on other days.

One measure for all: the middle total of the same sample. For calendars those of earlier searches by
check-in day: one entry of the cache holds all days of searches that differ in nothing else, and nothing asks
the gateway. For the page of other dates those a few days earlier and later, with at most one call a day.
"""

import hashlib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from statistics import median_low
from typing import Any, Self

import msgspec
from django.conf import settings
from django.utils import timezone

from search.domain import process
from search.domain.context import SearchContext
from search.domain.money import Money
from search.domain.query import MAX_DAYS_AHEAD, StayDates, StaySearch
from search.domain.site_settings import Site
from search.gateway.cache import KEEP
from search.gateway.errors import GatewayError
from search.gateway.factory import build_safe_store
from search.gateway.resilience import behind_pages
from search.web import formatting, streaming
from search.web.formatting import Reader, guests, nights, whole_money
from search.web.links import Head, results_path
from search.web.search_form import NO_TOTALS, DayTotals, SearchBar
from search.web.translation import gettext as _

from .full_results import AvailableResults, FullResults
from .index import Row
from .listings import visible
from .pagination import CoverageState, PageSizes

# The same sample for every day: so many places, the gateway's first ones. Of too few there is no middle.
SAMPLE = 50
LEAST = 5
SETTLED = (CoverageState.COMPLETE, CoverageState.CAPPED)

Totals = dict[date, tuple[Decimal, datetime]]


def by_day(search: StaySearch, site: Site) -> dict[date, Decimal]:
    """The cached middle totals of the stay of `search` by check-in day."""
    entry = process.part(build_safe_store).get(_key(search, site))
    return {day: total for day, (total, _fetched_at) in _read(entry).items()}


def for_calendar(context: SearchContext) -> DayTotals:
    """The cached totals of the stay on other days, in words, from today on."""
    numbers, currency = Reader.for_search(context).numbers, context.search.currency
    totals = sorted(by_day(context.sent, context.site).items())
    texts = [f"{day} {whole_money(one, currency, numbers)}" for day, one in totals if day >= context.today]
    return DayTotals("|".join(texts), note(context.site)) if texts else NO_TOTALS


def note(site: Site) -> str:
    """`Totals: the middle one of the first 50 places an earlier search found.`"""
    text = _("Totals: the middle one of the first %(count)d places an earlier search found.")
    return text % {"count": _sample(site)}


def _sample(site: Site) -> int:
    """No more places than are compared, nor than one page of the gateway has."""
    return min(site.cap, SAMPLE, process.part(PageSizes).known(site) or SAMPLE)


def remember(context: SearchContext, available: AvailableResults) -> None:
    """Store the middle total of these results if their first places are all in and none is stale."""
    results, key, day = available.result_set, _key(context.sent, context.site), context.search.dates.check_in
    if available.stale or results.coverage.state not in SETTLED:
        return
    middle = middle_total(results.rows, context)
    if middle is None:
        return
    entry, days = (middle, results.fetched_at), _read(process.part(build_safe_store).get(key))
    stored = days.get(day)
    # The results of a deeper pass may be older than the stored total.
    if stored == entry or (stored and results.fetched_at < stored[1] <= timezone.now()):
        return
    ahead = {other: one for other, one in days.items() if other >= context.today}
    encoded = msgspec.msgpack.encode({**ahead, day: entry})
    process.part(build_safe_store).set(key, encoded, KEEP["search"])


def asked_for(rows: Iterable[Row], context: SearchContext) -> list[Row]:
    """The rows with the stars of the search, in the gateway's order."""
    stars = context.search.stars
    return [row for row in rows if row.stars in stars] if stars else list(rows)


def middle_total(rows: Iterable[Row], context: SearchContext) -> Decimal | None:
    """The middle total of the sample; None of too few."""
    totals = _sampled_totals(rows, context)
    return median_low(totals) if len(totals) >= LEAST else None


def _sampled_totals(rows: Iterable[Row], context: SearchContext) -> list[Decimal]:
    """The lowest totals of those places of the sample that are visible and have a comparable one."""
    shown = (visible(row, context) for row in asked_for(rows, context)[: _sample(context.site)])
    totals = (row.offers[0].comparable for row in shown if row and row.offers)
    return [total for total in totals if total is not None]


def _read(entry: Any) -> Totals:
    """The totals of a cached entry that were fetched within the last day; none of an unreadable one."""
    oldest = timezone.now() - timedelta(seconds=KEEP["search"])
    with suppress(msgspec.MsgspecError, TypeError):
        days = msgspec.msgpack.decode(entry, type=Totals) if entry else {}
        return {day: total for day, total in days.items() if total[1] > oldest}
    return {}


def _key(search: StaySearch, site: Site) -> str:
    """A hash of all that changes the totals, without the check-in day and blocked hotels."""
    pairs = [pair for pair in search.pairs() if pair[0] not in ("checkin", "checkout")]
    rules = (site.categories_style.value, site.surcharge_mode.value, site.price_basis.value)
    sample, disabled = _sample(site), sorted(site.disabled_providers)
    parts = (settings.GATEWAY_BASE_URL, pairs, search.dates.nights, *rules, sample, *disabled)
    return "typical:" + hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


MOST_DAYS_OFF = 3
# Few: visitors' own searches come first.
AT_ONCE = 3


class DatesTotal(msgspec.Struct, frozen=True):
    """The middle total of the same sample for some dates. None without a price or, if `apart`, without a
    comparable one; `known` is False if the gateway failed; `stale_from` is when a stale total was fetched."""

    dates: StayDates
    middle: Money | None
    known: bool = True
    stale_from: datetime | None = None
    apart: bool = False


def build_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(AT_ONCE, thread_name_prefix="nearby-dates")


def dates_around(dates: StayDates, today: date) -> tuple[StayDates, ...]:
    """`dates` and those up to three days off, in order, without others in the past."""
    shifts = (timedelta(days=days) for days in range(-MOST_DAYS_OFF, MOST_DAYS_OFF + 1))
    moved = (StayDates(dates.check_in + shift, dates.check_out + shift) for shift in shifts)
    return tuple(one for one in moved if one.check_in >= min(today, dates.check_in))


def around(context: SearchContext) -> tuple[DatesTotal, ...]:
    """The middle total of each of the dates around those of the search; never raises."""
    first, last = context.first_day or context.today, context.today + timedelta(days=MAX_DAYS_AHEAD)
    dates = [one for one in dates_around(context.search.dates, first) if one.check_in <= last]
    contexts = [context.with_search(dates=one) for one in dates]
    of_dates = streaming.in_parallel(process.part(build_pool), _available, contexts)
    return tuple(_total_of(of, one, context) for of, one in zip(dates, of_dates, strict=True))


@behind_pages
def _available(context: SearchContext) -> AvailableResults | None:
    """The results for the dates of the search after one call at most; None if the gateway fails."""
    try:
        return FullResults(context).fresh_or_first_page()
    except GatewayError:
        return None


def _total_of(dates: StayDates, available: AvailableResults | None, context: SearchContext) -> DatesTotal:
    if available is None:
        return DatesTotal(dates, None, known=False)
    rows = available.result_set.rows
    totals = _sampled_totals(rows, context)
    stale_from = available.result_set.fetched_at if available.stale else None
    apart = not totals and any(offer.total for row in asked_for(rows, context) for offer in row.offers)
    middle = Money(median_low(totals), context.search.currency) if totals else None
    return DatesTotal(dates, middle, stale_from=stale_from, apart=apart)


@dataclass(frozen=True, slots=True)
class DatesLink:
    """One choice of dates. `total` is never empty; `current` are the dates of the search; `cheapest` takes
    totals of now for every date."""

    days: str
    total: str
    href: str
    current: bool
    cheapest: bool


@dataclass(frozen=True, slots=True)
class NearbyDatesPage:
    """Parameters of results/nearby_dates.html; `note` explains the totals, `stale_note` gives the age of the
    oldest if some are stale."""

    head: Head
    bar: SearchBar
    title: str
    summary: str
    dates: tuple[DatesLink, ...]
    note: str
    stale_note: str
    back: str

    @classmethod
    def build(cls, context: SearchContext, totals: tuple[DatesTotal, ...]) -> Self:
        search, refinement, reader = context.search, context.refinement, Reader.for_search(context)
        title = _("%(place)s on other dates") % {"place": search.place}
        stale_from = min((one.stale_from for one in totals if one.stale_from), default=None)
        lowest = min((one.middle.amount for one in totals if one.middle), default=None)
        sure = not stale_from and all(one.known for one in totals)

        def link(one: DatesTotal) -> DatesLink:
            current = one.dates == search.dates
            # A deeper pass is of its own dates alone.
            asked = refinement if current else refinement.without("all")
            return DatesLink(
                days=formatting.stay_days(one.dates, reader.texts, "MMMd"),
                total=_total_words(one, reader),
                href=results_path(context.with_search(dates=one.dates).search, asked),
                current=current,
                cheapest=bool(sure and one.middle and one.middle.amount == lowest),
            )

        return cls(
            head=Head(title=title, robots="noindex"),
            bar=SearchBar.of_search(context),
            title=title,
            summary=" · ".join((nights(search.dates.nights), guests(search.guests))),
            dates=tuple(map(link, totals)),
            note=_note(context.site) if lowest else "",
            stale_note=reader.stale_note(stale_from) if stale_from else "",
            back=results_path(search, refinement),
        )


def _note(site: Site) -> str:
    text = _("Typical: the middle total of the first %(count)d places on each date, whatever the filters.")
    return text % {"count": _sample(site)}


def _total_words(one: DatesTotal, reader: Reader) -> str:
    if not one.known:
        return _("not available right now")
    if one.middle is None:
        return _("no comparable price") if one.apart else _("no price found")
    amount = whole_money(one.middle.amount, one.middle.currency, reader.numbers)
    return _("typically %(amount)s") % {"amount": amount}
