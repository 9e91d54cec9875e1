"""The same length of stay a few days earlier or later.

What the same stay costs a few days earlier or later: at most one call a day, and only when asked.

The same stay a few days earlier or later, each with the lowest total found.
"""

from __future__ import annotations

import contextvars
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date, timedelta

import msgspec
from django.db import connections
from django.utils.translation import gettext as _

from search.domain.deadline import Deadline
from search.domain.money import Money
from search.domain.query import Refinement, StayDates, StaySearch
from search.domain.site_settings import Site
from search.gateway.errors import GatewayError
from search.web import formatting
from search.web.formatting import Reader, guests, nights
from search.web.links import results_path
from search.web.meta import Head
from search.web.search_bar import SearchBar

from . import full_results, service
from .index import Row

MOST_DAYS_OFF = 3


class DatesTotal(msgspec.Struct, frozen=True):
    """The lowest total found for some dates: of every place when `whole`, else of the first page of them.

    `lowest` is None where nothing has a price; `known` is False where the gateway didn't answer.
    """

    dates: StayDates
    lowest: Money | None
    whole: bool
    known: bool


def dates_around(dates: StayDates, today: date) -> tuple[StayDates, ...]:
    """`dates` and those up to three days off, in order, none in the past."""
    shifts = (timedelta(days=days) for days in range(-MOST_DAYS_OFF, MOST_DAYS_OFF + 1))
    moved = (StayDates(dates.check_in + shift, dates.check_out + shift) for shift in shifts)
    return tuple(one for one in moved if one.check_in >= today)


# Visitors' own searches come first: this is a sideline.
AT_ONCE = 3

_pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="nearby-dates")


def around(search: StaySearch, *, site: Site, today: date, deadline: Deadline) -> tuple[DatesTotal, ...]:
    """The lowest total of each of the dates around those of `search`; never raises."""
    asked = [
        _pool.submit(contextvars.copy_context().run, _total_on, search, dates, site, today, deadline)
        for dates in dates_around(search.dates, today)
    ]
    return tuple(one.result() for one in asked)


def _total_on(
    search: StaySearch, dates: StayDates, site: Site, today: date, deadline: Deadline
) -> DatesTotal:
    moved = msgspec.structs.replace(search, dates=dates)
    try:
        held = full_results.glance(moved, site, deadline)
    except GatewayError:
        return DatesTotal(dates, None, whole=False, known=False)
    finally:
        connections.close_all()
    rows = service.visible_rows(held.result_set, site, today)
    return DatesTotal(dates, _lowest(rows, search), whole=held.result_set.coverage.exact, known=True)


def _lowest(rows: tuple[Row, ...], search: StaySearch) -> Money | None:
    stars = search.stars
    totals = [
        offer.comparable
        for row in rows
        if not stars or row.stars in stars
        for offer in row.offers[:1]
        if offer.comparable is not None
    ]
    return Money(min(totals), search.currency) if totals else None


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
    """Parameters of search/nearby_dates.html. `note` says what the totals are worth."""

    head: Head
    bar: SearchBar
    title: str
    summary: str
    dates: tuple[DatesLink, ...]
    note: str
    back: str

    @classmethod
    def build(
        cls,
        search: StaySearch,
        refinement: Refinement,
        totals: tuple[DatesTotal, ...],
        site: Site,
        today: date,
    ) -> NearbyDatesPage:
        reader = Reader.of(site, search.market)
        title = _("%(place)s on other dates") % {"place": search.place}
        priced = [one.lowest.amount for one in totals if one.lowest is not None]
        cheapest = min(priced, default=None)
        return cls(
            head=Head(title=title, robots="noindex"),
            bar=SearchBar.of_search(search, site, today),
            title=title,
            summary=" · ".join((nights(search.dates.nights), guests(search.guests))),
            dates=tuple(
                DatesLink(
                    days=formatting.stay_days_short(one.dates, reader.texts),
                    total=_total_words(one, reader),
                    href=results_path(msgspec.structs.replace(search, dates=one.dates), refinement),
                    current=one.dates == search.dates,
                    cheapest=one.lowest is not None and one.lowest.amount == cheapest,
                )
                for one in totals
            ),
            note=_note(totals),
            back=results_path(search, refinement),
        )


def _total_words(one: DatesTotal, reader: Reader) -> str:
    if not one.known:
        return _("can't be had right now")
    if one.lowest is None:
        return _("no price found")
    return _("from %(amount)s") % {"amount": reader.money(one.lowest)}


def _note(totals: tuple[DatesTotal, ...]) -> str:
    if all(one.whole for one in totals if one.known):
        return _("Lowest totals of all places, whatever the filters.")
    return _(
        "Lowest totals among the first places of each date, whatever the filters: there may be lower ones."
    )
