"""What services say about destinations, over a mocked wire."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.http import HttpRequest

from search.destinations import service as destinations
from search.destinations.index import Kind
from search.destinations.names import country_names
from search.destinations.suggest import suggest
from search.destinations.views import search_bar_options
from search.domain.hotels import Coordinates, Property
from search.domain.process import Deadline
from search.domain.query import Refinement, StayDates, StaySearch
from search.domain.site_settings import Site
from search.site_settings import store
from tests import builders as build
from tests.gateway.documents import an_airport
from tests.rows import each
from tests.wire import Wire

AIRPORTS = [
    an_airport(coordinates={"latitude": 51.885, "longitude": 0.235}),
    an_airport(
        iataCode="LGW", name="London Gatwick",
        coordinates={"latitude": 51.148, "longitude": -0.19}, priority=2,
    ),
    an_airport(
        iataCode="AGP", name="Malaga", cityCode="MALAGA", countryCode="es",
        coordinates={"latitude": 36.67, "longitude": -4.49}, priority=3,
    ),
]  # fmt: skip
TODAY = date(2026, 11, 21)


@pytest.fixture(autouse=True)
def _airports(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "current", Site)
    wire.airports(AIRPORTS)


def deadline() -> Deadline:
    return Deadline(60.0, lambda: 0.0)


def a_search(place: str) -> StaySearch:
    dates = StayDates(date(2030, 5, 1), date(2030, 5, 4))
    return StaySearch(place=place, dates=dates, guests=2, stars=(4,), currency="EUR", market="en-gb")


@each(
    ("place", "near", "searched", "anchor"),
    [
        ("London Stansted (STN)", "", "London", "STN"),
        ("stn", "", "London", "STN"),
        ("london", "", "London", ""),
        ("Málaga", "", "Malaga", ""),
        ("London", "LGW", "London", "LGW"),
        ("London Stansted (STN)", "LGW", "London", "LGW"),
        ("L'Aquila & 100%", "", "L'Aquila & 100%", ""),
        ("L'Aquila", "STN", "L'Aquila", "STN"),
    ],
)
def test_a_search_gets_the_place_and_the_anchor_its_text_means(
    place: str, near: str, searched: str, anchor: str
) -> None:
    search, refinement, _found = destinations.resolved(a_search(place), Refinement(near=near), deadline())
    assert (search.place, refinement.near) == (searched, anchor)
    assert search.dates == a_search(place).dates
    assert search.stars == (4,)


@pytest.mark.parametrize(
    ("place", "anchor"), [("Santiago (SCQ)", ""), ("SCQ", ""), ("Santiago", "SCQ"), ("Santiago, ES", "SCQ")]
)
def test_an_airport_tells_places_of_one_name_apart(wire: Wire, place: str, anchor: str) -> None:
    where = {"latitude": 42.896, "longitude": -8.415}
    wire.airports(
        [
            an_airport(
                iataCode="SCQ", name="Santiago", cityCode="SANTIAGO", countryCode="es", coordinates=where
            )
        ]
    )
    search, refinement, found = destinations.resolved(a_search(place), Refinement(near=anchor), deadline())
    assert (search.place, refinement.near, refinement.country) == ("Santiago", "SCQ", "ES")
    assert found is not None
    centre = destinations.centre(found, deadline())
    assert centre is not None
    assert centre.km_to(Coordinates(42.88, -8.54)) < 10
    again = destinations.resolved(search, refinement, deadline())
    assert again[:2] == (search, refinement)


def test_a_search_without_a_place_stays_without() -> None:
    search, refinement, _found = destinations.resolved(a_search(""), Refinement(), deadline())
    assert (search.place, refinement.near) == ("", "")


def a_property(city: str, latitude: float | None, longitude: float = 0.0, country: str = "gb") -> Property:
    where = None if latitude is None else Coordinates(latitude, longitude)
    return Property(
        key="k", provider="p", id="1", name="Inn", description="", address="", city=city, country=country,
        coordinates=where, stars=3, rating=None, images=(), type="HOTEL",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("building", "airports"),
    [
        (a_property("London", 51.507, -0.128), [("LGW", 40), ("STN", 49)]),
        (a_property("Brighton", 50.827, -0.168), [("LGW", 36)]),
        (a_property("Bournemouth", 50.72, -1.88), [("LGW", 128)]),
        (a_property("Marbella", 36.51, -4.88, country="es"), [("AGP", 39)]),
        (a_property("Reykjavik", 64.1, -21.9), []),
        (a_property("London", 42.98, -81.25, country="ca"), []),
        (a_property("London", None), []),
    ],
)
def test_a_property_is_near_the_airports_around_it(
    building: Property, airports: list[tuple[str, int]]
) -> None:
    found = destinations.airports_near_property(building, deadline())
    assert [(airport.code, round(km)) for airport, km in found] == airports


@pytest.mark.parametrize(
    ("language", "code", "label", "elsewhere"),
    [
        ("de", "es", "Spanien", "España"),
        ("pl", "es", "Hiszpania", "España"),
        ("pt", "cz", "Chéquia", "Tchéquia"),
        ("no such language", "es", "Spain", "España"),
    ],
)
def test_country_names_exist_in_every_language(language: str, code: str, label: str, elsewhere: str) -> None:
    assert country_names(language).label(code) == label
    assert country_names(language).exact(elsewhere) == {code}


@pytest.mark.parametrize(
    "text",
    ["European Union", "Eurozone", "Outlying Oceania", "Unbekannte Region", "United Nations", "Pseudo-Bidi"],
)
def test_no_country_is_offered_that_nobody_can_travel_to(text: str) -> None:
    countries = [one for one in suggest(destinations.index(deadline()), text) if one.country]
    assert not [one.text for one in countries if one.kind is Kind.COUNTRY]


@pytest.mark.parametrize("text", ["Canary Islands", "Kanaren"])
def test_the_canary_islands_are_one_place(text: str) -> None:
    islands = destinations.resolve(text, destinations.index(deadline()))
    assert islands is not None
    assert (islands.text, islands.country) == ("Canary Islands", "es")


def test_every_text_of_the_datalist_is_one_the_form_understands() -> None:
    index = destinations.index(deadline())
    texts = search_bar_options(HttpRequest())["airport_options"]()
    assert texts == ("London", "London Stansted (STN)", "London Gatwick (LGW)", "Malaga (AGP)")
    for text in texts:
        found = destinations.resolve(text, index)
        assert found is not None
        assert found.kind != "place"


MOMENT = datetime(2026, 11, 21, 20, 30, tzinfo=UTC)


@each(
    ("place", "country", "day"),
    [
        ("Tokyo", "", 22),
        ("London", "", 21),
        ("Auckland", "", 22),
        ("Honolulu", "", 21),
        ("San Jose", "CR", 21),
        ("Malaga (AGP)", "", 21),
        ("Bali", "", 22),
    ],
)
def test_which_day_it_is_where_a_place_is(place: str, country: str, day: int) -> None:
    assert destinations.day_at(place, country, MOMENT, deadline()) == date(2026, 11, day)


@each("place", ["Nowhere at all", "Portugal", "", "\ud800"])
def test_where_nobody_knows_the_time_zone_there_is_no_day(place: str) -> None:
    assert destinations.day_at(place, "", MOMENT, deadline()) is None


def test_nothing_found_in_a_small_town_leads_to_bigger_places() -> None:
    found = destinations.alternative_places(build.context(a_search("Hallstatt")))
    assert found[0][0].place == "Salzburg"
    assert all(km is not None and km < 200 for _one, km in found)
