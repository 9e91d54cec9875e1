"""Which gateway pages make up the full results of a search: the next to fetch, when to stop, what they cover.

The gateway's numbers may be wrong; pages come back in any order, some not at all.

How large a page the gateway gives, and the total a place had of late: remembered for all processes, to ask
for as much as possible at once. Both are guesses: a fetch that follows them finds out what is so.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from enum import StrEnum
from math import ceil
from threading import Lock
from typing import NamedTuple, TypeVar

import msgspec
from django.conf import settings

from search.domain import process
from search.domain.query import StaySearch
from search.domain.site_settings import CategoriesStyle, Site
from search.gateway.cache import DAY, CachedValue
from search.gateway.client import PageQuery
from search.gateway.factory import build_safe_store
from search.gateway.search_page import Entry, SearchPage, is_cut, merged

from .index import Row

# What the largest page may hold is not documented; larger ones bring all results in fewer calls.
SIZES = (200, 100, 50, 20)
_SMALLEST = SIZES[-1]
# What a gateway gives at most and a city has changes slowly: for who opens a link that is weeks old the pages
# are asked for together, where two calls one after the other may be all the time that a page has.
LONG = 30 * DAY


def smallest(site: Site) -> int:
    """The smallest page asked for: an admin may know of a gateway that gives no more than so few."""
    return min(_SMALLEST, site.page_size)


class PageSizes:
    """The page size of the gateway at this address, and the totals of its places."""

    def __init__(self) -> None:
        self._store = process.part(build_safe_store)
        self._lock = Lock()

    def known(self, site: Site) -> int | None:
        """The page size that the gateway is known to give; None until one was tried."""
        size = self._store.get(_key("size"))
        return size if size in (*SIZES, smallest(site)) else None

    def learn(self, site: Site, search: StaySearch, size: int, page: SearchPage) -> None:
        """Remember what page 0 of a search, asked for with `size`, says about the gateway's pages and the
        total."""
        with self._lock:  # or the smaller of two pages that come at once could be stored last
            largest = self.largest()
            if page.received > largest:
                self._store.set(_key("largest"), page.received, DAY)
        given = _size_given(page, size, largest)
        # Not kept longer by being used.
        if given and given != self.known(site):
            self.remember(given)
        if page.total not in (None, self.recent_total(search)):
            self._store.set(_total_key(search), page.total, LONG)

    def largest(self) -> int:
        """The most entries that a page of the gateway has held of late."""
        largest = self._store.get(_key("largest"))
        return largest if isinstance(largest, int) else 0

    def remember(self, size: int) -> None:
        """For a day, in which larger pages aren't tried; the largest for longer."""
        self._store.set(_key("size"), size, LONG if size == SIZES[0] else DAY)

    def recent_total(self, search: StaySearch) -> int:
        """How many properties the place had last, on any dates; 0 if that isn't known."""
        total = self._store.get(_total_key(search))
        return total if isinstance(total, int) else 0


def _size_given(page: SearchPage, size: int, largest: int) -> int | None:
    """The page size that a page asked for with `size` shows; None where it is just the end."""
    more = page.total is not None and page.total > page.received > 0
    cut = more and (size > largest or page.received in SIZES)
    if page.received < size and not cut:
        return None
    return next((one for one in SIZES if one <= min(size, page.received)), min(size, _SMALLEST))


def _total_key(search: StaySearch) -> str:
    return _key("total", search.place, *map(str, search.stars))


def _key(*parts: str) -> str:
    return f"pages:{hashlib.sha256(msgspec.json.encode((settings.GATEWAY_BASE_URL, *parts))).hexdigest()}"


# What a page holds that the gateway says it doesn't have.
NO_ENTRIES = SearchPage((), None, 0)
# A run of failures is an outage: fetching on would only add to it.
MAX_FAILURES_IN_A_ROW = 3


# What one property may be known by, the surest first.
Keys = tuple[str, ...]


K = TypeVar("K", Entry, Row)


class CoverageState(StrEnum):
    """How much of the full results there is: all, all so far, as much as the site's cap allows, or less:
    pages could not be had, or the gateway gave fewer properties than it counts."""

    COMPLETE = "complete"
    FETCHING = "fetching"
    CAPPED = "capped"
    PARTIAL = "partial"


class Coverage(msgspec.Struct, frozen=True):
    """What a refined page may claim: `compared` properties of `total`; `goal` is how many will have been
    compared when all is fetched. None: nobody knows. `lost`: some pages could not be had."""

    state: CoverageState
    compared: int
    total: int | None
    goal: int | None
    lost: bool = False

    @property
    def exact(self) -> bool:
        return self.state is CoverageState.COMPLETE

    @property
    def gives_less(self) -> bool:
        """Whether the gateway gave all that it gives, and counts more."""
        return self.state is CoverageState.PARTIAL and not self.lost

    @property
    def worth_another_try(self) -> bool:
        """Whether what is missing may come another time; not where the gateway counts more than it gives."""
        return self.lost and self.state is CoverageState.PARTIAL


NOTHING_YET = Coverage(CoverageState.FETCHING, 0, None, None)


def known_by(keys: Keys, among: Iterable[K]) -> K | None:
    """The one known by the first of these keys that any of them has; None if they have none of the keys."""
    found: dict[str, K] = {}
    for one in among:
        for key in one.all_keys().intersection(keys):
            found.setdefault(key, one)
    return next((found[key] for key in keys if key in found), None)


class Pagination:
    """The pages of one series of the gateway. `size` is the page size to ask for, after page 0 the one that
    the gateway gives; `cap` the most properties wanted, unless there are at most `whole`: then all are;
    `expected` a total of late, on which pages beside page 0 are claimed; `largest` the most entries that a
    page of the gateway has held of late.

    Where page 0 turns out to be given with another size, pages `asked` for with the old one don't count: they
    have other entries than those of their numbers, and are claimed once more.
    """

    def __init__(self, size: int, cap: int, expected: int = 0, largest: int = 0, whole: int = 0) -> None:
        self.size = size
        self._whole = whole
        self._cap = max(cap, expected) if expected <= whole else cap
        self._expected = expected
        self._largest = largest
        self._pages: dict[int, tuple[Entry, ...]] = {}
        self._received: dict[int, int] = {}
        self._keys: set[str] = set()
        self.under_way: set[int] = set()
        # How many pages were claimed.
        self.claimed = self._failures_in_a_row = 0
        self._stopped = self._first_is_short = self._lost = False
        self.total: int | None = None
        self._least_total = 0

    def claim(self) -> int | None:
        """The next page worth fetching; None when there is none, or none before those under way are back."""
        if not self.unclaimed:
            return None
        self.under_way.add(self.claimed)
        self.claimed += 1
        return self.claimed - 1

    def accept(self, page: int, found: SearchPage, asked: int) -> None:
        if not page:
            self._first_is_short = found.received < asked
            self._resize(found.received if is_cut(found, asked, self._largest) else asked)
        elif asked != self.size:
            return
        self.under_way.discard(page)
        if found.total is not None:
            self._least_total = found.total if self.total is None else min(self._least_total, found.total)
            self.total = found.total
            self._cap = max(self._cap, found.total) if found.total <= self._whole else self._cap
        self._pages[page] = found.entries
        self._received[page] = found.received if self._is_new(page) else 0
        self._keys |= {entry.outline.key for entry in found.entries}
        if 0 in self._received:
            # Not before page 0, which may tell that it was another page's size.
            self._count_failure(failed=not self._received[page])

    def _is_new(self, page: int) -> bool:
        """Whether a page has a property that none before it has; one without is as an empty one."""
        earlier = [entries for number, entries in self._pages.items() if number < page]
        keys = {entry.outline.key for entries in earlier for entry in entries}
        return any(entry.outline.key not in keys for entry in self._pages[page])

    def fail(self, page: int, asked: int) -> None:
        """A page that can't be had. All else that came stays."""
        if asked == self.size or not page:
            self.under_way.discard(page)
            self._lost = True
            self._count_failure(failed=True)

    def stop(self) -> None:
        """Fetch nothing more: time is up, or another call would do harm."""
        self._lost = self._lost or self.unclaimed > 0
        self._stopped = True

    @property
    def lost(self) -> bool:
        """Whether pages could not be had: the gateway failed, or there was no time for more. Where as many
        properties came as every page counts, it was one behind the end, which is asked for behind a full
        page, and by the size of pages where the gateway gives more than that."""
        return self._lost and not len(self._keys) == self._least_total == self.total

    @property
    def unclaimed(self) -> int:
        """How many pages are worth fetching, as far as is known, and not claimed yet."""
        bound = min(self._pages_wanted(), self._pages_expected())
        return 0 if self._stopped else max(0, bound - self.claimed)

    @property
    def done(self) -> bool:
        return not (self.under_way or self.unclaimed)

    @property
    def promised(self) -> int:
        """How many entries came, or may with the pages under way."""
        came = sum(self._received.values())
        return min(came + len(self.under_way) * self.size, max(came, self._least_total or self._cap))

    def end_at_claimed(self) -> None:
        """Let the cap be what was claimed by now."""
        self._cap = min(self._cap, self.claimed * self.size)

    def entries(self) -> Iterator[Entry]:
        """The entries of all pages that came, in the gateway's order."""
        return (entry for page in sorted(self._pages) for entry in self._pages[page])

    def coverage(self) -> Coverage:
        compared = min(len(self._keys), self._cap)
        state = self._state() if self.done else CoverageState.FETCHING
        total = compared if state is CoverageState.COMPLETE else self.total
        # With repeats among them fewer will come than are counted; nobody knows how many.
        repeats = state is CoverageState.FETCHING and sum(self._received.values()) > len(self._keys)
        if total is not None and (total < compared or repeats):
            total = None
        goal = None if total is None else min(total, self._cap)
        return Coverage(state, compared, total, goal, self.lost or self._has_gap())

    def _resize(self, size: int) -> None:
        """Page 0 has told the size: what came before it, asked for with another one, doesn't count."""
        if size != self.size:
            self.size = size
            self.claimed = 1
            self._failures_in_a_row = 0
            self._lost = False
            for of_old_size in (self._pages, self._received, self._keys, self.under_way):
                of_old_size.clear()

    def _count_failure(self, *, failed: bool) -> None:
        """Count a page that failed or is empty, or begin anew after another one; too many in a row are the
        end."""
        self._failures_in_a_row = self._failures_in_a_row + 1 if failed else 0
        if self._failures_in_a_row >= MAX_FAILURES_IN_A_ROW:
            self._stopped = True

    def _state(self) -> CoverageState:
        if self.lost or self._has_gap():
            return CoverageState.PARTIAL
        # Prices that move between two pages bring some properties twice and others never.
        if len(self._keys) < min(self._least_total, self._cap):
            # Only the cap ends pages that each have some properties, if fewer than they could.
            capped = self._pages_wanted() <= len(self._filled) < self._pages_expected()
            return CoverageState.CAPPED if capped else CoverageState.PARTIAL
        if self.total is None and not self._end_is_sure():
            return CoverageState.PARTIAL
        if len(self._keys) > self._cap or self._pages_expected() > self._pages_wanted():
            return CoverageState.CAPPED
        return CoverageState.COMPLETE

    @property
    def _filled(self) -> list[int]:
        """The pages with properties that none before them has, in order."""
        return [page for page, received in sorted(self._received.items()) if received]

    def _end_is_sure(self) -> bool:
        """Whether pages without a total end where they ended: an empty page behind full ones may be as far
        as the gateway looks."""
        filled = self._filled
        if len(filled) < 2 and self._first_is_short:
            return True
        return len(filled) == len(self._received) or self._received[filled[-1]] < self.size

    def _has_gap(self) -> bool:
        """Whether a page was empty although a later one was not."""
        return self._filled != [*range(len(self._filled))]

    def _pages_wanted(self) -> int:
        return ceil(self._cap / self.size)

    def _pages_expected(self) -> int:
        """How many pages the results seem to have: by an empty page where they may end, else by their
        total (a full page where that says they end is a reason to look behind it), else twice those
        fetched while all are full. Before page 0 by the total of late."""
        if 0 not in self._received:
            return max(1, ceil(self._expected / self.size))
        empty = self._received.keys() - {*self._filled}
        end = min((page for page in empty if page * self.size >= self._least_total), default=None)
        if end is not None:
            return end
        if self.total is None:
            return self._pages_expected_without_total()
        expected = max(1, ceil(self.total / self.size))
        met_at_cap = self._pages_wanted() if self.total == self._cap else 0
        while expected != met_at_cap and self._received.get(expected - 1, 0) >= self.size:
            expected += 1
        return expected

    def _pages_expected_without_total(self) -> int:
        """A short page is the last one, unless the first was short: then others may be, too."""
        short = [page for page, received in self._received.items() if page and received < self.size]
        return min(short) + 1 if short and not self._first_is_short else 2 * len(self._received)


class Fetched(NamedTuple):
    """What has come in: the entries, united; the time of the oldest page; whether a page was a stale copy."""

    entries: tuple[Entry, ...]
    coverage: Coverage
    fetched_at: datetime
    stale: bool


class Pages:
    """The pages of a search: of one series of the gateway, or of one for each star rating, united.

    Series are fetched a page of each in turn up to the cap, so that none is left out. Entries of other stars
    than `stars` are left out once those of one property are united.
    """

    def __init__(
        self,
        series: Mapping[StaySearch, Pagination],
        cap: int,
        stars: tuple[int, ...] = (),
        whole: int = 0,
        style: CategoriesStyle = CategoriesStyle.COMMA,
    ) -> None:
        self._by_search = series
        self._series = [*series.values()]
        self._most = cap
        self._whole = whole
        self._stars = stars
        self._style = style
        self.came: list[CachedValue[SearchPage]] = []
        self._united: tuple[Entry, ...] | None = None

    def claim(self) -> PageQuery | None:
        """The next page worth fetching; None when there is none, or none before those under way are back."""
        worth_it = [(search, one) for search, one in self._by_search.items() if one.unclaimed]
        if not worth_it:
            return None
        search, series = min(worth_it, key=lambda one: one[1].claimed)
        # Of several series the first page of each is wanted, even above the cap.
        if series.claimed and len(self._series) > 1 and self._enough_claimed():
            return None
        page = series.claim()
        return None if page is None else PageQuery(search, page, series.size, self._style)

    def _enough_claimed(self) -> bool:
        """Whether as much as is wanted came or is under way; if it came, the series end there."""
        enough = sum(one.promised for one in self._series) >= self._cap
        if enough and not any(one.under_way for one in self._series):
            for one in self._series:
                one.end_at_claimed()
        return enough

    @property
    def _cap(self) -> int:
        """The most properties wanted, or all if there are no more than `whole`."""
        counted = sum(one.total or 0 for one in self._series)
        return max(self._most, counted) if counted <= self._whole else self._most

    def accept(self, query: PageQuery, page: CachedValue[SearchPage] | None) -> None:
        """The page that came, None where the gateway says that it has no such page."""
        self._united = None
        if page:
            self.came.append(page)
        found = page.value if page else NO_ENTRIES
        self._by_search[query.search].accept(query.number, found, query.size)

    def begin_with(self, first: Iterable[tuple[PageQuery, CachedValue[SearchPage]]]) -> None:
        """Accept the first page of each series."""
        for query, page in first:
            self.claim()
            self.accept(query, page)

    def fail(self, query: PageQuery) -> None:
        """See `Pagination.fail`."""
        self._by_search[query.search].fail(query.number, query.size)

    def stop(self) -> None:
        """See `Pagination.stop`."""
        for one in self._series:
            one.stop()

    @property
    def done(self) -> bool:
        return all(one.done for one in self._series)

    def entries(self) -> tuple[Entry, ...]:
        """Each property of the stars asked for once, in the gateway's order, at most `cap`."""
        if self._united is None:
            united = merged([entry for one in self._series for entry in one.entries()])
            wanted = [one for one in united if not self._stars or one.outline.stars in self._stars]
            self._left_out, self._different = len(united) - len(wanted), len(united)
            self._united = tuple(wanted[: self._cap])
        return self._united

    def fetched(self) -> Fetched:
        """What has come in: one page at least."""
        oldest, stale = min(one.fetched_at for one in self.came), any(one.stale for one in self.came)
        return Fetched(self.entries(), self.coverage(), oldest, stale)

    def coverage(self) -> Coverage:
        """That of the only series, or of all: the least of their states, the sum of their totals."""
        parts, compared = [one.coverage() for one in self._series], len(self.entries())
        state = max((one.state for one in parts), key=_LEAST_LAST.index)
        total = compared if state is CoverageState.COMPLETE else self._total(parts)
        goal = None if total is None else min(total, self._cap)
        return Coverage(state, compared, total, goal, any(one.lost for one in parts))

    def _total(self, parts: list[Coverage]) -> int | None:
        """The sum of the totals; None where one is unknown, or counts more than what was asked for."""
        met_twice = sum(one.compared for one in parts) > self._different
        totals = [one.total for one in parts if one.total is not None]
        return None if self._left_out or met_twice or len(totals) < len(parts) else sum(totals)


# A search of several series is as far as the one that is least far.
_LEAST_LAST = (CoverageState.COMPLETE, CoverageState.CAPPED, CoverageState.PARTIAL, CoverageState.FETCHING)
