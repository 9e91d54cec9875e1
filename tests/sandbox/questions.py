"""Questions the sandbox's tests ask again and again."""

from __future__ import annotations

import json
from datetime import date
from typing import Any
from urllib.parse import quote, urlencode

from search.sandbox.api import SEARCH_PATH, Answer, answer
from search.sandbox.pricing import LONG_BEFORE, Stay, quotes
from search.sandbox.weather import parse_weather

SEARCH = {
    "checkinDate": "2030-05-01",
    "checkoutDate": "2030-05-04",
    "roomAllocations": "2",
    "place": "Barcelona",
    "categories": "1,2,3,4,5",
    "currencyCode": "EUR",
    "market": "en-gb",
    "size": "20",
    "page": "0",
    "apikey": "sandbox",
}


def ask(
    path: str = SEARCH_PATH,
    *,
    weather: str = "",
    asked: date = LONG_BEFORE,
    without: str = "",
    **changes: str,
) -> Answer:
    """The sandbox's answer to the usual question with some parameters changed or left out."""
    parameters = {name: value for name, value in (SEARCH | changes).items() if name != without}
    return answer(path, urlencode(parameters), weather=parse_weather(weather), asked=asked)


def listing(weather: str = "", asked: date = LONG_BEFORE, **changes: str) -> dict[str, Any]:
    """The listing as JSON; the answer must be a 200."""
    response = ask(weather=weather, asked=asked, **changes)
    assert response.status == 200, response.body
    document: dict[str, Any] = json.loads(response.body)
    return document


def keys_of(document: dict[str, Any]) -> list[str]:
    """The keys of the properties that a listing holds, in its order."""
    return [entry["propertySummary"]["ryanairId"] for entry in document["results"]]


def priced_offers(weather: str = "", **changes: str) -> list[dict[str, Any]]:
    """The offers of a listing that have a price."""
    entries = listing(weather, **changes)["results"]
    return [offer for entry in entries for offer in entry["offers"] if offer["minPrice"]]


def details_path(offer: dict[str, Any]) -> str:
    """Where the details of an offer's property are."""
    property_id = quote(offer["providerPropertyId"], safe="")
    return f"{SEARCH_PATH}/provider/{offer['providerId']}/property/{property_id}"


def details(offer: dict[str, Any], weather: str = "") -> dict[str, Any]:
    """The details of an offer's property as JSON; the answer must be a 200."""
    response = ask(details_path(offer), weather=weather)
    assert response.status == 200, response.body
    document: dict[str, Any] = json.loads(response.body)
    return document


def prices_of(number: int, stay: Stay) -> list[int]:
    """The price of each provider of a property for a stay, sold out or not."""
    return [quote.price for quote in quotes(number, stay)]
