"""Two processes of one site: one stands still, neither can write, or the database is away."""

import os
import re
import resource
import signal
import sqlite3
import time
from collections.abc import Iterator

import pytest

from tests.servers import Site, at_once, manage, running_site
from tests.waiting import wait_until

from .test_walk import RESULTS

pytestmark = pytest.mark.thorough


@pytest.fixture
def pair() -> Iterator[Site]:
    with running_site("--workers", "2", SANDBOX_DAY="2000-01-01") as running:
        yield running


def test_a_process_that_stands_still_is_replaced(pair: Site) -> None:
    assert {one.status for one in at_once([lambda: pair.get(RESULTS)] * 8)} == {200}
    stopped, other = pair.workers()
    os.kill(stopped, signal.SIGSTOP)
    began = time.monotonic()
    visits = at_once([lambda: pair.get(RESULTS)] * 16)
    assert {one.status for one in visits} == {200}
    assert max(one.seconds for one in visits) < 3
    wait_until(lambda: stopped not in pair.workers() and len(pair.workers()) == 2, "another process", 15)
    assert time.monotonic() - began < 15
    assert other in pair.workers()


def test_on_a_full_disk_links_are_found_and_the_site_is_ready(pair: Site) -> None:
    # Both have begun: what a process opens at its start is in memory, which isn't full.
    assert {one.status for one in at_once([lambda: pair.get(RESULTS)] * 8)} == {200}
    for process in pair.workers():
        # No file can grow, as on a full disk.
        resource.prlimit(process, resource.RLIMIT_FSIZE, (0, 0))
    ready = at_once([lambda: pair.get("/readyz")] * 4)
    assert {one.json()["database"] for one in ready} == {"ok"}
    # No such link: the database said so.
    links = at_once([lambda: pair.get("/s/abcdefghijkl/")] * 4)
    assert {one.status for one in links} == {404}


def test_a_start_on_a_newer_versions_database_says_so(pair: Site) -> None:
    pair.stop()
    with sqlite3.connect(pair.folder / "db.sqlite3") as database:
        database.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('search', '0999_x', 0)")
    assert "newer version" not in pair.output
    pair.start()
    assert pair.get("/readyz").json()["ready"]
    (line,) = [line for line in pair.output.splitlines() if "newer version" in line]
    assert "level=WARNING" in line
    assert "0999_x" in line


def test_without_a_database_two_processes_show_one_page(pair: Site) -> None:
    cheapest = re.compile(r'class="(?:price__total|ladder__price)"><strong>([^<]+)<')
    usual = cheapest.findall(pair.get(RESULTS).text)
    chosen = "store.change({'page_size': 7, 'price_basis': 'night'})"
    database = pair.folder / "db.sqlite3"
    code = f"from search.site_settings import store; {chosen}"
    assert manage("shell", "--no-imports", "-c", code, DATABASE_URL=f"sqlite:///{database}").returncode == 0

    def cards() -> set[int]:
        visits = at_once([lambda: pair.get(RESULTS)] * 16)
        return {len(cheapest.findall(one.text)) for one in visits}

    wait_until(lambda: cards() == {7}, "seven cards of both processes")
    for file in pair.folder.glob("db.sqlite3*"):
        file.rename(file.with_name(f"gone-{file.name}"))
    database.mkdir()
    killed, other = pair.workers()
    os.kill(killed, signal.SIGKILL)
    wait_until(lambda: len(pair.workers()) == 2 and killed not in pair.workers(), "another process")
    seen = [cheapest.findall(pair.get(RESULTS).text) for _ in range(8)]
    os.kill(other, signal.SIGSTOP)  # so that the new one alone answers
    seen += [cheapest.findall(pair.get(RESULTS).text) for _ in range(8)]
    os.kill(other, signal.SIGCONT)
    assert all(one == seen[0] for one in seen)
    assert len(seen[0]) == 7
    assert seen[0][0] not in usual
