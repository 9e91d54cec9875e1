"""Single flight: of all callers who want the same value at once one fetches it and the others wait for it.

Also here: threads for refreshes that no page waits for.
"""

from __future__ import annotations

import contextvars
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Generic, TypeVar

from .resilience import Waiters

logger = logging.getLogger("search.gateway")

R = TypeVar("R")


class SingleFlight(Generic[R]):
    """The calls under way in this process by key: a leader makes each one, `waiters` wait for its result."""

    def __init__(self, waiters: Waiters) -> None:
        self._lock = threading.Lock()
        self._calls: dict[str, Future[R | None]] = {}
        self._waiters = waiters

    def do(self, key: str, work: Callable[[], R], seconds: float) -> tuple[R | None, bool]:
        """What `work` returns, made here or by the leader of this key, and whether it was the leader's.

        None if the leader was not done within `seconds`, or raised.
        """
        with self._lock:
            call = self._calls.get(key)
            if leads := call is None:
                call = self._calls[key] = Future()
        if not leads:
            done = self._waiters.wait(lambda most: bool(wait([call], most).done), seconds)
            return call.result() if done else None, True
        result = None
        try:
            result = work()
            return result, False
        finally:
            with self._lock:
                del self._calls[key]
            call.set_result(result)

    def under_way(self, key: str) -> bool:
        return key in self._calls


class Background:
    """Runs jobs in daemon threads, at most `most` at a time; a job may take `seconds`.

    A job that finds no room is dropped, for the next page brings it again.
    """

    def __init__(self, most: int = 4, seconds: float = 6.0) -> None:
        self.seconds = seconds
        self._most = most
        self._names: set[str] = set()
        self._lock = threading.Lock()

    def start(self, name: str, job: Callable[[], None]) -> bool:
        """Whether the job was started: not if one of that name runs, nor without room."""
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
        except Exception as error:  # no caller is left to raise it to; the next page asks again
            logger.error("refresh=failed error=%s", type(error).__name__)
        finally:
            with self._lock:
                self._names.discard(name)
