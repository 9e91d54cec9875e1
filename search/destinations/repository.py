"""The index of all destinations that a process keeps: there at once, even while the gateway is away.

It is of the gateway's own airport list, else of the last good one, else of the bundled airports. The gateway
is asked before the first page and behind the others; only the very first list is worth a moment's wait, while
it may still come.
"""

import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import Event, Lock

import airportsdata
from babel.numbers import get_territory_currencies

from search.domain.hotels import Airport, Coordinates
from search.domain.process import Deadline
from search.domain.site_settings import DestinationOverride, Site
from search.gateway import GatewayError
from search.gateway.cache import CachedGateway
from search.gateway.resilience import Background

from .index import DestinationIndex

# One airport a line, more important ones first: code and city, after a plus what the airport is called beside
# its city. Where they lie comes from the packaged open dataset, whose cities are too often the village beside
# the runway.
_BUNDLED = Path(__file__).with_name("bundled_airports.txt")

# The list changes a few times a year, and to read it from the cache takes as long as a cold search.
RECHECK_SECONDS = 300.0
RECHECK_AFTER_FAILURE_SECONDS = 2.0
# After the first question. Nothing of a page is seen before this is over.
PATIENCE_SECONDS = 0.1

Airports = tuple[Airport, ...]
Overrides = tuple[DestinationOverride, ...]


@cache
def bundled_airports() -> Airports:
    """Some 260 airports for a first start while the gateway is away; they have no routes."""
    located = airportsdata.load("IATA")
    lines = _BUNDLED.read_text(encoding="utf-8").splitlines()
    return tuple(
        _airport(located[line[:3]], line[4:], priority) for priority, line in enumerate(lines, start=1)
    )


def _airport(place: airportsdata.Airport, names: str, priority: int) -> Airport:
    city, _, beside = names.partition("+")
    currencies = get_territory_currencies(place["country"])
    return Airport(
        code=place["iata"],
        name=f"{city} {beside}".strip(),
        coordinates=Coordinates(latitude=place["lat"], longitude=place["lon"]),
        country=place["country"].lower(),
        city=city.upper().replace(" ", "_"),
        currency=currencies[-1] if currencies else "",
        priority=priority,
    )


class DestinationRepository:
    """One process's index of destinations; `clock` counts seconds from any start."""

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
        self._airports: Airports = ()
        self._built: tuple[Airports, Overrides, DestinationIndex] | None = None
        self._arrived = Event()
        self._recheck_at = float("-inf")
        self._wait_until = float("inf")

    def index(self, source: CachedGateway, site: Site, deadline: Deadline) -> DestinationIndex:
        """The index of the list of `source` with an admin's corrections; never raises."""
        self.ask(source, site, deadline)
        if not self._arrived.is_set():
            self._arrived.wait(max(0.0, min(self._wait_until - self._clock(), deadline.left())))
        return self.known(site.overrides)

    def known(self, overrides: Overrides) -> DestinationIndex:
        """The index of what is known so far, without asking."""
        # One build is enough when many pages arrive at the same moment.
        with self._lock:
            airports = self._airports or self._bundled()
            if self._built is None or self._built[0] is not airports or self._built[1] != overrides:
                self._built = airports, overrides, DestinationIndex(airports, overrides)
            return self._built[2]

    def ask(self, source: CachedGateway, site: Site, deadline: Deadline) -> None:
        """Ask for the list where that is due; it comes behind."""
        due = self._recheck_at
        if self._clock() < due:
            return
        self._recheck_at = self._clock() + RECHECK_SECONDS
        if not self._behind.start(lambda: self._fetch(source, site, deadline)):
            self._recheck_at = due
        self._wait_until = min(self._wait_until, self._clock() + PATIENCE_SECONDS)

    def _fetch(self, source: CachedGateway, site: Site, deadline: Deadline) -> None:
        try:
            airports = source.airports(site=site, deadline=deadline).value
        except GatewayError:
            airports = ()  # the gateway room has logged why
        if not airports:
            self._recheck_at = self._clock() + RECHECK_AFTER_FAILURE_SECONDS
        elif airports != self._airports:
            # Not under the lock, or pages would wait for it.
            built = airports, site.overrides, DestinationIndex(airports, site.overrides)
            with self._lock:
                self._airports, self._built = airports, built
        # Also when nothing came: no page waits a second time for a gateway that is away.
        self._arrived.set()
