"""The bulkhead: a slow gateway may hold some of the server's threads, never all of them."""

from __future__ import annotations

import threading


class Bulkhead:
    """At most `at_once` calls in flight, and at most `patient` callers that wait as long as they can for a
    place.

    Further callers are a crowd: each waits `crowd_wait` seconds at most, so that their threads are soon
    free again for pages that need no gateway.
    """

    def __init__(self, at_once: int, patient: int, crowd_wait: float) -> None:
        self._places = threading.Semaphore(at_once)
        self._lock = threading.Lock()
        self._patient = patient
        self._crowd_wait = crowd_wait
        self.in_flight = 0
        self.waiting = 0

    def enter(self, seconds: float) -> bool:
        """Take a place, waiting for one at most `seconds`; every True needs one `leave`."""
        entered = self._places.acquire(blocking=False) or self._queue(seconds)
        if entered:
            with self._lock:
                self.in_flight += 1
        return entered

    def _queue(self, seconds: float) -> bool:
        with self._lock:
            crowded = self.waiting >= self._patient
            self.waiting += 1
        try:
            return self._places.acquire(timeout=min(seconds, self._crowd_wait) if crowded else seconds)
        finally:
            with self._lock:
                self.waiting -= 1

    def leave(self) -> None:
        with self._lock:
            self.in_flight -= 1
        self._places.release()
