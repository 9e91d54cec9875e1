"""Every number that bounds the wire, with its default; docs/operations.md explains each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Seconds unless the name says otherwise."""

    connect: float = 1.0
    attempt: float = 3.0
    # Less time than this is not worth a call: nobody would see its answer.
    least: float = 0.05
    body_bytes: int = 8 * 2**20

    retry_ratio: float = 0.1
    retry_reserve: float = 30.0
    retry_wait: float = 0.05
    retry_jitter: float = 0.15

    at_once: int = 8
    patient: int = 16
    crowd_wait: float = 0.5

    breaker_failures: int = 5
    breaker_share: float = 0.6
    breaker_calls: int = 20
    breaker_window: float = 30.0
    breaker_rest: float = 1.5
    breaker_probe: float = 3.5
    # An answer slower than this counts against the gateway although it arrived.
    slow: float = 2.5
    # A call that was given less time than this proves nothing about the gateway when it times out.
    evidence: float = 0.5

    throttle_wait: float = 2.0
    throttle_unsaid: float = 0.5
    throttle_pause: float = 60.0
    refused_pause: float = 15.0

    recent_calls: int = 50
