"""The addresses under /destinations/, over a mocked wire."""

from __future__ import annotations

import re
from datetime import date
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest
from django.test import Client

from search.destinations.index import DestinationIndex, free_text
from search.destinations.pages import Visit
from search.domain.query import Refinement, StayDates, StaySearch
from search.domain.site_settings import Site
from search.site_settings.models import DestinationOverride, FeaturedDestination
from search.web.links import results_path
from tests.gateway.documents import an_airport
from tests.wire import Wire

NOWHERE: dict[str, list[str]] = {"routes": [], "seasonalRoutes": []}
SPAIN = {"countryCode": "es", "regionCode": "COSTA_DE_SOL", "currencyCode": "EUR"}
SICILY = {"countryCode": "it", "regionCode": "SICILY", "currencyCode": "EUR"}
LIST = [
    an_airport(
        routes=["airport:AGP", "airport:STN", "airport:ZZZ", "city:ROME", "country:it"],
        seasonalRoutes=["airport:PMO", "region:SICILY"],
    ),
    an_airport(iataCode="LTN", name="London Luton", seoName="", priority=50, **NOWHERE),
    an_airport(
        iataCode="AGP", name="Málaga", cityCode="MALAGA", **SPAIN, categories=["SEA", "GLF"], priority=8,
        coordinates={"latitude": 36.67, "longitude": -4.49}, routes=["airport:STN"], seasonalRoutes=[],
    ),
    an_airport(
        iataCode="PMO", name="Palermo", cityCode="PALERMO", **SICILY, categories=["SEA", "QQQ"], base=False,
        coordinates={"latitude": 38.17, "longitude": 13.09}, **NOWHERE,
    ),
]  # fmt: skip
JSON = {"accept": "application/json"}


@pytest.fixture
def wire(settings: Any, wire: Wire, db: None) -> Wire:
    settings.GATEWAY_DEADLINE = 60.0
    wire.airports(LIST)
    return wire


@pytest.fixture
def visitor(wire: Wire) -> Client:
    return Client()


def page(visitor: Client, address: str, status: int = 200) -> str:
    response = visitor.get(address)
    assert response.status_code == status
    return response.content.decode()


def links(html: str, text: str) -> list[str]:
    """The addresses of the links that read `text`."""
    found = re.findall(r'<a[^>]* href="([^"]*)"[^>]*>(.*?)</a>', html, re.DOTALL)
    return [unescape(href) for href, inner in found if " ".join(re.sub("<[^>]*>", "", inner).split()) == text]


def asked(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


@pytest.mark.parametrize(
    ("accept", "sent"),
    [
        ("application/json; charset=utf-8", "application/json"),
        ("application/json;charset=UTF-8, */*;q=0.1", "application/json"),
        ("text/html, application/json; charset=utf-8;q=0.5", "text/html; charset=utf-8"),
        ("*/*", "text/html; charset=utf-8"),
    ],
)
def test_json_is_sent_to_who_prefers_it(visitor: Client, accept: str, sent: str) -> None:
    response = visitor.get("/destinations/?q=lon", headers={"accept": accept})
    assert response.headers["Content-Type"] == sent


@pytest.mark.parametrize(
    ("path", "moved"),
    [
        ("/destinations/ES/", "/destinations/es/"),
        ("/destinations/ES/andalusia/", "/destinations/es/andalusia/"),
        ("/destinations/from/stn/", "/destinations/from/STN/"),
    ],
)
def test_an_address_in_other_letters_keeps_what_was_asked(visitor: Client, path: str, moved: str) -> None:
    asked = "?market=de-de&guests=3&page=2"
    response = visitor.get(path + asked)
    assert (response.status_code, response.headers["Location"]) == (301, moved + asked)


def test_suggestions_as_json_have_the_agreed_shape_best_first(visitor: Client) -> None:
    response = visitor.get("/destinations/?q=lon", headers=JSON)
    assert response.headers["Content-Type"] == "application/json"
    assert "Accept" in response.headers["Vary"]
    suggestions = response.json()["suggestions"]
    assert suggestions[:3] == [
        {"kind": "city", "code": "LONDON", "label": "London - both airports", "place": "London",
         "airports": ["STN", "LTN"]},
        {"kind": "airport", "code": "STN", "label": "London Stansted (STN)", "place": "London",
         "airports": ["STN"]},
        {"kind": "airport", "code": "LTN", "label": "London Luton (LTN)", "place": "London",
         "airports": ["LTN"]},
    ]  # fmt: skip
    londrina = {"kind": "city", "code": "", "label": "Londrina, Paraná, Brazil", "place": "Londrina"}
    assert {**londrina, "airports": []} in suggestions


def test_labels_in_json_tell_namesakes_apart(visitor: Client) -> None:
    suggestions = visitor.get("/destinations/?q=san+jose", headers=JSON).json()["suggestions"]
    labels = [one["label"] for one in suggestions]
    assert labels[:3] == [
        "San Jose, California, United States", "San José, Costa Rica", "San Jose, Philippines",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind", "code", "place"),
    [
        ("Spain", "country", "ES", "Spain"),
        ("sicily", "region", "SICILY", "Sicily"),
        ("agp", "airport", "AGP", "Malaga"),
    ],
)
def test_every_kind_of_destination_can_be_suggested(
    visitor: Client, text: str, kind: str, code: str, place: str
) -> None:
    first = visitor.get("/destinations/", {"q": text}, headers=JSON).json()["suggestions"][0]
    assert (first["kind"], first["code"], first["place"]) == (kind, code, place)


@pytest.mark.parametrize("query", ["", "?q=", "?q=zzzz", "?q=%00%0d%0a", "?q=" + "x" * 5_000, "?q=%E2%80%AE"])
def test_nothing_to_suggest_is_an_empty_list(visitor: Client, query: str) -> None:
    assert visitor.get(f"/destinations/{query}", headers=JSON).json() == {"suggestions": []}


@pytest.mark.parametrize(
    "address",
    [
        "/destinations/?q=<script>alert(1)</script>",
        "/destinations/?q=%22%3E%3Cimg%20src=x%3E",
        "/destinations/?q=%C0%80",
        "/destinations/?q=" + "y" * 5_000,
        "/destinations/?q=lon&q=par&q=" + "&q=x" * 300,
        "/destinations/?part=options&at=91,0",
        "/destinations/?part=options&at=nan,inf",
        "/destinations/?part=options&at=%D9%A1,%D9%A2",
        "/destinations/?q=lon&checkin=9999-12-31&checkout=9999-12-31&guests=-1&stars=x&page=%00",
    ],
)
def test_nonsense_is_answered_with_a_page_and_no_markup(visitor: Client, address: str) -> None:
    html = page(visitor, address)
    assert "<script>alert" not in html
    assert "<img src=x" not in html


def test_without_javascript_a_page_says_what_a_text_may_mean(visitor: Client) -> None:
    html = page(visitor, "/destinations/?q=lnodon&checkin=2030-05-01&checkout=2030-05-04&guests=3")
    assert "Did you mean" in html
    (city,) = links(html, "London – both airports England, United Kingdom")
    (airport,) = links(html, "London Stansted STN")
    assert asked(city)["place"] == asked(airport)["place"] == "London"
    assert "near" not in asked(city)
    assert asked(airport)["near"] == "STN"
    for address in (city, airport, *links(html, "Search for exactly what you typed")):
        assert asked(address)["checkin"] == "2030-05-01"
        assert asked(address)["guests"] == "3"
    assert asked(links(html, "Search for exactly what you typed")[0])["place"] == "lnodon"


def test_the_picker_marks_the_match_and_counts_the_rows(visitor: Client) -> None:
    html = page(visitor, "/destinations/?q=stansted&part=options")
    assert html.lstrip().startswith('<div role="listbox"')
    assert 'data-status="1 suggestion"' in html
    assert "London <b>Stansted</b>" in html
    assert 'data-text="London Stansted (STN)"' in html


def test_an_empty_field_offers_the_cities_of_the_first_page(visitor: Client) -> None:
    def texts(html: str) -> list[str]:
        return re.findall(r'data-text="([^"]*)"', html)

    cities = texts(page(visitor, "/destinations/?part=options"))
    assert cities == ["Barcelona", "Lisbon", "Rome", "Kraków", "Paris", "Dublin"]
    FeaturedDestination.objects.create(place="Palermo", airport="PMO", order=1)
    FeaturedDestination.objects.create(place="Isle of Skye", order=2)
    FeaturedDestination.objects.create(place="Ischgl", order=3, first_day=date(2099, 12, 1))
    cities = texts(page(visitor, "/destinations/?part=options"))
    assert cities == ["Palermo", "Isle of Skye", "Barcelona", "Lisbon", "Rome", "Kraków"]


def test_near_me_are_cities_and_then_airports_with_distances(visitor: Client) -> None:
    html = page(visitor, "/destinations/?part=options&at=36.72,-4.42")
    found = re.findall(r'data-text="([^"]*)"', html)
    assert (found[0], found[-1]) == ("Malaga", "Málaga (AGP)")
    assert len(found) <= 8
    assert "5.2\N{NO-BREAK SPACE}mi" in html
    assert "We know of no destination near you." in page(visitor, "/destinations/?part=options&at=-50,-140")


def test_destinations_are_links_by_country_city_and_theme(visitor: Client) -> None:
    html = page(visitor, "/destinations/")
    assert re.findall(r"<summary[^>]*><h2>([^<]*)", html) == ["Italy", "Spain", "United Kingdom"]
    for text, place, near in (
        ("Hotels in Spain", "Spain", None), ("Costa de Sol", "Costa de Sol", None),
        ("Málaga", "Malaga", "AGP"),
        ("London", "London", None), ("London Luton", "London", "LTN"),
    ):  # fmt: skip
        (address,) = links(html, text)
        assert urlsplit(address).path == "/hotels/"
        assert asked(address)["place"] == place
        assert asked(address).get("near") == near
    assert links(html, "Seaside") == ["/destinations/?theme=SEA"]
    assert links(html, "QQQ") == ["/destinations/?theme=QQQ"], "an unknown category is shown as it came"


def test_a_theme_and_a_country_narrow_the_list(visitor: Client) -> None:
    golf = page(visitor, "/destinations/?theme=GLF")
    assert links(golf, "Málaga")
    assert not links(golf, "Palermo")
    spain = page(visitor, "/destinations/?country=es")
    assert links(spain, "Málaga")
    assert not links(spain, "Palermo")
    for address in ("/destinations/?theme=NIX", "/destinations/?country=zz"):
        page(visitor, address, status=404)


def test_routes_are_grouped_by_country_and_keep_the_stay(visitor: Client) -> None:
    html = page(visitor, "/destinations/from/STN/?checkin=2030-05-01&checkout=2030-05-04&guests=3")
    assert "Where can I fly from London Stansted?" in html
    assert "2 destinations without a change" in html
    assert re.findall(r"<summary[^>]*><h2>([^<]*)", html) == ["Italy", "Spain"]
    (palermo,) = links(html, "Palermo")
    assert asked(palermo)["place"] == "Palermo"
    assert asked(palermo)["checkin"] == "2030-05-01"
    assert asked(palermo)["guests"] == "3"
    assert html.count("seasonal</span>") == 1
    assert re.search(r'<link rel="canonical" href="[^"]*/destinations/from/STN/">', html)


def test_what_is_no_airport_of_the_list_is_not_there(visitor: Client) -> None:
    for code in ("ZZZ", "..", "x" * 500, "%00"):
        page(visitor, f"/destinations/from/{code}/", status=404)


def test_an_airport_without_routes_says_so(visitor: Client) -> None:
    assert "No direct flights from here" in page(visitor, "/destinations/from/LTN/")
    html = page(visitor, "/destinations/")
    assert "/destinations/from/STN/" in html
    assert "/destinations/from/LTN/" not in html


def test_an_admins_override_counts_for_suggestions_and_lists(visitor: Client) -> None:
    DestinationOverride.objects.create(airport="LTN", hidden=True)
    DestinationOverride.objects.create(airport="AGP", place="Costa del Sol", search_words="Marbella")
    assert not links(page(visitor, "/destinations/"), "London Luton")
    first = visitor.get("/destinations/?q=marbella", headers=JSON).json()["suggestions"][0]
    assert (first["code"], first["place"]) == ("AGP", "Costa del Sol")


@pytest.mark.parametrize(
    "answer",
    [
        {"status": 500},
        {"body": "not json"},
        {"json": []},
        {"json": {"error": "no"}},
        {"json": [None, 1, "x", {}, {"iataCode": None}, {"iataCode": 7}]},
    ],
)
def test_without_an_airport_list_the_bundled_one_stands_in(
    wire: Wire, visitor: Client, answer: dict[str, Any]
) -> None:
    wire.airports(**answer)
    assert visitor.get("/destinations/?q=stn", headers=JSON).json()["suggestions"][0]["code"] == "STN"
    assert "London" in page(visitor, "/")
    page(visitor, "/destinations/")


def test_browsing_writes_no_cookie(visitor: Client) -> None:
    for address in ("/destinations/", "/destinations/?q=lon", "/destinations/from/STN/"):
        assert not visitor.get(address).cookies


def test_a_destination_s_link_is_spelled_as_its_search() -> None:
    dates = StayDates(date(2030, 5, 1), date(2030, 5, 4))
    stay = StaySearch("", dates, guests=2, stars=(4, 5), currency="EUR", market="en-gb")
    for place, near in (("Rome", "FCO"), ("L'Aquila & 100% / ü", ""), ("\u0000", ""), ("x=y&near=z", "STN")):
        destination = msgspec.structs.replace(free_text(place), near=near)
        search = msgspec.structs.replace(stay, place=place)
        visit = Visit(DestinationIndex([]), Site(), dates.check_in, stay)
        assert visit.search(destination) == results_path(search, Refinement(near=near))


def test_all_destinations_take_few_elements_each(client: Client, db: None) -> None:
    html = client.get("/destinations/").content.decode()
    listed = html.count('class="destinations__entry"')
    assert listed > 200
    assert len(re.findall(r"<[a-z]", html)) < 5.5 * listed


def test_a_long_list_is_countries_with_pages_of_their_own(wire: Wire, visitor: Client) -> None:
    letters = "ABCDEFGHIJ"
    codes = [f"X{a}{b}" for a in letters for b in letters]
    countries = ("it", "es")
    wire.airports(
        [
            an_airport(iataCode=code, name=f"Name {code}", cityCode="", countryCode=countries[number % 2])
            for number, code in enumerate(codes)
        ]
    )
    html = page(visitor, "/destinations/")
    assert re.findall(r'<details class="destinations__country"([^>]*)>', html) == ["", ""]
    assert "Fly from here" not in html
    (italy,) = links(html, "Italy: all 50 airports")
    html = page(visitor, italy)
    assert re.findall(r'<details class="destinations__country"([^>]*)>', html) == [" open"]
    assert html.count("Fly from here</a>") == 50


def test_a_text_that_begins_names_is_not_called_misspelt(visitor: Client) -> None:
    assert "Destinations for “Wel”</h1>" in page(visitor, "/destinations/?q=Wel")
    assert "Did you mean one of these?</h1>" in page(visitor, "/destinations/?q=lnodon")


def test_every_category_seen_in_real_answers_reads_as_words(wire: Wire, visitor: Client) -> None:
    wire.airports([an_airport(categories=["WEL", "XMS"])])
    html = page(visitor, "/destinations/")
    assert links(html, "Wellness") == ["/destinations/?theme=WEL"]
    assert links(html, "Christmas") == ["/destinations/?theme=XMS"]


def cards(html: str) -> list[str]:
    return re.findall(r'class="destination-card__text"><strong dir="auto">([^<]*)', html)


def test_a_country_shows_cities_regions_and_airports(visitor: Client) -> None:
    html = page(visitor, "/destinations/es/?checkin=2030-05-01&checkout=2030-05-04&guests=3")
    assert "<h1>Hotels in Spain</h1>" in html
    assert cards(html)[:2] == ["Madrid", "Barcelona"]
    assert html.count('class="skyline"') == len(cards(html)) == 8
    (seville,) = re.findall(r'href="([^"]*)">\s*<svg(?:(?!</a>).)*Seville', html, re.DOTALL)
    assert asked(unescape(seville))["place"] == "Seville"
    assert asked(unescape(seville))["checkin"] == "2030-05-01"
    (andalusia,) = links(html, "Andalusia")
    assert andalusia.startswith("/destinations/es/andalusia/?checkin=2030-05-01")
    assert [urlsplit(address).path for address in links(html, "Málaga")] == ["/destinations/from/AGP/"]
    assert asked(links(html, "Search all of Spain")[0])["place"] == "Spain"


def test_a_region_shows_its_cities_with_their_airports(visitor: Client) -> None:
    html = page(visitor, "/destinations/es/andalusia/")
    assert "<h1>Hotels in Andalusia, Spain</h1>" in html
    assert cards(html)[:2] == ["Seville", "Malaga"]
    assert re.search(r"Malaga</strong> <span[^>]*>Airport AGP<", html)
    assert "Barcelona" not in cards(html)
    assert links(html, "Spain") == ["/destinations/es/"]


def test_a_city_leads_to_itself_not_to_a_larger_namesake(visitor: Client) -> None:
    (paris,) = links(page(visitor, "/destinations/us/texas/?page=2"), "Paris")
    assert (asked(paris)["place"], asked(paris)["country"]) == ("Paris", "US")


@pytest.mark.parametrize("path", ["br/", "in/", "us/", "gb/england/"])
def test_a_page_of_cities_is_bounded_and_the_next_has_others(visitor: Client, path: str) -> None:
    def cities(html: str) -> list[str]:
        return re.findall(r'href="(/hotels/\?place=[^"]*)"', html)

    html, after = page(visitor, f"/destinations/{path}"), page(visitor, f"/destinations/{path}?page=2")
    assert len(html) < 90_000
    assert not {*cities(html)[1:]} & {*cities(after)[1:]}
    assert links(html, "Next") == [f"/destinations/{path}?page=2"]
    assert f"/destinations/{path}?page=2" in re.findall(r'rel="canonical" href="http://[^/]*([^"]*)', after)
    page(visitor, f"/destinations/{path}?page=900", status=404)


def test_places_are_called_as_the_readers_market_calls_them(visitor: Client) -> None:
    html = page(visitor, "/destinations/it/?market=de-de")
    assert cards(html)[:2] == ["Rom", "Mailand"]
    assert links(html, "Sizilien") == ["/destinations/it/sicily/?market=de-de"]


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("nl/?market=en-gb", "Hotels in Netherlands"),
        ("nl/?market=de-de", "Hotels\u00a0– Niederlande"),
        ("nl/?market=fr-fr", "Hôtels – Pays-Bas"),
        ("it/tuscany/?market=pt-pt", "Hotéis\u00a0– Toscana, Itália"),
    ],
)
def test_headings_name_a_place_without_its_article(visitor: Client, path: str, title: str) -> None:
    assert f"<h1>{title}</h1>" in page(visitor, f"/destinations/{path}")


def test_every_country_with_cities_is_led_to(visitor: Client) -> None:
    html = page(visitor, "/destinations/")
    assert links(html, "Cities in Spain") == ["/destinations/es/"]
    assert links(html, "Japan") == ["/destinations/jp/"]


def test_what_is_no_country_or_region_with_cities_is_not_there(visitor: Client) -> None:
    for path in ("zz", "x" * 300, "%00", "es/texas", "es/costa-blanca", "es/no-such-region", "..%2f"):
        page(visitor, f"/destinations/{path}/", status=404)
