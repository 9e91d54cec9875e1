"""How the gateway is spared, and how callers are: every number that bounds calls (docs/operations.md explains
each), pauses, circuit breaker, places for calls, budgets for extra ones, calls that are shared."""

import contextvars
import logging
import math
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial, wraps
from typing import Generic, Literal, ParamSpec, TypeVar

from cachetools import LRUCache

from search.domain.process import Deadline

from . import GatewayError, Rejected

logger = logging.getLogger("search.gateway")

P = ParamSpec("P")
R = TypeVar("R")
State = Literal["closed", "open", "probing"]
# Anybody may ask for providers that don't exist.
MOST_REFUSALS = 64


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
    # A call that takes longer is slow: a second one may start beside it.
    hedge_after: float = 0.75

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

    def throttling(self, headers: Mapping[str, str]) -> tuple[bool, float]:
        """What a 429 asks for: whether one repeat may follow, and how long all pause. Only a short, plain
        number is waited for; a date or nonsense never is."""
        said = headers.get("Retry-After", "").strip()
        if not (said.isascii() and said.isdigit()):
            return not said, self.throttle_unsaid
        # More than six digits are more than the longest pause, and thousands of them can't be read.
        seconds = min(float(said[:7]), self.throttle_pause)
        return seconds <= self.throttle_wait, seconds


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Clock:
    """Time and chance, so that a test can give its own; `now` is aware, `random` from 0 to 1."""

    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    random: Callable[[], float] = random.random


SYSTEM_CLOCK = Clock()


class Pauses:
    """A 429 pauses every call, for the gateway counts per key. A refused key (401, 403) pauses its endpoint,
    of details those of one provider: some keys aren't for all providers."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._throttled_until = 0.0
        # By endpoint and provider, until when and with which status; until a good response, so that each is
        # logged once.
        self._refusals: LRUCache[tuple[str, str], tuple[float, int]] = LRUCache(MOST_REFUSALS)

    def note(self, endpoint: str, provider: str, failure: GatewayError | None, now: float) -> bool:
        """Heed how a call ended; True for a refusal that is new."""
        asked = (endpoint, provider)
        with self._lock:
            if failure is None:
                self._refusals.pop(asked, None)
            elif failure.kind == "throttled":
                self._throttled_until = max(self._throttled_until, now + (failure.retry_after or 0))
            elif failure.kind == "key":
                news = asked not in self._refusals
                self._refusals[asked] = (now + self._limits.refused_pause, failure.status or 0)
                return news
        return False

    @property
    def refused(self) -> tuple[str, ...]:
        """The endpoints that refused the key, whichever provider is asked."""
        with self._lock:
            return tuple(sorted(endpoint for endpoint, provider in self._refusals if not provider))

    def throttle_left(self, now: float) -> float:
        return max(0.0, self._throttled_until - now)

    def refusal(self, endpoint: str, provider: str, now: float) -> GatewayError | None:
        with self._lock:
            until, status = self._refusals.get((endpoint, provider), (0.0, 0))
        return Rejected("key", status, until - now) if now < until else None


class Breaker:
    """Closed: every call is admitted. Open: none for `breaker_rest` seconds; then one probing call decides.
    When a probe does not report within `breaker_probe` seconds another may try; an answer to either closes
    it. Reports of calls that began before it last opened or closed are ignored."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._outcomes: deque[tuple[float, bool, float]] = deque(maxlen=limits.breaker_calls)
        self._turned_at = -math.inf
        # None while closed; otherwise no call is admitted before this moment.
        self._shut_until: float | None = None
        self._probing = False

    def state(self, now: float) -> State:
        with self._lock:
            if self._shut_until is None:
                return "closed"
            return "probing" if self._probing and now < self._shut_until else "open"

    def admits(self, now: float) -> bool:
        return self._shut_until is None or now >= self._shut_until

    def admit(self, now: float) -> bool:
        """Whether a call may be made, which is then to be reported."""
        with self._lock:
            if not self.admits(now):
                return False
            if self._shut_until is not None:
                self._shut_until, self._probing = now + self._limits.breaker_probe, True
            return True

    def report(self, began: float, *, good: bool, now: float) -> bool:
        """Tell how the call that was admitted at `began` went; True if this opened or closed the breaker."""
        with self._lock:
            if began < self._turned_at:
                return False
            self._outcomes.append((now, good, now - began))
            was_shut = self._shut_until is not None
            if turns := good if was_shut else self._is_failing(now):
                self._turned_at = now
                self._outcomes.clear()
            is_shut = was_shut is not turns
            self._shut_until = now + self._limits.breaker_rest if is_shut else None
            self._probing = False
            return turns

    def _is_failing(self, now: float) -> bool:
        recent = [good for good, _seconds in self._recent(now)]
        bad = recent.count(False)
        return bad >= self._limits.breaker_failures and bad >= self._limits.breaker_share * len(recent)

    def longest(self, now: float) -> float:
        """What the slowest recent answer took; 0 if none came."""
        with self._lock:
            return max((seconds for good, seconds in self._recent(now) if good), default=0.0)

    def _recent(self, now: float) -> list[tuple[bool, float]]:
        first = now - self._limits.breaker_window
        return [(good, seconds) for moment, good, seconds in self._outcomes if moment >= first]


class Waiters:
    """Callers that wait for the same thing. `long_waits` of them may wait as long as they ask to, others
    `short_wait` seconds, so that their threads are soon free for pages that need no gateway."""

    def __init__(self, long_waits: int, short_wait: float) -> None:
        self._lock = threading.Lock()
        self._long_waits, self._short_wait = long_waits, short_wait
        self.waiting = 0

    def wait(self, wait_for: Callable[[float], bool], seconds: float, beside: int = 0) -> bool:
        """What `wait_for` returns when it is given the seconds that this caller may wait; `beside` others
        hold a thread for as long without being waiters."""
        with self._lock:
            crowded = self.waiting + beside >= self._long_waits
            self.waiting += 1
        try:
            return wait_for(min(seconds, self._short_wait) if crowded else seconds)
        finally:
            with self._lock:
                self.waiting -= 1


_behind: contextvars.ContextVar[bool] = contextvars.ContextVar("behind", default=False)


def behind_pages(work: Callable[P, R]) -> Callable[P, R]:
    """`work` in the background: all that runs so shares the few places that leave the others to visitors."""

    @wraps(work)
    def behind(*args: P.args, **kwargs: P.kwargs) -> R:
        token = _behind.set(True)
        try:
            return work(*args, **kwargs)
        finally:
            _behind.reset(token)

    return behind


class Bulkhead:
    """At most so many calls in flight, of which `behind` in the background; `waiters` wait for a place. At
    first there are `at_once` places. While callers wait, each answer makes two more, up to `most`; when the
    gateway fails to answer there are `at_once` again. A call beyond those is one long wait less, so that no
    more threads are held. A short wait begins anew with each answer: a gateway that answers holds no caller
    for long."""

    def __init__(
        self, at_once: int, waiters: Waiters, behind: int | None = None, most: int | None = None
    ) -> None:
        self._changed = threading.Condition()
        self._places = at_once
        self._least = at_once
        self._most = most or at_once
        self._most_behind = behind or at_once
        self._in_flight_behind = 0
        self._answers = 0
        self.waiters = waiters
        self.in_flight = 0

    def enter(self, seconds: float) -> bool:
        """Take a place, waiting for one at most `seconds`; every True needs a `leave` in the same context."""
        wait_for = partial(self._wait_for, Deadline(seconds, time.monotonic))
        if wait_for(0.0):
            return True
        # No visitor waits for a thread in the background, so it counts as no waiter.
        if _behind.get():
            return wait_for(seconds)
        return self.waiters.wait(wait_for, seconds, beside=max(0, self.in_flight - self._least))

    def leave(self, answered: bool | None = None) -> None:
        """Give the place back; `answered` says how the gateway fared, None that nothing is known of it."""
        with self._changed:
            self.in_flight -= 1
            self._in_flight_behind -= _behind.get()
            self._answers += answered is True
            if answered and self.waiters.waiting:
                self._places = min(self._places + 2, self._most)
            elif answered is False:
                self._places = self._least
            self._changed.notify_all()

    def _wait_for(self, deadline: Deadline, seconds: float) -> bool:
        """Take a place until `deadline`, as long as the gateway answers a call every so many seconds."""
        with self._changed:
            answers = None
            while answers != self._answers:
                answers = self._answers
                if self._changed.wait_for(self._take, min(seconds, deadline.left())):
                    return True
        return False

    def _take(self) -> bool:
        behind = _behind.get()
        if self.in_flight >= self._places or (behind and self._in_flight_behind >= self._most_behind):
            return False
        self.in_flight += 1
        self._in_flight_behind += behind
        return True


class CallBudget:
    """How many extra calls may be made: over n calls at most `saved + ratio * n`, and `reserve` in a row."""

    def __init__(self, ratio: float, reserve: float, saved: float) -> None:
        self._ratio = ratio
        self._reserve = reserve
        self._left = saved
        self._lock = threading.Lock()

    def earn(self) -> None:
        with self._lock:
            self._left = min(self._reserve, self._left + self._ratio)

    def spend(self) -> bool:
        with self._lock:
            if granted := self._left >= 1.0:
                self._left -= 1.0
            return granted


class SingleFlight(Generic[R]):
    """The calls under way in this process by key: a leader makes each one, `waiters` wait for its result."""

    def __init__(self, waiters: Waiters) -> None:
        self._lock = threading.Lock()
        self._calls: dict[str, Future[R | None]] = {}
        self._waiters = waiters

    def do(
        self, key: str, work: Callable[[], R], seconds: float, *, behind: bool = False
    ) -> tuple[R | None, bool]:
        """What `work` returns, made here or by the leader of this key, and whether it was the leader's; None
        if that was not done within `seconds`, or raised. `behind`: the work has a thread of its own, if the
        process has one left, and goes on after these seconds."""
        with self._lock:
            call = self._calls.get(key)
            if leads := call is None:
                call = self._calls[key] = Future()
        if leads and not behind:
            self._lead(key, call, work)
            return call.result(), False
        if leads and not in_thread(partial(self._lead, key, call, work)):
            self._end(key, call, None)
        done = self._waiters.wait(lambda most: bool(wait([call], most).done), seconds)
        return call.result() if done else None, not leads

    def _lead(self, key: str, call: Future[R | None], work: Callable[[], R]) -> None:
        result = None
        try:
            result = work()
        finally:
            self._end(key, call, result)

    def _end(self, key: str, call: Future[R | None], result: R | None) -> None:
        with self._lock:
            del self._calls[key]
        call.set_result(result)

    def under_way(self, key: str) -> bool:
        return key in self._calls


class Background:
    """Runs jobs in daemon threads, at most `most` at a time, others are dropped; a job may take `seconds`."""

    def __init__(self, most: int = 4, seconds: float = 6.0) -> None:
        self.seconds = seconds
        self._places = threading.BoundedSemaphore(most)

    def start(self, job: Callable[[], object]) -> bool:
        """Whether the job was started: not without room or a thread for it."""

        def run() -> None:
            try:
                behind_pages(job)()
            finally:
                self._places.release()

        if not self._places.acquire(blocking=False):
            return False
        if not (started := in_thread(run)):
            self._places.release()
        return started


def in_thread(job: Callable[[], object]) -> bool:
    """Whether the job was started: the process may have no thread left for it."""

    def run() -> None:
        try:
            job()
        except Exception as error:  # no caller is left to raise it to; the next page asks again
            logger.error("refresh=failed error=%s", type(error).__name__)

    # The log lines of the job carry the id of the request that caused it.
    thread = threading.Thread(target=contextvars.copy_context().run, args=(run,), daemon=True)
    try:
        thread.start()
    except RuntimeError:
        logger.error("refresh=not-started reason=no-thread")
        return False
    return True
