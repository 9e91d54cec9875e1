"""Holding back when the gateway asked for it: too many calls (429), or a key it refuses (401, 403).

Pure: every method is told the time.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from .errors import GatewayError, Rejected, Unavailable
from .limits import Limits


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
            # More than six digits is more than the cap whatever they are; int() of thousands of digits
            # raises.
            seconds = min(float(said[:7]), limits.throttle_pause)
            return cls(wait=seconds if seconds <= limits.throttle_wait else None, pause=seconds)
        return cls(wait=None, pause=min(_until(said, headers.get("Date", ""), limits), limits.throttle_pause))


def _until(said: str, now: str, limits: Limits) -> float:
    """Seconds between two HTTP dates of one answer: the gateway's own clock, so ours can't disagree."""
    try:
        seconds = (parsedate_to_datetime(said) - parsedate_to_datetime(now)).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return limits.throttle_unsaid
    return max(seconds, limits.throttle_unsaid)


class Pauses:
    """A 429 pauses every call, for the gateway counts per key; a refused key pauses the endpoint that
    refused it.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._throttled_until = 0.0
        self._refused: dict[str, tuple[float, int]] = {}

    def throttle(self, seconds: float, now: float) -> None:
        with self._lock:
            self._throttled_until = max(self._throttled_until, now + seconds)

    def refuse(self, endpoint: str, status: int, now: float) -> bool:
        """The key was refused; True if that is news, so that one outage makes one ERROR line."""
        with self._lock:
            news = endpoint not in self._refused
            self._refused[endpoint] = (now + self._limits.refused_pause, status)
            return news

    def accept(self, endpoint: str) -> None:
        """The key was good for this endpoint."""
        if endpoint in self._refused:
            with self._lock:
                self._refused.pop(endpoint, None)

    def throttle_left(self, now: float) -> float:
        """Seconds until calls may go on, 0 if they may."""
        return max(0.0, self._throttled_until - now)

    def refusal(self, endpoint: str, now: float) -> GatewayError | None:
        """The refusal that still stands for this endpoint, if any."""
        until, status = self._refused.get(endpoint, (0.0, 0))
        return Rejected("key", status) if now < until else None

    def throttled(self, now: float) -> GatewayError:
        return Unavailable("throttled", 429, retry_after=self.throttle_left(now))

    def refused_endpoints(self) -> tuple[str, ...]:
        return tuple(sorted(self._refused))
