"""Tiles of the first page and of destinations: what a stay there typically costs, and a photo."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from search.domain import process
from search.gateway import factory
from search.results import tiles
from tests.gateway.documents import a_listing_document, a_min_price, a_summary, an_entry, an_offer, triple
from tests.wire import Wire, forget

pytestmark = [pytest.mark.usefixtures("wire", "db")]

READER = {"user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"}
GOOGLE = {"user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"}
HOME = "/?market=en-ie"


def hotels(country: str = "", *, first: int = 100) -> dict[str, object]:
    """Ten hotels at ten totals, with a photo."""
    plain = {"originalPrice": None, "discountPercentage": 0, "surcharges": []}
    entries = []
    for number in range(10):
        at = {"countryCode": country, "coordinates": None} if country else {}
        images = [f"https://pictures.example/{number}.jpg"]
        summary = a_summary(id=f"{number}", ryanairId=f"k{number}", images=images, **at)
        price = a_min_price(price=triple(first + number), **plain)
        entries.append(an_entry(summary, [an_offer(providerPropertyId=f"{number}", minPrice=price)]))
    return a_listing_document(*entries, total=10)


def opened(path: str = HOME, **headers: str) -> str:
    """The page as it is once everything behind it is done."""
    client = Client(headers=headers or READER)
    client.get(path)
    process.part(tiles.build_pool).submit(str).result()
    return client.get(path).content.decode()


def asked(wire: Wire) -> list[str]:
    """The places that the gateway was asked for."""
    found = [one for one in wire.addresses() if "propertyOffers" in one]
    return [parse_qs(urlsplit(one).query)["place"][0] for one in found]


def totals(html: str) -> list[str]:
    texts = re.findall(r'destination-card__total">([^<]*)', html)
    return [one.replace("\u00a0", " ").replace("\u2060", "") for one in texts]


def test_a_tile_has_the_middle_total_of_a_weekend_and_a_photo(wire: Wire) -> None:
    wire.search(hotels())
    before = Client(headers=READER).get(HOME).content.decode()
    assert totals(before) == []
    assert before.count('class="skyline"') == 8
    html = opened()
    days = re.search(r'<p class="muted">(\d+–\d+ \w+) \d+ · 2 nights', html)
    assert days
    assert totals(html) == [f"typically €104 · {days[1]}"] * 8
    assert html.count("https://pictures.example/0.jpg") == 8
    assert "skyline" not in html


def test_it_costs_one_call_a_place_and_day(wire: Wire) -> None:
    wire.search(hotels())
    opened()
    assert len(asked(wire)) == len(set(asked(wire))) == 8
    process.start().put(factory.build_adapter, wire)
    opened()
    assert len(asked(wire)) == 8


def test_on_the_next_day_it_is_asked_for_again(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    wire.search(hotels())
    opened()
    tomorrow = timezone.now() + timedelta(days=1)
    monkeypatch.setattr(timezone, "now", lambda: tomorrow)
    opened()
    assert len(asked(wire)) == 16


def test_programs_have_nothing_asked_for(wire: Wire) -> None:
    assert totals(opened(**GOOGLE)) == totals(opened("/destinations/pt/", **GOOGLE)) == []
    assert asked(wire) == []


def test_hotels_of_another_place_of_the_name_are_not_meant(wire: Wire) -> None:
    wire.search(hotels("es"))
    tile = opened("/destinations/ve/").partition(">Barcelona<")[2].partition("</li>")[0]
    assert "typically" not in tile
    assert "typically" in opened("/destinations/es/").partition(">Barcelona<")[2].partition("</li>")[0]


def test_while_the_gateway_is_away_tiles_have_drawings(wire: Wire) -> None:
    wire.search(status=503)
    html = opened()
    assert totals(html) == []
    assert html.count('class="skyline"') == 8
    forget()
    wire.search(hotels())
    process.start().put(factory.build_adapter, wire)
    assert len(totals(opened())) == 8


def test_all_destinations_begin_with_the_tiles_of_the_first_page(wire: Wire) -> None:
    wire.search(hotels())
    assert len(totals(opened("/destinations/?market=en-ie"))) == 8
    assert totals(opened("/destinations/?theme=SEA&market=en-ie")) == []


def test_days_of_ones_own_have_nothing_asked_for(wire: Wire) -> None:
    opened("/destinations/es/?checkin=2030-05-01&checkout=2030-05-04&guests=2")
    assert asked(wire) == []
