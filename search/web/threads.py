"""Threads that make a page, or parts of one side by side, each with its own connections to the database."""

from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from contextvars import Context, copy_context
from functools import partial
from typing import TypeVar

from django.db import connections

T = TypeVar("T")
R = TypeVar("R")


def started(pool: Executor, context: Context, work: Callable[[], R]) -> Future[R] | None:
    """`work` under way in a thread of the pool; None where the process has no thread left for it."""
    try:
        return pool.submit(context.run, _with_own_connections, work)
    except RuntimeError:
        # It is queued all the same: a later thread does it for nobody.
        return None


def in_parallel(pool: Executor, work: Callable[[T], R], parts: Iterable[T]) -> list[R]:
    """What `work` gives for each part, side by side; in the caller's thread for those that get none."""
    under_way = [(one, started(pool, copy_context(), partial(work, one))) for one in parts]
    return [future.result() if future else work(one) for one, future in under_way]


def _with_own_connections(work: Callable[[], R]) -> R:
    try:
        return work()
    finally:
        connections.close_all()
