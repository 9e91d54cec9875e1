"""The site behind nginx with deploy/nginx-cache.conf: what is kept for others, and what never is."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
import requests

from tests.servers import Server, Site, results, running_sandbox
from tests.waiting import wait_until

from .conftest import Machines
from .parts import running_nginx
from .test_proxy import HOST, SETTINGS, Proxy

PLACES = ("Rome", "Lisbon", "Porto", "Barcelona")
LANGUAGES = {"en-gb": "en", "de-de": "de", "fr-fr": "fr", "pl-pl": "pl"}
STAFF = """
from importlib import import_module
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
ann = User.objects.create_superuser("ann")
session = import_module(settings.SESSION_ENGINE).SessionStore()
session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(ann.pk), settings.AUTHENTICATION_BACKENDS[-1]
session[HASH_SESSION_KEY] = ann.get_session_auth_hash()
session.save()
print(session.session_key)
"""


class Front(Proxy):
    """nginx with a cache over the sites, and what it says of each request."""

    def __init__(self, part: Server, sites: list[Site]) -> None:
        super().__init__(part, sites[0].log)
        self.sites = sites

    def settled(self, path: str, **headers: str) -> requests.Response:
        """The page once its prices are in and it may be kept."""
        wait_until(lambda: "public" in self.get(path, **headers).headers["Cache-Control"], path, 30)
        return self.get(path, **headers)

    def log(self) -> list[dict[str, str]]:
        return [json.loads(line) for line in self.nginx_log.read_text().splitlines()]

    def asked_by_site(self) -> list[int]:
        """How many requests for pages each site has answered so far."""
        return [len(re.findall(r"path=/(?:hotels|destinations)/ ", one.output)) for one in self.sites]


@pytest.fixture(scope="module")
def machines(postgres: Server, redis: Server) -> Machines:
    made = Machines(postgres, redis, "front", 7)
    made.environment |= SETTINGS
    return made


@pytest.fixture(scope="module")
def front(machines: Machines) -> Iterator[Front]:
    with machines.running(2) as sites, running_nginx(*(one.port for one in sites), cache=True) as nginx:
        yield Front(nginx, sites)


def test_pages_asked_for_again_never_reach_the_site(front: Front) -> None:
    paths = [results(place, market=market) for place in PLACES for market in LANGUAGES]
    paths += [f"/destinations/?market={market}" for market in LANGUAGES]
    tags = {path: front.settled(path).headers["ETag"] for path in paths}
    asked, logged = sum(front.asked_by_site()), len(front.log())
    visits = [(path, seen) for path in 5 * paths for seen in ({}, {"If-None-Match": tags[path]})]
    answers = [front.get(path, **seen) for path, seen in visits]
    wait_until(lambda: len(front.log()) == logged + len(answers), "the log")
    cached = Counter(line["cache"] for line in front.log()[logged:])
    statuses = Counter(one.status_code for one in answers)
    share = cached["HIT"] / len(answers)
    print(f"\n{len(answers)} visits of {len(paths)} pages: hit rate {share:.0%}, statuses {dict(statuses)}")
    assert statuses == {200: len(answers) // 2, 304: len(answers) // 2}
    assert cached["HIT"] == len(answers)
    assert sum(front.asked_by_site()) == asked
    assert all(one.content == b"" for one in answers if one.status_code == 304)


def test_searches_and_languages_are_never_mixed(front: Front) -> None:
    for place in PLACES:
        for market, language in LANGUAGES.items():
            html = front.settled(results(place, market=market)).text
            assert f'<html lang="{language}"' in html
            assert f'name="place" value="{place}' in html or place in html.partition("</h1>")[0]


def test_without_a_market_each_browser_has_its_language(front: Front) -> None:
    for path in ("/", "/destinations/"):
        for _again in range(2):
            for language in LANGUAGES.values():
                assert f'<html lang="{language}"' in front.settled(path, **{"Accept-Language": language}).text


def test_suggestions_for_machines_are_no_page(front: Front) -> None:
    path = "/destinations/?q=rom&market=en-gb"
    for _again in range(2):
        assert "<html" in front.get(path, Accept="text/html").text
        assert front.get(path, Accept="application/json").json()


def test_each_browser_gets_an_encoding_that_it_reads(front: Front) -> None:
    path = results("Rome")
    front.settled(path)
    for _again in range(2):
        for encoding in ("br", "gzip", "identity"):
            page = front.get(path, **{"Accept-Encoding": encoding})
            assert page.headers.get("Content-Encoding", "identity") == encoding


def test_a_colleague_passes_the_cache_by(front: Front, machines: Machines) -> None:
    session = {"Cookie": f"sessionid={machines.shell(STAFF)}"}
    for path in (results("Rome"), "/", "/destinations/"):
        front.settled(path)
        mine = front.get(path, **session)
        assert 'href="/admin/"' in mine.text
        assert "private" in mine.headers["Cache-Control"]
        assert 'href="/admin/"' not in front.get(path).text


def test_a_colleague_s_first_visit_is_kept_for_nobody(front: Front, machines: Machines) -> None:
    path = results("Athens")
    session = {"Cookie": f"sessionid={machines.shell(STAFF.replace('ann', 'bea'))}"}
    for _again in range(3):
        assert "/share/hotels/" in front.get(path, **session).text
    assert "/share/" not in front.settled(path).text


def test_links_forms_and_failures_are_not_kept(front: Front) -> None:
    paths = ("/s/AbCdEfGhIjKl/", "/admin/login/", "/no-such-page/", "/shortlist/", "/hotels/?checkin=x")
    before = len(front.log())
    for path in paths:
        front.get(path), front.get(path)
    wait_until(lambda: len(front.log()) == before + 2 * len(paths), "the log")
    assert {line["cache"] for line in front.log()[before:]} <= {"MISS", "BYPASS", ""}


def test_a_search_with_its_hotels_stays_with_one_machine(front: Front) -> None:
    before = len(front.log())
    places = [f"Place{number}" for number in range(12)]
    for place in places:
        for more in ({}, {"sort": "rating"}, {"page": "2"}):
            front.get(results(place, **more))
    wait_until(lambda: len(front.log()) == before + 3 * len(places), "the log")
    lines = front.log()[before:]
    by_search = [{line["upstream"] for line in lines[start : start + 3]} for start in range(0, len(lines), 3)]
    assert {len(one) for one in by_search} == {1}
    assert len(set.union(*by_search)) == 2


def test_while_the_site_is_away_kept_pages_are_shown(front: Front) -> None:
    path = results("Rome")
    page = front.settled(path)
    with ExitStack() as back:
        for site in front.sites:
            site.stop()
            back.callback(site.start)
        assert front.get(path).text == page.text
        assert front.get(results("Berlin")).status_code == 502


@pytest.mark.filterwarnings("ignore::urllib3.exceptions.InsecureRequestWarning")
def test_a_page_begins_before_its_prices_are_there(machines: Machines) -> None:
    with (
        running_sandbox(SANDBOX_WEATHER="slow=2") as gateway,
        machines.running(1, gateway.url) as sites,
        running_nginx(sites[0].port, cache=True) as nginx,
    ):
        opened = {"Host": HOST, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
        address = f"https://127.0.0.1:{nginx.port}{results('Rome')}"
        with requests.get(address, headers=opened, verify=False, stream=True, timeout=30) as page:
            begun = b""
            while b"<h1" not in begun:
                begun += page.raw.read1(decode_content=True)
            assert b"listing-card__name" not in begun
            assert b"listing-card__name" in page.raw.read(decode_content=True)
