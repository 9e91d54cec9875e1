"""Two hotels to which one provider gave the same identifier: each card leads to its own total."""

import re
from html import unescape

import pytest

from tests.gateway.documents import a_listing_document
from tests.journey.conftest import visitor as visitor
from tests.journey.conftest import wire as wire
from tests.sharing.conftest import SEARCH, hotel

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
