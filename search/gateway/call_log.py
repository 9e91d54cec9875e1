"""What is logged and counted of each gateway call: never its address, its query or its body."""

import logging
import threading
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import asdict, dataclass

logger = logging.getLogger("search.gateway")

# A property that doesn't exist (any more) is nothing to warn of.
ORDINARY = frozenset({"ok", "request 404"})


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One value asked for. `outcome` is "ok" or the error as text ("status 503"). `cache` is where the value
    came from: "miss" (a call was made, its number in `attempt`), "hit", "stale" or "joined" (another
    visitor's call); "garbled" is no value but what became of an "ok" one."""

    endpoint: str
    outcome: str
    ms: int
    attempt: int = 0
    cache: str = "miss"


@dataclass(slots=True)
class CallCount:
    """How many calls were made."""

    made: int = 0


_count: ContextVar[CallCount | None] = ContextVar("call_count", default=None)


def count_calls() -> CallCount:
    """Counts, from now on, the calls made in this context, and none that others make beside them."""
    counted = CallCount()
    _count.set(counted)
    return counted


class CallLog:
    """Logs each record as one line `endpoint=... outcome=... ms=... attempt=... cache=...`, the values as
    attributes as well, and tells it to the listeners; counts the calls made, which values from the cache
    are none of."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[CallRecord], None]] = []
        self._lock = threading.Lock()
        self.calls_made = 0

    def listen(self, listener: Callable[[CallRecord], None]) -> None:
        """Have `listener` called with each record from now on, in the thread of the caller."""
        self._listeners.append(listener)

    def add(self, record: CallRecord) -> None:
        if record.cache == "miss":
            with self._lock:
                self.calls_made += 1
                if counted := _count.get():
                    counted.made += 1
        told = asdict(record)
        logger.log(
            logging.INFO if record.outcome in ORDINARY else logging.WARNING,
            "endpoint=%(endpoint)s outcome=%(outcome)s ms=%(ms)d attempt=%(attempt)d cache=%(cache)s",
            {**told, "outcome": record.outcome.replace(" ", "-")},
            extra=told,
        )
        self._tell(record)

    def garbled(self, endpoint: str, kind: str) -> None:
        """Logs that a good response turned out not to be what the interface says; its call has a record of
        its own already."""
        logger.warning("endpoint=%s garbled=%s", endpoint, kind)
        self._tell(CallRecord(endpoint, f"garbled {kind}", 0, cache="garbled"))

    def _tell(self, record: CallRecord) -> None:
        for listener in self._listeners:
            listener(record)
