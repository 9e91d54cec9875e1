"""Links of a page of results, as search engines and browsers without scripts read them."""

import re

from django.test import Client


def test_every_link_leads_somewhere_before_any_script_has_run():
    page = (
        Client()
        .get(
            "/hotels/?place=Barcelona&checkin=2030-05-01&checkout=2030-05-04&guests=2&currency=EUR&market=en-gb"
        )
        .content.decode()
    )
    links = re.findall(r"<a\s[^>]*>", page)
    assert len(links) > 20
    assert [link for link in links if not re.search(r'\shref="[^"]+"', link)] == []
