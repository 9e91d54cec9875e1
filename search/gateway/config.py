"""Every number that bounds gateway calls, with its default (docs/operations.md explains each); the clock."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Seconds unless the name says otherwise."""

    connect: float = 1.0
    # Less time than this is not worth a call.
    least: float = 0.05
    body_bytes: int = 8 * 2**20

    retry_ratio: float = 0.1
    retry_reserve: float = 30.0
    retry_wait: float = 0.05
    retry_jitter: float = 0.15

    hedge_ratio: float = 0.05
    hedge_reserve: float = 5.0
    hedge_answers: int = 20
    # Nobody notices a shorter wait, and a busy machine of ours is slower than that at times.
    hedge_least: float = 0.1
    recent_answers: int = 100

    at_once: int = 8
    at_once_most: int = 24
    behind: int = 5
    long_waits: int = 16
    short_wait: float = 0.5

    breaker_failures: int = 5
    breaker_share: float = 0.6
    breaker_calls: int = 20
    breaker_window: float = 60.0
    breaker_rest: float = 1.5
    breaker_probe: float = 3.5
    # A call that was given less time than this proves nothing about the gateway when it times out.
    evidence: float = 0.5

    throttle_wait: float = 2.0
    throttle_unsaid: float = 0.5
    throttle_pause: float = 60.0
    refused_pause: float = 15.0


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Clock:
    """Time and chance, so that a test can give its own; `now` is aware, `random` from 0 to 1."""

    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    random: Callable[[], float] = random.random


SYSTEM_CLOCK = Clock()
