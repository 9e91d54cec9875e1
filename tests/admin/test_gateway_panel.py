"""The gateway panel tells the truth, and tells no secret."""

import re
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission, User
from django.utils.timezone import localdate

from hotelsite import gunicorn_conf
from search.admin.forms import providers_met
from search.admin.monitoring import unknown_codes
from search.domain import process
from search.domain.hotels import Coordinates, Facility, GuestRating, Property
from search.domain.money import Money
from search.domain.offers import Listing, Offer, Price, Surcharge
from search.domain.site_settings import Site
from search.gateway.cache import CachedValue
from search.gateway.transport import CallLog, CallRecord
from search.monitoring import metrics
from search.monitoring.metrics import Report
from search.site_settings import store
from search.site_settings.models import CodeLabel
from tests import builders as build
from tests.admin.conftest import signed_in
from tests.gateway.documents import a_listing_document, an_entry, an_offer

PAGE = "/admin/search/sitesettings/gateway/"


def money(amount):
    return Price(Money(Decimal(amount), "EUR"))


def listing(key="1", provider="AA", **changes):
    building = {
        "images": ("https://pictures.example/1.jpg",),
        "coordinates": Coordinates(1.0, 2.0),
        "rating": GuestRating(Decimal("8.1"), "SPLENDID"),
        "type": "CASTLE",
    } | changes.pop("building", {})
    offer = {
        "price": money(100),
        "payment_mode": "PAY_IN_SHELLS",
        "facilities": (Facility("MOAT", "", "TOWER"),),
        "surcharges": (Surcharge("DRAWBRIDGE_TOLL", money(5)),),
    } | changes
    castle = Property(key, provider, key, "Castle", stars=4, **building)
    return Listing(castle, (Offer(provider, key, **offer),), None)


def answer(*listings, at=0):
    return CachedValue(
        build.search_page(tuple(listings), len(listings), len(listings)),
        datetime(2030, 1, 1, 0, 0, at, tzinfo=UTC),
        stale=False,
    )


def record(endpoint="search", outcome="ok", ms=0, cache="miss"):
    """As the gateway room records a call, or a value that was served without one."""
    process.part(CallLog).add(CallRecord(endpoint, outcome, ms, cache=cache))


def test_calls_failures_and_cache_hits_are_counted():
    record(ms=120)
    record(outcome="status 503", ms=80)
    record(cache="hit")
    record("details", cache="stale")
    found = metrics.reports(1)[0]
    assert (found.made, found.failed, found.error_rate, found.hit_rate) == (2, 1, 0.5, 0.5)
    assert [(call.endpoint, call.outcome, call.ms) for call in found.calls] == [
        ("search", "ok", 120),
        ("search", "status 503", 80),
    ]


def test_without_calls_there_is_no_rate():
    found = metrics.reports(1)[0]
    assert (found.error_rate, found.hit_rate) == (None, None)


def test_reports_of_several_processes_add_up():
    other = Report(localdate(), {"elsewhere:7"}, failed=1, values={"miss": 3})
    metrics.cache.set(metrics._key(localdate()), metrics.msgspec.msgpack.encode(other), 60)
    record(ms=120)
    found = metrics.reports(1)[0]
    assert (len(found.processes), found.made, found.failed) == (2, 4, 1)


def test_after_a_change_of_gateway_counts_start_anew(editor, settings):
    record(ms=120)
    metrics.count_page(answer(listing()))
    assert "Drawbridge toll" in editor.get(PAGE).text
    settings.GATEWAY_BASE_URL = "https://gateway.example"
    process.start()
    found = metrics.reports(1)[0]
    assert (found.made, found.codes, providers_met()) == (0, {}, set())
    assert "Drawbridge toll" not in editor.get(PAGE).text


def test_an_answer_is_counted_once_however_often_it_is_served():
    metrics.count_page(answer(listing()))
    metrics.count_page(answer(listing()))
    metrics.count_page(answer(listing(), at=1))
    ((provider, quality),) = metrics.reports(1)[0].quality.items()
    assert (provider, quality["properties"]) == ("AA", 2)


def test_quality_counts_what_is_missing_and_what_does_not_add_up():
    report = Report(localdate())
    report.add_listing(listing("1", building={"images": (), "coordinates": None, "rating": None}))
    report.add_listing(listing("2", price=None))
    report.add_listing(listing("3", discount_percent=50, original_price=money(110)))
    report.add_listing(listing("4", discount_percent=50, original_price=money(200)))
    assert report.quality["AA"] == {
        "properties": 4,
        "without_picture": 1,
        "without_coordinates": 1,
        "without_rating": 1,
        "offers": 4,
        "without_price": 1,
        "discounts": 2,
        "odd_discounts": 1,
    }


def test_invented_codes_fill_no_memory():
    report = Report(localdate())
    for n in range(900):
        report.add_listing(listing(str(n), building={"type": f"TYPE_{n}"}, provider=f"P{n}"))
    report.add_listing(listing("x", building={"type": "LONG" * 50}))
    assert len(report.codes["property_type"]) == 400
    assert len(report.quality) == 60


def test_unknown_codes_that_pages_show_are_listed_and_get_words(editor):
    metrics.count_page(answer(listing()))
    unknown = {(kind, code): shown for kind, _, code, _, shown in editor.get(PAGE).context["unknown"]}
    assert set(unknown) == {
        ("property_type", "CASTLE"),
        ("rating", "SPLENDID"),
        ("facility", "MOAT"),
        ("payment_mode", "PAY_IN_SHELLS"),
        ("surcharge", "DRAWBRIDGE_TOLL"),
    }
    assert unknown["surcharge", "DRAWBRIDGE_TOLL"] == "Drawbridge toll"
    editor.post(PAGE, {"label:facility:MOAT": " Moat with swans ", "label:rating:SPLENDID": ""})
    assert store.current().code_label("facility", "MOAT") == "Moat with swans"
    assert 'name="label:facility:MOAT"' not in editor.get(PAGE).text


def test_code_kinds_of_a_later_version_are_left_out():
    assert list(unknown_codes({"meal": {"SOUP": 1}}, Site())) == []


@pytest.mark.parametrize(
    "field", ["label:nonsense:X", "label:facility:", "label", "label:facility:" + "X" * 81]
)
def test_words_for_nonsense_are_refused(editor, field):
    editor.post(PAGE, {field: "Words"})
    assert not CodeLabel.objects.exists()


def test_checking_now_makes_the_three_calls(editor):
    response = editor.post(PAGE, {"check": "1", "place": "Rome"})
    assert [(check.call, check.ok) for check in response.context["checks"]] == [
        ("airports", True),
        ("search", True),
        ("details", True),
    ]
    html = response.content.decode()
    assert "in Rome" in html
    assert not re.search("<table[^>]* role=", html), "a table that is something else has no rows and columns"
    moments = re.findall('<time datetime="([^"]*)"', html)
    assert moments
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d{4}", one) for one in moments)


def test_the_panel_shows_shares_of_what_is_missing(editor):
    metrics.count_page(answer(listing("1", building={"images": ()}), listing("2", price=None), listing("3")))
    page = editor.get(PAGE).content.decode()
    row = re.search(r'<th scope="row">AA</th>(.*?)</tr>', page, re.DOTALL)[1]
    assert re.findall(r">([^<]*)</td>", row) == ["3", "33%", "0%", "0%", "3", "33%", ""]


def test_the_panel_says_how_far_copies_reach_back(editor, settings, tmp_path):
    options = {"OPTIONS": {"MAX_BYTES": settings.CACHE_MAX_BYTES}}
    place = {"BACKEND": "hotelsite.file_cache.FileCache", "LOCATION": str(tmp_path / "cache")}
    settings.CACHES = {**settings.CACHES, "default": {**place, **options}}
    assert "256.0\xa0MB, the oldest written 0\xa0minutes ago, 0 dropped before" in editor.get(PAGE).text


def test_the_panel_says_which_hotels_it_counts(editor):
    metrics.count_page(answer(*(listing() for _ in range(9))))
    ((_provider, quality),) = metrics.reports(1)[0].quality.items()
    assert quality["properties"] == 5
    assert "first five hotels of each search" in editor.get(PAGE).text


def test_the_key_is_never_shown(editor, settings):
    settings.GATEWAY_BASE_URL = "https://gateway.example"
    settings.GATEWAY_API_KEY = "s3cr3t-consumer-key"
    page = editor.get(PAGE).content.decode()
    assert "https://gateway.example" in page
    assert "s3cr3t" not in page
    assert "(19)" in page


def test_a_cache_that_is_away_leaves_the_panel_standing(editor, monkeypatch):
    def gone(*_args, **_kwargs):
        raise ConnectionError

    monkeypatch.setattr(metrics.cache, "set", gone)
    monkeypatch.setattr(metrics.cache, "get_many", gone)
    record(ms=120)
    assert editor.get(PAGE).status_code == 200


def test_details_without_a_name_are_checked_by_their_id(editor, wire):
    wire.search(a_listing_document(an_entry(offers=[an_offer(providerPropertyId="H-7")])))
    wire.details({"propertyDetails": None, "roomTypes": [{"name": "Double"}]})
    details = editor.post(PAGE, {"check": "1"}).context["checks"][-1]
    assert details.found == "H-7: 1 room types"


def test_only_those_who_see_settings_see_the_panel(sharer, client):
    assert sharer.get(PAGE).status_code == 403
    assert client.get(PAGE).status_code == 302


def test_the_panel_needs_the_right_to_change_settings(db):
    client = signed_in()
    User.objects.get().user_permissions.add(Permission.objects.get(codename="change_sitesettings"))
    assert f'href="{PAGE}"' in client.get("/admin/").text
    assert client.get(PAGE).status_code == 200


def test_a_call_whose_key_is_refused_is_not_said_to_be_working(editor, wire):
    wire.search(status=401)
    editor.get("/hotels/?place=Porto&checkin=2030-05-01&checkout=2030-05-04&guests=2")
    html = editor.get(PAGE).content.decode()
    assert ">search: key refused</span>" in html
    assert ">search: working</span>" not in html
    assert ">details: working</span>" in html


def test_the_last_calls_of_a_process_that_ends_are_told():
    record()
    record()
    gunicorn_conf.worker_exit(None, None)
    entry = metrics.cache.get(metrics._key(localdate()))
    assert metrics.msgspec.msgpack.decode(entry, type=Report).made == 2


@pytest.mark.parametrize(
    "reply", [{"status": 302}, {"status": 400}, {"status": 404}, {"body": '{"data": []}'}]
)
def test_a_call_that_failed_last_is_not_said_to_be_working(editor, wire, reply):
    wire.search(**reply)
    search = "/hotels/?place=Porto&checkin=2030-05-01&checkout=2030-05-04&guests="
    editor.get(f"{search}2")
    assert ">search: last call failed</span>" in editor.get(PAGE).text
    wire.search(a_listing_document(an_entry(), total=1))
    editor.get(f"{search}3")
    assert ">search: working</span>" in editor.get(PAGE).text


def test_a_hotel_that_is_gone_is_no_failure_of_details(editor, wire):
    wire.details(status=404)
    editor.get("/hotels/ACME/77/?place=Porto&checkin=2030-05-01&checkout=2030-05-04&guests=2")
    assert ">details: working</span>" in editor.get(PAGE).text
