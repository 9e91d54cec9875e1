"""One attempt at a call: one request, one response, and how it ended.

The seam to the outside is requests' own, `BaseAdapter.send(request) -> Response`: the network
(`sockets.NetworkAdapter`), the embedded sandbox and the tests' scripted gateway are one adapter each.
"""

import logging
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import quote

import requests
from requests.adapters import BaseAdapter

from .errors import Garbled, GatewayError, NotFound, Rejected, Unavailable
from .resilience import Limits
from .sockets import PlainSession

logger = logging.getLogger("search.gateway")

Endpoint = Literal["search", "details", "airports"]
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
# A firewall before a gateway may take these for an attack and answer with 403, whatever the key: quotes,
# angle and curly brackets, $, ; and backslashes, control characters, a way up. A visitor's odd text pauses
# nothing.
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


@dataclass(frozen=True, slots=True)
class Upstream:
    """Which gateway: its address, the key it wants, the adapter that carries requests to it, and who
    hears the headers of its good responses."""

    base_url: str
    api_key: str = field(repr=False)
    adapter: BaseAdapter
    heard: Callable[[Mapping[str, str]], None] = lambda _headers: None


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


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an attempt ended: with a body or a failure. `repeatable`: asking again, after `wait` seconds, may
    go better; `called`: a request was made."""

    body: bytes = b""
    failure: GatewayError | None = None
    repeatable: bool = False
    wait: float = 0.0
    called: bool = True

    @property
    def word(self) -> str:
        return "ok" if self.failure is None else str(self.failure)

    @property
    def answered(self) -> bool | None:
        """True for a body, False where the gateway was unavailable; None for a call that was not made and for
        any other failure, which say nothing of its load."""
        if self.failure is None:
            return True
        return False if self.called and isinstance(self.failure, Unavailable) else None

    @property
    def good(self) -> bool:
        """Whether the gateway is up: refusals, throttling and broken documents are responses, too."""
        return not isinstance(self.failure, Unavailable) or self.failure.kind == "throttled"


class Exchange:
    """Makes requests to one gateway, the key last in the address of each; the network adapter takes it off
    again before urllib3 sees it."""

    def __init__(self, upstream: Upstream, limits: Limits, monotonic: Callable[[], float]) -> None:
        self._base = upstream.base_url.rstrip("/")
        self._key_pair = f"apikey={quote(upstream.api_key, safe='')}"
        self._limits = limits
        self._heard = upstream.heard
        self._clock = monotonic
        self._session = PlainSession(upstream.adapter, self._base)
        self._template = requests.Request("GET", self._base, headers=HEADERS).prepare()

    def attempt(self, call: Call, seconds: float) -> Outcome:
        """GET {base_url}{path}?{query}&apikey=... within `seconds` from the connection to the last byte.

        Never raises: the exceptions of requests name an address, so only their kind is returned.
        """
        ends_at = self._clock() + seconds
        # The address is set after `prepare`, which would decode and normalise the path (`%2E%2E`).
        request = self._template.copy()
        request.url = f"{self._base}{call.path}?{call.query}{'&' * bool(call.query)}{self._key_pair}"
        bounds = (min(self._limits.connect, seconds), seconds)
        timed_out = False
        try:
            with self._session.send(request, stream=True, allow_redirects=False, timeout=bounds) as response:
                return self._outcome(call, response, ends_at)
        except (requests.exceptions.ContentDecodingError, zlib.error):
            return Outcome(failure=Garbled("encoding", 200), repeatable=True)
        except (requests.RequestException, OSError) as error:
            timed_out = isinstance(error, requests.ReadTimeout)
        except Exception as error:
            # Only the name of the class is logged: messages of the HTTP libraries hold addresses.
            logger.error("endpoint=%s unexpected=%s", call.endpoint, type(error).__name__)
        # However a read broke off when its time was over, the reason is the time.
        kind = "timeout" if timed_out or self._clock() >= ends_at else "connection"
        return Outcome(failure=Unavailable(kind), repeatable=True)

    def _outcome(self, call: Call, response: requests.Response, ends_at: float) -> Outcome:
        status = response.status_code
        if status in (200, 203):
            self._heard(response.headers)
            return self._read(call, response, ends_at)
        if status == 429:
            wait, pause = self._limits.throttling(response.headers)
            failure = Unavailable("throttled", status, retry_after=pause)
            return Outcome(failure=failure, repeatable=wait is not None, wait=wait or 0.0)
        if call.sold_out and _says_sold_out(response):
            return Outcome(body=call.sold_out)
        if status == 403 and _ALARMING.search(f"{call.path}?{call.query}"):
            return Outcome(failure=Rejected("request", status))
        _statuses, error, kind, repeatable = next(row for row in FAILURES if status in row[0])
        retry_after = self._limits.refused_pause if kind == "key" else None
        return Outcome(failure=error(kind, status, retry_after), repeatable=repeatable)

    def _read(self, call: Call, response: requests.Response, ends_at: float) -> Outcome:
        """The decoded body, at most `body_bytes` of it and none of it after `ends_at`."""
        status, body = response.status_code, bytearray()
        for chunk in response.iter_content(CHUNK_BYTES):
            body += chunk
            if len(body) > self._limits.body_bytes:
                return Outcome(failure=Garbled("size", status))
            if self._clock() >= ends_at:
                return Outcome(failure=Unavailable("timeout"), repeatable=True)
        if body.startswith(_GZIP):  # without a header that says so
            body = bytearray(zlib.decompressobj(31).decompress(body, self._limits.body_bytes))
        if call.sold_out and b"".join(body.split()) == b"{}":
            return Outcome(body=call.sold_out)
        if not body:
            return Outcome(failure=Garbled("empty", status), repeatable=True)
        if not body.rstrip().endswith((b"}", b"]")):
            # Cut short by a connection that tells no length, or a page of something in between.
            return Outcome(failure=Garbled("json", status), repeatable=True)
        return Outcome(body=bytes(body))


def _says_sold_out(response: requests.Response) -> bool:
    if response.status_code not in (400, 404):
        return False
    text = next(response.iter_content(_ERROR_BYTES), b"").decode(errors="replace").lstrip()
    return text.startswith(("{", "[")) and bool(_SOLD_OUT.search(text))
