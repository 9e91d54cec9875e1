"""A gateway that answers as a test says: any total, any page, failures, and waits until it is let go.

It has the shape of `search.gateway.cache.CachedGateway` with nothing cached: each call is counted.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from threading import Condition, Event

from search.domain.hotels import Coordinates, GuestRating
from search.domain.offers import Listing
from search.domain.process import Deadline
from search.domain.query import StaySearch
from search.domain.site_settings import Site
from search.gateway.cache_store import CachedValue
from search.gateway.errors import GatewayError, Unavailable
from search.gateway.search_page import SearchPage
from tests import builders as build

NOW = datetime(2030, 4, 1, 12, 0, tzinfo=UTC)
# How long a test waits for a thread before it gives up.
LONG = 10.0


def listing(number: int, *, total: int | None = None, provider: str = "HB", free: bool = False) -> Listing:
    """Property `number`; totals fall and rise with the number, so that no order is the gateway's own."""
    amount = total if total is not None else 100 + (number * 37) % 101
    offer = build.offer(
        str(amount), provider, property_id=f"p{number}", free_cancellation=free, surcharges=(), facilities=()
    )
    building = build.building(
        key=f"k{number}",
        provider=provider,
        id=f"p{number}",
        name=f"Hotel {number}",
        city="Rome",
        country="it",
        coordinates=Coordinates(41.9 + number / 10_000, 12.5),
        stars=1 + number % 5,
        rating=GuestRating(Decimal(number % 10), "GOOD"),
    )
    return Listing(building, (offer,), None)


def page_of(numbers: range | list[int], total: int | None) -> SearchPage:
    return build.search_page(tuple(listing(number) for number in numbers), total, len(numbers))


def honest(count: int, total: int | None = None) -> Callable[[int, int], SearchPage]:
    """`count` properties in a stable order; says there are `total` (as many as there are, unless told)."""
    return lambda page, size: page_of(
        range(count)[page * size : (page + 1) * size], count if total is None else total
    )


class ScriptedGateway:
    """`script(page, size)` gives the page or raises, `size` never above `largest`; `hold` makes every page
    but the first wait for `release()`. `fetched_at` and `stale` go with every answer, `age_of_page` makes
    some pages older."""

    def __init__(
        self, script: Callable[[int, int], SearchPage], *, hold: bool = False, largest: int = 50
    ) -> None:
        self.script = script
        self.largest = largest
        self.fetched_at = NOW
        self.stale = False
        self.resting: GatewayError | None = None
        self.age_of_page: dict[int, timedelta] = {}
        self.calls: list[tuple[int, tuple[int, ...]]] = []
        self.stale_oks: list[bool] = []
        self.kept: list[bool] = []
        self.most_at_once = 0
        self._at_once = 0
        self._changed = Condition()
        self._gate = Event()
        if not hold:
            self._gate.set()

    def hold(self) -> None:
        self._gate.clear()

    def release(self) -> None:
        self._gate.set()

    def wait_until_waiting(self, calls: int) -> None:
        """Until this many calls are in flight at once."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._at_once >= calls, LONG), "too few calls came"

    @property
    def pages(self) -> list[int]:
        """The pages asked for, in no particular order."""
        return sorted(page for page, _stars in self.calls)

    def immediate_failure(self, _endpoint: str) -> GatewayError | None:
        return self.resting

    def keep_page(self, found: CachedValue[SearchPage], search: StaySearch, **_of: object) -> None:
        """Nothing is cached here."""

    def search(
        self,
        search: StaySearch,
        *,
        page: int,
        size: int,
        site: Site,
        deadline: Deadline,
        stale_ok: bool = True,
        kept: bool = True,
    ) -> CachedValue[SearchPage]:
        with self._changed:
            self.calls.append((page, search.stars))
            self.stale_oks.append(stale_ok)
            self.kept.append(kept)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            self._changed.notify_all()
        try:
            if page:
                assert self._gate.wait(LONG), "the test never released the gateway"
            age = self.age_of_page.get(page, timedelta())
            return CachedValue(self.script(page, min(size, self.largest)), self.fetched_at - age, self.stale)
        finally:
            with self._changed:
                self._at_once -= 1

    def airports(self, *, site: Site, deadline: Deadline) -> CachedValue[tuple]:
        return CachedValue((), self.fetched_at, stale=False)


def failing(error: GatewayError | None = None) -> Callable[[int, int], SearchPage]:
    def script(_page: int, _size: int) -> SearchPage:
        raise error or Unavailable("connection")

    return script
