"""The title that is proposed for a link names the place as the page of results does."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from search.sharing.models import SharedLink
from tests.sharing.conftest import share

pytestmark = pytest.mark.usefixtures("few_hotels")

STAY = "checkin=2030-05-01&checkout=2030-05-04&guests=2"


def heading(client: Client, asked: str) -> str:
    html = client.get(f"/hotels/?{asked}&{STAY}").content.decode()
    (found,) = re.findall(r"<h1[^>]*>(.*?)</h1>", html, re.DOTALL)
    return unescape(found).strip().removeprefix("Hotels in ")


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        ("place=San+Jose", "San Jose, Costa Rica"),
        ("place=Springfield&country=US&region=Massachusetts", "Springfield, Massachusetts, United States"),
    ],
)
def test_the_title_of_a_link_names_the_place_as_the_heading_does(sandbox, sharer, visitor, asked, place):
    assert heading(visitor, asked) == place
    title = f"20 hotels in {place}, 1–4 May 2030, 2 guests"
    path = f"/share/hotels/?{asked}&{STAY}"
    assert f'value="{title}"' in unescape(sharer.get(path).content.decode())
    code = share(sharer, path, title=title)
    assert SharedLink.objects.get(code=code).title == ""
    opened = unescape(visitor.get(f"/s/{code}/").content.decode())
    assert f'property="og:title" content="{title}"' in opened
    picked = parse_qs(asked).keys() - {"place"}
    to_results = parse_qs(urlsplit(re.findall(r'href="(/hotels/\?[^"]*)"', opened)[-1]).query)
    assert picked == to_results.keys() & {"country", "region"}
    assert title in unescape(sharer.get("/share/links/").content.decode())
