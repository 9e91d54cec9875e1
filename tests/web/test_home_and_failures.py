"""Home, the form that asks again, and the failures that are pages."""

import re
from dataclasses import replace
from datetime import date, timedelta
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.http import QueryDict
from django.test import RequestFactory
from django.utils import timezone
from django.utils.timezone import localdate

from search.destinations.browse_pages import HomePage
from search.destinations.pages import Visit, featured_tiles
from search.domain.money import NO_CURRENCY
from search.domain.site_settings import BUILT_IN_PLACES, FeaturedDestination, Site
from search.gateway import GatewayError, Rejected, Unavailable
from search.results.tiles import place_tiles
from search.web import translation
from search.web.search_form import SearchBar, SearchForm
from tests import builders as build
from tests.gateway.documents import a_listing_document, an_entry, details_document
from tests.rendering import page_html
from tests.rows import each
from tests.wire import Reply

SITE = Site(featured=(FeaturedDestination("Trinidad & Tobago", text="Two islands"),))


def form_of(query: str = "") -> SearchForm:
    return SearchForm(QueryDict(query), site=SITE, today=build.TODAY)


def home_page(query: str = "", site: Site = SITE, today: date = build.TODAY) -> HomePage:
    visit = Visit.of(QueryDict(query), site, today)
    featured = place_tiles(featured_tiles(visit), visit.stay, site, fill=False)
    return HomePage(visit, QueryDict(query), featured)


def home_of(query: str = "", site: Site = SITE, today: date = build.TODAY, language: str = "en") -> str:
    with translation.override(language):
        page = home_page(query, site, today)
        return page_html("home/page.html", page=page, site=site)


def html_of(template: str, form: SearchForm, **page: object) -> str:
    return page_html(f"{template}.html", form=form, site=SITE, **page)


def test_home_offers_the_form_filled_with_sensible_dates():
    html = home_of()
    assert 'name="checkin" type="date" value="2026-12-05"' in html
    assert 'name="checkout" type="date" value="2026-12-07"' in html
    assert '<option value="Barcelona (BCN)">' in html
    assert '<option value="2" selected>2 guests</option>' in html


def test_where_guests_are_chosen_it_is_said_that_children_count():
    html = home_of()
    assert '<optgroup label="Count children as guests."><option' in html


def test_the_form_of_home_is_filled_from_the_address():
    html = home_of("place=Rome&guests=99&checkin=2020-01-01&checkout=x&stars=4&currency=sek&market=zz-zz")
    assert 'name="place" type="text" value="Rome"' in html
    assert '<option value="99" selected>99</option>' in html
    assert 'name="checkin" type="date" value="2020-01-01"' in html
    assert 'value="4" checked' in html
    assert 'name="currency" value="SEK"' in html
    assert "field__error" not in html
    assert "aria-invalid" not in html


def test_home_is_of_its_language_settings_and_day():
    before = home_of()
    assert '<option value="3">3 guests</option>' in before
    assert 'name="currency" value="EUR"' in before
    german = home_of("market=de-de", language="de")
    assert '<option value="3">3 Gäste</option>' in german
    assert "27 Nächte" in german
    assert 'name="market" value="de-de"' in german
    changed = replace(
        SITE,
        max_guests=2,
        currencies=("EUR", "SEK"),
        markets=("en-gb", "pl-pl"),
        featured=(FeaturedDestination("Trinidad & Tobago", text="Three islands"),),
    )
    after = home_of(site=changed)
    assert "3 guests" not in after
    assert "USD" not in after
    assert "market=de-de" not in after
    assert "Three islands" in after
    tomorrow = home_of(today=build.TODAY + timedelta(days=1))
    assert 'value="2026-12-06"' in tomorrow
    assert 'value="2026-12-05"' not in tomorrow
    assert "<span data-said>Sun</span>" in tomorrow
    assert home_of() == before


def test_texts_of_one_language_say_which_one():
    text = "We answer every mail on the day after the end of your stay."
    site = replace(SITE, contact_text=text, featured=(FeaturedDestination("Porto", text=text),))

    def languages(language: str) -> list[str]:
        with translation.override(language):
            page = home_page(site=site)
            html = page_html("home/page.html", page=page, site=site, banner=text)
        tags = re.findall(rf"<\w+([^>]*)>{text}", html)
        return ["".join(re.findall('lang="(..)"', tag)) for tag in tags]

    assert languages("de") == ["en", "en", "en"]
    assert languages("en") == ["", "", ""]


def test_a_featured_destination_is_a_search_one_click_away():
    page = home_page()
    assert page.featured.tiles[0].href == (
        "/hotels/?place=Trinidad%20%26%20Tobago&checkin=2026-12-04&checkout=2026-12-06"
        "&guests=2&currency=EUR&market=en-gb"
    )
    assert page.featured.note == "4–6 Dec 2026 · 2 nights · 2 guests"


def test_a_featured_destination_measures_from_its_airport(client):
    site = Site(featured=(FeaturedDestination("Malaga", airport="agp"),))
    href = home_page(site=site).featured.tiles[0].href
    assert href.endswith("&market=en-gb&near=AGP")
    later = href.replace("2026-12", "2030-12")
    assert "from AGP in a straight line" in client.get(later).content.decode()


def test_flights_are_in_sight_the_markets_own_airports_first(client, db):
    page = home_page("market=it-it", Site())
    assert len(page.airports) == 8
    name, href = page.airports[0][:2]
    assert "Rome" in name or "Milan" in name
    assert href.endswith("/?market=it-it")
    assert client.get(href).status_code == 200
    assert "Seaside" in [theme["label"] for theme in page.themes]
    assert all(len(theme["label"]) > 3 for theme in page.themes)


def test_recent_searches_stand_before_the_places_to_start_from(client, db):
    html = client.get("/").content.decode()
    assert html.index("<recent-searches") < html.index('id="featured-title"') < html.index('id="fly-title"')


def test_nonsense_leaves_the_featured_links_sensible():
    page = home_page("guests=-3&checkin=2026-02-31&checkout=x&currency=%00&market=../..")
    assert "&guests=2&currency=EUR&market=en-gb" in page.featured.tiles[0].href


def test_an_error_stands_at_its_field_and_what_was_typed_stays():
    form = form_of("place=Rome&checkin=2026-12-05&checkout=2027-12-01&guests=99&stars=4")
    html = html_of("error_pages/ask_again", form, back=None)
    assert 'value="Rome"' in html
    assert 'aria-describedby="checkout-error"' in html
    assert '<p class="field__error" id="checkout-error">A stay can last 27 nights at most.</p>' in html
    assert '<option value="99" selected>99</option>' in html
    assert 'name="stars" value="4" checked' in html


def test_the_errors_name_their_fields_and_say_each_thing_once():
    html = html_of("error_pages/ask_again", form_of("place=%00%01&checkin=x&checkout=y"), back=None)
    assert re.findall(r'<li><a href="#(\w+)">(.*?)</a></li>', html) == [
        ("place", "Where to? – Please use letters and numbers only."),
        ("checkin", "Check-in – Please choose a day."),
        ("checkout", "Check-out – Please choose a day."),
    ]


@each(
    ("asked", "shown"),
    [
        ("place=Valencia&country=VE", "Valencia, VE"),
        ("place=Valencia,+VE&country=VE", "Valencia, VE"),
        ("place=Clinton&country=Iowa,+US", "Clinton, Iowa, US"),
        ("place=Santiago&near=scq", "Santiago (SCQ)"),
        ("place=Santiago+(SCQ)&near=SCQ", "Santiago (SCQ)"),
        ("place=Rome&country=%3Cb%3E&near=nowhere", "Rome"),
        ("country=VE&near=STN", ""),
    ],
)
def test_a_form_asked_again_still_says_which_place_is_meant(asked, shown):
    """As when the days of a bookmark have passed: what is searched next is the same place."""
    form = form_of(f"{asked}&checkin=2020-12-05&checkout=2020-12-07")
    html = page_html("error_pages/ask_again.html", form=form, site=SITE, back=None)
    assert f'id="place" name="place" type="text" value="{shown}"' in html


def test_a_withdrawn_currency_or_market_gives_way():
    """A bookmark from before: pressing Search is enough."""
    site = replace(SITE, currencies=("EUR", "GBP"), default_currency="GBP", default_market="de-de")
    query = "place=Rome&checkin=2026-12-05&checkout=2026-12-07&currency=THB&market=sv-se"
    form = SearchForm(QueryDict(query), site=site, today=build.TODAY)
    html = page_html("error_pages/ask_again.html", form=form, site=site, back=None)
    assert 'name="currency" value="GBP"' in html
    assert 'name="market" value="de-de"' in html
    assert "THB" not in html


def test_an_error_of_what_the_form_only_carries_is_in_sight():
    form = form_of(f"place=Rome&checkin=2026-12-05&checkout=2026-12-07&currency={NO_CURRENCY}")
    html = page_html("error_pages/ask_again.html", form=form, site=SITE, back=None)
    assert 'id="currency-error">Please choose one of these currencies.<' in html.partition("</details>")[2]


def sorry_html(error: GatewayError, *, staff: bool = False) -> str:
    form = form_of("place=Rome&checkin=2026-12-05&checkout=2026-12-07")
    request = RequestFactory().get("/hotels/?place=Rome")
    return html_of("error_pages/sorry", form, request=request, error=error, staff=staff)


def test_the_sorry_page_keeps_the_search_and_never_says_zero():
    html = sorry_html(Unavailable("timeout"))
    assert 'href="/hotels/?place=Rome"' in html
    assert 'value="Rome"' in html
    assert "isn&#39;t answering" in html
    assert "0 " not in html.partition("<h1>")[2].partition("</p>")[0]


def test_staff_read_what_failed_and_visitors_do_not():
    assert "the request for hotels and prices failed (key 403)" in sorry_html(
        Rejected("key", 403), staff=True
    )
    assert "key 403" not in sorry_html(Rejected("key", 403))


@pytest.mark.parametrize("error", [Unavailable("throttled", 429), Unavailable("full")], ids=str)
def test_one_visitor_too_many_is_asked_to_wait(error):
    html = sorry_html(error)
    assert "A lot of people are searching right now</h1>" in html
    assert "Please wait a minute" in html
    assert "isn&#39;t answering" not in html


@pytest.mark.parametrize(("host", "status"), [("testserver", 404), ("evil.example", 400)])
def test_an_unreadable_form_makes_no_error_of_an_error_page(client, host, status):
    client.handler.enforce_csrf_checks, client.cookies["csrftoken"] = True, "a" * 32
    answer = client.generic("POST", "/nowhere/", b"x", "multipart/form-data", headers={"host": host})
    assert answer.status_code == status


def test_a_page_that_is_not_there_asks_where_to_go(client):
    answer = client.get("/nowhere/?market=de-de")
    assert answer.status_code == 404
    assert '<input class="input" id="place" name="place"' in answer.text
    assert '<input type="hidden" name="market" value="de-de">' in answer.text
    assert client.get("/hotels/?place=Rome&market=de-de").status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "allowed"), [("GET", "/hand-over/", "POST"), ("POST", "/destinations/", "GET, HEAD")]
)
def test_a_refused_method_is_told_in_the_reader_s_language(client, method, path, allowed):
    answer = client.generic(method, path, headers={"accept-language": "de"})
    assert (answer.status_code, answer["Allow"]) == (405, allowed)
    assert "Bitte beginnen Sie eine neue Suche." in answer.text
    assert answer["Content-Length"] == str(len(answer.content))
    assert "Accept-Language" in answer["Vary"]


def test_a_picture_of_too_long_a_name_is_not_there(client):
    assert client.get(f"/media/{'a' * 5_000}.png").status_code == 404


def test_an_unknown_property_leads_back_to_the_search(wire, client):
    wire.details(status=404)
    wire.search(json={"hotels": [], "Total": 0})
    page = client.get("/hotels/ACME/77/?place=Rome&checkin=2030-05-01&checkout=2030-05-04&page=3")
    assert page.status_code == 404
    back = unescape(page.content.decode())
    assert 'href="/hotels/?place=Rome&checkin=2030-05-01' in back
    assert '&page=3">' in back
    assert "Back to hotels in Rome" in back


def test_an_unknown_property_without_a_search_asks_for_one(wire, client):
    wire.details(status=404)
    page = client.get("/hotels/ACME/77/")
    assert page.status_code == 404
    assert re.search(r'<form[^>]* action="/hotels/"', page.content.decode())


def test_a_provider_that_refuses_the_key_leaves_the_others(wire, client):
    wire.answer_details(
        lambda request: Reply(status=403) if "/ACME/" in request.url else Reply(json=details_document())
    )
    for provider, status in [("ACME", 503), ("BETA", 200), ("ACME", 503), ("GAMMA", 200)]:
        assert client.get(f"/hotels/{provider}/77/").status_code == status


@pytest.mark.parametrize(
    ("alarming", "harmless"),
    [
        ("/hotels/?place=%3Cscript%3E", "/hotels/?place=Rome"),
        ("/hotels/?place=x%27+or+1%3D1", "/hotels/?place=Rome"),
        ("/hotels/?place=../../etc/passwd", "/hotels/?place=Rome"),
        ("/hotels/ACME/%22%3E/?place=Rome", "/hotels/ACME/77/?place=Rome"),
        ("/hotels/%24%7Bx%7D/77/?place=Rome", "/hotels/ACME/77/?place=Rome"),
    ],
)
def test_a_firewall_s_refusal_stops_no_other_visitor(wire, db, client, caplog, alarming, harmless):
    def judged(document):
        """What a gateway answers behind a firewall that lets Rome and one of its hotels pass."""
        passes = re.compile("place=Rome|/ACME/property/77")
        return lambda request: Reply(json=document) if passes.search(request.url) else Reply(status=403)

    stay = f"&checkin={localdate() + timedelta(days=30)}&checkout={localdate() + timedelta(days=33)}"
    wire.answer_search(judged(a_listing_document(an_entry(), total=1)))
    wire.answer_details(judged(details_document()))
    assert client.get(alarming + stay).status_code == 503
    assert client.get(harmless + stay).status_code == 200
    assert "refused the API key" not in caplog.text


def test_a_hotel_without_dates_keeps_its_copy_the_next_day(wire, client, monkeypatch):
    assert client.get("/hotels/ACME/77/").status_code == 200
    wire.details(status=503)
    next_day = timezone.now() + timedelta(days=1)
    monkeypatch.setattr(timezone, "now", lambda: next_day)
    page = client.get("/hotels/ACME/77/")
    assert page.status_code == 200
    assert "Hotel Miramar" in page.text


def test_browser_and_form_agree_on_the_farthest_day():
    last_day = SearchBar.of_form(form_of("")).last_day
    after = last_day + timedelta(days=1)
    assert "checkin" not in form_of(f"place=Rome&checkin={last_day}&checkout={after}").errors
    later = after + timedelta(days=1)
    assert "checkin" in form_of(f"place=Rome&checkin={after}&checkout={later}").errors


def places(page: HomePage) -> list[str]:
    """What the tiles search for."""
    return [parse_qs(urlsplit(one.href).query)["place"][0] for one in page.featured.tiles]


def test_one_featured_place_leaves_the_built_in_ones() -> None:
    site = Site(
        featured=(FeaturedDestination("Porto"), FeaturedDestination("rome", last_day=date(2020, 1, 1)))
    )
    page = home_page(site=site)
    assert places(page) == ["Porto", *(one for one in BUILT_IN_PLACES if one != "Rome")]


def test_a_built_in_place_without_its_accent_is_shown_once() -> None:
    page = home_page(site=Site(featured=(FeaturedDestination("Krakow"),)))
    assert places(page) == ["Krakow", *(one for one in BUILT_IN_PLACES if one != "Kraków")]
