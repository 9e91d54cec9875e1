"""From an offer to whoever sells it, on every page that shows offers."""

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from msgspec.structs import replace

from search.domain.offers import Price, Surcharge
from search.domain.site_settings import ProviderEntry, Site
from search.results.card import CardMaker, ListingCard
from search.site_settings.models import Provider, SiteSettings
from tests.builders import SEARCH, context, offer, price, priced
from tests.rendering import component_html

RESULTS = "/hotels/?place=Porto&checkin=2031-05-01&checkout=2031-05-04&guests=2&currency=EUR&market=en-gb"
TEMPLATE = "https://www.example.com/{language}/{property}?from={checkin}&to={checkout}&at={place}"
LINK = re.compile(r'<a class="(?:button button--primary )?hand-over" href="([^"]+)" ([^>]*)>')


def card(site: Site, **changes: Any) -> ListingCard:
    return CardMaker(context(site=site), 1).card(priced(offer(**changes)), 0)


def test_a_provider_with_a_template_is_linked_to_with_its_total() -> None:
    site = Site(providers=(ProviderEntry("AAA", "Rooms of the Moon", address_template=TEMPLATE),))
    way = card(site).offers[0]
    assert way.booking_label == "Go to Rooms of the Moon · €412.60"
    assert way.booking_href == "https://www.example.com/en/AAA-1?from=2026-12-03&to=2026-12-06&at=Barcelona"


def test_the_link_opens_a_tab_and_tells_no_referrer() -> None:
    site = Site(providers=(ProviderEntry("AAA", address_template=TEMPLATE),))
    way = card(site, property_id="a'\"<b>%\n").offers[0]
    href, attributes = LINK.search(component_html("components/hand_over.html", way, 1)).groups()
    assert unquote(urlsplit(unescape(href)).path) == "/en/a'\"<b>%\n"
    assert 'target="_blank"' in attributes
    assert 'rel="noopener noreferrer nofollow"' in attributes
    assert 'referrerpolicy="no-referrer"' in attributes


def test_without_a_template_the_facts_are_there_to_copy() -> None:
    shown = card(Site(), free_cancellation=True)
    html = component_html("components/hand_over.html", shown.offers[0], 1)
    facts = unescape(re.search(r"<textarea[^>]*>(.*?)</textarea>", html, re.DOTALL)[1]).split("\n")
    assert facts == [
        "Hotel Miramar, Carrer de Mallorca 401, Barcelona",
        "3–6 Dec 2026 · 3 nights · 2 guests",
        "Double room, city view",
        "€412.60 total · Free cancellation",
        "Offered by AAA (AAA-1)",
    ]
    assert 'href="mailto:?subject=' in html
    assert component_html("components/hand_over.html", shown.offers[0]).strip() == ""


def test_the_facts_say_what_the_total_leaves_out() -> None:
    city_tax, unread = Surcharge("CITY_TAX", price("120", "MAD")), Surcharge("RESORT_FEE", Price())
    way = card(Site(), surcharges=(city_tax, unread), free_cancellation=True).offers[0]
    said = "€390.00 total · plus MAD 120.00 city tax + resort fee, not in this total · Free cancellation"
    assert said in way.facts.replace("\u00a0", " ").split("\n")


def test_a_site_with_a_contact_address_can_be_asked_to_book() -> None:
    way = card(Site(contact_email="desk+hotels@example.com")).offers[0]
    parts = urlsplit(way.mail)
    asked = parse_qs(parts.query)
    assert (parts.scheme, unquote(parts.path)) == ("mailto", "desk+hotels@example.com")
    assert asked["subject"] == ["Please book: Hotel Miramar, Carrer de Mallorca 401, Barcelona"]
    assert asked["body"] == [way.facts.replace("\n", "\r\n")]


def test_a_mail_can_t_be_bent_by_what_it_names() -> None:
    found = priced(offer(rate="Room\r\nBcc: all@example.com&cc=x"), name="Villa?cc=y@example.com&body=z#")
    maker = CardMaker(context(site=Site(contact_email="a?cc=b@example.com")))
    way = maker.card(found, 0).offers[0]
    assert set(parse_qs(urlsplit(way.mail).query)) == {"subject", "body"}
    assert urlsplit(way.mail).path == "a%3Fcc%3Db@example.com"


def test_an_offer_without_a_price_names_none() -> None:
    way = card(Site(), amount=None).offers[0]
    assert way.booking_label == "Go to AAA"
    assert "total" not in way.facts


@pytest.mark.django_db
def test_cards_and_the_hotel_s_page_lead_to_the_provider(client: Any) -> None:
    page = client.get(RESULTS).text
    address = re.search(r'href="(/hotels/([^"?/]+)/[^"?]+\?[^"#]+)"', page)
    path, code = unescape(address[1]), unquote(address[2])
    assert not LINK.search(page)
    assert "How to book this" in client.get(path).text
    Provider.objects.create(code=code, address_template=TEMPLATE)
    assert LINK.search(client.get(RESULTS).text)
    shown = client.get(path).text
    assert any(link.startswith("https://www.example.com/en/") for link, _rest in LINK.findall(shown))
    assert 'data-count="/hand-over/"' in shown


@pytest.mark.django_db
def test_the_contact_address_stands_in_the_page_s_mail(client: Any) -> None:
    SiteSettings(contact_email="desk@example.com").save()
    path = unescape(re.search(r'href="(/hotels/[^"?/]+/[^"?]+\?[^"#]+)"', client.get(RESULTS).text)[1])
    assert 'href="mailto:desk@example.com?subject=' in client.get(path).text


def test_the_place_that_was_searched_can_be_part_of_the_address() -> None:
    site = Site(providers=(ProviderEntry("AAA", address_template=TEMPLATE),))
    asked = replace(SEARCH, place='Côte d\'Azur & 100% "más"\n' + "ñ" * 400)
    found = CardMaker(context(asked, site=site), 1).card(priced(offer(), of=asked), 0)
    assert parse_qs(urlsplit(found.offers[0].booking_href).query)["at"] == [asked.place]
