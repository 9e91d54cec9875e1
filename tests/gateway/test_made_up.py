"""The notice that hotels are made up: for the sandbox at a gateway's address, never for a gateway."""

from __future__ import annotations

import http.client
import threading

import pytest
from django.test import Client

from search.sandbox.api import MADE_UP_HEADER
from search.sandbox.server import SandboxServer
from tests.gateway.documents import a_listing_document, an_entry
from tests.wire import Wire

NOTICE = "Hotels, pictures and prices here are made up."
SEARCH = "/hotels/?place=Porto&checkin=2030-05-01&checkout=2030-05-04"
MADE_UP = {MADE_UP_HEADER: "yes"}

pytestmark = pytest.mark.django_db


def answers(wire: Wire, headers: dict[str, str]) -> None:
    wire.search(a_listing_document(an_entry(), total=1), headers=headers)


def test_a_sandbox_is_recognised_by_its_answers(wire: Wire, client: Client) -> None:
    answers(wire, MADE_UP)
    assert NOTICE in client.get(SEARCH).text
    assert NOTICE in client.get("/").text


def test_a_gateway_is_never_taken_for_the_sandbox(wire: Wire, client: Client) -> None:
    answers(wire, {"Server": "sandbox"})
    for path in ("/", SEARCH, "/"):
        assert NOTICE not in client.get(path).text


def test_the_sandbox_over_a_socket_says_so_whatever_it_answers() -> None:
    server = SandboxServer("127.0.0.1", 0)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    for path in ("/nowhere", "/photos/1/facade.svg"):
        connection = http.client.HTTPConnection(*server.server_address[:2])
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
        assert response.headers[MADE_UP_HEADER] == "yes"
        connection.close()
    server.shutdown()
    server.server_close()
    thread.join()
