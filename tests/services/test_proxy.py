"""The site behind deploy/nginx.conf, as its visitors have it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from urllib3.exceptions import InsecureRequestWarning

from tests.servers import Server, free_port, results, running_site
from tests.waiting import wait_until

from .parts import running_nginx

HOST = "hotels.example"
SETTINGS = {"ALLOWED_HOSTS": HOST, "SECURE_TLS": "on", "TRUST_PROXY": "on", "METRICS_TOKEN": "token"}


class Proxy:
    def __init__(self, part: Server, site_log: Path) -> None:
        self._port = part.port
        self.nginx_log = part.folder / "hotels.access.log"
        self.site_log = site_log

    def get(self, path: str, **headers: str) -> requests.Response:
        with requests.Session() as session, warnings.catch_warnings():
            warnings.simplefilter("ignore", InsecureRequestWarning)  # a certificate of our own
            session.trust_env = False
            given = {"Host": HOST, **headers}
            address = f"https://127.0.0.1:{self._port}{path}"
            return session.get(address, headers=given, verify=False, timeout=30, allow_redirects=False)


@pytest.fixture(scope="module")
def proxy() -> Iterator[Proxy]:
    with (
        running_site("--workers", "1", "--threads", "8", **SETTINGS) as site,
        # The second one is dead, and no visitor notices.
        running_nginx(site.port, free_port()) as nginx,
    ):
        yield Proxy(nginx, site.log)


def test_a_page_comes_over_tls_and_says_so(proxy: Proxy) -> None:
    answer = proxy.get(results("Barcelona"))
    assert answer.status_code == 200
    assert "max-age=" in answer.headers["Strict-Transport-Security"]
    assert f"https://{HOST}/hotels/" in answer.text


def test_a_dead_machine_costs_nobody_a_page(proxy: Proxy) -> None:
    assert {proxy.get("/robots.txt").status_code for _ in range(10)} == {200}


def test_static_files_come_from_the_disk_compressed_and_for_ever(proxy: Proxy) -> None:
    (path,) = re.findall(r'href="(/static/css/site\.[^"]+)"', proxy.get("/").text)[:1]
    answer = proxy.get(path)
    assert (answer.status_code, answer.headers["Content-Encoding"]) == (200, "gzip")
    assert "immutable" in answer.headers["Cache-Control"]
    assert "X-Request-ID" not in answer.headers
    # Or a cache between gives what is compressed to those who can't read it.
    plain = proxy.get(path, **{"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    assert answer.headers.get("Vary") == plain.headers.get("Vary") == "Accept-Encoding"
    assert proxy.get("/static/nothing.css").status_code == 404


def test_only_pages_without_a_secret_are_compressed(proxy: Proxy) -> None:
    assert proxy.get("/", **{"Accept-Encoding": "gzip"}).headers["Content-Encoding"] == "gzip"
    for secret in ({"Cookie": f"sessionid={'x' * 32}"}, {"Cookie": "csrftoken=x"}):
        assert "Content-Encoding" not in proxy.get("/", **{"Accept-Encoding": "gzip"}, **secret).headers
    assert "Content-Encoding" not in proxy.get("/admin/login/", **{"Accept-Encoding": "gzip"}).headers


def test_metrics_are_not_for_the_world(proxy: Proxy) -> None:
    assert proxy.get("/metrics", Authorization="Bearer token").status_code == 404


def test_nginx_answers_with_the_headers_of_the_site(proxy: Proxy) -> None:
    with running_nginx(free_port()) as alone:
        behind_nobody = Proxy(alone, proxy.site_log).get("/")
    assert (behind_nobody.status_code, behind_nobody.headers["Retry-After"]) == (502, "2")
    assert "try again" in behind_nobody.text
    too_long, too_large = proxy.get(f"/{'a' * 40_000}"), proxy.get("/", Cookie="a" * 40_000)
    assert (too_long.status_code, too_large.status_code) == (414, 400)
    assert too_long.text == too_large.text == "This request can't be read.\n"
    for answer in (behind_nobody, proxy.get("/metrics"), too_long, too_large):
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "max-age=" in answer.headers["Strict-Transport-Security"]


def test_both_logs_have_one_id_and_no_query(proxy: Proxy) -> None:
    answer = proxy.get("/s/AbCdEfGhIjKl/?secret=1", **{"X-Request-ID": "forged-by-a-visitor"})
    number = answer.headers["X-Request-ID"]
    for log in (proxy.nginx_log, proxy.site_log):
        # The line is written after the answer.
        wait_until(lambda log=log: number in log.read_text(), log.name)
        (line,) = [line for line in log.read_text().splitlines() if number in line]
        assert "/s/..." in line
        assert "secret" not in line
    assert "forged" not in number
