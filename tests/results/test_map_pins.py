"""The pins and the cards of the map of results, over the sandbox and over a scripted gateway."""

from __future__ import annotations

import gzip
import re
from html import unescape
from urllib.parse import urlencode

import pytest
from django.test import Client
from msgspec.structs import replace

from search.domain.hotels import Coordinates
from search.domain.offers import Listing
from search.models import SiteSettings
from search.results import full_results
from search.results.map_pins import MOST_CARDS, SCALE
from tests import builders as build
from tests.scripted_gateway import honest, listing

pytestmark = pytest.mark.django_db

STAY = "checkin=2030-05-01&checkout=2030-05-04&guests=2&currency=EUR&market=en-gb"
SMALL = f"place=Lerwick&{STAY}"
LARGE = f"place=Barcelona&{STAY}"
ROME = f"place=Rome&{STAY}"
CARD = re.compile(r'<h2 class="listing-card__name"><a href="([^"?]+)')
MAP_CARD = re.compile(r'<li class="map-card">.*?href="([^"?]+)', re.DOTALL)


@pytest.fixture
def visitor(monkeypatch) -> Client:
    """Someone who waits for the exact order."""
    monkeypatch.setattr(full_results, "PATIENCE_SECONDS", 30.0)
    return Client()


def pins(visitor: Client, query: str) -> dict:
    """The pins beside the results of `query`, once those are there."""
    assert visitor.get(f"/hotels/?{query}").status_code == 200
    response = visitor.get(f"/hotels/map/?{query}")
    assert response.status_code == 200
    return response.json()


def listed(visitor: Client, query: str) -> list[str]:
    """The paths of all properties of the list with coordinates, page after page."""
    found: list[str] = []
    for number in range(1, 100):
        page = visitor.get(f"/hotels/?{query}&page={number}").content.decode()
        cards = page.split('<article class="listing-card"')[1:]
        found += [CARD.search(card)[1] for card in cards if "data-latitude" in card.partition(">")[0]]
        if 'rel="next"' not in page:
            return found
    raise AssertionError("the list has no end")


@pytest.mark.parametrize("refined", ["", "&free_cancellation=1&sort=distance&stars=3&stars=4"])
def test_the_map_shows_the_hotels_of_the_list_in_its_order(visitor, refined):
    paths = pins(visitor, SMALL + refined)["paths"]
    assert len(paths) > 3
    assert paths == listed(visitor, SMALL + refined)


def test_six_hundred_hotels_are_at_most_twenty_kilobytes(visitor):
    pins(visitor, LARGE)
    response = visitor.get(f"/hotels/map/?{LARGE}", headers={"accept-encoding": "gzip"})
    assert response["Content-Encoding"] == "gzip"
    assert len(response.content) <= 20_000
    assert gzip.decompress(response.content).startswith(b'{"centre":')


def test_a_pin_is_where_its_card_is_and_says_its_total(visitor):
    found = pins(visitor, SMALL)
    page = unescape(visitor.get(f"/hotels/?{SMALL}").content.decode())
    for number in range(3):
        card = next(one for one in page.split("<article ")[1:] if found["paths"][number] in one)
        latitude, longitude = re.search(r'data-latitude="([^"]+)" data-longitude="([^"]+)"', card).groups()
        assert (found["south"] + found["latitudes"][number]) / SCALE == float(latitude)
        assert (found["west"] + found["longitudes"][number]) / SCALE == float(longitude)
        total = float(re.search(r'data-total="€([\d,.]+)"', card)[1].replace(",", ""))
        assert found["totals"][found["prices"][number]] == f"€{total:,.0f}"
        assert found["names"][number] in card


def test_a_nameless_hotel_is_called_the_same_everywhere(connect, visitor):
    one = listing(0)
    nameless = replace(one, property=replace(one.property, name="", address="1 Harbour Street"))
    connect(lambda page, size: build.search_page((nameless, listing(1)), 2, 2))
    assert "Hotel in 1 Harbour Street" in pins(visitor, ROME)["names"]
    page = unescape(visitor.get(f"/hotels/?{ROME}&sort=tradeoffs").content.decode())
    assert page.count("Hotel in 1 Harbour Street") > 3
    assert "Hotel in Rome" not in page


def sold_out(number: int, **changes: str) -> Listing:
    one = listing(number)
    return replace(one, property=replace(one.property, **changes), offers=())


def test_the_pin_of_a_sold_out_hotel_leads_to_its_page(connect, visitor):
    connect(lambda page, size: build.search_page((listing(0), sold_out(1)), 2, 2))
    path = pins(visitor, ROME)["paths"][1]
    assert path == "/hotels/HB/p1/" == listed(visitor, ROME)[1]
    card = visitor.get(f"/hotels/map-cards/?{ROME}&at={path}").content.decode()
    assert "Hotel 1" in card
    assert "No price for these dates" in card


def test_a_hotel_without_an_identifier_has_a_pin_and_no_card(connect, visitor):
    connect(lambda page, size: build.search_page((listing(0), sold_out(1, id="")), 2, 2))
    assert pins(visitor, ROME)["paths"] == ["/hotels/HB/p0/", ""]
    response = visitor.get(f"/hotels/map-cards/?{ROME}&at=")
    assert (response.status_code, MAP_CARD.findall(response.content.decode())) == (200, [])


def test_totals_that_can_be_compared_come_first_and_ascend(connect, visitor):
    in_dollars = replace(listing(2), offers=(build.offer("10", "HB", price=build.price("10", "USD")),))
    apart = (build.Surcharge("CITY_TAX", build.price("9", "USD")),)
    incomplete = replace(listing(4), offers=(build.offer("90", "HB", surcharges=apart),))
    shown = (in_dollars, listing(0, total=200), listing(1, total=150), listing(3, total=200), incomplete)
    connect(lambda page, size: build.search_page(shown, 5, 5))
    found = pins(visitor, ROME)
    assert (found["totals"], found["comparable"]) == (["€150", "€200", "€90", "US$10"], 2)
    assert found["prices"] == [0, 1, 1, 2, 3]


def test_the_centre_has_rings_in_the_unit_of_the_market(visitor):
    found = pins(visitor, LARGE)
    assert found["centre"][0] == "Barcelona"
    assert [metres for _words, metres in found["rings"]] == [1609, 3219, 8047]
    found = pins(visitor, LARGE.replace("en-gb", "de-de"))
    assert found["rings"] == [["1\xa0km", 1000], ["2\xa0km", 2000], ["5\xa0km", 5000]]


def test_the_airport_of_the_distances_is_on_the_map(visitor):
    assert pins(visitor, LARGE)["airport"] is None
    name, latitude, longitude = pins(visitor, f"{LARGE}&near=BCN")["airport"]
    assert name == "BCN"
    assert Coordinates(latitude, longitude).km_to(Coordinates(41.297, 2.083)) < 5


def test_while_nothing_is_cached_nothing_is_fetched(connect, visitor):
    gateway = connect(honest(60))
    assert visitor.get(f"/hotels/map/?{ROME}").status_code == 204
    assert "map-card" not in visitor.get(f"/hotels/map-cards/?{ROME}&at=/hotels/HB/p1/").content.decode()
    assert gateway.calls == []


def test_pins_seen_before_are_not_sent_again(visitor):
    pins(visitor, SMALL)
    first = visitor.get(f"/hotels/map/?{SMALL}")
    again = visitor.get(f"/hotels/map/?{SMALL}", headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again["Vary"] == first["Vary"]
    other = visitor.get(f"/hotels/map/?{SMALL}&sort=rating", headers={"if-none-match": first["ETag"]})
    assert other.status_code == 200


def test_without_a_map_on_the_site_nothing_tells_its_pins(visitor):
    SiteSettings(map_enabled=False).save()
    assert visitor.get(f"/hotels/map/?{SMALL}").status_code == 404
    assert visitor.get(f"/hotels/map-cards/?{SMALL}").status_code == 404


def test_cards_come_in_the_order_asked_for_and_never_too_many(visitor):
    paths = pins(visitor, LARGE)["paths"]
    asked = [paths[7], "/hotels/NO/body/", paths[2], *paths[20:60]]
    response = visitor.get(f"/hotels/map-cards/?{LARGE}&{urlencode({'at': asked}, doseq=True)}")
    shown = MAP_CARD.findall(response.content.decode())
    assert shown[:2] == [paths[7], paths[2]]
    assert len(shown) == MOST_CARDS - 1


def test_a_card_can_be_kept_and_leads_to_its_hotel(visitor):
    path = pins(visitor, SMALL)["paths"][0]
    html = unescape(visitor.get(f"/hotels/map-cards/?{SMALL}&at={path}").content.decode())
    assert f'href="{path}?{SMALL}"' in html
    assert f'name="add" value="{path.removeprefix("/hotels/").rstrip("/")}"' in html


def test_across_the_180th_meridian_an_area_holds_both_sides(visitor):
    fiji = f"place=Fiji&{STAY}"
    everywhere = pins(visitor, fiji)["paths"]
    assert pins(visitor, f"{fiji}&bbox=170,-30,-170,0")["paths"] == everywhere
    assert pins(visitor, f"{fiji}&bbox=-170,-30,170,0")["paths"] == []
