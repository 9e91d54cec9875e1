"""A search without rooms, however the gateway says so."""

import gzip
import json

import pytest

from search.site_settings.models import SiteSettings
from tests.gateway.documents import a_listing_document, an_entry

ADDRESS = "/hotels/?place=Porto&checkin=2030-05-01&checkout=2030-05-04&guests=2&currency=EUR&market=en-gb"
SAYS_SO = [
    (404, '{"error": {"code": "NO_ROOMS", "message": "Nothing left"}}'),
    (400, '{"message": "No availability for the requested dates"}'),
    (400, '[{"code": "ERR_NO_RESULTS"}]'),
    (404, '{"title": "Properties not found"}'),
    (400, '{"reason": "SOLD_OUT"}'),
    (200, "{}"),
    (200, " {\n} "),
]
SAYS_NOTHING_OF_ROOMS = [
    (404, "<h1>No rooms</h1>"),
    (404, '{"error": "Not Found"}'),
    (400, '{"message": "size must be at most 50"}'),
    (500, '{"error": "NO_ROOMS"}'),
    (403, '{"error": "NO_ROOMS"}'),
]


def read(visitor, wire, status, body, **settings):
    SiteSettings.objects.update_or_create(defaults={"sold_out_errors": True, **settings})
    wire.search(body=body, status=status)
    response = visitor.get(ADDRESS, follow=True)
    return response.status_code, response.content.decode()


@pytest.mark.parametrize(
    ("sold_out_errors", "shown", "said"),
    [
        (True, 200, "Nothing found for this search"),
        (False, 503, "It may be sold out: try other dates or another place."),
    ],
)
@pytest.mark.parametrize(("sent_status", "body"), SAYS_SO)
def test_sold_out_is_nothing_found_if_an_admin_says_so(
    sent_status, body, sold_out_errors, shown, said, visitor, wire
):
    status, html = read(visitor, wire, sent_status, body, sold_out_errors=sold_out_errors)
    assert (status, said in html) == (shown, True)
    assert "Something on our side" not in html


@pytest.mark.parametrize(("sent_status", "body"), SAYS_NOTHING_OF_ROOMS)
def test_an_error_about_something_else_stays_one(sent_status, body, visitor, wire):
    status, _html = read(visitor, wire, sent_status, body)
    assert status == 503


@pytest.mark.parametrize("cut", [0, 40])
def test_gzip_is_read_without_its_header(cut, visitor, wire):
    body = gzip.compress(json.dumps(a_listing_document(an_entry())).encode())
    status, html = read(visitor, wire, 200, body[: len(body) - cut])
    assert (status == 200, "Hotel Miramar" in html) == ((True, True) if not cut else (False, False))
