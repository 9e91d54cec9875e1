"""/metrics: who may ask, and what is counted."""

import os
import re
import subprocess
import sys
import threading
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.signals import request_finished
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from hotelsite import gunicorn_conf
from search.domain import process
from search.domain.query import StayDates, StaySearch
from search.gateway import Unavailable
from search.gateway.client import PageQuery
from search.gateway.resilience import LIMITS
from search.results.fetcher import Fetch, Fetcher
from search.results.pagination import Pages, Pagination
from search.sharing.models import LinkKind, SharedLink, share
from search.sharing.views import count_open
from tests.builders import SEARCH
from tests.servers import ROOT, environment
from tests.waiting import wait_until
from tests.wire import Wire

RESULTS = "/hotels/?place=Rome&checkin=2031-05-01&checkout=2031-05-04&guests=2&currency=EUR&market=en-gb"
TOKEN = "t0ken-for-prometheus"


@pytest.fixture(autouse=True)
def _token(settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN


def _text() -> str:
    answer = Client().get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    return answer.text


def _counts() -> dict[str, float]:
    """Each value by its name and labels in alphabetical order: `requests_total status=200 view=home`."""
    return {
        " ".join(
            [sample.name, *(f"{name}={value}" for name, value in sorted(sample.labels.items()))]
        ): sample.value
        for family in text_string_to_metric_families(_text())
        for sample in family.samples
    }


class Grown:
    """What has grown since it was made."""

    def __init__(self) -> None:
        self._before = _counts()

    def __getitem__(self, name: str) -> float:
        return _counts().get(name, 0) - self._before.get(name, 0)


@pytest.fixture
def grown() -> Grown:
    return Grown()


def test_without_a_token_there_is_no_such_page(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"authorization": "Bearer "}).status_code == 404


@pytest.mark.parametrize("shown", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", "Bearer ü"])
def test_whoever_does_not_show_the_token_is_told_to(client: Client, shown: str) -> None:
    answer = client.get("/metrics", headers={"authorization": shown})
    assert (answer.status_code, answer["WWW-Authenticate"], answer.content) == (401, "Bearer", b"")


def test_a_token_may_have_letters_beyond_ascii(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = "schlüssel-€"
    shown = "Bearer schlüssel-€".encode().decode("latin-1")  # as WSGI reads what Prometheus sends
    assert client.get("/metrics", headers={"authorization": shown}).status_code == 200


@pytest.mark.parametrize("address", ["/metrics", "/healthz", "/readyz"])
@pytest.mark.django_db
def test_machines_are_answered_whatever_the_host_and_without_tls(address: str, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    headers = {"host": "10.1.2.3:8000", "authorization": f"Bearer {TOKEN}"}
    assert Client().get(address, headers=headers).status_code == 200


@pytest.mark.django_db
def test_answers_are_counted_by_view_and_status(grown: Grown) -> None:
    Client().get("/")
    Client().get("/nowhere/")
    Client().get("/s/AbCdEfGhIjKl/")
    assert grown["hotelsite_http_requests_total status=200 view=home"] == 1
    assert grown["hotelsite_http_requests_total status=404 view=none"] == 1
    assert grown["hotelsite_http_requests_total status=404 view=shared"] == 1
    assert grown["hotelsite_http_request_duration_seconds_count view=home"] == 1
    assert "AbCdEfGhIjKl" not in _text()


@pytest.mark.django_db
def test_gateway_calls_are_counted_by_their_outcome(wire: Wire, grown: Grown) -> None:
    wire.search(status=503)
    Client().get(RESULTS)
    failed = grown["hotelsite_gateway_calls_total endpoint=search outcome=status-503"]
    assert failed == len(wire.addresses()) > 0
    assert grown["hotelsite_gateway_call_duration_seconds_count endpoint=search"] == failed


@pytest.mark.django_db
def test_values_are_counted_by_where_they_came_from(wire: Wire, grown: Grown) -> None:
    for _ in range(2):
        Client().get("/hotels/ACME/77/")
    asked = len(wire.addresses("/property/"))
    assert grown["hotelsite_gateway_values_total endpoint=details source=miss"] == asked == 1
    assert grown["hotelsite_gateway_values_total endpoint=details source=hit"] > 0


@pytest.mark.django_db
def test_an_open_breaker_shows_until_it_closes(wire: Wire) -> None:
    wire.search(status=503)
    for number in range(LIMITS.breaker_failures):
        Client().get(RESULTS.replace("Rome", f"Rome{number}"))
    request_finished.send(sender=None)
    assert _counts()["hotelsite_gateway_open_breakers endpoint=search"] == 1
    assert _counts()["hotelsite_gateway_open_breakers endpoint=details"] == 0
    process.start()
    request_finished.send(sender=None)
    assert _counts()["hotelsite_gateway_open_breakers endpoint=search"] == 0


@pytest.mark.django_db
def test_full_results_count_while_they_are_fetched(grown: Grown) -> None:
    asked, answered = threading.Event(), threading.Event()

    def page(_query: PageQuery) -> Any:
        asked.set()
        answered.wait(20)
        raise Unavailable("timeout")

    fetch = Fetch(Pages({SEARCH: Pagination(50, 100)}, 100), page, lambda _fetched: None, at_once=1)
    process.part(Fetcher).join("key", lambda: fetch)
    asked.wait(20)
    assert grown["hotelsite_collections_in_progress"] == 1
    answered.set()
    fetch.wait(20)
    wait_until(lambda: grown["hotelsite_collections_in_progress"] == 0, "the end of the collection")


@pytest.mark.django_db
def test_links_made_and_opened_are_counted(grown: Grown) -> None:
    search = StaySearch("Rome", StayDates(date(2031, 5, 1), date(2031, 5, 4)), 2, (), "EUR", "en-gb")
    new = SharedLink(kind="results", search=search.query_string(), place="Rome", check_in=date(2031, 5, 1))
    new.expires = date(2031, 4, 1)
    link = share(new, User.objects.create_user("ada"))
    for _ in range(2):
        count_open(link.code, address="192.0.2.1", browser="Firefox", now=link.shared_at)
    assert grown["hotelsite_shared_links_total kind=results"] == 1
    assert grown["hotelsite_shared_link_opens_total"] == 1


def test_the_first_link_of_a_kind_is_one_more_than_before() -> None:
    assert {f"hotelsite_shared_links_total kind={kind.value}" for kind in LinkKind} <= {*_counts()}


def test_counts_of_servers_that_ended_are_removed(tmp_path: Path) -> None:
    ours, others = str(os.getpid()), str(os.getppid())
    for number in ("4194305", others, ours):  # no process has a number above 4194304
        (tmp_path / f"hotelsite-{number}-a").mkdir()
        (tmp_path / f"hotelsite-{number}-a" / "counter_1.db").touch()
    folder = gunicorn_conf.counting_folder(tmp_path)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {*tmp_path.iterdir()} == {tmp_path / f"hotelsite-{others}-a", folder}
    assert [*tmp_path.glob("*/*")] == [tmp_path / f"hotelsite-{others}-a" / "counter_1.db"]


def test_nothing_is_counted_where_there_is_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files are mapped memory: whoever writes to a hole of one on a full disk gets SIGBUS."""
    monkeypatch.setattr("shutil.disk_usage", lambda _folder: SimpleNamespace(free=1_000_000))
    with pytest.raises(OSError, match="no room"):
        gunicorn_conf.counting_folder(tmp_path)
    assert [*tmp_path.iterdir()] == []


def test_counts_are_kept_in_memory() -> None:
    folder = Path(gunicorn_conf.raw_env[0].partition("=")[2])
    assert folder.parent == Path("/dev/shm")


CLEARED = """
import os, shutil
import django
from hotelsite import gunicorn_conf

name, _, folder = gunicorn_conf.raw_env[0].partition("=")
os.environ[name] = folder
django.setup()
from django.test import Client
assert Client().get("/healthz").status_code == 200
shutil.rmtree(folder)
if child := os.fork():
    raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
gunicorn_conf.post_fork(None, None)
again = os.listdir(folder)
shutil.rmtree(folder)
print(Client().get("/healthz").status_code, sorted(one.partition("_")[0] for one in again))
"""


@pytest.mark.thorough
def test_a_cleared_folder_of_counts_costs_no_page() -> None:
    command = [sys.executable, "-c", CLEARED]
    variables = environment(DJANGO_SETTINGS_MODULE="hotelsite.settings")
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)
    assert done.stdout == "200 ['counter', 'gauge', 'histogram']\n", done.stderr


@pytest.fixture
def file_cache(settings: Any, tmp_path: Path) -> None:
    options = {"OPTIONS": {"MAX_BYTES": 2**20}}
    place = {"BACKEND": "hotelsite.file_cache.FileCache", "LOCATION": str(tmp_path / "cache")}
    settings.CACHES = {**settings.CACHES, "default": {**place, **options}}


def test_a_full_cache_shows_how_far_its_copies_reach_back(file_cache: None, grown: Grown) -> None:
    for number in range(15):
        cache.set(f"page {number}", bytes(100_000), 3_600)
    counts = _counts()
    assert 800_000 < counts["hotelsite_cache_bytes"] <= 2**20
    assert 0 < counts["hotelsite_cache_oldest_seconds"] < 60
    assert counts["hotelsite_cache_evicted_total"] == 15 - counts["hotelsite_cache_entries"]


def test_every_metric_is_explained_and_exists(file_cache: None) -> None:
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"`(hotelsite_\w+)`", text))
    exposed = {line.split()[2] for line in _text().splitlines() if line.startswith("# TYPE hotelsite_")}
    assert explained == {name for name in exposed if not name.endswith("_created")}


def test_an_answer_against_the_interface_is_counted(wire: Wire, grown: Grown) -> None:
    """Its call is `ok`, so without this the metrics would not show it."""
    wire.search({"message": "quota exceeded"})
    assert Client().get(RESULTS).status_code == 503
    assert grown["hotelsite_gateway_garbled_total endpoint=search kind=envelope"] >= 1
