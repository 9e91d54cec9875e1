"""The main journey over every reading of the interface, and over those that real gateways combine.

Whatever the gateway's habits: no page fails, what is claimed to be complete is, orders are orders, no total
is lower than what the gateway asks for, and the gateway is asked a bounded number of times.
"""

from __future__ import annotations

from decimal import Decimal
from urllib.parse import urlencode

import pytest

from tests.dialects import model
from tests.dialects.conftest import DATES, NIGHTS, Site

PLACE = "Lerwick"
PAGE = 20
QUERY = urlencode({"place": PLACE, **DATES})
# Pages of the journey ask this often at most for some 120 hotels: complete answers, details, dates, airports.
MOST_CALLS = 90

INCLUDED = {"surcharge_mode": "included"}
EACH = {"categories_style": "each"}
# The weather, and what `probe_gateway --apply` would have set for it.
WHOLE = [
    ("", {}),
    ("details=ids", {}),
    ("categories=comma", {}),
    ("categories=repeat", {"categories_style": "repeat"}),
    ("categories=single", EACH),
    ("max_size=20", {}),
    ("max_size=50", {}),
    ("max_size=400", {}),
    ("max_size=20,too_large=refused", {}),
    ("max_size=50,too_large=refused", {}),
    ("max_size=400,too_large=refused", {}),
    ("repeats", {}),
    ("total=missing", {}),
    ("gaps,total=missing", {}),
    ("total=moving", {}),
    ("surcharges=property-currency", {}),
    ("surcharges=unreadable", {}),
    ("surcharges=included", INCLUDED),
    ("zero_prices", {}),
    ("basis=night", {"price_basis": "night"}),
    ("max_size=20,details=null", {}),
    ("max_size=20,total=missing", {}),
    ("max_size=50,too_large=refused,repeats", {}),
    ("max_size=20,total=moving", {}),
    ("categories=single,max_size=20", EACH),
    ("categories=single,details=ids", EACH),
    ("categories=single,total=missing", EACH),
    ("categories=single,gaps,total=missing", EACH),
    ("surcharges=unreadable,details=missing", {}),
    ("surcharges=property-currency,basis=night", {"price_basis": "night"}),
    ("surcharges=included,repeats", INCLUDED),
    ("zero_prices,total=missing", {}),
]
QUICK = {
    "",
    "surcharges=property-currency,basis=night",
    "categories=single,gaps,total=missing",
}
# Not everything can be had or read: then nothing may be claimed to be complete that isn't.
LOSING = [
    ("categories=single,max_size=20,too_large=refused", EACH),
    ("categories=single,gaps", EACH),
    ("text_numbers", {}),
    ("text_numbers,categories=single", EACH),
    ("gaps", {}),
    ("window=60", {"page_size": 20}),
    ("empty_page=1", {"page_size": 20}),
]


WISHES = (
    model.Wish(stars=(4, 5)),
    model.Wish(free_cancellation=True, max_price=500),
    model.Wish(sort="rating"),
)


def truth(site: Site, wish: model.Wish | None = None) -> list[model.Row]:
    entries = model.every_entry(site.ask(PLACE))
    return model.rows(entries, wish or model.Wish(), "EUR", site.rules, NIGHTS)


@pytest.fixture(
    params=[
        pytest.param(one, id=one[0] or "as written", marks=[pytest.mark.thorough] * (one[0] not in QUICK))
        for one in WHOLE
    ]
)
def spoken(request, site) -> Site:
    weather, site_settings = request.param
    site.speak(weather, **site_settings)
    return site


def test_everything_is_found_in_its_order_with_its_total(spoken):
    expected = truth(spoken)
    first, second = spoken.results(PLACE), spoken.results(PLACE, page=2)
    assert first.count == len(expected)
    assert first.exact == (None if "repeats" in spoken.weather else len(expected))
    assert [card.id for card in first.cards + second.cards] == [row.card for row in expected[: 2 * PAGE]]
    assert [card.total for card in first.cards + second.cards] == [row.total for row in expected[: 2 * PAGE]]
    assert spoken.calls <= MOST_CALLS


@pytest.mark.thorough
def test_filters_and_orders_see_all_and_links_open(spoken, sharer):
    wish = WISHES[WHOLE.index((spoken.weather, spoken.site_settings)) % len(WISHES)]
    expected = truth(spoken, wish)
    found = spoken.results(PLACE, **wish.parameters())
    assert found.count == len(expected)
    assert [card.id for card in found.cards] == [row.card for row in expected[:PAGE]]
    for card in found.cards[::10]:
        page = spoken.get(card.link)
        assert page.status_code == 200
        assert card.total is None or f"{card.total:,.2f}" in page.content.decode()
    assert spoken.get(f"/hotels/dates/?{QUERY}&ask=1").status_code == 200
    made = sharer.post(f"/share/hotels/?{QUERY}", {})
    assert spoken.get(f"/s/{made['Location'].rstrip('/').rpartition('/')[2]}/").status_code == 200
    assert spoken.calls <= MOST_CALLS


@pytest.mark.parametrize(
    ("weather", "site_settings"),
    [LOSING[0], *(pytest.param(*one, marks=pytest.mark.thorough) for one in LOSING[1:])],
)
def test_what_cannot_be_had_fails_no_page_and_invents_no_total(site, weather, site_settings):
    site.speak(weather, **site_settings)
    found = site.results(PLACE)
    real = {} if "text_numbers" in weather else {row.card: row.total for row in truth(site)}
    assert found.cards
    assert all(card.total == real.get(card.id, card.total) for card in found.cards)
    assert found.totals == sorted(found.totals)
    assert site.get(found.cards[0].link).status_code == 200
    assert site.get(f"/hotels/dates/?{QUERY}&ask=1").status_code == 200
    assert site.calls <= MOST_CALLS


def test_amounts_in_strings_are_no_prices(site):
    site.speak("text_numbers")
    found = site.results(PLACE)
    assert (len(found.cards), found.totals) == (PAGE, [])


def test_a_total_without_an_unread_surcharge_comes_last(site):
    site.speak("surcharges=unreadable")
    expected = truth(site)
    last = site.results(PLACE, page=(len(expected) + PAGE - 1) // PAGE)
    marked = [card for card in last.cards if "not in this total" in card.text]
    assert marked
    incomplete = {row.card for row in expected if row.order[0] == 1}
    assert {card.id for card in marked} == incomplete & {card.id for card in last.cards}


def test_a_price_of_zero_is_never_shown_as_one(site):
    site.speak("zero_prices")
    assert min(site.results(PLACE).totals) > Decimal(0)
