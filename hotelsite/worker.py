"""A gunicorn worker whose connections are waitress's: no thread ever waits for a client.

gunicorn runs the processes. In each, waitress reads whole requests and sends answers in one loop over all
connections; threads only make pages. So a slow visitor costs a little memory and keeps nobody waiting.
"""

import ctypes
import os
import resource
import time
from contextlib import suppress
from logging import getLogger
from socket import socket
from threading import Lock
from typing import Any

import waitress.channel
import waitress.server
from django.conf import settings
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.receiver import ChunkedReceiver
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, ThreadedTaskDispatcher, WSGITask
from waitress.utilities import BadRequest, Error

# Longer addresses deserve our own error page, so they have to come in; beyond this the server refuses them.
HEADER_BYTES = 32 * 1024
# The largest upload is a picture of 2 MB.
BODY_BYTES = 8 * 1024 * 1024
# A request has to be there this long after its first byte, and an answer has to move once in this time.
SECONDS_TO_SEND = 20
CONNECTIONS = 2000
# Answered by threads of their own, so that they don't stand behind the pages.
LIGHT_PATHS = ("/static/", "/healthz", "/readyz", "/metrics")
LIGHT_THREADS = 4
# A request more than this in one process, running or waiting for a thread, is turned away: at 15 ms a page
# the last one waits two seconds. Visitors fall on processes by chance, at times nearly all on one of them.
MOST_REQUESTS = 128
RETRY_AFTER_SECONDS = 2
# Within this time all processes listen no longer. Until then no answer ends its connection: the visitor would
# connect again, and who connects between the last accept of a process and its close is reset by the kernel.
CLOSE_SECONDS = 0.5
# Between two times that memory is given back, which takes up to three milliseconds.
GIVE_BACK_SECONDS = 10.0
# An open connection may be about to carry a request when the stop comes.
LINGER_SECONDS = 1.5

_log = getLogger("hotelsite.request")


class _MonotonicClock:
    """waitress' clock. With the system's, a slow visitor would be kept for as long as it is set back."""

    time = staticmethod(time.monotonic)


waitress.channel.time = waitress.server.time = _MonotonicClock


class GunicornLogger(Logger):  # type: ignore[misc]
    """gunicorn's own lines in the one format of the log."""

    def setup(self, cfg: Any) -> None:
        """gunicorn's setup without its own handler."""
        super().setup(cfg)
        self.error_log.handlers.clear()
        self.error_log.propagate = True


class Overloaded(Error):  # type: ignore[misc]
    """503: this process has as much to do as it can do in good time."""

    code = 503
    reason = "Service Unavailable"


class RefusalTask(ErrorTask):  # type: ignore[misc]
    """The answer to a request that reaches no page: malformed, too large, or one too many."""

    def execute(self) -> None:
        error = self.request.error
        _log.info("method=- path=- status=%d ms=0", error.code)
        # gunicorn reads this module before it has set where its processes count.
        from hotelsite.metrics import count_refusal

        count_refusal(error.code)
        body = f"{error.reason}\n".encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers += [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
            ("X-Content-Type-Options", "nosniff"),
            ("Cache-Control", "no-store"),
        ]
        if isinstance(error, Overloaded):
            self.response_headers.append(("Retry-After", str(RETRY_AFTER_SECONDS)))
        self.set_close_on_finish()
        self.content_length = len(body)
        # A request that could not be read has no method.
        self.write(b"" if getattr(self.request, "command", "") == "HEAD" else body)


class PageTask(WSGITask):  # type: ignore[misc]
    """One request answered by Django."""

    def build_response_header(self) -> bytes:
        """The head of the answer; it says when the connection ends with it."""
        if self.channel.server.ending:
            self.set_close_on_finish()
        return bytes(super().build_response_header())

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ["hotelsite.turned_away"] = self.channel.server.turned_away
        environ["hotelsite.stopping"] = self.channel.server.stopping
        if self.request.command == "HEAD":
            # A file given to it is sent past `write`.
            environ.pop("wsgi.file_wrapper", None)
        return environ

    def write(self, data: bytes) -> None:
        """Sends `data` at once, and to a HEAD request the headers alone."""
        if self.request.command != "HEAD":
            super().write(data)
        elif not self.wrote_header:
            super().write(b"")
            self.chunked_response = False


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """Reads one request."""

    def received(self, data: bytes) -> int:
        """As waitress', but an unfinished line around chunks is no longer than headers may be: with each
        piece of it waitress copies all that has come, while everybody waits."""
        consumed = int(super().received(data))
        body = self.body_rcv
        if isinstance(body, ChunkedReceiver) and len(body.control_line) + len(body.trailer) > HEADER_BYTES:
            self.error = BadRequest("endless")
            self.completed = True
        return consumed

    def parse_header(self, header_plus: bytes) -> None:
        """Raises ParsingError, a 400, for what waitress itself stumbles over, such as half a bracketed host
        or a length of thousands of digits, and for a body that ends in two ways (RFC 9112, 6.1): where
        something in front of the site reads the other one, what follows is somebody else's request."""
        try:
            super().parse_header(header_plus)
        except ValueError:
            # Not with the reason, which may hold the address.
            raise ParsingError("unreadable") from None
        # waitress takes away the header of chunks that it reads; it reads none of HTTP/1.0.
        if "TRANSFER_ENCODING" in self.headers or (self.chunked and "CONTENT_LENGTH" in self.headers):
            raise ParsingError("ambiguous")


class Channel(HTTPChannel):  # type: ignore[misc]
    """One connection."""

    task_class = PageTask
    error_task_class = RefusalTask
    parser_class = Parser
    request_began = 0.0

    def received(self, data: bytes) -> bool:
        if self.request is None:
            self.request_began = time.monotonic()
        return bool(super().received(data))

    def service(self) -> None:
        try:
            super().service()
        finally:
            # A visitor who has left gets no more answers, whatever else they had asked for.
            with self.requests_lock:
                if not (self.connected and self.requests):
                    self.server.pages.discard(self)

    @property
    def busy(self) -> bool:
        """Whether a request is being read or answered, or an answer is still being sent."""
        return bool(self.request or self.requests or self.total_outbufs_len)


class Server(TcpWSGIServer):  # type: ignore[misc]
    """One listening socket and its connections; `light` are the threads for what takes no time."""

    channel_class = Channel
    # /readyz sends visitors elsewhere.
    stopping = False
    # Connections end with their answers.
    ending = False
    turned_away = 0

    def __init__(self, light: ThreadedTaskDispatcher, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.light = light
        # Connections whose page is being made or waits for a thread.
        self.pages: set[Channel] = set()

    def add_task(self, channel: Channel) -> None:
        request = channel.requests[0]
        light = request.error or request.path.startswith(LIGHT_PATHS)
        if not light and len(self.pages) >= MOST_REQUESTS:
            request.error = Overloaded("")
            self.turned_away += 1
            light = True
        if not light:
            self.pages.add(channel)
        (self.light if light else self.task_dispatcher).add_task(channel)

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
        self.accepting = False
        self.del_channel()
        self.socket.close()


class WaitressWorker(Worker):  # type: ignore[misc]
    """What gunicorn runs in each process."""

    def run(self) -> None:
        """Serves until gunicorn says stop; then, no longer ready, for DRAIN_SECONDS; then until every answer
        under way is sent."""
        _allow_open_files(2 * CONNECTIONS)
        _ask_ahead()
        connections: dict[int, Any] = {}
        pages, light = threads(self.cfg.threads), threads(LIGHT_THREADS)
        servers = [
            listen(self.wsgi, one.sock, connections, pages=pages, light=light, backlog=self.cfg.backlog)
            for one in self.sockets
        ]
        given_back = time.monotonic()
        while self.alive and self.ppid == os.getppid():
            self._turn(connections, 1.0)
            if time.monotonic() - given_back > GIVE_BACK_SECONDS:
                give_back_memory()
                given_back = time.monotonic()
        for server in servers:
            server.stopping = True
            server.ending = settings.DRAIN_SECONDS > 0
        began = time.monotonic()
        while time.monotonic() - began < settings.DRAIN_SECONDS:
            self._turn(connections, 0.1)
        for server in servers:
            server.ending = False
            server.stop()
        began = time.monotonic()
        while self._unfinished(connections, waited := time.monotonic() - began):
            for server in servers:
                server.ending = waited >= CLOSE_SECONDS
            self._turn(connections, 0.1)

    def _turn(self, connections: dict[int, Any], seconds: float) -> None:
        self.notify()
        wasyncore.poll2(seconds, connections)

    def _unfinished(self, connections: dict[int, Any], waited: float) -> bool:
        channels = [one for one in connections.values() if isinstance(one, Channel)]
        if waited < LINGER_SECONDS:
            return bool(channels)
        return waited < self.cfg.graceful_timeout and any(channel.busy for channel in channels)


def listen(
    application: Any,
    listener: socket,
    connections: dict[int, Any],
    *,
    pages: ThreadedTaskDispatcher,
    light: ThreadedTaskDispatcher,
    backlog: int = 2048,
) -> Server:
    """A server of `application` on a bound socket; it and its connections are in `connections`."""
    return Server(
        light,
        application=application,
        map=connections,
        _sock=listener,
        dispatcher=pages,
        bind_socket=False,
        sockinfo=(listener.family, listener.type, listener.proto, listener.getsockname()),
        adj=Adjustments(
            ident=None,
            # Only Django decides whether a proxy is to be believed (TRUST_PROXY).
            clear_untrusted_proxy_headers=False,
            max_request_header_size=HEADER_BYTES,
            max_request_body_size=BODY_BYTES,
            # Pages need files of their own. A system that allows too few for both has fewer connections.
            connection_limit=min(CONNECTIONS, _open_files() // 2),
            channel_timeout=SECONDS_TO_SEND,
            cleanup_interval=5,
            backlog=backlog,
            log_socket_errors=False,
        ),
    )


class LatestFirst:
    """A condition for waitress' threads that wakes the one which began to wait last: its stack is in memory
    already, and threads that aren't needed take none. `threading.Condition` wakes the first."""

    def __init__(self, lock: Lock) -> None:
        self._lock = lock
        self._waiting: list[Lock] = []

    def wait(self) -> None:
        """Until it is woken; who calls holds the lock, which is free meanwhile."""
        asleep = Lock()
        asleep.acquire()
        self._waiting.append(asleep)
        self._lock.release()
        try:
            asleep.acquire()
        finally:
            self._lock.acquire()

    def notify(self) -> None:
        if self._waiting:
            self._waiting.pop().release()

    def notify_all(self) -> None:
        while self._waiting:
            self.notify()


def threads(count: int) -> ThreadedTaskDispatcher:
    """This many threads that wait for requests."""
    waiting = ThreadedTaskDispatcher()
    waiting.queue_cv = LatestFirst(waiting.lock)
    waiting.set_thread_count(count)
    return waiting


def give_back_memory() -> None:
    """Gives back to the system what is free between blocks in use. By itself glibc does so at the end of its
    heap alone, and many searches at once leave tens of megabytes in the middle."""
    with suppress(AttributeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)


def _ask_ahead() -> None:
    """Has the gateway asked what the first page would have to wait for."""
    # Not at the top: gunicorn reads this module before Django is set up.
    from django.db import connections

    from search.destinations import service

    service.ask_ahead()
    connections.close_all()


def _open_files() -> int:
    """How many files this process may have open."""
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return CONNECTIONS * 2 if soft == resource.RLIM_INFINITY else soft


def _allow_open_files(count: int) -> None:
    """Lifts the usual limit of 1,024 open files, each connection being one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
