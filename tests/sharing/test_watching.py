"""Watched totals are looked up within their calls, each by one process, and told in mails."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from html import unescape
from io import StringIO

import pytest
from django.core import mail, serializers
from django.core.management import call_command

from search.domain import process
from search.gateway import factory
from search.gateway.transport import Transport
from search.monitoring import metrics
from search.property.observed import ObservedTotal
from search.sharing import watches
from search.sharing.models import SharedLink
from search.sharing.watches import Watch, WatchHour
from search.site_settings import store
from tests.builders import NOON, OURS
from tests.gateway.documents import a_listing_document
from tests.journey.conftest import wire as wire
from tests.journey.reading import words
from tests.servers import manage
from tests.sharing.conftest import RESULTS, hotel, share
from tests.sharing.conftest import sharer as sharer
from tests.sharing.test_watches import HOTEL, beside, look, told, watch
from tests.sharing.test_watches import later as later
from tests.sharing.test_watches import market as market
from tests.wire import forget

pytestmark = pytest.mark.django_db


def of_nights(nights: int) -> str:
    return HOTEL.replace("checkout=2030-05-04", f"checkout=2030-05-{1 + nights:02}")


def test_stays_of_one_search_are_looked_up_together(market, client, later):
    for address in (HOTEL, HOTEL, HOTEL.replace("/aa/", "/bb/")):
        watch(client, address)
    later(hours=1)
    market.has(hotel("aa", 1), hotel("bb", 2))
    report = watches.run()
    assert (report.looked_up, report.calls) == (3, 1)


def test_a_stay_is_looked_up_once_an_hour_the_oldest_first(market, client, later):
    for nights in (1, 2, 3):
        watch(client, of_nights(nights))
    later(hours=1)
    forget()
    assert watches.run().looked_up == 3
    later(minutes=30)
    forget()
    assert watches.run().looked_up == 0
    Watch.objects.filter(search__contains="checkout=2030-05-03").update(asked_at=NOON)
    store.change({"watch_calls": 1})
    assert watches.run().stopped == "budget spent"
    later(hours=1)
    forget()
    assert watches.run().looked_up == 1
    latest = Watch.objects.order_by("-asked_at").first()
    assert latest.stay.dates.check_out == date(2030, 5, 3)


def test_an_hour_has_no_more_than_its_calls(market, client, later):
    for nights in range(1, 13):
        watch(client, of_nights(nights))
    Watch.objects.update(calls=1)
    store.change({"watch_calls": 6})
    later(hours=1)
    calls = []
    for _ in range(24):
        forget()
        calls.append(watches.run().calls)
        later(minutes=5)
    assert sum(calls[:12]) <= 6
    assert sum(calls[12:]) <= 6
    assert sum(calls) == 12
    assert max(calls[1:]) <= 2


def test_a_search_that_takes_more_calls_than_are_left_waits(market, client, later):
    watch(client)
    Watch.objects.update(calls=7)
    store.change({"watch_calls": 6})
    later(hours=1)
    assert watches.run() == watches.Report(stopped="budget spent")


def test_nothing_is_looked_up_while_the_gateway_fails(market, client, later):
    for nights in range(1, 9):
        watch(client, of_nights(nights))
    later(hours=1)
    market.is_away()
    report = watches.run()
    assert report.stopped == "the gateway fails"
    assert report.looked_up < 8
    asked = len(market.wire.addresses())
    assert watches.run().looked_up == 0
    assert len(market.wire.addresses()) == asked


def test_what_fails_for_visitors_of_others_is_not_asked(market, client, later, monkeypatch):
    page = watch(client)
    later(hours=1)
    market.is_away()
    for nights in range(2, 8):
        client.get(of_nights(nights))
    metrics.publish_pending()
    # What has been counted is in the cache, so nothing is forgotten here.
    market.wire.search(a_listing_document(hotel("aa", 300), total=1))
    process.start().put(factory.build_adapter, market.wire)
    assert watches.run().stopped == "the gateway fails"
    monkeypatch.setattr(watches, "FAILING_SECONDS", 0)
    watches.run()
    assert told(client, page) == ["€300.00, €100.00 less"]


def test_visitors_who_wait_come_first(market, client, later, monkeypatch):
    watch(client)
    later(hours=1)
    forget()
    status = Transport.status
    with monkeypatch.context() as crowded:
        crowded.setattr(Transport, "status", lambda self: replace(status(self), waiting=1))
        assert watches.run() == watches.Report(stopped="visitors wait")
    assert watches.run().looked_up == 1


def test_a_failing_gateway_tells_nothing(market, client, later):
    page = watch(client)
    later(hours=1)
    market.is_away()
    watches.run()
    assert told(client, page) == []


def test_watches_that_are_over_are_not_looked_up(market, client, later):
    page = watch(client)
    client.post(beside(page, "stop/"), headers=OURS)
    later(hours=1)
    assert watches.run().looked_up == 0
    watch(client)
    later(days=(date(2030, 5, 3) - NOON.date()).days)
    assert watches.run().looked_up == 0


@pytest.mark.thorough
def test_of_several_processes_one_looks_a_stay_up(tmp_path):
    database = {"DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite3", "CACHE_URL": f"file://{tmp_path}/cache"}
    assert manage("migrate", **database).returncode == 0
    # Three stays, as if visitors had begun to watch them.
    begin = """
from datetime import timedelta
from django.test import Client
from django.utils.timezone import localdate
from search.sharing.watches import Watch
from search.site_settings import store
store.change({"watch_calls": 10_000})
day = localdate() + timedelta(days=30)
for nights in (1, 2, 3):
    Watch.objects.create(
        code=f"code-{nights}", percent=3, check_in=day,
        made_at=day.isoformat() + "T00:00Z",
        search=f"place=Rome&checkin={day}&checkout={day + timedelta(days=nights)}&guests=2"
        "&currency=EUR&market=en-gb",
    )
"""
    assert manage("shell", "-c", begin, **database).returncode == 0
    with ThreadPoolExecutor(3) as pool:
        runs = list(pool.map(lambda _: manage("watch_prices", **database), range(3)))
    assert [one.returncode for one in runs] == [0, 0, 0]
    counts = [int(one.stdout.split()[0]) for one in runs]
    assert sum(counts) == 3


def test_the_command_says_what_it_did(market, client, later):
    watch(client)
    later(hours=1)
    market.has(hotel("aa", 300))
    call_command("watch_prices", stdout=(out := StringIO()))
    assert out.getvalue() == "1 stays looked up with 1 calls, 0 mails sent.\n"
    store.change({"watch_calls": 0})
    call_command("watch_prices", stdout=out)
    assert out.getvalue().endswith("Nothing is watched: the settings say so.\n")


def test_ten_days_of_the_sandbox_tell_what_the_rules_name(client, later, settings, db):
    day, days_told = date(2026, 11, 21), []
    address = (
        "/hotels/?place=Barcelona&checkin=2026-12-08&checkout=2026-12-10&guests=2&market=en-gb&sort=stars"
    )
    settings.SANDBOX_DAY = day
    store.change({"cap": 100, "watch_percent": 1})
    card = re.search(r'href="(/hotels/[^"?]+/[^"?]+/\?[^"]+)"', client.get(address).text)[1]
    page = watch(client, unescape(card))
    prices = []
    for _ in range(10):
        forget()
        watches.run()
        prices.append(ObservedTotal.objects.order_by("-last_seen").first().amount)
        later(days=1)
        day += timedelta(days=1)
        settings.SANDBOX_DAY = day
    known = prices[0]
    for price in prices[1:]:
        if abs(price - known) > known / 100:
            days_told.append(price)
            known = price
    feed = client.get(beside(page, "totals.atom")).text
    titles = re.findall(r"<title>[^<]*€([\d,.]+), [^<]*(?:less|more)</title>", feed)
    assert [title.replace(",", "") for title in reversed(titles)] == [f"{price:.2f}" for price in days_told]
    assert len(set(prices)) > 2


def test_a_restored_backup_keeps_feeds_alive(market, client, later):
    page = watch(client)
    later(hours=1)
    look(market, hotel("aa", 300))
    before = client.get(beside(page, "totals.atom")).content
    models = (ObservedTotal, Watch, WatchHour)
    backup = serializers.serialize("json", [row for model in models for row in model.objects.all()])
    for model in models:
        model.objects.all().delete()
    assert client.get(beside(page, "totals.atom")).status_code == 404
    for row in serializers.deserialize("json", backup):
        row.save()
    assert client.get(beside(page, "totals.atom")).content == before


@pytest.fixture
def mailed(sharer, settings):
    """A colleague who may be mailed."""
    settings.EMAIL_URL = "smtp://mail.example"
    sharer.user = SharedLink.owner.field.related_model.objects.get(username="ann")
    sharer.user.email = "ann@hotels.example"
    sharer.user.save()
    return sharer


def test_a_colleague_is_mailed_what_changed_of_a_link(market, mailed, client, later):
    code = share(mailed, RESULTS, title="Spring in Porto")
    assert "Mail me changes" in words(mailed.get(f"/share/links/{code}/"))
    mailed.post(f"/share/links/{code}/watch/")
    assert "Changes of these totals are mailed to you." in words(mailed.get(f"/share/links/{code}/"))
    later(hours=1)
    look(market, hotel("aa", 401), hotel("bb", 150))
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (["ann@hotels.example"], "Totals changed: Spring in Porto")
    assert "Hotel bb: €150.00, €50.00 less" in sent.body
    assert "Hotel aa" not in sent.body
    assert f"http://testserver/s/{code}/" in sent.body
    later(hours=1)
    look(market, hotel("aa", 401))
    assert "Hotel bb: No longer offered for these dates" in mail.outbox[1].body
    later(hours=1)
    look(market, hotel("aa", 401))
    assert len(mail.outbox) == 2


def test_mails_of_a_link_end_with_it_or_on_request(market, mailed, later):
    code = share(mailed)
    mailed.post(f"/share/links/{code}/watch/")
    mailed.post(f"/share/links/{code}/revoke/")
    later(hours=1)
    assert watches.run().looked_up == 0
    mailed.post(f"/share/links/{code}/restore/")
    mailed.post(f"/share/links/{code}/watch/")
    assert not Watch.objects.exists()


def test_a_mail_server_that_is_away_gets_the_mail_later(market, mailed, later, settings):
    code = share(mailed)
    mailed.post(f"/share/links/{code}/watch/")
    later(hours=1)
    working, settings.EMAIL_BACKEND = settings.EMAIL_BACKEND, "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    look(market, hotel("aa", 50), hotel("bb", 200), hotel("cc", 300))
    assert mail.outbox == []
    settings.EMAIL_BACKEND = working
    assert watches.run().mails == 1
    assert "Hotel aa" in mail.outbox[0].body


def test_without_mail_settings_no_mail_is_offered(market, sharer):
    code = share(sharer)
    assert "Mail me changes" not in words(sharer.get(f"/share/links/{code}/"))
    sharer.post(f"/share/links/{code}/watch/")
    assert not Watch.objects.exists()


def test_ended_watches_are_forgotten_with_ended_links(market, client, later):
    page = watch(client)
    client.post(beside(page, "stop/"), headers=OURS)
    later(days=31)
    call_command("forget_links", stdout=StringIO())
    assert not Watch.objects.exists()
