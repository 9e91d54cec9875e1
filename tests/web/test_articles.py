"""Countries within a sentence: with their article where the language wants one."""

import pytest

from search.web.articles import after_in, the
from search.web.translation import override


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


@pytest.mark.parametrize(("language", "place"), [("en", "the Netherlands"), ("de", "Netherlands")])
def test_where_no_in_stands_before_it_german_says_the_bare_name(language: str, place: str) -> None:
    with override(language):
        assert the("Netherlands") == place
