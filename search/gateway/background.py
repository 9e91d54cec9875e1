"""Work behind a page: at most two threads, at most sixteen jobs, one job a name."""

from __future__ import annotations

import contextvars
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

logger = logging.getLogger("search.gateway")


class Background:
    """Runs jobs in threads of its own; a job that finds no room is left out, for the next page brings it
    again.
    """

    def __init__(self, threads: int = 2, most: int = 16) -> None:
        self._most = most
        self._names: set[str] = set()
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="gateway-refresh")

    def start(self, name: str, job: Callable[[], None]) -> bool:
        """Whether the job will run: not if one of that name is waiting or running, nor without room."""
        with self._lock:
            if name in self._names or len(self._names) >= self._most:
                return False
            self._names.add(name)
        # The log lines of the job carry the id of the request that caused it.
        self._pool.submit(contextvars.copy_context().run, self._run, name, job)
        return True

    def _run(self, name: str, job: Callable[[], None]) -> None:
        try:
            job()
        except Exception as error:  # nobody is there to hear it; the next page asks again
            logger.error("refresh=failed error=%s", type(error).__name__)
        finally:
            with self._lock:
                self._names.discard(name)
