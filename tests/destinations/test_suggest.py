"""What the picker offers for what is typed: one table of questions and their first answers."""

from pathlib import Path

from search.destinations.index import Destination, DestinationIndex
from search.destinations.suggest import suggest
from search.domain.site_settings import DestinationOverride
from tests.destinations.airports import airports, an_airport, an_index, lines_of

INDEX = an_index()
ENGLISH = "en"
GERMAN = "de"
SPANISH = "es"

FIRST_ROWS = lines_of(Path(__file__).with_name("first_rows.txt"))
NOTHING = ("", "   ", "zzzz", "!!!", "()", "100%", "x=y&apikey=evil")


def said(row: Destination) -> str:
    return row.code if row.kind == "airport" else f"{row.kind}:{row.code or row.label}"


def rows(text: str, index: DestinationIndex = INDEX, limit: int = 8) -> list[str]:
    return [said(row) for row in suggest(index, text, ENGLISH, limit)]


def test_the_first_rows_are_what_the_text_means() -> None:
    for text, first in FIRST_ROWS:
        wanted = first.split(", ")
        names = GERMAN if text == "spanien" else ENGLISH
        assert [said(row) for row in suggest(INDEX, text, names)][: len(wanted)] == wanted, text
    for text in NOTHING:
        assert rows(text) == [], text


def test_a_country_is_found_in_the_page_s_language_and_english() -> None:
    for names, local in ((GERMAN, "Deutschland"), (SPANISH, "Alemania"), (ENGLISH, "Germany")):
        for text in (local, local[:5], "Germany"):
            assert suggest(INDEX, text, names)[0].code == "DE", (text, local)
        assert suggest(INDEX, local, names)[0].name == local
        assert suggest(INDEX, local, names)[0].place == "Germany"


def test_there_are_never_more_rows_than_asked_for() -> None:
    for text in ("a", "e", "lo", "london", "spain", "united kingdom"):
        assert len(rows(text)) <= 8
        assert len(rows(text, limit=3)) <= 3


def test_a_full_list_never_cuts_the_exact_code_off() -> None:
    crowd = [an_airport(f"Q{a}{b}", f"Stn {a}{b}", priority=1, base=True) for a in "ABCDE" for b in "ABCDE"]
    index = DestinationIndex([*airports(), *crowd])
    assert rows("stn", index)[0] == "STN"
    assert rows("stn", index, limit=1) == ["STN"]


def test_bases_come_before_priorities_and_those_before_names() -> None:
    index = DestinationIndex(
        [
            an_airport("AAA", "Xyloph One", priority=5),
            an_airport("BBB", "Xyloph Two", priority=900, base=True),
            an_airport("CCC", "Xyloph Three", priority=4),
            an_airport("DDD", "Xyloph B", priority=0),
            an_airport("EEE", "Xyloph A", priority=1000),
        ]
    )
    assert rows("xyloph", index) == ["BBB", "CCC", "AAA", "EEE", "DDD"]


def test_mistakes_are_forgiven_where_nothing_begins_like_it() -> None:
    real = [an_airport(f"AA{number}", f"Madrid {number}") for number in "123"]
    assert rows("madird", DestinationIndex(real))[:3] == ["AA1", "AA2", "AA3"]
    assert rows("madird", DestinationIndex([*real, an_airport("BBB", "Madird")])) == ["BBB"]


def test_three_letters_are_too_few_to_have_been_misspelt() -> None:
    assert rows("xqa") == []


def test_a_text_as_long_as_a_page_finds_nothing() -> None:
    assert rows("x" * 5_000) == []
    assert rows("london " * 700) == rows("london " * 10)


def test_a_row_is_never_offered_twice() -> None:
    for text, _first in FIRST_ROWS:
        found = suggest(INDEX, text, ENGLISH)
        assert len(found) == len(set(found)), text


def test_an_admin_can_hide_an_airport_and_add_search_words() -> None:
    index = an_index(
        DestinationOverride(airport="LHR", hidden=True),
        DestinationOverride(airport="BGY", place="Bergamo", search_words="Lake Como; Lago di Como"),
    )
    assert "LHR" not in rows("london", index)
    assert rows("heathrow", index) == []
    assert rows("lake como", index)[0] == "BGY"
    assert rows("lago di", index)[0] == "BGY"
    assert suggest(index, "BGY", ENGLISH)[0].place == "Bergamo"


def test_hiding_all_but_one_airport_leaves_no_city_of_one() -> None:
    index = an_index(DestinationOverride(airport="REU", hidden=True))
    assert suggest(index, "barcelona", ENGLISH)[0].airports == ("BCN",)


def test_the_place_of_an_airport_is_its_city() -> None:
    index = DestinationIndex(
        [
            an_airport("STN", "London Stansted", city="LONDON"),
            an_airport("LPA", "Las Palmas", city="GRAN_CANARIA"),
            an_airport("SEN", "London Southend", city="SOUTHEND_ON_SEA"),
            an_airport("FEZ", "Fez", city="FEZ"),
            an_airport("JFK", "New York Kennedy", city="NYC"),
            an_airport("QQQ", "Somewhere", city=""),
            an_airport("YYY", "Elsewhere", city="ZONE_51"),
        ]
    )
    places = {
        code: index.destination(code).place for code in ("STN", "LPA", "SEN", "FEZ", "JFK", "QQQ", "YYY")
    }
    assert places == {
        "STN": "London", "LPA": "Gran Canaria", "SEN": "Southend on Sea", "FEZ": "Fez",
        "JFK": "New York Kennedy", "QQQ": "Somewhere", "YYY": "Elsewhere",
    }  # fmt: skip
