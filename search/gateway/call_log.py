"""What is remembered and logged of each gateway call: never its address, its query or its answer."""

from __future__ import annotations

import logging
import threading
from collections import deque
from dataclasses import dataclass

logger = logging.getLogger("search.gateway")

# A property that is gone is an answer like any other.
ORDINARY = frozenset({"ok", "request 404"})


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call: `outcome` is "ok" or what the error says (such as "status 503"), `at` by the transport's
    clock.
    """

    endpoint: str
    outcome: str
    ms: int
    attempt: int
    at: float


class CallLog:
    """The last calls of this process, for the staff panel; each is also one line of the log."""

    def __init__(self, size: int) -> None:
        self._records: deque[CallRecord] = deque(maxlen=size)
        self._lock = threading.Lock()

    def add(self, record: CallRecord) -> None:
        with self._lock:
            self._records.append(record)
        log_call(record.endpoint, record.outcome, record.ms, record.attempt, cache="miss")

    def latest_first(self) -> tuple[CallRecord, ...]:
        with self._lock:
            return tuple(reversed(self._records))


def log_call(endpoint: str, outcome: str, ms: int, attempt: int, *, cache: str) -> None:
    """One line `endpoint=... outcome=... ms=... attempt=... cache=...`; the same values as record attributes.

    `cache` is miss (a call was made), hit, stale or joined (another visitor's call answered).
    """
    logger.log(
        logging.INFO if outcome in ORDINARY else logging.WARNING,
        "endpoint=%s outcome=%s ms=%d attempt=%d cache=%s",
        endpoint,
        outcome.replace(" ", "-"),
        ms,
        attempt,
        cache,
        extra={"endpoint": endpoint, "outcome": outcome, "ms": ms, "attempt": attempt, "cache": cache},
    )
