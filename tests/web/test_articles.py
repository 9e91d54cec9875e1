"""Countries within a sentence: with their article where the language wants one."""

import re

import pytest
from babel import Locale

from search.web.articles import after_in, the
from search.web.translation import override

# No place on the site: without people, or no country.
NOWHERE = {
    "Amerikanische Überseeinseln", "Europäische Union", "Französische Süd- und Antarktisgebiete",
    "Heard und McDonaldinseln", "Südgeorgien und die Südlichen Sandwichinseln", "Unbekannte Region",
    "Vereinte Nationen",
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "place", "said"),
    [
        ("en", "Netherlands", "the Netherlands"),
        ("en", "united states", "the united states"),
        ("en", "United Kingdom", "the United Kingdom"),
        ("en", "United Arab Emirates", "the United Arab Emirates"),
        ("en", "Dominican Republic", "the Dominican Republic"),
        ("en", "Czech Republic", "the Czech Republic"),
        ("en", "Philippines", "the Philippines"),
        ("en", "Maldives", "the Maldives"),
        ("en", "Bahamas", "the Bahamas"),
        ("en", "Canary Islands", "the Canary Islands"),
        ("en", "the Cayman Islands", "the Cayman Islands"),
        ("en", "The Netherlands", "The Netherlands"),
        ("en", "Czechia", "Czechia"),
        ("en", "Republic", "Republic"),
        ("en", "Texas, United States", "Texas, United States"),
        ("de", "Niederlande", "den Niederlanden"),
        ("de", "Schweiz", "der Schweiz"),
        ("de", "München", "München"),
        ("de", "Netherlands", "Netherlands"),
        ("es", "Países Bajos", "Países Bajos"),
        ("fr", "Pays-Bas", "Pays-Bas"),
    ],
)
def test_a_country_has_its_article_after_in(language: str, place: str, said: str) -> None:
    with override(language):
        assert after_in(place) == said


def test_no_german_name_of_a_country_with_an_article_stands_bare_after_in() -> None:
    bare = r"(?:\w+e (?!und )[A-Z]|Republik ).*|.*(?:inseln|Marianen|sahara|stadt)"
    named = [name for code, name in Locale("de").territories.items() if code.isalpha() and len(code) == 2]
    countries = {name for name in named if re.fullmatch(bare, name)} - NOWHERE
    with override("de"):
        assert [name for name in sorted(countries) if after_in(name) == name] == []


@pytest.mark.parametrize(("language", "place"), [("en", "the Netherlands"), ("de", "Netherlands")])
def test_where_no_in_stands_before_it_german_says_the_bare_name(language: str, place: str) -> None:
    with override(language):
        assert the("Netherlands") == place
