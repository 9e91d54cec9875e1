"""What can be told from a text itself."""

from __future__ import annotations

import pytest

from search.domain.text import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("A calm place to come back to, with windows open to the courtyard and a view of the sea.", "en"),
        ("Das Haus liegt ruhig an der Promenade, mit Blick auf den See und die Berge.", "de"),
        ("L'hôtel est dans le centre, avec une terrasse et des chambres sur la cour.", "fr"),
        ("El hotel está en el centro, con una terraza para los huéspedes y las familias.", "es"),
        ("Hotel Miramar, Barcelona", ""),
        ("駅前のホテルです", ""),
        ("", ""),
    ],
)
def test_the_language_of_a_text_shows_in_its_small_words(text, language):
    assert language_of(text) == language
