"""What is written to the database behind pages: in batches, later if the database is away."""

import logging
import time
from collections import deque
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from django.db import Error

T = TypeVar("T")

logger = logging.getLogger(__name__)


class WriteBehind(Generic[T]):
    """Items on their way to the database, which is written at most once in `seconds`. Items in between are
    written with the next batch, or when the process ends; beyond `most` some are dropped."""

    seconds = 0.2
    most = 10_000
    what = "items"

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._writing = Lock()
        self._pending: deque[T] = deque(maxlen=self.most)
        self._due = float("-inf")

    def gather(self, item: T) -> None:
        self._pending.append(item)

    def write_if_due(self) -> bool:
        """Write what is pending, unless the last batch was written just now; whether there was a try."""
        if not self._pending or self._clock() < self._due:
            return False
        self._due = self._clock() + self.seconds
        self.write()
        return True

    def write(self) -> None:
        """Write what is pending, later if the database is away; a write holds up no other thread."""
        if not self._writing.acquire(blocking=False):
            return
        batch = [self._pending.popleft() for _ in range(len(self._pending))]
        try:
            if batch:
                self.save(batch)
        except Error as error:  # an InterfaceError is no DatabaseError
            logger.warning("%s could not be written yet (%s)", self.what, type(error).__name__)
            self._pending.extendleft(reversed(batch))
        finally:
            self._writing.release()

    def save(self, batch: list[T]) -> None:
        """Write the batch and take out of it what is written."""
        raise NotImplementedError
