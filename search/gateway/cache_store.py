"""Bodies of the gateway in Django's cache, and the marks that processes leave for each other there.

A broken cache costs speed, never a page.
"""

import hashlib
import logging
import math
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Any, Generic, Protocol, TypeVar, cast

import msgspec
from cachetools import LRUCache
from isal import isal_zlib

from .resilience import SYSTEM_CLOCK, Clock

logger = logging.getLogger("search.gateway")

# Each question to a dead cache server costs its connect timeout; a page asks several.
PAUSE_AFTER_ERROR_SECONDS = 5.0
ENTRY_BYTES = 1024 * 1024
# Part of every key: an entry of another form is not found.
FORM = 2
# The next one makes a tenth less of a page, in twice the time.
LEVEL = 2
_HEAD = struct.Struct(">q")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# What a process keeps for the time that the cache is away. One on this machine (`always_there`) never is, but
# may be on a full disk: of such a one it keeps what is written meanwhile.
MET_BYTES = 8 * 1024 * 1024
# A process that dies leaves its claims on a cache server; a call that takes longer may be made once more by
# another process.
CLAIM_SECONDS = 2.0
# Between two looks whether another process has brought the value: short at first, then longer.
LOOK_FIRST = 0.01
LOOK_LAST = 0.1
# zlib's format in a third of its time; what it raises is a class, whatever its type hints say.
DecompressionError = cast(type[Exception], isal_zlib.error)

T = TypeVar("T")


class Store(Protocol):
    """The part of Django's cache interface that is used; any of it may raise anything."""

    def get_many(self, keys: list[str]) -> dict[str, Any]: ...
    def set(self, key: str, value: Any, timeout: float | None) -> Any: ...
    def add(self, key: str, value: Any, timeout: float | None) -> bool: ...
    def delete(self, key: str) -> Any: ...


class SafeStore:
    """A cache whose errors read as "nothing there", but for values that this process has met lately; for a
    few seconds after one these come first, and it is not asked unless it is `always_there`."""

    def __init__(self, store: Store, clock: Clock = SYSTEM_CLOCK) -> None:
        self._store = store
        self._clock = clock
        self._paused_until = 0.0
        self._lock = Lock()
        self._met: LRUCache[str, bytes] = LRUCache(MET_BYTES, getsizeof=len)

    def get(self, key: str) -> Any:
        return self.get_many([key]).get(key)

    def get_many(self, keys: list[str]) -> dict[str, Any]:
        """The values that are there, asked for together."""
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


class CachedValues:
    """Cached bodies of one gateway by key, and claims on keys being fetched.

    An entry is a body as it was sent, compressed, behind the moment it was fetched. `base_url` is part of
    every key: two gateways that share a cache share no entry.
    """

    def __init__(self, store: Store, base_url: str, clock: Clock = SYSTEM_CLOCK) -> None:
        self._store = SafeStore(store, clock)
        self._base_url = base_url
        self._clock = clock

    def key(self, *parts: str) -> str:
        """A hash of `parts` and the gateway's address; it holds no secret."""
        named = msgspec.json.encode((FORM, self._base_url, *parts))
        return f"gateway:{hashlib.sha256(named).hexdigest()}"

    def read(self, key: str) -> tuple[bytes, datetime] | None:
        """The body and when it was fetched; None where there is none in today's form."""
        entry = self._store.get(key)
        with suppress(DecompressionError, TypeError, ValueError, struct.error, OverflowError):
            (microseconds,) = _HEAD.unpack_from(entry)
            return isal_zlib.decompress(entry[_HEAD.size :]), _EPOCH + timedelta(microseconds=microseconds)
        return None

    def write(self, key: str, body: bytes, fetched_at: datetime, seconds: float) -> None:
        """Keep the body for so many seconds, unless it is too large."""
        microseconds = (fetched_at - _EPOCH) // timedelta(microseconds=1)
        entry = _HEAD.pack(microseconds) + isal_zlib.compress(body, level=LEVEL)
        if len(entry) > ENTRY_BYTES:
            logger.warning("cache=too-large bytes=%d", len(entry))
        else:
            self._store.set(key, entry, seconds)

    def copy(self, key: str, other: str, seconds: float) -> None:
        """Keep what is cached under `key` under another key, too."""
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
