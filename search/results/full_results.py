"""The full results of a search, as far as they are available: cached, just fetched, or still coming in."""

import hashlib
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property, partial
from typing import Any

import msgspec
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from search.domain import process
from search.domain.context import SearchContext
from search.domain.offers import Listing
from search.gateway.cache import DAY, HOUR, KEEP
from search.gateway.cache_store import CachedValue
from search.gateway.errors import GatewayError, NotFound
from search.gateway.factory import gateway
from search.gateway.search_page import Entry, SearchPage
from search.web.shortcuts import page_deadline

from .announcements import FetchElsewhere, build_announcements
from .available_results import AvailableResults, search_page
from .fetcher import AnnouncedFetch, Fetch, FetchedPages, Fetcher, MadeRows
from .page_sizes import SIZES, PageSizes, smallest
from .pagination import Coverage, Keys, Pagination, known_by
from .rows import Row, row_of
from .store import FORM, ResultSet, ResultStore

# An exact first view is worth this much waiting, and only where that is likely to be enough.
PATIENCE_SECONDS = 0.2
# The share of a page's time that may go into waiting for results that nobody has yet.
WAITING_SHARE = 0.7
# Until it is so old a property page waits for all, to say how it stands among them; then its own offers are
# enough.
ALL_SECONDS = 1.0
# How a first page may fail for its size alone, where none so large has come yet: failures that cost one call,
# as two are the most for a page.
PERHAPS_TOO_LARGE = frozenset({"request", "envelope", "entries"})


def build_store() -> ResultStore:
    return ResultStore(cache)


def build_page_sizes() -> PageSizes:
    return PageSizes(cache)


class FullResults:
    """The full results of the search of `context`, whatever its refinement, up to `cap` or the site's own."""

    def __init__(self, context: SearchContext, cap: int | None = None) -> None:
        self.context = context
        self.cap = cap or context.site.cap
        # Made of all providers: once, not for each row.
        self._rules = context.site.price_rules

    @cached_property
    def key(self) -> str:
        """Their key in the cache: a hash of all that changes the rows, and of their form: what a version of
        another one fetches can be read by that one alone, so nobody waits for it here."""
        site, query = self.context.site, self.context.sent.query_string()
        rules = (site.categories_style.value, site.surcharge_mode.value, site.price_basis.value, self.cap)
        parts = (FORM, settings.GATEWAY_BASE_URL, query, *rules, *self._rules.providers)
        return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()

    def cached(self) -> AvailableResults | None:
        """What is cached, however old; all results of all stars serve a search for some of them, too: fresh
        ones before its own, older ones where its own are older still."""
        if not self.context.search.stars:
            return self._read()
        every = FullResults(self.context.with_search(stars=()), self.cap)._read()
        if every is None or not every.result_set.coverage.exact:
            return self._read()
        own = self._read() if every.past_fresh_time else None
        return own if own and own.result_set.fetched_at > every.result_set.fetched_at else every

    def fresh(self) -> AvailableResults | None:
        """What is cached, unless it is due to be fetched again."""
        cached = self.cached()
        return cached if cached and not cached.needs_fetch else None

    def available(self, enough: int) -> AvailableResults:
        """The results as complete as they are now; starts fetching the rest where that is due.

        Waits for pages that are about to come, and for `enough` properties if the first page doesn't hold
        them. Raises GatewayError when there is nothing at all to show.
        """
        cached = self.cached()
        if cached and not cached.needs_fetch:
            return cached
        if cached and gateway().immediate_failure("search"):
            # Nothing newer comes of a gateway that nobody may ask.
            return cached.as_stale() if cached.past_fresh_time else cached
        started = time.monotonic()
        if cached is None:
            begun = self._start_if_several_pages_are_expected()
            if begun and begun.done and (found := self._most_complete(begun, None)):
                return found
        try:
            first, size = self._first_page(kept=not gateway().answers_at_once)
        except GatewayError:
            if cached is None:
                raise
            return cached.as_stale()
        if cached and first.stale:
            return cached.as_stale(newer_coming=self.start_fetch() is not None)
        if cached and cached.settled and not cached.result_set.stale:
            return cached
        took = time.monotonic() - started
        fetch = self.start_fetch(first, size=size, pace=took, patience=self._patience)
        if fetch is None:
            return cached.dated() if cached else self._first_page_alone(first, size)
        self._wait(fetch, enough, at_hand=len(first.value.entries))
        return self._most_complete(fetch, cached) or self._first_page_alone(first, size)

    def fresh_or_first_page(self) -> AvailableResults:
        """What is cached if that is fresh, else the first page alone. Raises GatewayError."""
        return self.fresh() or self._first_page_alone(*self._first_page())

    def wait_for_all(self, share: float = 1.0) -> AvailableResults | None:
        """The results once they are fetched, waiting for that at most this share of the time left; then what
        there is by now. None when that is nothing."""
        cached = self.cached()
        if cached and not cached.needs_fetch:
            return cached
        patience = self.context.deadline.left() * share
        fetch = self.start_fetch(patience=patience)
        if fetch is None:
            return cached and cached.dated()
        fetch.wait(patience)
        return self._most_complete(fetch, cached)

    def listing(self, keys: Keys) -> CachedValue[Listing] | None:
        """The listing of one property, known by any of these keys; None if it isn't in the results.

        Waits for all of them while the visitor's page is young, then until its page has come, for as long as
        the deadline lets.
        """
        available = self.fresh()
        deadline = self.context.deadline
        patience = min(ALL_SECONDS - deadline.spent(), deadline.left())
        fetch = None if available else self.start_fetch(patience=patience)
        if fetch is not None:
            fetch.wait(patience)
            if not fetch.done and (found := self._listing_that_came(fetch, keys)):
                return found
            available = self._most_complete(fetch, self.cached())
        available = available or self.cached()
        return available.listing(keys) if available else None

    def _listing_that_came(self, fetch: Fetch | FetchElsewhere, keys: Keys) -> CachedValue[Listing] | None:
        # Nothing of it is here: in another process, or not begun, behind other searches.
        if not fetch.at_hand:
            with suppress(GatewayError):
                first, _size = self._first_page(stale_ok=False)
                if known := known_by(keys, first.value.entries):
                    return CachedValue(known.listing, first.fetched_at, first.stale)
        came = fetch.wait_for_entry(keys, self.context.deadline.left())
        return CachedValue(came.value.listing, came.fetched_at, came.stale) if came else None

    def start_fetch(
        self, first: CachedValue[SearchPage] | None = None, *, patience: float = 0.0, **options: Any
    ) -> Fetch | FetchElsewhere | None:
        """The fetch under way, here or in another process, started here if there is none; None when too many
        others are. `first` is page 0 where it is at hand, for `options` see `new_fetch`.

        Who waits anyway, for so many seconds as `patience` says, fetches a page after the other where pages
        are made in this process: threads that take turns for it take longer.
        """
        fetcher, key = process.part(Fetcher), self.key
        known = fetcher.running(key)
        if known is not None or fetcher.full:
            return known
        announcements = process.part(build_announcements)
        if self._fetched_meanwhile():
            return FetchElsewhere(key, None)
        token = announcements.begin(key)
        if token is None:
            return FetchElsewhere(key, announcements.read(key))
        # Another one may have finished between our look at the cache and our announcement.
        if self._fetched_meanwhile():
            announcements.end(key, token)
            return FetchElsewhere(key, None)
        own_calls = gateway().answers_at_once and patience > 0
        kind = partial(AnnouncedFetch, key=key, token=token, own_calls=own_calls)
        started = fetcher.join(key, first, partial(self.new_fetch, kind, **options))
        if not (isinstance(started, AnnouncedFetch) and started.token == token):
            announcements.end(key, token)
        elif own_calls:
            started.work(patience)
        return started

    def _fetched_meanwhile(self) -> bool:
        """Whether they are in the cache by now, and not due to be fetched again."""
        found = self._read()
        return found is not None and not found.needs_fetch

    def start_unless_fresh(self) -> None:
        """Start fetching behind the page what isn't cached or is due to be fetched again."""
        if self.fresh_coverage() is None:
            self.start_fetch()

    def fresh_coverage(self) -> Coverage | None:
        """The coverage of what is cached, None where there is still something to fetch for it."""
        cached = self.cached()
        if cached and (not cached.needs_fetch or (cached.settled and not self._under_way)):
            return cached.result_set.coverage
        return None

    @property
    def _under_way(self) -> bool:
        """Whether they are being fetched, here or in another process."""
        here = process.part(Fetcher).running(self.key)
        return bool(here or process.part(build_announcements).read(self.key))

    def _start_if_several_pages_are_expected(self) -> Fetch | FetchElsewhere | None:
        """Start all pages at once; the gateway's cache makes one call of two for the first page."""
        sizes = process.part(build_page_sizes)
        known = sizes.known(self.context)
        several = known and min(sizes.recent_total(self.context), self.cap) > known
        return self.start_fetch(patience=self._patience) if several else None

    def _first_page(self, *, stale_ok: bool = True, kept: bool = True) -> tuple[CachedValue[SearchPage], int]:
        """Page 0 and the page size it was asked for with, as large as the gateway takes it. What is made in
        this process, and collected at once, need not be `kept` by itself."""
        sizes = process.part(build_page_sizes)
        size = sizes.known(self.context) or SIZES[0]
        least = smallest(self.context)
        untried = size > least and not sizes.tried(self.context, size)
        try:
            first = search_page(self.context, 0, size, stale_ok=stale_ok, kept=kept)
        except GatewayError as error:
            refused = error.kind == "request" and not isinstance(error, NotFound)
            if size <= least or not (refused or (untried and error.kind in PERHAPS_TOO_LARGE)):
                raise
            first, size = self._smaller_first_page(size, DAY if refused else HOUR)
        else:
            if untried and not first.value.received and first.value.total:
                first, size = self._smaller_first_page(size, HOUR)
        sizes.learn(self.context, size, first.value)
        if size > first.value.received == sizes.known(self.context):
            # The next one asks with the size just learned, and need not ask for the same entries again.
            context, given = self.context, first.value.received
            gateway().keep_page(first, context.sent, page=0, size=given, site=context.site)
        return first, size

    def _smaller_first_page(self, refused: int, seconds: float) -> tuple[CachedValue[SearchPage], int]:
        """The smallest page, which tells whether it was the size that was refused; then the largest below
        it, remembered for so long."""
        size = least = smallest(self.context)
        first = search_page(self.context, 0, least)
        for smaller in (one for one in SIZES if least < one < refused):
            with suppress(GatewayError):
                larger = search_page(self.context, 0, smaller)
                if larger.value.received >= first.value.received:
                    first, size = larger, smaller
                    break
        process.part(build_page_sizes).remember(self.context, size, seconds)
        return first, size

    def new_fetch(
        self,
        kind: Callable[..., Fetch],
        *,
        size: int = 0,
        pace: float = PATIENCE_SECONDS,
        at_once: int = 0,
    ) -> Fetch:
        """`size` is that of its pages, `pace` how many seconds one of them takes, `at_once` how many are
        fetched side by side where that isn't as many as the site allows."""
        site, sizes, here = self.context.site, process.part(build_page_sizes), gateway().answers_at_once
        known = size or sizes.known(self.context)
        # Without a size there is no telling which pages there may be.
        total = sizes.recent_total(self.context) if known else 0
        pagination = Pagination(known or SIZES[0], self.cap, total, sizes.largest())

        def page(number: int, size: int) -> tuple[CachedValue[SearchPage], int]:
            """Within a time of its own; not a stale copy, or the results would need another fetch at once."""
            context = self.context.with_deadline(page_deadline())
            if number:
                found = search_page(context, number, size, stale_ok=False, kept=False)
                later[number] = size, found
            else:
                found, size = FullResults(context)._first_page(stale_ok=False, kept=not here)
            # While others are still coming, not when all wait for the end.
            for place, entry in enumerate(found.value.entries, number * size):
                self._row(entry, place, number, made)
            return found, size

        def store(fetched: FetchedPages) -> None:
            """Pages are cached by themselves where some are lost: another try calls for those only."""
            if fetched.lost:
                for number, (asked, found) in later.items():
                    gateway().keep_page(found, self.context.sent, page=number, size=asked, site=site)
            self._write(fetched)

        made: MadeRows = {}
        later: dict[int, tuple[int, CachedValue[SearchPage]]] = {}
        at_once = at_once or site.parallel_calls
        return kind(page, store, pagination=pagination, at_once=at_once, pace=pace, made=made, made_here=here)

    def _wait(self, fetch: Fetch | FetchElsewhere, enough: int, at_hand: int) -> None:
        """`at_hand` properties are there without the fetch."""
        site, deadline = self.context.site, self.context.deadline
        if (fetch.at_hand or at_hand) < enough:
            fetch.wait(deadline.left() * WAITING_SHARE, enough)
        fetch.wait_for_due(self._patience, site.parallel_calls)

    @property
    def _patience(self) -> float:
        return min(PATIENCE_SECONDS, self.context.deadline.left())

    def _most_complete(
        self, fetch: Fetch | FetchElsewhere, cached: AvailableResults | None
    ) -> AvailableResults | None:
        """The more complete of what was cached before and what has come in since."""
        # In this order: what is done doesn't change any more.
        done, fetched = fetch.done, fetch.fetched()
        if done and (now_cached := self._read(fetched)):
            return now_cached.dated()
        if cached is not None and (fetched is None or len(cached.result_set.rows) >= len(fetched.entries)):
            return cached.as_stale(newer_coming=not fetch.done)
        return self._uncached(fetched) if fetched else None

    def _first_page_alone(self, first: CachedValue[SearchPage], size: int) -> AvailableResults:
        pagination = Pagination(size, self.cap, largest=process.part(build_page_sizes).largest())
        pagination.claim()
        pagination.accept(0, first.value, size)
        return self._uncached(FetchedPages.of(pagination, first.fetched_at, stale=first.stale))

    def _uncached(self, fetched: FetchedPages) -> AvailableResults:
        entries = [entry for _page, entry in fetched.entries]
        return AvailableResults(
            self.context,
            self.cap,
            self._result_set(fetched),
            fetched.stale,
            lambda wanted: {one: entries[one].listing for one in wanted},
        )

    def _read(self, fetched: FetchedPages | None = None) -> AvailableResults | None:
        """What is cached; its listings need not be unpacked where it was made of what was `fetched` here."""
        key, store = self.key, process.part(build_store)
        kept = store.kept(key)
        if kept is None:
            return None
        found, indexes = kept
        entries = [entry for _page, entry in fetched.entries] if fetched and _made_of(fetched, found) else ()
        listings = partial(store.listings, key, found.stamp, entries=entries)
        return AvailableResults(self.context, self.cap, found, found.stale, listings, indexes=indexes)

    def _write(self, fetched: FetchedPages) -> None:
        """Put what was fetched into the cache; where pages could not be had and more is there, that stays, as
        stale, for as long as it would have stayed anyway."""
        key, store, now = self.key, process.part(build_store), timezone.now()
        before = store.read(key)
        more = before is not None and len(before.rows) > len(fetched.entries)
        left = KEEP["search"] - (now - before.fetched_at).total_seconds() if before else 0.0
        if before and more and fetched.lost and left > 0:
            store.write(key, msgspec.structs.replace(before, collected_at=now, stale=True), seconds=left)
        else:
            entries = [entry for _page, entry in fetched.entries]
            store.write(key, self._result_set(fetched), entries)

    def _result_set(self, fetched: FetchedPages) -> ResultSet:
        return ResultSet(
            stamp=secrets.token_hex(8),
            fetched_at=fetched.fetched_at,
            collected_at=timezone.now(),
            stale=fetched.stale,
            coverage=fetched.coverage,
            page_size=fetched.page_size,
            rows=tuple(
                self._row(entry, position, page, fetched.made)
                for position, (page, entry) in enumerate(fetched.entries)
            ),
        )

    def _row(self, entry: Entry, position: int, page: int, made: MadeRows) -> Row:
        """The entry's row, the one of `made` where that is of this very entry."""
        of, known = made.get(entry.outline.key, (None, None))
        if known is None or of is not entry:
            known = row_of(entry.outline, self.context.search, self._rules, position, page)
            made[entry.outline.key] = entry, known
        elif (known.position, known.page) != (position, page):
            # A page before it has come since.
            known = msgspec.structs.replace(known, position=position, page=page)
        return known


def _made_of(fetched: FetchedPages, result_set: ResultSet) -> bool:
    """Whether these very rows were made of what was fetched: others of the search may have been written
    since, by another process."""
    first = next(iter(result_set.rows), None)
    return first is not None and fetched.made.get(first.key, (None, None))[1] is first
