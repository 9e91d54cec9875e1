"""Two hotels to which one provider gave the same identifier: each card leads to its own total."""

import json
import re
from html import unescape
from urllib.parse import quote

import pytest

from tests.builders import OURS
from tests.gateway.documents import a_listing_document
from tests.journey.conftest import visitor as visitor
from tests.journey.conftest import wire as wire
from tests.sharing.conftest import SEARCH, hotel, share
from tests.sharing.conftest import sharer as sharer

CARD = re.compile(r'<article.*?href="(/hotels/[^"]+)".*?</article>', re.DOTALL)


@pytest.mark.parametrize("market", ["en-gb", "de-de"])
def test_each_card_leads_to_its_own_page(wire, visitor, market):
    first, second, other = hotel("aa", 100), hotel("bb", 90), hotel("cc", 80)
    second["offers"][0]["providerPropertyId"] = "aa"
    wire.search(a_listing_document(first, second, other, total=3))
    html = visitor.get(f"/hotels/?{SEARCH}&market={market}").content.decode()
    cards = [(unescape(card[1]), card[0]) for card in CARD.finditer(html)]
    assert len(cards) == 3
    for (href, card), name, amount in zip(cards, ("cc", "bb", "aa"), ("80", "90", "100"), strict=True):
        assert f"Hotel {name}" in card
        page = visitor.get(href).content.decode()
        main = page.partition("<h1")[2].partition("<table")[0]
        assert f"Hotel {name}" in main
        assert re.search(rf"\b{amount}[.,]00", main)
        assert ("hotel=" in href) is (name != "cc")


@pytest.fixture
def twins(wire):
    """Hotels aa and bb, both with aa's identifier."""
    first, second = hotel("aa", 100), hotel("b?&b", 90)
    second["offers"][0]["providerPropertyId"] = "aa"
    wire.search(a_listing_document(first, second, total=2))


@pytest.fixture
def stays(twins, visitor):
    html = visitor.get(f"/hotels/?{SEARCH}").content.decode()
    names = [unescape(name).split()[0] for name in re.findall('data-keep="([^"]*)"', html)]
    return "&".join(f"stay={quote(name, safe='')}" for name in names)


@pytest.mark.parametrize("key", ["aa", "b?&b"])
@pytest.mark.parametrize("days", ["", f"&{SEARCH}"])
def test_the_page_names_itself_by_an_address_of_its_own(twins, visitor, key, days):
    def page(address):
        return visitor.get(address).content.decode()

    html = page(f"/hotels/ACME/aa/?hotel={quote(key)}{days}")
    hotel = json.loads(re.search(r'<script type="application/ld\+json">(.*?)</script>', html)[1])
    canonical = unescape(re.search('rel="canonical" href="([^"]+)', html)[1])
    assert hotel["url"] == canonical == unescape(re.search('property="og:url" content="([^"]+)', html)[1])
    for address in (canonical, *(one["url"] for one in hotel.get("makesOffer", ()))):
        assert f"/hotels/ACME/aa/?hotel={quote(key)}&" in address
        assert totals(page(address.removeprefix("http://testserver"))) == totals(html)


def totals(html):
    return sorted(set(re.findall(r"(?:90|100)[.]00", html)))


def test_a_comparison_has_both_of_them(stays, visitor):
    html = visitor.get(f"/compare/?{SEARCH}&{stays}").content.decode()
    assert "Hotel aa" in html
    assert "Hotel b?&amp;b" in html
    assert totals(html) == ["100.00", "90.00"]


def test_a_shortlist_has_both_of_them(stays, visitor):
    html = visitor.get(f"/shortlist/?{SEARCH}&{stays}").content.decode()
    assert "Hotel aa" in html
    assert "Hotel b?&amp;b" in html
    assert totals(html) == ["100.00", "90.00"]
    for card in CARD.finditer(html):
        page = visitor.get(unescape(card[1])).content.decode()
        assert re.search("<h1[^>]*>\\s*([^<]*?)\\s*<", page)[1] in card[0]


def test_each_pin_of_the_map_leads_to_its_own_page(stays, visitor):
    pins = visitor.get(f"/hotels/map/?{SEARCH}").json()
    for path, name in zip(pins["paths"], pins["names"], strict=True):
        cards = visitor.get(f"/hotels/map-cards/?{SEARCH}&at={quote(path)}").content.decode()
        ((href, shown),) = re.findall('<h3.*?href="([^"]*)"[^>]*>([^<]*)<', cards)
        assert unescape(href) == f"{path}&{pins['query']}"
        assert unescape(shown) == name


def test_a_shared_link_stays_with_its_hotel(twins, sharer, visitor):
    for key, total in (("aa", "100.00"), ("b%3F%26b", "90.00")):
        code = share(sharer, f"/share/hotels/ACME/aa/?{SEARCH}&hotel={key}")
        assert totals(visitor.get(f"/s/{code}/").content.decode()) == [total]


def test_a_watch_stays_with_its_hotel(twins, visitor):
    begun = visitor.post(f"/watch/hotels/ACME/aa/?hotel=b%3F%26b&{SEARCH}", headers=OURS)
    page = visitor.get(begun["Location"]).text
    assert "Hotel b?&amp;b" in page
    assert 'href="/hotels/ACME/aa/?hotel=b%3F%26b&amp;place=Porto' in page
