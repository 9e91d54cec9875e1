"""A visitor's walk over real HTTP: home, results, last page, hotel; and what each answer carries."""

import gzip
import re
from html import unescape
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.servers import Seen, Site, results

from .conftest import TOKEN

pytestmark = pytest.mark.thorough

RESULTS = results("Barcelona")


class Page(HTMLParser):
    """The links, assets and cards' totals of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.assets: list[str] = []
        self.feed(html)
        self.names = re.findall(r'class="listing-card__name"><a href="([^"]+)"', html)
        self.totals = [
            unescape(t) for t in re.findall(r'class="(?:price__total|ladder__price)"><strong>([^<]+)<', html)
        ]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "a":
            self.links.append((given.get("href", ""), given.get("rel", "")))
        if tag == "link" and given.get("rel") in {"stylesheet", "icon"}:
            self.assets.append(given["href"])
        if tag in {"script", "img"} and given.get("src"):
            self.assets.append(given["src"])


def _page(answer: Seen) -> Page:
    assert answer.status == 200, answer.text[:2000]
    assert answer.headers["Content-Type"].startswith("text/html")
    assert "Set-Cookie" not in answer.headers
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    return Page(answer.text)


def test_the_first_start_says_where_it_is_and_how_to_sign_in(site: Site) -> None:
    assert site.url in site.output
    assert re.search(r"user admin, password \S{12,}", site.output)


def test_home_leads_to_results(site: Site) -> None:
    answer = site.get("/")
    _page(answer)
    assert 'action="/hotels/"' in answer.text
    assert 'name="place"' in answer.text


def test_results_show_twenty_cards_with_totals(site: Site) -> None:
    page = _page(site.get(RESULTS))
    assert len(page.names) == 20
    assert len(page.totals) >= 18  # a few hotels of the sandbox have no price for some dates


def test_the_pager_reaches_the_last_page(site: Site) -> None:
    page = _page(site.get(RESULTS))
    pages = [
        (int(parse_qs(urlsplit(href).query).get("page", ["1"])[0]), href)
        for href, _rel in page.links
        if "page=" in href and urlsplit(href).path in {"", "/hotels/"}
    ]
    number, address = max(pages)
    assert number > 2
    last = _page(site.get(address if address.startswith("/") else "/hotels/" + address))
    assert 1 <= len(last.names) <= 20
    assert not [rel for _href, rel in last.links if rel == "next"]


def test_a_cards_hotel_has_rooms_at_the_same_price(site: Site) -> None:
    page = _page(site.get(RESULTS))
    answer = site.get(unescape(page.names[0]))
    hotel = _page(answer)
    assert page.totals[0] in hotel.totals
    assert 'class="room-types"' in answer.text


def test_assets_are_hashed_for_ever_and_compressed(site: Site) -> None:
    assets = {
        asset
        for address in ("/", RESULTS)
        for asset in _page(site.get(address)).assets
        if urlsplit(asset).path.startswith("/static/")
    }
    assert assets
    for asset in assets:
        answer = site.get(asset, Accept_Encoding="br")
        assert answer.status == 200, asset
        assert "immutable" in answer.headers["Cache-Control"], asset
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        if int(answer.headers["Content-Length"]) > 1000 and asset.endswith((".css", ".js", ".svg")):
            assert answer.headers["Content-Encoding"] == "br", asset


def test_pictures_of_the_sandbox_come_from_the_site_itself(site: Site) -> None:
    pictures = [src for src in _page(site.get(RESULTS)).assets if not src.startswith("/static/")]
    assert pictures
    assert all(src.startswith("/") for src in pictures)
    answer = site.get(pictures[0])
    assert answer.status == 200
    assert answer.headers["Content-Type"].startswith("image/svg+xml")


def test_pages_are_compressed_for_visitors(site: Site) -> None:
    answer = site.get(RESULTS, Accept_Encoding="gzip")
    assert len(answer.body) < 40_000
    assert b"</html>" in gzip.decompress(answer.body)


def test_machines_learn_that_it_is_live_and_ready(site: Site) -> None:
    assert site.get("/healthz").text.startswith("ok ")
    assert site.get("/readyz").json()["ready"] is True


def test_one_process_tells_what_all_have_counted(site: Site) -> None:
    def requests_for_robots() -> float:
        answer = site.get("/metrics", Authorization=f"Bearer {TOKEN}")
        counts = re.findall(
            r'^hotelsite_http_requests_total\{status="200",view="robots"\} (\S+)$', answer.text, re.M
        )
        return float(counts[0]) if counts else 0

    before = requests_for_robots()
    for _ in range(20):  # each on a connection of its own, so that every process gets some
        site.get("/robots.txt")
    assert {requests_for_robots() - before for _ in range(10)} == {20}


def test_a_forwarded_host_or_scheme_changes_nothing(site: Site) -> None:
    answer = site.get("/", X_Forwarded_Host="evil.example", X_Forwarded_Proto="https")
    assert "evil.example" not in answer.text
    assert "https://127.0.0.1" not in answer.text


def test_a_log_line_has_the_request_id_and_no_query(site: Site) -> None:
    answer = site.get(RESULTS)
    lines = [line for line in site.output.splitlines() if f"request={answer.headers['X-Request-ID']}" in line]
    assert any("path=/hotels/ status=200" in line for line in lines)
    assert not any("checkin" in line or "apikey" in line for line in lines)
