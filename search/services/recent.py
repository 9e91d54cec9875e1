"""The last few things a process made at some cost, by name."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """At most `most` things; the one unused for longest goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._things: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, name: Hashable) -> T | None:
        with self._lock:
            if name in self._things:
                self._things.move_to_end(name)
            return self._things.get(name)

    def put(self, name: Hashable, thing: T) -> None:
        with self._lock:
            self._things[name] = thing
            self._things.move_to_end(name)
            while len(self._things) > self._most:
                self._things.popitem(last=False)
