"""What shares an entry and what must not; entries that can't be used."""

from __future__ import annotations

import json
import time
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard

from search.domain.process import Deadline
from search.domain.query import StayDates
from search.domain.site_settings import CategoriesStyle
from search.gateway.client import DetailsQuery
from tests.gateway.cache.conftest import ROME, Recording, Setting, price_of
from tests.gateway.documents import a_summary, an_entry, details_document, encoded

replace = msgspec.structs.replace


@pytest.mark.parametrize(
    "other",
    [
        replace(ROME, place="Roma"),
        replace(ROME, guests=3),
        replace(ROME, stars=(4,)),
        replace(ROME, currency="GBP"),
        replace(ROME, market="it-it"),
        replace(ROME, dates=StayDates(date(2030, 5, 1), date(2030, 5, 5))),
    ],
)
def test_any_change_of_the_search_is_another_entry(setting: Setting, other: Any) -> None:
    gateway = setting.gateway()
    setting.ask(gateway)
    assert price_of(setting.ask(gateway, other)) == "2.10"


@pytest.mark.parametrize("parts", [{"number": 1}, {"size": 21}, {"style": CategoriesStyle.REPEAT}], ids=str)
def test_any_change_of_the_call_is_another_entry(setting: Setting, parts: dict[str, Any]) -> None:
    gateway = setting.gateway()
    setting.ask(gateway)
    assert price_of(setting.ask(gateway, **parts)) == "2.10"


def test_another_gateway_is_another_entry(setting: Setting) -> None:
    setting.ask(setting.gateway())
    setting.base_url = "https://two.example"
    assert price_of(setting.ask(setting.gateway())) == "2.10"


def test_details_are_shared_by_searches_of_one_stay(setting: Setting) -> None:
    gateway = setting.gateway()
    deadline = Deadline(3, time.monotonic)
    gateway.details(DetailsQuery("TST", "p1", ROME), setting.site, deadline)
    gateway.details(DetailsQuery("TST", "p1", replace(ROME, place="Lazio", stars=())), setting.site, deadline)
    assert setting.client.calls == 1
    gateway.details(DetailsQuery("TST", "p1", replace(ROME, guests=1)), setting.site, deadline)
    gateway.details(DetailsQuery("TST", "p2", ROME), setting.site, deadline)
    gateway.details(DetailsQuery("XYZ", "p1", ROME), setting.site, deadline)
    assert setting.client.calls == 4


def test_details_without_days_are_the_same_on_other_days(setting: Setting) -> None:
    gateway = setting.gateway()
    later = replace(ROME, dates=StayDates(date(2030, 5, 2), date(2030, 5, 5)))
    for search, guests in ((ROME, 2), (later, 2), (later, 1)):
        asked = replace(search, guests=guests)
        deadline = Deadline(3, time.monotonic)
        gateway.details(DetailsQuery("TST", "p1", asked, dated=False), setting.site, deadline)
    assert setting.client.calls == 2
    gateway.details(DetailsQuery("TST", "p1", later), setting.site, Deadline(3, time.monotonic))
    assert setting.client.calls == 3


def test_keys_tell_nothing_and_values_are_bytes(setting: Setting) -> None:
    setting.store = store = Recording()
    setting.ask(setting.gateway())
    assert len(store.values) == 1
    (key, value) = store.values.popitem()
    assert key.startswith("gateway:")
    assert "Rome" not in key
    assert "example" not in key
    assert isinstance(value, bytes)


@pytest.mark.parametrize(
    "spoilt",
    [
        b"",
        b"old",
        zstandard.compress(b"[]"),
        zstandard.compress(b""),
        zstandard.compress(msgspec.msgpack.encode([])),
        zstandard.compress(msgspec.msgpack.encode([[], ROME.dates.check_in, False])),
        zstandard.compress(b"\xff" * 9)[:-3],
        7,
        "text",
        None,
    ],
)
def test_an_entry_in_another_form_reads_as_a_miss(setting: Setting, spoilt: Any) -> None:
    setting.store = store = Recording()
    gateway = setting.gateway()
    setting.ask(gateway)
    store.values = dict.fromkeys(store.values, spoilt)
    assert price_of(setting.ask(gateway)) == "2.10"


CASES = [json.loads(path.read_text()) for path in Path("tests/cases").glob("*.json")]
ODD = an_entry(a_summary(name="\ud800", ryanairId="\ud800", providerId="B\ud800"), distance={"value": 10**14})


def test_a_page_from_the_cache_is_the_one_that_was_read(setting: Setting) -> None:
    listings = [case["listing"] for case in CASES if "listing" in case]
    for number, results in enumerate([*listings, [ODD, an_entry()]]):
        setting.client.body = encoded({"results": results, "Total": 10**7})
        read, cached = (setting.ask(setting.gateway(), number=number) for _ in range(2))
        assert cached == read
        assert cached.value.listings == read.value.listings
    assert setting.client.calls == len(listings) + 1


def test_details_from_the_cache_are_those_that_were_read(setting: Setting) -> None:
    half = "\ud800 half a character"
    members = ["checkinTime", "policies", "facilities", "acceptedCreditCards"]
    details = dict.fromkeys(members, (half,)) | {"propertySummary": a_summary(name=half, description=half)}
    rooms = [{"name": half, "rooms": [dict.fromkeys(["name", "policies", "bedTypes"], half)]}]
    odd = details_document(propertyDetails=details, roomTypes=rooms)
    documents = [case["details"] for case in CASES if "details" in case]
    for number, document in enumerate([*documents, odd]):
        setting.client.body = encoded(document)
        query, deadline = DetailsQuery("TST", f"p{number}", ROME), Deadline(3, time.monotonic)
        read, cached = (setting.gateway().details(query, setting.site, deadline) for _ in range(2))
        assert cached == read
    assert setting.client.calls == len(documents) + 1


class Broken:
    """A cache server that is away."""

    def __init__(self) -> None:
        self.asked = 0

    def _fail(self, *args: Any) -> Any:
        self.asked += 1
        raise ConnectionError("redis://:password@cache refused")

    get_many = set = add = delete = _fail


def test_a_broken_cache_costs_no_page_and_is_left_alone(
    setting: Setting, caplog: pytest.LogCaptureFixture
) -> None:
    setting.store = store = Broken()
    gateway = setting.gateway()
    for _ in range(20):
        assert price_of(setting.ask(gateway)) == "1.10"
    assert (store.asked, setting.client.calls) == (1, 1)
    assert "cache=unavailable" in caplog.text
    assert "password" not in caplog.text


def test_entries_survive_the_process_in_a_shared_cache(setting: Setting) -> None:
    setting.ask(setting.gateway())
    setting.ask(setting.gateway())
    assert setting.client.calls == 1
