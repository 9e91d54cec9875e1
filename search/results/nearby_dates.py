"""What the same stay costs a few days earlier or later: at most one call a day, and only when asked."""

import contextvars
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Self

import msgspec
from django.db import connections

from search.domain import process
from search.domain.context import SearchContext
from search.domain.money import Money
from search.domain.query import StayDates
from search.gateway.errors import GatewayError
from search.gateway.resilience import behind_pages
from search.web import formatting
from search.web.formatting import Reader, guests, nights
from search.web.links import results_path
from search.web.meta import Head
from search.web.search_bar import SearchBar
from search.web.translation import gettext as _

from . import service
from .full_results import FullResults

MOST_DAYS_OFF = 3
# Visitors' own searches come first: this is a sideline.
AT_ONCE = 3


class DatesTotal(msgspec.Struct, frozen=True):
    """The lowest total found for some dates, of every place when `whole`, else of the first page; None
    where nothing has a price. `known` is False where the gateway didn't answer."""

    dates: StayDates
    lowest: Money | None
    whole: bool
    known: bool


def build_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(AT_ONCE, thread_name_prefix="nearby-dates")


def dates_around(dates: StayDates, today: date) -> tuple[StayDates, ...]:
    """`dates` and those up to three days off, in order; no other one is in the past."""
    shifts = (timedelta(days=days) for days in range(-MOST_DAYS_OFF, MOST_DAYS_OFF + 1))
    moved = (StayDates(dates.check_in + shift, dates.check_out + shift) for shift in shifts)
    return tuple(one for one in moved if one.check_in >= min(today, dates.check_in))


def around(context: SearchContext) -> tuple[DatesTotal, ...]:
    """The lowest total of each of the dates around those of the search; never raises."""
    pool = process.part(build_pool)
    totals = [
        pool.submit(contextvars.copy_context().run, _total_of, context.with_search(dates=dates))
        for dates in dates_around(context.search.dates, context.today)
    ]
    return tuple(one.result() for one in totals)


@behind_pages
def _total_of(context: SearchContext) -> DatesTotal:
    """The lowest total of the search's own dates."""
    search = context.search
    try:
        available = FullResults(context).fresh_or_first_page()
    except GatewayError:
        return DatesTotal(search.dates, None, whole=False, known=False)
    finally:
        connections.close_all()
    result_set = available.result_set
    totals = [
        offer.comparable
        for row in service.visible_rows(result_set, context)
        if not search.stars or row.stars in search.stars
        for offer in row.offers[:1]
        if offer.comparable is not None
    ]
    lowest = Money(min(totals), search.currency) if totals else None
    return DatesTotal(search.dates, lowest, whole=result_set.coverage.exact, known=True)


@dataclass(frozen=True, slots=True)
class DatesLink:
    """One choice of dates. `total` is a text whatever is known; `current` are the dates searched for."""

    days: str
    total: str
    href: str
    current: bool
    cheapest: bool


@dataclass(frozen=True, slots=True)
class NearbyDatesPage:
    """Parameters of results/nearby_dates.html; `whole` where every total is of all places."""

    head: Head
    bar: SearchBar
    title: str
    summary: str
    dates: tuple[DatesLink, ...]
    whole: bool
    back: str

    @classmethod
    def build(cls, context: SearchContext, totals: tuple[DatesTotal, ...]) -> Self:
        search, refinement, reader = context.search, context.refinement, Reader.for_search(context)
        title = _("%(place)s on other dates") % {"place": search.place}
        cheapest = min((one.lowest.amount for one in totals if one.lowest), default=None)
        return cls(
            head=Head(title=title, robots="noindex"),
            bar=SearchBar.of_search(context),
            title=title,
            summary=" · ".join((nights(search.dates.nights), guests(search.guests))),
            dates=tuple(
                DatesLink(
                    days=formatting.stay_days_short(one.dates, reader.texts),
                    total=_total_words(one, reader),
                    href=results_path(context.with_search(dates=one.dates).search, refinement),
                    current=one.dates == search.dates,
                    cheapest=one.lowest is not None and one.lowest.amount == cheapest,
                )
                for one in totals
            ),
            whole=all(one.whole for one in totals if one.known),
            back=results_path(search, refinement),
        )


def _total_words(one: DatesTotal, reader: Reader) -> str:
    if not one.known:
        return _("not available right now")
    if one.lowest is None:
        return _("no price found")
    return _("from %(amount)s") % {"amount": reader.money(one.lowest)}
