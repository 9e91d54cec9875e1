"""A gunicorn worker whose connections are waitress's: no thread ever waits for a client.

gunicorn runs the processes. In each, waitress reads whole requests and sends answers in one loop over all
connections; threads only make pages. So a slow visitor costs a little memory and keeps no other waiting.
"""

import math
import os
import resource
import time
from collections.abc import Callable
from logging import getLogger
from socket import socket
from types import SimpleNamespace
from typing import Any

import waitress.channel
import waitress.server
from django.conf import settings
from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, ThreadedTaskDispatcher, WSGITask

# Too long addresses deserve our own error page, so they have to come in.
HEADER_BYTES = 32 * 1024
BODY_BYTES = 8 * 1024 * 1024  # the largest upload is a picture of 2 MB
# A request has to be there this long after its first byte, and an answer has to move once in this time.
SECONDS_TO_SEND = 20
CONNECTIONS = 2000
# Threads of their own answer these, so that they don't stand behind the pages.
LIGHT_PATHS = ("/static/", "/healthz", "/readyz", "/metrics")
LIGHT_THREADS = 4
# Requests for pages beyond those that have a thread; one more is turned away. At 15 ms a page the last one
# waits two seconds. Visitors fall on processes by chance, at times nearly all on one of them.
MOST_WAITING = 96
# After a stop all processes have closed their sockets by then. Before it no answer ends its connection: the
# kernel resets a visitor who connects again between the last accept of a process and its close.
CLOSE_SECONDS = 0.5
LINGER_SECONDS = 1.5  # an open connection may be about to carry a request when the stop comes

# With the system's clock, a slow visitor would stay for as long as that is set back.
waitress.channel.time = waitress.server.time = SimpleNamespace(time=time.monotonic)

OVERLOADED = SimpleNamespace(code=503, reason="Service Unavailable")


class RefusalTask(ErrorTask):  # type: ignore[misc]
    """The answer to a request that reaches no page: malformed, too large, or one too many."""

    def execute(self) -> None:
        error = self.request.error
        getLogger("hotelsite.request").info("method=- path=- status=%d ms=0", error.code)
        # gunicorn reads this module before it has set where its processes count.
        from hotelsite.middleware import count_refusal

        count_refusal(error.code)
        body = f"{error.reason}\n".encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers += [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
            ("X-Content-Type-Options", "nosniff"),
            ("Cache-Control", "no-store"),
        ]
        if error is OVERLOADED:
            self.response_headers.append(("Retry-After", "2"))
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(b"" if getattr(self.request, "command", "") == "HEAD" else body)


class PageTask(WSGITask):  # type: ignore[misc]
    """One request answered by Django."""

    def build_response_header(self) -> bytes:
        if self.channel.server.ending:
            self.set_close_on_finish()
        return bytes(super().build_response_header())

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ["hotelsite.turned_away"] = self.channel.server.turned_away
        environ["hotelsite.stopping"] = self.channel.server.stopping
        if self.request.command == "HEAD":
            environ.pop("wsgi.file_wrapper", None)  # its files are sent past `write`
        return environ

    def write(self, data: bytes) -> None:
        """Sends `data` at once, and to a HEAD request the headers alone."""
        is_head = self.request.command == "HEAD"
        super().write(b"" if is_head else data)
        if is_head:
            self.chunked_response = False


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """Reads one request."""

    def parse_header(self, header_plus: bytes) -> None:
        """Refuses what waitress stumbles over, such as half a bracketed host, and bodies in chunks."""
        try:
            super().parse_header(header_plus)
        except ValueError:  # its reason may hold the address
            raise ParsingError("unreadable") from None
        # No browser sends forms in chunks. Where a proxy reads a length instead, what follows is another
        # visitor's request (RFC 9112, 6.1); and waitress copies an unfinished line with each piece of it.
        if self.chunked or "TRANSFER_ENCODING" in self.headers:
            self.expect_continue = False
            raise ParsingError("chunks")


class Channel(HTTPChannel):  # type: ignore[misc]
    """One connection."""

    task_class = PageTask
    error_task_class = RefusalTask
    parser_class = Parser

    def received(self, data: bytes) -> bool:
        if self.request is None:
            self.request_began = time.monotonic()
        return bool(super().received(data))


class Server(TcpWSGIServer):  # type: ignore[misc]
    """One bound socket, its connections, which are in `connections`, and its threads."""

    channel_class = Channel
    turned_away = 0
    # Of all servers of the process: /readyz sends visitors elsewhere, and connections end with their answers.
    stopping = ending = False

    def __init__(self, page: Any, listener: socket, connections: dict[int, Any], threads: int) -> None:
        self.light = ThreadedTaskDispatcher()
        self.light.set_thread_count(LIGHT_THREADS)
        adjustments = Adjustments(
            threads=threads,
            ident=None,
            clear_untrusted_proxy_headers=False,  # TRUST_PROXY decides, in Django
            max_request_header_size=HEADER_BYTES,
            max_request_body_size=BODY_BYTES,
            # Pages need files of their own. A system that allows too few for both has fewer connections.
            connection_limit=min(CONNECTIONS, open_files() // 2),
            channel_timeout=SECONDS_TO_SEND,
            cleanup_interval=5,
            log_socket_errors=False,
        )
        bound = {"_sock": listener, "sockinfo": (listener.family, listener.type), "bind_socket": False}
        super().__init__(page, connections, adj=adjustments, **bound)

    def add_task(self, channel: Channel) -> None:
        request, pages = channel.requests[0], self.task_dispatcher
        if request.error or request.path.startswith(LIGHT_PATHS):
            self.light.add_task(channel)
        elif len(pages.queue) < MOST_WAITING:
            pages.add_task(channel)
        else:
            request.error = OVERLOADED
            self.turned_away += 1
            self.light.add_task(channel)

    def maintenance(self, now: float) -> None:
        """Closes connections that were idle or have been sending one request for too long."""
        super().maintenance(now)
        for channel in self.active_channels.values():
            if channel.request is not None and now - channel.request_began > SECONDS_TO_SEND:
                channel.will_close = True

    def stop(self) -> None:
        """Takes what is waiting to be accepted, then listens no longer."""
        before = -1
        while before != len(self.active_channels):
            before = len(self.active_channels)
            self.handle_accept()
        self.del_channel()
        self.socket.close()


class WaitressWorker(Worker):  # type: ignore[misc]
    """What gunicorn runs in each process."""

    def run(self) -> None:
        """Serves until gunicorn says stop; then, not ready, for DRAIN_SECONDS; then until all is sent."""
        self.connections: dict[int, Any] = {}
        servers = [Server(self.wsgi, one.sock, self.connections, self.cfg.threads) for one in self.sockets]
        self._serve(lambda _seconds: self.alive and self.ppid == os.getppid())
        Server.stopping = True
        self._serve(lambda seconds: seconds < settings.DRAIN_SECONDS, ending_after=0)
        Server.ending = False
        for server in servers:
            server.stop()
        self._serve(self._is_busy, ending_after=CLOSE_SECONDS)

    def _serve(self, goes_on: Callable[[float], bool], ending_after: float = math.inf) -> None:
        """Serves while `goes_on`, which is asked once a turn and given the seconds so far."""
        began = time.monotonic()
        while goes_on(seconds := time.monotonic() - began):
            Server.ending = seconds >= ending_after
            self.notify()
            wasyncore.poll2(0.1 if Server.stopping else 1.0, self.connections)

    def _is_busy(self, seconds: float) -> bool:
        """Whether connections may still carry something, so long after the server stopped to listen."""
        channels = [one for one in self.connections.values() if isinstance(one, Channel)]
        if seconds < LINGER_SECONDS:
            return bool(channels)
        busy = (one.request or one.requests or one.total_outbufs_len for one in channels)
        return seconds < self.cfg.graceful_timeout and any(busy)


def open_files() -> int:
    """Lifts the usual limit of 1,024 open files as far as connections need and the system allows."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = 2 * CONNECTIONS if hard == resource.RLIM_INFINITY else min(2 * CONNECTIONS, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    return limit
