"""What a whole text means when it is searched for."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.destinations.index import Kind
from search.destinations.service import resolve
from search.destinations.suggest import suggest
from search.domain.site_settings import DestinationOverride
from tests.destinations.airports import an_index, lines_of

INDEX = an_index()
ENGLISH = "en"
GERMAN = "de"

MEANINGS = lines_of(Path(__file__).with_name("meanings.txt"))
FREE_TEXTS = (
    "100%", "x=y&apikey=evil", "Hotel Adlon (old wing)", "Atlantis & Co", "lond", "Paris (ZZZ)", "es", "..",
    "Somewhere-upon-Nowhere", "a" * 5_000,
)  # fmt: skip


def test_a_known_text_becomes_a_place_and_perhaps_an_airport() -> None:
    for text, place, near in MEANINGS:
        found = resolve(text, INDEX, ENGLISH)
        assert found is not None, text
        assert (found.place, found.near) == (place, near), text


def test_an_unknown_text_is_searched_as_it_was_written() -> None:
    for text in FREE_TEXTS:
        found = resolve(text, INDEX, ENGLISH)
        assert found is not None, text
        assert (found.kind, found.place, found.near) == (Kind.PLACE, text, "")


@pytest.mark.parametrize("text", ["", " ", "\t\n"])
def test_a_blank_text_means_nothing(text: str) -> None:
    assert resolve(text, INDEX, ENGLISH) is None


def test_the_picker_s_text_means_what_was_picked() -> None:
    texts = ("lo", "st", "valencia", "spain", "canary", "malta", "jordan", "m", "b", "vitoria", "olsztyn")
    picked = [row for text in texts for row in suggest(INDEX, text, ENGLISH, limit=50)]
    assert len(picked) > 60
    for row in picked:
        for names in (ENGLISH, GERMAN):
            found = resolve(row.text, INDEX, names)
            assert found is not None
            assert (found.place, found.near) == (row.place, row.near), row.text


def test_namesakes_are_told_apart_by_their_country() -> None:
    venezuelan = resolve("Valencia, Venezuela", INDEX, ENGLISH)
    spanish = resolve("Valencia", INDEX, ENGLISH)
    assert venezuelan is not None
    assert spanish is not None
    assert (venezuelan.country, spanish.country) == ("ve", "es")


def test_an_admins_words_decide_the_place() -> None:
    index = an_index(DestinationOverride(airport="BGY", place="Bergamo", search_words="Lake Como"))
    for text, near in (("BGY", "BGY"), ("Lake Como", ""), ("Bergamo", "")):
        found = resolve(text, index, ENGLISH)
        assert found is not None
        assert (found.place, found.near) == ("Bergamo", near)


def test_a_hidden_airport_is_known_to_old_addresses_only() -> None:
    index = an_index(DestinationOverride(airport="LHR", hidden=True))
    found = resolve("LHR", index, ENGLISH)
    assert found is not None
    assert (found.kind, found.place, found.near) == (Kind.CITY, "London", "")
    assert index.airport("LHR") is not None


@given(st.text(max_size=300))
def test_any_text_at_all_means_something_or_is_blank(text: str) -> None:
    found = resolve(text, INDEX, ENGLISH)
    assert (found is None) == (not text.strip())
    suggest(INDEX, text, ENGLISH)
