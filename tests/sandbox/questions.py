"""Questions the sandbox's tests ask again and again."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote, urlencode

from search.sandbox.api import SEARCH_PATH, Answer, answer
from search.sandbox.documents import plain
from search.sandbox.identity import providers_of
from search.sandbox.offers import offers
from search.sandbox.pricing import Stay, quotes
from search.sandbox.properties import page_of
from search.sandbox.weather import FAIR, Weather
from search.sandbox.world import world

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


def ask(path: str = SEARCH_PATH, *, weather: Weather = FAIR, without: str = "", **changes: str) -> Answer:
    """The sandbox's answer to the usual question with some parameters changed or left out."""
    parameters = {name: value for name, value in (SEARCH | changes).items() if name != without}
    return answer(path, urlencode(parameters), weather=weather)


def listing(*, weather: Weather = FAIR, **changes: str) -> dict[str, Any]:
    """The listing as JSON; the answer must be a 200."""
    given = ask(weather=weather, **changes)
    assert given.status == 200, given.body
    document: dict[str, Any] = json.loads(given.body)
    return document


def details_path(offer: dict[str, Any]) -> str:
    """Where the details of an offer's property are."""
    property_id = quote(offer["providerPropertyId"], safe="")
    return f"{SEARCH_PATH}/provider/{offer['providerId']}/property/{property_id}"


def details(offer: dict[str, Any], *, weather: Weather = FAIR) -> dict[str, Any]:
    """The details of an offer's property as JSON; the answer must be a 200."""
    given = ask(details_path(offer), weather=weather)
    assert given.status == 200, given.body
    document: dict[str, Any] = json.loads(given.body)
    return document


def prices_of(number: int, stay: Stay) -> list[int]:
    """What each provider of a property asks for a stay, sold out or not."""
    return [quote.price for quote in quotes(number, world().city_of(number), providers_of(number), stay)]


def offered(number: int, stay: Stay) -> list[dict[str, Any]]:
    """The offers of one property."""
    found: list[dict[str, Any]] = plain(offers(page_of([number]), stay)[0])
    return found
