"""Is the site fit to answer? Asked by whatever watches it, so: quick, and no call to the gateway."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.core.cache import cache
from django.db import DatabaseError, connection

from . import supply

PROBE_KEY = "health"


@dataclass(frozen=True)
class Health:
    """What the site stands on. An open breaker (by endpoint) is told, but the site answers all the same."""

    database: bool
    cache: bool
    breakers: Mapping[str, str]

    @property
    def ready(self) -> bool:
        """Whether visitors should be sent here."""
        return self.database and self.cache


def check() -> Health:
    """Asks the database and the cache one small question each."""
    return Health(
        database=_database_answers(), cache=_cache_answers(), breakers=dict(supply.status().breakers)
    )


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            return bool(cursor.fetchone() == (1,))
    except DatabaseError:
        return False


def _cache_answers() -> bool:
    try:
        cache.set(PROBE_KEY, 1, 10)
        return bool(cache.get(PROBE_KEY) == 1)
    except Exception:  # each backend raises errors of its own, and all mean the same
        return False
