"""What the same stay costs a few days earlier or later: at most one call a day, and only when asked."""

from __future__ import annotations

import contextvars
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import msgspec
from django.db import connections

from search.domain.deadline import Deadline
from search.domain.money import Money
from search.domain.nearby_dates import DatesTotal, dates_around
from search.domain.rows import Row
from search.domain.site import Site
from search.domain.stay import StayDates, StaySearch
from search.gateway.errors import GatewayError

from . import answers, result_sets

# Visitors' own searches come first: this is a sideline.
AT_ONCE = 3

_pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="nearby-dates")


def around(search: StaySearch, *, site: Site, today: date, deadline: Deadline) -> tuple[DatesTotal, ...]:
    """The lowest total of each of the dates around those of `search`; never raises."""
    asked = [
        _pool.submit(contextvars.copy_context().run, _total, search, dates, site, today, deadline)
        for dates in dates_around(search.dates, today)
    ]
    return tuple(one.result() for one in asked)


def _total(search: StaySearch, dates: StayDates, site: Site, today: date, deadline: Deadline) -> DatesTotal:
    moved = msgspec.structs.replace(search, dates=dates)
    try:
        held = answers.glance(moved, site, deadline)
    except GatewayError:
        return DatesTotal(dates, None, whole=False, known=False)
    finally:
        connections.close_all()
    rows = result_sets.visible_rows(held.result_set, site, today)
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
