"""The embedded sandbox is told which day it is."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.utils import timezone

from search.gateway import factory


def test_the_sandbox_gives_the_prices_of_today(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SANDBOX_DAY = None
    monkeypatch.setattr(timezone, "now", lambda: datetime(2030, 4, 20, 23, 30, tzinfo=UTC))
    settings.TIME_ZONE = "UTC"
    assert factory.sandbox_day() == date(2030, 4, 20)
    settings.TIME_ZONE = "Europe/Madrid"
    assert factory.sandbox_day() == date(2030, 4, 21)


def test_the_environment_names_the_day_of_the_sandbox(settings: Any) -> None:
    settings.SANDBOX_DAY = date(2030, 4, 27)
    assert factory.sandbox_day() == date(2030, 4, 27)
