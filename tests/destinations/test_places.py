"""What people really type, over the places of the world and the bundled airports: the first row of each."""

import itertools
from functools import cache
from pathlib import Path

import pytest

from search.destinations import places
from search.destinations.index import Destination, DestinationIndex
from search.destinations.repository import bundled_airports
from search.destinations.service import resolve
from search.destinations.suggest import suggest
from search.sandbox.world import world
from tests.destinations.airports import airports, an_airport, at, lines_of
from tests.rows import each

# The bundled airports of these countries: most famous cities have none in such a list.
EUROPE = "at be bg ch cz de dk ee es fi fr gb gr hr hu ie it lt lu lv mt nl no pl pt ro rs se si sk"
LANGUAGES = ("en", "de", "es", "fr", "it", "pl", "pt")
TYPED, WHOLE = (lines_of(Path(__file__).with_name(of)) for of in ("typed_places.txt", "whole_texts.txt"))


@cache
def index() -> DestinationIndex:
    airports = [one for one in bundled_airports() if one.country in EUROPE]
    return DestinationIndex(airports, places=places.world())


@cache
def rows(text: str, language: str = "en") -> tuple[Destination, ...]:
    return suggest(index(), text, language)


def said(row: Destination) -> str:
    if row.kind in ("airport", "country"):
        return row.code if row.kind == "airport" else f"country:{row.code}"
    return f"{row.label}/{row.country}" + (f" ({row.also})" if row.also else "")


def test_the_first_row_is_what_was_meant() -> None:
    for language, text, first in TYPED:
        assert said(rows(text, language)[0]) == first


@each("text", ["Kavos", "Elounda", "Laganas", "Lindos", "Oludeniz Beach", "Salento", "Cala Millor"])
def test_a_place_that_nobody_knows_is_not_taken_for_a_far_one(text: str) -> None:
    assert rows(text) == ()


@each(
    ("text", "strangers"),
    [
        *[("New York", {"Jakarta"}), ("Philadelphia", {"Amman"}), ("Nice", {"Ar Raqqah", "İznik"})],
        *[("Hove", {"Bozova"}), ("Breslau", {"Lindenhurst"}), ("Bâle", {"Valencia"}), ("pari", {"Warsaw"})],
    ],
)
def test_old_and_rare_names_bring_no_strangers(text: str, strangers: set[str]) -> None:
    found = rows(text)
    assert found
    assert strangers.isdisjoint(row.label for row in found)


@pytest.mark.parametrize("text", ["Tene", "Gran"])
def test_a_short_text_is_not_what_a_small_place_is_also_called(text: str) -> None:
    found = resolve(text, index(), "en")
    assert found is not None
    assert (found.kind, found.place) == ("place", text)


@pytest.mark.parametrize(
    ("text", "first"),
    [("abrcelona", "Barcelona/es"), ("Aliacnte", "Alicante/es"), ("hbenidorm", "Benidorm/es")],
)
def test_the_first_letters_may_be_swapped_or_doubled(text: str, first: str) -> None:
    assert said(rows(text)[0]) == first


def test_no_name_has_a_sign_that_is_not_seen() -> None:
    names = {name for named in places.world().labels.values() for name in named.values()}
    assert [name for name in names if not name.isprintable()] == []


@pytest.mark.parametrize(("language", "text"), [("en", "Tuscany"), ("de", "Toskana"), ("de", "Tuscany")])
def test_a_listed_region_of_the_world_is_offered_once(language: str, text: str) -> None:
    both = DestinationIndex(airports(), places=places.world())
    found = [row.place for row in suggest(both, text, language) if row.kind == "region"]
    assert found == ["Tuscany"]


def test_a_city_is_known_by_its_nearest_airport() -> None:
    far = an_airport(
        "HHN", "Frankfurt Hahn", city="FRANKFURT", country="de", base=True, coordinates=at(49.95, 7.26)
    )
    near = an_airport("FRA", "Frankfurt", city="FRANKFURT", country="de", coordinates=at(50.03, 8.57))
    both = DestinationIndex([far, near], places=places.world())
    first, *beneath = suggest(both, "Frankfurt", "en")[:3]
    assert (said(first), first.airports) == ("Frankfurt/de", ("HHN", "FRA"))
    assert [said(row) for row in beneath] == ["HHN", "FRA"]


def test_a_listed_region_goes_before_its_city_of_that_name() -> None:
    """Kreta is in the table a name of Chania, too, which the list has a base in."""
    crete = {"region": "CRETE", "country": "gr"}
    chania = an_airport("CHQ", "Chania", city="CHANIA", base=True, coordinates=at(35.53, 24.15), **crete)
    heraklion = an_airport("HER", "Heraklion", city="HERAKLION", coordinates=at(35.34, 25.18), **crete)
    listed = DestinationIndex([chania, heraklion], places=places.world())
    found = resolve("Kreta", listed, "en")
    assert found is not None
    assert (found.kind, found.place) == ("region", "Crete")


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_country_goes_before_an_airport_s_code(language: str) -> None:
    assert said(rows("USA", language)[0]) == "country:US"


def test_what_is_typed_whole_means_what_the_picker_would_offer() -> None:
    for language, text, meaning in WHOLE:
        found = resolve(text, index(), language)
        assert found is not None, text
        said = (
            f"{found.kind}:{found.country}",
            f"{found.kind}:{found.place}",
            f"{found.place}/{found.country}",
        )
        assert meaning in said, (text, said)


@each("opened", ["de", "es", "fr", "pt"])
def test_a_city_called_like_a_country_elsewhere_is_meant(opened: str) -> None:
    """In French Salvador is El Salvador."""
    row = rows("Salvador")[0]
    address = ", ".join(filter(None, (row.place, row.anchor.around)))
    found = resolve(address, index(), opened)
    assert found is not None
    assert (found.kind, found.country) == ("city", "br")


def test_the_reader_s_city_goes_before_a_far_country() -> None:
    unlisted = DestinationIndex([], places=places.world())
    assert said(suggest(unlisted, "Granada", "es")[0]) == "Granada/es"


def test_a_place_in_a_state_goes_before_an_airport() -> None:
    """Castellón (Valencia)."""
    listed = DestinationIndex(airports(), places=places.world())
    assert [said(row) for row in suggest(listed, "Valencia CA", "en")] == ["Valencia/us", "CDT"]


def test_an_address_means_the_same_place_in_every_language() -> None:
    for language, text in itertools.product(LANGUAGES, ("Toledo", "Córdoba", "Mérida", "Halle", "Santarém")):
        row = rows(text, language)[0]
        address = ", ".join(filter(None, (row.place, row.anchor.around)))
        found = {resolve(address, index(), opened) for opened in LANGUAGES}
        assert {one and one.number for one in found} == {row.number}, (language, text)


def test_the_table_is_of_150_texts_and_more() -> None:
    assert len(TYPED) >= 150


def test_the_picked_row_is_what_field_and_address_mean() -> None:
    for language, text, _first in TYPED:
        for row in rows(text, language):
            address = ", ".join(filter(None, (row.place, row.anchor.around)))
            for asked in {row.text, row.picked, address}:
                found = resolve(asked, index(), language)
                assert found is not None
                assert (found.place, found.country) == (row.place, row.country), asked
                assert row.number in (-1, found.number), asked


def test_the_sandbox_has_hotels_in_every_region_that_is_offered() -> None:
    known = places.world()
    regions = [one.name for one in (known[number] for number in range(len(known.weights))) if one.is_region]
    assert len(regions) > 300
    assert [name for name in regions if world().find(name) is None] == []
