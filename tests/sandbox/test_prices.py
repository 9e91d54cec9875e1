"""Prices hold together."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from search.sandbox.currencies import CURRENCIES, exchange
from search.sandbox.pricing import Stay
from search.sandbox.world import world
from tests.sandbox.questions import prices_of

NUMBERS = range(400, world().size, 31_337)
STAY = Stay(date(2030, 5, 1), date(2030, 5, 4), 2, "EUR", "en-gb")


def price(number: int, stay: Stay) -> int:
    return prices_of(number, stay)[0]


@pytest.mark.parametrize("currency", ["EUR", "JPY", "KWD", "IDR"])
def test_a_stay_is_the_sum_of_its_nights(currency):
    for number in NUMBERS:
        nights = [
            price(number, replace(STAY, currency=currency, checkin=day, checkout=day + timedelta(1)))
            for day in (STAY.checkin + timedelta(turn) for turn in range(STAY.nights))
        ]
        assert sum(nights) == price(number, replace(STAY, currency=currency))


def test_a_week_costs_about_seven_nights():
    for number in NUMBERS:
        week = price(number, replace(STAY, checkout=date(2030, 5, 8)))
        night = price(number, replace(STAY, checkout=date(2030, 5, 2)))
        assert 6 * night < week < 9 * night


def test_weekend_nights_cost_more_than_weekday_nights():
    friday, monday = date(2030, 5, 3), date(2030, 5, 6)
    dearer = [
        price(number, replace(STAY, checkin=friday, checkout=friday + timedelta(2)))
        > price(number, replace(STAY, checkin=monday, checkout=monday + timedelta(2)))
        for number in NUMBERS
    ]
    assert all(dearer)


def test_summer_costs_more_than_winter_on_each_side_of_the_equator():
    summer = replace(STAY, checkin=date(2030, 7, 15), checkout=date(2030, 7, 22))
    winter = replace(STAY, checkin=date(2030, 1, 14), checkout=date(2030, 1, 21))
    for place, dearer, cheaper in (("Rome", summer, winter), ("Cape Town", winter, summer)):
        found = world().find(place)
        assert found is not None
        for number in range(found.start, found.start + 50):
            assert price(number, dearer) > price(number, cheaper)


def test_more_guests_cost_more_but_not_as_much_more():
    for number in NUMBERS:
        one, two, four = (price(number, replace(STAY, guests=guests)) for guests in (1, 2, 4))
        assert one < two < four < 2 * two


def test_providers_ask_different_prices():
    asked = [prices_of(number, STAY) for number in NUMBERS]
    several = [prices for prices in asked if len(prices) > 1]
    assert sum(len(set(prices)) > 1 for prices in several) > len(several) * 0.95


def test_a_currency_changes_the_unit_and_not_the_worth():
    for number in NUMBERS:
        euros = price(number, STAY)
        yen = price(number, replace(STAY, currency="JPY"))
        assert exchange(yen, CURRENCIES["JPY"], CURRENCIES["EUR"]) == pytest.approx(euros, abs=3)


def test_weather_moves_every_price():
    for number in NUMBERS:
        assert price(number, replace(STAY, moved=10)) == pytest.approx(price(number, STAY) * 1.1, abs=3)


def test_currencies_have_the_decimals_of_the_standard():
    decimals = {code: currency.decimals for code, currency in CURRENCIES.items()}
    assert len(decimals) >= 40
    assert decimals["JPY"] == decimals["ISK"] == 0
    assert decimals["KWD"] == decimals["JOD"] == decimals["TND"] == 3
    assert decimals["EUR"] == 2


def test_conversion_rounds_to_whole_minor_units():
    worth = {
        code: exchange(10_000, CURRENCIES["EUR"], CURRENCIES[code]) for code in ("EUR", "JPY", "KWD", "GBP")
    }
    assert worth == {"EUR": 10_000, "JPY": 16_700, "KWD": 33_500, "GBP": 8_620}
