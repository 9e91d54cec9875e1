"""The run-time settings: what a page pays for them, beside content as a real site has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import connection
from django.test.utils import CaptureQueriesContext

from search.domain import process
from search.site_settings import store
from search.site_settings.models import (
    BlockedProperty,
    DestinationOverride,
    FeaturedDestination,
    Provider,
    SiteSettings,
)
from tests.bench.figures import Figure, wall_ms

PAGES_BETWEEN_CHECKS = 1000


def figures() -> Iterator[Figure]:
    with _filled_database():
        store.current()
        kept = wall_ms(lambda: [store.current() for _ in range(PAGES_BETWEEN_CHECKS)]) / PAGES_BETWEEN_CHECKS
        yield Figure("settings, a page within two seconds", kept, "ms", budget=0.5)
        yield Figure("settings, the page that checks again", wall_ms(_checked_again), "ms", budget=2)
        yield Figure("settings, its queries", _queries(_checked_again), "queries", budget=1)
        yield Figure("settings, the page after a change", wall_ms(_read_anew), "ms")


def _checked_again() -> None:
    process.part(store.SettingsCache).invalidate()
    store.current()


def _read_anew() -> None:
    process.start()
    store.current()


def _queries(work: Callable[[], None]) -> float:
    with CaptureQueriesContext(connection) as queries:
        work()
    return len(queries)


@contextmanager
def _filled_database() -> Iterator[None]:
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        SiteSettings().save()
        Provider.objects.bulk_create(Provider(code=f"P{n}", order=n) for n in range(12))
        BlockedProperty.objects.bulk_create(
            BlockedProperty(key=f"{n:032x}", reason="closed") for n in range(200)
        )
        FeaturedDestination.objects.bulk_create(FeaturedDestination(place=f"Place {n}") for n in range(12))
        DestinationOverride.objects.bulk_create(
            DestinationOverride(airport=f"A{chr(65 + n)}A", place=f"Place {n}") for n in range(26)
        )
        process.start()
        yield
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)
        process.start()
