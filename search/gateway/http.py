"""One attempt: one request, one answer, and a verdict on it. Nobody else touches requests."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

import requests
from requests.adapters import BaseAdapter

from .config import Limits
from .errors import Garbled, GatewayError, NotFound, Rejected, Unavailable
from .resilience import Throttle
from .sockets import PlainSession, WireAdapter

logger = logging.getLogger("search.gateway")

Endpoint = Literal["search", "details", "airports"]
USER_AGENT = "hotelsite/1.0"
CHUNK_BYTES = 64 * 1024
# Worth one more try: the gateway, or something between, stumbled.
PASSING_STATUSES = frozenset({500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Call:
    """`path` begins with a slash and is appended to the base address; `query` has neither "?" nor the key.

    Both are percent-encoded already and are sent byte for byte as they are.
    """

    endpoint: Endpoint
    path: str
    query: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an attempt ended: with a body or with a failure.

    `repeatable` says that asking again might go better, `throttle` what a 429 asked for. `called` is False
    if no request was made.
    """

    body: bytes = b""
    failure: GatewayError | None = None
    repeatable: bool = False
    throttle: Throttle | None = None
    called: bool = True

    @property
    def word(self) -> str:
        return "ok" if self.failure is None else str(self.failure)

    @property
    def good(self) -> bool:
        """Whether the gateway is up: refusals, throttling and broken documents come from a gateway that
        answers.
        """
        return not isinstance(self.failure, Unavailable) or self.throttle is not None


class Exchange:
    """Makes requests to one base address.

    The key stands last in each request's address. Beyond `adapter` it goes no further than the request line:
    `sockets` keeps it out of urllib3.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        limits: Limits,
        adapter: BaseAdapter | None,
        clock: Callable[[], float],
    ) -> None:
        key = quote(api_key, safe="")
        self._base = base_url.rstrip("/")
        self._key_pair = f"apikey={key}"
        self._limits = limits
        self._clock = clock
        self._session = PlainSession(adapter or WireAdapter(key, limits.at_once), self._base)
        self._template = requests.Request(
            "GET",
            self._base,
            headers={"User-Agent": USER_AGENT, "Accept": "application/json", "Accept-Encoding": "gzip"},
        ).prepare()

    def attempt(self, call: Call, seconds: float) -> Outcome:
        """GET {base_url}{path}?{query}&apikey=... within `seconds` from the connection to the last byte.

        Never raises: whatever requests lets out names an address, so it ends here and only its kind goes on.
        """
        ends_at = self._clock() + seconds
        try:
            response = self._session.send(
                self._request(call),
                stream=True,
                allow_redirects=False,
                timeout=(min(self._limits.connect, seconds), seconds),
            )
            try:
                return self._judge(response, ends_at)
            finally:
                response.close()
        except requests.exceptions.Timeout:
            kind = "timeout"
        except requests.exceptions.ContentDecodingError:
            kind = "encoding"
        except (requests.exceptions.RequestException, OSError):
            kind = "connection"
        except Exception as error:
            # The name of the class is all that may be told: messages of the HTTP libraries hold addresses.
            logger.error("endpoint=%s unexpected=%s", call.endpoint, type(error).__name__)
            kind = "connection"
        if kind == "encoding":
            return Outcome(failure=Garbled(kind, 200), repeatable=True)
        if self._clock() >= ends_at:
            # However a read broke off when its time was over, the reason is the time.
            kind = "timeout"
        return Outcome(failure=Unavailable(kind), repeatable=True)

    def _request(self, call: Call) -> requests.PreparedRequest:
        """The address is set behind the back of requests, which would decode and normalise the path
        (`%2E%2E`).
        """
        request = self._template.copy()
        query = f"{call.query}&{self._key_pair}" if call.query else self._key_pair
        request.url = f"{self._base}{call.path}?{query}"
        return request

    def _judge(self, response: requests.Response, ends_at: float) -> Outcome:
        status = response.status_code
        if status in (200, 203):
            return self._read(response, ends_at)
        if status == 429:
            throttle = Throttle.read(response.headers, self._limits)
            failure = Unavailable("throttled", status, retry_after=throttle.pause)
            return Outcome(failure=failure, repeatable=throttle.wait is not None, throttle=throttle)
        return Outcome(failure=failure_of(status), repeatable=status in PASSING_STATUSES)

    def _read(self, response: requests.Response, ends_at: float) -> Outcome:
        """The decoded body, at most `body_bytes` of it and none of it after `ends_at`."""
        status = response.status_code
        chunks = []
        size = 0
        for chunk in response.iter_content(CHUNK_BYTES):
            size += len(chunk)
            if size > self._limits.body_bytes:
                return Outcome(failure=Garbled("size", status))
            if self._clock() >= ends_at:
                return Outcome(failure=Unavailable("timeout"), repeatable=True)
            chunks.append(chunk)
        body = b"".join(chunks)
        if not body:
            return Outcome(failure=Garbled("empty", status), repeatable=True)
        if body.rstrip()[-1:] not in (b"}", b"]"):
            # Cut short by a connection that tells no length, or a page of something in between: worth a
            # second try.
            return Outcome(failure=Garbled("json", status), repeatable=True)
        return Outcome(body=body)


def failure_of(status: int) -> GatewayError:
    """The error of an answer that is neither a result nor a 429."""
    if status in (401, 403):
        return Rejected("key", status)
    if status == 404:
        return NotFound("request", status)
    if 400 <= status < 500:
        return Rejected("request", status)
    if 500 <= status < 600:
        return Unavailable("status", status)
    if status == 204:
        return Garbled("empty", status)
    return Garbled("redirect" if 300 <= status < 400 else "status", status)
