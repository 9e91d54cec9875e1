"""The site over its sandbox, read in every language."""

from __future__ import annotations

import pytest
from django.test import Client

MARKETS = {"de": "de-de", "es": "es-es", "fr": "fr-fr", "it": "it-it", "pl": "pl-pl", "pt": "pt-pt"}


@pytest.fixture
def visitor(db: None) -> Client:
    return Client()
