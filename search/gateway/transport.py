"""Calls to the gateway within a deadline: one layer of retries, circuit breakers, bulkhead, pauses.

Each call is logged and counted, never with its address, its query or its body.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, as_completed, wait
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import asdict, dataclass, replace

from search.domain.process import Deadline

from .errors import GatewayError, Unavailable
from .http import Call, Endpoint, Exchange, Outcome, Upstream
from .resilience import (
    LIMITS,
    SYSTEM_CLOCK,
    Breaker,
    Bulkhead,
    CallBudget,
    Clock,
    Limits,
    Pace,
    Pauses,
    State,
    Waiters,
    in_thread,
)
from .sockets import NetworkAdapter

logger = logging.getLogger("search.gateway")

ENDPOINTS: tuple[Endpoint, ...] = ("search", "details", "airports")
# A property that doesn't exist (any more) is nothing to warn of.
ORDINARY = frozenset({"ok", "request 404"})


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One value asked for. `outcome` is "ok" or the error as text ("status 503"). `cache` says where the
    value came from: "miss" (a call, its number in `attempt`), "hit", "stale", "joined" (another visitor's
    call); "garbled": the document of an "ok" call was unusable."""

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
    """A count of the calls that this context makes from now on."""
    count = CallCount()
    _count.set(count)
    return count


class CallLog:
    """Logs each record as one line, the values as attributes as well; hands it to the listeners; counts the
    calls made."""

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
                if count := _count.get():
                    count.made += 1
        values = asdict(record)
        logger.log(
            logging.INFO if record.outcome in ORDINARY else logging.WARNING,
            "endpoint=%(endpoint)s outcome=%(outcome)s ms=%(ms)d attempt=%(attempt)d cache=%(cache)s",
            {**values, "outcome": record.outcome.replace(" ", "-")},
            extra=values,
        )
        self._hand_on(record)

    def garbled(self, endpoint: str, kind: str) -> None:
        """Log that a good response breaks the interface; its call has a record of its own already."""
        logger.warning("endpoint=%s garbled=%s", endpoint, kind)
        self._hand_on(CallRecord(endpoint, f"garbled {kind}", 0, cache="garbled"))

    def _hand_on(self, record: CallRecord) -> None:
        for listener in self._listeners:
            listener(record)


@dataclass(frozen=True, slots=True)
class TransportStatus:
    """What staff and monitoring may know; nothing in it is secret. `paused` is how many seconds all calls
    pause, `refused` are endpoints that refused the key."""

    breakers: Mapping[str, State]
    calls_made: int
    in_flight: int
    waiting: int
    paused: float
    refused: tuple[str, ...]


class Transport:
    """Gets documents from one gateway, within the caller's deadline, or raises one of `errors`."""

    def __init__(
        self,
        upstream: Upstream,
        limits: Limits = LIMITS,
        log: CallLog | None = None,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._limits = limits
        self._clock = clock
        self._exchange = Exchange(upstream, limits, clock.monotonic)
        self._breakers = {endpoint: Breaker(limits) for endpoint in ENDPOINTS}
        # In process a second call, or more at once, would only take the first one's time.
        self._networked = isinstance(upstream.adapter, NetworkAdapter)
        self._bulkhead = Bulkhead(
            limits.at_once,
            Waiters(limits.long_waits, limits.short_wait),
            limits.behind,
            limits.at_once_most if self._networked else None,
        )
        self._retries = CallBudget(limits.retry_ratio, limits.retry_reserve, saved=limits.retry_reserve)
        self._hedges = CallBudget(limits.hedge_ratio, limits.hedge_reserve, saved=0.0)
        self._paces = {endpoint: Pace(limits) for endpoint in ENDPOINTS}
        self._pauses = Pauses(limits)
        self._calls = log or CallLog()

    def get(self, call: Call, deadline: Deadline) -> bytes:
        """GET {base_url}{call.path}?{call.query}: the decoded body (a byte order mark is left alone).

        At most two requests: one after a failed one, or one beside a slow one. Raises Unavailable, Rejected,
        NotFound or Garbled at the latest when `deadline` ends.
        """
        self._retries.earn()
        outcome = self._attempt(call, deadline, 1)
        if self._may_repeat(call, outcome, deadline):
            again = self._attempt(call, deadline, 2)
            outcome = again if again.called else outcome
        if outcome.failure is not None:
            # Its own traceback would hold this frame, and the frame holds the outcome: a circle.
            raise outcome.failure.afresh()
        return outcome.body

    def status(self) -> TransportStatus:
        now = self._clock.monotonic()
        return TransportStatus(
            breakers={endpoint: breaker.state(now) for endpoint, breaker in self._breakers.items()},
            calls_made=self._calls.calls_made,
            in_flight=self._bulkhead.in_flight,
            waiting=self._bulkhead.waiters.waiting,
            paused=self._pauses.throttle_left(now),
            refused=self._pauses.refused,
        )

    def immediate_failure(self, endpoint: Endpoint, provider: str = "") -> GatewayError | None:
        """Why a call, of this provider where one is asked, would fail at once; None where it would be made."""
        now = self._clock.monotonic()
        if refusal := self._pauses.refusal(endpoint, provider, now):
            return refusal
        if not self._breakers[endpoint].admits(now):
            return Unavailable("open")
        pause = self._pauses.throttle_left(now)
        return Unavailable("throttled", 429, pause) if pause > self._limits.throttle_wait else None

    def failing(self, endpoint: Endpoint) -> bool:
        """Whether its breaker isn't closed: the next call is made to find out whether answers come again."""
        return self._breakers[endpoint].state(self._clock.monotonic()) != "closed"

    def _may_repeat(self, call: Call, outcome: Outcome, deadline: Deadline) -> bool:
        """Whether to ask again, after the wait that goes before it."""
        if not outcome.repeatable or not outcome.called:
            return False
        wait = outcome.wait + self._limits.retry_wait + self._limits.retry_jitter * self._clock.random()
        admitted = self._breakers[call.endpoint].admits(self._clock.monotonic())
        if not admitted or wait + self._limits.evidence > deadline.left() or not self._retries.spend():
            return False
        self._clock.sleep(wait)
        return True

    def _attempt(self, call: Call, deadline: Deadline, number: int) -> Outcome:
        """One attempt, unless a pause, the breaker or the bulkhead forbids it."""
        refusal = self._held_back(call, deadline)
        if refusal is not None:
            return refusal
        if not self._bulkhead.enter(deadline.left()):
            return _not_called("full")
        if number == 1 and self._networked:
            self._hedges.earn()
            after = self._paces[call.endpoint].hedge_after(deadline.left())
            if after is not None:
                return self._hedged(call, deadline, after)
        return self._in_place(call, deadline, number)

    def _hedged(self, call: Call, deadline: Deadline, after: float) -> Outcome:
        """The outcome of a call or, if it takes longer than `after`, of a second one beside it, whichever is
        good first; the other one ends unheeded, in a place of its own."""
        calls = [self._start(call, deadline, 1)]
        if not wait(calls, after).done and self._may_hedge(call):
            calls.append(self._start(call, deadline, 2))
        outcome = _not_called("timeout")
        with suppress(TimeoutError):
            for ended in as_completed(calls, deadline.left()):
                outcome = ended.result()
                if outcome.called and not outcome.repeatable:
                    break
        return outcome if len(calls) == 1 else replace(outcome, repeatable=False)

    def _may_hedge(self, call: Call) -> bool:
        """Whether a second call may start at once; if so, a place is taken for it."""
        held_back = self.failing(call.endpoint) or self.immediate_failure(call.endpoint, call.provider)
        paused = self._pauses.throttle_left(self._clock.monotonic()) > 0
        if held_back or paused or not self._bulkhead.enter(0.0):
            return False
        if self._hedges.spend():
            return True
        self._bulkhead.leave()
        return False

    def _start(self, call: Call, deadline: Deadline, number: int) -> Future[Outcome]:
        """One attempt in a thread; "full" where the process has no thread left for it."""
        ended: Future[Outcome] = Future()
        if not in_thread(lambda: ended.set_result(self._in_place(call, deadline, number))):
            self._bulkhead.leave()
            ended.set_result(_not_called("full"))
        return ended

    def _in_place(self, call: Call, deadline: Deadline, number: int) -> Outcome:
        """One attempt in the place that was taken for it, which is free afterwards."""
        answered = None
        try:
            outcome = self._admitted(call, deadline, number)
            answered = outcome.answered
            return outcome
        finally:
            self._bulkhead.leave(answered)

    def _held_back(self, call: Call, deadline: Deadline) -> Outcome | None:
        """The outcome if no call may be made now, else None; a short pause is waited out first."""
        if failure := self.immediate_failure(call.endpoint, call.provider):
            return Outcome(failure=failure, called=False)
        now = self._clock.monotonic()
        pause = self._pauses.throttle_left(now)
        if pause <= 0:
            return None
        wait = pause + self._limits.retry_jitter * self._clock.random()
        if wait + self._limits.evidence <= deadline.left():
            self._clock.sleep(wait)
            now = self._clock.monotonic()
        left = self._pauses.throttle_left(now)
        return _not_called("throttled", 429, left) if left > 0 else None

    def _admitted(self, call: Call, deadline: Deadline, number: int) -> Outcome:
        seconds = deadline.left()
        if seconds < self._limits.least:
            return _not_called("timeout")
        breaker = self._breakers[call.endpoint]
        began = self._clock.monotonic()
        permit = breaker.admit(began)
        if permit is None:
            return _not_called("open")
        outcome = self._exchange.attempt(call, seconds)
        now = self._clock.monotonic()
        self._calls.add(CallRecord(call.endpoint, outcome.word, round((now - began) * 1000), number))
        pace = self._paces[call.endpoint]
        if outcome.failure is None:
            pace.note(now - began, now)
        # With less time than answers take these days a timeout doesn't tell slow from down.
        proves = outcome.word != "timeout" or seconds >= max(self._limits.evidence, pace.longest(now))
        if proves and breaker.report(permit, good=outcome.good, now=now):
            logger.warning("endpoint=%s breaker=%s", call.endpoint, breaker.state(now))
        if self._pauses.note(call.endpoint, call.provider, outcome.failure, now):
            of = f" provider={call.provider}" if call.provider else ""
            logger.error("endpoint=%s%s the gateway refused the API key", call.endpoint, of)
        return outcome


def _not_called(kind: str, status: int | None = None, retry_after: float | None = None) -> Outcome:
    return Outcome(failure=Unavailable(kind, status, retry_after), called=False)
