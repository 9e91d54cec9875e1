"""Which name of a place is shown, and which one the gateway is asked for."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from requests import PreparedRequest

from search.domain.site_settings import DestinationOverride, PlaceNames, Site
from search.site_settings import store
from tests.gateway.documents import a_listing_document, a_summary, an_airport, an_entry
from tests.wire import Reply, Wire

pytestmark = pytest.mark.usefixtures("wire", "db")

GRANADA = {"latitude": 37.189, "longitude": -3.777}
STAY = "checkin=2030-05-01&checkout=2030-05-04"


@pytest.fixture
def in_granada(wire: Wire) -> None:
    """The providers have a hotel there."""
    wire.search(a_listing_document(an_entry(a_summary(countryCode="es", coordinates=GRANADA))))


def shown_and_asked(visitor: Client, wire: Wire, place: str, market: str) -> tuple[str, set[str]]:
    """The heading, and the names that the gateway was asked for."""
    html = visitor.get(f"/hotels/?place={place}&market={market}&{STAY}").content.decode()
    (heading,) = re.findall(r"<h1[^>]*>(.*?)</h1>", html, re.DOTALL)
    return unescape(heading), {parse_qs(urlsplit(one).query)["place"][0] for one in wire.addresses()}


@pytest.mark.parametrize(
    ("typed", "market", "shown"),
    [
        ("Munich", "de-de", "Hotels\u00a0– München"),
        ("Monachium", "pl-pl", "Monachium"),
        ("München", "en-gb", "Hotels in Munich"),
    ],
)
def test_a_city_is_shown_in_the_reader_s_language(
    visitor: Client, wire: Wire, typed: str, market: str, shown: str
) -> None:
    heading, asked = shown_and_asked(visitor, wire, typed, market)
    assert heading.endswith(shown)
    assert asked == {"Munich"}


@pytest.mark.parametrize(
    ("typed", "market", "shown", "asked"),
    [
        ("USA", "de-de", "Hotels\u00a0– Vereinigte Staaten", "United States"),
        ("Chorwacja", "en-gb", "Hotels in Croatia", "Croatia"),
        # The state is called so, too, but the country goes first in every language.
        ("Georgien", "de-de", "Hotels\u00a0– Georgien", "Georgia"),
        # In Spanish the city of Granada goes first.
        ("Grenada", "es-es", "Hoteles en Grenada", "Grenada"),
    ],
)
def test_a_country_is_shown_in_the_reader_s_language(
    visitor: Client, wire: Wire, typed: str, market: str, shown: str, asked: str
) -> None:
    assert shown_and_asked(visitor, wire, typed, market) == (shown, {asked})


@pytest.mark.parametrize(
    ("names", "place", "market", "asked"),
    [
        ("local", "Munich", "pl-pl", "München"),
        ("market", "Munich", "pl-pl", "Monachium"),
        ("market", "Munich", "en-gb", "Munich"),
        ("local", "Rom", "de-de", "Roma"),
        # Of a country with several languages nobody knows which one a city speaks.
        ("local", "Genf", "de-de", "Geneva"),
        ("local", "Somewhere unknown", "de-de", "Somewhere unknown"),
    ],
)
def test_admins_choose_the_language_that_places_are_asked_for_in(
    visitor: Client, wire: Wire, names: str, place: str, market: str, asked: str
) -> None:
    store.change({"place_name_language": names})
    assert shown_and_asked(visitor, wire, place, market)[1] == {asked}


@pytest.mark.parametrize(
    ("typed", "names", "known", "asked", "shown"),
    [
        ("東京", "english", "東京", {"Tokyo", "東京"}, "Hotels in 東京"),
        ("東京", "english", "Tokyo", {"Tokyo"}, "Hotels in Tokyo"),
        ("München", "english", "nothing", {"Munich", "München"}, "Hotels in München"),
        ("Munich", "local", "Munich", {"München", "Munich"}, "Hotels in Munich"),
        ("Munich, DE", "english", "nothing", {"Munich"}, "Hotels in Munich, Germany"),
    ],
)
def test_where_nothing_is_found_what_was_typed_is_asked_for(
    visitor: Client, wire: Wire, typed: str, names: str, known: str, asked: set[str], shown: str
) -> None:
    def answer(request: PreparedRequest) -> Reply:
        is_known = parse_qs(urlsplit(str(request.url)).query)["place"] == [known]
        return Reply(json=a_listing_document(*([an_entry(a_summary(name="Zzz Inn"))] if is_known else ())))

    store.change({"place_name_language": names})
    wire.answer_search(answer)
    assert shown_and_asked(visitor, wire, typed, "en-gb") == (shown, asked)
    before = len(wire.addresses())
    html = visitor.get(f"/hotels/?place={typed}&market=en-gb&{STAY}").content.decode()
    assert len(wire.addresses()) == before
    assert ("Zzz Inn" in html) == (known != "nothing")
    assert visitor.get(f"/hotels/map/?place={typed}&market=en-gb&{STAY}").status_code == 200


@pytest.mark.parametrize("typed", ["Hilton Rome", "rome hilton"])
def test_a_hotels_name_beside_its_city_filters_the_city(visitor: Client, wire: Wire, typed: str) -> None:
    def answer(request: PreparedRequest) -> Reply:
        (asked,) = parse_qs(urlsplit(str(request.url)).query)["place"]
        names = ("Hilton Tiber", "Zzz Inn") if asked == "Rome" else ()
        return Reply(
            json=a_listing_document(*(an_entry(a_summary(name=name, ryanairId=name)) for name in names))
        )

    wire.answer_search(answer)
    html = visitor.get(f"/hotels/?place={typed}&market=en-gb&{STAY}").content.decode()
    assert "Hotels in Rome" in html
    assert "Hilton Tiber" in html
    assert "Zzz Inn" not in html
    assert "remove filter: name: hilton" in html.lower()


def test_an_admins_wording_of_a_place_is_sent(
    visitor: Client, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    worded = DestinationOverride(airport="MUC", place="Greater Munich")
    site = Site(overrides=(worded,), place_name_language=PlaceNames.LOCAL)
    monkeypatch.setattr(store, "current", lambda: site)
    at_munich = {"coordinates": {"latitude": 48.354, "longitude": 11.786}, "cityCode": "MUNICH"}
    wire.airports([an_airport(iataCode="MUC", name="Munich", countryCode="de", **at_munich)])
    assert shown_and_asked(visitor, wire, "Munich", "en-gb")[1] == {"Greater Munich"}


AT_LISBON = {"coordinates": {"latitude": 38.77, "longitude": -9.13}, "cityCode": "LISBON"}


def test_an_airport_s_city_is_shown_in_the_reader_s_language(visitor: Client, wire: Wire) -> None:
    wire.airports([an_airport(iataCode="LIS", name="Lisbon", countryCode="pt", **AT_LISBON)])
    shown = ("Hotels\u00a0– Lissabon", {"Lisbon"})
    assert shown_and_asked(visitor, wire, "Lisbon (LIS)", "de-de") == shown
    html = visitor.get(f"/hotels/?place=LIS&market=de-de&{STAY}").content.decode()
    (canonical,) = re.findall(r'rel="canonical" href="http://testserver(.*?)"', html)
    pairs = parse_qs(urlsplit(unescape(canonical)).query)
    assert (pairs["place"], pairs["near"]) == (["Lissabon"], ["LIS"])
    assert shown_and_asked(visitor, wire, "Lissabon&near=LIS", "de-de") == shown


def test_an_airport_s_city_is_shown_as_an_admin_words_it(
    visitor: Client, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = Site(overrides=(DestinationOverride(airport="LIS", place="Lisbon Riviera"),))
    monkeypatch.setattr(store, "current", lambda: site)
    wire.airports([an_airport(iataCode="LIS", name="Lisbon", countryCode="pt", **AT_LISBON)])
    shown = ("Hotels\u00a0– Lisbon Riviera", {"Lisbon Riviera"})
    assert shown_and_asked(visitor, wire, "Lisbon (LIS)", "de-de") == shown


@pytest.mark.usefixtures("in_granada")
def test_a_name_that_is_a_country_too_is_told_apart(visitor: Client, wire: Wire) -> None:
    """Granada is Grenade in French, and so is Grenada."""
    heading, asked = shown_and_asked(visitor, wire, "Granada", "fr-fr")
    assert heading.endswith("Grenade, Espagne")
    assert asked == {"Granada"}


@pytest.mark.usefixtures("in_granada")
@pytest.mark.parametrize("market", ["es-es", "pt-pt"])
def test_a_listed_city_goes_before_a_country_of_its_name(visitor: Client, wire: Wire, market: str) -> None:
    """Grenada is Granada in Spanish."""
    at_granada = {"coordinates": GRANADA, "countryCode": "es", "cityCode": "GRANADA"}
    wire.airports([an_airport(iataCode="GRX", name="Granada", **at_granada)])
    heading, asked = shown_and_asked(visitor, wire, "Granada", market)
    assert heading.endswith(("Granada, España", "Granada, Espanha"))
    assert asked == {"Granada"}
    assert shown_and_asked(visitor, wire, "Grenada", market)[1] == {"Granada", "Grenada"}


def test_a_name_that_is_another_place_to_others_is_not_taken(visitor: Client, wire: Wire) -> None:
    heading, asked = shown_and_asked(visitor, wire, "Monaco", "it-it")
    assert heading.endswith("Monaco")
    assert asked == {"Monaco"}
