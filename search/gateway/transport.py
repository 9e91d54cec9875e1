"""Calls to the gateway within a deadline: one layer of retries, circuit breakers, bulkhead, pauses.

The seam to the outside is requests' own, `BaseAdapter.send(request) -> Response`: the network
(`sockets.NetworkAdapter`), the embedded sandbox and the tests' scripted gateway are one adapter each.
Each call is logged and counted, never with its address, its query or its body.
"""

import logging
import re
import threading
import zlib
from collections.abc import Callable, Mapping
from concurrent.futures import Future, as_completed, wait
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from typing import Literal, get_args
from urllib.parse import quote

import requests
from requests.adapters import BaseAdapter

from search.domain.process import Deadline

from . import Garbled, GatewayError, NotFound, Rejected, Unavailable, resilience
from .resilience import Clock, Limits, State
from .sockets import NetworkAdapter

logger = logging.getLogger("search.gateway")

Endpoint = Literal["search", "details", "airports"]
ENDPOINTS: tuple[Endpoint, ...] = get_args(Endpoint)
HEADERS = {"User-Agent": "hotelsite/1.0", "Accept": "application/json", "Accept-Encoding": "gzip"}
CHUNK_BYTES = 512 * 1024
# The first row that holds the status: the error, its kind, and whether one more try may go better.
FAILURES: tuple[tuple[range | set[int], type[GatewayError], str, bool], ...] = (
    ({401, 403}, Rejected, "key", False),
    ({404}, NotFound, "request", False),
    (range(400, 500), Rejected, "request", False),
    ({500, 502, 503, 504}, Unavailable, "status", True),
    (range(500, 600), Unavailable, "status", False),
    ({204}, Garbled, "empty", False),
    (range(300, 400), Garbled, "redirect", False),
    (range(1000), Garbled, "status", False),
)
# A firewall in front of the gateway may take these for an attack: quotes, angle and curly brackets, $, ;
# backslashes, control characters and `..`. Its 403 says nothing about the key, so it pauses no calls.
_ALARMING = re.compile(r"%(?:[01][\dA-F]|2[247]|3[BCE]|5C|60|7[BD])|(?:\.|%2E){2}")

# What an error document says of a search that finds no room.
_ROOMS = "(?:room|result|offer|hotel|propert(?:y|ie)|accommodation|availability|inventory|vacanc(?:y|ie))s?"
_SOLD_OUT = re.compile(
    rf"(?<![a-z])no[ _-]?(?:available[ _-])?{_ROOMS}"
    rf"|{_ROOMS}[ _-](?:(?:was|were)[ _-])?not[ _-]?(?:found|available)|sold[ _-]?out|fully[ _-]?booked",
    re.IGNORECASE,
)
_GZIP = b"\x1f\x8b"
_ERROR_BYTES = 4_096
# A property that doesn't exist (any more) is nothing to warn of.
ORDINARY = frozenset({"ok", "request 404"})


@dataclass(frozen=True, slots=True)
class Upstream:
    """Which gateway, and what carries requests to it."""

    base_url: str
    api_key: str = field(repr=False)
    adapter: BaseAdapter


@dataclass(frozen=True, slots=True)
class Call:
    """`path` begins with a slash, `query` has neither "?" nor the key; both are percent-encoded already and
    sent byte for byte. `provider` is the only one that is asked, percent-encoded, too. `sold_out` is the body
    that an error which says so, or an empty object, stands for; empty where these are failures."""

    endpoint: Endpoint
    path: str
    query: str
    provider: str = ""
    sold_out: bytes = b""


# How an attempt ended: with a body or a failure.
Outcome = bytes | GatewayError


def _says_sold_out(response: requests.Response) -> bool:
    if response.status_code not in (400, 404):
        return False
    text = next(response.iter_content(_ERROR_BYTES), b"").decode(errors="replace").lstrip()
    return text.startswith(("{", "[")) and bool(_SOLD_OUT.search(text))


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


_records: ContextVar[list[CallRecord] | None] = ContextVar("records", default=None)


def record_calls() -> list[CallRecord]:
    """The calls that this context makes from now on."""
    records: list[CallRecord] = []
    _records.set(records)
    return records


class CallLog:
    """Logs each record as one line, hands it to the listeners, and counts the calls made."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[CallRecord], None]] = []
        self._lock = threading.Lock()
        self.calls_made = 0

    def listen(self, listener: Callable[[CallRecord], None]) -> None:
        self._listeners.append(listener)

    def add(self, record: CallRecord) -> None:
        if record.cache == "miss":
            with self._lock:
                self.calls_made += 1
            if (records := _records.get()) is not None:
                records.append(record)
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
    """What staff and monitoring may know. `paused`: seconds; `refused`: endpoints that refused the key."""

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
        limits: Limits = resilience.LIMITS,
        log: CallLog | None = None,
        clock: Clock = resilience.SYSTEM_CLOCK,
    ) -> None:
        self._limits = limits
        self._clock = clock
        self._base = upstream.base_url.rstrip("/")
        # Last in each address; the network adapter takes it off again before urllib3 sees it.
        self._key_pair = f"apikey={quote(upstream.api_key, safe='')}"
        # Those of the last good response.
        self.headers: Mapping[str, str] = {}
        # Without a session of requests there are no cookies, redirects, proxies and .netrc.
        self._adapter = upstream.adapter
        self._template = requests.Request("GET", self._base, headers=HEADERS).prepare()
        self._breakers = {endpoint: resilience.Breaker(limits) for endpoint in ENDPOINTS}
        # In process a second call, or more at once, would only take the first one's time.
        self._networked = isinstance(upstream.adapter, NetworkAdapter)
        waiters = resilience.Waiters(limits.long_waits, limits.short_wait)
        most = limits.at_once_most if self._networked else None
        self._bulkhead = resilience.Bulkhead(limits.at_once, waiters, limits.behind, most)
        self._retries = resilience.CallBudget(limits.retry_ratio, limits.retry_reserve, limits.retry_reserve)
        self._hedges = resilience.CallBudget(limits.hedge_ratio, limits.hedge_reserve, saved=0.0)
        self._pauses = resilience.Pauses(limits)
        self._calls = log or CallLog()

    def get(self, call: Call, deadline: Deadline) -> bytes:
        """GET {base_url}{call.path}?{call.query}: the decoded body, after at most two requests. Raises
        Unavailable, Rejected, NotFound or Garbled at the latest when `deadline` ends."""
        self._retries.earn()
        outcome = self._attempt(call, deadline, 1)
        if isinstance(outcome, GatewayError) and self._may_repeat(call, outcome, deadline):
            outcome = self._attempt(call, deadline, 2)
        if isinstance(outcome, GatewayError):
            # Its own traceback would hold this frame, and the frame holds the outcome: a circle.
            raise outcome.afresh()
        return outcome

    def status(self) -> TransportStatus:
        now = self._clock.monotonic()
        return TransportStatus(
            breakers={endpoint: breaker.state(now) for endpoint, breaker in self._breakers.items()},
            calls_made=self._calls.calls_made,
            in_flight=self._bulkhead.in_flight,
            waiting=self._bulkhead.waiters.waiting,
            paused=self._paused(),
            refused=self._pauses.refused,
        )

    def immediate_failure(self, endpoint: Endpoint, provider: str = "") -> GatewayError | None:
        """Why a call, of this provider if one is asked, would fail at once; None where it would be made."""
        now = self._clock.monotonic()
        if refusal := self._pauses.refusal(endpoint, provider, now):
            return refusal
        if not self._breakers[endpoint].admits(now):
            return Unavailable("open")
        pause = self._paused()
        return Unavailable("throttled", 429, pause) if pause > self._limits.throttle_wait else None

    def failing(self, endpoint: Endpoint) -> bool:
        """Whether its breaker isn't closed: the next call is made to find out whether answers come again."""
        return self._breakers[endpoint].state(self._clock.monotonic()) != "closed"

    def _may_repeat(self, call: Call, failure: GatewayError, deadline: Deadline) -> bool:
        """Whether one more call may follow; if so, the wait before it is over."""
        if not failure.repeatable:
            return False
        wait = self._limits.retry_wait + self._limits.retry_jitter * self._clock.random()
        wait += failure.retry_after or 0.0
        admitted = self._breakers[call.endpoint].admits(self._clock.monotonic())
        if not admitted or wait + self._limits.evidence > deadline.left() or not self._retries.spend():
            return False
        self._clock.sleep(wait)
        return True

    def _attempt(self, call: Call, deadline: Deadline, number: int) -> Outcome:
        """One attempt, unless a pause, the breaker or the bulkhead forbids it."""
        if refusal := self._held_back(call, deadline):
            return refusal
        if not self._bulkhead.enter(deadline.left()):
            return Unavailable("full")
        return (self._over_network if self._networked else self._in_place)(call, deadline, number)

    def _over_network(self, call: Call, deadline: Deadline, number: int) -> Outcome:
        """The outcome of a call or, if a first one is slow, of another beside it, whichever is good first. No
        caller waits beyond its deadline, however long the system looks up a name."""
        calls = [self._start(call, deadline, number)]
        if number == 1:
            self._hedges.earn()
            is_slow = not wait(calls, min(self._limits.hedge_after, deadline.left())).done
            if is_slow and deadline.left() > self._limits.least and self._may_hedge(call):
                calls.append(self._start(call, deadline, 2))
        outcome: Outcome = Unavailable("timeout")
        with suppress(TimeoutError):
            for ended in as_completed(calls, deadline.left()):
                outcome = ended.result()
                if not isinstance(outcome, Unavailable | Garbled):
                    break
        return outcome.afresh() if len(calls) > 1 and isinstance(outcome, GatewayError) else outcome

    def _may_hedge(self, call: Call) -> bool:
        """Whether a second call may start at once; if so, a place is taken for it."""
        held_back = self.failing(call.endpoint) or self.immediate_failure(call.endpoint, call.provider)
        if held_back or self._paused() or not self._bulkhead.enter(0.0):
            return False
        if self._hedges.spend():
            return True
        self._bulkhead.leave()
        return False

    def _start(self, call: Call, deadline: Deadline, number: int) -> Future[Outcome]:
        """One attempt in a thread; "full" where the process has no thread left for it."""
        ended: Future[Outcome] = Future()
        if not resilience.in_thread(lambda: ended.set_result(self._in_place(call, deadline, number))):
            self._bulkhead.leave()
            ended.set_result(Unavailable("full"))
        return ended

    def _in_place(self, call: Call, deadline: Deadline, number: int) -> Outcome:
        """One attempt in the place that was taken for it, which is free afterwards."""
        began, seconds, answered = self._clock.monotonic(), deadline.left(), None
        try:
            if seconds < self._limits.least:
                return Unavailable("timeout")
            if not self._breakers[call.endpoint].admit(began):
                return Unavailable("open")
            outcome = self._exchange(call, seconds)
            if isinstance(outcome, bytes | Unavailable):
                answered = isinstance(outcome, bytes)
            self._heed(call, outcome, began, seconds, number)
            return outcome
        finally:
            self._bulkhead.leave(answered)

    def _heed(self, call: Call, outcome: Outcome, began: float, seconds: float, number: int) -> None:
        """Log how a call of at most so many seconds ended, for the breaker and the pauses, too."""
        now, breaker = self._clock.monotonic(), self._breakers[call.endpoint]
        failure = outcome if isinstance(outcome, GatewayError) else None
        word = str(failure or "ok")
        self._calls.add(CallRecord(call.endpoint, word, round((now - began) * 1000), number))
        # With less time than answers take these days a timeout doesn't tell slow from down.
        proves = word != "timeout" or seconds >= max(self._limits.evidence, breaker.longest(now))
        # Refusals, throttling and broken documents are responses of a gateway that is up.
        is_up = not isinstance(failure, Unavailable) or failure.kind == "throttled"
        if proves and breaker.report(began, good=is_up, now=now):
            logger.warning("endpoint=%s breaker=%s", call.endpoint, breaker.state(now))
        if self._pauses.note(call.endpoint, call.provider, failure, now):
            of = f" provider={call.provider}" if call.provider else ""
            logger.error("endpoint=%s%s the gateway refused the API key", call.endpoint, of)

    def _held_back(self, call: Call, deadline: Deadline) -> GatewayError | None:
        """Why no call may be made now, None where one may; a short pause is waited out first."""
        if failure := self.immediate_failure(call.endpoint, call.provider):
            return failure
        if pause := self._paused():
            wait = pause + self._limits.retry_jitter * self._clock.random()
            if wait + self._limits.evidence <= deadline.left():
                self._clock.sleep(wait)
        left = self._paused()
        return Unavailable("throttled", 429, left) if left else None

    def _paused(self) -> float:
        return self._pauses.throttle_left(self._clock.monotonic())

    def _exchange(self, call: Call, seconds: float) -> Outcome:
        """One request, from the connection to the last byte within `seconds`. Never raises: the exceptions of
        requests name an address, so only their kind is returned."""
        ends_at = self._clock.monotonic() + seconds
        # The address is set after `prepare`, which would decode and normalise the path (`%2E%2E`).
        request = self._template.copy()
        request.url = f"{self._base}{call.path}?{call.query}{'&' * bool(call.query)}{self._key_pair}"
        bounds = (min(self._limits.connect, seconds), seconds)
        timed_out = False
        try:
            with self._adapter.send(request, stream=True, timeout=bounds) as response:
                return self._outcome(call, response, ends_at)
        except (requests.exceptions.ContentDecodingError, zlib.error):
            return Garbled("encoding", 200, repeatable=True)
        except (requests.RequestException, OSError) as error:
            timed_out = isinstance(error, requests.ReadTimeout)
        except Exception as error:
            # Only the name of the class is logged: messages of the HTTP libraries hold addresses.
            logger.error("endpoint=%s unexpected=%s", call.endpoint, type(error).__name__)
        # However a read broke off when its time was over, the reason is the time.
        kind = "timeout" if timed_out or self._clock.monotonic() >= ends_at else "connection"
        return Unavailable(kind, repeatable=True)

    def _outcome(self, call: Call, response: requests.Response, ends_at: float) -> Outcome:
        status = response.status_code
        if status in (200, 203):
            self.headers = response.headers
            return self._read(call, response, ends_at)
        if status == 429:
            repeatable, pause = self._limits.throttling(response.headers)
            return Unavailable("throttled", status, pause, repeatable)
        if call.sold_out and _says_sold_out(response):
            return call.sold_out
        if status == 403 and _ALARMING.search(f"{call.path}?{call.query}"):
            return Rejected("request", status)
        _statuses, error, kind, repeatable = next(row for row in FAILURES if status in row[0])
        retry_after = self._limits.refused_pause if kind == "key" else None
        return error(kind, status, retry_after, repeatable)

    def _read(self, call: Call, response: requests.Response, ends_at: float) -> Outcome:
        """The decoded body, at most `body_bytes` of it and none of it after `ends_at`."""
        status, body = response.status_code, bytearray()
        for chunk in response.iter_content(CHUNK_BYTES):
            body += chunk
            if len(body) > self._limits.body_bytes:
                return Garbled("size", status)
            if self._clock.monotonic() >= ends_at:
                return Unavailable("timeout", repeatable=True)
        if body.startswith(_GZIP):  # without a header that says so
            body = bytearray(zlib.decompressobj(31).decompress(body, self._limits.body_bytes))
        if call.sold_out and b"".join(body.split()) == b"{}":
            return call.sold_out
        if not body:
            return Garbled("empty", status, repeatable=True)
        if not body.rstrip().endswith((b"}", b"]")):
            # Cut short by a connection that tells no length, or a page of something in between.
            return Garbled("json", status, repeatable=True)
        return bytes(body)
