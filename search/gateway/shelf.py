"""Django's cache as a place that may be missing: a broken cache costs speed, never a page."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Protocol

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
