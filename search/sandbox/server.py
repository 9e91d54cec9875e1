"""A running sandbox: in process for `requests`, or over a socket."""

from __future__ import annotations

import itertools
import socket
from collections.abc import Callable, Mapping
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from time import sleep

from requests import PreparedRequest, Response
from requests.adapters import HTTPAdapter
from requests.exceptions import ReadTimeout
from urllib3 import HTTPResponse

from search.sandbox.api import MADE_UP_HEADER, Answer, answer, problem
from search.sandbox.photos import ORIGIN
from search.sandbox.pricing import LONG_BEFORE
from search.sandbox.weather import FAIR, Weather

# This name never resolves, so a session without the adapter cannot reach anything by mistake.
BASE_URL = ORIGIN
RETRY_AFTER_SECONDS = 2
_FAILURES = {
    429: "Too many requests.",
    502: "The service behind the gateway did not answer.",
    503: "The service is not available.",
    504: "The service behind the gateway took too long.",
}
_NOT_GET = "Only GET is answered here."
Timeout = float | tuple[float | None, float | None] | None
Today = Callable[[], date]


def long_before() -> date:
    """No day in particular, at which prices have not begun to move."""
    return LONG_BEFORE


class RunningSandbox:
    """Counts its requests and lets the weather happen to them; safe to share between threads. `today` tells
    on which day a request asks."""

    def __init__(self, weather: Weather = FAIR, *, today: Today = long_before) -> None:
        self._weather = weather
        self._today = today
        self._turns = itertools.count()

    def answer(self, target: str, patience: float | None = None) -> Answer:
        """The answer to `GET target` (path and query, percent-encoded) in this weather; `TimeoutError` for a
        client whose patience ends before."""
        if patience is not None and patience < self._weather.slow:
            sleep(patience)
            raise TimeoutError
        sleep(self._weather.slow)
        path, _, query = target.partition("?")
        if path.startswith("/photos/"):
            return answer(path, query)
        failure = self._weather.failure(next(self._turns))
        if failure is not None:
            given = problem(failure, _FAILURES[failure])
            headers = {"Retry-After": str(RETRY_AFTER_SECONDS)} if failure in (429, 503) else {}
            return Answer(failure, given.headers | headers, given.body)
        given = answer(path, query, weather=self._weather, asked=self._today())
        if self._weather.garbled and given.status == 200:
            return Answer(given.status, given.headers, given.body[: len(given.body) * 2 // 3])
        return given


class SandboxAdapter(HTTPAdapter):
    """Lets `requests` talk to the sandbox without a socket: mount it on `BASE_URL`."""

    def __init__(self, weather: Weather = FAIR, *, today: Today = long_before) -> None:
        super().__init__()
        self._sandbox = RunningSandbox(weather, today=today)

    def send(
        self,
        request: PreparedRequest,
        stream: bool = False,
        timeout: Timeout = None,
        verify: bool | str = True,
        cert: bytes | str | tuple[bytes | str, bytes | str] | None = None,
        proxies: Mapping[str, str] | None = None,
    ) -> Response:
        """The response to a request; `ReadTimeout` if the weather is slower than the timeout allows."""
        patience = timeout[1] if isinstance(timeout, tuple) else timeout
        try:
            answer = (
                self._sandbox.answer(request.path_url, patience)
                if request.method == "GET"
                else problem(405, _NOT_GET)
            )
        except TimeoutError:
            raise ReadTimeout(request=request) from None
        headers = {**answer.headers, "Content-Length": str(len(answer.body))}
        raw = HTTPResponse(BytesIO(answer.body), headers, answer.status, preload_content=False)
        return self.build_response(request, raw)


class SandboxServer(ThreadingHTTPServer):
    """Serves the interface on `host:port` (port 0 picks a free one); `base_url` says where."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, host: str, port: int, weather: Weather = FAIR, *, today: Today = long_before) -> None:
        self.sandbox = RunningSandbox(weather, today=today)
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        super().__init__((host, port), _Handler)

    @property
    def base_url(self) -> str:
        """The gateway address to give to a client."""
        host, port = self.socket.getsockname()[:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class _Handler(BaseHTTPRequestHandler):
    """One connection; quiet, because the request line carries the key."""

    protocol_version = "HTTP/1.1"
    server_version = "sandbox"
    sys_version = ""
    # Headers and body leave in one packet; without this a small answer waits for the client's ACK.
    wbufsize = -1
    disable_nagle_algorithm = True
    timeout = 30
    server: SandboxServer

    def do_GET(self) -> None:
        self._send(self.server.sandbox.answer(self.path))

    def _refuse(self) -> None:
        self.close_connection = True
        self._send(problem(405, _NOT_GET))

    do_HEAD = do_POST = do_OPTIONS = do_PUT = do_PATCH = do_DELETE = _refuse  # noqa: N815

    def _send(self, answer: Answer) -> None:
        try:
            self.send_response(answer.status)
            self.send_header(MADE_UP_HEADER, "yes")
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(answer.body)
            self.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""
