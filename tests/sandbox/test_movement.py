"""One stay asked for on different days: prices in small steps, offers that come and go, the same hotels."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise
from statistics import mean
from typing import Any
from urllib.parse import urlencode

import pytest

from search.sandbox.api import SEARCH_PATH, answer
from search.sandbox.faults import RunningSandbox
from search.sandbox.identity import providers_of
from search.sandbox.movement import STILL_UNTIL_DAYS
from search.sandbox.pricing import Stay
from search.sandbox.world import world
from tests.sandbox.questions import SEARCH, offered, prices_of

CHECKIN = date(2030, 5, 1)
NUMBERS = range(400, world().size, 7_331)


def stay(asked: date) -> Stay:
    return Stay(CHECKIN, CHECKIN + timedelta(3), 2, "EUR", "en-gb", asked=asked)


def days_before(first: int, last: int) -> Iterator[date]:
    """Each day from `first` to `last` days before check-in."""
    return (CHECKIN - timedelta(lead) for lead in range(first, last - 1, -1))


def prices(number: int, first: int, last: int) -> list[int]:
    """What the first provider asks on each of these days."""
    return [prices_of(number, stay(asked))[0] for asked in days_before(first, last)]


def sellers(number: int, asked: date) -> list[str]:
    return [offer["providerId"] for offer in offered(number, stay(asked))]


def listing(asked: date, **changes: str) -> dict[str, Any]:
    given = answer(SEARCH_PATH, urlencode(SEARCH | changes), asked=asked)
    document: dict[str, Any] = json.loads(given.body)
    return document


def keys(document: dict[str, Any]) -> list[str]:
    return [entry["propertySummary"]["ryanairId"] for entry in document["results"]]


def test_more_than_a_year_ahead_nothing_moves():
    for number in NUMBERS:
        early = prices(number, STILL_UNTIL_DAYS + 30, STILL_UNTIL_DAYS + 1)
        assert set(early) == {prices_of(number, stay(date.min))[0]}
        assert sellers(number, CHECKIN - timedelta(STILL_UNTIL_DAYS + 1)) == sellers(number, date.min)


def test_from_day_to_day_most_prices_stay_and_none_moves_by_more_than_eight_per_cent():
    steps = [after / before for number in NUMBERS for before, after in pairwise(prices(number, 120, -3))]
    assert 0.8 < mean(step == 1 for step in steps) < 0.9
    assert all(0.92 < step < 1.08 for step in steps)
    assert min(steps) < 0.95
    assert max(steps) > 1.05


def test_in_a_week_most_prices_have_moved():
    moved = [len(set(prices(number, 30, 23))) > 1 for number in NUMBERS]
    assert mean(moved) > 0.6


def test_nearer_days_are_dearer_on_average():
    early, later, late = (
        mean(mean(prices(number, lead, lead - 9)) for number in NUMBERS) for lead in (120, 50, 12)
    )
    assert early * 1.04 < later
    assert later * 1.04 < late


def test_the_same_stay_moves_on_other_days_at_another_provider_and_for_another_check_in():
    number = next(number for number in NUMBERS if len(providers_of(number)) == 4)
    rows = {tuple(_steps(number, place, 0)) for place in range(4)}
    assert len(rows | {tuple(_steps(number, 0, 1))}) == 5


def _steps(number: int, place: int, later: int) -> Iterator[int]:
    """What the provider at this place of the property's asks from day to day."""
    for asked in days_before(60, 1):
        asked_for = Stay(CHECKIN + timedelta(later), CHECKIN + timedelta(4), 2, "EUR", "en-gb", asked=asked)
        yield prices_of(number, asked_for)[place]


def test_some_offers_sell_out_and_come_back():
    listed = [
        [provider in sellers(number, asked) for asked in days_before(60, 1)]
        for number in NUMBERS
        if offered(number, stay(date.min))
        for provider in providers_of(number)
    ]
    assert 0.01 < mean(not there for days in listed for there in days) < 0.06
    changes = {change for days in listed for change in pairwise(days)}
    assert {(True, False), (False, True)} <= changes


def test_on_any_day_the_hotels_their_order_and_the_total_are_the_same():
    for page in ("0", "1", "7"):
        usual = listing(date.min, page=page, size="100")
        for asked in days_before(12, 9):
            given = listing(asked, page=page, size="100")
            assert (given["Total"], keys(given)) == (usual["Total"], keys(usual))
            assert given != usual


def test_asked_twice_on_one_day_the_answer_is_the_same():
    assert listing(date(2030, 4, 20)) == listing(date(2030, 4, 20))


def test_a_running_sandbox_asks_for_the_day_at_each_request():
    target = f"{SEARCH_PATH}?{urlencode(SEARCH)}"
    days = [date(2030, 4, 20), date(2030, 4, 27)]
    told = iter(days)
    sandbox = RunningSandbox(today=lambda: next(told))
    assert [json.loads(sandbox.answer(target).body) for _ in days] == [listing(day) for day in days]


@pytest.mark.parametrize("asked", [date(2030, 5, 1), date(2030, 9, 1)])
def test_a_stay_that_has_begun_still_has_prices(asked):
    assert all(prices_of(number, stay(asked))[0] > 0 for number in NUMBERS)
