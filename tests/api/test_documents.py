"""What a program gets is what the pages say."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from search.documents import Comparison, Problem, Property, Results, Shared
from search.web.formatting import Reader
from tests.api import openapi
from tests.builders import context
from tests.dialects.conftest import DATES
from tests.dialects.conftest import site as site
from tests.dialects.reading import Results as ReadPage
from tests.dialects.test_journey import LOSING, PLACE, QUERY, WHOLE
from tests.journey.reading import text_of

PROGRAM = {"accept": "application/json"}
TAXES_APART = "surcharges=property-currency,basis=night"


def read(client: Client, path: str, kind: type) -> Any:
    """The document at a path, which has no other members than its schema."""
    response = client.get(path, headers=PROGRAM)
    assert response["Content-Type"] == "application/json"
    document = msgspec.json.decode(response.content, type=kind)
    assert json.loads(msgspec.json.encode(document)) == json.loads(response.content)
    return document


def page(client: Client, path: str) -> str:
    return client.get(path, headers={"accept": "text/html"}).content.decode()


def in_words(amount: Any) -> str:
    money = msgspec.convert({"amount": Decimal(amount.amount), "currency": amount.currency}, _Money)
    return Reader.for_search(context()).money(money)


class _Money(msgspec.Struct):
    amount: Decimal
    currency: str


def test_the_openapi_file_is_made_from_the_classes():
    assert openapi.FILE.read_text(encoding="utf-8") == openapi.text()


@pytest.mark.parametrize(
    ("weather", "site_settings"),
    [pytest.param(*one, marks=[pytest.mark.thorough] * (one[0] != TAXES_APART)) for one in WHOLE + LOSING],
)
def test_no_amount_differs_from_the_page(site, weather, site_settings):
    site.speak(weather, **site_settings)
    site.results(PLACE)
    path, first = f"/hotels/?{QUERY}", ""
    for _page in range(2):
        results, shown = read(site.client, path, Results), ReadPage.of(page(site.client, path))
        prices = [hotel.offers[0].price if hotel.offers else None for hotel in results.hotels]
        assert [one and Decimal(one.total.amount) for one in prices] == [card.total for card in shown.cards]
        for hotel, card in zip(results.hotels, shown.cards, strict=True):
            of_card = [offer.price for offer in hotel.offers if offer.price]
            every = [one for price in of_card for one in (price.total, price.before_discount) if one]
            assert all(in_words(one) in card.text for one in every)
        first, path = first or results.hotels[0].page, results.links.next
        if not path:
            break
    hotel, text = read(site.client, first, Property), text_of(page(site.client, first))
    assert all(in_words(offer.price.total) in text for offer in hotel.hotel.offers if offer.price)


def test_a_program_walks_from_the_search_to_the_comparison(sandbox):
    client = Client()
    results = read(client, f"/hotels/?{QUERY}&sort=rating", Results)
    assert (results.order.sort, results.page) == ("rating", 1)
    assert any("Nobody can pay" in rule for rule in results.order.rules)
    assert results.search["checkin"] == DATES["checkin"]
    stays = [f"stay={one.page.removeprefix('/hotels/').partition('/?')[0]}" for one in results.hotels[:2]]
    path = f"/compare/?{'&'.join([QUERY, *stays])}"
    comparison, text = read(client, path, Comparison), text_of(page(client, path))
    assert [one.name for one in comparison.hotels] == [one.name for one in results.hotels[:2]]
    facts = [part for cells in comparison.facts.values() for cell in cells for part in cell.split(" · ")]
    assert [one for one in facts if " ".join(one.split()) not in text] == []


def test_a_shared_link_says_then_and_now(sandbox, sharer):
    address = sharer.post(f"/share/hotels/?{QUERY}", {"note": "Look."})["Location"]
    shared = read(Client(), f"/s/{address.rstrip('/').rpartition('/')[2]}/", Shared)
    assert shared.note == ("Look.",)
    assert {(one.turn, one.then, one.now.name) for one in shared.hotels} == {
        ("same", one.now.offers[0].price.total, one.name) for one in shared.hotels
    }


@pytest.mark.parametrize(
    ("path", "status", "title", "fields"),
    [
        ("/hotels/", 400, "When and where?", set()),
        (f"/hotels/?{QUERY}&checkin=x", 400, "Something in your search needs another look", {"checkin"}),
        (f"/hotels/SOL/none/?{QUERY}", 404, "This hotel isn't offered here", set()),
        ("/s/abcdefghijkl/", 404, "There is no such page", set()),
        ("/nowhere/", 404, "There is no such page", set()),
    ],
)
def test_errors_have_the_words_of_their_page(sandbox, path, status, title, fields):
    client = Client()
    problem = read(client, path, Problem)
    assert (problem.status, problem.title, set(problem.errors)) == (status, title, fields)
    text = text_of(page(client, path))
    assert problem.title in text
    assert problem.detail in text


def test_a_gateway_away_is_said_in_json(wire):
    wire.search(status=500)
    problem = read(Client(), f"/hotels/?{QUERY}", Problem)
    assert (problem.status, problem.title) == (503, "Prices are not available right now")


def test_each_kind_has_an_etag_of_its_own(sandbox):
    client = Client()
    client.get(f"/hotels/?{QUERY}")
    kinds = [
        client.get(f"/hotels/?{QUERY}", headers={"accept": one}) for one in ("text/html", *PROGRAM.values())
    ]
    assert len({one["ETag"] for one in kinds}) == 2
    assert all("Accept" in one["Vary"].split(", ") for one in kinds)
    again = client.get(f"/hotels/?{QUERY}", headers={**PROGRAM, "if-none-match": kinds[1]["ETag"]})
    assert (again.status_code, "Accept" in again["Vary"].split(", ")) == (304, True)


@pytest.fixture
def sandbox(db: None) -> None:
    """The embedded sandbox, which every test starts with, and a database."""


@pytest.fixture
def sharer(db: None) -> Client:
    user = User.objects.create_user(username="ann", is_staff=True)
    user.groups.set(Group.objects.filter(name="Sharer"))
    client = Client()
    client.force_login(user)
    return client
