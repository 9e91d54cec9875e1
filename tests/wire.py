"""The gateway as a transport adapter that answers as a test says: the one seam, without a network.

The fixture `wire` puts one into a process of its own; all the rest, from the address of the request to the
parsing of the body, is the site's own.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from requests import PreparedRequest, Response
from requests.adapters import BaseAdapter
from requests.structures import CaseInsensitiveDict
from urllib3 import HTTPResponse

from tests.gateway.documents import a_listing_document, an_airport, an_entry, details_document

BASE = "https://gateway.example"
ROOMS = f"{BASE}/pub/v1/rooms/ha/v2/propertyOffers"
AIRPORTS = f"{BASE}/pub/v1/core/3/airports"


@dataclass
class Reply:
    """What is sent back: `json` as a document, else `body` as it is."""

    json: Any = ...
    body: str | bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)

    def to(self, request: PreparedRequest) -> Response:
        body = self.body if self.json is ... else json.dumps(self.json)
        content = body.encode() if isinstance(body, str) else body
        response = Response()
        response.status_code, response.headers = self.status, CaseInsensitiveDict(self.headers)
        response.request, response.url = request, request.url
        response.raw = HTTPResponse(BytesIO(content), self.headers, self.status, preload_content=False)
        return response


class Wire(BaseAdapter):
    """The three calls, each with one reply until told otherwise; `requests` are those that came."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[PreparedRequest] = []
        self._replies: dict[str, Callable[[PreparedRequest], Reply]] = {}
        self.search(a_listing_document(an_entry(), total=1))
        self.details(details_document())
        self.airports(
            [an_airport(iataCode="OPO", name="Porto", cityCode="PORTO", countryCode="pt", regionCode="")]
        )

    def search(self, document: Any = ..., **reply: Any) -> None:
        """From now on searches are answered with this document, or with the parts of another `Reply`."""
        self.answer_search(lambda _request: Reply(**{"json": document, **reply}))

    def details(self, document: Any = ..., **reply: Any) -> None:
        self.answer_details(lambda _request: Reply(**{"json": document, **reply}))

    def airports(self, document: Any = ..., **reply: Any) -> None:
        self._replies["airports"] = lambda _request: Reply(**{"json": document, **reply})

    def answer_details(self, answer: Callable[[PreparedRequest], Reply]) -> None:
        """From now on `answer` says what each call for details gets."""
        self._replies["details"] = answer

    def answer_search(self, answer: Callable[[PreparedRequest], Reply]) -> None:
        """From now on `answer` says what each search gets."""
        self._replies["search"] = answer

    def addresses(self, part: str = "propertyOffers?") -> list[str]:
        """The addresses with this part that were asked for."""
        return [str(request.url) for request in self.requests if part in str(request.url)]

    def send(self, request: PreparedRequest, *args: Any, **options: Any) -> Response:
        self.requests.append(request)
        return self._replies[_endpoint(str(request.url))](request).to(request)

    def close(self) -> None:
        """Nothing is held open."""


def _endpoint(url: str) -> str:
    if url.startswith(f"{ROOMS}/provider/"):
        return "details"
    return "search" if url.startswith(f"{ROOMS}?") else "airports"


def forget() -> None:
    """As if nothing had been searched before, in this process or another one."""
    # Models can't be imported before Django is set up.
    from django.core.cache import cache

    from search.domain import process
    from search.results.full_results import ResultSets

    cache.clear()
    process.put(ResultSets, ResultSets())
