"""Collecting a complete answer behind a page: pages in parallel, one collection per search and process.

Across processes that share a cache the gateway's own single flight sees to it that a page is asked for once.
"""

from __future__ import annotations

import contextvars
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from threading import Condition, Lock

from django.db import connections

from search.domain.deadline import Deadline
from search.domain.offers import Listing, SearchPage
from search.gateway.cache_store import Answer
from search.gateway.errors import GatewayError

from .pagination import Coverage, Gathering

logger = logging.getLogger(__name__)

# Fewer than the gateway's places, so that a visitor's own call always finds one.
THREADS = 6
MOST_AT_ONCE = 16
COLLECTING_SECONDS = 30.0
# Failures that stop a collection at once: the next page would fail for the same reason.
HOPELESS = frozenset({"open", "throttled", "key"})

Ask = Callable[[int], Answer[SearchPage]]

_pool = ThreadPoolExecutor(THREADS, thread_name_prefix="collecting")


@dataclass(frozen=True, slots=True)
class Gathered:
    """What has come in: listings with their gateway page, in the gateway's order; the age of the oldest
    page; whether any page was a stale copy."""

    coverage: Coverage
    listings: list[tuple[int, Listing]]
    fetched_at: datetime
    stale: bool


class Collection:
    """One answer being collected. `ask` fetches a gateway page; `keep` is called once, when it is done.

    `pace` is how many seconds one page takes, as far as is known.
    """

    def __init__(
        self,
        ask: Ask,
        keep: Callable[[Gathered], None],
        *,
        gathering: Gathering,
        at_once: int,
        pace: float,
    ) -> None:
        self.pace = pace
        self._ask = ask
        self._keep = keep
        self._at_once = at_once
        self._gathering = gathering
        self._changed = Condition()
        self._flying = 0
        self.done = False
        self._deadline = Deadline(COLLECTING_SECONDS, time.monotonic)
        self._context = contextvars.copy_context()
        self._fetched_at: datetime | None = None
        self._stale = False

    def begin(self, first: Answer[SearchPage] | None, then: Callable[[], None]) -> None:
        """Start asking; `first` is page 0 where a visitor has it already; `then` is called at the end."""
        self._then = then
        with self._changed:
            if first is not None:
                self._gathering.claim()
                self._accept(0, first)
            over = self._ask_on()
        if over:
            self._close()

    def coverage(self) -> Coverage:
        with self._changed:
            return self._gathering.coverage()

    def gathered(self) -> Gathered | None:
        """What is there so far; None before the first page."""
        with self._changed:
            if self._fetched_at is None:
                return None
            return Gathered(
                self._gathering.coverage(), self._gathering.listings(), self._fetched_at, self._stale
            )

    def wait(self, seconds: float, enough: int | None = None) -> None:
        """Until it is done and kept, or `enough` properties are there, or the time is over."""
        with self._changed:
            self._changed.wait_for(lambda: self.done or self._has(enough), seconds)

    def _has(self, enough: int | None) -> bool:
        return enough is not None and self._gathering.coverage().compared >= enough

    def _ask_on(self) -> bool:
        """Send out as many pages as may fly; says whether that was all. The caller holds the lock."""
        if self._deadline.passed:
            self._gathering.stop()
        while self._flying < self._at_once and (page := self._gathering.claim()) is not None:
            try:
                _pool.submit(self._context.copy().run, self._fetch, page)
            except RuntimeError:  # the process is ending
                self._gathering.fail(page)
                self._gathering.stop()
            else:
                self._flying += 1
        return self._gathering.done

    def _fetch(self, page: int) -> None:
        answer, hopeless = self._asked(page)
        with self._changed:
            self._flying -= 1
            if answer is not None:
                self._accept(page, answer)
            else:
                self._gathering.fail(page)
            if hopeless:
                self._gathering.stop()
            over = self._ask_on()
            self._changed.notify_all()
        if over:
            self._close()

    def _asked(self, page: int) -> tuple[Answer[SearchPage] | None, bool]:
        try:
            return self._ask(page), False
        except GatewayError as error:
            return None, error.kind in HOPELESS
        except Exception:
            # Nobody else would hear of it, and the visitors' pages must not wait for a dead thread.
            logger.exception("collecting=failed page=%d", page)
            return None, True
        finally:
            # The site's settings may have been read; no request ends here that would close the connection.
            connections.close_all()

    def _accept(self, page: int, answer: Answer[SearchPage]) -> None:
        self._gathering.accept(page, answer.value)
        self._stale = self._stale or answer.stale
        self._fetched_at = min(self._fetched_at or answer.fetched_at, answer.fetched_at)

    def _close(self) -> None:
        try:
            gathered = self.gathered()
            if gathered is not None:
                self._keep(gathered)
        except Exception:
            logger.exception("collecting=unkept")
        with self._changed:
            self.done = True
            self._changed.notify_all()
        self._then()


class Collections:
    """The collections that are under way in this process, by the key of their answer."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: dict[str, Collection] = {}

    def join(
        self, key: str, first: Answer[SearchPage] | None, make: Callable[[], Collection]
    ) -> Collection | None:
        """The running collection of this key, or a new one; None when too many are running."""
        with self._lock:
            known = self._running.get(key)
            if known is not None or len(self._running) >= MOST_AT_ONCE:
                return known
            begun = self._running[key] = make()
        begun.begin(first, lambda: self._forget(key))
        return begun

    def _forget(self, key: str) -> None:
        with self._lock:
            self._running.pop(key, None)
