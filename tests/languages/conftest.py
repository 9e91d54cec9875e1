"""The site over its sandbox, read in every language."""

from __future__ import annotations

import pytest
from django.test import Client

MARKETS = {"de": "de-de", "es": "es-es", "fr": "fr-fr", "it": "it-it", "pl": "pl-pl", "pt": "pt-pt"}
# French has rules of its own for spaces; what pages say in the others is looked at by the thorough tests.
EACH_LANGUAGE = [
    pytest.param(language, marks=[pytest.mark.thorough] * (language != "fr")) for language in MARKETS
]


@pytest.fixture
def visitor(db: None) -> Client:
    return Client()
