"""Work behind a page: a few jobs at a time, one of a name."""

from __future__ import annotations

import contextvars
import logging
import threading
from collections.abc import Callable

logger = logging.getLogger("search.gateway")


class Background:
    """Runs each job in a thread of its own, at most `most` at a time.

    A job that finds no room is left out, for the next page brings it again. The threads are daemons: a
    process that is told to stop doesn't wait for a refresh.
    """

    def __init__(self, most: int = 4) -> None:
        self._most = most
        self._names: set[str] = set()
        self._lock = threading.Lock()

    def start(self, name: str, job: Callable[[], None]) -> bool:
        """Whether the job runs: not if one of that name does, nor without room."""
        with self._lock:
            if name in self._names or len(self._names) >= self._most:
                return False
            self._names.add(name)
        # The log lines of the job carry the id of the request that caused it.
        context = contextvars.copy_context()
        threading.Thread(target=context.run, args=(self._run, name, job), daemon=True).start()
        return True

    def _run(self, name: str, job: Callable[[], None]) -> None:
        try:
            job()
        except Exception as error:  # nobody is there to hear it; the next page asks again
            logger.error("refresh=failed error=%s", type(error).__name__)
        finally:
            with self._lock:
                self._names.discard(name)
