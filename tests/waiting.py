"""Waiting for another thread or process, with an end."""

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], object], what: str, seconds: float = 10) -> None:
    """Returns as soon as `condition` holds; an AssertionError that names `what` when it doesn't in time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"{what}: not within {seconds} seconds"
        time.sleep(0.001)
