"""A watched total: its page, its feed and its calendar file tell what the rules name, and nothing else."""

import re
from datetime import date, datetime, timedelta
from decimal import Decimal
from html import unescape
from xml.etree import ElementTree

import feedparser
import hypothesis
import icalendar
import pytest
from django.contrib.auth.models import User
from django.core import mail, signing
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins

from search.domain.query import StayDates
from search.domain.site_settings import Site
from search.property import observed
from search.property.observed import Memory, ObservedTotal, Terms, added
from search.sharing import views, watches
from search.sharing.models import SharedLink, Snapshot
from search.sharing.watches import Entry, Watch, entries
from search.site_settings import store
from tests.builders import NOON, OURS, search
from tests.journey.conftest import wire as wire
from tests.journey.reading import words
from tests.property.test_observed import START, seen
from tests.sharing.conftest import Market, hotel

pytestmark = pytest.mark.django_db
HOTEL = "/hotels/ACME/aa/?place=Porto&checkin=2030-05-01&checkout=2030-05-04&guests=2&market=en-gb"
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def market(wire):
    market = Market(wire)
    market.has(hotel("aa", 400), hotel("bb", 200))
    return market


@pytest.fixture
def later(monkeypatch):
    """Moves Django's clock, by which totals are fetched."""
    moved, now = [timedelta()], timezone.now

    def wait(**time: float) -> None:
        moved[0] += timedelta(**time)

    monkeypatch.setattr(timezone, "now", lambda: now() + moved[0])
    return wait


def watch(client: Client, address: str = HOTEL) -> str:
    """The address of the page of a watch that is begun as its form does it."""
    form = re.search(r'<form class="watch-form" method="post" action="([^"]+)"', client.get(address).text)
    begun = client.post(unescape(form[1]), headers=OURS)
    assert begun.status_code == 302
    return begun["Location"]


def beside(page: str, name: str) -> str:
    path, _mark, query = page.partition("?")
    return f"{path}{name}?{query}"


def told(client: Client, page: str) -> list[str]:
    """The titles of the feed, the oldest first, which are those of page and calendar file."""
    feed = feedparser.parse(client.get(beside(page, "totals.atom")).content)
    assert not feed.bozo
    titles = [one.title.removeprefix("Hotel aa: ") for one in reversed(feed.entries)]
    shown = re.findall(r'<li><span class="muted">[^<]+</span> ([^<]+)</li>', client.get(page).text)
    assert list(map(unescape, reversed(shown))) == titles
    events = icalendar.Calendar.from_ical(client.get(beside(page, "stay.ics")).content).walk("VEVENT")
    assert [str(one["SUMMARY"]).removeprefix("Hotel aa: ") for one in events[1:]] == titles
    return titles


def look(market: Market, *hotels: object) -> None:
    market.has(*hotels)
    watches.run()


def test_a_watch_tells_what_falls_rises_or_is_gone(market, client, later):
    page = watch(client)
    assert told(client, page) == []
    for price in (395, 380, 385, 420):
        later(hours=1)
        look(market, hotel("aa", price), hotel("bb", 1))
    later(hours=1)
    look(market, hotel("bb", 1))
    later(hours=1)
    look(market, hotel("aa", 420), hotel("bb", 1))
    assert told(client, page) == [
        "€380.00, €20.00 less",
        "€420.00, €40.00 more",
        "No longer offered for these dates",
        "Offered again: €420.00",
    ]


def test_the_page_says_when_the_total_was_last_seen(market, client, later):
    page = watch(client)
    observed.write_pending()
    later(hours=2)
    text = words(client.get(page))
    assert "€400.00, seen 2 hours ago" in text
    assert "Only falls and rises of more than 3% count." in text


def test_the_feed_is_what_rfc_4287_asks_for(market, client, later):
    page = watch(client)
    for price in (300, 500):
        later(hours=1)
        look(market, hotel("aa", price))
    response = client.get(beside(page, "totals.atom"))
    assert response["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ElementTree.fromstring(response.content)
    assert feed.tag == f"{ATOM}feed"
    for one in (feed, *feed.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            (text,) = one.findall(f"{ATOM}{name}")
            assert text.text
        assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", one.findtext(f"{ATOM}id"))
        assert datetime.fromisoformat(one.findtext(f"{ATOM}updated")).tzinfo
        assert [link for link in one.findall(f"{ATOM}link") if link.get("rel", "alternate") == "alternate"]
    assert feed.find(f"{ATOM}author/{ATOM}name").text == "Hotel search"
    own = [link.get("href") for link in feed.findall(f"{ATOM}link") if link.get("rel") == "self"]
    assert own == [f"http://testserver{beside(page, 'totals.atom')}"]
    names = [one.text for one in feed.iter(f"{ATOM}id")]
    assert len(names) == len(set(names)) == 3
    assert feed.findtext(f"{ATOM}updated") == feed.findall(f"{ATOM}entry")[0].findtext(f"{ATOM}updated")


def test_the_calendar_file_has_the_stay_and_each_change(market, client, later):
    page = watch(client)
    later(days=1)
    look(market, hotel("aa", 300))
    response = client.get(beside(page, "stay.ics"))
    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    assert all(len(line) <= 75 and not line.endswith(b"\r") for line in response.content.split(b"\r\n"))
    stay, change = icalendar.Calendar.from_ical(response.content).walk("VEVENT")
    assert (stay.decoded("DTSTART"), stay.decoded("DTEND")) == (date(2030, 5, 1), date(2030, 5, 4))
    assert change.decoded("DTSTART") == date(2026, 11, 22)
    assert str(stay["SUMMARY"]) == "Hotel aa"
    assert f"http://testserver{page}" in str(stay["DESCRIPTION"])
    assert stay["UID"] != change["UID"]


def test_a_guessed_address_is_none(market, client, django_assert_num_queries):
    page = watch(client)
    code = Watch.objects.get().code
    for guess in (
        code,
        f"{code}.",
        f"{code}.{'A' * 43}",
        signing.Signer().sign(code),
        f"{code[:-1]}x.{page[-43:]}",
    ):
        for name in ("", "totals.atom", "stay.ics"):
            with django_assert_num_queries(0):
                assert client.get(f"/watch/{guess}/{name}").status_code == 404


def test_two_watches_of_a_stay_know_nothing_of_each_other(market, client, later):
    first, second = watch(client), watch(client)
    later(hours=1)
    look(market, hotel("aa", 300))
    code = first.split("/")[2]
    for name in ("", "totals.atom", "stay.ics"):
        other = client.get(beside(second, name)).text
        assert code not in other
        assert Watch.objects.first().code not in other
    client.post(beside(first, "stop/"), headers=OURS)
    assert client.get(first).status_code == 410
    assert told(client, second) == ["€300.00, €100.00 less"]


def test_a_stopped_watch_is_over_for_good(market, client):
    page = watch(client)
    assert client.post(beside(page, "stop/"), headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert client.get(page).status_code == 200
    client.post(beside(page, "stop/"), headers=OURS)
    for name in ("", "totals.atom", "stay.ics"):
        assert client.get(beside(page, name)).status_code == 410
    assert "no longer watched" in words(client.get(page))


def test_a_watch_ends_with_its_stay(market, client, later):
    page = watch(client)
    later(days=(date(2030, 5, 3) - NOON.date()).days)
    assert client.get(beside(page, "totals.atom")).status_code == 410
    assert "The dates of this stay have passed" in words(client.get(page))


def test_its_answers_are_for_its_owner_alone(market, client):
    page = watch(client)
    for name in ("", "totals.atom", "stay.ics"):
        response = client.get(beside(page, name))
        assert response["Referrer-Policy"] == "no-referrer"
        assert "noindex" in response["X-Robots-Tag"]
        assert re.search("no-store|private", response["Cache-Control"])


def test_other_sites_begin_no_watch(market, client):
    client.get(HOTEL)
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "https://elsewhere.example"}, {}):
        assert client.post(f"/watch{HOTEL}", headers=headers).status_code == 403
    assert client.get(f"/watch{HOTEL}").status_code == 405
    assert not Watch.objects.exists()


def test_watches_are_bounded_in_all_and_for_a_network(market, client, monkeypatch):
    monkeypatch.setattr(views, "MOST_MISSES", 2)
    for _ in range(2):
        watch(client)
    assert client.post(f"/watch{HOTEL}", headers=OURS).status_code == 429
    elsewhere = Client(REMOTE_ADDR="203.0.113.9")
    watch(elsewhere)
    store.change({"most_watches": 1})
    full = elsewhere.post(f"/watch{HOTEL}", headers=OURS)
    assert full.status_code == 429
    assert "No more totals can be watched right now" in words(full)


@pytest.mark.parametrize("off", [{"watch_calls": 0}, {"remember_prices": False}])
def test_nothing_is_watched_where_that_is_off(market, client, off):
    store.change(off)
    assert "watch-form" not in client.get(HOTEL).text
    assert client.post(f"/watch{HOTEL}", headers=OURS).status_code == 404


def test_a_hotel_without_a_price_has_nothing_to_watch(market, client):
    market.has(hotel("bb", 1))
    assert "watch-form" not in client.get(HOTEL).text


@given(
    st.lists(
        st.tuples(st.integers(1, 60), st.sampled_from([None, 380, 400, 411, 413]), st.sampled_from("AB")),
        max_size=14,
    ),
    st.integers(0, 200),
    st.integers(0, 6),
)
def test_entries_are_what_a_naive_reader_would_note(steps, since, percent):
    runs, sightings, hours = (), [], 0
    for hour, amount, provider in steps:
        hours += hour
        one = seen(hours, amount, provider)
        runs = added(runs, one)
        sightings += [one] if sightings or amount else []
    begin = START + timedelta(hours=since)
    told = [(kind(one), one.at, one.total) for one in entries(runs, begin, percent)]
    assert told == naive(sightings, begin, percent)


def kind(entry: Entry) -> str:
    if entry.total is None:
        return "gone"
    return "back" if entry.before is None else "lower" if entry.total < entry.before else "higher"


def naive(sightings, begin, percent):
    notes, known, there = [], None, True
    for one in sightings:
        change = None
        if one.amount is None:
            change = "gone" if there else None
        elif not there:
            change = "back"
        elif known is not None and one.amount * 100 < known * (100 - percent):
            change = "lower"
        elif known is not None and one.amount * 100 > known * (100 + percent):
            change = "higher"
        there = one.amount is not None
        if change and one.last_seen > begin:
            notes.append((change, one.last_seen, one.amount))
        if one.amount is not None and (change or known is None or one.last_seen <= begin):
            known = one.amount
    return notes


@given(
    st.lists(st.tuples(st.integers(1, 60), st.sampled_from([None, 380, 400, 413])), min_size=3, max_size=10),
    st.integers(0, 100),
)
@hypothesis.settings(max_examples=8, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture])
def test_page_feed_calendar_and_mail_agree_with_a_naive_reader(client, steps, since):
    for model in (Watch, ObservedTotal, SharedLink):
        model.objects.all().delete()
    owner, _new = User.objects.get_or_create(username="ann", defaults={"email": "ann@hotels.example"})
    stay = search(place="Porto", dates=StayDates(date(2030, 5, 1), date(2030, 5, 4)))
    begin = START + timedelta(hours=since)
    of_stay = {"search": stay.query_string(), "check_in": stay.dates.check_in}
    link = SharedLink.objects.create(
        code="x" * 12, owner=owner, shared_at=begin, expires=stay.dates.check_in, **of_stay
    )
    hotel = Snapshot("h1", "A", "1", "Hotel aa", city="", picture="", total=None)
    one = {"snapshot": [to_builtins(hotel)], **of_stay}
    own = Watch.objects.create(code="a" * 12, percent=3, made_at=begin, **one)
    Watch.objects.create(code="b" * 12, percent=3, made_at=begin, told_at=begin, link=link, **one)
    sightings, hours, memory = [], 0, Memory()
    for hour, amount in steps:
        hours += hour
        sightings.append(seen(hours, amount, "A"))
        memory.note((Terms.of(stay, Site()), "h1"), sightings[-1])
        memory.write()
    while sightings and not sightings[0].amount:
        sightings.pop(0)
    expected = [_said(*change) for change in naive(sightings, begin, 3)]
    titles = told(client, f"/watch/{own.address}/?market=en-gb")
    assert [title.partition(",")[0] for title in titles] == expected
    mail.outbox.clear()
    watches.mail_changes(Site())
    lines = [line for sent in mail.outbox for line in sent.body.splitlines()]
    mailed = [line.removeprefix("Hotel aa: ") for line in lines if line.startswith("Hotel aa: ")]
    assert [line.partition(",")[0] for line in mailed] == expected


def _said(change: str, _at: datetime, total: Decimal | None) -> str:
    if change == "gone":
        return "No longer offered for these dates"
    return f"Offered again: €{total:.2f}" if change == "back" else f"€{total:.2f}"
