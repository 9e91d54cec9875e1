"""The same stay on other dates: what it costs in calls, and what its totals are worth."""

from __future__ import annotations

import dataclasses
from datetime import timedelta
from decimal import Decimal
from statistics import median_low

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
from tests.results.cached_views import SEARCH, SITE, TODAY, context_of, view
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


def middle(numbers):
    return Decimal(median_low(100 + (number * 37) % 101 for number in numbers))


def test_each_date_costs_one_call_at_most(connect):
    gateway = connect(honest(500))
    found = around()
    assert gateway.pages == [0] * 7
    assert {(one.middle, one.known) for one in found} == {(Money(middle(range(50)), "EUR"), True)}


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("site", [SITE, dataclasses.replace(SITE, cap=100)])
@pytest.mark.parametrize(("largest", "sample"), [(100, 50), (50, 50), (20, 20)])
def test_the_searched_dates_have_the_measure_of_all_others(connect, site, largest, sample):
    """However much more of them was compared, and as the calendar says it."""
    gateway = connect(
        lambda page, size: page_of(range(1, 501)[page * size : (page + 1) * size], 500), largest=largest
    )
    view(site=site)
    before = len(gateway.calls)
    found = around(site)
    assert len(gateway.calls) == before + 6
    assert {one.middle.amount for one in found} == {middle(range(1, sample + 1))}
    assert set(nearby_dates.by_day(SEARCH, site).values()) == {found[3].middle.amount}


def test_a_date_without_an_answer_is_said_to_be_unknown(connect):
    connect(failing(Unavailable("timeout")))
    assert {(one.middle, one.known) for one in around()} == {(None, False)}


def test_nothing_found_on_a_date_has_no_total(connect):
    connect(honest(0))
    assert {(one.middle, one.known) for one in around()} == {(None, True)}


def test_blocked_properties_and_other_stars_do_not_count(connect):
    connect(honest(40))
    blocked = dataclasses.replace(SITE, blocks=tuple(Block(f"k{number}") for number in range(20)))
    assert around(site=blocked)[3].middle.amount == middle(range(20, 40))
    four_stars = around(search=msgspec.structs.replace(SEARCH, stars=(4,)))[3].middle.amount
    assert four_stars == middle(number for number in range(40) if 1 + number % 5 == 4)


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
