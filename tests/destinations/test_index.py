"""The index: whatever the airport list is like, it is built, and what it says about distances and cities."""

from hypothesis import given
from hypothesis import strategies as st

from search.destinations.index import DestinationIndex
from search.destinations.service import resolve
from search.destinations.suggest import suggest
from search.domain.hotels import Airport
from search.domain.words import fold, marked, place_name
from tests.destinations.airports import an_airport, at

ENGLISH = "en"


def test_without_a_list_the_places_of_the_world_are_found() -> None:
    index = DestinationIndex([])
    assert suggest(index, "london", ENGLISH)[0].name == "London"
    assert index.nearest(at(0, 0)) == ()


def test_of_two_airports_with_one_code_the_more_important_stays() -> None:
    index = DestinationIndex(
        [
            an_airport("STN", "Wrong"),
            an_airport("stn ", "London Stansted", base=True),
            an_airport("STN", "Worse"),
        ]
    )
    assert [entry.name for entry in index.entries] == ["London Stansted"]


def test_incomplete_airports_are_shown_as_well_as_can_be() -> None:
    index = DestinationIndex(
        [
            an_airport("AAA", "", city="GRAN_CANARIA"),
            an_airport("BBB", " "),
            an_airport("", "No code"),
            an_airport("TOOLONG", "Long code"),
            an_airport("A-1", "Odd code"),
            an_airport("CC1", "With a digit", country="ZZ"),
        ]
    )
    assert {entry.code: entry.name for entry in index.entries} == {
        "AAA": "Gran Canaria", "BBB": "BBB", "CC1": "With a digit",
    }  # fmt: skip
    assert [row.code for row in suggest(index, "gran canaria", ENGLISH)][:2] == ["", "AAA"]


ANY_AIRPORT = st.builds(
    an_airport,
    code=st.one_of(st.text(max_size=4), st.sampled_from(["STN", "stn", "AAA"])),
    name=st.text(max_size=30),
    city=st.text(max_size=20),
    country=st.sampled_from(["gb", "GB", "", "zz", "es"]),
    region=st.sampled_from(["", " ", "SICILY", "A_B"]),
    priority=st.integers(),
    base=st.booleans(),
)


@given(st.lists(ANY_AIRPORT, max_size=12), st.text(max_size=12))
def test_any_list_can_be_searched_for_anything(found: list[Airport], text: str) -> None:
    index = DestinationIndex(found)
    for entry in index.entries:
        assert len(entry.code) == 3 or entry.kind == "city"
        assert resolve(entry.text, index, ENGLISH) is not None
    assert len(suggest(index, text, ENGLISH)) <= 8


def test_the_nearest_airports_come_with_their_distance() -> None:
    index = DestinationIndex(
        [
            an_airport("STN", "Stansted", coordinates=at(51.885, 0.235)),
            an_airport("LGW", "Gatwick", coordinates=at(51.148, -0.19)),
            an_airport("EDI", "Edinburgh", coordinates=at(55.95, -3.36)),
            an_airport("QQQ", "Nowhere"),
        ]
    )
    near = index.nearest(at(51.507, -0.128))
    assert [(airport.code, round(km)) for airport, km in near] == [("LGW", 40), ("STN", 49)]


def test_the_nearest_airport_may_lie_beyond_the_date_line() -> None:
    index = DestinationIndex([an_airport("SUV", "Suva", coordinates=at(-18.04, 178.56))])
    ((_, km),) = index.nearest(at(-18.0, -179.9))
    assert km < 200


def test_spellings_of_one_name_fold_to_the_same() -> None:
    for text, folded in [
        ("Łódź", "lodz"), ("Göteborg", "goteborg"), ("Straße", "strasse"), ("Tromsø", "tromso"),
        ("İstanbul", "istanbul"), ("ISPARTA", "isparta"), ("Ísafjörður", "isafjordur"), ("Cœur", "coeur"),
        ("Ærø", "aero"), ("Đà Nẵng", "da nang"), ("L'Aquila", "laquila"), ("GRAN_CANARIA", "gran canaria"),
        ("Vitoria-Gasteiz", "vitoria gasteiz"), ("  St.  Petersburg ", "st petersburg"), ("東京", "東京"),
        ("", ""), ("ﬁn", "fin"),
    ]:  # fmt: skip
        assert fold(text) == folded


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_a_place_code_reads_as_a_name() -> None:
    for code, name in [
        ("GRAN_CANARIA", "Gran Canaria"), ("SOUTHEND_ON_SEA", "Southend on Sea"), ("De_Panne", "De Panne"),
        ("VITORIA-GASTEIZ", "Vitoria-Gasteiz"), ("COSTA_DE_SOL", "Costa de Sol"), ("ROME", "Rome"),
        ("", ""), ("__X__", "X"), ("LA_ROCHELLE", "La Rochelle"),
    ]:  # fmt: skip
        assert place_name(code) == name


def test_the_part_of_a_name_that_matched_is_marked() -> None:
    for label, text, shown in [
        ("London Stansted", "lon", "[Lon]don Stansted"), ("London Stansted", "stan", "London [Stan]sted"),
        ("Łódź", "lodz", "[Łódź]"), ("Göteborg", "gote", "[Göte]borg"), ("Straße", "strasse", "[Straße]"),
        ("Milan Bergamo", "berg mil", "[Mil]an [Berg]amo"), ("Barcelona", "lon", "Barce[lon]a"),
        ("Vitoria-Gasteiz", "vitoria gas", "[Vitoria-Gas]teiz"), ("Munich", "munchen", "Munich"),
        ("Rome", "", "Rome"), ("<b>", "b", "<[b]>"),
    ]:  # fmt: skip
        assert "".join(f"[{piece}]" if hit else piece for piece, hit in marked(label, text)) == shown


@given(st.text(max_size=40), st.text(max_size=10))
def test_marking_loses_no_letter(label: str, text: str) -> None:
    assert "".join(piece for piece, _ in marked(label, text)) == label
