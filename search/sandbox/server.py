"""The sandbox over a real socket."""

from __future__ import annotations

import socket
from collections.abc import Callable
from datetime import date
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from search.sandbox.api import DEFAULT_KEY, MADE_UP_HEADER, Answer, problem
from search.sandbox.faults import RunningSandbox, in_its_time, long_before, standing_still
from search.sandbox.weather import FAIR, Weather


class SandboxServer(ThreadingHTTPServer):
    """Serves the interface on ``host:port`` (port 0 picks a free one); ``base_url`` says where.

    ``clock`` counts in seconds: by it the making of a slow answer is part of the time that it takes.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(
        self,
        host: str,
        port: int,
        weather: Weather = FAIR,
        *,
        key: str = DEFAULT_KEY,
        today: Callable[[], date] = long_before,
        clock: Callable[[], float] = standing_still,
    ) -> None:
        self.clock = clock
        self.sandbox = RunningSandbox(weather, key=key, today=today)
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
        sandbox = self.server.sandbox
        self._send(in_its_time(partial(sandbox.answer, self.path), sandbox.delay, self.server.clock))

    def _refuse(self) -> None:
        self.close_connection = True
        self._send(problem(405, "Only GET is answered here."))

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
