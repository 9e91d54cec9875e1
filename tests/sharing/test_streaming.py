"""A shared link that begins with its title before today's prices are known."""

from __future__ import annotations

from threading import Event

import pytest
from django.test import Client

from search.web import streaming
from tests.gateway.documents import a_listing_document
from tests.sharing.conftest import Market, hotel, share
from tests.wire import Reply

OPENED = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


def test_what_was_shared_begins_with_its_title(
    market: Market, sharer: Client, visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = share(sharer, title="Three quiet hotels")
    market.has(hotel("aa", 90))
    told = Event()

    def answer(_request: object) -> Reply:
        assert told.wait(10)
        return Reply(a_listing_document(hotel("aa", 90), total=1))

    market.wire.answer_search(answer)
    monkeypatch.setattr(streaming, "SECONDS_FOR_THE_WHOLE", 0.001)
    response = visitor.get(f"/s/{code}/", headers=OPENED)
    parts = (piece.decode() for piece in response.streaming_content)
    begun = next(parts)
    assert "Three quiet hotels" in begun
    assert "Hotel aa" not in begun
    assert response["Cache-Control"] == "no-store"
    told.set()
    assert "Hotel aa" in "".join(parts)
