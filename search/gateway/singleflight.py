"""Single flight: of all who ask the same at once, one goes and the others wait for what it brings.

Work behind a page: a few jobs at a time, one of a name.
"""

from __future__ import annotations

import contextvars
import logging
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


logger = logging.getLogger("search.gateway")


class Background:
    """Runs each job in a thread of its own, at most `most` at a time.

    A job that finds no room is left out, for the next page brings it again. The threads are daemons: a
    process that is told to stop doesn't wait for a refresh.
    """

    def __init__(self, most: int = 4) -> None:
        self._most = most
        self._names: set[str] = set()
        self._lock = threading.Lock()

    def start(self, name: str, job: Callable[[], None]) -> bool:
        """Whether the job runs: not if one of that name does, nor without room."""
        with self._lock:
            if name in self._names or len(self._names) >= self._most:
                return False
            self._names.add(name)
        # The log lines of the job carry the id of the request that caused it.
        context = contextvars.copy_context()
        threading.Thread(target=context.run, args=(self._run, name, job), daemon=True).start()
        return True

    def _run(self, name: str, job: Callable[[], None]) -> None:
        try:
            job()
        except Exception as error:  # nobody is there to hear it; the next page asks again
            logger.error("refresh=failed error=%s", type(error).__name__)
        finally:
            with self._lock:
                self._names.discard(name)
