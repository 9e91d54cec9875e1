"""The full results of a search: all its gateway pages up to the cap, as rows to sort, filter and map.

They are made in each process from the gateway pages, which alone are shared between processes, and kept in
one LRU. While pages are still being fetched a view gets what has come by then.

"Compare all" is the same with a higher cap: a visitor starts it, and every process that is asked for its
progress within some minutes takes part in it.
"""

import hashlib
import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from threading import Lock
from typing import Self

import msgspec
from cachetools import LRUCache
from django.conf import settings
from django.utils import timezone
from django.utils.functional import cached_property

from search.domain import process
from search.domain.context import SearchContext
from search.domain.offers import Listing
from search.domain.process import Deadline
from search.domain.query import StaySearch
from search.domain.site_settings import Site
from search.gateway import Garbled, GatewayError, NotFound, Rejected
from search.gateway.cache import STALE_PATIENCE, CachedValue, stale_seconds
from search.gateway.client import PageQuery, series_of
from search.gateway.factory import build_safe_store, gateway
from search.gateway.search_page import SearchPage, unpacked
from search.monitoring import metrics
from search.web.shortcuts import Sources, page_deadline

from .fetcher import AskedPage, Fetch, Fetcher
from .index import Row, RowIndex, row_of
from .pagination import (
    SIZES,
    Coverage,
    CoverageState,
    Fetched,
    Keys,
    Pages,
    PageSizes,
    Pagination,
    known_by,
    smallest,
)

# What the result sets of a process may take: about twelve of 600 properties.
MOST_BYTES = 48 * 2**20
# A row with its share of an index, beside its listing as it was sent.
ROW_BYTES = 2_500
# Listings of a result set that are kept read: those of pages that are asked for again and again.
KEPT_LISTINGS = 60
# Results just collected are good enough for a page that waits for them and asks every 2 s, or it could never
# settle; and to be shown, if pages are missing or old. A gateway that is back is asked within 6 s.
SETTLED = timedelta(seconds=5)
NEVER = datetime.min.replace(tzinfo=UTC)
# An exact first view is worth this much waiting, and only where that is likely to be enough.
PATIENCE_SECONDS = 0.2
# The share of a page's time that may go into waiting for results that are not there yet.
WAITING_SHARE = 0.7
# Until it is so old a property page waits for all, to say how it stands among them; then its own offers are
# enough.
ALL_SECONDS = 1.0


class ResultSet:
    """The rows of a search in the gateway's order, and the listing of each as it was sent. `fetched_at` is
    that of the oldest page; `stale` if a page was an old copy; `collected_at` when they were fetched here."""

    def __init__(self, fetched: Fetched, rows: Iterable[Row], collected_at: datetime = NEVER) -> None:
        self.rows = tuple(rows)
        self.coverage = fetched.coverage
        self.fetched_at = fetched.fetched_at
        self.stale = fetched.stale
        self.collected_at = collected_at
        # The last index of its rows, behind what else it depends on: visitors rarely see different ones.
        self.index: tuple[Hashable, RowIndex | None] = (None, None)
        self._sent = {one.outline.key: one.packed for one in fetched.entries}
        self._listing = lru_cache(KEPT_LISTINGS)(unpacked)

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return sum(map(len, self._sent.values())) + len(self.rows) * ROW_BYTES

    @cached_property
    def shared(self) -> frozenset[tuple[str, str]]:
        """The identifiers at a provider that it gave several properties."""
        keys: dict[tuple[str, str], set[str]] = defaultdict(set)
        for row in self.rows:
            for at in ((row.provider, row.id), *[(one.provider, one.property_id) for one in row.offers]):
                keys[at].add(row.key)
        return frozenset(at for at, of_properties in keys.items() if len(of_properties) > 1 and all(at))

    def listings(self, rows: Iterable[Row]) -> dict[str, Listing]:
        """The listings of these rows by key, without those that can't be read."""
        listings: dict[str, Listing] = {}
        for row in rows:
            with suppress(Garbled, msgspec.MsgspecError):
                listings[row.key] = self._listing(self._sent[row.key])
        return listings


class ResultSets:
    """Result sets by key up to a size in all, safe between threads; the one unused for longest goes first."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._lock = Lock()
        self._sets: LRUCache[Hashable, ResultSet] = LRUCache(most, lambda one: min(most, one.size))

    def get(self, key: Hashable) -> ResultSet | None:
        with self._lock:
            return self._sets.get(key)

    def put(self, key: Hashable, result_set: ResultSet) -> None:
        with self._lock:
            self._sets[key] = result_set


@dataclass(frozen=True, slots=True)
class AvailableResults:
    """What is available of the full results of a search. `context` and `cap` are what they were fetched for,
    maybe more stars than the visitor's. `newer_coming`: they are stale, and newer ones are being fetched."""

    context: SearchContext
    cap: int
    result_set: ResultSet
    stale: bool
    newer_coming: bool = False

    def row(self, keys: Keys) -> Row | None:
        """The row of one property, known by any of these keys; None if it isn't among them."""
        return known_by(keys, self.result_set.rows)

    def listing(self, keys: Keys) -> CachedValue[Listing] | None:
        """The listing of one property, as `row`."""
        row = self.row(keys)
        listing = self.result_set.listings([row]).get(row.key) if row else None
        return CachedValue(listing, self.result_set.fetched_at, self.dated().stale) if listing else None

    @property
    def age(self) -> float:
        """How many seconds old their oldest price is."""
        return _age(self.result_set.fetched_at).total_seconds()

    @property
    def settled(self) -> bool:
        """Whether they were collected just now."""
        return _age(self.result_set.collected_at) < SETTLED

    @property
    def past_fresh_time(self) -> bool:
        """Whether some of their prices are older than the site takes for fresh."""
        return self.age > self.context.site.search_fresh_seconds

    @property
    def needs_fetch(self) -> bool:
        """Whether they are due to be fetched again. Old ones that were collected just now are not: without a
        gateway each page would collect the same once more."""
        if self.settled and (self.result_set.stale or not self.past_fresh_time):
            return False
        return self.past_fresh_time or self.result_set.coverage.worth_another_try

    @property
    def patience(self) -> float:
        """How many seconds newer ones are worth: none while the gateway's cache has the old ones shown."""
        fresh = self.context.site.search_fresh_seconds
        if not self.past_fresh_time:
            return PATIENCE_SECONDS
        return 0.0 if self.age < fresh + stale_seconds(fresh) else STALE_PATIENCE

    @property
    def sources(self) -> Sources | None:
        """What a page that shows them is made of; None where others are due. The time of the oldest page
        changes with each fetch."""
        results, seconds = self.result_set, self.context.site.search_fresh_seconds
        if results.stale or results.coverage.worth_another_try:
            return None
        return Sources.fetched(results.fetched_at, seconds, self.cap, results.coverage)

    def dated(self) -> Self:
        """As stale where they are past their fresh time, for a page that gets no newer ones."""
        return self.as_stale() if self.past_fresh_time and not self.settled else self

    def as_stale(self, *, newer_coming: bool = False) -> Self:
        return replace(self, stale=True, newer_coming=newer_coming)


def _age(moment: datetime) -> timedelta:
    """How long ago it was; as long as it is ahead, where the clock has been set back since."""
    return abs(timezone.now() - moment)


class FullResults:
    """The full results of the search of `context`, whatever its refinement, up to `cap` or the site's own."""

    build_fetcher: Callable[[], Fetcher] = Fetcher
    # The share of the calls at once that the site allows.
    calls_share = 1.0

    def __init__(self, context: SearchContext, cap: int | None = None) -> None:
        self.context = context
        self.cap = cap or context.site.cap
        self._series = series_of(context.sent, context.site.categories_style)
        # By what is packed of their entries: those of the first pages are also in the results.
        self._rows: dict[bytes, Row] = {}

    @cached_property
    def key(self) -> Hashable:
        """All that changes the rows."""
        site, query = self.context.site, self.context.sent.query_string()
        rules = (site.categories_style, site.surcharge_mode, site.price_basis, self.cap)
        return (query, *rules, *site.price_rules.providers)

    def cached(self) -> AvailableResults | None:
        """What is there without a call, however old. All results of all stars serve a search for some of
        them, too: fresh ones before its own, older ones where its own are older still."""
        if not self.context.search.stars:
            return self._cached()
        every = FullResults(self.context.with_search(stars=()), self.cap)._cached()
        if every is None or not every.result_set.coverage.exact:
            return self._cached()
        own = self._cached() if every.past_fresh_time else None
        return own if own and own.result_set.fetched_at > every.result_set.fetched_at else every

    def fresh(self) -> AvailableResults | None:
        """What is cached, unless it is due to be fetched again."""
        cached = self.cached()
        return cached if cached and not cached.needs_fetch else None

    def available(self, enough: int) -> AvailableResults:
        """The results as complete as they are now; fetches the rest where that is due. Waits for pages that
        are about to come, and for `enough` properties. Raises GatewayError when there is nothing to show."""
        deadline = self.context.deadline
        if cached := self.cached():
            return self.wait_for_all(min(cached.patience, deadline.left())) or cached
        if self._several_pages_are_expected:
            # All at once: of two calls for the first page the gateway's cache makes one.
            self.start_fetch()
        # In this thread: those behind pages may be waiting for others.
        first = self._first_pages()
        fetch = self.start_fetch(first)
        if fetch is None:
            return self._first_pages_alone(first)
        if sum(len(asked.page.value.entries) for asked in first) < enough:
            fetch.wait(deadline.left() * WAITING_SHARE, lambda pages: len(pages.entries()) >= enough)
        if max(asked.took for asked in first) < PATIENCE_SECONDS:
            fetch.wait(min(PATIENCE_SECONDS, deadline.left()))
        return self._most_complete(fetch, None) or self._first_pages_alone(first)

    def fresh_or_first_page(self) -> AvailableResults:
        """What is cached if that is fresh, else the first page alone. Raises GatewayError."""
        return self.fresh() or self._first_pages_alone(self._first_pages())

    def wait_for_all(self, seconds: float | None = None) -> AvailableResults | None:
        """The results once they are fetched, or after so many seconds, else all the time left, what there is
        by then; None when that is nothing."""
        cached = self.cached()
        if cached and not cached.needs_fetch:
            return cached
        # Nothing newer comes of a gateway that must not be asked.
        fetch = None if cached and gateway().immediate_failure("search") else self.start_fetch()
        if fetch is None:
            return cached and cached.dated()
        fetch.wait(self.context.deadline.left() if seconds is None else seconds)
        return self._most_complete(fetch, cached)

    def listing(self, keys: Keys) -> CachedValue[Listing] | None:
        """The listing of one property, known by any of these keys; None if it isn't in the results. Waits
        for all results while the visitor's page is young, then until its page has come."""
        available, deadline = self.fresh(), self.context.deadline
        if available is None and (fetch := self.start_fetch()):
            fetch.wait(min(ALL_SECONDS - deadline.spent(), deadline.left()))
            fetch.wait(deadline.left(), lambda pages: known_by(keys, pages.entries()))
            so_far = None if fetch.done else self._so_far(fetch)
            if so_far and so_far.row(keys):
                return so_far.listing(keys)
            available = self._most_complete(fetch, self.cached())
        available = available or self.cached()
        return available.listing(keys) if available else None

    @property
    def fetcher(self) -> Fetcher:
        return process.part(type(self).build_fetcher)

    def start_fetch(self, first: Sequence[AskedPage] = ()) -> Fetch | None:
        """The fetch under way in this process, started if there is none; None when too many others are.
        `first` are the first pages where they are at hand."""
        return self.fetcher.join(self.key, lambda: self._new_fetch(first), first)

    def start_unless_fresh(self) -> None:
        """Start fetching behind the page what isn't cached or is due to be fetched again."""
        if self.fresh_coverage() is None:
            self.start_fetch()

    def fresh_coverage(self) -> Coverage | None:
        """The coverage of what is cached, None where there is still something to fetch for it."""
        cached, fetch = self.cached(), self.fetcher.under_way.get(self.key)
        if cached and (not cached.needs_fetch or (cached.settled and not fetch)):
            return cached.result_set.coverage
        return None

    def _new_fetch(self, first: Sequence[AskedPage]) -> Fetch:
        size = first[0].query.size if first else process.part(PageSizes).known(self.context.site)
        # Without a size there is no telling which pages there may be.
        pages = self._pages(size or SIZES[0], is_expected=bool(size))

        def ask(query: PageQuery) -> AskedPage:
            """Within a time of its own; not a stale copy, or the results would need another fetch at once."""
            site, deadline = self.context.site, page_deadline()
            if not query.number:
                return self._first_page(query.search, deadline, stale_ok=False)
            return AskedPage(query, gateway().search(query, site, deadline, stale_ok=False))

        def keep(fetched: Fetched) -> None:
            process.part(ResultSets).put(self.key, self._result_set(fetched, timezone.now()))

        return Fetch(pages, ask, keep, max(1, int(self.context.site.parallel_calls * self.calls_share)))

    @property
    def _several_pages_are_expected(self) -> bool:
        if len(self._series) > 1:
            return True
        sizes = process.part(PageSizes)
        size = sizes.known(self.context.site)
        return size is not None and min(sizes.recent_total(self._series[0]), self.cap) > size

    def _cached(self) -> AvailableResults | None:
        """What this process has of these very results, else what it can make of cached pages."""
        sets = process.part(ResultSets)
        result_set = sets.get(self.key)
        if result_set is None and not self.fetcher.under_way.get(self.key):
            result_set = self._of_cached_pages()
            if result_set:
                sets.put(self.key, result_set)
        return self._as_available(result_set) if result_set else None

    def _of_cached_pages(self) -> ResultSet | None:
        """The results, if each of their pages is cached, however old."""
        site = self.context.site
        pages = self._pages(process.part(PageSizes).known(site) or SIZES[0])
        while (query := pages.claim()) is not None:
            sizes = [query.size] if query.number else dict.fromkeys([query.size, *SIZES, smallest(site)])
            queries = [replace(query, size=size) for size in sizes]
            cached = ((one, page) for one in queries if (page := gateway().cached_page(one)))
            found = next(cached, None)
            if found is None:
                return None
            pages.accept(*found)
        return self._result_set(pages.fetched())

    def _pages(self, size: int, *, is_expected: bool = False) -> Pages:
        """The pages to ask for with this size; if totals of late are `expected`, as many as these have."""
        sizes = process.part(PageSizes)
        largest = sizes.largest()
        # "The first 600 of 638" is worth two more calls; a deeper pass has the admin's limit.
        whole = self.cap * 3 // 2 if self.cap == self.context.site.cap else self.cap
        series = {
            one: Pagination(size, self.cap, sizes.recent_total(one) if is_expected else 0, largest, whole)
            for one in self._series
        }
        return Pages(series, self.cap, self.context.search.stars, whole, self.context.site.categories_style)

    def _first_pages(self) -> list[AskedPage]:
        return [self._first_page(one, self.context.deadline) for one in self._series]

    def _first_page(self, search: StaySearch, deadline: Deadline, *, stale_ok: bool = True) -> AskedPage:
        """Page 0 of a series, as large as the gateway gives it."""
        site, sizes, began = self.context.site, process.part(PageSizes), time.monotonic()
        query = PageQuery(search, 0, sizes.known(site) or SIZES[0], site.categories_style)
        try:
            page = gateway().search(query, site, deadline, stale_ok=stale_ok)
        except Rejected as error:
            if error.kind != "request" or isinstance(error, NotFound) or query.size <= smallest(site):
                raise
            query, page = self._smaller_first_page(query, deadline)
            sizes.remember(query.size)
        metrics.count_page(page)
        sizes.learn(site, search, query.size, page.value)
        if query.size > page.value.received == sizes.known(site):
            # The next one asks with the size just learned, and need not ask for the same entries again.
            gateway().copy_page(query, page.value.received)
        return AskedPage(query, page, time.monotonic() - began)

    def _smaller_first_page(
        self, refused: PageQuery, deadline: Deadline
    ) -> tuple[PageQuery, CachedValue[SearchPage]]:
        """The smallest page, which tells whether it was the size that was refused; then the largest below
        it."""
        site = self.context.site
        query = replace(refused, size=smallest(site))
        first = gateway().search(query, site, deadline)
        for larger in (replace(query, size=one) for one in SIZES if query.size < one < refused.size):
            with suppress(GatewayError):
                page = gateway().search(larger, site, deadline)
                if page.value.received >= first.value.received:
                    return larger, page
        return query, first

    def _most_complete(self, fetch: Fetch, before: AvailableResults | None) -> AvailableResults | None:
        """The more complete of what was there before and what has come in since."""
        if fetch.done and (now_cached := self._cached()):
            return now_cached.dated()
        so_far = self._so_far(fetch)
        if before and (so_far is None or len(before.result_set.rows) >= len(so_far.result_set.rows)):
            return before.as_stale(newer_coming=not fetch.done)
        return so_far

    def _so_far(self, fetch: Fetch) -> AvailableResults | None:
        fetched = fetch.fetched()
        return self._as_available(self._result_set(fetched)) if fetched else None

    def _first_pages_alone(self, first: Sequence[AskedPage]) -> AvailableResults:
        pages = self._pages(first[0].query.size)
        pages.begin_with((asked.query, asked.page) for asked in first)
        return self._as_available(self._result_set(pages.fetched()))

    def _as_available(self, result_set: ResultSet) -> AvailableResults:
        return AvailableResults(self.context, self.cap, result_set, result_set.stale)

    def _result_set(self, fetched: Fetched, collected_at: datetime = NEVER) -> ResultSet:
        site, search = self.context.site, self.context.search
        day, centre = self.context.day, self.context.centre
        for one in fetched.entries:
            if one.packed not in self._rows:
                self._rows[one.packed] = row_of(one.outline, search, site.price_rules, day, centre)
        return ResultSet(fetched, [self._rows[one.packed] for one in fetched.entries], collected_at)


MOST_AT_ONCE = 2
PASS_SECONDS = 300.0
# How long its results are shown, with the time they are from; a page beyond its fresh time is too old to sort
# by silently, but a visitor who waited for all of them may look at them for a while.
KEPT = timedelta(hours=1)


class Deeper(StrEnum):
    """What a page can offer beyond the cap: a new pass, none for now (too many are under way), the progress
    of one, its results, or to say that these are they."""

    OFFERED = "offered"
    BUSY = "busy"
    RUNNING = "running"
    READY = "ready"
    SHOWN = "shown"


class DeeperResults(msgspec.Struct, frozen=True):
    """`coverage` is how far a pass is."""

    state: Deeper
    coverage: Coverage | None = None


def build_pass_fetcher() -> Fetcher:
    return Fetcher(MOST_AT_ONCE, PASS_SECONDS)


def is_offered(site: Site) -> bool:
    return site.compare_all_limit > site.cap


class Pass(FullResults):
    """A deeper pass over the results of a search. When it was started is in the cache."""

    build_fetcher = build_pass_fetcher
    calls_share = 0.5

    def __init__(self, context: SearchContext) -> None:
        super().__init__(context, context.site.compare_all_limit)
        named = msgspec.json.encode((settings.GATEWAY_BASE_URL, self.key))
        self._started_key = f"compare-all:{hashlib.sha256(named).hexdigest()}"

    def start(self) -> None:
        """Start it, unless what an earlier one found is there without a gap, or too many are under way."""
        found = self.found()
        if (found and not found.result_set.coverage.worth_another_try) or self.fetcher.full:
            return
        seconds = max(KEPT.total_seconds(), self.context.site.search_fresh_seconds)
        process.part(build_safe_store).set(self._started_key, timezone.now().timestamp(), seconds)
        self.start_fetch()

    def found(self) -> AvailableResults | None:
        """What it found, unless that is too old or reaches no further than a page does anyway. A pass that
        lost nothing has all that the gateway gives, however few that is."""
        found = self.cached() if self._started_at else None
        if found is None or (found.past_fresh_time and found.age > KEPT.total_seconds()):
            return None
        coverage = found.result_set.coverage
        whole = coverage.state in (CoverageState.COMPLETE, CoverageState.PARTIAL) and not coverage.lost
        return found if whole or coverage.compared > self.context.site.cap else None

    def under_way(self) -> Fetch | None:
        """The pass as this process makes it, which takes part in one that was started elsewhere."""
        running, started_at = self.fetcher.under_way.get(self.key), self._started_at
        if running or started_at is None or _age(started_at).total_seconds() > PASS_SECONDS:
            return running
        cached, found = self.cached(), self.found()
        ended_here = cached and cached.result_set.collected_at >= started_at
        ended = ended_here or (found and not found.result_set.coverage.worth_another_try)
        return None if ended else self.start_fetch()

    @cached_property
    def _started_at(self) -> datetime | None:
        """When one was last started; None where that is too long ago to be of use."""
        started = process.part(build_safe_store).get(self._started_key)
        return datetime.fromtimestamp(started, UTC) if isinstance(started, float) else None


def found_nothing(context: SearchContext) -> bool:
    """Whether the gateway has lately said that it has no hotels for the search."""
    coverage = FullResults(context).fresh_coverage()
    return coverage is not None and coverage.exact and not coverage.compared


def available(context: SearchContext) -> AvailableResults | None:
    """The results of a pass, where the address asks for them and they aren't too old."""
    return Pass(context).found() if context.refinement.all and is_offered(context.site) else None


def progress(context: SearchContext) -> Coverage:
    """How far the pass of this search is; where none is under way, that nothing more is coming."""
    deeper = Pass(context)
    if running := deeper.under_way():
        return running.coverage()
    found = deeper.found()
    return found.result_set.coverage if found else Coverage(CoverageState.PARTIAL, 0, None, None)


def beyond(context: SearchContext, shown: AvailableResults) -> DeeperResults | None:
    """What there is beyond the results that a page shows; None where they are all, or as good as all."""
    coverage, limit = shown.result_set.coverage, context.site.compare_all_limit
    if shown.cap == limit and not coverage.worth_another_try:
        return DeeperResults(Deeper.SHOWN, coverage)
    more = coverage.state is CoverageState.CAPPED or coverage.worth_another_try
    if not (is_offered(context.site) and more):
        return None
    deeper = Pass(context)
    if running := deeper.under_way():
        return DeeperResults(Deeper.RUNNING, running.coverage())
    if coverage.state is CoverageState.CAPPED and (found := deeper.found()):
        return DeeperResults(Deeper.READY, found.result_set.coverage)
    return DeeperResults(Deeper.BUSY if deeper.fetcher.full else Deeper.OFFERED)
