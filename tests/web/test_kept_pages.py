"""Pages that browsers and caches in front may keep, for how long, and when they are sent again."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from search.domain import process
from search.gateway import factory
from search.results import tiles
from search.site_settings import store
from search.web import shortcuts
from tests.gateway.documents import a_listing_document, a_summary, an_entry
from tests.wire import Wire, forget

STAY = "checkin=2030-05-01&checkout=2030-05-04&guests=2"
RESULTS = f"/hotels/?place=Porto&{STAY}"
HOTEL = f"/hotels/ACME/77/?place=Porto&{STAY}"
COMPARE = f"/compare/?place=Porto&{STAY}&stay=ACME/77&stay=ACME/78"
COUNTRY = "/destinations/pt/"
HOME = "/?market=en-gb"
PAGES = [HOME, RESULTS, HOTEL, COMPARE, "/destinations/", COUNTRY, "/destinations/from/OPO/"]
# One without prices, one with them, one of places.
ONE_OF_EACH = [HOME, RESULTS, COUNTRY]
BROWSER = {"Accept-Language": "en-GB", "Accept-Encoding": "gzip, br"}
OPENED = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "User-Agent": "Mozilla/5.0 Firefox/140"}

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("gateway")]

Visit = Callable[..., HttpResponse]


@pytest.fixture
def gateway(wire: Wire) -> Wire:
    """Ten hotels wherever it is asked."""
    others = [an_entry(a_summary(id=f"{one}", ryanairId=f"k{one}")) for one in range(78, 87)]
    wire.search(a_listing_document(an_entry(), *others, total=10))
    return wire


@pytest.fixture
def visit() -> Visit:
    """A visit of an address by a browser that has what bears this ETag."""

    def visited(path: str, seen: str = "", **headers: str) -> HttpResponse:
        known = {"If-None-Match": seen} if seen else {}
        return Client().get(path, headers={**BROWSER, **known, **headers})

    return visited


@pytest.fixture
def warm(visit: Visit) -> Callable[[str], str]:
    """The ETag of a page whose prices are there."""

    def tag(path: str) -> str:
        visit(path)
        return str(visit(path)["ETag"])

    return tag


def directives(response: HttpResponse) -> dict[str, str]:
    parts = (part.strip().partition("=") for part in response["Cache-Control"].split(","))
    return {name: value for name, _is, value in parts}


@pytest.mark.parametrize("path", PAGES)
def test_a_page_may_be_kept_for_its_fresh_time(visit, path):
    visit(path)
    page = visit(path)
    said = directives(page)
    assert page.status_code == 200
    assert said.keys() == {"public", "max-age", "s-maxage", "stale-while-revalidate", "stale-if-error"}
    assert said["max-age"] == "0"
    assert 240 < int(said["s-maxage"]) <= 300
    assert page["ETag"].startswith('W/"')
    assert not page.cookies


@pytest.mark.parametrize("path", PAGES)
def test_what_a_browser_has_is_not_sent_again(visit, warm, gateway, path):
    tag = warm(path)
    asked = len(gateway.requests)
    again = visit(path, tag)
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == tag
    assert "public" in directives(again)
    assert len(gateway.requests) == asked


@pytest.mark.parametrize("path", ONE_OF_EACH)
def test_vary_names_what_shapes_the_page_alone(visit, warm, path):
    tag, shaped_by = warm(path), {"Accept-Encoding"}
    if path.startswith("/destinations/"):
        shaped_by.add("Accept-Language")
    if path == "/destinations/" or path.startswith(("/hotels/", "/compare/")):
        shaped_by.add("Accept")
    for page in (visit(path), visit(path, tag)):
        assert set(re.split(", *", page["Vary"])) == shaped_by


def test_a_page_in_another_process_has_the_same_name(visit, warm, wire):
    tag = warm(HOTEL)
    process.start().put(factory.build_adapter, wire)
    assert visit(HOTEL)["ETag"] == tag


@pytest.mark.parametrize(
    ("path", "change"),
    [
        (RESULTS, {"default_currency": "USD"}),
        (HOME, {"banner_text": "Snow"}),
        (COUNTRY, {"site_name": "Beds"}),
    ],
)
def test_after_a_change_of_settings_it_is_sent_again(visit, warm, path, change):
    tag = warm(path)
    store.change(change)
    visit(path)
    assert visit(path, tag).status_code == 200


@pytest.mark.parametrize("path", ONE_OF_EACH)
def test_after_an_upgrade_it_is_sent_again(visit, warm, path, monkeypatch):
    tag = warm(path)
    monkeypatch.setattr(shortcuts, "release", lambda: "the next one")
    assert visit(path, tag).status_code == 200


@pytest.mark.parametrize("path", ONE_OF_EACH)
def test_on_the_next_day_it_is_sent_again(visit, warm, path, monkeypatch):
    tag, tomorrow = warm(path), timezone.now() + timedelta(days=1)
    monkeypatch.setattr(timezone, "now", lambda: tomorrow)
    visit(path)
    assert visit(path, tag).status_code == 200


@pytest.mark.parametrize("path", ["/", "/destinations/", COUNTRY])
def test_another_language_is_another_page(visit, warm, path):
    tag = warm(path)
    other = visit(path, tag, **{"Accept-Language": "de", "Accept-Encoding": ""})
    assert (other.status_code, '<html lang="de">' in other.text) == (200, True)


@pytest.mark.parametrize("change", ["&market=de-de", "&currency=USD", "&sort=rating", "&page=2", "&stars=4"])
def test_another_address_is_another_page(visit, warm, change):
    tag = warm(RESULTS)
    visit(RESULTS + change)
    assert visit(RESULTS + change, tag).status_code == 200


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_another_host_is_another_page(visit, warm, host):
    assert visit(HOTEL, warm(HOTEL), Host=host).status_code == 200


@pytest.mark.parametrize("path", [RESULTS, HOTEL, COMPARE])
def test_new_prices_are_sent(visit, warm, path):
    tag = warm(path)
    forget()
    visit(path)
    again = visit(path, tag)
    assert (again.status_code, again["ETag"] == tag) == (200, False)


def test_new_totals_of_a_place_are_sent_on_the_home_page(visit, warm):
    tag = warm(HOME)
    visit(HOME, **OPENED)
    process.part(tiles.build_pool).submit(str).result()
    assert visit(HOME, tag).status_code == 200


@pytest.mark.parametrize("path", [RESULTS, HOTEL, COMPARE])
def test_a_page_past_its_fresh_time_is_private(visit, warm, path, monkeypatch):
    tag, later = warm(path), timezone.now() + timedelta(minutes=6)
    monkeypatch.setattr(timezone, "now", lambda: later)
    page = visit(path, tag)
    assert (page.status_code, page["Cache-Control"]) == (200, "private")


@pytest.mark.parametrize("path", [RESULTS, HOTEL, COMPARE])
def test_a_first_visit_whose_prices_come_in_is_private(visit, path):
    page = visit(path)
    assert page["Cache-Control"] == "private"
    assert "ETag" not in page


@pytest.mark.parametrize("path", [RESULTS, HOTEL, COMPARE])
def test_a_warm_page_never_begins_early(visit, warm, path, monkeypatch):
    tag = warm(path)
    monkeypatch.setattr("search.web.streaming.SECONDS_FOR_THE_WHOLE", 0.0)
    page = visit(path, **OPENED)
    assert (page.streaming, page["ETag"]) == (False, tag)
    assert visit(path, tag, **OPENED).status_code == 304


@pytest.mark.parametrize("path", ONE_OF_EACH)
def test_a_colleague_s_page_is_private_and_sent_whole(visit, warm, path):
    tag, colleague = warm(path), Client()
    colleague.force_login(User.objects.create_user("ann", is_staff=True))
    page = colleague.get(path, headers={**BROWSER, "If-None-Match": tag})
    assert page.status_code == 200
    assert "ETag" not in page
    assert page["Cache-Control"] == "private"


@pytest.mark.parametrize(
    "path",
    [
        "/shortlist/", "/no-such-page/", "/hotels/?place=Porto&checkin=x", "/destinations/zz/",
        "/destinations/PT/", f"/hotels/dates/?place=Porto&{STAY}", "/admin/login/", "/s/AbCdEfGhIjKl/",
    ],
)  # fmt: skip
def test_other_pages_are_for_no_cache_in_front(visit, path):
    visit(path)
    assert directives(visit(path)).keys() & {"private", "no-store"}


def test_a_failure_is_not_stored(visit, gateway):
    gateway.search(status=503)
    page = visit(RESULTS)
    assert (page.status_code, page["Cache-Control"]) == (503, "no-store")


def test_without_a_fresh_time_no_prices_are_kept(visit):
    store.change({"search_fresh_seconds": 0})
    for path in (RESULTS, HOTEL, COMPARE):
        visit(path)
        assert visit(path)["Cache-Control"] == "private"


def test_a_long_fresh_time_hides_no_change_of_settings(visit, warm):
    store.change({"search_fresh_seconds": 86_400})
    warm(RESULTS)
    assert int(directives(visit(RESULTS))["s-maxage"]) <= 300


def test_an_uploaded_picture_may_be_kept(visit, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    (tmp_path / "rome.jpg").write_bytes(b"picture")
    assert directives(visit("/media/rome.jpg")) == {"public": "", "max-age": "300"}
