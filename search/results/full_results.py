"""Asking the gateway for a page of an answer; what is in it is told to the staff panel in passing.

How much of a search's complete answer there is now: kept, just collected, or still coming in.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import timedelta

import msgspec
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from search.domain.deadline import Deadline
from search.domain.offers import Listing, SearchPage
from search.domain.query import StaySearch
from search.domain.site_settings import Site
from search.gateway.cache_store import Answer
from search.gateway.errors import GatewayError, NotFound, Rejected
from search.gateway.factory import gateway
from search.monitoring import metrics

from .fetcher import Fetch, FetchedPages, Fetcher, FetchPage
from .index import row_of
from .pagination import Coverage, CoverageState, Pagination
from .store import ResultSet, ResultStore


def search_page(
    search: StaySearch, page: int, size: int, *, site: Site, deadline: Deadline, grace: bool = True
) -> Answer[SearchPage]:
    """One gateway page, counted from 0. Without `grace` a copy past its time is only taken when the gateway
    fails; with it such a copy is good for a while, and refreshed behind. Raises GatewayError."""
    answer = gateway().search(
        search,
        page=page,
        size=size,
        categories_style=site.categories_style,
        deadline=deadline,
        grace=grace,
    )
    metrics.note(answer)
    return answer


# Fewer, larger pages collect an answer several times faster than the twenty of a visible page.
PAGE_SIZE = 50
# An exact first view is worth this much waiting, and only where that is likely to be enough.
PATIENCE_SECONDS = 0.2
# The share of a page's time that may go into waiting for a far page of an answer nobody has yet.
FAR_PAGE_SHARE = 0.7
# A set just collected is good enough whatever the fresh time, or a page could never settle.
SETTLED = timedelta(seconds=10)
# How soon an answer with missing pages is tried again.
RETRY = timedelta(seconds=30)

_shelf = ResultStore(cache)
_fetcher = Fetcher()


@dataclass(frozen=True, slots=True)
class HeldAnswer:
    """What there is of an answer. `stars` are the star ratings it was asked for (none: all of them);
    `listings` fetches the listings at some positions of the rows, as far as they are at hand."""

    result_set: ResultSet
    stars: tuple[int, ...]
    stale: bool
    listings: Callable[[Iterable[int]], dict[int, Listing]]


def kept(search: StaySearch, site: Site) -> HeldAnswer | None:
    """The answer in the cache, however old; one over all stars serves a search for some of them too."""
    every = msgspec.structs.replace(search, stars=())
    found = _read(every, site) if search.stars else None
    if found is not None and found.result_set.coverage.exact and not _outdated(found, site):
        return found
    return _read(search, site)


def answer(search: StaySearch, site: Site, deadline: Deadline, enough: int) -> HeldAnswer:
    """The answer as complete as it is now; starts collecting the rest where that is due.

    Waits for the end if it is near, and for `enough` properties if the first page doesn't hold them.
    Raises GatewayError when there is nothing at all to show.
    """
    held = kept(search, site)
    if held is not None and not _outdated(held, site):
        return held
    asked_at = time.monotonic()
    try:
        first, size = _first_page(search, site, deadline)
    except GatewayError:
        if held is not None:
            return _aged(held)
        raise
    if held is not None and first.stale:
        start(search, site)
        return _aged(held)
    if held is not None and timezone.now() - held.result_set.collected_at < SETTLED:
        return held
    took = time.monotonic() - asked_at
    fetch = _fetcher.join(_key(search, site), first, lambda: _fetch(search, site, size=size, pace=took))
    if fetch is None:
        return held or _live(search, site, _alone(first, Pagination(size, site.cap)))
    _wait(fetch, site, deadline, enough)
    return _best(search, site, fetch, held) or _live(search, site, _alone(first, Pagination(size, site.cap)))


def glance(search: StaySearch, site: Site, deadline: Deadline) -> HeldAnswer:
    """What is kept of the answer if that is fresh, else its first page; collects nothing."""
    held = kept(search, site)
    if held is not None and not _outdated(held, site):
        return held
    first, size = _first_page(search, site, deadline)
    return _live(search, site, _alone(first, Pagination(size, site.cap)))


def whole(search: StaySearch, site: Site, deadline: Deadline) -> HeldAnswer | None:
    """The answer once it is collected, waiting for it as long as the deadline lets; None without one."""
    held = kept(search, site)
    if held is not None and not _outdated(held, site):
        return held
    fetch = start(search, site)
    if fetch is None:
        return held
    fetch.wait(deadline.left())
    return _best(search, site, fetch, held)


def page(search: StaySearch, site: Site, number: int, deadline: Deadline) -> tuple[Listing, ...]:
    """One of the gateway's pages that the answer was collected from, most likely still cached."""
    return _ask(search, site, PAGE_SIZE, deadline)(number).value.listings


def patient(search: StaySearch, site: Site, deadline: Deadline) -> HeldAnswer | None:
    """`whole`, leaving some of the page's time for what else it needs."""
    return whole(search, site, Deadline(deadline.left() * FAR_PAGE_SHARE, time.monotonic))


def start(search: StaySearch, site: Site) -> Fetch | None:
    """The fetch of this answer under way in this process, started if it wasn't."""
    return _fetcher.join(_key(search, site), None, lambda: _fetch(search, site))


def fresh_coverage(search: StaySearch, site: Site) -> Coverage | None:
    """The coverage of the kept answer, if there is nothing to collect for it."""
    held = kept(search, site)
    if held is None:
        return None
    settled = timezone.now() - held.result_set.collected_at < SETTLED
    return held.result_set.coverage if settled or not _outdated(held, site) else None


def _first_page(search: StaySearch, site: Site, deadline: Deadline) -> tuple[Answer[SearchPage], int]:
    """Page 0 and the page size the gateway accepts: how large a page may be is not documented."""
    try:
        return _ask(search, site, PAGE_SIZE, deadline)(0), PAGE_SIZE
    except Rejected as error:
        if error.kind != "request" or isinstance(error, NotFound) or site.page_size >= PAGE_SIZE:
            raise
    return _ask(search, site, site.page_size, deadline)(0), site.page_size


def _ask(search: StaySearch, site: Site, size: int, deadline: Deadline | None = None) -> FetchPage:
    """Fetches a gateway page within a visitor's `deadline`; behind the pages, where there is none, within a
    time of its own and then a new one: a set of pages past their time would be past it from the start."""

    def ask(page: int) -> Answer[SearchPage]:
        limit = deadline or Deadline(settings.GATEWAY_DEADLINE, time.monotonic)
        return search_page(search, page, size, site=site, deadline=limit, grace=deadline is not None)

    return ask


def _fetch(search: StaySearch, site: Site, *, size: int = PAGE_SIZE, pace: float = PATIENCE_SECONDS) -> Fetch:
    return Fetch(
        _ask(search, site, size),
        lambda fetched: _keep(search, site, fetched),
        pagination=Pagination(size, site.cap),
        at_once=site.parallel_calls,
        pace=pace,
    )


def _wait(fetch: Fetch, site: Site, deadline: Deadline, enough: int) -> None:
    coverage = fetch.coverage()
    if coverage.compared < enough:
        fetch.wait(deadline.left() * FAR_PAGE_SHARE, enough)
    pages_left = ((coverage.goal or site.cap) - coverage.compared) / PAGE_SIZE
    if fetch.pace * pages_left / site.parallel_calls <= PATIENCE_SECONDS:
        fetch.wait(min(PATIENCE_SECONDS, deadline.left()))


def _keep(search: StaySearch, site: Site, fetched: FetchedPages) -> None:
    """Put a finished fetch into the cache; where less came in than is there, that stays, as stale."""
    key = _key(search, site)
    before = _shelf.read(key)
    if before is not None and len(before.rows) > len(fetched.listings) and not fetched.coverage.exact:
        _shelf.write(key, msgspec.structs.replace(before, collected_at=timezone.now(), stale=True))
    else:
        _shelf.write(
            key, _result_set(search, site, fetched), [listing for _page, listing in fetched.listings]
        )


def _result_set(search: StaySearch, site: Site, fetched: FetchedPages) -> ResultSet:
    nights, rules = search.dates.nights, site.price_rules
    return ResultSet(
        stamp=secrets.token_hex(8),
        fetched_at=fetched.fetched_at,
        collected_at=timezone.now(),
        stale=fetched.stale,
        coverage=fetched.coverage,
        rows=tuple(
            row_of(listing, rules, nights, search.currency, position, page)
            for position, (page, listing) in enumerate(fetched.listings)
        ),
    )


def _alone(first: Answer[SearchPage], pagination: Pagination) -> FetchedPages:
    """The first page by itself: where nothing more can be collected now."""
    pagination.claim()
    pagination.accept(0, first.value)
    return FetchedPages(pagination.coverage(), pagination.listings(), first.fetched_at, first.stale)


def _best(search: StaySearch, site: Site, fetch: Fetch, held: HeldAnswer | None) -> HeldAnswer | None:
    """The most complete of what was kept before and what has come in since."""
    now_kept = _read(search, site) if fetch.done else None
    if now_kept is not None:
        return now_kept
    fetched = fetch.fetched()
    if held is not None and (fetched is None or len(held.result_set.rows) >= len(fetched.listings)):
        return _aged(held)
    return _live(search, site, fetched) if fetched else None


def _live(search: StaySearch, site: Site, fetched: FetchedPages) -> HeldAnswer:
    listings = [listing for _page, listing in fetched.listings]
    return HeldAnswer(
        _result_set(search, site, fetched),
        search.stars,
        fetched.stale,
        lambda positions: {position: listings[position] for position in positions},
    )


def _read(search: StaySearch, site: Site) -> HeldAnswer | None:
    key = _key(search, site)
    found = _shelf.read(key)
    if found is None:
        return None
    return HeldAnswer(
        found,
        search.stars,
        found.stale,
        lambda positions: _shelf.listings(key, found.stamp, positions),
    )


def _aged(held: HeldAnswer) -> HeldAnswer:
    return replace(held, stale=True)


def _outdated(held: HeldAnswer, site: Site) -> bool:
    """Whether the answer is due to be collected again."""
    now, found = timezone.now(), held.result_set
    if found.coverage.state is CoverageState.PARTIAL and now - found.collected_at > RETRY:
        return True
    return now - found.fetched_at > timedelta(seconds=site.search_fresh_seconds)


def _key(search: StaySearch, site: Site) -> str:
    """A hash of all that changes the rows."""
    parts = (
        settings.GATEWAY_BASE_URL,
        search.query_string(),
        site.categories_style.value,
        site.surcharge_mode.value,
        site.price_basis.value,
        site.cap,
    )
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()
