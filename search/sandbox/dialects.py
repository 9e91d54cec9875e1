"""Dialects: documents changed into other readings of what the interface leaves open.

Every function takes a document as the default reading has it and returns a new one; nothing shared between
answers is touched. Which dialect is spoken is told by the weather (see weather.py).
"""

from __future__ import annotations

from collections.abc import Callable

from search.sandbox.currencies import CURRENCIES, Currency, exchange
from search.sandbox.documents import Json, plain, text
from search.sandbox.pricing import own_currency_of
from search.sandbox.rng import scatter
from search.sandbox.weather import Weather
from search.sandbox.world import world

# A details answer without usable details: what stands in the place of propertyDetails.
_NO_DETAILS: dict[str, Callable[[], Json]] = {
    "null": lambda: {"propertyDetails": None},
    "missing": dict,
    "empty": lambda: {"propertyDetails": {}},
    "list": lambda: {"propertyDetails": []},
    "text": lambda: {"propertyDetails": "not available"},
}
REPEAT_EVERY = 20
SOLD_OUT_EVERY = 15
ZERO_PRICES_PER_THOUSAND = 300


def repeated(first: int, count: int, total: int) -> list[int]:
    """The ranks at ``count`` positions from ``first`` of a list that gives each twentieth of its ``total``
    entries a second time.
    """
    last = total + repeats_of(total)
    return [position - position // REPEAT_EVERY for position in range(first, min(first + count, last))]


def repeats_of(total: int) -> int:
    """How many entries of such a list are repeats."""
    return (total - 1) // (REPEAT_EVERY - 1) if total else 0


def without_sold_out(numbers: list[int]) -> list[int]:
    """A page without one in fifteen of all properties, always the same ones."""
    return [number for number in numbers if number % SOLD_OUT_EVERY]


def said_total(total: int, page: int, weather: Weather) -> Json:
    """The member ``Total``, or nothing: a moving one is off by up to six, differently on each page."""
    if weather.total == "missing":
        return {}
    return {"Total": max(0, total + page * 7 % 13 - 6) if weather.total == "moving" else total}


def details(document: Json, ids: Json, weather: Weather) -> Json:
    """The details document; ``ids`` are the members of propertySummary that section 2.6 doesn't name."""
    if weather.details in _NO_DETAILS:
        return _NO_DETAILS[weather.details]()
    spoken = document
    if weather.details == "ids":
        inner = document["propertyDetails"]
        assert isinstance(inner, dict)
        summary = {**ids, **inner["propertySummary"]}
        spoken = {**document, "propertyDetails": {**inner, "propertySummary": summary}}
    return spelled(spoken, weather)


def offers(listed: list[str], numbers: list[int], weather: Weather) -> list[str]:
    """The offers of each property, as JSON text before and after."""
    if not weather.zero_prices and weather.surcharges == "added":
        return listed
    return [_offers(told, number, weather) for told, number in zip(listed, numbers, strict=True)]


def _offers(told: str, number: int, weather: Weather) -> str:
    own = own_currency_of(world().city_of(number))
    return text(
        [
            {**offer, "minPrice": _min_price(offer["minPrice"], number + turn, own, weather)}
            for turn, offer in enumerate(plain(told))
        ]
    )


def spelled(document: Json, weather: Weather) -> Json:
    """The document with its numbers as numbers or as strings."""
    if not weather.text_numbers:
        return document
    return {name: _as_text(member) for name, member in plain(text(document)).items()}


def _as_text(value: object) -> object:
    """The value with every number as a string."""
    if isinstance(value, dict):
        return {name: _as_text(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_as_text(member) for member in value]
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _min_price(price: object, number: int, own: Currency, weather: Weather) -> object:
    if not isinstance(price, dict):
        return price
    if weather.zero_prices and scatter(number, 11, 1000) < ZERO_PRICES_PER_THOUSAND:
        return {**price, "price": _zero(price["price"])}
    change = _SURCHARGES.get(weather.surcharges)
    return change(price, number, own) if change else price


def _zero(triple: Json) -> Json:
    return {
        name: {**member, "value": 0} if isinstance(member, dict) else None for name, member in triple.items()
    }


def _in_property_currency(price: Json, _number: int, own: Currency) -> Json:
    """Each surcharge without its customer price."""

    def change(triple: Json, _turn: int) -> Json:
        return {**triple, "customerPrice": None, "propertyPrice": _converted(triple["customerPrice"], own)}

    return _with_surcharges(price, change)


def _unreadable(price: Json, number: int, _own: Currency) -> Json:
    """Each surcharge with an amount that nobody can add."""
    shapes: tuple[object, ...] = (
        None,
        "on request",
        {
            "customerPrice": {"value": "n/a", "currencyCode": "EUR"},
            "propertyPrice": None,
            "travelCredit": None,
        },
        {"customerPrice": None, "propertyPrice": None, "travelCredit": None},
    )
    return _with_surcharges(price, lambda _triple, turn: shapes[(number + turn) % len(shapes)])


def _included(price: Json, _number: int, _own: Currency) -> Json:
    """The price raised by its surcharges, the price before discount left without them."""
    triple, surcharges = price["price"], price["surcharges"]
    assert isinstance(triple, dict)
    assert isinstance(surcharges, list)
    customer = triple["customerPrice"]
    code = customer["currencyCode"]
    named = [surcharge["price"]["customerPrice"] for surcharge in surcharges]
    raised = customer["value"] + sum(one["value"] for one in named if one["currencyCode"] == code)
    return {**price, "price": {**triple, "customerPrice": {"value": round(raised, 3), "currencyCode": code}}}


_SURCHARGES: dict[str, Callable[[Json, int, Currency], Json]] = {
    "property-currency": _in_property_currency,
    "unreadable": _unreadable,
    "included": _included,
}


def _with_surcharges(price: Json, change: Callable[[Json, int], object]) -> Json:
    surcharges = price["surcharges"]
    assert isinstance(surcharges, list)
    return {
        **price,
        "surcharges": [{**one, "price": change(one["price"], turn)} for turn, one in enumerate(surcharges)],
    }


def _converted(price: object, own: Currency) -> Json:
    assert isinstance(price, dict)
    asked = CURRENCIES[price["currencyCode"]]
    minor = exchange(round(price["value"] * asked.minor), asked, own)
    return {"value": minor / own.minor, "currencyCode": own.code}
