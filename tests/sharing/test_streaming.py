"""A shared link that begins with its title before today's prices are known."""

from __future__ import annotations

import re
from threading import Event

import pytest
from django.http import StreamingHttpResponse
from django.test import Client

from search.web import streaming
from tests.gateway.documents import a_listing_document
from tests.sharing.conftest import ONE_PROPERTY, SEARCH, Market, hotel, share
from tests.wire import Reply, forget

OPENED = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


@pytest.fixture
def told(market: Market, monkeypatch: pytest.MonkeyPatch) -> Event:
    """Until it is cleared the gateway answers; then it waits, and every page begins early."""
    told = Event()
    told.set()

    def answer(_request: object) -> Reply:
        assert told.wait(10)
        return Reply(a_listing_document(hotel("77", 90), total=1))

    market.wire.answer_search(answer)
    monkeypatch.setattr(streaming, "SECONDS_FOR_THE_WHOLE", 0.001)
    return told


def pieces(visitor: Client, path: str, told: Event) -> tuple[StreamingHttpResponse, str, str]:
    """A page whose prices are not known yet, its beginning, and the rest once the gateway has answered."""
    told.clear()
    forget()
    response = visitor.get(path, headers=OPENED)
    parts = (piece.decode() for piece in response.streaming_content)
    begun = next(parts)
    told.set()
    return response, begun, "".join(parts)


def test_what_was_shared_begins_with_its_title(told, sharer, visitor):
    code = share(sharer, title="Three quiet hotels")
    response, begun, rest = pieces(visitor, f"/s/{code}/", told)
    assert "Three quiet hotels" in begun
    assert "Hotel 77" not in begun
    assert response["Cache-Control"] == "no-store"
    assert "Hotel 77" in rest


@pytest.mark.parametrize("what", ["shared hotel", "shared results", "shortlist", "comparison"])
def test_a_page_that_begins_early_has_all_scripts(told, sharer, visitor, what):
    path = {
        "shared hotel": lambda: f"/s/{share(sharer, ONE_PROPERTY)}/",
        "shared results": lambda: f"/s/{share(sharer)}/",
        "shortlist": lambda: f"/shortlist/?{SEARCH}&stay=ACME/77",
        "comparison": lambda: f"/compare/?{SEARCH}&stay=ACME/77&stay=ACME/78",
    }[what]()
    begun = "".join(pieces(visitor, path, told)[1:])
    whole = visitor.get(path).content.decode()
    scripts = re.findall(r"<script src=[^>]*>", whole)
    assert "skeleton" in begun
    assert scripts
    assert sorted(re.findall(r"<script src=[^>]*>", begun)) == sorted(scripts)
    if "/s/" in path:
        assert re.findall(r"<body[^>]*>", begun) == re.findall(r"<body[^>]*>", whole)
