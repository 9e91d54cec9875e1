"""When a stay is cheapest: which dates are compared, in how many calls, and what their totals are worth."""

from __future__ import annotations

import calendar
import dataclasses
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from statistics import median_low
from threading import Event, Lock
from urllib.parse import parse_qs

import msgspec
import pytest
from django.core.cache import cache
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from search.domain import process
from search.domain.offers import Listing, Surcharge
from search.domain.query import MAX_DAYS_AHEAD, Refinement, StayDates
from search.domain.site_settings import Block, CategoriesStyle
from search.gateway import Unavailable
from search.gateway.cache import SafeStore
from search.gateway.factory import build_gateway
from search.gateway.search_page import SearchPage
from search.results.dates import WEEKENDS, DateComparison, DatesQuestion, DateState, build_pool, sample_size
from tests import builders as build
from tests.results.cached_views import PLAIN, SEARCH, SITE, TODAY, context_of, view
from tests.rows import each
from tests.scripted_gateway import LONG, ScriptedGateway, failing, honest, listing, page_of

MIDDLE = median_low(100 + (number * 37) % 101 for number in range(50))


class GatewayByDay(ScriptedGateway):
    """Another page for each check-in day."""

    def __init__(self, by_day: Callable[[date], SearchPage]) -> None:
        super().__init__(honest(0), largest=200)
        self.by_day, self._one_at_a_time = by_day, Lock()
        process.put(build_gateway, self)

    def get(self, call, deadline):
        if call.endpoint == "search":
            day = date.fromisoformat(parse_qs(call.query)["checkinDate"][0])
            with self._one_at_a_time:
                self.script = lambda page, size: self.by_day(day)
                return super().get(call, deadline)
        return super().get(call, deadline)


def question(query: str = "", context=None) -> DatesQuestion:
    return DatesQuestion.of(QueryDict(query), context or context_of())


def compared(query: str = "", site=SITE, search=SEARCH, refinement=PLAIN) -> DateComparison:
    context = context_of(search, site, refinement)
    return DateComparison(context, question(query, context))


def asked(query: str = "", **given) -> DateComparison:
    comparison = compared(query, **given)
    comparison.ask_for_all()
    return comparison


def states(comparison: DateComparison) -> set[str]:
    return {one.state for one in comparison.totals}


def check_ins(query: str, **changes) -> list[date]:
    context = dataclasses.replace(context_of(), **changes)
    return [one.check_in for one in question(query, context).dates(context)]


def test_days_around_go_three_days_each_way():
    dates = question().dates(context_of())
    assert [one.check_in.day for one in dates] == [28, 29, 30, 1, 2, 3, 4]
    assert {one.nights for one in dates} == {3}


def test_dates_in_the_past_are_left_out_but_for_ones_own():
    stay = StayDates(TODAY - timedelta(days=1), TODAY + timedelta(days=2))
    search = msgspec.structs.replace(SEARCH, dates=stay)
    assert check_ins("", search=search) == [TODAY + timedelta(days=days) for days in range(-1, 3)]
    assert min(check_ins("view=month&month=2030-04")) == TODAY


def test_days_that_are_not_over_at_the_place_are_offered():
    """In Honolulu it is still the day before."""
    there = TODAY - timedelta(days=1)
    tonight = msgspec.structs.replace(SEARCH, dates=StayDates(TODAY, TODAY + timedelta(days=2)))
    assert min(check_ins("", search=tonight, first_day=there)) == there


def test_no_date_is_offered_that_is_too_far_ahead():
    last = TODAY + timedelta(days=MAX_DAYS_AHEAD)
    search = msgspec.structs.replace(SEARCH, dates=StayDates(last, last + timedelta(days=2)))
    assert max(check_ins("", search=search)) == last
    assert max(check_ins("view=month&nights=14", search=search)) <= last


@each(
    "query",
    ["month=2030-13", "month=1999-01", "month=9999-12", "nights=0", "nights=15", "view=x", "weekend=sun",
     "stay=nonsense", "stay=/", "month=%00"],
)  # fmt: skip
def test_nonsense_takes_the_usual_value(query):
    assert question(query) == question()


@given(st.dates(TODAY.replace(day=1), date(2039, 12, 31)), st.sampled_from([*WEEKENDS]), st.integers(1, 14))
def test_months_and_weekends_are_those_of_a_calendar(day, weekend, nights):
    """Leap days, ends of months and changes of the clock among them."""
    first, last = TODAY, TODAY + timedelta(days=MAX_DAYS_AHEAD)
    weeks = calendar.Calendar().monthdatescalendar(day.year, day.month)
    days = [one for week in weeks for one in week if one.month == day.month and first <= one <= last]
    asked_for = f"month={day:%Y-%m}&nights={nights}&weekend={weekend}"
    dates = question(f"view=month&{asked_for}").dates(context_of())
    assert [(one.check_in, one.nights) for one in dates] == [(one, nights) for one in days]
    names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    from_day, to_day = (names.index(one) for one in weekend.split("-"))
    stays = question(f"view=weekends&{asked_for}").dates(context_of())
    assert [one.check_in for one in stays] == [one for one in days if one.weekday() == from_day]
    assert {one.check_out.weekday() for one in stays} <= {to_day}
    assert all(one.nights < 4 for one in stays)


@pytest.mark.parametrize(
    ("query", "calls"), [("", 7), ("view=weekends&month=2030-06", 4), ("view=month&month=2030-05", 31)]
)
def test_each_date_costs_one_call_and_the_next_look_none(connect, query, calls):
    gateway = connect(honest(500))
    totals = asked(query).totals
    assert gateway.pages == [0] * calls
    assert gateway.most_at_once <= 5
    assert {(one.total, one.state) for one in totals} == {(MIDDLE, DateState.KNOWN)}
    assert compared(query).totals == asked(query).totals == totals
    assert len(gateway.calls) == calls


def test_a_look_costs_no_more_calls_where_each_star_has_its_own(connect):
    gateway = connect(honest(40))
    site = dataclasses.replace(SITE, categories_style=CategoriesStyle.EACH)
    comparison = asked("view=month&month=2030-05", site=site)
    assert len(gateway.calls) <= 31
    assert states(comparison) == {DateState.KNOWN, DateState.WAITING}
    before = len(comparison.due)
    comparison.ask_for_all()
    assert len(comparison.due) <= before


def test_what_waits_is_not_asked_for_once_the_reader_left(connect):
    reader_left = Event()

    def page(_page: int, _size: int) -> SearchPage:
        assert len(gateway.calls) < 4 or reader_left.wait(LONG)
        return page_of(range(40), 40)

    gateway = connect(page)
    steps = compared("view=month&month=2030-05").ask(for_long=True)
    next(steps)
    steps.close()
    reader_left.set()
    process.part(build_pool).shutdown()
    assert len(gateway.calls) < 10


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("site", [SITE, dataclasses.replace(SITE, cap=100)])
@pytest.mark.parametrize("largest", [100, 50, 20])
def test_the_searched_dates_have_the_measure_of_all_others(connect, site, largest):
    """However much more of them was compared, and as the calendar says it."""
    gateway = connect(
        lambda page, size: page_of(range(1, 501)[page * size : (page + 1) * size], 500), largest=largest
    )
    view(site=site)
    before = len(gateway.calls)
    totals = asked(site=site).totals
    assert len(gateway.calls) == before + 6
    assert {one.total for one in totals} == {
        Decimal(median_low(100 + (number * 37) % 101 for number in range(1, largest + 1)))
    }


def test_a_date_without_an_answer_is_said_to_have_none(connect):
    connect(failing(Unavailable("timeout")))
    assert states(asked()) == {DateState.FAILED}
    assert states(compared()) == {DateState.WAITING}


def test_old_totals_stay_where_the_gateway_fails(connect, clock):
    gateway = connect(honest(40))
    known = [one.total for one in asked().totals]
    gateway.away = True
    clock.pass_seconds(12 * 3_600)
    totals = asked().totals
    assert [one.total for one in totals] == known
    assert all(one.stale and not one.lowest for one in totals)


@pytest.mark.parametrize(("count", "state"), [(0, DateState.NONE), (9, DateState.FEW), (10, DateState.KNOWN)])
def test_of_fewer_than_ten_hotels_there_is_no_middle(connect, count, state):
    connect(honest(count))
    assert states(asked()) == {state}


def test_of_pages_that_come_at_once_the_larger_one_counts(monkeypatch):
    """Here the smaller one takes its time to be remembered."""
    sizes, larger_kept = {28: 11, 29: 14}, Event()
    remember = SafeStore.set

    def slowly(store, key, value, seconds):
        larger_kept.wait(0.2) if value == 11 else None
        remember(store, key, value, seconds)
        larger_kept.set() if value == 14 else None

    monkeypatch.setattr(SafeStore, "set", slowly)
    GatewayByDay(lambda day: page_of(range(sizes.get(day.day, 0)), sizes.get(day.day, 0)))
    asked()
    assert sample_size(SITE) == 14


def test_a_date_with_other_hotels_is_never_the_lowest():
    others = SEARCH.dates.check_in
    GatewayByDay(lambda day: page_of([*range(500, 540)] if day == others else [*range(day.day % 5, 40)], 40))
    totals = asked().totals
    assert [one.state for one in totals if one.dates.check_in == others] == [DateState.OTHER]
    assert {one.state for one in totals if one.dates.check_in != others} == {DateState.KNOWN}
    assert not any(one.lowest for one in totals if one.state is DateState.OTHER)


def test_filters_blocks_and_stars_decide_which_hotels_count(connect):
    connect(lambda _page, _size: _half_free(40))
    blocked = dataclasses.replace(SITE, blocks=tuple(Block(f"k{number}") for number in range(20)))
    cases = [
        ({"site": blocked}, range(20, 40)),
        (
            {"search": msgspec.structs.replace(SEARCH, stars=(3, 4))},
            [n for n in range(40) if n % 5 in (2, 3)],
        ),
        ({"refinement": Refinement(free_cancellation=True)}, range(0, 40, 2)),
        ({"refinement": Refinement(max_price=Decimal(150))}, [n for n in range(40) if _amount(n) <= 150]),
        ({"refinement": Refinement(sort="rating", near="BCN", all=True)}, range(40)),
    ]
    for given_parts, numbers in cases:
        cache.clear()
        totals = asked(**given_parts).totals
        assert {one.total for one in totals} == {Decimal(median_low(map(_amount, numbers)))}, given_parts


def _amount(number: int) -> int:
    return 100 + (number * 37) % 101


def _half_free(count: int) -> SearchPage:
    return build.search_page(tuple(listing(n, free=not n % 2) for n in range(count)), count, count)


@pytest.mark.parametrize(
    "offer",
    [
        build.offer("390", surcharges=(Surcharge("CITY_TAX", build.price("50", "MAD")),)),
        build.offer("390", price=build.price("420", "USD"), surcharges=()),
    ],
    ids=["a surcharge in another currency", "a price in another currency"],
)
def test_prices_that_cant_be_compared_are_not_said_to_be_none(connect, offer):
    connect(lambda _page, _size: build.search_page((Listing(build.building(), (offer,), None),), 1, 1))
    assert states(asked()) == {DateState.APART}


class TestOneHotel:
    def test_it_has_its_own_lowest_total_of_each_date(self):
        GatewayByDay(lambda day: page_of([3, 4], 2) if day.day % 2 else page_of([4], 1))
        totals = asked("stay=HB/p3").totals
        assert {(one.state, one.total) for one in totals if one.dates.check_in.day % 2} == {
            (DateState.KNOWN, Decimal(_amount(3)))
        }
        assert {one.state for one in totals if not one.dates.check_in.day % 2} == {DateState.NONE}

    def test_filters_have_no_say_in_it(self, connect):
        connect(honest(40))
        totals = asked("stay=HB/p3", refinement=Refinement(free_cancellation=True)).totals
        assert {one.total for one in totals} == {Decimal(_amount(3))}
