"""Two instances beside each other know what the other one does, and a backup brings links back."""

from __future__ import annotations

import os
import re
import shlex

import pytest

from tests.faults import plays
from tests.faults.server import misbehaving_server
from tests.servers import ROOT, Server, Site, at_once, results
from tests.waiting import wait_until

from .conftest import Machines
from .parts import postgres_command

BANNER = "Snow until Friday"
SHARE = """
from datetime import date, timedelta
from django.contrib.auth.models import User
from search.domain.query import StayDates, StaySearch
from search.sharing.models import SharedLink, share
day = date.today() + timedelta(days=60)
search = StaySearch("Rome", StayDates(day, day + timedelta(days=3)), 2, (), "EUR", "en-gb")
link = SharedLink(kind="results", search=search.query_string(), place="Rome", check_in=day, expires=day)
link.title, link.snapshot = "A week in Rome", []
print(share(link, User.objects.create_user("ada")).code)
"""


def test_a_changed_setting_shows_on_all_instances(postgres: Server, redis: Server) -> None:
    machines = Machines(postgres, redis, "settings", 1)
    with machines.running(2) as sites:
        assert not any(BANNER in site.get("/").text for site in sites)
        machines.shell(f"from search.site_settings import store; store.change({{'banner_text': '{BANNER}'}})")
        for site in sites:
            wait_until(lambda site=site: BANNER in site.get("/").text, "the banner", 5)


def test_one_search_on_two_instances_at_once_is_one_call(postgres: Server, redis: Server) -> None:
    machines = Machines(postgres, redis, "flights", 2)
    with misbehaving_server("propertyOffers") as server, machines.running(2, server.url) as sites:
        for site in sites:
            site.search("Warm")
        server.misbehave(plays.slow)
        path = results("Rome") + "&sort=provider"
        visits = at_once([lambda site=site: site.get(path) for site in sites for _ in range(10)])
        assert {visit.status for visit in visits} == {200}
        assert server.calls == 1


def _database_of(site: Site, code: str) -> tuple[int, bool]:
    answer = site.get(f"/s/{code}/")
    return answer.status, "A week in Rome" in answer.text


def _as_told(postgres: Server, section: str, kept: dict[str, bytes]) -> None:
    """Runs what a section of docs/deploying.md says of PostgreSQL; `kept` are the files written and read."""
    guide = (ROOT / "docs" / "deploying.md").read_text(encoding="utf-8")
    told = guide.partition(section)[2].partition("\n```\n")[0]
    asked = r"(?:runuser -u postgres --|podman compose -f \S+ exec -T database)"
    commands = re.findall(rf"^{asked} (\w+) ([^<>\n]+)(?:([<>]) (\S+))?", told, re.MULTILINE)
    assert commands
    for name, arguments, direction, file in commands:
        given = {"input": kept[file]} if direction == "<" else {}
        environment = os.environ | {"PGDATABASE": "postgres"}
        printed = postgres_command(postgres, name, *shlex.split(arguments), env=environment, **given)
        if direction == ">":
            kept[file] = printed


@pytest.mark.parametrize(
    ("backup", "restoring"),
    [
        ("## Back up and restore", "Into an empty database"),
        ("A backup, beside which", "Restoring; the migrations"),
    ],
    ids=["machine", "containers"],
)
def test_a_restored_backup_is_the_database_again(
    postgres: Server, redis: Server, backup: str, restoring: str
) -> None:
    postgres_command(postgres, "dropdb", "--if-exists", "hotels")
    machines = Machines(postgres, redis, "hotels", 3)
    with machines.running(1) as (site,):
        code = machines.shell(SHARE)
        assert _database_of(site, code) == (200, True)
    kept: dict[str, bytes] = {}
    _as_told(postgres, backup, kept)
    machines.shell("from search.sharing.models import SharedLink; SharedLink.objects.all().delete()")
    _as_told(postgres, restoring, kept)
    with machines.running(1) as (site,):
        assert _database_of(site, code) == (200, True)
        assert site.get("/s/AAAAAAAAAAAA/").status == 404
    _as_told(postgres, backup, kept)
    (dump,) = kept.values()
    assert code.encode() in postgres_command(postgres, "pg_restore", "--file=-", input=dump)
    # And it can be done again.
    _as_told(postgres, restoring, kept)
