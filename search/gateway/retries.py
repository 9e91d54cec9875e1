"""The retry budget: a few repeats hide single faults, and no outage is answered with twice the load."""

from __future__ import annotations

import threading


class RetryBudget:
    """A purse of repeats: each call puts `ratio` of one in, each repeat takes one out, `reserve` is its size.

    Over n calls at most `reserve + ratio * n` repeats are granted. Pure: no clock, no randomness.
    """

    def __init__(self, ratio: float, reserve: float) -> None:
        self._ratio = ratio
        self._reserve = reserve
        self._purse = reserve
        self._lock = threading.Lock()

    def earn(self) -> None:
        """A call that is not itself a repeat was made."""
        with self._lock:
            self._purse = min(self._reserve, self._purse + self._ratio)

    def spend(self) -> bool:
        """Take one repeat out of the purse; False if there is none."""
        with self._lock:
            if self._purse < 1.0:
                return False
            self._purse -= 1.0
            return True
