"""How the gateway is spared, and how callers are: pauses, circuit breaker, bulkhead, retry budget.

All but the bulkhead are pure: each method is told the time.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Literal, NamedTuple

from .config import Limits
from .errors import GatewayError, Rejected


@dataclass(frozen=True, slots=True)
class Throttle:
    """What a 429 asks for, in seconds: `wait` before one repeat (or None), `pause` for everyone."""

    wait: float | None
    pause: float

    @classmethod
    def read(cls, headers: Mapping[str, str], limits: Limits) -> Throttle:
        """Only a short, plain number of seconds is waited for; a date or nonsense never is."""
        said = headers.get("Retry-After", "").strip()
        if not said:
            return cls(wait=limits.throttle_unsaid, pause=limits.throttle_unsaid)
        if said.isascii() and said.isdigit():
            # More than six digits are more than the cap; int() of thousands of digits raises.
            seconds = min(float(said[:7]), limits.throttle_pause)
            return cls(wait=seconds if seconds <= limits.throttle_wait else None, pause=seconds)
        seconds = limits.throttle_unsaid
        with suppress(ValueError, TypeError, OverflowError):
            # Both dates are by the gateway's own clock, so ours can't disagree.
            until = parsedate_to_datetime(said) - parsedate_to_datetime(headers.get("Date", ""))
            seconds = max(seconds, until.total_seconds())
        return cls(wait=None, pause=min(seconds, limits.throttle_pause))


class Pauses:
    """A 429 pauses every call, for the gateway counts per key; a refused key (401, 403) its endpoint."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._throttled_until = 0.0
        self._refused: dict[str, tuple[float, int]] = {}

    @property
    def refused_endpoints(self) -> tuple[str, ...]:
        return tuple(sorted(self._refused))

    def note(self, endpoint: str, failure: GatewayError | None, now: float) -> bool:
        """Heed how a call ended; True if the key was refused and that is news, so that it is told once."""
        with self._lock:
            if failure is None:
                self._refused.pop(endpoint, None)
            elif failure.kind == "throttled":
                self._throttled_until = max(self._throttled_until, now + (failure.retry_after or 0))
            elif failure.kind == "key":
                news = endpoint not in self._refused
                self._refused[endpoint] = (now + self._limits.refused_pause, failure.status or 0)
                return news
        return False

    def throttle_left(self, now: float) -> float:
        """Seconds until calls may go on, 0 if they may."""
        return max(0.0, self._throttled_until - now)

    def refusal(self, endpoint: str, now: float) -> GatewayError | None:
        """The refusal that still stands for this endpoint, if any."""
        until, status = self._refused.get(endpoint, (0.0, 0))
        return Rejected("key", status) if now < until else None


State = Literal["closed", "open", "probing"]


class Permit(NamedTuple):
    """Leave to make one call. `era` tells reports of before a change of state from those after it."""

    era: int


class Breaker:
    """A circuit breaker. Closed: every call is admitted. Open: none for `breaker_rest` seconds. Then one
    probing call decides.

    A probe that does not report within `breaker_probe` seconds loses its claim and another may try, so a
    call that never ends can't keep the breaker open. Reports of calls admitted before the last change of
    state are ignored.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._outcomes: deque[tuple[float, bool]] = deque(maxlen=limits.breaker_calls)
        self._era = 0
        # None while closed; otherwise no call is admitted before this moment.
        self._shut_until: float | None = None
        self._probing = False

    def state(self, now: float) -> State:
        with self._lock:
            if self._shut_until is None:
                return "closed"
            return "probing" if self._probing and now < self._shut_until else "open"

    def admits(self, now: float) -> bool:
        """Whether `admit` would give a permit; takes nothing."""
        return self._shut_until is None or now >= self._shut_until

    def admit(self, now: float) -> Permit | None:
        """A permit to make one call, or None while the breaker is open."""
        with self._lock:
            if self._shut_until is None:
                return Permit(self._era)
            if now < self._shut_until:
                return None
            self._era += 1
            self._probing = True
            self._shut_until = now + self._limits.breaker_probe
            return Permit(self._era)

    def report(self, permit: Permit, *, good: bool, now: float) -> bool:
        """Tell how the permitted call went; True if this opened or closed the breaker."""
        with self._lock:
            if permit.era != self._era:
                return False
            if self._shut_until is not None:
                return self._close() if good else self._open(now)
            self._outcomes.append((now, good))
            return self._failing(now) and self._open(now)

    def _failing(self, now: float) -> bool:
        recent = [good for moment, good in self._outcomes if now - moment <= self._limits.breaker_window]
        bad = recent.count(False)
        return bad >= self._limits.breaker_failures and bad >= self._limits.breaker_share * len(recent)

    def _open(self, now: float) -> bool:
        changed = not self._probing
        self._era += 1
        self._probing = False
        self._shut_until = now + self._limits.breaker_rest
        return changed

    def _close(self) -> bool:
        self._era += 1
        self._probing = False
        self._shut_until = None
        self._outcomes.clear()
        return True


class Waiters:
    """Callers that wait for the same thing. `long_waits` of them may wait as long as they ask to, others
    `short_wait` seconds, so that their threads are soon free again for pages that need no gateway.
    """

    def __init__(self, long_waits: int, short_wait: float) -> None:
        self._lock = threading.Lock()
        self._long_waits = long_waits
        self._short_wait = short_wait
        self.waiting = 0

    def wait(self, wait_for: Callable[[float], bool], seconds: float) -> bool:
        """What `wait_for` returns when it is given the seconds that this caller may wait."""
        with self._lock:
            crowded = self.waiting >= self._long_waits
            self.waiting += 1
        try:
            return wait_for(min(seconds, self._short_wait) if crowded else seconds)
        finally:
            with self._lock:
                self.waiting -= 1


class Bulkhead:
    """At most `at_once` calls in flight; `waiters` wait for one of the places."""

    def __init__(self, at_once: int, waiters: Waiters) -> None:
        self._places = threading.Semaphore(at_once)
        self._lock = threading.Lock()
        self._waiters = waiters
        self.in_flight = 0

    @property
    def waiting(self) -> int:
        return self._waiters.waiting

    def enter(self, seconds: float) -> bool:
        """Take a place, waiting for one at most `seconds`; every True needs one `leave`."""
        entered = self._places.acquire(blocking=False) or self._waiters.wait(
            lambda most: self._places.acquire(timeout=most), seconds
        )
        if entered:
            with self._lock:
                self.in_flight += 1
        return entered

    def leave(self) -> None:
        with self._lock:
            self.in_flight -= 1
        self._places.release()


class RetryBudget:
    """How many repeats may be made: over n calls at most `reserve + ratio * n`."""

    def __init__(self, ratio: float, reserve: float) -> None:
        self._ratio = ratio
        self._reserve = reserve
        self._left = reserve
        self._lock = threading.Lock()

    def earn(self) -> None:
        """A call that is not itself a repeat was made."""
        with self._lock:
            self._left = min(self._reserve, self._left + self._ratio)

    def spend(self) -> bool:
        """Take one repeat out of the budget; False if there is none."""
        with self._lock:
            if self._left < 1.0:
                return False
            self._left -= 1.0
            return True
