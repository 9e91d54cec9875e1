"""Names of countries within a sentence: `Hotels in the Netherlands`, `Hotels in den Niederlanden`.

French, Italian and Polish put places after a dash or a colon, Spanish and Portuguese names do without.
"""

import re

from .translation import get_language

# Names of two words or more that end so, and single ones; `Texas, United States` is none of them.
_ENGLISH = re.compile(
    r"(?!the )[^,]+ (?:Emirates|Islands|Kingdom|Netherlands|Republic|States|Territor(?:y|ies))"
    r"|Bahamas|Comoros|Gambia|Isle of Man|Maldives|Netherlands|Philippines|Seychelles",
    re.IGNORECASE,
)
_GERMAN = {
    "Amerikanische Jungferninseln": "den Amerikanischen Jungferninseln",
    "Bahamas": "den Bahamas",
    "Britische Jungferninseln": "den Britischen Jungferninseln",
    "Cookinseln": "den Cookinseln",
    "Dominikanische Republik": "der Dominikanischen Republik",
    "Falklandinseln": "den Falklandinseln",
    "Färöer": "den Färöern",
    "Kaimaninseln": "den Kaimaninseln",
    "Kanarische Inseln": "den Kanarischen Inseln",
    "Karibische Niederlande": "den Karibischen Niederlanden",
    "Kokosinseln": "den Kokosinseln",
    "Komoren": "den Komoren",
    "Malediven": "den Malediven",
    "Marshallinseln": "den Marshallinseln",
    "Mongolei": "der Mongolei",
    "Niederlande": "den Niederlanden",
    "Nördliche Marianen": "den Nördlichen Marianen",
    "Palästinensische Autonomiegebiete": "den Palästinensischen Autonomiegebieten",
    "Philippinen": "den Philippinen",
    "Pitcairninseln": "den Pitcairninseln",
    "Republik Moldau": "der Republik Moldau",
    "Salomonen": "den Salomonen",
    "Schweiz": "der Schweiz",
    "Seychellen": "den Seychellen",
    "Slowakei": "der Slowakei",
    "Tschechische Republik": "der Tschechischen Republik",
    "Turks- und Caicosinseln": "den Turks- und Caicosinseln",
    "Türkei": "der Türkei",
    "Ukraine": "der Ukraine",
    "Vatikanstadt": "der Vatikanstadt",
    "Vereinigte Arabische Emirate": "den Vereinigten Arabischen Emiraten",
    "Vereinigte Staaten": "den Vereinigten Staaten",
    "Vereinigtes Königreich": "dem Vereinigten Königreich",
    "Westsahara": "der Westsahara",
    "Zentralafrikanische Republik": "der Zentralafrikanischen Republik",
    "Ålandinseln": "den Ålandinseln",
}


def the(place: str) -> str:
    """The place with the article that English says before it; in other languages its name."""
    return f"the {place}" if get_language() == "en" and _ENGLISH.fullmatch(place) else place


def after_in(place: str) -> str:
    """The place as it stands after the word "in" of English and German."""
    return _GERMAN.get(place, place) if get_language() == "de" else the(place)
