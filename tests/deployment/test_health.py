"""/healthz and /readyz: what a watching machine learns."""

import re
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import InterfaceError, OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from search.monitoring import status


def test_healthz_needs_nothing_and_names_the_version(client: Client) -> None:
    answer = client.get("/healthz")
    newest = re.findall(r"^## (\S+)", (settings.BASE_DIR / "CHANGELOG.md").read_text(), re.MULTILINE)[0]
    assert (answer.status_code, answer.text) == (200, f"ok {newest}\n")
    assert not answer.cookies
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_readyz_tells_of_database_cache_and_breaker(client: Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {
        "ready": True,
        "stopping": False,
        "database": "ok",
        "cache": "ok",
        "breaker": {"search": "closed", "details": "closed", "airports": "closed"},
        "turned_away": 0,
    }


@pytest.mark.django_db
@pytest.mark.parametrize("host", ["10.0.0.7:8000", "[2001:db8::1]", "elsewhere.example", "not a host", ""])
def test_health_is_told_whatever_name_the_site_is_asked_by(client: Client, host: str) -> None:
    for path in ("/healthz", "/readyz"):
        assert client.get(path, headers={"host": host}).status_code == 200
    assert client.get("/", headers={"host": "elsewhere.example"}).status_code == 400


@pytest.mark.django_db
@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_readyz_says_that_the_database_is_gone(
    client: Client, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def gone() -> None:
        raise error("no such host: db.internal")

    monkeypatch.setattr(connection, "cursor", gone)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["database"] == "down"
    assert "db.internal" not in answer.text


@pytest.mark.django_db
@pytest.mark.parametrize("is_another_database", [True, False])
def test_readyz_says_that_a_migration_is_missing(client: Client, is_another_database: bool) -> None:
    assert client.get("/readyz").json()["database"] == "ok"
    recorder = MigrationRecorder(connection)
    name = max(name for app, name in recorder.applied_migrations() if app == "search")
    if is_another_database:
        recorder.migration_qs.all().delete()
    else:
        recorder.record_unapplied("search", name)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (503, "not migrated")


@pytest.mark.django_db
def test_a_version_that_is_gone_back_to_is_ready(client: Client) -> None:
    MigrationRecorder(connection).record_applied("search", "9999_of_a_later_version")
    assert client.get("/readyz").json()["database"] == "ok"
    with pytest.raises(SystemCheckError, match=r"a newer version: .* 9999_of_a_later_version"):
        call_command("check", databases=["default"], fail_level="WARNING")


@pytest.mark.django_db
def test_a_database_that_hangs_holds_one_question_only(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, over = Event(), Event()

    def hang() -> None:
        asked.set()
        over.wait()
        raise OperationalError("gone at last")

    monkeypatch.setattr(status, "PATIENCE_SECONDS", 0)
    monkeypatch.setattr(status, "connection", SimpleNamespace(cursor=hang))
    first = Thread(target=client.get, args=("/readyz",))
    first.start()
    try:
        assert asked.wait(timeout=10)
        second = Thread(target=lambda: answers.append(Client().get("/readyz")))
        answers: list[Any] = []
        second.start()
        second.join(timeout=10)
        assert [(one.status_code, one.json()["database"]) for one in answers] == [(503, "down")]
    finally:
        over.set()
        first.join()


@pytest.mark.django_db
def test_readyz_says_that_the_cache_is_gone(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*args: object, **kwargs: object) -> None:
        raise ConnectionError("redis.internal")

    monkeypatch.setattr(cache, "set", gone)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert (answer.json()["database"], answer.json()["cache"]) == ("ok", "down")
    assert "redis.internal" not in answer.text


@pytest.mark.django_db
def test_a_process_that_is_about_to_stop_is_not_ready(client: Client) -> None:
    answer = client.get("/readyz", **{"hotelsite.stopping": True})
    assert (answer.status_code, answer.json()["stopping"]) == (503, True)


@pytest.mark.parametrize("address", ["/healthz", "/readyz", "/metrics"])
def test_another_method_is_refused_with_those_there_are(address: str) -> None:
    answer = Client(enforce_csrf_checks=True).post(address)
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
    assert Client().head("/healthz").status_code == 200
