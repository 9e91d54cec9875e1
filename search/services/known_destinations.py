"""The index of all destinations that a process keeps: there at once, whatever the gateway does.

It is of the gateway's own airport list, else of the last good one, else of the bundled airports. The gateway
is asked behind the pages; only the very first list is worth a moment's wait, while it may still come.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event, Lock
from typing import Protocol

from search.domain.airports import Airport
from search.domain.deadline import Deadline
from search.domain.destinations import DestinationIndex
from search.domain.site import DestinationOverride
from search.gateway.background import Background
from search.gateway.caching import Answer
from search.gateway.errors import GatewayError

from .bundled_airports import bundled_airports

# The list changes a few times a year; decoding it from the cache would cost each page milliseconds.
RECHECK_SECONDS = 30.0
RECHECK_AFTER_FAILURE_SECONDS = 2.0
# A gateway that hangs must leave the page its time for what the page is about.
PATIENCE_SECONDS = 1.5

Airports = tuple[Airport, ...]
Overrides = tuple[DestinationOverride, ...]


class Source(Protocol):
    """Where the list comes from: the gateway behind its cache."""

    def airports(self, *, deadline: Deadline) -> Answer[Airports]: ...


class Keeper:
    """One process's index. `bundled` is asked once, if ever; `clock` counts seconds from any start."""

    def __init__(
        self,
        bundled: Callable[[], Airports] = bundled_airports,
        clock: Callable[[], float] = time.monotonic,
        behind: Background | None = None,
    ) -> None:
        self._bundled = bundled
        self._clock = clock
        self._behind = behind or Background(most=1)
        self._lock = Lock()
        self.forget()

    def forget(self, source: Source | None = None) -> None:
        """Start again as a new process does, with the list of another `source`."""
        self._source = source
        self._airports: Airports = ()
        self._built: tuple[Airports, Overrides, DestinationIndex] | None = None
        self._arrived = Event()
        self._recheck_at = float("-inf")
        self._wait_until = self._clock() + PATIENCE_SECONDS

    def index(self, source: Source, overrides: Overrides, deadline: Deadline) -> DestinationIndex:
        """The index of the list of `source` with an admin's corrections; never raises."""
        if source is not self._source:
            self.forget(source)
        self._recheck(source, overrides, deadline)
        if not self._arrived.is_set():
            self._arrived.wait(max(0.0, min(self._wait_until - self._clock(), deadline.left())))
        return self.known(overrides)

    def known(self, overrides: Overrides) -> DestinationIndex:
        """The index of what is known so far, without asking."""
        return self._index_of(self._airports or self._bundled(), overrides)

    def _recheck(self, source: Source, overrides: Overrides, deadline: Deadline) -> None:
        due = self._recheck_at
        if self._clock() < due:
            return
        arrived = self._arrived
        self._recheck_at = self._clock() + RECHECK_SECONDS
        if not self._behind.start("airports", lambda: self._fetch(source, overrides, deadline, arrived)):
            self._recheck_at = due

    def _fetch(self, source: Source, overrides: Overrides, deadline: Deadline, arrived: Event) -> None:
        try:
            airports = source.airports(deadline=deadline).value
        except GatewayError:
            airports = ()  # the wire has logged why
        if source is self._source:
            if not airports:
                self._recheck_at = self._clock() + RECHECK_AFTER_FAILURE_SECONDS
            elif airports != self._airports:
                self._index_of(airports, overrides)
                self._airports = airports
        # Also when nothing came: nobody waits a second time for a gateway that is away.
        arrived.set()

    def _index_of(self, airports: Airports, overrides: Overrides) -> DestinationIndex:
        # One build is enough when many pages arrive at the same moment.
        with self._lock:
            built = self._built
            if built is None or built[0] is not airports or built[1] != overrides:
                built = self._built = (airports, overrides, DestinationIndex(airports, overrides))
            return built[2]
