"""Dialects: documents changed into other readings of what the interface leaves open.

Every function takes a part of a document as the default reading has it and returns a new one; nothing shared
between answers is touched. The weather says which dialect is spoken (see weather.py).
"""

from __future__ import annotations

from typing import Any

from search.sandbox import Json
from search.sandbox.pricing import CURRENCIES, exchange, own_currency_of
from search.sandbox.properties import provider_property_id, providers_of
from search.sandbox.rng import scatter
from search.sandbox.weather import Weather
from search.sandbox.world import world

_NO_DETAILS: dict[str, Json] = {
    "null": {"propertyDetails": None},
    "missing": {},
    "empty": {"propertyDetails": {}},
    "list": {"propertyDetails": []},
    "text": {"propertyDetails": "not available"},
}
_UNREADABLE = (
    None,
    "on request",
    {"customerPrice": {"value": "n/a", "currencyCode": "EUR"}, "propertyPrice": None, "travelCredit": None},
    {"customerPrice": None, "propertyPrice": None, "travelCredit": None},
)
REPEAT_EVERY = 20
SHARED_ID_EVERY = 5
SOLD_OUT_EVERY = 15
ZERO_PRICES_PER_THOUSAND = 300


def repeated(first: int, count: int, total: int, weather: Weather) -> list[tuple[int, bool]]:
    """The ranks at `count` positions from `first` of a list that gives each twentieth of its `total` entries
    a second time, and which are the second. With half a page repeated, each page of twenty begins with the
    last ten of the one before."""
    positions = (divmod(position, REPEAT_EVERY) for position in range(first, first + count))
    if weather.repeats == "half":
        half = REPEAT_EVERY // 2
        places = ((page * half + place, page > 0 and place < half) for page, place in positions)
    else:
        places = ((page * (REPEAT_EVERY - 1) + place, page > 0 and not place) for page, place in positions)
    return [(rank, again) for rank, again in places if rank < total]


def entry(entry: Json, number: int, weather: Weather, *, again: bool) -> Json:
    """A result entry, `again` if it is the second of its property."""
    summary, offers = entry["propertySummary"], entry["offers"]
    if again and weather.repeats == "stars":
        # As another provider describes and sells it.
        summary, offers = {**summary, "category": summary["category"] - 1 or 2}, offers[1:]
    if weather.shared_ids and number % SHARED_ID_EVERY == 1:
        shared = set(providers_of(number - 1))
        summary = _with_id_of(summary, "id", number - 1, shared)
        offers = [_with_id_of(one, "providerPropertyId", number - 1, shared) for one in offers]
    return {**entry, "propertySummary": summary, "offers": offers}


def _with_id_of(part: Json, name: str, other: int, shared: set[str]) -> Json:
    """A part of an entry with the id that its provider gave another property already."""
    provider = part["providerId"]
    return {**part, name: provider_property_id(other, provider)} if provider in shared else part


def said_total(total: int, page: int, weather: Weather) -> Json:
    """The member `Total`, or nothing: a moving one is off by up to six, differently on each page."""
    if weather.total == "missing":
        return {}
    if weather.repeats not in ("", "half"):
        total += max(0, total - 1) // (REPEAT_EVERY - 1)
    return {"Total": max(0, total + page * 7 % 13 - 6) if weather.total == "moving" else total}


def details(document: Json, ids: Json, weather: Weather) -> Json:
    """The details document; `ids` are the members of propertySummary that section 2.6 does not name."""
    if weather.details in _NO_DETAILS:
        return _NO_DETAILS[weather.details]
    if weather.details == "ids":
        inner = document["propertyDetails"]
        return {**document, "propertyDetails": {**inner, "propertySummary": ids | inner["propertySummary"]}}
    return document


def offers(offers: list[Json], number: int, weather: Weather) -> list[Json]:
    """The offers of a property."""
    return [
        {**offer, "minPrice": offer["minPrice"] and _min_price(offer["minPrice"], number, turn, weather)}
        for turn, offer in enumerate(offers)
    ]


def _min_price(price: Json, number: int, turn: int, weather: Weather) -> Json:
    if weather.zero_prices and scatter(number + turn, 11, 1000) < ZERO_PRICES_PER_THOUSAND:
        zero = {name: amount and {**amount, "value": 0} for name, amount in price["price"].items()}
        return {**price, "price": zero}
    if weather.surcharges == "included":
        return {**price, "price": _raised(price)}
    surcharges = price["surcharges"]
    if weather.surcharges == "property-currency":
        surcharges = [{**one, "price": _in_property_currency(one["price"], number)} for one in surcharges]
    elif weather.surcharges == "unreadable":
        surcharges = [
            {**one, "price": _UNREADABLE[(number + turn + place) % len(_UNREADABLE)]}
            for place, one in enumerate(surcharges)
        ]
    return {**price, "surcharges": surcharges}


def _raised(price: Json) -> Json:
    """The price triple raised by the surcharges in its currency."""
    customer = price["price"]["customerPrice"]
    code = customer["currencyCode"]
    amounts = [one["price"]["customerPrice"] for one in price["surcharges"]]
    raised = customer["value"] + sum(one["value"] for one in amounts if one["currencyCode"] == code)
    return {**price["price"], "customerPrice": {"value": round(raised, 3), "currencyCode": code}}


def _in_property_currency(triple: Json, number: int) -> Json:
    amount, own = triple["customerPrice"], own_currency_of(world().city_of(number))
    asked = CURRENCIES[amount["currencyCode"]]
    minor = exchange(round(amount["value"] * asked.minor), asked, own)
    own_amount = {"value": minor / own.minor, "currencyCode": own.code}
    return {**triple, "customerPrice": None, "propertyPrice": own_amount}


def numbers_as_text(value: Any) -> Any:
    """A document with every number as a string."""
    if isinstance(value, dict):
        return {name: numbers_as_text(member) for name, member in value.items()}
    if isinstance(value, list):
        return [numbers_as_text(member) for member in value]
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
