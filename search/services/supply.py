"""Where the site's hotels come from: the connection to the gateway, told what the site's settings say."""

from __future__ import annotations

from search.gateway import connection
from search.gateway.caching import FreshTimes
from search.gateway.connection import status, uses_sandbox

from . import site

__all__ = ["connect", "status", "uses_sandbox"]


def connect() -> None:
    """Let the wire keep answers for as long as admins say; called once when the project starts."""
    connection.use_fresh_times(_fresh_times)


def _fresh_times() -> FreshTimes:
    settings = site.current()
    return FreshTimes(
        search=settings.search_fresh_seconds,
        details=settings.details_fresh_seconds,
        airports=settings.airports_fresh_seconds,
    )
