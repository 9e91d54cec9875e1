"""Which gateway the contract suite speaks to: the sandbox in process and over a socket, or a real one.

Set CONTRACT_BASE_URL (and CONTRACT_API_KEY) to run the suite against any gateway that should follow the
interface: ``CONTRACT_BASE_URL=https://gateway.example CONTRACT_API_KEY=... pytest tests/contract
--allow-hosts=gateway.example``. Only what the interface promises is asked of it; tests of the sandbox's own
choices are skipped.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any
from urllib.parse import quote

import pytest
import requests

from search.sandbox.server import BASE_URL, SandboxAdapter, SandboxServer

ELSEWHERE = os.environ.get("CONTRACT_BASE_URL", "").rstrip("/")
KEY = os.environ.get("CONTRACT_API_KEY", "sandbox")
PLACE = os.environ.get("CONTRACT_PLACE", "Barcelona")
SEARCH_PATH = "/pub/v1/rooms/ha/v2/propertyOffers"
AIRPORTS_PATH = "/pub/v1/core/3/airports"


@dataclass
class Gateway:
    """Plain requests to one gateway."""

    base_url: str
    session: requests.Session = field(default_factory=requests.Session)
    is_sandbox: bool = True

    def get(self, path: str, parameters: dict[str, str]) -> requests.Response:
        query = "&".join(f"{name}={quote(value, safe='')}" for name, value in parameters.items())
        return self.session.get(f"{self.base_url}{path}?{query}", timeout=30, allow_redirects=False)

    def search(self, **changes: str) -> dict[str, Any]:
        response = self.get(SEARCH_PATH, question(**changes))
        assert response.status_code == 200, response.status_code
        document: dict[str, Any] = response.json()
        return document

    def details(self, offer: dict[str, Any]) -> dict[str, Any]:
        unused = ("place", "categories", "size", "page")
        parameters = {name: value for name, value in question().items() if name not in unused}
        property_id = quote(offer["providerPropertyId"], safe="")
        path = f"{SEARCH_PATH}/provider/{quote(offer['providerId'], safe='')}/property/{property_id}"
        response = self.get(path, parameters)
        assert response.status_code == 200, response.status_code
        document: dict[str, Any] = response.json()
        return document


def question(**changes: str) -> dict[str, str]:
    """Parameters of a search that has results; a real gateway is asked for a stay in the near future."""
    checkin = date.today() + timedelta(days=60) if ELSEWHERE else date(2030, 5, 1)
    usual = {
        "checkinDate": checkin.isoformat(),
        "checkoutDate": (checkin + timedelta(days=3)).isoformat(),
        "roomAllocations": "2",
        "place": PLACE,
        "categories": "4",
        "currencyCode": "EUR",
        "market": "en-gb",
        "size": "20",
        "page": "0",
    }
    return {**usual, **changes, "apikey": KEY}


def _in_process() -> Gateway:
    session = requests.Session()
    session.mount(BASE_URL, SandboxAdapter())
    return Gateway(BASE_URL, session)


@pytest.fixture(scope="session", params=["elsewhere"] if ELSEWHERE else ["in process", "over a socket"])
def gateway(request: pytest.FixtureRequest) -> Iterator[Gateway]:
    """The gateway under test."""
    if request.param == "elsewhere":
        yield Gateway(ELSEWHERE, is_sandbox=False)
    elif request.param == "in process":
        yield _in_process()
    else:
        server = SandboxServer("127.0.0.1", 0)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield Gateway(server.base_url)
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(scope="session")
def listing(gateway: Gateway) -> dict[str, Any]:
    """One page of a search."""
    return gateway.search()


@pytest.fixture(scope="session")
def entries(listing: dict[str, Any]) -> list[dict[str, Any]]:
    """Its result entries."""
    assert listing["results"], f"no results for {PLACE}"
    return list(listing["results"])


@pytest.fixture(scope="session")
def offers(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All offers of the page."""
    return [offer for entry in entries for offer in entry["offers"]]


@pytest.fixture(scope="session")
def details(gateway: Gateway, offers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The details of the page's first offers."""
    return [gateway.details(offer) for offer in offers[:12]]


@pytest.fixture(scope="session")
def airports(gateway: Gateway) -> list[dict[str, Any]]:
    """The airport list."""
    response = gateway.get(AIRPORTS_PATH, {"apikey": KEY})
    assert response.status_code == 200
    found: list[dict[str, Any]] = response.json()
    return found
