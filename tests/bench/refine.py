"""The full results: fetching them, refining them, and the map made of them."""

from __future__ import annotations

import gzip
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from math import ceil
from unittest import mock

import msgspec
from django.core.cache import cache
from django.test import override_settings

from search.domain import process
from search.domain.context import SearchContext
from search.domain.process import Deadline
from search.domain.query import Refinement, Sort, StayDates, StaySearch
from search.domain.site_settings import Site
from search.gateway import cache as gateway_cache
from search.gateway import factory
from search.results.full_results import FullResults
from search.results.index import Row, RowIndex
from search.results.map_pins import MapPins
from search.results.selection import Question, Selection, facets, histogram
from search.sandbox.weather import Weather
from tests.bench.figures import Figure, cpu_ms
from tests.scripted_gateway import ScriptedGateway, honest
from tests.servers import running_sandbox

LATENCY = 0.3
SEARCH = StaySearch("Barcelona", StayDates(date(2030, 5, 1), date(2030, 5, 4)), 2, (), "EUR", "en-gb")
SITE = Site()
FILTERED = Question(
    Refinement(
        max_price=Decimal(600), free_cancellation=True, facility=("GYM", "SPA"), min_rating=Decimal(7)
    ),
    sort=Sort.RATING,
)


def collecting() -> Iterator[Figure]:
    """Calls for 600 hotels where the gateway gives pages of 200, and the time from the first page in hand to
    the last where it takes 300 ms."""
    scripted = ScriptedGateway(honest(600), largest=200)
    with _new_process():
        process.put(factory.build_gateway, scripted)
        _collect(SITE)
    yield Figure("calls for 600 results", len(scripted.calls), "", 4 / 3, 3, "600 / 200")
    waves = ceil((600 // Weather().max_size - 1) / SITE.parallel_calls)
    with (
        running_sandbox(SANDBOX_WEATHER=f"slow={LATENCY}") as sandbox,
        override_settings(GATEWAY_BASE_URL=sandbox.url, GATEWAY_API_KEY="sandbox"),
        _new_process(),
    ):
        spent = cpu_ms(lambda: _collect(SITE), 5, 1, time.perf_counter) - LATENCY * 1000
    name = "collect 600 at 300 ms, after page one"
    yield Figure(name, spent, "ms", 1.15, waves * LATENCY * 1000, "pages / parallel")


def refining() -> Iterator[Figure]:
    """A filtered and sorted list of 600 and of 5,000 hotels, with what its filters and its map say."""
    for count, budget in ((600, 0.8), (5_000, 8)):
        rows = _collect(Site(cap=count))
        index = RowIndex(rows)
        one_pass = cpu_ms(lambda rows=rows: [row.key for row in rows if len(row.offers) > 9])
        yield Figure(f"one pass over {count:,} rows", one_pass, "ms")
        yield Figure(f"index {count:,} rows, once", cpu_ms(lambda rows=rows: RowIndex(rows), 15), "ms")
        for question, what in ((Question(Refinement()), "rows"), (FILTERED, "rows, five filters")):
            spent = cpu_ms(lambda index=index, question=question: _refine(Selection(index, question)))
            yield Figure(f"refine + facets, {count:,} {what}", spent, "ms", budget)
    pins = msgspec.json.encode(MapPins.build(_context(SITE)))
    yield Figure("map data of 600 hotels, compressed", len(gzip.compress(pins, 6)) / 1000, "kB", 20)
    yield Figure("map data of 600 hotels", cpu_ms(lambda: MapPins.build(_context(SITE))), "ms", 8)


PARTS = (collecting, refining)


@contextmanager
def _new_process() -> Iterator[None]:
    process.start()
    cache.clear()
    yield
    process.start()
    cache.clear()


def _refine(selection: Selection) -> None:
    selection.ordered()
    facets(selection)
    histogram(selection)


def _collect(site: Site) -> tuple[Row, ...]:
    """The rows of the largest place, as many as the cap lets in."""
    cache.clear()
    with mock.patch.object(gateway_cache, "ENTRY_BYTES", 100_000_000):
        available = FullResults(_context(site)).wait_for_all()
    if available is None or len(available.result_set.rows) != site.cap:
        raise AssertionError("the results are not complete")
    return available.result_set.rows


def _context(site: Site) -> SearchContext:
    return SearchContext(SEARCH, Refinement(), site, date.today(), Deadline(120, time.monotonic))
