"""Opens: people count, about once per reading; machines and colleagues don't; nobody is remembered."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import DatabaseError, InterfaceError, close_old_connections
from django.test import Client

from search.sharing import views
from search.sharing.models import LinkOpens, SharedLink
from tests.sharing.conftest import BROWSER, share, signed_in

NOW = datetime(2026, 11, 21, 14, 5, tzinfo=UTC)

ANDROID = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"
PREVIEWS = {
    "WhatsApp": "WhatsApp/2.24.6.77 A",
    "Signal": "WhatsApp/2",
    "Telegram": "TelegramBot (like TwitterBot)",
    "Slack": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Discord": "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "Facebook and Messenger": "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "iMessage": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) "
    "Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
    "X": "Twitterbot/1.0",
    "LinkedIn": "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
    "Skype": "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
    "Teams": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) MicrosoftPreview/2.0",
    "Viber": "Viber/19.6.0 CFNetwork",
    "Google": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Bing": "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Apple": "Mozilla/5.0 (Macintosh) AppleWebKit/600 Safari (Applebot/0.1; +http://www.apple.com/go/applebot)",
    "Mastodon": "http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.example/) Bot",
    "Line": "Mozilla/5.0 (compatible; Line-Poker/1.0)",
    "Kakao": "facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/",
    "a program": "python-requests/2.34",
    "an image proxy of Slack": "Slack-ImgProxy (+https://api.slack.com/robots)",
    "Word": "Mozilla/4.0 (compatible; ms-office; MSOffice 16)",
    "Outlook": "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Microsoft Outlook 16.0.1; ms-office)",
    "Excel": "Mozilla/5.0 (Windows NT 10.0; Microsoft Office Excel 16.0)",
    "Office": "Microsoft Office Existence Discovery",
    "Google's inspection": f"{ANDROID} (compatible; Google-InspectionTool/1.0;)",
    "Google's others": f"{ANDROID} GoogleOther",
    "Google's pictures": "Googlebot-Image/1.0",
    "an assistant": "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://x.example)",
    "Barracuda": "Mozilla/5.0 (BarracudaCentral) AppleWebKit/537.36",
    "Proofpoint": "Mozilla/5.0 (Windows NT 10.0) Proofpoint-URL-Defense",
    "a scanner with an address": "Mozilla/5.0 (X11; Linux x86_64) scans@mail.example",
    "a browser without a window": "Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/140.0",
    "nothing": "",
}
PEOPLE = {
    "a desktop": BROWSER,
    "a phone": "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
    "inside Line": f"{ANDROID} Line/15.1",
    "inside Instagram": f"{ANDROID} Instagram 350.0",
    "inside Pinterest": f"{ANDROID} [Pinterest/Android]",
    "inside Teams": f"{BROWSER} Teams/25.1 Electron/34.0",
    "Edge": "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
    "Opera Mini": "Opera/9.80 (Android; Opera Mini/60.0/190.1; U; en) Presto/2.12.423 Version/12.16",
}


def opens() -> int:
    return SharedLink.objects.get().opens


def test_previews_and_machines_get_the_tags_uncounted(market, sharer):
    code = share(sharer)
    for name, agent in PREVIEWS.items():
        page = Client(headers={"user-agent": agent}).get(f"/s/{code}/")
        assert page.status_code == 200
        assert 'property="og:title" content="3 hotels in Porto' in page.content.decode(), name
        assert opens() == 0, name


def test_people_are_counted(market, sharer):
    code = share(sharer)
    for number, (name, agent) in enumerate(PEOPLE.items(), 1):
        Client(headers={"user-agent": agent}).get(f"/s/{code}/")
        assert opens() == number, name


@contextmanager
def kept_connection():
    """A handler ends the connections to the database, that of the test too. A test's client connects again
    what ends them, so none is used within."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in signals:
            signal.connect(close_old_connections)


def test_an_open_is_counted_once_its_answer_was_sent(market, sharer, rf):
    request = rf.get(f"/s/{share(sharer)}/", headers={"user-agent": BROWSER})
    with kept_connection():
        answer = WSGIHandler()(request.environ, lambda _status, _headers: None)
        assert "Porto" in b"".join(answer).decode()
        assert opens() == 0
        answer.close()
    assert opens() == 1


def test_pages_fetched_ahead_are_not_counted(market, sharer, visitor):
    code = share(sharer)
    for header in ("sec-purpose: prefetch;prerender", "purpose: prefetch", "x-moz: prefetch"):
        name, _, value = header.partition(": ")
        visitor.get(f"/s/{code}/", headers={name: value})
        assert opens() == 0, header


def test_looking_at_the_headers_is_no_open(market, sharer, visitor):
    page = visitor.head(f"/s/{share(sharer)}/")
    assert (page.status_code, page.content) == (200, b"")
    assert opens() == 0


def test_colleagues_are_not_counted(market, sharer):
    code = share(sharer)
    sharer.get(f"/s/{code}/")
    signed_in("bob").get(f"/s/{code}/")
    assert opens() == 0


def test_reading_twice_is_one_open_and_another_reader_is_another(market, sharer, visitor):
    code = share(sharer)
    for _ in range(3):
        visitor.get(f"/s/{code}/")
    assert opens() == 1
    visitor.get(f"/s/{code}/", REMOTE_ADDR="192.0.2.7")
    assert opens() == 2


def test_an_ended_link_counts_nothing(market, sharer, visitor):
    code = share(sharer)
    sharer.post(f"/share/links/{code}/revoke/")
    visitor.get(f"/s/{code}/")
    assert opens() == 0


def test_first_and_last_are_kept(market, sharer):
    code = share(sharer)
    for minutes in (0, 10, 70):
        views.count_open(
            code, address=f"192.0.2.{minutes}", browser=BROWSER, now=NOW + timedelta(minutes=minutes)
        )
    link = SharedLink.objects.get()
    assert (link.opens, link.first_opened_at, link.last_opened_at) == (3, NOW, NOW + timedelta(minutes=70))


def test_nothing_about_a_reader_is_kept(market, sharer):
    views.count_open(share(sharer), address="192.0.2.7", browser=BROWSER, now=NOW)
    kept = repr([SharedLink.objects.values_list().get(), getattr(cache, "_cache", {})])
    assert "192.0.2.7" not in kept
    assert "Firefox" not in kept


def test_without_a_cache_the_page_is_shown_and_the_open_counted(market, sharer, visitor, monkeypatch):
    code = share(sharer)

    def away(*args, **kwargs):
        raise ConnectionError("no cache")

    for name in ("add", "get_or_set", "incr"):
        monkeypatch.setattr(views.cache, name, away)
    assert views.count_open(code, address="192.0.2.7", browser=BROWSER, now=NOW)
    assert opens() == 1


@pytest.mark.parametrize("error", [DatabaseError, InterfaceError])
def test_a_locked_database_keeps_nobody_from_reading(market, sharer, visitor, monkeypatch, error):
    code = share(sharer)

    def locked(*args, **kwargs):
        raise error("database is locked")

    monkeypatch.setattr("django.db.models.query.QuerySet.update", locked)
    assert visitor.get(f"/s/{code}/").status_code == 200
    assert opens() == 0


def test_a_link_deleted_while_opened_counts_nothing(market, sharer):
    code = share(sharer)
    SharedLink.objects.all().delete()
    assert not views.count_open(code, address="192.0.2.7", browser=BROWSER, now=NOW)


def test_each_day_has_a_count_of_its_own(market, sharer):
    code = share(sharer)
    for moment, address in ((NOW, "192.0.2.1"), (NOW, "192.0.2.2"), (NOW + timedelta(days=1), "192.0.2.1")):
        views.count_open(code, address=address, browser=BROWSER, now=moment)
    counts = LinkOpens.objects.order_by("day").values_list("day", "opens")
    assert list(counts) == [(NOW.date(), 2), (NOW.date() + timedelta(days=1), 1)]
