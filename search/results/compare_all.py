"""Comparing all: a deeper pass over the results of a search, beyond the cap, that a visitor starts.

It runs behind pages, at most one for each visitor and `MOST_AT_ONCE` in a process, up to a limit of its own.
Its progress is in the cache, so that every process can tell it and end it; what it finds is kept for all.
"""

import hashlib
from contextlib import suppress
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Any

import msgspec
from django.utils import timezone

from search.domain import process
from search.domain.context import SearchContext
from search.domain.site_settings import Site
from search.gateway.cache_store import CachedValue
from search.gateway.factory import build_safe_store
from search.gateway.search_page import SearchPage

from .announcements import NOTHING_YET, as_text
from .available_results import AvailableResults
from .fetcher import Fetch, FetchedPages, Fetcher
from .full_results import FullResults
from .pagination import Coverage, CoverageState

MOST_AT_ONCE = 2
PASS_SECONDS = 300.0
# How long its results are shown, with the time they are from; a page beyond its fresh time is too old to sort
# by silently, but a visitor who waited for all of them may look at them for a while.
KEPT = timedelta(hours=1)
# Without news for so long a pass has ended with its process.
SILENCE_SECONDS = 60.0


class Deeper(StrEnum):
    """What a page can offer beyond the cap: a new pass, none for now (too many are under way), the progress
    of one, its results, or to say that these are they."""

    OFFERED = "offered"
    BUSY = "busy"
    RUNNING = "running"
    READY = "ready"
    SHOWN = "shown"


class DeeperResults(msgspec.Struct, frozen=True):
    """`count` is how many hotels a pass compares, `coverage` how far it is, `checked_at` when the oldest of
    its prices was fetched."""

    state: Deeper
    count: int
    coverage: Coverage | None = None
    checked_at: datetime | None = None


class _Pass(msgspec.Struct, frozen=True, array_like=True):
    visitor: str
    coverage: Coverage
    cancelled: bool = False


_PASSES = msgspec.json.Decoder(_Pass)


def build_fetcher() -> Fetcher:
    return Fetcher(MOST_AT_ONCE)


def is_offered(site: Site) -> bool:
    return site.compare_all_limit > site.cap


def available(context: SearchContext) -> AvailableResults | None:
    """The results of a pass, where the address asks for them and they aren't too old."""
    return _kept(context) if context.refinement.all and is_offered(context.site) else None


def start_pass(context: SearchContext, visitor: str) -> None:
    """Start a pass for this visitor, whose earlier one ends, unless one of this search is under way or kept
    without a gap, or too many others are under way."""
    full_results, kept = _full_results(context), _kept(context)
    whole = kept is not None and not kept.result_set.coverage.worth_another_try
    if whole or _running(full_results.key):
        return
    store = process.part(build_safe_store)
    if (earlier := store.get(_visitor_key(visitor))) and isinstance(earlier, str):
        _cancel(earlier, visitor)

    # One of several processes that are asked at once makes the pass.
    if not store.add(_pass_key(full_results.key), as_text(_Pass(visitor, NOTHING_YET)), SILENCE_SECONDS):
        return

    def fetch() -> Fetch:
        kind = partial(_DeeperFetch, key=full_results.key, visitor=visitor)
        return full_results.new_fetch(kind, at_once=max(1, context.site.parallel_calls // 2))

    if process.part(build_fetcher).join(full_results.key, None, fetch) is None:
        store.delete(_pass_key(full_results.key))
    else:
        store.set(_visitor_key(visitor), full_results.key, PASS_SECONDS)


def cancel_pass(context: SearchContext, visitor: str) -> None:
    """End the pass of this search, if it is this visitor's."""
    _cancel(_full_results(context).key, visitor)


def progress(context: SearchContext) -> Coverage:
    """How far the pass of this search is; where none is under way, or one that was cancelled, that nothing
    more is coming."""
    if (running := _running(_full_results(context).key)) and not running.cancelled:
        return running.coverage
    kept = _kept(context)
    return kept.result_set.coverage if kept else Coverage(CoverageState.PARTIAL, 0, None, None)


def beyond(context: SearchContext, shown: AvailableResults) -> DeeperResults | None:
    """What there is beyond the results that a page shows; None where they are all, or as good as all."""
    coverage, limit = shown.result_set.coverage, context.site.compare_all_limit
    if shown.cap == limit and not coverage.worth_another_try:
        return DeeperResults(Deeper.SHOWN, coverage.compared, coverage, shown.result_set.fetched_at)
    more = coverage.state is CoverageState.CAPPED or coverage.worth_another_try
    if not (is_offered(context.site) and more):
        return None
    count = min(limit, coverage.total or limit)
    running = _running(_full_results(context).key)
    if running and not running.cancelled:
        return DeeperResults(Deeper.RUNNING, count, running.coverage)
    if coverage.state is CoverageState.CAPPED and (kept := _kept(context)):
        found = kept.result_set
        return DeeperResults(Deeper.READY, found.coverage.compared, found.coverage, found.fetched_at)
    # A cancelled one ends with the pages that are on their way; until then no other one of its search begins.
    busy = running is not None or process.part(build_fetcher).full
    return DeeperResults(Deeper.BUSY if busy else Deeper.OFFERED, count)


class _DeeperFetch(Fetch):
    """The fetch of a pass: tells the cache how far it is with each page, and learns there if it goes on."""

    def __init__(self, *args: Any, key: str, visitor: str, **options: Any) -> None:
        super().__init__(*args, **options, seconds=PASS_SECONDS)
        self._key, self._visitor = key, visitor
        # That of an earlier pass.
        process.part(build_safe_store).delete(_wish_key(key))
        self._tell()

    def _accept(self, number: int, page: CachedValue[SearchPage], asked: int) -> None:
        super()._accept(number, page, asked)
        known = _running(self._key)
        if known is not None and known.visitor != self._visitor:
            return
        if known is not None and known.cancelled:
            self._pagination.stop()
            self._store = _forget
        else:
            self._tell()

    def _tell(self) -> None:
        told = as_text(_Pass(self._visitor, self._pagination.coverage()))
        process.part(build_safe_store).set(_pass_key(self._key), told, SILENCE_SECONDS)

    def _end(self) -> None:
        known = _running(self._key)
        # After a long silence it may be another's by now.
        if known is not None and known.visitor == self._visitor:
            process.part(build_safe_store).delete(_pass_key(self._key))
        super()._end()


def _forget(fetched: FetchedPages) -> None:
    """Store nothing: nobody waits for the results of a cancelled pass."""


def _full_results(context: SearchContext) -> FullResults:
    return FullResults(context, context.site.compare_all_limit)


def _kept(context: SearchContext) -> AvailableResults | None:
    """The results of a pass, unless they are too old or reach no further than a page does anyway. One that
    lost nothing has all that the gateway gives, however few that is."""
    found = _full_results(context).cached()
    if found is None or (found.past_fresh_time and timezone.now() - found.result_set.fetched_at > KEPT):
        return None
    coverage = found.result_set.coverage
    whole = coverage.state in (CoverageState.COMPLETE, CoverageState.PARTIAL) and not coverage.lost
    return found if whole or coverage.compared > context.site.cap else None


def _running(key: str) -> _Pass | None:
    told = process.part(build_safe_store).get_many([_pass_key(key), _wish_key(key)])
    with suppress(msgspec.MsgspecError, TypeError):
        running = _PASSES.decode(told.get(_pass_key(key)))  # type: ignore[arg-type]  # None raises
        ended = running.cancelled or told.get(_wish_key(key)) == running.visitor
        return msgspec.structs.replace(running, cancelled=ended)
    return None


def _cancel(key: str, visitor: str) -> None:
    running = _running(key)
    if running is not None and running.visitor == visitor:
        # Not in what the pass tells, whose next news would take the wish back.
        process.part(build_safe_store).set(_wish_key(key), visitor, PASS_SECONDS)


def _pass_key(key: str) -> str:
    return f"compare-all:{key}"


def _wish_key(key: str) -> str:
    """Holds the visitor who wants the pass to end."""
    return f"compare-all-cancelled:{key}"


def _visitor_key(visitor: str) -> str:
    return f"compare-all-visitor:{hashlib.sha256(visitor.encode()).hexdigest()}"
