"""Which gateway pages make up the full results of a search: the next to fetch, when to stop, what they cover.

The gateway's numbers may be wrong; pages come back in any order, some not at all.
"""

from enum import StrEnum
from math import ceil

import msgspec

from search.domain.offers import Listing, SearchPage, merged

# A run of failures is an outage: fetching on would only add to it.
MAX_FAILURES_IN_A_ROW = 3


class CoverageState(StrEnum):
    """How much of the full results there is: all, all so far, as much as the site's cap allows, or all but
    the pages that could not be had."""

    COMPLETE = "complete"
    FETCHING = "fetching"
    CAPPED = "capped"
    PARTIAL = "partial"


class Coverage(msgspec.Struct, frozen=True):
    """What a refined page may claim: `compared` properties of `total`; `goal` is how many will have been
    compared when all is fetched. None: nobody knows."""

    state: CoverageState
    compared: int
    total: int | None
    goal: int | None

    @property
    def exact(self) -> bool:
        return self.state is CoverageState.COMPLETE


class Pagination:
    """The pages of one search. `size` is the page size asked for, `cap` the most properties wanted.

    Not safe for use by several threads at once: the caller holds a lock.
    """

    def __init__(self, size: int, cap: int) -> None:
        self._size = size
        self._cap = cap
        self._pages: dict[int, tuple[Listing, ...]] = {}
        self._received: dict[int, int] = {}
        self._keys: set[str] = set()
        self._under_way: set[int] = set()
        self._next = self._failures_in_a_row = 0
        self._end: int | None = None
        self._repeats = self._lost = self._stopped = False
        self.total: int | None = None

    def claim(self) -> int | None:
        """The next page worth fetching; None when there is none, or none before those under way are back."""
        if self._stopped or self._next >= self._bound():
            return None
        page = self._next
        self._next += 1
        self._under_way.add(page)
        return page

    def accept(self, page: int, found: SearchPage) -> None:
        self._failures_in_a_row = 0
        self._under_way.discard(page)
        if found.total is not None:
            self.total = found.total
        keys = {listing.property.key for listing in found.listings}
        if found.received == 0:
            self._end = page if self._end is None else min(self._end, page)
        elif page and keys and keys <= self._keys:
            self._repeats = True
        self._keys |= keys
        self._pages[page] = found.listings
        self._received[page] = found.received

    def fail(self, page: int) -> None:
        """A page that can't be had. Whatever else came stays."""
        self._under_way.discard(page)
        self._lost = True
        self._failures_in_a_row += 1
        if self._failures_in_a_row >= MAX_FAILURES_IN_A_ROW:
            self.stop()

    def stop(self) -> None:
        """Fetch nothing more: time is up, or another call would do harm."""
        if self._next < self._bound():
            self._lost = True
        self._stopped = True

    @property
    def done(self) -> bool:
        return not self._under_way and (self._stopped or self._next >= self._bound())

    def listings(self) -> list[tuple[int, Listing]]:
        """Each property once with the page it came on, in the gateway's order, at most `cap`."""
        found = [(page, listing) for page in sorted(self._pages) for listing in self._pages[page]]
        page_of = {listing.property.key: page for page, listing in reversed(found)}
        united = merged([listing for _page, listing in found])
        return [(page_of[one.property.key], one) for one in united[: self._cap]]

    def coverage(self) -> Coverage:
        compared = min(len(self._keys), self._cap)
        state = self._state() if self.done else CoverageState.FETCHING
        total = compared if state is CoverageState.COMPLETE else self.total
        if total is not None and total < compared:
            total = None
        goal = min(total, self._cap) if total is not None else None
        return Coverage(state, compared, total, goal)

    def _state(self) -> CoverageState:
        if self._lost or (self._repeats and (self.total is None or len(self._keys) < self.total)):
            return CoverageState.PARTIAL
        if len(self._keys) > self._cap or self._pages_expected() > self._pages_wanted():
            return CoverageState.CAPPED
        return CoverageState.COMPLETE

    def _bound(self) -> int:
        """The first page number not worth fetching, as far as is known now."""
        if 0 not in self._received:
            return 1
        if self._repeats:
            return self._next
        return min(self._pages_wanted(), self._pages_expected())

    def _pages_wanted(self) -> int:
        return ceil(self._cap / self._effective)

    def _pages_expected(self) -> int:
        """How many pages the results seem to have: by an empty page, else by their total (a full page where
        that says they end is a reason to look behind it), else twice those fetched while all are full."""
        if self._end is not None:
            return self._end
        if self.total is None:
            short = [page for page, received in self._received.items() if page and received < self._effective]
            return min(short) + 1 if short else 2 * len(self._received)
        expected = max(1, ceil(self.total / self._effective))
        met_at_cap = self._pages_wanted() if self.total == self._cap else 0
        while expected != met_at_cap and self._received.get(expected - 1, 0) >= self._effective:
            expected += 1
        return expected

    @property
    def _effective(self) -> int:
        """Properties a full page holds: less than asked for where the gateway has a maximum of its own."""
        first = self._received.get(0, self._size)
        more_came = (self.total or 0) > first or any(self._received.get(page) for page in range(1, 3))
        return first if 0 < first < self._size and more_came else self._size
