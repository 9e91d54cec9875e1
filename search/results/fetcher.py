"""Fetching the full results of a search behind a page: pages in parallel, once per search and process.

Processes that fetch the same search share its pages: each is read from the cache, or fetched by one of them.
"""

import contextvars
import logging
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Condition, Lock
from typing import NamedTuple

from msgspec.structs import replace

from search.domain import process
from search.domain.process import Deadline
from search.gateway import NO_SUCH_PAGE, GatewayError
from search.gateway.cache import CachedValue
from search.gateway.client import PageQuery
from search.gateway.resilience import behind_pages
from search.gateway.search_page import SearchPage
from search.monitoring.metrics import COLLECTIONS
from search.web import streaming

from .pagination import Coverage, CoverageState, Fetched, Pages

logger = logging.getLogger(__name__)

# Fewer than the gateway's places, so that a visitor's own call always finds one.
THREADS = 6
MOST_AT_ONCE = 16
FETCH_SECONDS = 30.0
# Failures that end a fetch at once: the next page would fail for the same reason.
HOPELESS = frozenset({"open", "throttled", "key", "unexpected"})


def build_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(THREADS, thread_name_prefix="full-results")


class AskedPage(NamedTuple):
    """A gateway page, how it was asked for, and how many seconds that took."""

    query: PageQuery
    page: CachedValue[SearchPage]
    took: float = 0.0


class Fetch:
    """The full results of one search being fetched. `ask` brings a page, `keep` is called once at the
    end."""

    def __init__(
        self,
        pages: Pages,
        ask: Callable[[PageQuery], AskedPage],
        keep: Callable[[Fetched], None],
        at_once: int,
    ) -> None:
        self.done = False
        self._pages = pages
        self._ask = ask
        self._keep = keep
        self._at_once = at_once
        self._changed = Condition()
        self._in_flight: set[PageQuery] = set()
        self._context = contextvars.copy_context()

    def begin(self, first: Iterable[AskedPage], seconds: float, then: Callable[[], object]) -> None:
        """Start fetching for so many seconds; `first` are the first pages if a visitor has them already;
        `then` is called at the end."""
        self._then = then
        self._deadline = Deadline(seconds, time.monotonic)
        with self._changed:
            self._pages.begin_with((asked.query, asked.page) for asked in first)
            over = self._fetch_on()
        if over:
            self._close()

    def coverage(self) -> Coverage:
        """How much has come; until its results are kept, more is coming."""
        with self._changed:
            coverage = self._pages.coverage()
            return coverage if self.done else replace(coverage, state=CoverageState.FETCHING)

    def fetched(self) -> Fetched | None:
        """What is there so far; None before the first page."""
        with self._changed:
            return self._pages.fetched() if self._pages.came else None

    def wait(self, seconds: float, until: Callable[[Pages], object] = lambda _pages: False) -> None:
        """Until it is done and kept, or its pages are enough, or the time is over."""
        with self._changed:
            self._changed.wait_for(lambda: self.done or until(self._pages), seconds)

    def _fetch_on(self) -> bool:
        """Send out as many calls as may be in flight; says whether all is done. The caller holds the lock."""
        if self._deadline.passed:
            self._pages.stop()
        while len(self._in_flight) < self._at_once and (query := self._pages.claim()) is not None:
            self._in_flight.add(query)
            context, fetch = self._context.copy(), partial(self._fetch, query)
            if not streaming.started(process.part(build_pool), context, fetch):
                # The pool has it all the same, and may come to it.
                self._in_flight.discard(query)
                self._pages.fail(query)
                self._pages.stop()
        return self._pages.done and not self._in_flight

    def _fetch(self, query: PageQuery) -> None:
        with self._changed:
            if query not in self._in_flight:
                return
        # Visitors wait for first pages and join the calls for them: they are not behind their pages.
        ask = behind_pages(self._page_or_failure) if query.number else self._page_or_failure
        asked, failure = ask(query)
        with self._changed:
            self._in_flight.discard(query)
            if asked:
                self._pages.accept(asked.query, asked.page)
            elif failure in NO_SUCH_PAGE:
                self._pages.accept(query, None)
            else:
                self._pages.fail(query)
            if failure in HOPELESS:
                self._pages.stop()
            over = self._fetch_on()
            self._changed.notify_all()
        if over:
            self._close()

    def _page_or_failure(self, query: PageQuery) -> tuple[AskedPage | None, str]:
        """The page, or the kind of the failure."""
        try:
            return self._ask(query), ""
        except GatewayError as error:
            return None, error.kind
        except Exception:
            # No caller hears of it, and the visitors' pages must not wait for a dead thread.
            logger.exception("full-results=failed page=%d", query.number)
            return None, "unexpected"

    def _close(self) -> None:
        try:
            if fetched := self.fetched():
                self._keep(fetched)
        except Exception:
            logger.exception("full-results=not-stored")
        # Before those who wait go on: what is done is no longer under way.
        self._then()
        with self._changed:
            self.done = True
            self._changed.notify_all()


class Fetcher:
    """The fetches under way in this process, by the key of their results; each may take so many seconds."""

    def __init__(self, most: int = 0, seconds: float = FETCH_SECONDS) -> None:
        self._lock = Lock()
        self._most = most
        self._seconds = seconds
        self.under_way: dict[object, Fetch] = {}

    @property
    def full(self) -> bool:
        """Whether as many are under way as may be."""
        return len(self.under_way) >= (self._most or MOST_AT_ONCE)

    def join(self, key: object, make: Callable[[], Fetch], first: Iterable[AskedPage] = ()) -> Fetch | None:
        """The fetch of this key that is under way, or a new one; None when too many are."""
        with self._lock:
            running = self.under_way.get(key)
            if running is not None or self.full:
                return running
            begun = self.under_way[key] = make()
        COLLECTIONS.inc()
        begun.begin(first, self._seconds, lambda: self._end(key))
        return begun

    def _end(self, key: object) -> None:
        if self.under_way.pop(key, None):
            COLLECTIONS.dec()
