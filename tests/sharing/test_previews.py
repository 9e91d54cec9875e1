"""What an address gives away: nothing to search engines, proxies and other sites, little to previews."""

from __future__ import annotations

import re

import pytest

from tests.gateway.documents import an_entry
from tests.sharing.conftest import ONE_PROPERTY, RESULTS, share
from tests.wire import forget


def tags(html: str) -> dict[str, str]:
    return dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)"', html))


def test_a_preview_says_what_and_when_and_no_price(market, sharer, visitor):
    code = share(sharer, title="For Tom", note="Psst")
    found = tags(visitor.get(f"/s/{code}/").content.decode())
    assert found["og:title"] == "3 hotels in Porto, 1–4 May 2030, 2 guests"
    assert found["og:image"] == "https://pictures.example/1.jpg"
    assert found["robots"] == "noindex, nofollow"
    said = " ".join(found.values())
    assert not re.search(r"€|\d+\.\d\d|Psst|Tom", said)


def test_a_preview_of_one_property_names_it_without_its_price(market, sharer, visitor):
    market.has(an_entry())
    html = visitor.get(f"/s/{share(sharer, ONE_PROPERTY)}/").content.decode()
    assert tags(html)["og:title"] == "Hotel Miramar, Porto, 1–4 May 2030, 2 guests"
    assert "ld+json" not in html
    assert "canonical" not in html


def test_a_picture_of_ours_is_named_with_its_host(sandbox, sharer, visitor):
    html = visitor.get(f"/s/{share(sharer)}/").content.decode()
    assert tags(html)["og:image"].startswith("http://testserver/sandbox/photos/")


@pytest.mark.parametrize("state", ["live", "over", "unknown", "refused"])
def test_every_answer_is_private_whatever_it_says(market, sharer, visitor, state):
    code = share(sharer)
    if state == "over":
        sharer.post(f"/share/links/{code}/revoke/")
    for _ in range(30 if state == "refused" else state == "unknown"):
        visitor.get("/s/AAAAAAAAAAAA/")
    page = visitor.get("/s/AAAAAAAAAAAA/" if state == "unknown" else f"/s/{code}/")
    assert page.status_code == {"live": 200, "over": 410, "unknown": 404, "refused": 429}[state]
    assert page["Referrer-Policy"] == "no-referrer"
    assert page["Cache-Control"] == "no-store"
    assert page["X-Robots-Tag"] == "noindex, nofollow, noarchive"
    assert not page.cookies


def test_posting_to_a_shared_page_is_refused(market, sharer, visitor):
    assert visitor.post(f"/s/{share(sharer)}/").status_code == 405


def test_markup_in_words_of_staff_is_text(market, sharer, visitor):
    code = share(sharer, title="<b>Hi</b>", note="<script>alert(1)</script>")
    html = visitor.get(f"/s/{code}/").content.decode()
    assert "<b>Hi" not in html
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)" in html


@pytest.mark.parametrize("field", ["title", "note", "label"])
def test_control_characters_are_refused(market, sharer, field):
    assert sharer.post(RESULTS, {field: "a\u202eb"}).status_code == 400


def test_shared_pages_call_the_gateway_as_their_search_does(market, sharer, visitor):
    code = share(sharer)
    forget()
    before = len(market.wire.addresses())
    visitor.get(f"/s/{code}/")
    assert len(market.wire.addresses()) == before + 1
    visitor.get(f"/s/{code}/?sort=stars")
    assert len(market.wire.addresses()) == before + 1
