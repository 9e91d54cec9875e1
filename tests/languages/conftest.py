"""The site over its sandbox, read in every language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client

from search.destinations import service as destinations
from search.gateway import factory

MARKETS = {"de": "de-de", "es": "es-es", "fr": "fr-fr", "it": "it-it", "pl": "pl-pl", "pt": "pt-pt"}


@pytest.fixture
def visitor(settings, db) -> Iterator[Client]:
    settings.GATEWAY_BASE_URL = ""
    factory.reconnect()
    destinations.forget()
    yield Client()
    factory.reconnect()
