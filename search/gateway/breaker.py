"""The circuit breaker: stop asking a gateway that keeps failing, and notice soon when it is back.

A pure state machine: every method is told the time, nothing here waits, calls or reads a clock.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from typing import Literal

from .limits import Limits

State = Literal["closed", "open", "probing"]


@dataclass(frozen=True, slots=True)
class Permit:
    """Leave to make one call. `era` tells reports of before a change of state from those after it."""

    era: int


class Breaker:
    """Closed: every call is admitted. Open: none for `breaker_rest` seconds. Then one probe decides.

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
        """A permit to make one call, or None while the gateway is left in peace."""
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
