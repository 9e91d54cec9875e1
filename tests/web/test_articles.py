"""Countries and regions within a sentence: with their article where the language wants one."""

import re

import pytest
from babel import Locale

from search.destinations import places
from search.web.labels import after_hotels, the
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
        ("en", "Algarve", "the Algarve"),
        ("en", "Lake District, United Kingdom", "the Lake District, United Kingdom"),
        ("en", "Costa Mesa", "Costa Mesa"),
        ("en", "Punta Gorda Isles", "Punta Gorda Isles"),
        ("de", "Niederlande", "in den Niederlanden"),
        ("de", "Schweiz", "in der Schweiz"),
        ("de", "Vereinigtes Königreich", "im Vereinigten Königreich"),
        ("de", "Malediven", "auf den Malediven"),
        ("de", "Toskana", "in der Toskana"),
        ("de", "Bretagne, Frankreich", "in der Bretagne, Frankreich"),
        ("de", "Algarve", "an der Algarve"),
        ("de", "Côte d’Azur", "an der Côte d’Azur"),
        ("de", "Gardasee", "am Gardasee"),
        ("de", "Bodensee", "am Bodensee"),
        ("de", "Usedom", "auf Usedom"),
        ("pt", "Lago de Constança", "no Lago de Constança"),
        ("de", "Mallorca", "auf Mallorca"),
        ("de", "München", "in München"),
        ("de", "Netherlands", "in Netherlands"),
        ("de", "", ""),
        ("pt", "Algarve", "no Algarve"),
        ("pt", "Porto, Portugal", "no Porto, Portugal"),
        ("pt", "Rio de Janeiro", "no Rio de Janeiro"),
        ("pt", "Madeira", "na Madeira"),
        ("pt", "Baía de Kotor", "na Baía de Kotor"),
        ("pt", "Açores", "nos Açores"),
        ("pt", "Países Baixos", "nos Países Baixos"),
        ("pt", "Ilhas Canárias", "nas Ilhas Canárias"),
        ("pt", "República Dominicana", "na República Dominicana"),
        ("pt", "Lisboa", "em Lisboa"),
        ("pt", "Portugal", "em Portugal"),
        ("pt", "França", "em França"),
        ("pt", "", ""),
        ("es", "Países Bajos", "Países Bajos"),
        ("fr", "Pays-Bas", "Pays-Bas"),
    ],
)
def test_a_place_has_its_article_after_hotels(language: str, place: str, said: str) -> None:
    with override(language):
        assert after_hotels(place) == said


def test_no_german_name_of_a_country_with_an_article_stands_bare_after_hotels() -> None:
    bare = r"(?:\w+e (?!und )[A-Z]|Republik ).*|.*(?:inseln|Marianen|sahara|stadt)"
    named = [name for code, name in Locale("de").territories.items() if code.isalpha() and len(code) == 2]
    countries = {name for name in named if re.fullmatch(bare, name)} - NOWHERE
    with override("de"):
        assert [name for name in sorted(countries) if after_hotels(name) == f"in {name}"] == []


@pytest.mark.parametrize("ending", ["küste", "[arn]see", "tal", "Lago .*", "Costa .*", ".* Islands"])
def test_no_german_name_of_a_coast_a_lake_or_an_isle_stands_bare_after_hotels(ending: str) -> None:
    world = places.world()
    regions = [world.label(one, "de") for one in range(len(world)) if world[one].is_region]
    with override("de"):
        named = [name for name in regions if re.fullmatch(f"(?:.*{ending})", name)]
        assert named
        assert [name for name in named if after_hotels(name) == f"in {name}"] == []


def test_no_portuguese_name_with_an_adjective_of_its_gender_stands_bare_after_hotels() -> None:
    named = [name for code, name in Locale("pt_PT").territories.items() if code.isalpha() and len(code) == 2]
    bare = r"(?:República|Ilhas?|Nova|Arábia|Coreia|Guiana) .+|.+ (?:Unidos|Unido|do Sul|do Norte|Francesa)"
    countries = [name for name in named if re.fullmatch(bare, name)]
    assert countries
    with override("pt"):
        assert [name for name in sorted(countries) if after_hotels(name) == f"em {name}"] == []


@pytest.mark.parametrize(("language", "place"), [("en", "the Netherlands"), ("de", "Netherlands")])
def test_where_no_in_stands_before_it_german_says_the_bare_name(language: str, place: str) -> None:
    with override(language):
        assert the("Netherlands") == place
