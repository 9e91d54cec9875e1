"""A scripted gateway in place of the site's, a clock, and how long views wait."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from search.domain import process
from search.gateway import factory
from search.results import full_results
from tests.journey.conftest import visitor as visitor
from tests.journey.conftest import wire as wire
from tests.results.cached_views import end_of_fetches
from tests.scripted_gateway import LONG, NOW, ScriptedGateway


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def pass_seconds(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(timezone, "now", lambda: clock.now)
    return clock


@pytest.fixture
def connect() -> Iterator[Callable[..., ScriptedGateway]]:
    """Puts a scripted gateway in place of the site's; no fetch runs on into the next test."""
    made: list[ScriptedGateway] = []

    def connect(script: Callable, **options: bool) -> ScriptedGateway:
        made.append(ScriptedGateway(script, **options))
        process.put(factory.build_gateway, made[-1])
        return made[-1]

    yield connect
    for scripted in made:
        scripted.release()
    end_of_fetches()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Views wait for the whole answer, however long it takes."""
    monkeypatch.setattr(full_results, "PATIENCE_SECONDS", LONG)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Views show the first page as soon as it is there."""
    monkeypatch.setattr(full_results, "PATIENCE_SECONDS", -1.0)
