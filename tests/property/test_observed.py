"""The lowest totals of a stay are written once, in runs, behind the pages on which they were seen."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import DatabaseError, InterfaceError
from hypothesis import given
from hypothesis import strategies as st

from hotelsite import gunicorn_conf
from search.domain import process
from search.domain.site_settings import Site
from search.property import observed
from search.property.observed import LONGEST_GAP, Memory, ObservedTotal, Run, Terms, added
from search.site_settings import store
from tests.builders import SEARCH, search
from tests.gateway.documents import a_listing_document, a_min_price, an_entry, an_offer, triple
from tests.journey.conftest import wire as wire
from tests.servers import manage
from tests.sharing.conftest import hotel

pytestmark = pytest.mark.django_db

START = datetime(2026, 11, 1, 12, tzinfo=UTC)
TERMS = Terms.of(SEARCH, Site())
PAGE = "/hotels/ACME/77/?place=Porto&checkin=2030-05-01&checkout=2030-05-04&guests=2"


def seen(hours: float, amount: object = 400, provider: str = "AA") -> Run:
    at = START + timedelta(hours=hours)
    return Run.once(at) if amount is None else Run.once(at, Decimal(str(amount)), provider)


def written(*all_seen: Run, terms: Terms = TERMS, hotel: str = "h1") -> list[tuple[object, int]]:
    memory = Memory()
    for one in all_seen:
        memory.note((terms, hotel), one)
    memory.write()
    return [*ObservedTotal.objects.values_list("amount", "times")]


@pytest.mark.parametrize(
    ("sightings", "rows"),
    [
        ([(0,), (5,), (20,)], [(400, 3)]),
        ([(0,), (1, 390), (2, 390, "BB"), (3,)], [(400, 1), (390, 1), (390, 1), (400, 1)]),
        ([(0,), (27,)], [(400, 1), (400, 1)]),
        # One moment counts once, however often it is shown.
        ([(0,)] * 9, [(400, 1)]),
        # A hotel that was never offered has no row.
        ([(0, None), (1,), (2, None), (3, None)], [(400, 1), (None, 2)]),
    ],
)
def test_equal_totals_in_a_row_of_a_provider_are_one_row(sightings, rows):
    assert written(*(seen(*one) for one in sightings)) == rows
    assert written(seen(*sightings[-1])) == rows
    last = ObservedTotal.objects.last()
    assert last.last_seen == seen(*sightings[-1]).last_seen


@pytest.mark.parametrize(
    "other",
    [
        {"terms": Terms.of(search(guests=3), Site())},
        {"terms": Terms.of(search(currency="GBP"), Site())},
        {"terms": Terms.of(search(market="de-de"), Site())},
        {"terms": TERMS._replace(counting="included, stay")},
        {"terms": TERMS._replace(check_out=TERMS.check_out + timedelta(days=1))},
        {"hotel": "h2"},
    ],
)
def test_totals_on_other_terms_are_kept_apart(other):
    written(seen(0))
    written(seen(1, 300), **other)
    assert [run.amount for run in Memory().runs(TERMS, ["h1"])["h1"]] == [400]


@given(st.lists(st.tuples(st.integers(0, 40), st.sampled_from([None, 380, 400]), st.sampled_from("AB"))))
def test_runs_are_what_a_naive_look_back_says(steps):
    runs, history, hours = (), [], 0
    for hour, amount, provider in steps:
        hours += hour
        one = seen(hours, amount, provider)
        runs = added(runs, one)
        if one.last_seen > history[-1].last_seen if history else one.amount:
            history.append(one)
    starts = [
        one
        for before, one in zip([None, *history], history, strict=False)
        if not before
        or (before.amount, before.provider) != (one.amount, one.provider)
        or one.last_seen - before.last_seen > LONGEST_GAP
    ]
    assert [(run.first_seen, run.amount, run.provider) for run in runs] == [
        (one.first_seen, one.amount, one.provider) for one in starts
    ]
    assert sum(run.times for run in runs) == len(history)


def test_an_opened_hotel_is_remembered_with_its_lowest_total(wire, client):
    page = client.get(PAGE)
    assert "€412.60" in page.text
    row = ObservedTotal.objects.get()
    assert (row.amount, row.currency, row.guests, row.provider) == (Decimal("412.60"), "EUR", 2, "ACME")


def test_a_list_is_not_remembered(wire, client):
    client.get("/hotels/?place=Porto&checkin=2030-05-01&checkout=2030-05-04&guests=2")
    observed.write_pending()
    assert not ObservedTotal.objects.exists()


def test_kept_hotels_are_remembered(wire, client):
    wire.search(a_listing_document(hotel("aa", 100), hotel("bb", 200), hotel("cc", 300), total=3))
    client.get(PAGE.replace("/hotels/ACME/77/", "/shortlist/") + "&stay=ACME/aa&stay=ACME/cc")
    observed.write_pending()
    assert sorted(ObservedTotal.objects.values_list("amount", flat=True)) == [100, 300]


def test_nothing_is_remembered_where_that_is_off(wire, client):
    store.change({"remember_prices": False})
    client.get(PAGE)
    observed.write_pending()
    assert not ObservedTotal.objects.exists()


def test_a_total_that_leaves_something_out_is_not_remembered(wire, client):
    fee = {"type": "TAX", "price": triple(9, "JPY")}
    sold = an_offer(minPrice=a_min_price(surcharges=[{"surchargeType": "TAX", "price": fee}]))
    wire.search(a_listing_document(an_entry(offers=[sold]), total=1))
    client.get(PAGE)
    observed.write_pending()
    assert not ObservedTotal.objects.filter(amount__lt=412).exists()


def test_pages_of_two_seconds_are_one_batch():
    now = [100.0]
    memory = Memory(clock=lambda: now[0])
    for hours in range(3):
        memory.note((TERMS, "h1"), seen(hours))
        memory.write_if_due()
    assert ObservedTotal.objects.get().times == 1
    now[0] += 2
    memory.write_if_due()
    assert ObservedTotal.objects.get().times == 3


def test_what_a_process_saw_is_written_when_it_ends():
    process.part(Memory).note((TERMS, "h1"), seen(0))
    gunicorn_conf.worker_exit(None, None)
    assert ObservedTotal.objects.count() == 1


def test_without_a_database_totals_wait_and_pages_go_without(monkeypatch, wire, client):
    def away(*_args: object, **_values: object) -> None:
        raise DatabaseError

    with monkeypatch.context() as without:
        without.setattr(ObservedTotal.objects, "filter", away)
        assert client.get(PAGE).status_code == 200
        assert process.part(Memory).runs(TERMS, ["h1"]) == {"h1": ()}
    observed.write_pending()
    assert ObservedTotal.objects.count() == 1


def test_a_database_that_hangs_holds_one_visitor(monkeypatch):
    memory, tries = Memory(), []

    def hang(*_args: object, **_values: object) -> None:
        tries.append(1)
        memory.write()  # another visitor, meanwhile
        raise InterfaceError

    memory.note((TERMS, "h1"), seen(0))
    with monkeypatch.context() as without:
        without.setattr(ObservedTotal.objects, "filter", hang)
        memory.write()
    assert tries == [1]
    memory.write()
    assert ObservedTotal.objects.count() == 1


def test_old_totals_and_those_beyond_the_most_go():
    rows = [
        ObservedTotal(hotel="h1", amount=1, first_seen=moment, last_seen=moment, **TERMS._asdict())
        for moment in (START + timedelta(hours=hour) for hour in range(60))
    ]
    ObservedTotal.objects.bulk_create(rows)
    assert observed.forget(START + timedelta(days=2), Site(remembered_days=1)) == 24
    assert observed.forget(START + timedelta(days=2), Site(remembered_rows=10)) == 26
    assert ObservedTotal.objects.count() == 10


WRITER = """
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from search.property.observed import Memory, Run, Terms
memory, terms = Memory(), Terms(date(2030, 5, 1), date(2030, 5, 4), 2, "EUR", "en-gb", "added, stay")
for hour in range(60):
    at = datetime(2026, 11, 1, tzinfo=UTC) + timedelta(hours=hour)
    memory.note((terms, "h1"), Run.once(at, Decimal(400 + hour // 4)))
    memory.write()
"""


@pytest.mark.thorough
def test_two_processes_never_write_a_total_twice(tmp_path):
    database = {"DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite3", "CACHE_URL": f"file://{tmp_path}/cache"}
    assert manage("migrate", **database).returncode == 0
    with ThreadPoolExecutor(3) as pool:
        writers = list(pool.map(lambda _: manage("shell", "-c", WRITER, **database), range(3)))
    assert [one.returncode for one in writers] == [0, 0, 0], writers[0].stderr
    with sqlite3.connect(tmp_path / "db.sqlite3") as rows:
        runs = rows.execute("SELECT amount, times FROM search_observedtotal ORDER BY first_seen").fetchall()
    assert runs == [(400 + run, 4) for run in range(15)]
