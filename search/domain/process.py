"""What one process keeps while it runs: connections, caches, pools, indexes.

A room names each of its parts by the function that builds it: `process.part(build_gateway)` is that part of
the process in force. `apps.ready()` starts the process; a test starts another one, and so begins as a new
process does.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, TypeVar

T = TypeVar("T")


class Process:
    """Parts by the function that builds them, each built once, on first use."""

    def __init__(self) -> None:
        self._lock = RLock()  # a part may need another while it is built
        self._parts: dict[Callable[[], Any], Any] = {}

    def part(self, build: Callable[[], T]) -> T:
        """The part that `build` makes."""
        if build not in self._parts:
            with self._lock:
                if build not in self._parts:
                    self._parts[build] = build()
        made: T = self._parts[build]
        return made

    def put(self, build: Callable[[], T], part: T) -> None:
        """Have `part` in the place of what `build` would make."""
        with self._lock:
            self._parts[build] = part


_current = Process()


def start() -> Process:
    """Begin anew, without any part; the process before keeps its own for the threads that still use it."""
    global _current  # the one name that says which process is in force
    _current = Process()
    return _current


def part(build: Callable[[], T]) -> T:
    """The part of the process in force."""
    return _current.part(build)
