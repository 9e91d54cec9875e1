"""Gunicorn's settings, the same under `serve` and under a process manager:

gunicorn -c python:hotelsite.gunicorn_conf hotelsite.wsgi
"""

import errno
import gc
import math
import os
import shutil
import signal
from contextlib import suppress
from logging import getLogger
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, cast

from django.conf import settings
from django.core.checks import Tags, run_checks
from django.db import Error, connection, connections
from django.template import engines
from django.urls import get_resolver
from gunicorn.glogging import Logger

from hotelsite.settings import DRAIN_SECONDS, GATEWAY_DEADLINE, VAR_DIR, WATCH_INSIDE
from search.sandbox.airports import airports


class logger_class(Logger):  # type: ignore[misc]  # noqa: N801  # gunicorn's name for this setting
    """gunicorn's own lines in the one format of the log."""

    def setup(self, cfg: Any) -> None:
        """gunicorn's setup without its own handler."""
        super().setup(cfg)
        self.error_log.handlers.clear()
        self.error_log.propagate = True


worker_class = "hotelsite.worker.WaitressWorker"
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
    from search.sharing import watching

    service.ask_ahead()
    if WATCH_INSIDE:
        watching.begin_inside()
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
    """Writes the last hand-overs, totals and calls of a process that ends."""
    # Not at the top, where Django isn't set up yet.
    from search.monitoring import hand_overs, metrics
    from search.property import observed

    hand_overs.write_pending()
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
