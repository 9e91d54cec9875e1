"""The full results of a search, as far as they are available: cached, just fetched, or still coming in.

Full results in the cache: their version, the compact rows of that version, and listings in a few entries.

A version never changes, nor do the listings of a stamp: a process asks for what it has met only once.

What is available of the full results of a search, cached or just fetched, and a gateway page of it.

Comparing all: a deeper pass over the results of a search, beyond the cap, that a visitor starts.

It runs behind pages, at most `MOST_AT_ONCE` in a process, up to a limit of its own. Its progress is in the
cache, so that every process can tell it; what it finds is kept for all.
"""

import hashlib
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property, partial
from threading import Lock
from typing import Any, Generic, NamedTuple, Self, TypeVar

import msgspec
from cachetools import LRUCache
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone
from isal import isal_zlib

from search.domain import process
from search.domain.context import SearchContext
from search.domain.offers import Listing
from search.domain.site_settings import Site
from search.gateway.cache import DAY, HOUR, KEEP
from search.gateway.cache_store import (
    ENTRY_BYTES,
    CachedValue,
    DecompressionError,
    Packer,
    SafeStore,
    Store,
    fingerprint,
    fits,
)
from search.gateway.errors import Garbled, GatewayError, NotFound, Unavailable
from search.gateway.factory import build_safe_store, gateway
from search.gateway.search_page import Entry, SearchPage, merged, unpacked
from search.monitoring import metrics
from search.web.shortcuts import page_deadline

from .announcements import NOTHING_YET, FetchElsewhere, as_text, build_announcements
from .fetcher import AnnouncedFetch, Fetch, FetchedPages, Fetcher, MadeRows
from .index import Row, RowIndex, row_of
from .pagination import SIZES, Coverage, CoverageState, Keys, PageSizes, Pagination, known_by, smallest

T = TypeVar("T")


class Recent(Generic[T]):
    """At most `most` things by name, safe between threads; the one unused for longest goes first."""

    def __init__(self, most: int) -> None:
        self._lock = Lock()
        self._things: LRUCache[Hashable, T] = LRUCache(most)

    def get(self, name: Hashable) -> T | None:
        with self._lock:
            return self._things.get(name)

    def put(self, name: Hashable, thing: T) -> None:
        with self._lock:
            self._things[name] = thing


LISTINGS_PER_CHUNK = 100
# Compressed as one: each alone takes twice the time, all together have to be unpacked for each card.
LISTINGS_TOGETHER = 10
# At the end of a version, for each entry more than one that its rows take: thousands with many offers each.
MORE_PARTS = "+"
# Result sets that this process keeps decoded; one of 600 properties takes about a megabyte.
KEPT_IN_PROCESS = 8
# Indexes of each of them, of as many properties some 300 kB: visitors rarely see different ones.
KEPT_INDEXES = 2
# Entries of listings that it keeps as they are cached, some 80 kB each: those of two searches, as the others
# are of searches that nobody pages through any more.
KEPT_CHUNKS = 12
# Listings that it keeps read, some 6 kB each: those of pages that are asked for again and again.
KEPT_LISTINGS = 200


class ResultSet(msgspec.Struct, frozen=True, array_like=True):
    """The full results of a search, compact. `stamp` names this very set; `fetched_at` is that of its
    oldest page, `collected_at` when it was complete; row n has position n. `stale` if a page of it was.
    `page_size` is that of the gateway pages that the rows name."""

    stamp: str
    fetched_at: datetime
    collected_at: datetime
    stale: bool
    coverage: Coverage
    page_size: int
    rows: tuple[Row, ...]


def recent_indexes() -> Recent[RowIndex]:
    return Recent(KEPT_INDEXES)


class Kept(NamedTuple):
    """A result set that this process keeps decoded, and its indexes for as long."""

    result_set: ResultSet
    indexes: Recent[RowIndex]


_rows: Packer[ResultSet] = Packer(ResultSet)
_chunks = msgspec.msgpack.Decoder(list[bytes])
_encoder = msgspec.msgpack.Encoder()

# Part of every key, so that an entry of another form is simply not found.
FORM = f"{fingerprint(ResultSet, Entry, Listing)[:16]}-{LISTINGS_PER_CHUNK}-{LISTINGS_TOGETHER}"


class ResultStore:
    """Result sets by key on `store`; whatever is missing or unreadable reads as not there."""

    def __init__(self, store: Store) -> None:
        self._store = SafeStore(store)
        self._decoded: Recent[Kept] = Recent(KEPT_IN_PROCESS)
        self._chunks: Recent[bytes] = Recent(KEPT_CHUNKS)
        self._listings: Recent[Listing] = Recent(KEPT_LISTINGS)

    def read(self, key: str) -> ResultSet | None:
        kept = self.kept(key)
        return kept and kept.result_set

    def kept(self, key: str) -> Kept | None:
        """The result set with the indexes this process has built of it; None where it is not in the cache."""
        version = self._store.get(_key(key))
        if not isinstance(version, bytes):
            return None
        known = self._decoded.get(version)
        if known is None:
            decoded = self._read_rows(key, version.decode(errors="replace"))
            if decoded is not None:
                known = Kept(decoded, recent_indexes())
                self._decoded.put(version, known)
        return known

    def write(
        self,
        key: str,
        result_set: ResultSet,
        entries: Sequence[Entry] = (),
        seconds: float = KEEP["search"],
    ) -> None:
        """Store both; `entries` in the order of the rows, none if those of this stamp are there already."""
        packed = _rows.pack(result_set)
        parts = [packed[start : start + ENTRY_BYTES] for start in range(0, len(packed), ENTRY_BYTES)]
        version = f"{result_set.stamp}-{result_set.collected_at.timestamp()}{MORE_PARTS * (len(parts) - 1)}"
        self._decoded.put(version.encode(), Kept(result_set, recent_indexes()))
        for start in range(0, len(entries), LISTINGS_PER_CHUNK):
            chunk = _packed_chunk(entries[start : start + LISTINGS_PER_CHUNK])
            if fits(chunk):
                number = start // LISTINGS_PER_CHUNK
                self._store.set(_key(key, result_set.stamp, number), chunk, seconds)
        for name, part in zip(_part_keys(key, version), parts, strict=True):
            self._store.set(name, part, seconds)
        self._store.set(_key(key), version.encode(), seconds)

    def _read_rows(self, key: str, version: str) -> ResultSet | None:
        parts = [self._store.get(name) for name in _part_keys(key, version)]
        return _rows.unpack(b"".join(parts)) if all(isinstance(part, bytes) for part in parts) else None

    def listings(
        self, key: str, stamp: str, positions: Iterable[int], entries: Sequence[Entry] = ()
    ) -> dict[int, Listing]:
        """The listings at these positions, as far as they are still there; of `entries`, which are those of
        the rows, where they are at hand."""
        found: dict[int, Listing] = {}
        wanted: dict[int, list[int]] = defaultdict(list)
        for position in positions:
            if known := self._listings.get((stamp, position)):
                found[position] = known
            elif entries:
                found[position] = entries[position].listing
                self._listings.put((stamp, position), found[position])
            else:
                number, place = divmod(position, LISTINGS_PER_CHUNK)
                wanted[number].append(place)
        for number, places in wanted.items():
            for place, listing in _unpacked(self._chunk(_key(key, stamp, number)), places):
                position = number * LISTINGS_PER_CHUNK + place
                found[position] = listing
                self._listings.put((stamp, position), listing)
        return found

    def _chunk(self, name: str) -> Any:
        known = self._chunks.get(name)
        if known is None:
            known = self._store.get(name)
            if known is not None:
                self._chunks.put(name, known)
        return known


def _key(*parts: str | int) -> str:
    """Of a version; with the version, of its rows; with a stamp and a number, of some listings."""
    return ":".join(["results", FORM, *map(str, parts)])


def _part_keys(key: str, version: str) -> list[str]:
    """Of the rows of a version, in as many entries as it says."""
    return [_key(key, version + str(number or "")) for number in range(1 + version.count(MORE_PARTS))]


def _packed_chunk(entries: Sequence[Entry]) -> bytes:
    starts = range(0, len(entries), LISTINGS_TOGETHER)
    packed = [entry.packed for entry in entries]
    groups = (_encoder.encode(packed[start : start + LISTINGS_TOGETHER]) for start in starts)
    # Level 1 makes a tenth less of so small a text, in twice the time.
    return _encoder.encode([isal_zlib.compress(group, level=0) for group in groups])


def _unpacked(entry: Any, places: list[int]) -> Iterator[tuple[int, Listing]]:
    """The listings at these places of a chunk that can be read."""
    for place in places:
        group, member = divmod(place, LISTINGS_TOGETHER)
        with suppress(msgspec.MsgspecError, TypeError, DecompressionError, IndexError, Garbled):
            groups = _chunks.decode(entry)
            yield place, unpacked(_chunks.decode(isal_zlib.decompress(groups[group]))[member])


# A set just collected is good enough whatever the fresh time and however many pages are missing, or a page
# could never settle. After that "Try again" has them fetched again.
SETTLED = timedelta(seconds=10)
# Old ones that were collected again are due sooner, or a gateway that is back would not be asked within the
# 6 s of the breaker.
SETTLED_OLD = timedelta(seconds=1)


def search_page(
    context: SearchContext, number: int, size: int, *, stale_ok: bool = True, kept: bool = True
) -> CachedValue[SearchPage]:
    """One gateway page, counted from 0. A stale copy that is `stale_ok` is good for a while, and refreshed
    behind; otherwise it is only taken when the gateway fails. Unless `kept` it is not cached by itself.
    Raises GatewayError."""
    site, deadline = context.site, context.deadline
    page = gateway().search(
        context.sent, page=number, size=size, site=site, deadline=deadline, stale_ok=stale_ok, kept=kept
    )
    if not number:
        metrics.count_page(page)
    return page


@dataclass(frozen=True, slots=True)
class AvailableResults:
    """What is available of the full results of a search: the rows of `result_set`, and their listings.

    `context` and `cap` are what they were fetched for, maybe more stars than the visitor's;
    `cached_listings` gives the listings at some positions of the rows, as far as they are cached.
    `newer_coming`: they are stale, and newer ones are being fetched. `indexes` are those made of the rows, by
    what else they hang on.
    """

    context: SearchContext
    cap: int
    result_set: ResultSet
    stale: bool
    cached_listings: Callable[[Iterable[int]], dict[int, Listing]]
    newer_coming: bool = False
    indexes: Recent[RowIndex] = field(default_factory=recent_indexes)

    @property
    def stars(self) -> tuple[int, ...]:
        """The star ratings they were fetched for; none: all of them."""
        return self.context.search.stars

    def listings(self, rows: Iterable[Row]) -> tuple[dict[str, Listing], bool]:
        """The listings of these rows by key, those not cached from the gateway's pages again; and whether
        each of those pages could be had."""
        cached = self.cached_listings([row.position for row in rows])
        found = {row.key: cached[row.position] for row in rows if row.position in cached}
        lost = [row for row in rows if row.key not in found]
        again, all_had = self._fetched_again(lost) if lost else ({}, True)
        return found | again, all_had

    def _fetched_again(self, lost: list[Row]) -> tuple[dict[str, Listing], bool]:
        """As `listings`, from the gateway's pages: the one on which each was met first, and later ones while
        offers are missing that its row has."""
        met: dict[str, list[Entry]] = {row.key: [] for row in lost}
        all_had = True
        for number in sorted({row.page for row in self.result_set.rows}):
            began = [row for row in lost if row.page <= number]
            if not any(row.page == number or _offers(met[row.key]) < len(row.offers) for row in began):
                continue
            try:
                page = search_page(self.context, number, self.result_set.page_size).value
            except GatewayError:
                all_had = False
                break
            for entry in page.entries:
                if entry.outline.key in met:
                    met[entry.outline.key].append(entry)
        return {key: merged(of)[0].listing for key, of in met.items() if of}, all_had

    def row(self, keys: Keys) -> Row | None:
        """The row of one property, known by any of these keys; None if it isn't among them."""
        return known_by(keys, self.result_set.rows)

    def listing(self, keys: Keys) -> CachedValue[Listing] | None:
        """The listing of one property, as `row`. Raises Unavailable for one of them that can't be had."""
        row = self.row(keys)
        listings, all_had = self.listings([row] if row else [])
        if not all_had:
            raise Unavailable("connection")
        found = listings.get(row.key) if row else None
        return CachedValue(found, self.result_set.fetched_at, self.dated().stale) if found else None

    @property
    def settled(self) -> bool:
        """Whether they were collected just now."""
        return _age(self.result_set.collected_at) < SETTLED

    @property
    def past_fresh_time(self) -> bool:
        """Whether some of their prices are older than the site takes for fresh."""
        fresh = timedelta(seconds=self.context.site.search_fresh_seconds)
        return _age(self.result_set.fetched_at) > fresh

    @property
    def needs_fetch(self) -> bool:
        """Whether they are due to be fetched again. Old ones that were collected again just now are not:
        without a gateway each page would collect the same once more."""
        if self.result_set.stale and _age(self.result_set.collected_at) < SETTLED_OLD:
            return False
        incomplete = self.result_set.coverage.worth_another_try
        return self.past_fresh_time or (incomplete and not self.settled)

    def dated(self) -> Self:
        """As stale where they are past their fresh time, for a page that gets no newer ones."""
        return self.as_stale() if self.past_fresh_time and not self.settled else self

    def as_stale(self, *, newer_coming: bool = False) -> Self:
        return replace(self, stale=True, newer_coming=newer_coming)


def _offers(entries: Iterable[Entry]) -> int:
    return sum(len(one.outline.offers) for one in entries)


def _age(moment: datetime) -> timedelta:
    """How long ago it was; as long as it is ahead, where the clock has been set back since."""
    return abs(timezone.now() - moment)


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
            self._start_if_several_pages_are_expected()
        try:
            first, size = self._first_page()
        except GatewayError:
            if cached is None:
                raise
            return cached.as_stale()
        if cached and first.stale:
            return cached.as_stale(newer_coming=self.start_fetch() is not None)
        if cached and cached.settled and not cached.result_set.stale:
            return cached
        took = time.monotonic() - started
        fetch = self.start_fetch(first, size=size, pace=took)
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
        fetch = self.start_fetch()
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
        fetch = None if available else self.start_fetch()
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
        self, first: CachedValue[SearchPage] | None = None, **options: Any
    ) -> Fetch | FetchElsewhere | None:
        """The fetch under way, here or in another process, started here if there is none; None when too many
        others are. `first` is page 0 where it is at hand, for `options` see `new_fetch`."""
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
        kind = partial(AnnouncedFetch, key=key, token=token)
        started = fetcher.join(key, first, partial(self.new_fetch, kind, **options))
        if not (isinstance(started, AnnouncedFetch) and started.token == token):
            announcements.end(key, token)
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
        return self.start_fetch() if several else None

    def _first_page(self, *, stale_ok: bool = True) -> tuple[CachedValue[SearchPage], int]:
        """Page 0 and the page size it was asked for with, as large as the gateway takes it."""
        sizes = process.part(build_page_sizes)
        size = sizes.known(self.context) or SIZES[0]
        least = smallest(self.context)
        untried = size > least and not sizes.tried(self.context, size)
        try:
            first = search_page(self.context, 0, size, stale_ok=stale_ok)
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
        site, sizes = self.context.site, process.part(build_page_sizes)
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
                found, size = FullResults(context)._first_page(stale_ok=False)
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
        return kind(page, store, pagination=pagination, at_once=at_once, pace=pace, made=made)

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
    token: str
    coverage: Coverage


_PASSES = msgspec.json.Decoder(_Pass)


def build_fetcher() -> Fetcher:
    return Fetcher(MOST_AT_ONCE)


def is_offered(site: Site) -> bool:
    return site.compare_all_limit > site.cap


def available(context: SearchContext) -> AvailableResults | None:
    """The results of a pass, where the address asks for them and they aren't too old."""
    return _kept(context) if context.refinement.all and is_offered(context.site) else None


def start_pass(context: SearchContext) -> None:
    """Start a pass, unless one of this search is under way or kept without a gap, or too many others are
    under way."""
    full_results, kept = _full_results(context), _kept(context)
    whole = kept is not None and not kept.result_set.coverage.worth_another_try
    if whole or _running(full_results.key):
        return
    token = secrets.token_hex(8)
    # One of several processes that are asked at once makes the pass.
    store = process.part(build_safe_store)
    if not store.add(_pass_key(full_results.key), as_text(_Pass(token, NOTHING_YET)), SILENCE_SECONDS):
        return

    def fetch() -> Fetch:
        kind = partial(_DeeperFetch, key=full_results.key, token=token)
        return full_results.new_fetch(kind, at_once=max(1, context.site.parallel_calls // 2))

    if process.part(build_fetcher).join(full_results.key, None, fetch) is None:
        store.delete(_pass_key(full_results.key))


def progress(context: SearchContext) -> Coverage:
    """How far the pass of this search is; where none is under way, that nothing more is coming."""
    if running := _running(_full_results(context).key):
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
    if running:
        return DeeperResults(Deeper.RUNNING, count, running.coverage)
    if coverage.state is CoverageState.CAPPED and (kept := _kept(context)):
        found = kept.result_set
        return DeeperResults(Deeper.READY, found.coverage.compared, found.coverage, found.fetched_at)
    return DeeperResults(Deeper.BUSY if process.part(build_fetcher).full else Deeper.OFFERED, count)


class _DeeperFetch(Fetch):
    """The fetch of a pass: tells the cache how far it is with each page."""

    def __init__(self, *args: Any, key: str, token: str, **options: Any) -> None:
        super().__init__(*args, **options, seconds=PASS_SECONDS)
        self._key, self._token = key, token

    def _accept(self, number: int, page: CachedValue[SearchPage], asked: int) -> None:
        super()._accept(number, page, asked)
        if self._is_told_of:
            told = as_text(_Pass(self._token, self._pagination.coverage()))
            process.part(build_safe_store).set(_pass_key(self._key), told, SILENCE_SECONDS)

    def _end(self) -> None:
        if self._is_told_of:
            process.part(build_safe_store).delete(_pass_key(self._key))
        super()._end()

    @property
    def _is_told_of(self) -> bool:
        """Whether the cache tells of this one: after a long silence it may be another one's by now."""
        known = _running(self._key)
        return known is None or known.token == self._token


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
    with suppress(msgspec.MsgspecError, TypeError):
        return _PASSES.decode(process.part(build_safe_store).get(_pass_key(key)))
    return None


def _pass_key(key: str) -> str:
    return f"compare-all:{key}"
