"""The gateway's calls behind Django's cache, which holds the bodies as they were sent.

A fresh value comes from the cache without a call. For a while after its fresh time the stale value is
returned at once and one refresh runs behind it (stale-while-revalidate), and so it is later while the
endpoint fails. Else the gateway is called then, once for all who ask the same, and if the call fails the
stale value is returned (stale-if-error); an error only without one.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar

from search.domain.hotels import Airport, PropertyDetails
from search.domain.process import Deadline
from search.domain.site_settings import Site

from . import parsing
from .cache_store import CLAIM_SECONDS, CachedValue, CachedValues
from .client import AIRPORTS_CALL, DetailsQuery, PageQuery
from .errors import Garbled, GatewayError, NotFound, Unavailable
from .http import Call, Endpoint
from .resilience import SYSTEM_CLOCK, Background, Clock, SingleFlight, Waiters
from .search_page import SearchPage, search_page
from .transport import CallLog, CallRecord, Transport

T = TypeVar("T")

HOUR = 3600.0
DAY = 24 * HOUR
# How long a body is kept for the case that the gateway fails.
KEEP = {"search": DAY, "details": 7 * DAY, "airports": 90 * DAY}
# How long a stale value is returned at once: so many times as long as it was fresh, at most so many seconds.
STALE_FACTOR = 10.0
STALE_MOST = HOUR
# A blank may be an error in disguise: it is soon asked for again.
BLANK_FRESH = 60.0
# With a stale value at hand a visitor waits no longer for a fresh one; the call goes on behind the page.
STALE_PATIENCE = 3.0
# Waiters for another visitor's identical call.
LONG_WAITS = 24
SHORT_WAIT = 1.5


@dataclass(frozen=True, slots=True)
class _Request(Generic[T]):
    """A call, how its body is read, and how it is cached: `fresh` seconds as fresh, then `stale_seconds` as
    stale that is returned at once, if that is `stale_ok`. A `blank` lacks what was asked for."""

    call: Call
    key: str
    read: Callable[[bytes], T]
    fresh: float
    stale_ok: bool = True
    blank: Callable[[T], bool] = lambda _value: False

    @property
    def stale_seconds(self) -> float:
        return min(self.fresh * STALE_FACTOR, STALE_MOST) if self.stale_ok else 0.0


class CachedGateway:
    """The fresh times are those of the `site` given with each call, so that an admin's change counts at once;
    0 is never fresh. All three calls raise GatewayError only without a cached value; `details` raises
    NotFound with one, too."""

    def __init__(
        self,
        transport: Transport,
        values: CachedValues,
        log: CallLog,
        background: Background,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._transport = transport
        self._values = values
        self._log = log
        self._background = background
        self._clock = clock
        self._calls: SingleFlight[CachedValue[Any] | GatewayError] = SingleFlight(
            Waiters(LONG_WAITS, SHORT_WAIT)
        )

    def search(
        self, query: PageQuery, site: Site, deadline: Deadline, *, stale_ok: bool = True
    ) -> CachedValue[SearchPage]:
        """A page of a search. Unless `stale_ok`, a stale one is only returned if the gateway fails."""
        return self._get(_page_request(self._key(query.call()), query, site, stale_ok), deadline)

    def cached_page(self, query: PageQuery, site: Site) -> CachedValue[SearchPage] | None:
        """The page as it is cached, however old; makes no call."""
        return self._read(_page_request(self._key(query.call()), query, site))

    def copy_page(self, query: PageQuery, size: int) -> None:
        """Cache this page as one of another size, too: for a gateway that cuts both it is the same one."""
        self._values.copy(
            self._key(query.call()), self._key(replace(query, size=size).call()), KEEP["search"]
        )

    def details(self, query: DetailsQuery, site: Site, deadline: Deadline) -> CachedValue[PropertyDetails]:
        """A property's details at one provider."""
        return self._get(self._details_request(query, site), deadline)

    def cached_details(self, query: DetailsQuery, site: Site) -> CachedValue[PropertyDetails] | None:
        """The details as they are cached, however old; makes no call."""
        return self._read(self._details_request(query, site))

    def _details_request(self, query: DetailsQuery, site: Site) -> _Request[PropertyDetails]:
        call = query.call()
        key = self._values.key(call.path, query.named)
        read = partial(parsing.property_details, provider=query.provider, property_id=query.property_id)
        fresh = site.details_fresh_seconds
        return _Request(call, key, read, fresh, blank=lambda found: not found.available)

    def airports(self, site: Site, deadline: Deadline) -> CachedValue[tuple[Airport, ...]]:
        """The list of all airports."""
        fresh = site.airports_fresh_seconds
        request = _Request(AIRPORTS_CALL, self._key(AIRPORTS_CALL), parsing.airport_list, fresh)
        return self._get(request, deadline)

    def immediate_failure(self, endpoint: Endpoint) -> GatewayError | None:
        """See `Transport.immediate_failure`."""
        return self._transport.immediate_failure(endpoint)

    def _key(self, call: Call) -> str:
        return self._values.key(call.path, call.query)

    def _read(self, request: _Request[T]) -> CachedValue[T] | None:
        """What is cached, None where that can't be read."""
        if cached := self._values.read(request.key):
            body, fetched_at = cached
            with suppress(GatewayError):
                return CachedValue(request.read(body), fetched_at, stale=False)
        return None

    def _get(self, request: _Request[T], deadline: Deadline) -> CachedValue[T]:
        began = self._clock.monotonic()
        cached = self._read(request)
        if cached is None:
            return self._fetch_once(request, None, deadline, began)
        # Of a clock that has been set back since: a value that is ahead of it is as old as it is ahead.
        age = abs((self._clock.now() - cached.fetched_at).total_seconds())
        fresh = min(request.fresh, BLANK_FRESH) if request.blank(cached.value) else request.fresh
        if age < fresh:
            self._log_value(request, began, "ok", "hit")
            return cached
        stale = CachedValue(cached.value, cached.fetched_at, stale=True)
        endpoint = request.call.endpoint
        # Nor does a visitor with a copy wait for the call that finds out whether a failing gateway is back.
        if age < fresh + request.stale_seconds or (request.stale_ok and self._transport.failing(endpoint)):
            failure = self._transport.immediate_failure(endpoint)
            if failure is None:
                self._refresh_behind(request, cached)
            self._log_value(request, began, str(failure or "ok"), "stale")
            return stale
        try:
            if failure := self._transport.immediate_failure(endpoint):
                raise failure  # found out by the call it would cost each visitor a thread
            return self._fetch_once(request, cached, deadline, began)
        except GatewayError as error:
            # A property may be gone; where a search or the airport list isn't found, the gateway is at fault.
            if isinstance(error, NotFound) and endpoint == "details":
                raise
            self._log_value(request, began, str(error), "stale")
            return stale

    def _fetch_once(
        self, request: _Request[T], known: CachedValue[T] | None, deadline: Deadline, began: float
    ) -> CachedValue[T]:
        """What the one call for this key brings, which may be another visitor's."""
        fetch, behind = partial(self._fetch, request, known, deadline), known is not None
        seconds = min(deadline.left(), STALE_PATIENCE) if behind else deadline.left()
        result, joined = self._calls.do(request.key, fetch, seconds, behind=behind)
        if result is None:
            # Whose deadline is still ahead was one waiter too many: of the gateway that says nothing.
            raise Unavailable("timeout" if behind or deadline.passed else "full")
        if isinstance(result, GatewayError):
            raise result.afresh()
        if joined:
            self._log_value(request, began, "ok", "joined")
        return result

    def _fetch(
        self, request: _Request[T], known: CachedValue[T] | None, deadline: Deadline
    ) -> CachedValue[T] | GatewayError:
        """Call the gateway, or wait for the process that already does; any value newer than `known` will do.
        Failures are returned, not raised: they are shared by several visitors."""
        with self._values.claimed(request.key, min(deadline.left(), CLAIM_SECONDS)):
            # Another process may have finished meanwhile.
            if early := self._newer(request, known):
                return early
            if deadline.passed:
                return Unavailable("timeout")
            result = self._call(request, known, deadline)
            # Nor does a failure of ours matter if another process has brought the value meanwhile.
            return (isinstance(result, GatewayError) and self._newer(request, known)) or result

    def _newer(self, request: _Request[T], known: CachedValue[T] | None) -> CachedValue[T] | None:
        cached = self._read(request)
        # Any other one: after a clock was set back the newer one's time is the earlier.
        return cached if cached and (known is None or cached.fetched_at != known.fetched_at) else None

    def _call(
        self, request: _Request[T], known: CachedValue[T] | None, deadline: Deadline
    ) -> CachedValue[T] | GatewayError:
        try:
            body = self._transport.get(request.call, deadline)
            fetched = CachedValue(request.read(body), self._clock.now(), stale=False)
            if request.blank(fetched.value) and known and not request.blank(known.value):
                raise Garbled("envelope")  # rather than replace something by nothing
            keep = max(KEEP[request.call.endpoint], request.fresh)
            self._values.write(request.key, body, fetched.fetched_at, keep)
            return fetched
        except GatewayError as failed:
            error = failed.afresh()
        if isinstance(error, Garbled) and error.status is None:
            # To the transport the response was good; what is wrong shows only when it is parsed.
            self._log.garbled(request.call.endpoint, error.kind)
        return error

    def _refresh_behind(self, request: _Request[T], known: CachedValue[T]) -> None:
        """Start the one refresh of this key, unless it runs already, here or in another process."""
        if not self._calls.under_way(request.key):
            deadline = Deadline(self._background.seconds, self._clock.monotonic)
            fetch = partial(self._fetch, request, known, deadline)
            self._background.start(request.key, partial(self._calls.do, request.key, fetch, 0.0))

    def _log_value(self, request: _Request[T], began: float, outcome: str, cache: str) -> None:
        ms = round((self._clock.monotonic() - began) * 1000)
        self._log.add(CallRecord(request.call.endpoint, outcome, ms, cache=cache))


def _page_request(key: str, query: PageQuery, site: Site, stale_ok: bool = True) -> _Request[SearchPage]:
    def blank(page: SearchPage) -> bool:
        """Whether it has no hotels although the total says that there are some."""
        return not page.received and (page.total or 0) > query.number * query.size

    return _Request(
        query.call(site.sold_out_errors), key, search_page, site.search_fresh_seconds, stale_ok, blank
    )
