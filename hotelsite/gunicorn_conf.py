"""Gunicorn's settings and its worker, the same under `serve` and under a process manager:

gunicorn -c python:hotelsite.gunicorn_conf hotelsite.wsgi

gunicorn runs the processes. In each, waitress reads whole requests and sends answers in one loop over all
connections; threads only make pages. So a slow visitor costs a little memory and keeps no other waiting.
"""

import errno
import gc
import math
import os
import resource
import shutil
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from logging import getLogger
from pathlib import Path
from socket import socket
from tempfile import mkdtemp
from types import SimpleNamespace
from typing import Any, cast

import waitress.channel
import waitress.server
from django.conf import settings
from django.core.checks import Tags, run_checks
from django.db import Error, connection, connections
from django.template import engines
from django.urls import get_resolver
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, ThreadedTaskDispatcher, WSGITask

from hotelsite.settings import DRAIN_SECONDS, GATEWAY_DEADLINE, VAR_DIR, WATCH_INSIDE
from search.sandbox.airports import airports

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
        from hotelsite.middleware import REQUESTS

        REQUESTS.labels("refused", error.code).inc()
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
            connection_limit=min(CONNECTIONS, open_file_limit() // 2),
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
        self._serve(lambda seconds: seconds < DRAIN_SECONDS, ending_after=0)
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


def open_file_limit() -> int:
    """Lifts the usual limit of 1,024 open files as far as connections need and the system allows."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = 2 * CONNECTIONS if hard == resource.RLIM_INFINITY else min(2 * CONNECTIONS, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    return limit


class logger_class(Logger):  # type: ignore[misc]  # noqa: N801  # gunicorn's name for this setting
    """gunicorn's own lines in the one format of the log."""

    def setup(self, cfg: Any) -> None:
        """gunicorn's setup without its own handler."""
        super().setup(cfg)
        self.error_log.handlers.clear()
        self.error_log.propagate = True


worker_class = WaitressWorker
preload_app = True
control_socket_disable = True
loglevel = "warning"
# A process that stands still is killed two seconds later; others take its visitors from their one socket.
# The loop that says it is alive makes no page.
timeout = 10


# A stop takes longer than draining and the longest page after it.
graceful_timeout = max(30, math.ceil(DRAIN_SECONDS + GATEWAY_DEADLINE) + 4)


# Before var/, where the system has such a folder in memory: the counts are mapped files, and a process that
# writes to one on a full disk is killed.
MEMORY = Path("/dev/shm")  # noqa: S108  # only we can enter what mkdtemp makes there
ROOM_BYTES = 8_000_000


def counting_folder(parent: Path) -> Path:
    """A folder for the counts of this server's processes; those of servers that have ended are removed, and
    one of our own number: in containers numbers repeat. Raises OSError where nothing more can be written."""
    parent.mkdir(parents=True, exist_ok=True)
    for old in parent.glob("hotelsite-*-*"):
        number = old.name.split("-")[1]
        if number == str(os.getpid()) or not Path("/proc", number).exists():
            shutil.rmtree(old, ignore_errors=True)
    if shutil.disk_usage(parent).free < ROOM_BYTES:
        raise OSError(errno.ENOSPC, "no room for counts", str(parent))
    return Path(mkdtemp(prefix=f"hotelsite-{os.getpid()}-", dir=parent))


# Where nothing can be written, /metrics shows one process at a time.
raw_env = []
for _parent in (MEMORY, VAR_DIR / "metrics"):
    with suppress(OSError):
        raw_env = [f"PROMETHEUS_MULTIPROC_DIR={counting_folder(_parent)}"]
        break


# A new process inherits the signal handlers of gunicorn's first one, which would swallow an early stop. So
# stops are held back until it has handlers of its own.
STOPS = {signal.SIGTERM, signal.SIGINT, signal.SIGQUIT}
os.register_at_fork(after_in_parent=lambda: signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS))


def on_starting(server: Any) -> None:
    """Refuses a start without any process: gunicorn would listen, and no request would be answered."""
    if server.cfg.workers < 1:
        raise SystemExit("WEB_CONCURRENCY and --workers count from 1.")


def pre_fork(server: Any, worker: Any) -> None:
    """Holds stops back, in the new process until `post_worker_init`."""
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)


def post_worker_init(worker: Any) -> None:
    """Lets through a stop that has come meanwhile; asks the gateway what the first page would wait for."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
    if connection.vendor == "sqlite":
        # The last connection deletes a file beside the database that reading needs, and that nothing can make
        # again on a full disk.
        worker.database = connection.copy()
        with suppress(Error):
            worker.database.ensure_connection()
    # Not at the top, where Django isn't set up yet.
    from search.destinations import service
    from search.sharing import watches

    service.ask_ahead()
    if WATCH_INSIDE:
        watches.begin_inside()
    connections.close_all()


def post_fork(server: Any, worker: Any) -> None:
    """Opens the files in which this process counts. If an operator has cleared /dev/shm, the folder is made
    again: pages go on, counts begin anew."""
    # Not at the top: it looks for raw_env when it is imported.
    from hotelsite.middleware import open_files

    for one in raw_env:
        with suppress(OSError):
            Path(one.partition("=")[2]).mkdir(mode=0o700, parents=True, exist_ok=True)
            open_files()


def worker_exit(server: Any, worker: Any) -> None:
    """Writes the last totals and calls of a process that ends."""
    # Not at the top, where Django isn't set up yet.
    from search.monitoring import metrics
    from search.property import observed

    observed.write_pending()
    metrics.publish_pending()


def child_exit(server: Any, worker: Any) -> None:
    """Takes back the gauges of a process that has ended."""
    from prometheus_client.multiprocess import mark_process_dead

    if raw_env:
        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]  # the library types but half of itself


def when_ready(server: Any) -> None:
    """Loads what all processes share, before the fork: code, words and templates of the pages, destinations,
    the sandbox. It is never garbage, so the collector need not look at it."""
    with suppress(Error):
        for warning in run_checks(tags=[Tags.database], databases=["default"]):
            getLogger("hotelsite").warning("%s", warning.msg)
    connections.close_all()
    get_resolver().check()
    cast(Any, engines["jinja2"]).env.load_all()
    # Not at the top, where Django isn't set up yet.
    from search.destinations import service

    service.load()
    if not settings.GATEWAY_BASE_URL:
        airports()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
