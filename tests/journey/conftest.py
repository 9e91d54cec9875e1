"""Whole pages over a scripted gateway or the sandbox: real views, services and parsing."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.wire import Wire

SEARCH = "place=Porto&checkin=2030-05-01&checkout=2030-05-04&guests=2"


@pytest.fixture
def wire(wire: Wire, db: None) -> Wire:
    """A scripted gateway in a process of its own, and a database."""
    return wire


@pytest.fixture
def sandbox(db: None) -> None:
    """The embedded sandbox, which every test starts with, and a database."""


@pytest.fixture
def visitor() -> Client:
    return Client()
