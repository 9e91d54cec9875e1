"""Fetching the full results of a search behind a page: pages in parallel, once per search.

Processes that share a cache tell each other what they fetch (`announcements`).
"""

import contextvars
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from math import inf
from threading import Condition, Lock
from typing import Any, Self

from django.db import connections

from search.domain import process
from search.domain.process import Deadline
from search.gateway.cache_store import CachedValue
from search.gateway.errors import NO_SUCH_PAGE, GatewayError
from search.gateway.resilience import behind_pages
from search.gateway.search_page import Entry, SearchPage
from search.monitoring.metrics import COLLECTIONS

from .announcements import Announcement, build_announcements
from .index import Row
from .pagination import Coverage, Keys, Pagination

logger = logging.getLogger(__name__)

# Fewer than the gateway's places, so that a visitor's own call always finds one.
THREADS = 6
MOST_AT_ONCE = 16
FETCH_SECONDS = 30.0
# Who waits in another process hears no more often how many pages are still to come.
TELL_SECONDS = 0.1
# Failures that end a fetch at once: the next page would fail for the same reason.
HOPELESS = frozenset({"open", "throttled", "key", "unexpected"})


def build_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(THREADS, thread_name_prefix="full-results")


# Rows that were made of entries already, by key, each with its entry.
MadeRows = dict[str, tuple[Entry, Row]]


@dataclass(frozen=True, slots=True)
class FetchedPages:
    """What has come in: entries with their gateway page, in the gateway's order; the size of those pages;
    whether others could not be had; the age of the oldest page; whether any page was a stale copy."""

    coverage: Coverage
    entries: list[tuple[int, Entry]]
    page_size: int
    lost: bool
    fetched_at: datetime
    stale: bool
    made: MadeRows

    @classmethod
    def of(
        cls, pages: Pagination, fetched_at: datetime, *, stale: bool, made: MadeRows | None = None
    ) -> Self:
        made = {} if made is None else made
        return cls(pages.coverage(), pages.entries(), pages.size, pages.lost, fetched_at, stale, made)


class Fetch:
    """The full results of one search being fetched: `page` fetches a gateway page of this number and size,
    and says with which size it was asked for in the end; `store` is called once with what came in when it
    is done, `pace` is how many seconds one page takes, as far as is known by the one that came last;
    `made` grows while pages come."""

    def __init__(
        self,
        page: Callable[[int, int], tuple[CachedValue[SearchPage], int]],
        store: Callable[[FetchedPages], None],
        *,
        pagination: Pagination,
        at_once: int,
        pace: float,
        made: MadeRows | None = None,
        seconds: float | None = None,
    ) -> None:
        self.pace = pace
        self._page = page
        self._store = store
        self._at_once = at_once
        self._pagination = pagination
        self._changed = Condition()
        # When each page in flight was asked for.
        self._asked_at: dict[int, float] = {}
        self._given_up: set[int] = set()
        self.done = False
        self._deadline = Deadline(seconds or FETCH_SECONDS, time.monotonic)
        self._context = contextvars.copy_context()
        self._fetched_at: datetime | None = None
        self._stale = False
        self._made = {} if made is None else made

    def begin(self, first: CachedValue[SearchPage] | None, then: Callable[[], object]) -> None:
        """Start fetching; `first` is page 0 where a visitor has it already; `then` is called at the end."""
        self._then = then
        with self._changed:
            if first is not None:
                self._pagination.claim()
                self._accept(0, first, self._pagination.size)
            over = self._fetch_on()
        if over:
            self._close()

    def coverage(self) -> Coverage:
        with self._changed:
            return self._pagination.coverage()

    @property
    def at_hand(self) -> int:
        """How many properties `fetched` has by now."""
        return self.coverage().compared

    def fetched(self) -> FetchedPages | None:
        """What is there so far; None before the first page."""
        with self._changed:
            if self._fetched_at is None:
                return None
            return FetchedPages.of(self._pagination, self._fetched_at, stale=self._stale, made=self._made)

    def wait(self, seconds: float, enough: int | None = None) -> None:
        """Until it is done and stored, or `enough` properties are there, or the time is over."""
        with self._changed:
            self._changed.wait_for(lambda: self.done or self._has(enough), seconds)

    def wait_for_due(self, seconds: float, _at_once: int) -> None:
        """Until the pages are there that are due within so many seconds, or these are over."""
        soon = time.monotonic() + seconds
        with self._changed:
            self._changed.wait_for(lambda: self.done or not self._any_due(soon), seconds)

    def _any_due(self, soon: float) -> bool:
        # With none in flight it is about to be done.
        return not self._asked_at or any(asked + self.pace <= soon for asked in self._asked_at.values())

    def wait_for_entry(self, keys: Keys, seconds: float) -> CachedValue[Entry] | None:
        """The entry of one property, known by any of these keys, as soon as its page is there; None if it
        is done or the time is over without it."""
        with self._changed:
            self._changed.wait_for(lambda: self.done or self._pagination.entry_of(keys), seconds)
            found = self._pagination.entry_of(keys)
            return CachedValue(found, self._fetched_at, self._stale) if found and self._fetched_at else None

    def _has(self, enough: int | None) -> bool:
        return enough is not None and self._pagination.coverage().compared >= enough

    def _fetch_on(self) -> bool:
        """Send out as many calls as may be in flight; says whether all is done. The caller holds the lock."""
        if self._deadline.passed:
            self._pagination.stop()
        while len(self._asked_at) < self._at_once and (number := self._pagination.claim()) is not None:
            self._asked_at[number] = time.monotonic()
            self._submit(number, self._pagination.size)
        return self._pagination.done

    def _submit(self, number: int, size: int) -> None:
        try:
            process.part(build_pool).submit(self._context.copy().run, self._fetch_in_pool, number, size)
        except RuntimeError:  # the process is ending, or has no thread left
            # The pool has it all the same, and may come to it.
            del self._asked_at[number]
            self._given_up.add(number)
            self._pagination.fail(number)
            self._pagination.stop()

    def _fetch_in_pool(self, number: int, size: int) -> None:
        try:
            self._fetch(number, size)
        finally:
            # The site's settings may have been read; no request ends here that would close the connection.
            connections.close_all()

    def _fetch(self, number: int, size: int) -> None:
        with self._changed:
            if number in self._given_up:
                return
        # Visitors wait for the first page and join the call for it, so it is no call behind their pages.
        ask = behind_pages(self._page_or_none) if number else self._page_or_none
        page, size, failure = ask(number, size)
        with self._changed:
            took = time.monotonic() - self._asked_at.pop(number)
            if page:
                self.pace = took
                self._accept(number, page, size)
            elif failure in NO_SUCH_PAGE:
                self._pagination.refuse(number, size)
            else:
                self._pagination.fail(number)
            if failure in HOPELESS:
                self._pagination.stop()
            over = self._fetch_on()
            self._changed.notify_all()
        if over:
            self._close()

    def _page_or_none(self, number: int, size: int) -> tuple[CachedValue[SearchPage] | None, int, str]:
        """The page, None where it can't be had; the size it was asked for with; and the kind of the
        failure."""
        try:
            return *self._page(number, size), ""
        except GatewayError as error:
            return None, size, error.kind
        except Exception:
            # Nobody else would hear of it, and the visitors' pages must not wait for a dead thread.
            logger.exception("full-results=failed page=%d", number)
            return None, size, "unexpected"

    def _accept(self, number: int, page: CachedValue[SearchPage], asked: int) -> None:
        self._pagination.accept(number, page.value, asked)
        self._stale = self._stale or page.stale
        self._fetched_at = min(self._fetched_at or page.fetched_at, page.fetched_at)

    def _close(self) -> None:
        try:
            fetched = self.fetched()
            if fetched is not None:
                self._store(fetched)
        except Exception:
            logger.exception("full-results=not-stored")
        # Before those who wait go on: to them what is done is neither under way nor announced any more.
        self._end()
        with self._changed:
            self.done = True
            self._changed.notify_all()

    def _end(self) -> None:
        self._then()


class AnnouncedFetch(Fetch):
    """A fetch that tells other processes as pages come how far it is; `token` names its announcement."""

    def __init__(self, *args: Any, key: str, token: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self._key, self.token = key, token
        self._told_at = -inf

    def _accept(self, number: int, page: CachedValue[SearchPage], asked: int) -> None:
        super()._accept(number, page, asked)
        now, pages = time.monotonic(), self._pagination
        if now - self._told_at < TELL_SECONDS:
            return
        self._told_at = now
        told = Announcement(self.token, pages.coverage(), pages.unclaimed, self.pace)
        process.part(build_announcements).tell(self._key, told)

    def _end(self) -> None:
        process.part(build_announcements).end(self._key, self.token)
        super()._end()


class Fetcher:
    """The fetches under way in this process, by the key of their results."""

    def __init__(self, most: int = 0) -> None:
        self._lock = Lock()
        self._most = most
        self._running: dict[str, Fetch] = {}

    @property
    def full(self) -> bool:
        """Whether as many are under way as may be."""
        return len(self._running) >= (self._most or MOST_AT_ONCE)

    def running(self, key: str) -> Fetch | None:
        with self._lock:
            return self._running.get(key)

    def join(
        self, key: str, first: CachedValue[SearchPage] | None, make: Callable[[], Fetch]
    ) -> Fetch | None:
        """The fetch of this key that is under way, or a new one; None when too many are."""
        with self._lock:
            known = self._running.get(key)
            if known is not None or self.full:
                return known
            begun = self._running[key] = make()
        COLLECTIONS.inc()
        begun.begin(first, lambda: self._end(key))
        return begun

    def _end(self, key: str) -> None:
        if self._running.pop(key, None):
            COLLECTIONS.dec()
