"""Where the prices of a property come from, and what its page says where there are none."""

import re
from html import escape, unescape

import pytest

from search.site_settings import store
from search.site_settings.models import BlockedProperty
from search.web import formatting
from tests.gateway.documents import (
    a_listing_document,
    a_min_price,
    a_summary,
    an_airport,
    an_entry,
    an_offer,
    details_document,
    triple,
)
from tests.journey.conftest import visitor as visitor
from tests.journey.conftest import wire as wire
from tests.journey.reading import words
from tests.wire import Reply

HOTEL = "/hotels/ACME/77/"
DATES = "checkin=2030-05-01&checkout=2030-05-04&guests=2"


def others(count: int) -> list[dict]:
    return [
        an_entry(
            a_summary(ryanairId=f"o{number}", id=f"o{number}"), [an_offer(providerPropertyId=f"o{number}")]
        )
        for number in range(count)
    ]


def test_an_address_without_dates_searches_nothing(wire, visitor):
    text = words(visitor.get(f"{HOTEL}?place=Porto"))
    assert "Choose dates to see prices." in text
    assert "not available right now" not in text
    assert wire.addresses() == []


@pytest.mark.parametrize(
    ("wrong", "left"),
    [
        ("checkin=2030-05-01&checkout=2031-05-01&guests=3", "place=Porto&guests=3"),
        (f"{DATES}&guests=99&currency=USD", "place=Porto&currency=USD"),
    ],
)
def test_a_search_that_cannot_be_leads_back_to_the_hotel(wire, visitor, wrong, left):
    answer = visitor.get(f"{HOTEL}?place=Porto&{wrong}")
    assert answer.status_code == 400
    back = f"{HOTEL}?{left}"
    assert f'href="{escape(back)}"' in answer.text
    assert "Choose dates to see prices." in words(visitor.get(back))


def test_a_search_without_a_hotel_leads_back_to_none(wire, visitor):
    assert "Back to the hotel" not in words(visitor.get(f"/hotels/?place=Porto&{DATES}&guests=99"))


@pytest.mark.parametrize("order", ["price", "provider"])
def test_its_offers_cost_one_search_in_either_order(wire, visitor, order):
    assert "€412.60" in words(visitor.get(f"{HOTEL}?place=Porto&{DATES}&sort={order}"))
    assert len(wire.addresses()) == 1


def test_without_a_place_the_propertys_own_city_is_searched(wire, visitor):
    text = words(visitor.get(f"{HOTEL}?{DATES}"))
    assert "€412.60" in text
    assert all("place=Porto" in address for address in wire.addresses())


def test_without_a_place_the_folded_search_begins_with_the_days(wire, visitor):
    html = visitor.get(f"{HOTEL}?{DATES}&market=en-gb").content.decode()
    summary = formatting.in_whole_parts("1–4 May · 2 guests")
    assert f'<span class="search-bar__text">{summary}</span>' in html


def test_a_property_of_another_place_is_searched_in_its_city(wire, visitor):
    def answer(request):
        entries = [an_entry()] if "place=Porto" in request.url else others(2)
        return Reply(json=a_listing_document(*entries, total=len(entries)))

    wire.answer_search(answer)
    assert "€412.60" in words(visitor.get(f"{HOTEL}?place=Braga&{DATES}"))


def test_a_wrong_key_in_the_details_brings_no_foreign_price(wire, visitor):
    """The address names the provider and its own identifier."""
    cheaper = an_offer(providerPropertyId="o0", minPrice=a_min_price(price=triple(90)))
    other = an_entry(a_summary(id="o0", name="Hotel Duna"), [cheaper])
    own = an_entry(a_summary(ryanairId="b2"))
    wire.search(a_listing_document(other, own, total=2))
    text = words(visitor.get(f"{HOTEL}?place=Porto&{DATES}"))
    assert "€412.60" in text
    assert "€112.60" not in text


def test_a_hotel_sold_out_at_one_provider_has_others_prices(wire, visitor):
    """Its details name no identifiers, which the interface doesn't list among their fields."""
    unnamed = a_summary(providerId=None, ryanairId=None, id=None)
    wire.details(details_document(propertyDetails={"propertySummary": unnamed}))
    elsewhere = an_offer(providerId="SOL", providerPropertyId="s1")
    wire.search(a_listing_document(*others(2), an_entry(offers=[elsewhere]), total=3))
    text = words(visitor.get(f"{HOTEL}?place=Porto&{DATES}"))
    assert "€412.60" in text
    assert "Offered by SOL" in text


def test_a_key_that_only_the_details_name_hides_no_price(wire, visitor):
    without_key = an_entry(a_summary(ryanairId=None))
    wire.search(a_listing_document(*others(2), without_key, total=3))
    assert "€412.60" in words(visitor.get(f"{HOTEL}?place=Porto&{DATES}"))


def test_a_property_in_no_search_has_no_price_on_these_dates(wire, visitor):
    wire.search(a_listing_document(*others(2), total=2))
    assert "No price for these dates." in words(visitor.get(f"{HOTEL}?place=Porto&{DATES}"))


def test_a_property_beyond_the_cap_is_not_said_to_be_unavailable(wire, visitor):
    store.change({"cap": 20, "page_size": 20})
    wire.search(a_listing_document(*others(20), total=5_000))
    text = words(visitor.get(f"{HOTEL}?place=Porto&{DATES}"))
    assert "This one isn't among them, so its price isn't known." in text


@pytest.mark.parametrize("status", [503, 400])
def test_only_a_gateway_that_fails_makes_prices_unavailable(wire, visitor, status):
    wire.search(status=status)
    here = f"{HOTEL}?place=Porto&{DATES}&page=2"
    answer = visitor.get(here)
    assert "Prices are not available right now." in words(answer)
    box = answer.text.partition('class="stay-box"')[2].partition("</aside>")[0]
    address, label = re.search(r'<a class="button[^>]* href="([^"]+)">(.*?)</a>', box).groups()
    assert (unescape(address), "Try again" in label) == (here, True)


def test_a_hotel_with_a_price_asks_nobody_to_try_again(wire, visitor):
    # But the map, where a browser can't fetch it.
    _before, _map, beside = visitor.get(f"{HOTEL}?place=Porto&{DATES}").text.partition("</stay-map>")
    assert "€" in beside
    assert "Try again" not in beside


@pytest.mark.parametrize("answer", [{"status": 503}, {"status": 400}, {"body": "<html>"}])
def test_a_hotel_whose_details_fail_has_its_listings_facts(wire, visitor, answer):
    wire.details(**answer)
    page = visitor.get(f"{HOTEL}?place=Porto&{DATES}")
    assert page.status_code == 200
    text = words(page)
    assert "Hotel Miramar" in text
    assert "€412.60" in text
    assert "Details of this place are not available right now" in text
    assert "Prices are not available" not in text


def test_a_failed_search_leaves_the_price_of_another_order(wire, visitor):
    visitor.get(f"/hotels/?place=Porto&{DATES}")
    wire.search(status=503)
    list_path = f"/hotels/?place=Porto&{DATES}&sort=provider"
    assert "€412.60" in words(visitor.get(list_path))
    assert "€412.60" in words(visitor.get(f"{HOTEL}?place=Porto&{DATES}&sort=provider"))


def test_a_blocked_hotel_whose_details_fail_stays_taken_down(wire, visitor):
    BlockedProperty.objects.create(key="ACME:77", reason="closed")
    wire.details(status=503)
    assert visitor.get(f"{HOTEL}?place=Porto&{DATES}").status_code == 404


@pytest.mark.parametrize("details", [None, {"policies": "No smoking"}])
def test_without_details_a_hotel_is_where_its_listing_says(wire, visitor, details):
    wire.airports([an_airport(iataCode="OPO", name="Sá Carneiro", cityCode="PORTO", countryCode="pt",
                              coordinates={"latitude": 41.2481, "longitude": -8.6814})])  # fmt: skip
    wire.details({"propertyDetails": details})
    asked = f"place=Porto&{DATES}&near=OPO&market=de-de"
    card = words(visitor.get(f"/hotels/?{asked}"))
    page = words(visitor.get(f"{HOTEL}?{asked}"))
    distances = re.findall(r"[0-9,]+\skm (?:vom Zentrum|Luftlinie von OPO)", card)
    assert len(distances) == 2
    assert all(one in page for one in distances)
    assert "Sá Carneiro (OPO)" in page


@pytest.mark.parametrize(
    ("search", "said"),
    [
        ({"document": a_listing_document(*others(2), total=2)}, "No price for these dates."),
        ({"status": 503}, "Prices are not available right now."),
    ],
)
def test_an_older_description_does_not_date_missing_prices(wire, visitor, search, said):
    store.change({"details_fresh_seconds": 0})
    wire.search(**search)
    asked = f"place=Porto&{DATES}"
    visitor.get(f"{HOTEL}?{asked}")
    wire.details(status=503)
    here = words(visitor.get(f"{HOTEL}?{asked}"))
    assert said in here
    assert "up to date" not in here
    for text in (here, words(visitor.get(f"/compare/?{asked}&stay=ACME/77&stay=ACME/78"))):
        assert "Prices checked" not in text
