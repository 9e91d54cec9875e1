"""The full results: fetching them, refining them, caching them, and the page made of them."""

from __future__ import annotations

import gzip
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date
from decimal import Decimal
from math import ceil
from unittest import mock

import msgspec
from django.core.cache import cache
from django.core.wsgi import get_wsgi_application
from django.test import override_settings

from search.domain import process
from search.domain.context import SearchContext
from search.domain.deadline import Deadline
from search.domain.query import Refinement, Sort, StayDates, StaySearch
from search.domain.site_settings import Site
from search.gateway import cache_store, factory
from search.results import store
from search.results.full_results import FullResults
from search.results.index import RowIndex
from search.results.map_pins import MapPins
from search.results.rows import Row
from search.results.selection import Question, Selection, facets, histogram
from search.sandbox.weather import Weather
from tests.bench.figures import Figure, cpu_ms, wall_ms
from tests.bench.pages import ask
from tests.scripted_gateway import ScriptedGateway, honest

LATENCY = 0.3
# Properties on the largest page of the sandbox.
SANDBOX_PAGE = Weather().max_size
SEARCH = StaySearch("Barcelona", StayDates(date(2030, 5, 1), date(2030, 5, 4)), 2, (), "EUR", "en-gb")
SITE = Site()
QUERY = SEARCH.query_string()
FILTERED = Question(
    Refinement(
        max_price=Decimal(600), free_cancellation=True, facility=("GYM", "SPA"), min_rating=Decimal(7)
    ),
    sort=Sort.RATING,
)


def figures() -> Iterator[Figure]:
    yield _calls()
    yield _collecting()
    rows = _whole_answer(SITE)
    yield from _refining("600", rows, budget=0.8)
    yield from _refining("5,000", _whole_answer(Site(cap=5_000)), budget=8)
    yield from _standing_out(_whole_answer(Site(cap=5_000)))
    yield from _keeping(rows)
    yield _page()
    yield from _map()


def _calls() -> Figure:
    """Of a gateway that gives pages of 200."""
    cache.clear()
    scripted = ScriptedGateway(honest(600), largest=200)
    process.put(factory.build_gateway, scripted)
    FullResults(_context(SITE)).wait_for_all()
    process.start()
    cache.clear()
    calls = len(scripted.calls)
    return Figure("calls for a complete answer of 600", calls, "", 3, "600 / 200", 4 / 3, "12")


def _collecting() -> Figure:
    """From the first page in hand to the answer kept, the gateway another process that takes 300 ms."""
    calls = 600 // SANDBOX_PAGE - 1
    ideal = ceil(calls / SITE.parallel_calls) * LATENCY * 1000

    def collect() -> None:
        cache.clear()
        FullResults(_context(SITE)).wait_for_all()

    with (
        slow_gateway() as address,
        override_settings(GATEWAY_BASE_URL=address, GATEWAY_API_KEY="sandbox"),
    ):
        process.start()
        whole = wall_ms(collect, runs=5, warm_up=1)
    process.start()
    cache.clear()
    after_first = whole - LATENCY * 1000
    return Figure(
        "collect 600 at 300 ms, after page one",
        after_first,
        "ms",
        ideal,
        "pages / parallel",
        1.15,
        "1.3-1.6x",
    )


@contextmanager
def slow_gateway(seconds: float = LATENCY) -> Iterator[str]:
    """A sandbox on a socket of its own, which takes so long to answer; yields its address once it listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "manage.py", "serve_sandbox", "--port", str(port)]
    environment = {**os.environ, "SANDBOX_WEATHER": f"slow={seconds}"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as served:
        try:
            for _ in range(200):
                with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}"
        finally:
            served.terminate()


def _whole_answer(site: Site) -> tuple[Row, ...]:
    """Rows of the sandbox's largest place, as many as the cap lets in."""
    with mock.patch.object(cache_store, "ENTRY_BYTES", 100_000_000):
        available = FullResults(_context(site)).wait_for_all()
    if available is None or len(available.result_set.rows) != site.cap:
        raise AssertionError("the results of the sandbox are not complete")
    return available.result_set.rows


def _context(site: Site) -> SearchContext:
    return SearchContext(SEARCH, Refinement(), site, date.today(), Deadline(120, time.monotonic))


def _refining(name: str, rows: tuple[Row, ...], budget: float) -> Iterator[Figure]:
    index = RowIndex(rows)

    def build() -> None:
        built = RowIndex(rows)
        facets(Selection(built, Question(Refinement())))  # reads every fact that a filter asks for
        _ = built.price_ranks

    def refine(question: Question) -> None:
        selection = Selection(index, question)
        selection.ordered()
        facets(selection)
        histogram(selection)

    one_pass = cpu_ms(lambda: [row.key for row in rows if len(row.offers) > 9])
    plain, filtered = Question(Refinement()), FILTERED
    yield Figure(f"one pass over {name} rows", one_pass, "ms")
    yield Figure(f"index {name} rows, once an answer", cpu_ms(build, 15), "ms")
    for asked, what in ((plain, "rows"), (filtered, "rows, five filters")):
        spent = cpu_ms(lambda asked=asked: refine(asked))
        yield Figure(f"refine + facets, {name} {what}", spent, "ms", budget=budget, first=f"{budget:g} ms")


def _standing_out(rows: tuple[Row, ...]) -> Iterator[Figure]:
    """The best trade-offs of an answer, and where the totals of a page stand among those like them."""
    index, question = RowIndex(rows), Question(Refinement(tradeoffs=True), sort=Sort.VALUE)

    def classes() -> None:
        del index.classes
        _ = index.classes

    def refine() -> None:
        selection = Selection(index, question)
        facets(selection)
        histogram(selection)
        for number in selection.ordered()[:20]:
            selection.standing(number)
        selection.described_tradeoffs()

    _ = index.classes
    yield Figure("classes of 5,000 rows, once an answer", cpu_ms(classes, 15), "ms", budget=20)
    yield Figure("refine + trade-offs + classes, 5,000 rows", cpu_ms(refine), "ms", budget=15)


def _keeping(rows: tuple[Row, ...]) -> Iterator[Figure]:
    """The entry of an answer of 600, and reading it as a process does that sees it for the first time."""
    _whole_answer(SITE)
    key = FullResults(_context(SITE)).key
    version = cache.get(f"results:{store.FORM}:{key}").decode()
    packed = cache.get(f"results:{store.FORM}:{key}:{version}")
    yield Figure("complete answer in the cache, 600 rows", len(packed) / 1000, "kB", budget=64)
    read = cpu_ms(lambda: store.ResultStore(cache).read(key))
    yield Figure("complete answer read anew, 600 rows", read, "ms", budget=3)


def _page() -> Figure:
    """A refined page of a kept answer beside the plain page in the gateway's order, both whole requests."""
    application = get_wsgi_application()
    plain = cpu_ms(lambda: ask(application, f"{QUERY}&sort=provider"), 40)
    refined = cpu_ms(lambda: ask(application, QUERY), 40)
    return Figure("refined page of a kept answer, CPU", refined, "ms", plain, "the plain page", 1.5)


def _map() -> Iterator[Figure]:
    """The pins of a kept answer: made, and as a browser gets them."""
    FullResults(_context(SITE)).wait_for_all()
    made = msgspec.json.encode(MapPins.build(_context(SITE)))
    yield Figure("map data of 600 hotels, compressed", len(gzip.compress(made, 6)) / 1000, "kB", budget=20)
    yield Figure("map data of 600 hotels", cpu_ms(lambda: MapPins.build(_context(SITE))), "ms", budget=8)
