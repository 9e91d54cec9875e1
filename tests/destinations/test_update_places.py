"""The command that makes the table of the world's places, from a few lines of its sources."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from search.destinations.index import DestinationIndex
from search.destinations.places import Places, world
from search.management.commands import update_places


def a_city(name: str, country: str, population: int, **fields: Any) -> dict[str, Any]:
    return {
        "name": name, "countrycode": country, "population": population, "latitude": 1.0, "longitude": 2.0,
        "timezone": "", "admin1code": "", "alternatenames": [], **fields,
    }  # fmt: skip


CITIES = [
    a_city(
        "Rome", "IT", 2_318_895, admin1code="07", timezone="Europe/Rome", latitude=41.89, longitude=12.48,
        alternatenames=["ROM", "Rom", "Roma", "Róma", "Rzym", "luo ma", "Рим"],
    ),
    a_city("Latina", "IT", 115_895, admin1code="07", timezone="Europe/Rome"),
    a_city("Rome", "US", 36_323, admin1code="GA", timezone="America/New_York"),
    a_city("Paris 15 Vaugirard", "FR", 229_713),
]  # fmt: skip
TOWNS = [a_city("Hallstatt", "AT", 759), a_city("Nowhere", "AT", 800)]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    monkeypatch.setattr(update_places, "_HAND_MADE", tmp_path)
    (tmp_path / "city_names.txt").write_text(
        "it Rome: de Rom, it Roma, Urbs\nat Hallstatt\n", encoding="utf-8"
    )
    regions = "it Lazio = Rome: de Latium\nid Bali @ -8.4,115.2\n"
    (tmp_path / "regions.txt").write_text(regions, encoding="utf-8")
    for file, cities in (("cities15000.json", CITIES), ("cities500.json", TOWNS)):
        (tmp_path / file).write_text(json.dumps(dict(enumerate(cities))))
    call_command("update_places", str(tmp_path), output=tmp_path / "places.bin", verbosity=0)
    return world(tmp_path / "places.bin")


def test_the_table_has_cities_towns_and_regions_biggest_first(made: Places) -> None:
    names = [(made[number].name, made[number].country, made[number].is_region) for number in range(len(made))]
    assert names == [
        ("Rome", "it", False), ("Bali", "id", True), ("Lazio", "it", True), ("Latina", "it", False),
        ("Hallstatt", "at", False), ("Rome", "us", False),
    ]  # fmt: skip


def test_a_place_is_found_by_its_own_names_first(made: Places) -> None:
    assert said(made, "rome") == [(0, ""), (5, "")]
    assert said(made, "рим") == [(0, "Рим")]
    assert said(made, "rzym") == [(0, "Rzym")]
    assert said(made, "roma") == [(0, "Roma")]
    assert made.codes.exact("rom") == {0}
    assert not said(made, "luo ma")


def said(made: Places, text: str, language: str = "en") -> list[tuple[int, str]]:
    """The numbers of the places of this name, each with the other name that found it."""
    hits = DestinationIndex([], places=made).called(text, language)
    return [(hit.number, made.other_name(hit.other)) for hit in hits]


def test_a_name_in_the_readers_language_is_a_place_s_own(made: Places) -> None:
    assert made.label(0, "de") == "Rom"
    assert made.label(0, "pl") == "Rzym"
    assert made.label(0, "en") == "Rome"
    assert said(made, "rom", "de") == [(0, "")]
    assert said(made, "rom", "it") == [(0, "Rom")]


def test_a_city_knows_its_region_its_time_zone_and_where_it_is(made: Places) -> None:
    latina = 3
    assert made[made[latina].region].name == "Lazio"
    assert made.time_zone(latina) == "Europe/Rome"
    assert (made[0].coordinates.latitude, made[0].coordinates.longitude) == (41.89, 12.48)
    assert made[5].region == -1


def test_a_city_of_the_list_that_the_data_lacks_is_an_error(made: Places, tmp_path: Path) -> None:
    (tmp_path / "city_names.txt").write_text("it Atlantis\n", encoding="utf-8")
    with pytest.raises(CommandError, match="no city Atlantis in IT"):
        call_command("update_places", str(tmp_path), output=tmp_path / "places.bin")
