"""Whole pages over a mocked wire: real views, services and parsing, documents of the test's choice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import responses
from django.test import Client

from search.destinations import repository as known_destinations
from search.destinations import service as destinations
from search.gateway import factory
from tests.gateway.documents import a_listing_document, an_airport, an_entry, details_document

BASE = "https://gateway.example"
ROOMS = f"{BASE}/pub/v1/rooms/ha/v2/propertyOffers"
DETAILS = re.compile(re.escape(f"{ROOMS}/provider/") + ".*")
AIRPORTS = f"{BASE}/pub/v1/core/3/airports"
SEARCH = "place=Porto&checkin=2030-05-01&checkout=2030-05-04&guests=2"


class Wire:
    """The three calls, each answering with one document until told otherwise."""

    def __init__(self, mock: responses.RequestsMock) -> None:
        self.mock = mock
        self.search(a_listing_document(an_entry(), total=1))
        self.details(details_document())
        self.airports(
            [an_airport(iataCode="OPO", name="Porto", cityCode="PORTO", countryCode="pt", regionCode="")]
        )

    def search(self, document: Any = None, **answer: Any) -> None:
        self._answer(ROOMS, document, answer)

    def details(self, document: Any = None, **answer: Any) -> None:
        self._answer(DETAILS, document, answer)

    def airports(self, document: Any = None, **answer: Any) -> None:
        self._answer(AIRPORTS, document, answer)

    def addresses(self, endpoint: str = "propertyOffers?") -> list[str]:
        return [call.request.url for call in self.mock.calls if endpoint in call.request.url]

    def _answer(self, url: Any, document: Any, answer: dict[str, Any]) -> None:
        self.mock.remove(responses.GET, url)
        self.mock.get(url, **(answer or {"json": document}))


@pytest.fixture
def wire(settings, db, monkeypatch) -> Iterator[Wire]:
    monkeypatch.setattr(known_destinations, "PATIENCE_SECONDS", 60)  # a busy machine is no slow gateway
    settings.GATEWAY_BASE_URL, settings.GATEWAY_API_KEY = BASE, "SECRETKEY"
    factory.reconnect()
    destinations.forget()
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        yield Wire(mock)
    factory.reconnect()
    destinations.forget()


@pytest.fixture
def sandbox(settings, db) -> Iterator[None]:
    settings.GATEWAY_BASE_URL = ""
    factory.reconnect()
    destinations.forget()
    yield
    factory.reconnect()


@pytest.fixture
def visitor() -> Client:
    return Client()
