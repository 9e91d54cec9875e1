"""Single flight: of all who ask the same at once, one goes and the others wait for what it brings."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

R = TypeVar("R")


class _Flight(Generic[R]):
    def __init__(self) -> None:
        self.landed = threading.Event()
        self.result: R | None = None


class Flights(Generic[R]):
    """Flights of one process by key. At most `patient` callers wait as long as they can.

    Those beyond them are a crowd and wait `crowd_wait` seconds at most, for their threads also serve pages
    that need no gateway.
    """

    def __init__(self, patient: int, crowd_wait: float) -> None:
        self._lock = threading.Lock()
        self._flights: dict[str, _Flight[R]] = {}
        self._patient = patient
        self._crowd_wait = crowd_wait
        self.waiting = 0

    def fly(self, key: str, go: Callable[[], R], seconds: float) -> tuple[R | None, bool]:
        """What `go` returns, here or in the thread that went first, and whether it was another's.

        None if the other one did not land within `seconds`, or fell out of the sky.
        """
        with self._lock:
            flight = self._flights.get(key)
            first = flight is None
            if flight is None:
                flight = self._flights[key] = _Flight()
        if not first:
            self._wait(flight, seconds)
            return flight.result, True
        try:
            flight.result = go()
            return flight.result, False
        finally:
            with self._lock:
                del self._flights[key]
            flight.landed.set()

    def under_way(self, key: str) -> bool:
        return key in self._flights

    def _wait(self, flight: _Flight[R], seconds: float) -> None:
        with self._lock:
            crowded = self.waiting >= self._patient
            self.waiting += 1
        try:
            flight.landed.wait(min(seconds, self._crowd_wait) if crowded else seconds)
        finally:
            with self._lock:
                self.waiting -= 1
