"""The manifest, robots.txt, the icon, and what holds for every page: links to the others, methods."""

import re
from datetime import datetime, timedelta
from xml.etree import ElementTree

import pytest
from django.templatetags.static import static
from django.test import Client
from django.utils.timezone import now

from search.site_settings.models import SiteSettings

SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"

pytestmark = pytest.mark.django_db


def test_the_manifest_names_the_site_and_its_icons(client: Client):
    answer = client.get("/site.webmanifest")
    manifest = answer.json()
    assert answer["Content-Type"] == "application/manifest+json"
    assert manifest["name"] == "Hotel search"
    assert [icon["src"] for icon in manifest["icons"]] == [
        static("img/icon.svg"),
        static("img/icon-maskable.svg"),
    ]


def test_crawlers_are_kept_out_of_searches_only(client: Client):
    lines = client.get("/robots.txt").content.decode().splitlines()
    assert "Disallow: /hotels/?" in lines
    assert "Disallow: /" not in lines


def test_robots_name_the_sitemap_by_its_whole_address(client: Client):
    lines = client.get("/robots.txt", secure=True).content.decode().splitlines()
    assert "Sitemap: https://testserver/sitemap.xml" in lines


def test_security_txt_names_the_contact(client: Client):
    SiteSettings(contact_email="desk+web@rooms.example", default_market="de-de").save()
    answer = client.get("/.well-known/security.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    contact, expires, languages = answer.text.splitlines()
    assert (contact, languages) == ("Contact: mailto:desk%2Bweb@rooms.example", "Preferred-Languages: de, en")
    left = datetime.fromisoformat(expires.removeprefix("Expires: ")) - now()
    assert timedelta(days=30) < left < timedelta(days=365)


def test_security_txt_is_missing_without_a_contact(client: Client):
    assert client.get("/.well-known/security.txt").status_code == 404


@pytest.mark.parametrize("path", ["/", "/no-such-page/", "/hotels/?place=Rome", "/shortlist/"])
def test_every_page_links_what_the_law_wants(client: Client, path: str):
    assert "Imprint" not in client.get(path).text
    SiteSettings(imprint_address="/imprint", privacy_address="https://rooms.example/?a=1&b=2").save()
    html = client.get(f"{path}{'&' if '?' in path else '?'}market=de-de").text
    assert re.findall(r'href="([^"]*)">(Impressum|Datenschutz)', html) == [
        ("/imprint", "Impressum"),
        ("https://rooms.example/?a=1&amp;b=2", "Datenschutz"),
    ]
    assert "Barrierefreiheit" not in html


def test_the_sitemap_names_countries_and_regions(client: Client):
    answer = client.get("/sitemap.xml")
    assert answer["Content-Type"] == "application/xml"
    assert "max-age=86400" in answer["Cache-Control"]
    named = [one.text or "" for one in ElementTree.fromstring(answer.content).iter(f"{SITEMAP}loc")]
    assert len(named) == len(set(named)) < 50_000
    paths = [address.removeprefix("http://testserver") for address in named]
    assert {"/destinations/es/", "/destinations/es/andalusia/", "/destinations/cn/?page=2"} < {*paths}
    for path in paths[::60]:
        html = client.get(path).content.decode()
        assert f'<link rel="canonical" href="http://testserver{path}">' in html
        assert 'name="robots"' not in html


@pytest.mark.parametrize("path", ["/", "/no-such-page/"])
def test_every_page_leads_to_the_destinations_in_its_market(client: Client, path: str):
    assert client.get(path).content.decode().count('href="/destinations/"') >= 2
    assert (
        client.get(f"{path}?market=de-de").content.decode().count('href="/destinations/?market=de-de"') >= 2
    )


def test_the_icon_is_found_where_browsers_look_first(client: Client):
    assert client.get("/favicon.ico")["Location"].endswith("icon.svg")


def test_a_page_that_only_shows_refuses_other_methods():
    strict = Client(enforce_csrf_checks=True)
    for path in (
        "/", "/hotels/?place=Rome", "/hotels/AAA/1/", "/destinations/", "/destinations/from/STN/",
        "/hotels/progress/", "/s/nothing/", "/robots.txt", "/sitemap.xml", "/destinations/es/",
        "/favicon.ico", "/healthz", "/.well-known/security.txt",
    ):  # fmt: skip
        for method in ("post", "put", "delete", "options"):
            answer = getattr(strict, method)(path)
            assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD"), (path, method)


def test_a_browser_finds_its_worker_and_a_page_for_no_network(client: Client):
    worker, page = client.get("/service-worker.js"), client.get("/offline/")
    assert worker["Content-Type"].startswith("text/javascript")
    assert worker.content.count(b"\n") <= 60
    assert "max-age=0" in worker["Cache-Control"]
    assert "You are offline" in page.content.decode()
