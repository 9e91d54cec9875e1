"""When is it cheapest? Totals of the same stay by its dates.

One measure for all dates: the middle total of the hotels that match the filters among the first page that
the gateway gives for each; for one hotel its own lowest total. An entry of the cache holds the totals of all
stays that differ in their dates alone: calendar and tiles read it and ask nothing. The page asks for the
dates it lacks, with one call each.
"""

import hashlib
from calendar import monthrange
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import suppress
from contextvars import copy_context
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from functools import partial
from itertools import chain
from statistics import median_low
from typing import Self
from zlib import crc32

import msgspec
from django.conf import settings
from django.http import QueryDict
from django.utils import timezone

from search.domain import process
from search.domain.context import SearchContext
from search.domain.hotels import at_provider
from search.domain.query import MAX_DAYS_AHEAD, StayDates, encode_pairs
from search.domain.site_settings import Site
from search.gateway import GatewayError
from search.gateway.cache import KEEP
from search.gateway.client import series_of
from search.gateway.factory import build_safe_store
from search.gateway.resilience import LIMITS, behind_pages
from search.web import streaming
from search.web.formatting import Reader, whole_money
from search.web.links import Stay, reverse, view_pairs
from search.web.search_form import NO_TOTALS, DayTotals
from search.web.shortcuts import page_deadline
from search.web.translation import gettext as _

from .full_results import SETTLED as JUST_COLLECTED
from .full_results import AvailableResults, FullResults
from .index import RowIndex, bits
from .listings import origin_of, visible
from .pagination import SIZES, CoverageState, Keys, PageSizes, known_by
from .selection import Question, Selection

# Of fewer hotels a middle says nothing.
LEAST = 10
# Calls for one look at a month, and totals that are remembered of a stay.
MOST_CALLS = 31
MOST_REMEMBERED = 93
# Calls that began together end together: one new table for all of them.
TOGETHER_SECONDS = 0.05
HEATS = 5


class DayTotal(msgspec.Struct, frozen=True, array_like=True):
    """What a stay costs from one day on: the `total` of so many `hotels` that match, of which `compared` have
    a comparable one. `sample` holds a checksum of each hotel that was looked at."""

    total: Decimal | None
    hotels: int
    compared: int
    fetched_at: datetime
    sample: tuple[int, ...] = ()

    @property
    def middle(self) -> Decimal | None:
        """The total if there are enough hotels for a middle."""
        return self.total if self.compared >= LEAST else None


Totals = dict[date, DayTotal]


def by_day(context: SearchContext) -> dict[date, Decimal]:
    totals = _read(_key(context))
    return {day: one.middle for day, one in totals.items() if one.middle is not None}


def for_calendar(context: SearchContext) -> DayTotals:
    """The known totals of the stay on other days, in words, from today on; the last part is how dear."""
    numbers, currency = Reader.for_search(context).numbers, context.search.currency
    totals = {day: total for day, total in sorted(by_day(context).items()) if day >= context.today}
    texts = (
        f"{day} {whole_money(total, currency, numbers)} {heat(total, totals.values())}"
        for day, total in totals.items()
    )
    return DayTotals("|".join(texts), note(context.site)) if totals else NO_TOTALS


def heat(total: Decimal, among: Iterable[Decimal]) -> int:
    """0 for the lowest, up to 4 for the highest."""
    lowest, *_others, highest = sorted(among) * 2
    return min(HEATS - 1, int((total - lowest) * HEATS / (highest - lowest))) if highest > lowest else 0


def note(site: Site) -> str:
    """`Totals: the middle one of the first 200 places an earlier search found.`"""
    text = _("Totals: the middle one of the first %(count)d places an earlier search found.")
    return text % {"count": sample_size(site)}


def sample_size(site: Site) -> int:
    """No more hotels than are compared, nor than one page of the gateway has."""
    sizes = process.part(PageSizes)
    return min(site.cap, sizes.known(site) or sizes.largest() or SIZES[0])


def remember(context: SearchContext, available: AvailableResults) -> None:
    """Store the middle total of these results if their first hotels are all in and none is stale."""
    results, day = available.result_set, context.search.dates.check_in
    settled = (CoverageState.COMPLETE, CoverageState.CAPPED)
    if available.stale or results.coverage.state not in settled:
        return
    stored = _read(_key(context)).get(day)
    # The results of a deeper pass may be older than the stored total.
    if stored is None or not results.fetched_at <= stored.fetched_at <= timezone.now():
        _store(_key(context), {day: middle_of(available, context)}, context.today)


def middle_of(available: AvailableResults, context: SearchContext) -> DayTotal:
    """The middle total of the matching hotels of the sample."""
    site, search, results = context.site, context.search, available.result_set
    asked_for = [row for row in results.rows if not search.stars or row.stars in search.stars]
    shown = (visible(row, context) for row in asked_for[: sample_size(site)])
    index = RowIndex(filter(None, shown), site.for_market(search.market))
    question = Question(context.refinement.filters, search.stars, anchor=origin_of(index, context))
    selection = Selection(index, question)
    leading = (selection.leading(number) for number in bits(selection.matching))
    totals = [one.comparable for one in leading if one and one.comparable is not None]
    sample = tuple(sorted(crc32(row.key.encode()) for row in index.rows))
    middle = median_low(totals) if totals else None
    return DayTotal(middle, selection.count, len(totals), results.fetched_at, sample)


def _lowest_of(available: AvailableResults, context: SearchContext, keys: Keys) -> DayTotal:
    row = known_by(keys, filter(None, (visible(row, context) for row in available.result_set.rows)))
    total = row.offers[0].comparable if row and row.offers else None
    return DayTotal(total, int(row is not None), int(total is not None), available.result_set.fetched_at)


def _read(key: str) -> Totals:
    """The totals of a cached entry that were fetched within the last day; none of an unreadable one."""
    entry = process.part(build_safe_store).get(key)
    oldest = timezone.now() - timedelta(seconds=KEEP["search"])
    with suppress(msgspec.MsgspecError, TypeError):
        totals = msgspec.msgpack.decode(entry, type=Totals) if entry else {}
        return {day: one for day, one in totals.items() if one.fetched_at > oldest}
    return {}


def _store(key: str, fetched: Totals, today: date) -> None:
    """Add totals to an entry, which keeps the newest ones of days to come."""
    totals = [(day, one) for day, one in {**_read(key), **fetched}.items() if day >= today]
    newest = sorted(totals, key=lambda one: one[1].fetched_at)[-MOST_REMEMBERED:]
    process.part(build_safe_store).set(key, msgspec.msgpack.encode(dict(newest)), KEEP["search"])


def _key(context: SearchContext, keys: Keys = ()) -> str:
    """A hash of all that changes the totals, without the check-in day and blocked hotels."""
    search, site = context.sent, context.site
    pairs = [pair for pair in search.pairs() if pair[0] not in ("checkin", "checkout")]
    filters = () if keys else context.refinement.filters.pairs()
    rules = (site.categories_style, site.surcharge_mode, site.price_basis, sample_size(site))
    what = (pairs, search.dates.nights, filters, keys, rules, sorted(site.disabled_providers))
    encoded = msgspec.json.encode((settings.GATEWAY_BASE_URL, *what))
    return f"totals:{hashlib.sha256(encoded).hexdigest()}"


def build_pool() -> ThreadPoolExecutor:
    """As many calls at once as leave the other places to visitors who wait for a list."""
    return ThreadPoolExecutor(LIMITS.behind, thread_name_prefix="dates")


class View(StrEnum):
    AROUND = "around"
    WEEKENDS = "weekends"
    MONTH = "month"


# The weekday of the first day (Monday is 0), and how many nights.
WEEKENDS = {"fri-sun": (4, 2), "fri-mon": (4, 3), "sat-mon": (5, 2)}
MOST_DAYS_OFF = 3
MOST_NIGHTS = 14


class DatesQuestion(msgspec.Struct, frozen=True):
    """Which dates are compared: `month` is the first day of one, `nights` the length of a stay in it; of the
    hotel of `stay`, or of all that match. Totals are of a stay or `per_night`."""

    view: View
    month: date
    nights: int
    weekend: str = "fri-sun"
    stay: Stay | None = None
    per_night: bool = False

    @classmethod
    def of(cls, query: QueryDict, context: SearchContext) -> Self:
        """That of an address; nonsense takes the usual value."""
        check_in, first = context.search.dates.check_in, context.first_day or context.today
        month, length = max(check_in, first).replace(day=1), query.get("nights", "")
        with suppress(ValueError):
            asked = date.fromisoformat(f"{query.get('month', '')}-01")
            month = asked if first.replace(day=1) <= asked <= _last_day(context) else month
        usual = min(context.search.dates.nights, MOST_NIGHTS)
        return cls(
            view=next((one for one in View if one == query.get("view")), View.AROUND),
            month=month,
            nights=next((one for one in range(1, MOST_NIGHTS + 1) if str(one) == length), usual),
            weekend=next((one for one in WEEKENDS if one == query.get("weekend")), "fri-sun"),
            stay=Stay.of(query.get("stay", "")),
            per_night=query.get("per") == "night",
        )

    def pairs(self) -> list[tuple[str, str]]:
        pairs = [("view", self.view.value), ("month", f"{self.month:%Y-%m}"), ("nights", str(self.nights))]
        pairs += [("weekend", self.weekend), ("per", "night" if self.per_night else "stay")]
        return [*pairs, ("stay", str(self.stay))] if self.stay else pairs

    @property
    def keys(self) -> Keys:
        """What the one hotel is known by; empty for all that match."""
        return tuple(dict.fromkeys((self.stay.key, at_provider(*self.stay[:2])))) if self.stay else ()

    def dates(self, context: SearchContext) -> list[StayDates]:
        """The dates to compare, in order; only those of the search may be over."""
        searched, length = context.search.dates, self.nights
        first, last = context.first_day or context.today, _last_day(context)
        _weekday, in_month = monthrange(self.month.year, self.month.month)
        days = [self.month + timedelta(days=number) for number in range(in_month)]
        if self.view is View.AROUND:
            first, length = min(first, searched.check_in), searched.nights
            off = range(-MOST_DAYS_OFF, MOST_DAYS_OFF + 1)
            days = [searched.check_in + timedelta(days=number) for number in off]
        elif self.view is View.WEEKENDS:
            weekday, length = WEEKENDS[self.weekend]
            days = [day for day in days if day.weekday() == weekday]
        return [StayDates(day, day + timedelta(days=length)) for day in days if first <= day <= last]


def _last_day(context: SearchContext) -> date:
    return context.today + timedelta(days=MAX_DAYS_AHEAD)


class DateState(StrEnum):
    """What is known of some dates: their total, or why there is none. `OTHER` has one of other hotels."""

    KNOWN = "known"
    OTHER = "other"
    FEW = "few"
    NONE = "none"
    APART = "apart"
    FAILED = "failed"
    WAITING = "waiting"


class DateTotal(msgspec.Struct, frozen=True):
    """Some dates with their total, if that may be shown. The `lowest` is fresh and of the same hotels."""

    dates: StayDates
    state: DateState
    total: Decimal | None = None
    measured: DayTotal | None = None
    stale: bool = False
    lowest: bool = False

    @property
    def comparable(self) -> Decimal | None:
        return self.total if self.state is DateState.KNOWN and not self.stale else None


class DateComparison:
    """The dates of a question with the totals that are known of them; `ask` fetches the others."""

    def __init__(self, context: SearchContext, question: DatesQuestion) -> None:
        self.context = context
        self.question = question
        self.dates = question.dates(context)
        self._failed: set[StayDates] = set()
        self._totals = _read(self._key)

    @property
    def _key(self) -> str:
        """Not the same before the size of the gateway's pages is known."""
        alike = self.context.with_search(dates=self.dates[0]) if self.dates else self.context
        return _key(alike, self.question.keys)

    @property
    def due(self) -> list[StayDates]:
        """The dates without a fresh total, in order; no more than a look may cost in calls."""
        context = self.context
        calls_each = len(series_of(context.sent, context.site.categories_style))
        due = [one for one in self.dates if self._is_stale(self._totals.get(one.check_in))]
        return [one for one in due if one not in self._failed][: MOST_CALLS // calls_each]

    def _is_stale(self, total: DayTotal | None) -> bool:
        fresh = max(timedelta(seconds=self.context.site.search_fresh_seconds), JUST_COLLECTED)
        return total is None or abs(timezone.now() - total.fetched_at) > fresh

    def ask(self, *, for_long: bool = False) -> Iterator[None]:
        """Ask for the dates that are due, with a step for those that came together. They share the page's
        time, or each has as much if `for_long`. Once the reader leaves no other call begins."""
        pool, fetched = process.part(build_pool), dict[date, DayTotal]()
        begun = {
            one: streaming.started(pool, copy_context(), partial(self._fetch, one, for_long))
            for one in self.due
        }
        self._failed.update(one for one, future in begun.items() if not future)
        dates_of = {future: one for one, future in begun.items() if future}
        under_way = set(dates_of)
        try:
            while under_way:
                wait(under_way, return_when=FIRST_COMPLETED)
                done, under_way = wait(under_way, TOGETHER_SECONDS)
                for future in done:
                    if total := future.result():
                        fetched[dates_of[future].check_in] = total
                    else:
                        self._failed.add(dates_of[future])
                self._totals |= fetched
                yield
        finally:
            for future in under_way:
                future.cancel()
            if fetched:
                _store(self._key, fetched, self.context.today)

    def ask_for_all(self) -> None:
        """Ask for the dates that are due within the page's time."""
        for _step in self.ask():
            pass

    @behind_pages
    def _fetch(self, dates: StayDates, for_long: bool) -> DayTotal | None:
        """The total of these dates after one call at most; None if the gateway fails."""
        context = self.context.with_search(dates=dates)
        context = replace(context, deadline=page_deadline()) if for_long else context
        try:
            available = FullResults(context).fresh_or_first_page()
        except GatewayError:
            return None
        keys = self.question.keys
        return _lowest_of(available, context, keys) if keys else middle_of(available, context)

    @property
    def totals(self) -> tuple[DateTotal, ...]:
        """All dates in order, with what is known by now."""
        measured = [self._totals.get(one.check_in) for one in self.dates]
        others = _of_other_hotels([one.sample if one else () for one in measured])
        judged = [self._judged(*one) for one in zip(self.dates, measured, others, strict=True)]
        comparable = [one.comparable for one in judged if one.comparable is not None]
        # The only one is the lowest of nothing.
        lowest = min(comparable) if len(comparable) > 1 else None
        return tuple(
            msgspec.structs.replace(one, lowest=one.comparable is not None and one.comparable == lowest)
            for one in judged
        )

    def _judged(self, dates: StayDates, measured: DayTotal | None, other: bool) -> DateTotal:
        if measured is None:
            return DateTotal(dates, DateState.FAILED if dates in self._failed else DateState.WAITING)
        state = DateState.OTHER if other else DateState.KNOWN
        if not measured.hotels:
            state = DateState.NONE
        elif measured.total is None:
            state = DateState.APART
        elif measured.compared < LEAST and not self.question.keys:
            state = DateState.FEW
        shown = measured.total if state in (DateState.KNOWN, DateState.OTHER) else None
        return DateTotal(dates, state, shown, measured, self._is_stale(measured))


def _of_other_hotels(samples: list[tuple[int, ...]]) -> list[bool]:
    """Whether most hotels of a sample are missing in most of the other samples; an empty one says nothing."""
    counts, others = Counter(chain.from_iterable(samples)), sum(map(bool, samples)) - 1
    common = {hotel for hotel, count in counts.items() if 2 * (count - 1) >= others}
    return [2 * sum(hotel in common for hotel in sample) < len(sample) for sample in samples]


def dates_path(context: SearchContext, stay: Stay | None = None) -> str:
    """Where it says when this search, or this one hotel, is cheapest; empty where the site doesn't say it."""
    if not (context.site.date_strip_enabled and context.search.place):
        return ""
    named = [("stay", str(stay))] if stay else []
    return f"{reverse('dates')}?{encode_pairs([*view_pairs(context), *named])}"
