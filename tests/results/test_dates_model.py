"""Every figure of a comparison of dates beside a model in plain loops, over random hotels of random days."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from itertools import count
from typing import NamedTuple

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from search.domain.offers import Listing, Surcharge
from search.domain.query import Refinement, StayDates
from search.domain.site_settings import Block
from search.gateway.search_page import SearchPage
from search.results.dates_page import DatesTable
from search.web.formatting import Reader, whole_money
from tests import builders as build
from tests.results.cached_views import SEARCH, SITE
from tests.results.test_dates import GatewayByDay, asked

# A February of a leap year, and a day that has 23 hours in Europe.
STARTS = (date(2032, 2, 26), date(2031, 3, 29), date(2030, 12, 30), date(2030, 5, 1))
DAY = timedelta(days=1)
places = count()


class Room(NamedTuple):
    amount: int | None
    currency: str
    tax: str
    free: bool

    @property
    def total(self) -> Decimal | None:
        """What may be compared: euros alone, with a tax in euros."""
        if self.amount is None or self.currency != "EUR" or self.tax == "USD":
            return None
        return Decimal(self.amount + (20 if self.tax else 0))


class Hotel(NamedTuple):
    number: int
    stars: int
    rooms: tuple[Room, ...]


rooms = st.builds(
    Room,
    st.sampled_from((None, 90, 120, 120, 150, 200)),
    st.sampled_from(("EUR", "EUR", "EUR", "USD")),
    st.sampled_from(("", "", "EUR", "USD")),
    st.booleans(),
)
hotels = st.builds(
    Hotel, st.integers(0, 30), st.integers(1, 5), st.lists(rooms, min_size=1, max_size=3).map(tuple)
)
days = st.lists(hotels, max_size=25, unique_by=lambda one: one.number)
filters = st.builds(
    Refinement,
    free_cancellation=st.booleans(),
    max_price=st.sampled_from((None, None, Decimal(140))),
)


def page_of(day: list[Hotel]) -> SearchPage:
    listings = tuple(Listing(_building(one), tuple(map(_offer, one.rooms)), None) for one in day)
    return build.search_page(listings, len(day), len(day))


def _building(hotel: Hotel):
    return build.building(key=f"k{hotel.number}", id=f"p{hotel.number}", stars=hotel.stars)


def _offer(room: Room):
    taxes = (Surcharge("TAX", build.price("20", room.tax)),) if room.tax else ()
    price = None if room.amount is None else build.price(str(room.amount), room.currency)
    return build.offer(None, price=price, surcharges=taxes, free_cancellation=room.free, rate="Room")


def naive(
    day: list[Hotel], wish: Refinement, stars: tuple[int, ...], blocked: int
) -> tuple[str, Decimal | None]:
    matching, totals = 0, []
    for hotel in day:
        if hotel.number == blocked or (stars and hotel.stars not in stars):
            continue
        passing = [one for one in hotel.rooms if one.free or not wish.free_cancellation]
        if wish.max_price:
            passing = [one for one in passing if one.total is not None and one.total <= wish.max_price]
        matching += bool(passing)
        known = [one.total for one in passing if one.total is not None]
        totals += [min(known)] if known else []
    if not matching:
        return "none", None
    if not totals:
        return "apart", None
    return ("known", sorted(totals)[(len(totals) - 1) // 2]) if len(totals) >= 10 else ("few", None)


def has_others(samples: list[set[int]], own: int) -> bool:
    told = [one for one in samples if one]
    seen = Counter(number for one in told for number in one)
    common = [number for number in samples[own] if (seen[number] - 1) * 2 >= len(told) - 1]
    return len(common) * 2 < len(samples[own])


@given(
    st.sampled_from(STARTS), st.lists(days, min_size=7, max_size=7), filters,
    st.sampled_from(((), (3, 4, 5))), st.integers(0, 30), st.sampled_from((1, 3)),
)  # fmt: skip
def test_every_figure_is_the_models(start, by_day, wish, stars, blocked, nights):
    place = f"Place {next(places)}"
    dates = StayDates(start, start + DAY * nights)
    search = msgspec.structs.replace(SEARCH, place=place, dates=dates, stars=stars)
    site = replace(SITE, blocks=(Block(f"k{blocked}"),))
    first = start - 3 * DAY
    GatewayByDay(lambda day: page_of(by_day[(day - first).days]))
    comparison = asked("", site=site, search=search, refinement=wish)
    totals, views = comparison.totals, DatesTable(comparison).dates
    samples = [
        {one.number for one in day if one.number != blocked and (not stars or one.stars in stars)}
        for day in by_day
    ]
    expected = [naive(day, wish, stars, blocked) for day in by_day]
    expected = [
        ("other" if state == "known" and has_others(samples, number) else state, total)
        for number, (state, total) in enumerate(expected)
    ]
    assert [(one.state, one.total) for one in totals] == expected
    comparable = [total for state, total in expected if state == "known"]
    lowest = min(comparable) if len(comparable) > 1 else None
    assert [one.lowest for one in totals] == [
        state == "known" and total == lowest for state, total in expected
    ]
    numbers = Reader.for_search(comparison.context).numbers
    shown = ["" if total is None else whole_money(total, "EUR", numbers) for _state, total in expected]
    assert [one.total for one in views] == shown
