"""What is available of the full results of a search, cached or just fetched, and a gateway page of it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Self

from django.utils import timezone

from search.domain.context import SearchContext
from search.domain.offers import Listing
from search.gateway.cache_store import CachedValue
from search.gateway.errors import GatewayError, Unavailable
from search.gateway.factory import gateway
from search.gateway.search_page import Entry, SearchPage, merged
from search.monitoring import metrics

from .index import RowIndex
from .pagination import Keys, known_by
from .rows import Row
from .store import Recent, ResultSet, recent_indexes

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
