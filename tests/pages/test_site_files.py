"""The manifest and robots.txt."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_the_manifest_names_the_site_and_its_icons(client: Client):
    answer = client.get("/site.webmanifest")
    manifest = answer.json()
    assert answer["Content-Type"] == "application/manifest+json"
    assert manifest["name"] == "Hotel search"
    assert all(icon["src"].endswith(".svg") for icon in manifest["icons"])


def test_crawlers_are_kept_out_of_searches_only(client: Client):
    lines = client.get("/robots.txt").content.decode().splitlines()
    assert "Disallow: /hotels/?" in lines
    assert "Disallow: /" not in lines
