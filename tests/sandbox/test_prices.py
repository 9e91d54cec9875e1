"""Prices hold together, and move from one day of asking to another."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from statistics import mean
from urllib.parse import urlencode

import pytest

from search.sandbox.api import SEARCH_PATH
from search.sandbox.offers import offers
from search.sandbox.pricing import CURRENCIES, LONG_BEFORE, STILL_UNTIL_DAYS, Stay, exchange
from search.sandbox.properties import providers_of
from search.sandbox.server import RunningSandbox
from search.sandbox.world import world
from tests.sandbox.questions import SEARCH, keys_of, listing, prices_of

pytestmark = pytest.mark.thorough

CHECKIN = date(2030, 5, 1)
STAY = Stay(CHECKIN, CHECKIN + timedelta(3), 2, "EUR", "en-gb")
NUMBERS = range(400, world().size, 31_337)
MANY_NUMBERS = range(400, world().size, 7_331)


def price(number: int, **changes: object) -> int:
    """What the first provider asks for the usual stay with some changes."""
    return prices_of(number, replace(STAY, **changes))[0]


def between(checkin: date, checkout: date) -> dict[str, date]:
    return {"checkin": checkin, "checkout": checkout}


@pytest.mark.parametrize("currency", ["EUR", "JPY", "KWD", "IDR"])
def test_a_stay_is_the_sum_of_its_nights(currency):
    days = [CHECKIN + timedelta(turn) for turn in range(4)]
    for number in NUMBERS:
        nights = [price(number, currency=currency, **between(*night)) for night in pairwise(days)]
        assert sum(nights) == price(number, currency=currency)


def test_weekend_nights_cost_more_than_weekday_nights():
    friday, monday = date(2030, 5, 3), date(2030, 5, 6)
    for number in NUMBERS:
        weekend = price(number, **between(friday, friday + timedelta(2)))
        assert weekend > price(number, **between(monday, monday + timedelta(2)))


def test_summer_costs_more_than_winter_in_both_hemispheres():
    july, january = (between(day, day + timedelta(7)) for day in (date(2030, 7, 15), date(2030, 1, 14)))
    for place, dearer, cheaper in (("Rome", july, january), ("Cape Town", january, july)):
        start = world().find(place).start
        for number in range(start, start + 50):
            assert price(number, **dearer) > price(number, **cheaper)


def test_more_guests_cost_more_but_not_as_much_more():
    for number in NUMBERS:
        one, two, four = (price(number, guests=guests) for guests in (1, 2, 4))
        assert one < two < four < 2 * two


def test_providers_ask_different_prices():
    several = [prices for prices in (prices_of(number, STAY) for number in NUMBERS) if len(prices) > 1]
    assert sum(len(set(prices)) > 1 for prices in several) > len(several) * 0.95


def test_a_currency_changes_the_unit_and_not_the_worth():
    for number in NUMBERS:
        euros = exchange(price(number, currency="JPY"), CURRENCIES["JPY"], CURRENCIES["EUR"])
        assert euros == pytest.approx(price(number), abs=3)


def test_currencies_have_the_decimals_of_the_standard():
    minor = {code: currency.minor for code, currency in CURRENCIES.items()}
    assert len(minor) >= 40
    assert [minor[code] for code in ("JPY", "ISK", "EUR", "KWD", "TND")] == [1, 1, 100, 1000, 1000]


def days_before(first: int, last: int) -> Iterator[date]:
    """Each day from `first` to `last` days before check-in."""
    return (CHECKIN - timedelta(lead) for lead in range(first, last - 1, -1))


def prices(number: int, first: int, last: int) -> list[int]:
    """What the first provider asks on each of these days."""
    return [price(number, asked=asked) for asked in days_before(first, last)]


def sellers(number: int, asked: date) -> list[str]:
    return [offer["providerId"] for offer in offers(number, replace(STAY, asked=asked))]


def test_more_than_a_year_ahead_nothing_moves():
    for number in NUMBERS:
        early = prices(number, STILL_UNTIL_DAYS + 30, STILL_UNTIL_DAYS + 1)
        assert set(early) == {price(number)}
        assert sellers(number, CHECKIN - timedelta(STILL_UNTIL_DAYS + 1)) == sellers(number, LONG_BEFORE)


def test_most_prices_stay_from_day_to_day_and_none_jumps():
    steps = [after / before for number in NUMBERS for before, after in pairwise(prices(number, 120, -3))]
    assert 0.8 < mean(step == 1 for step in steps) < 0.9
    assert 0.92 < min(steps) < 0.95
    assert 1.05 < max(steps) < 1.08


def test_nearer_days_are_dearer_on_average():
    early, later, late = (
        mean(mean(prices(number, lead, lead - 9)) for number in MANY_NUMBERS) for lead in (120, 50, 12)
    )
    assert early * 1.04 < later < late / 1.04


def test_some_offers_sell_out_and_come_back():
    listed = [
        [provider in sellers(number, asked) for asked in days_before(60, 1)]
        for number in NUMBERS
        if sellers(number, LONG_BEFORE)
        for provider in providers_of(number)
    ]
    assert 0.01 < mean(not there for days in listed for there in days) < 0.06
    changes = {change for days in listed for change in pairwise(days)}
    assert {(True, False), (False, True)} <= changes


def test_hotels_order_and_total_are_the_same_on_any_day():
    for page in ("0", "7"):
        usual = listing(page=page, size="100")
        for asked in days_before(12, 10):
            moved = listing(asked=asked, page=page, size="100")
            assert (moved["Total"], keys_of(moved)) == (usual["Total"], keys_of(usual))
            assert moved != usual


def test_a_running_sandbox_asks_for_the_day_at_each_request():
    target = f"{SEARCH_PATH}?{urlencode(SEARCH)}"
    days = [date(2030, 4, 20), date(2030, 4, 27)]
    clock = iter(days)
    sandbox = RunningSandbox(today=lambda: next(clock))
    assert [json.loads(sandbox.answer(target).body) for _ in days] == [listing(asked=day) for day in days]


@pytest.mark.parametrize("asked", [date(2030, 5, 1), date(2030, 9, 1)])
def test_a_stay_that_has_begun_still_has_prices(asked):
    assert all(price(number, asked=asked) > 0 for number in NUMBERS)
