"""A new version and the one before on one database: rows are kept, and the one before can still write."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.state import StateApps
from django.test import Client

from search.domain.site_settings import Site
from search.site_settings import store
from search.site_settings.models import SiteSettings

pytestmark = pytest.mark.django_db(transaction=True)

VERSION_BEFORE = ("search", "0003_shared_links")
DAY = date(2031, 5, 1)
SHARED = {
    "code": "aB3dE5gH7jK9",
    "kind": "picks",
    "search": "place=Rome&checkin=2031-05-01&checkout=2031-05-04&guests=2&currency=EUR&market=en-gb",
    "place": "Rome",
    "check_in": DAY,
    "expires": DAY,
    "title": "A week in Rome",
    "shared_at": datetime(2031, 3, 1, tzinfo=UTC),
}
# One row of each table, as the version before wrote it.
ROWS: dict[str, dict[str, Any]] = {
    "SiteSettings": {
        "id": 1,
        "site_name": "Hotels of the version before",
        "cap": 400,
        "sorts": ["price", "rating"],
    },
    "Provider": {"code": "TST", "label": "Test Stays", "order": 3},
    "CodeLabel": {"kind": "facility", "code": "SPA", "label": "Spa and baths"},
    "FeaturedDestination": {"place": "Rome", "airport": "FCO", "text": "Seven hills"},
    "DestinationOverride": {"airport": "LPA", "search_words": "canary"},
    "BlockedProperty": {"key": "TST/1", "reason": "closed"},
    "SharedLink": SHARED,
}


def _migrate(target: tuple[str, str] | None) -> StateApps:
    """To this migration of the app, or to its last; its models at that point."""
    executor = MigrationExecutor(connection)
    targets = [target] if target else executor.loader.graph.leaf_nodes("search")
    executor.migrate(targets)
    return executor.loader.project_state(targets).apps


@pytest.fixture
def version_before() -> Iterator[StateApps]:
    yield _migrate(VERSION_BEFORE)
    _migrate(None)


def _write(apps: StateApps) -> None:
    for model, row in ROWS.items():
        table = apps.get_model("search", model).objects
        table.all().delete()
        table.create(**row)


def test_rows_of_the_version_before_are_kept(version_before: StateApps) -> None:
    _write(version_before)
    apps = _migrate(None)
    for model, row in ROWS.items():
        kept = {name: value for name, value in row.items() if name != "sorts"}
        assert apps.get_model("search", model).objects.filter(**kept).count() == 1, model


def test_a_saved_row_offers_the_later_orders_and_filters(version_before: StateApps) -> None:
    _write(version_before)
    _migrate(None)
    site = store.current()
    assert site.sorts == ("price", "rating", "tradeoffs", "value")
    assert site.filters == Site().filters


def test_the_version_before_reads_no_order_that_it_does_not_know(version_before: StateApps) -> None:
    rows = version_before.get_model("search", "SiteSettings").objects
    _write(version_before)
    _migrate(None)
    store.change({"sorts": ["value", "price"], "cap": 500})
    assert rows.values_list("sorts", "cap").get() == (("price", "rating"), 500)
    SiteSettings.objects.all().delete()
    SiteSettings(cap=700).save()
    assert rows.values_list("sorts", "filters", "cap").get() == (*_first_edition(), 700)
    _migrate(VERSION_BEFORE)
    assert rows.values_list("sorts", "filters", "cap").get() == (*_first_edition(), 700)


def _first_edition() -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(one for one in listed if one not in {"tradeoffs", "value"})
        for listed in (Site().sorts, Site().filters)
    )


def test_the_version_before_still_writes_after_the_migrations(version_before: StateApps) -> None:
    _migrate(None)
    _write(version_before)


def test_pages_work_with_rows_of_the_version_before(version_before: StateApps, client: Client) -> None:
    _write(version_before)
    _migrate(None)
    assert "Hotels of the version before" in client.get("/").content.decode()
    assert "A week in Rome" in client.get(f"/s/{SHARED['code']}/").content.decode()
    client.force_login(User.objects.create_superuser("ada"))
    for model in ROWS:
        assert client.get(f"/admin/search/{model.lower()}/", follow=True).status_code == 200, model
