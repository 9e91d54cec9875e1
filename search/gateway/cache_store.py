"""Django's cache as a place that may be missing: a broken cache costs speed, never a page.

Answers as compact bytes on the shelf, and the marks that processes leave for each other.
"""

from __future__ import annotations

import hashlib
import logging
import math
import secrets
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from .errors import Garbled, GatewayError, Rejected, Unavailable

logger = logging.getLogger("search.gateway")

# Each question to a dead cache server costs its connect timeout; a page asks several.
DARK_SECONDS = 5.0


class Store(Protocol):
    """The part of Django's cache interface that is used; any of it may raise anything."""

    def get(self, key: str) -> Any: ...
    def set(self, key: str, value: Any, timeout: float | None) -> Any: ...
    def add(self, key: str, value: Any, timeout: float | None) -> bool: ...
    def delete(self, key: str) -> Any: ...


class Shelf:
    """A store whose failures read as "nothing there"; after one it is left alone for a few seconds."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self._dark_until = 0.0

    def get(self, key: str) -> Any:
        return self._try(lambda: self._store.get(key), None)

    def set(self, key: str, value: Any, seconds: float) -> None:
        self._try(lambda: self._store.set(key, value, seconds), None)

    def add(self, key: str, value: Any, seconds: float) -> bool:
        """True if the key was free; True as well without a store, for then nobody else can be seen."""
        return bool(self._try(lambda: self._store.add(key, value, seconds), True))

    def delete(self, key: str) -> None:
        self._try(lambda: self._store.delete(key), None)

    def _try(self, action: Callable[[], Any], otherwise: Any) -> Any:
        if self._clock() < self._dark_until:
            return otherwise
        try:
            return action()
        except Exception as error:  # each backend raises errors of its own, and all mean the same
            self._dark_until = self._clock() + DARK_SECONDS
            # The text of the error may hold the address and the password of the cache.
            logger.warning("cache=unavailable error=%s", type(error).__name__)
            return otherwise


T = TypeVar("T")

ENTRY_BYTES = 1024 * 1024
# Redis counts whole seconds, so this is the shortest time to remember that a key has just failed.
FAILURE_SECONDS = 1
FAILURES: dict[str, type[GatewayError]] = {kind.__name__: kind for kind in (Unavailable, Rejected, Garbled)}


@dataclass(frozen=True, slots=True)
class CachedValue(Generic[T]):
    """A value, the moment it was fetched (aware, UTC), and whether that is longer ago than its fresh time."""

    value: T
    fetched_at: datetime
    stale: bool


class _Entry(msgspec.Struct, Generic[T], array_like=True):
    fetched: float
    value: T


class Shape(Generic[T]):
    """How values of one type are written and read. `fingerprint` changes whenever the type's fields do."""

    def __init__(self, kind: Any) -> None:
        schema = msgspec.json.encode(msgspec.json.schema(kind))
        self.fingerprint = hashlib.sha256(schema).hexdigest()
        self._decoder = msgspec.msgpack.Decoder(_Entry[kind])
        self._encoder = msgspec.msgpack.Encoder()

    def pack(self, answer: CachedValue[T]) -> bytes:
        """msgpack keeps Decimals as they are spelled; the fastest zlib level saves nine tenths."""
        return zlib.compress(self._encoder.encode(_Entry(answer.fetched_at.timestamp(), answer.value)), 1)

    def unpack(self, packed: Any) -> CachedValue[T] | None:
        """The answer, or None for anything that is not one in today's form."""
        try:
            entry = self._decoder.decode(zlib.decompress(packed))
            return CachedValue(entry.value, datetime.fromtimestamp(entry.fetched, UTC), stale=False)
        except (zlib.error, msgspec.MsgspecError, TypeError, ValueError, OverflowError):
            return None


class Entries:
    """Answers by key, kept as long as told; claims on keys being fetched; notes of failures a moment ago."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def read(self, key: str, shape: Shape[T]) -> CachedValue[T] | None:
        packed = self._shelf.get(key)
        return None if packed is None else shape.unpack(packed)

    def write(self, key: str, shape: Shape[T], answer: CachedValue[T], seconds: float) -> None:
        try:
            packed = shape.pack(answer)
        except (UnicodeError, OverflowError) as error:
            # Text or a number that msgpack can't hold; the page has its answer all the same.
            logger.warning("cache=unpackable error=%s", type(error).__name__)
            return
        if len(packed) > ENTRY_BYTES:
            logger.warning("cache=too-large bytes=%d", len(packed))
            return
        self._shelf.set(key, packed, math.ceil(seconds))

    def claim(self, key: str, seconds: float) -> str | None:
        """The right to fetch this key, for at most `seconds`; None if another process has it."""
        token = secrets.token_hex(8)
        return token if self._shelf.add(f"{key}:claim", token, math.ceil(seconds) + 1) else None

    def claimed(self, key: str) -> bool:
        return self._shelf.get(f"{key}:claim") is not None

    def release(self, key: str, token: str) -> None:
        # A claim that ran out may be another's by now.
        if self._shelf.get(f"{key}:claim") == token:
            self._shelf.delete(f"{key}:claim")

    def note_failure(self, key: str, failure: GatewayError) -> None:
        """Let those who ask the same a moment later share this failure instead of repeating it."""
        family = next(name for name, kind in FAILURES.items() if isinstance(failure, kind))
        self._shelf.set(f"{key}:failed", (family, failure.kind, failure.status), FAILURE_SECONDS)

    def recent_failure(self, key: str) -> GatewayError | None:
        noted = self._shelf.get(f"{key}:failed")
        if not isinstance(noted, tuple) or len(noted) != 3 or noted[0] not in FAILURES:
            return None
        family, kind, status = noted
        return FAILURES[family](str(kind), status if isinstance(status, int) else None)
