"""The same stay on other dates: what it costs in calls, and what its totals are worth."""

from __future__ import annotations

import dataclasses
from datetime import timedelta
from decimal import Decimal

import msgspec
import pytest

from search.domain.money import Money
from search.domain.offers import Listing, Surcharge
from search.domain.query import MAX_DAYS_AHEAD, StayDates
from search.domain.site_settings import Block
from search.gateway.errors import Unavailable
from search.results import nearby_dates
from search.results.nearby_dates import NearbyDatesPage, dates_around
from tests import builders as build
from tests.results.cached_views import SEARCH, SITE, TODAY, context_of, totals, view
from tests.scripted_gateway import failing, honest, page_of


def around(site=SITE, search=SEARCH):
    return nearby_dates.around(context_of(search, site))


def test_dates_go_three_days_each_way():
    found = dates_around(SEARCH.dates, TODAY)
    assert [one.check_in.day for one in found] == [28, 29, 30, 1, 2, 3, 4]
    assert {one.nights for one in found} == {3}


def test_dates_in_the_past_are_left_out():
    stay = StayDates(TODAY + timedelta(days=1), TODAY + timedelta(days=3))
    assert [one.check_in for one in dates_around(stay, TODAY)] == [
        TODAY + timedelta(days=n) for n in range(5)
    ]


def test_the_dates_searched_for_stay_when_their_day_is_over():
    """As those of a page that was opened before midnight."""
    stay = StayDates(TODAY - timedelta(days=1), TODAY + timedelta(days=2))
    assert [one.check_in for one in dates_around(stay, TODAY)] == [
        TODAY + timedelta(days=n) for n in range(-1, 3)
    ]


def test_days_that_are_not_over_at_the_place_are_offered(connect):
    """In Honolulu it is still the day before."""
    connect(honest(40))
    tonight = msgspec.structs.replace(SEARCH, dates=StayDates(TODAY, TODAY + timedelta(days=2)))
    there = TODAY - timedelta(days=1)
    found = nearby_dates.around(dataclasses.replace(context_of(tonight), first_day=there))
    assert [one.dates.check_in for one in found] == [there + timedelta(days=n) for n in range(5)]


def test_no_date_is_offered_that_is_too_far_ahead(connect):
    connect(honest(40))
    last = TODAY + timedelta(days=MAX_DAYS_AHEAD)
    search = msgspec.structs.replace(SEARCH, dates=StayDates(last, last + timedelta(days=2)))
    assert [one.dates.check_in for one in around(search=search)] == [
        last - timedelta(days=n) for n in (3, 2, 1, 0)
    ]


def test_each_date_costs_one_call_at_most(connect):
    gateway = connect(honest(500))
    found = around()
    assert gateway.pages == [0] * 7
    assert {one.lowest for one in found} == {Money(Decimal(100), "EUR")}
    assert {(one.sample, one.known) for one in found} == {(50, True)}


@pytest.mark.usefixtures("patient")
def test_cached_results_cost_no_call_and_lend_the_same_sample(connect):
    gateway = connect(lambda page, size: page_of(range(1, 101)[page * size : (page + 1) * size], 100))
    view()
    before = len(gateway.calls)
    found = around()
    assert len(gateway.calls) == before + 6
    of_first_fifty = min(100 + (number * 37) % 101 for number in range(1, 51))
    assert {(one.sample, one.lowest.amount) for one in found} == {(50, Decimal(of_first_fifty))}
    assert of_first_fifty > totals(view())[0]


@pytest.mark.usefixtures("patient")
def test_cached_results_are_compared_as_far_as_other_dates(connect):
    connect(lambda page, size: page_of(range(1, 501)[page * size : (page + 1) * size], 500))
    capped = dataclasses.replace(SITE, cap=100)
    lowest_of_all = totals(view(site=capped))[0]
    found = around(capped)
    assert {one.sample for one in found} == {50}
    assert {one.lowest.amount for one in found} == {Decimal(min(100 + (n * 37) % 101 for n in range(1, 51)))}
    assert found[3].lowest.amount > lowest_of_all


def test_where_one_call_brings_all_the_totals_are_of_all(connect):
    connect(honest(40))
    assert {one.sample for one in around()} == {None}


def test_a_date_without_an_answer_is_said_to_be_unknown(connect):
    connect(failing(Unavailable("timeout")))
    assert {(one.lowest, one.known) for one in around()} == {(None, False)}


def test_nothing_found_on_a_date_has_no_total(connect):
    connect(honest(0))
    assert {(one.lowest, one.known, one.sample) for one in around()} == {(None, True, None)}


def test_blocked_properties_and_other_stars_do_not_count(connect):
    connect(honest(40))
    lowest = min(range(40), key=lambda number: (number * 37) % 101)
    blocked = dataclasses.replace(SITE, blocks=(Block(f"k{lowest}"),))
    assert around(site=blocked)[3].lowest.amount > around()[3].lowest.amount
    four_stars = around(search=msgspec.structs.replace(SEARCH, stars=(4,)))[3].lowest.amount
    assert four_stars == min(100 + (number * 37) % 101 for number in range(40) if 1 + number % 5 == 4)


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
    page = NearbyDatesPage.build(context_of(SEARCH, SITE), around())
    assert {one.total for one in page.dates} == {"no comparable price"}
