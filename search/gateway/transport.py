"""The way to the gateway: deadlines, one layer of retries, the breaker, the bulkhead, pauses.

One `Transport` per process. It adds patience and caution around `exchange.Exchange`, which makes the single
attempt.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from requests.adapters import BaseAdapter

from search.domain.deadline import Deadline

from .call_log import CallLog, CallRecord
from .config import Limits
from .errors import Rejected, Unavailable
from .http import Call, Endpoint, Exchange, Outcome
from .resilience import Breaker, Bulkhead, Pauses, RetryBudget, State

__all__ = ["Call", "Limits", "Transport", "TransportStatus"]

logger = logging.getLogger("search.gateway")

ENDPOINTS: tuple[Endpoint, ...] = ("search", "details", "airports")


@dataclass(frozen=True, slots=True)
class TransportStatus:
    """What staff and monitoring may know. `calls` is latest first; `now` is the clock its moments are told
    by.

    `refused` names the endpoints whose last answer was that the key is not good. Nothing here is secret.
    """

    breakers: Mapping[str, State]
    calls: tuple[CallRecord, ...]
    in_flight: int
    waiting: int
    paused: float
    refused: tuple[str, ...]
    now: float

    @property
    def ready(self) -> bool:
        """Whether searches are being let through."""
        return self.breakers["search"] != "open" and "search" not in self.refused


class Transport:
    """Gets documents from one gateway, within the caller's deadline, or raises one of `errors`.

    `base_url` has no trailing slash, `adapter` is what answers in process instead of the network. `clock`,
    `sleep` and `chance` (a number from 0 to 1) are given by tests.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        limits: Limits | None = None,
        *,
        adapter: BaseAdapter | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._limits = limits = limits or Limits()
        self._clock = clock
        self._sleep = sleep
        self._chance = chance
        self._exchange = Exchange(base_url, api_key, limits, adapter, clock)
        self._breakers = {endpoint: Breaker(limits) for endpoint in ENDPOINTS}
        self._bulkhead = Bulkhead(limits.at_once, limits.patient, limits.crowd_wait)
        self._retries = RetryBudget(limits.retry_ratio, limits.retry_reserve)
        self._pauses = Pauses(limits)
        self._calls = CallLog(limits.recent_calls)

    def get(self, call: Call, deadline: Deadline) -> bytes:
        """GET {base_url}{call.path}?{call.query}: the decoded body (a byte order mark is left alone).

        At most two requests. Raises Unavailable, Rejected, NotFound or Garbled at the latest when
        `deadline` ends.
        """
        self._retries.earn()
        outcome = self._attempt(call, deadline, 1)
        if self._may_repeat(call, outcome, deadline):
            again = self._attempt(call, deadline, 2)
            outcome = again if again.called else outcome
        if outcome.failure is not None:
            raise outcome.failure
        return outcome.body

    def status(self) -> TransportStatus:
        now = self._clock()
        return TransportStatus(
            breakers={endpoint: breaker.state(now) for endpoint, breaker in self._breakers.items()},
            calls=self._calls.latest_first(),
            in_flight=self._bulkhead.in_flight,
            waiting=self._bulkhead.waiting,
            paused=self._pauses.throttle_left(now),
            refused=self._pauses.refused_endpoints(),
            now=now,
        )

    def _may_repeat(self, call: Call, outcome: Outcome, deadline: Deadline) -> bool:
        """Whether to ask again, after the wait that goes before it."""
        if not outcome.repeatable or not outcome.called:
            return False
        wait = self._limits.retry_wait + self._limits.retry_jitter * self._chance()
        if outcome.throttle is not None:
            wait += outcome.throttle.wait or 0.0
        worth_it = wait + self._limits.evidence <= deadline.left()
        if not worth_it or not self._breakers[call.endpoint].admits(self._clock()):
            return False
        if not self._retries.spend():
            return False
        self._sleep(wait)
        return True

    def _attempt(self, call: Call, deadline: Deadline, number: int) -> Outcome:
        """One attempt with everything that may stand before it."""
        refusal = self._held_back(call, deadline)
        if refusal is not None:
            return refusal
        if not self._bulkhead.enter(deadline.left()):
            return _not_called("full")
        try:
            return self._admitted(call, deadline, number)
        finally:
            self._bulkhead.leave()

    def _held_back(self, call: Call, deadline: Deadline) -> Outcome | None:
        """What forbids a call now; a short pause is waited out instead."""
        now = self._clock()
        refusal = self._pauses.refusal(call.endpoint, now)
        if refusal is not None:
            return Outcome(failure=refusal, called=False)
        if not self._breakers[call.endpoint].admits(now):
            return _not_called("open")
        pause = self._pauses.throttle_left(now)
        if pause <= 0:
            return None
        wait = pause + self._limits.retry_jitter * self._chance()
        if pause <= self._limits.throttle_wait and wait + self._limits.evidence <= deadline.left():
            self._sleep(wait)
            now = self._clock()
        if self._pauses.throttle_left(now) > 0:
            return Outcome(failure=self._pauses.throttled(now), called=False)
        return None

    def _admitted(self, call: Call, deadline: Deadline, number: int) -> Outcome:
        seconds = min(self._limits.attempt, deadline.left())
        if seconds < self._limits.least:
            return _not_called("timeout")
        breaker = self._breakers[call.endpoint]
        began = self._clock()
        permit = breaker.admit(began)
        if permit is None:
            return _not_called("open")
        outcome = self._exchange.attempt(call, seconds)
        now = self._clock()
        self._calls.add(CallRecord(call.endpoint, outcome.word, round((now - began) * 1000), number, now))
        proves = outcome.word != "timeout" or seconds >= self._limits.evidence
        good = outcome.good and now - began <= self._limits.slow
        if proves and breaker.report(permit, good=good, now=now):
            logger.warning("endpoint=%s breaker=%s", call.endpoint, breaker.state(now))
        self._heed(call, outcome, now)
        return outcome

    def _heed(self, call: Call, outcome: Outcome, now: float) -> None:
        """Do what the gateway said about calling it."""
        if outcome.throttle is not None:
            self._pauses.throttle(outcome.throttle.pause, now)
        elif isinstance(outcome.failure, Rejected) and outcome.failure.kind == "key":
            if self._pauses.refuse(call.endpoint, outcome.failure.status or 0, now):
                logger.error("endpoint=%s the gateway refused the API key", call.endpoint)
        elif outcome.failure is None:
            self._pauses.accept(call.endpoint)


def _not_called(kind: str) -> Outcome:
    return Outcome(failure=Unavailable(kind), called=False)
