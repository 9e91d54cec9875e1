"""The gateway client behind Django's cache.

A fresh value comes from the cache without a call. For a while after its fresh time the stale value is
returned at once and one refresh runs behind it (stale-while-revalidate), and so it is later while the
endpoint fails. Else the gateway is called then, once for all who ask the same, and if the call fails the
stale value is returned (stale-if-error); an error only without one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Generic, TypeVar

import msgspec

from search.domain.hotels import Airport, PropertyDetails
from search.domain.offers import Listing
from search.domain.process import Deadline
from search.domain.query import StaySearch, encode_pairs
from search.domain.site_settings import Site

from .cache_store import CachedValue, CachedValues, Failure, Packer
from .client import Client
from .errors import Garbled, GatewayError, NotFound, Unavailable
from .http import Endpoint
from .resilience import SYSTEM_CLOCK, Background, Clock, SingleFlight, Waiters
from .search_page import SearchPage
from .transport import CallLog, CallRecord

T = TypeVar("T")

HOUR = 3600.0
DAY = 24 * HOUR
# How long a value is kept for the case that the gateway fails.
KEEP = {"search": DAY, "details": 7 * DAY, "airports": 90 * DAY}
# How long a stale value is returned at once: so many times as long as it was fresh, at most so many seconds.
STALE_FACTOR = 10.0
STALE_MOST = HOUR
# An answer without what was asked for may be an error in disguise: it is soon asked for again.
EMPTY_FRESH = 60.0
# With a stale value at hand a visitor waits no longer for a fresh one; the call goes on behind the page.
STALE_PATIENCE = 3.0
# Waiters for another visitor's identical call.
LONG_WAITS = 24
SHORT_WAIT = 1.5
# A process that dies leaves its claims behind; a call that takes longer may be made once more by another one.
CLAIM_SECONDS = 2.0
# Between two looks whether another process has brought the value: short at first, then longer.
LOOK_FIRST = 0.01
LOOK_LAST = 0.1
# Failures that cost the gateway no call: they say nothing about the key, so nobody else has to share them.
NOT_CALLED = frozenset({"open", "full", "throttled", "key"})

SEARCH_PAGES: Packer[CachedValue[SearchPage]] = Packer(CachedValue[SearchPage], Listing)
DETAILS: Packer[CachedValue[PropertyDetails]] = Packer(CachedValue[PropertyDetails])
AIRPORTS: Packer[CachedValue[tuple[Airport, ...]]] = Packer(CachedValue[tuple[Airport, ...]])


@dataclass(frozen=True, slots=True)
class _Call(Generic[T]):
    """One call and how it is cached: `fresh` seconds as fresh, then `stale_seconds` as stale that is returned
    at once, if that is `stale_ok`; not at all unless `kept`."""

    endpoint: Endpoint
    key: str
    packer: Packer[CachedValue[T]]
    make: Callable[..., T]  # takes the deadline
    fresh: float
    stale_ok: bool = True
    kept: bool = True
    empty: Callable[[T], bool] = lambda _value: False

    def fresh_for(self, value: T) -> float:
        return min(self.fresh, EMPTY_FRESH) if self.empty(value) else self.fresh

    @property
    def stale_seconds(self) -> float:
        return min(self.fresh * STALE_FACTOR, STALE_MOST) if self.stale_ok else 0.0

    @property
    def keep(self) -> float:
        return max(KEEP[self.endpoint], self.fresh)


class CachedGateway:
    """The fresh times are those of the `site` given with each call, so that an admin's change counts at once;
    0 is never fresh."""

    def __init__(
        self,
        client: Client,
        values: CachedValues,
        log: CallLog,
        background: Background,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._client = client
        self._values = values
        self._log = log
        self._background = background
        self._clock = clock
        waiters = Waiters(LONG_WAITS, SHORT_WAIT)
        self._calls: SingleFlight[CachedValue[Any] | Failure] = SingleFlight(waiters)

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
        """See `Client.search`; raises GatewayError only without a cached value, as all three methods do; only
        `details` raises NotFound with one, too.

        Unless `stale_ok`, a stale value is only returned when the gateway fails. Who keeps pages together
        asks for them without `kept`: a page that isn't cached is neither cached then nor shared with others.
        """
        key, fresh = self._search_key(search, page, size, site), site.search_fresh_seconds

        def make(deadline: Deadline) -> SearchPage:
            """Fails rather than replace hotels by none where the total says that there are some."""
            found = self._client.search(
                search, page=page, size=size, categories_style=site.categories_style, deadline=deadline
            )
            if not found.received and (found.total or 0) > page * size:
                known = self._values.read(key, SEARCH_PAGES)
                if known is not None and known.value.received:
                    raise Garbled("envelope")
            return found

        return self._get(_Call("search", key, SEARCH_PAGES, make, fresh, stale_ok, kept), deadline)

    def keep_page(
        self, found: CachedValue[SearchPage], search: StaySearch, *, page: int, size: int, site: Site
    ) -> None:
        """Cache what was found as this page of this size, for as long as if it had been cached then."""
        age = abs((self._clock.now() - found.fetched_at).total_seconds())
        keep = max(KEEP["search"], site.search_fresh_seconds) - age
        if keep > 0:
            self._values.write(self._search_key(search, page, size, site), SEARCH_PAGES, found, keep)

    def _search_key(self, search: StaySearch, page: int, size: int, site: Site) -> str:
        parts = ("search", search.query_string(), str(page), str(size), site.categories_style.value)
        return self._values.key(SEARCH_PAGES, *parts)

    def details(
        self,
        provider: str,
        property_id: str,
        search: StaySearch,
        *,
        site: Site,
        deadline: Deadline,
        dated: bool = True,
    ) -> CachedValue[PropertyDetails]:
        """See `Client.details`; place and stars are no part of that call, so none of its key either. Nor are
        days that nobody named: unless the search is `dated` they are others after each midnight."""
        stay = msgspec.structs.replace(search, place="", stars=()).pairs()
        said = [pair for pair in stay if dated or pair[0] not in ("checkin", "checkout")]
        key = self._values.key(DETAILS, "details", provider, property_id, encode_pairs(said))

        def make(deadline: Deadline) -> PropertyDetails:
            """Fails rather than replace usable details by an answer without any."""
            found = self._client.details(provider, property_id, search, deadline=deadline)
            known = None if found.available else self._values.read(key, DETAILS)
            if known is not None and known.value.available:
                raise Garbled("envelope")
            return found

        fresh = site.details_fresh_seconds
        call = _Call("details", key, DETAILS, make, fresh, empty=lambda details: not details.available)
        return self._get(call, deadline)

    def airports(self, *, site: Site, deadline: Deadline) -> CachedValue[tuple[Airport, ...]]:
        """See `Client.airports`."""
        key, make = self._values.key(AIRPORTS, "airports"), self._client.airports
        return self._get(_Call("airports", key, AIRPORTS, make, site.airports_fresh_seconds), deadline)

    def immediate_failure(self, endpoint: Endpoint) -> GatewayError | None:
        """See `Transport.immediate_failure`."""
        return self._client.immediate_failure(endpoint)

    def _get(self, call: _Call[T], deadline: Deadline) -> CachedValue[T]:
        began = self._clock.monotonic()
        cached = self._values.read(call.key, call.packer)
        if cached is None:
            return self._fetch_once(call, None, deadline, began)
        # Of a clock that has been set back since: a value that is ahead of it is as old as it is ahead.
        age = abs((self._clock.now() - cached.fetched_at).total_seconds())
        fresh = call.fresh_for(cached.value)
        if age < fresh:
            self._log_value(call, began, "ok", "hit")
            return cached
        stale = CachedValue(cached.value, cached.fetched_at, stale=True)
        # Nor does a visitor with a copy wait for the call that finds out whether a failing gateway is back.
        if age < fresh + call.stale_seconds or (call.stale_ok and self._client.failing(call.endpoint)):
            failure = self._client.immediate_failure(call.endpoint)
            if failure is None:
                self._refresh_behind(call, cached.fetched_at)
            self._log_value(call, began, str(failure or "ok"), "stale")
            return stale
        try:
            if failure := self._would_fail(call, deadline):
                raise failure  # found out by the call it would cost each visitor a thread
            return self._fetch_once(call, cached.fetched_at, deadline, began)
        except GatewayError as error:
            # A property may be gone; where a search or the airport list isn't found, the gateway is at fault.
            if isinstance(error, NotFound) and call.endpoint == "details":
                raise
            self._log_value(call, began, str(error), "stale")
            return stale

    def _would_fail(self, call: _Call[T], deadline: Deadline) -> GatewayError | None:
        """How asking the gateway would end at once; None where a call would be made."""
        if error := self._client.immediate_failure(call.endpoint):
            return error
        failure = self._values.recent_failure(call.key)
        return failure.error.afresh() if failure and failure.concerns(deadline.left()) else None

    def _fetch_once(
        self, call: _Call[T], known: datetime | None, deadline: Deadline, began: float
    ) -> CachedValue[T]:
        """What the one call for this key brings, which may be another visitor's; who has more time than that
        one had goes again."""
        if not call.kept:
            alone = self._make(call, deadline)
            if isinstance(alone, Failure):
                raise alone.error.afresh()
            return alone
        fetch, behind = partial(self._fetch, call, known, deadline), known is not None
        while True:
            seconds = min(deadline.left(), STALE_PATIENCE) if behind else deadline.left()
            result, joined = self._calls.do(call.key, fetch, seconds, behind=behind)
            if result is None:
                # Whose deadline is still ahead was one waiter too many: of the gateway that says nothing.
                raise Unavailable("timeout" if behind or deadline.passed else "full")
            if not isinstance(result, Failure):
                break
            if not joined or behind or result.concerns(deadline.left()):
                raise result.error.afresh()
        if joined:
            self._log_value(call, began, "ok", "joined")
        return result

    def _fetch(self, call: _Call[T], known: datetime | None, deadline: Deadline) -> CachedValue[T] | Failure:
        """Call the gateway, or wait for the process that already does; any value newer than `known` will do.

        Failures are returned, not raised: they are shared by several visitors.
        """
        while not deadline.passed:
            failure = self._values.recent_failure(call.key)
            if failure and failure.concerns(deadline.left()):
                return failure
            claim = self._values.claim(call.key, min(deadline.left(), CLAIM_SECONDS))
            if claim is None:
                self._wait_for_other(call, deadline)
                if brought := self._newer(call, known):
                    return brought
                continue
            try:
                # Another process may have finished between our look at the cache and our claim.
                made = self._newer(call, known) or self._make(call, deadline)
                # Nor does a failure of ours matter if another process has brought the value meanwhile.
                return (isinstance(made, Failure) and self._newer(call, known)) or made
            finally:
                self._values.release(call.key, claim)
        return Failure(Unavailable("timeout"), 0.0)

    def _newer(self, call: _Call[T], known: datetime | None) -> CachedValue[T] | None:
        cached = self._values.read(call.key, call.packer)
        # Any other one: after a clock was set back the newer one's time is the earlier.
        return cached if cached and cached.fetched_at != known else None

    def _make(self, call: _Call[T], deadline: Deadline) -> CachedValue[T] | Failure:
        seconds = deadline.left()
        try:
            cached = CachedValue(call.make(deadline=deadline), self._clock.now(), stale=False)
            if call.kept:
                self._values.write(call.key, call.packer, cached, call.keep)
            return cached
        except GatewayError as failed:
            error = failed.afresh()
        if isinstance(error, Garbled) and error.status is None:
            # To the transport the response was good; what is wrong shows only when it is parsed.
            self._log.garbled(call.endpoint, error.kind)
        if call.kept and error.kind not in NOT_CALLED and not isinstance(error, NotFound):
            self._values.note_failure(call.key, Failure(error, seconds))
        return Failure(error, seconds)

    def _wait_for_other(self, call: _Call[T], deadline: Deadline) -> None:
        """Until the process with the claim has let go, or time is up."""
        look = LOOK_FIRST
        while not deadline.passed and self._values.claimed(call.key):
            self._clock.sleep(min(look, deadline.left()))
            look = min(look * 1.5, LOOK_LAST)

    def _refresh_behind(self, call: _Call[T], known: datetime) -> None:
        """Start the one refresh of this key, unless it runs already, here or in another process."""
        if not self._calls.under_way(call.key):
            deadline = Deadline(self._background.seconds, self._clock.monotonic)
            fetch = partial(self._fetch, call, known, deadline)
            self._background.start(call.key, partial(self._calls.do, call.key, fetch, 0.0))

    def _log_value(self, call: _Call[T], began: float, outcome: str, cache: str) -> None:
        ms = round((self._clock.monotonic() - began) * 1000)
        self._log.add(CallRecord(call.endpoint, outcome, ms, cache=cache))
