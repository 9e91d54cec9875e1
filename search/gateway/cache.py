"""The client's three methods in front of Django's cache: fresh, a little stale, or stale because we must.

Fresh answers come from the cache. For a while after (the grace) they still do, and one refresh runs behind
them. After that the gateway is asked, once for all who ask the same, and if it fails an older good copy is
better than none.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from search.domain.deadline import Deadline
from search.domain.hotels import Airport, PropertyDetails
from search.domain.offers import SearchPage
from search.domain.query import StaySearch
from search.domain.site_settings import CategoriesStyle

from .cache_store import CachedValue, Entries, Shape, Shelf, Store
from .call_log import log_call, logger
from .errors import Garbled, GatewayError, NotFound, Unavailable
from .singleflight import Background, Flights

__all__ = ["CachedGateway", "CachedValue", "FreshTimes", "Gateway"]

T = TypeVar("T")

HOUR = 3600.0
DAY = 24 * HOUR
# How long a good copy is kept for the case that the gateway fails.
KEEP = {"search": DAY, "details": 7 * DAY, "airports": 90 * DAY}
GRACE_FACTOR = 10.0
GRACE_MOST = HOUR
# With an older copy in hand, the time of one attempt is all that a visitor waits for a newer one.
COPY_PATIENCE = 3.0
PATIENT = 24
CROWD_WAIT = 1.5
# Between two looks whether another process has brought the answer: short at first, then longer.
LOOK_FIRST = 0.01
LOOK_LAST = 0.1
# Failures that cost the gateway no call: they say nothing about the key, so nobody else has to share them.
UNASKED = frozenset({"open", "full", "throttled", "key"})


class Gateway(Protocol):
    """The three calls of the interface, as `client.Client` makes them."""

    def search(
        self,
        search: StaySearch,
        *,
        page: int,
        size: int,
        categories_style: CategoriesStyle,
        deadline: Deadline,
    ) -> SearchPage: ...

    def details(
        self, provider: str, property_id: str, search: StaySearch, *, deadline: Deadline
    ) -> PropertyDetails: ...

    def airports(self, *, deadline: Deadline) -> tuple[Airport, ...]: ...


@dataclass(frozen=True, slots=True)
class FreshTimes:
    """Seconds for which an answer counts as fresh; 0 asks the gateway every time and still keeps the copy."""

    search: float = 300.0
    details: float = 3600.0
    airports: float = 86400.0


@dataclass(frozen=True, slots=True)
class _Question(Generic[T]):
    endpoint: str
    key: str
    shape: Shape[T]
    fresh: float
    ask: Callable[[Deadline], T]
    graceful: bool = True

    @property
    def grace(self) -> float:
        if not self.graceful:
            return 0.0
        return min(self.fresh * GRACE_FACTOR, GRACE_MOST)

    @property
    def keep(self) -> float:
        return max(KEEP[self.endpoint], self.fresh)


class CachedGateway:
    """`client` answers, `store` (Django's cache or nothing alike) remembers, per `base_url`.

    `fresh` is asked on every call, so that an admin's change counts at once. `patience` is the time in
    seconds a refresh behind a page may take. `now` tells the time of day (aware), `clock` and `sleep` are
    monotonic seconds.
    """

    def __init__(
        self,
        client: Gateway,
        store: Store,
        *,
        base_url: str,
        fresh: Callable[[], FreshTimes] = FreshTimes,
        patience: float = 6.0,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        background: Background | None = None,
    ) -> None:
        self._client = client
        self._entries = Entries(Shelf(store, clock))
        self._base_url = base_url
        self._fresh = fresh
        self._patience = patience
        self._now = now
        self._clock = clock
        self._sleep = sleep
        self._background = background or Background()
        self._flights: Flights[CachedValue[Any] | GatewayError] = Flights(PATIENT, CROWD_WAIT)
        self._pages: Shape[SearchPage] = Shape(SearchPage)
        self._details: Shape[PropertyDetails] = Shape(PropertyDetails)
        self._airports: Shape[tuple[Airport, ...]] = Shape(tuple[Airport, ...])

    def search(
        self,
        search: StaySearch,
        *,
        page: int,
        size: int,
        categories_style: CategoriesStyle,
        deadline: Deadline,
        grace: bool = True,
    ) -> CachedValue[SearchPage]:
        """See `Client.search`; raises GatewayError only without any usable copy, as all three methods do.

        Without `grace` an answer past its fresh time is asked for anew, not refreshed behind.
        """

        def ask(limit: Deadline) -> SearchPage:
            return self._client.search(
                search, page=page, size=size, categories_style=categories_style, deadline=limit
            )

        parts = (search.query_string(), str(page), str(size), categories_style.value)
        question = self._question("search", parts, self._pages, self._fresh().search, ask)
        return self._answer(question if grace else replace(question, graceful=False), deadline)

    def details(
        self, provider: str, property_id: str, search: StaySearch, *, deadline: Deadline
    ) -> CachedValue[PropertyDetails]:
        """See `Client.details`; place and stars are no part of that call, so none of its key either."""

        def ask(limit: Deadline) -> PropertyDetails:
            return self._client.details(provider, property_id, search, deadline=limit)

        asked = msgspec.structs.replace(search, place="", stars=())
        parts = (provider, property_id, asked.query_string())
        return self._answer(
            self._question("details", parts, self._details, self._fresh().details, ask), deadline
        )

    def airports(self, *, deadline: Deadline) -> CachedValue[tuple[Airport, ...]]:
        """See `Client.airports`."""

        def ask(limit: Deadline) -> tuple[Airport, ...]:
            return self._client.airports(deadline=limit)

        return self._answer(
            self._question("airports", (), self._airports, self._fresh().airports, ask), deadline
        )

    def _question(
        self,
        endpoint: str,
        parts: tuple[str, ...],
        shape: Shape[T],
        fresh: float,
        ask: Callable[[Deadline], T],
    ) -> _Question[T]:
        """The key is a hash of all that changes the answer, the form of the entry included, and of no
        secret.
        """
        named = msgspec.json.encode((shape.fingerprint, self._base_url, endpoint, *parts))
        key = f"gateway:{hashlib.sha256(named).hexdigest()}"
        return _Question(endpoint, key, shape, max(0.0, fresh), ask)

    def _answer(self, question: _Question[T], deadline: Deadline) -> CachedValue[T]:
        began = self._clock()
        held = self._entries.read(question.key, question.shape)
        if held is not None:
            age = (self._now() - held.fetched_at).total_seconds()
            if age < question.fresh:
                self._log(question, began, "ok", "hit")
                return held
            held = CachedValue(held.value, held.fetched_at, stale=True)
            if age < question.fresh + question.grace:
                self._refresh_behind(question, held.fetched_at)
                self._log(question, began, "ok", "stale")
                return held
        known = held.fetched_at if held else None
        if held is not None:
            deadline = Deadline(min(deadline.left(), COPY_PATIENCE), self._clock)
        result, joined = self._flights.fly(
            question.key, lambda: self._fetch(question, known, deadline), deadline.left()
        )
        if result is None:
            result = Unavailable("timeout")
        if isinstance(result, CachedValue):
            if joined:
                self._log(question, began, "ok", "joined")
            return result
        if held is not None and not isinstance(result, NotFound):
            self._log(question, began, str(result), "stale")
            return held
        raise result.afresh()

    def _fetch(
        self, question: _Question[T], known: datetime | None, deadline: Deadline
    ) -> CachedValue[T] | GatewayError:
        """Ask the gateway, or wait for the process that is already asking; anything newer than `known` will
        do.

        Failures are returned, not raised: they are told to several visitors.
        """
        while not deadline.passed:
            failure = self._entries.recent_failure(question.key)
            if failure is not None:
                return failure
            token = self._entries.claim(question.key, deadline.left())
            if token is None:
                self._wait_for_other(question, deadline)
                brought = self._newer(question, known)
                if brought is not None:
                    return brought
                continue
            try:
                # The one before us may have landed between our look at the cache and our claim.
                return self._newer(question, known) or self._ask(question, deadline)
            finally:
                self._entries.release(question.key, token)
        return Unavailable("timeout")

    def _newer(self, question: _Question[T], known: datetime | None) -> CachedValue[T] | None:
        answer = self._entries.read(question.key, question.shape)
        return answer if answer and (known is None or answer.fetched_at > known) else None

    def _ask(self, question: _Question[T], deadline: Deadline) -> CachedValue[T] | GatewayError:
        failure: GatewayError
        try:
            value = question.ask(deadline)
        except GatewayError as error:
            failure = error.afresh()
        else:
            answer = CachedValue(value, self._now(), stale=False)
            self._entries.write(question.key, question.shape, answer, question.keep)
            return answer
        if isinstance(failure, Garbled) and failure.status is None:
            # The transport has called it a good answer; what is wrong shows only in the reading.
            logger.warning("endpoint=%s garbled=%s", question.endpoint, failure.kind)
        if failure.kind not in UNASKED and not isinstance(failure, NotFound):
            self._entries.note_failure(question.key, failure)
        return failure

    def _wait_for_other(self, question: _Question[T], deadline: Deadline) -> None:
        """Until the process with the claim has let go, or time is up."""
        look = LOOK_FIRST
        while not deadline.passed and self._entries.claimed(question.key):
            self._sleep(min(look, deadline.left()))
            look = min(look * 1.5, LOOK_LAST)

    def _refresh_behind(self, question: _Question[T], known: datetime) -> None:
        """Start the one refresh of this key, unless it runs already, here or in another process."""
        if self._flights.under_way(question.key):
            return

        def refresh() -> None:
            deadline = Deadline(self._patience, self._clock)
            self._flights.fly(question.key, lambda: self._fetch(question, known, deadline), 0.0)

        self._background.start(question.key, refresh)

    def _log(self, question: _Question[T], began: float, outcome: str, cache: str) -> None:
        log_call(question.endpoint, outcome, round((self._clock() - began) * 1000), 0, cache=cache)
