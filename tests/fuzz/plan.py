"""How many requests, and which."""

from __future__ import annotations

from typing import NamedTuple

import pytest


class Plan(NamedTuple):
    count: int = 150
    seed: int = 1

    def pytest_configure(self, config: pytest.Config) -> None:
        """Makes a plan a plugin of pytest that says what to run."""
        config.stash[PLAN] = self


PLAN = pytest.StashKey[Plan]()
