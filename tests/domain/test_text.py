"""What can be told from a text itself."""

from __future__ import annotations

from django.conf import settings

from search.domain.words import language_of

TEXTS = [
    ("A calm place to come back to, with windows open to the courtyard and a view of the sea.", "en"),
    ("Das Haus liegt ruhig an der Promenade, mit Blick auf den See und die Berge.", "de"),
    ("L'hôtel est dans le centre, avec une terrasse et des chambres sur la cour.", "fr"),
    ("El hotel está en el centro, con una terraza para los huéspedes y las familias.", "es"),
    ("L'hotel è nel centro, con una terrazza per le famiglie e una vista della città.", "it"),
    ("Hotel jest w centrum, z tarasem dla rodzin i widokiem na morze od strony ulicy.", "pl"),
    ("O hotel fica no centro, com um terraço para as famílias e uma vista do mar.", "pt"),
    ("Hotel Miramar, Barcelona", ""),
    ("駅前のホテルです", ""),
    ("", ""),
]


def test_the_language_of_a_text_shows_in_its_small_words():
    for text, language in TEXTS:
        assert language_of(text) == language


def test_every_language_of_the_site_is_told() -> None:
    assert {language for _text, language in TEXTS if language} == {code for code, _name in settings.LANGUAGES}
