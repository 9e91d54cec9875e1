"""What the same stay costs a few days earlier or later: at most one call a day, and only when asked."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Self

import msgspec

from search.domain import process
from search.domain.context import SearchContext
from search.domain.money import Money
from search.domain.query import MAX_DAYS_AHEAD, StayDates
from search.gateway.errors import GatewayError
from search.gateway.resilience import behind_pages
from search.web import formatting, threads
from search.web.formatting import Reader, guests, nights
from search.web.links import results_path
from search.web.meta import Head
from search.web.search_bar import SearchBar
from search.web.translation import gettext as _
from search.web.translation import ngettext

from .available_results import AvailableResults
from .full_results import FullResults
from .typical_totals import asked_for, lowest_totals

MOST_DAYS_OFF = 3
# Visitors' own searches come first: this is a sideline.
AT_ONCE = 3


class DatesTotal(msgspec.Struct, frozen=True):
    """The lowest total for some dates: of every place, or with a `sample` of so many places that the
    gateway names first, the same number for all dates. None where nothing has a price, or none that can be
    compared (`apart`); `known` is False where the gateway didn't answer; `stale_from` is when it was fetched,
    where no newer one is available."""

    dates: StayDates
    lowest: Money | None
    sample: int | None
    known: bool = True
    stale_from: datetime | None = None
    apart: bool = False


def build_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(AT_ONCE, thread_name_prefix="nearby-dates")


def dates_around(dates: StayDates, today: date) -> tuple[StayDates, ...]:
    """`dates` and those up to three days off, in order; no other one is in the past."""
    shifts = (timedelta(days=days) for days in range(-MOST_DAYS_OFF, MOST_DAYS_OFF + 1))
    moved = (StayDates(dates.check_in + shift, dates.check_out + shift) for shift in shifts)
    return tuple(one for one in moved if one.check_in >= min(today, dates.check_in))


def around(context: SearchContext) -> tuple[DatesTotal, ...]:
    """The lowest total of each of the dates around those of the search, each over as many places as the
    others'; never raises."""
    first, last = context.first_day or context.today, context.today + timedelta(days=MAX_DAYS_AHEAD)
    dates = [one for one in dates_around(context.search.dates, first) if one.check_in <= last]
    contexts = [context.with_search(dates=one) for one in dates]
    found = threads.in_parallel(process.part(build_pool), _available, contexts)
    samples = [
        len(asked_for(one.result_set.rows, context))
        for one in found
        if one and not one.result_set.coverage.exact
    ]
    sample = min(filter(None, samples), default=None)
    return tuple(_total_of(of, one, sample, context) for of, one in zip(dates, found, strict=True))


@behind_pages
def _available(context: SearchContext) -> AvailableResults | None:
    """What is known for the search's own dates after one call at most; None where the gateway fails."""
    try:
        return FullResults(context).fresh_or_first_page()
    except GatewayError:
        return None


def _total_of(
    dates: StayDates, available: AvailableResults | None, sample: int | None, context: SearchContext
) -> DatesTotal:
    if available is None:
        return DatesTotal(dates, None, sample, known=False)
    compared = asked_for(available.result_set.rows, context)[:sample]
    lowest = min(lowest_totals(compared, context), default=None)
    total = Money(lowest, context.search.currency) if lowest is not None else None
    stale_from = available.result_set.fetched_at if available.stale else None
    apart = total is None and any(offer.total for row in compared for offer in row.offers)
    return DatesTotal(dates, total, sample, stale_from=stale_from, apart=apart)


@dataclass(frozen=True, slots=True)
class DatesLink:
    """One choice of dates. `total` is a text whatever is known; `current` are the dates searched for;
    `cheapest` is said only where every place of every date was compared, at prices of now."""

    days: str
    total: str
    href: str
    current: bool
    cheapest: bool


@dataclass(frozen=True, slots=True)
class NearbyDatesPage:
    """Parameters of results/nearby_dates.html; `note` says what the totals are the lowest of, `stale_note`
    how old the oldest are where some are stale."""

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
        # A deeper pass is of its own dates alone.
        elsewhere = refinement.without("all")
        title = _("%(place)s on other dates") % {"place": search.place}
        stale_from = min((one.stale_from for one in totals if one.stale_from), default=None)
        all_compared = not stale_from and all(one.known and one.sample is None for one in totals)
        lowest = min((one.lowest.amount for one in totals if one.lowest), default=None)
        return cls(
            head=Head(title=title, robots="noindex"),
            bar=SearchBar.of_search(context),
            title=title,
            summary=" · ".join((nights(search.dates.nights), guests(search.guests))),
            dates=tuple(
                DatesLink(
                    days=formatting.stay_days(one.dates, reader.texts, "MMMd"),
                    total=_total_words(one, reader),
                    href=results_path(
                        context.with_search(dates=one.dates).search,
                        refinement if one.dates == search.dates else elsewhere,
                    ),
                    current=one.dates == search.dates,
                    cheapest=all_compared and one.lowest is not None and one.lowest.amount == lowest,
                )
                for one in totals
            ),
            note=_note(totals, reader),
            stale_note=reader.stale_note(stale_from) if stale_from else "",
            back=results_path(search, refinement),
        )


def _note(totals: tuple[DatesTotal, ...], reader: Reader) -> str:
    if not any(one.lowest for one in totals):
        return ""
    sample = totals[0].sample
    if sample is None:
        return _("Lowest totals of all places, whatever the filters.")
    text = ngettext(
        "Lowest totals among the first %(count)s place of each date, whatever the filters: "
        "there may be lower ones.",
        "Lowest totals among the first %(count)s places of each date, whatever the filters: "
        "there may be lower ones.",
        sample,
    )
    return text % {"count": reader.number(sample)}


def _total_words(one: DatesTotal, reader: Reader) -> str:
    if not one.known:
        return _("not available right now")
    if one.lowest is None:
        return _("no comparable price") if one.apart else _("no price found")
    return _("from %(amount)s") % {"amount": reader.money(one.lowest)}
