"""The gateway's calls behind Django's cache, which holds what was read of each response.

A fresh value comes from the cache without a call. For a while after its fresh time the stale value is
returned at once and one refresh runs behind it (stale-while-revalidate), and so it is later while the
endpoint fails. Else the gateway is called then, once for all who ask the same, and if the call fails the
stale value is returned (stale-if-error); an error only without one. A broken cache costs speed, never a page.
"""

import hashlib
import logging
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from threading import Lock
from typing import Any, Generic, TypeVar, cast

import msgspec
import zstandard
from cachetools import LRUCache

from search.domain.hotels import Airport, PropertyDetails
from search.domain.process import Deadline
from search.domain.site_settings import Site

from . import Garbled, GatewayError, NotFound, Unavailable, parsing
from .client import AIRPORTS_CALL, DetailsQuery, PageQuery
from .resilience import SYSTEM_CLOCK, Background, Clock, SingleFlight, Waiters
from .search_page import SearchPage, search_page
from .transport import Call, CallLog, CallRecord, Endpoint, Transport

logger = logging.getLogger("search.gateway")

T = TypeVar("T")

HOUR = 3600.0
DAY = 24 * HOUR
# How long a value is kept for the case that the gateway fails.
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
# Each question to a dead cache server costs its connect timeout; a page asks several.
PAUSE_AFTER_ERROR_SECONDS = 5.0
ENTRY_BYTES = 1024 * 1024
# Part of every key: an entry of another form is not found. One more wherever a struct in a value changes.
FORM = 3
# What a process keeps for the time that the cache is away. One on this machine (`always_there`) never is, but
# may be on a full disk: of such a one it keeps what is written meanwhile.
MET_BYTES = 8 * 1024 * 1024
# A process that dies leaves its claims on a cache server; a call that takes longer may be made once more by
# another process.
CLAIM_SECONDS = 2.0
# Between two looks whether another process has brought the value: short at first, then longer.
LOOK_FIRST = 0.01
LOOK_LAST = 0.1


class SafeStore:
    """A cache whose errors read as "nothing there", but for values that this process has met lately; for a
    few seconds after one these come first, and it is not asked unless it is `always_there`."""

    def __init__(self, store: Any, clock: Clock = SYSTEM_CLOCK) -> None:
        self._store = store
        self._clock = clock
        self._paused_until = 0.0
        self._lock = Lock()
        self._met: LRUCache[str, bytes] = LRUCache(MET_BYTES, getsizeof=len)

    def get(self, key: str) -> Any:
        return self.get_many([key]).get(key)

    def get_many(self, keys: list[str]) -> dict[str, Any]:
        values: dict[str, Any] | None = self._try(lambda: self._store.get_many(keys), None)
        if values is None or self._failing:
            with self._lock:
                return (values or {}) | {key: self._met[key] for key in keys if key in self._met}
        for key, value in values.items():
            self._meet(key, value)
        return values

    @property
    def _failing(self) -> bool:
        return self._clock.monotonic() < self._paused_until

    @property
    def _always_there(self) -> bool:
        # Asked late, for a store made at import must not open Django's cache.
        return getattr(self._store, "always_there", False)

    def _meet(self, key: str, value: Any) -> None:
        # Values are bytes and know their age; claims are not, and would never be taken back.
        small = isinstance(value, bytes) and len(value) <= ENTRY_BYTES
        with self._lock:
            if small and (self._failing or not self._always_there):
                self._met[key] = value
            elif self._always_there:
                self._met.pop(key, None)

    def set(self, key: str, value: Any, seconds: float) -> None:
        self._try(lambda: self._store.set(key, value, math.ceil(seconds)), None)
        self._meet(key, value)

    def add(self, key: str, value: Any, seconds: float) -> bool:
        """True if the key was free; True as well without a store, as no other process can be seen then."""
        return bool(self._try(lambda: self._store.add(key, value, math.ceil(seconds)), True))

    def claim(self, key: str) -> Callable[[], object] | None:
        """A claim of this process on the key, as what gives it back; None while another one has it. Without a
        store there are no others; a store without claims of its own has an entry for it."""
        if (claim := getattr(self._store, "claim", None)) is not None:
            return cast("Callable[[], object] | None", self._try(lambda: claim(key), lambda: None))
        name, ends = f"{key}:claim", self._clock.monotonic() + CLAIM_SECONDS

        def give_back() -> None:
            # One that ran out may be another's by now.
            if self._clock.monotonic() < ends:
                self.delete(name)

        return give_back if self.add(name, 1, CLAIM_SECONDS + 1) else None

    def delete(self, key: str) -> None:
        with self._lock:
            self._met.pop(key, None)
        self._try(lambda: self._store.delete(key), None)

    def _try(self, action: Callable[[], Any], otherwise: Any) -> Any:
        failing = self._failing
        # A file on a full disk takes nothing more, and still gives what it has, at once.
        if failing and not self._always_there:
            return otherwise
        try:
            return action()
        except Exception as error:  # each backend raises errors of its own, and all mean the same
            self._paused_until = self._clock.monotonic() + PAUSE_AFTER_ERROR_SECONDS
            if not failing:
                # The text of the error may hold the address and the password of the cache.
                logger.warning("cache=unavailable error=%s", type(error).__name__)
            return otherwise


class CachedValue(msgspec.Struct, Generic[T], frozen=True, array_like=True):
    """A value, the moment it was fetched (aware, UTC), and whether that is longer ago than its fresh time."""

    value: T
    fetched_at: datetime
    stale: bool


_encoder = msgspec.msgpack.Encoder()
_PAGES = msgspec.msgpack.Decoder(CachedValue[SearchPage])
_DETAILS = msgspec.msgpack.Decoder(CachedValue[PropertyDetails])
_AIRPORTS = msgspec.msgpack.Decoder(CachedValue[tuple[Airport, ...]])


class CachedValues:
    """Cached values of one gateway by key, and claims on keys being fetched. An entry is msgpack, compressed:
    a page of a search is there in an eighth of the time that reading the response takes. `base_url` is part
    of every key: two gateways that share a cache share no entry."""

    def __init__(self, store: Any, base_url: str, clock: Clock = SYSTEM_CLOCK) -> None:
        self._store = SafeStore(store, clock)
        self._base_url = base_url
        self._clock = clock

    def key(self, *parts: str) -> str:
        """A hash of `parts` and the gateway's address; it holds no secret."""
        named = msgspec.json.encode((FORM, self._base_url, *parts))
        return f"gateway:{hashlib.sha256(named).hexdigest()}"

    def read(self, key: str, entries: msgspec.msgpack.Decoder[CachedValue[T]]) -> CachedValue[T] | None:
        """The value; None where there is none that can be read."""
        with suppress(zstandard.ZstdError, TypeError, ValueError):
            return entries.decode(zstandard.decompress(self._store.get(key)))
        return None

    def write(self, key: str, cached: CachedValue[Any], seconds: float) -> None:
        entry = zstandard.compress(_encoder.encode(cached))
        if len(entry) > ENTRY_BYTES:
            logger.warning("cache=too-large bytes=%d", len(entry))
        else:
            self._store.set(key, entry, seconds)

    def copy(self, key: str, other: str, seconds: float) -> None:
        if isinstance(entry := self._store.get(key), bytes):
            self._store.set(other, entry, seconds)

    @contextmanager
    def claimed(self, key: str, seconds: float) -> Iterator[None]:
        """While this process alone is to fetch the key; goes on without that after waiting for so long."""
        ends, look = self._clock.monotonic() + seconds, LOOK_FIRST
        while (give_back := self._store.claim(key)) is None and (left := ends - self._clock.monotonic()) > 0:
            self._clock.sleep(min(look, left))
            look = min(look * 1.5, LOOK_LAST)
        try:
            yield
        finally:
            if give_back:
                give_back()


@dataclass(frozen=True, slots=True)
class _Request(Generic[T]):
    """A call, how its body and its `entries` in the cache are read, and how it is cached: `fresh` seconds as
    fresh, then `stale_seconds` as stale that is returned at once, if that is `stale_ok`. A `blank` lacks what
    was asked for."""

    call: Call
    key: str
    read: Callable[[bytes], T]
    entries: msgspec.msgpack.Decoder[CachedValue[T]]
    fresh: float
    stale_ok: bool = True
    blank: Callable[[T], bool] = lambda _value: False

    def fresh_for(self, value: T) -> float:
        return min(self.fresh, BLANK_FRESH) if self.blank(value) else self.fresh

    @property
    def stale_seconds(self) -> float:
        return stale_seconds(self.fresh) if self.stale_ok else 0.0


def stale_seconds(fresh: float) -> float:
    """How long a value that was fresh for so many seconds is then returned at once as a stale one."""
    return min(fresh * STALE_FACTOR, STALE_MOST)


@dataclass
class CachedGateway:
    """The fresh times are those of the `site` given with each call, so that an admin's change counts at once;
    0 is never fresh. All three calls raise GatewayError only without a cached value; `details` raises
    NotFound with one, too."""

    transport: Transport
    values: CachedValues
    log: CallLog
    background: Background
    clock: Clock = SYSTEM_CLOCK

    def __post_init__(self) -> None:
        self._calls = SingleFlight[CachedValue[Any] | GatewayError](Waiters(LONG_WAITS, SHORT_WAIT))

    def search(
        self, query: PageQuery, site: Site, deadline: Deadline, *, stale_ok: bool = True
    ) -> CachedValue[SearchPage]:
        """A page of a search. Unless `stale_ok`, a stale one is only returned if the gateway fails."""

        def blank(page: SearchPage) -> bool:
            """Whether it has no hotels although the total says that there are some."""
            return not page.received and (page.total or 0) > query.number * query.size

        call, key = query.call(site.sold_out_errors), self._key(query.call())
        fresh = site.search_fresh_seconds
        return self._get(_Request(call, key, search_page, _PAGES, fresh, stale_ok, blank), deadline)

    def cached_page(self, query: PageQuery) -> CachedValue[SearchPage] | None:
        """The page as it is cached, however old; makes no call."""
        return self.values.read(self._key(query.call()), _PAGES)

    def copy_page(self, query: PageQuery, size: int) -> None:
        """Cache this page as one of another size, too: for a gateway that cuts both it is the same one."""
        self.values.copy(self._key(query.call()), self._key(replace(query, size=size).call()), KEEP["search"])

    def details(self, query: DetailsQuery, site: Site, deadline: Deadline) -> CachedValue[PropertyDetails]:
        call, key, fresh = query.call(), self._details_key(query), site.details_fresh_seconds
        read = partial(parsing.property_details, provider=query.provider, property_id=query.property_id)
        request = _Request(call, key, read, _DETAILS, fresh, blank=lambda details: not details.available)
        return self._get(request, deadline)

    def cached_details(self, query: DetailsQuery) -> CachedValue[PropertyDetails] | None:
        """The details as they are cached, however old; makes no call."""
        return self.values.read(self._details_key(query), _DETAILS)

    def _details_key(self, query: DetailsQuery) -> str:
        return self.values.key(query.call().path, query.named)

    def airports(self, site: Site, deadline: Deadline) -> CachedValue[tuple[Airport, ...]]:
        fresh = site.airports_fresh_seconds
        request = _Request(AIRPORTS_CALL, self._key(AIRPORTS_CALL), parsing.airport_list, _AIRPORTS, fresh)
        return self._get(request, deadline)

    def immediate_failure(self, endpoint: Endpoint) -> GatewayError | None:
        return self.transport.immediate_failure(endpoint)

    def _key(self, call: Call) -> str:
        return self.values.key(call.path, call.query)

    def _get(self, request: _Request[T], deadline: Deadline) -> CachedValue[T]:
        began = self.clock.monotonic()
        cached = self.values.read(request.key, request.entries)
        if cached is None:
            return self._fetch_once(request, None, deadline, began)
        # Of a clock that has been set back since: a value that is ahead of it is as old as it is ahead.
        age = abs((self.clock.now() - cached.fetched_at).total_seconds())
        fresh = request.fresh_for(cached.value)
        if age < fresh:
            self._log_value(request, began, "ok", "hit")
            return cached
        stale = CachedValue(cached.value, cached.fetched_at, stale=True)
        endpoint = request.call.endpoint
        # Nor does a visitor with a copy wait for the call that finds out whether a failing gateway is back.
        if age < fresh + request.stale_seconds or (request.stale_ok and self.transport.failing(endpoint)):
            failure = self.transport.immediate_failure(endpoint)
            if failure is None:
                self._refresh_behind(request, cached)
            self._log_value(request, began, str(failure or "ok"), "stale")
            return stale
        try:
            if failure := self.transport.immediate_failure(endpoint):
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
        with self.values.claimed(request.key, min(deadline.left(), CLAIM_SECONDS)):
            # Another process may have finished meanwhile.
            if early := self._newer(request, known):
                return early
            if deadline.passed:
                return Unavailable("timeout")
            result = self._call(request, known, deadline)
            # Nor does a failure of ours matter if another process has brought the value meanwhile.
            return (isinstance(result, GatewayError) and self._newer(request, known)) or result

    def _newer(self, request: _Request[T], known: CachedValue[T] | None) -> CachedValue[T] | None:
        cached = self.values.read(request.key, request.entries)
        # Any other one: after a clock was set back the newer one's time is the earlier.
        return cached if cached and (known is None or cached.fetched_at != known.fetched_at) else None

    def _call(
        self, request: _Request[T], known: CachedValue[T] | None, deadline: Deadline
    ) -> CachedValue[T] | GatewayError:
        try:
            body = self.transport.get(request.call, deadline)
            fetched = CachedValue(request.read(body), self.clock.now(), stale=False)
            if request.blank(fetched.value) and known and not request.blank(known.value):
                raise Garbled("envelope")  # rather than replace something by nothing
            keep = max(KEEP[request.call.endpoint], request.fresh)
            self.values.write(request.key, fetched, keep)
            return fetched
        except GatewayError as failed:
            error = failed.afresh()
        if isinstance(error, Garbled) and error.status is None:
            # To the transport the response was good; what is wrong shows only when it is parsed.
            self.log.garbled(request.call.endpoint, error.kind)
        return error

    def _refresh_behind(self, request: _Request[T], known: CachedValue[T]) -> None:
        """Start the one refresh of this key, unless it runs already, here or in another process."""
        if not self._calls.under_way(request.key):
            deadline = Deadline(self.background.seconds, self.clock.monotonic)
            fetch = partial(self._fetch, request, known, deadline)
            self.background.start(partial(self._calls.do, request.key, fetch, 0.0))

    def _log_value(self, request: _Request[T], began: float, outcome: str, cache: str) -> None:
        ms = round((self.clock.monotonic() - began) * 1000)
        self.log.add(CallRecord(request.call.endpoint, outcome, ms, cache=cache))
