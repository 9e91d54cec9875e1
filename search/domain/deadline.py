"""How long one page may still spend on the gateway, over all of its calls."""

from collections.abc import Callable


class Deadline:
    """`seconds` is the budget of all calls; `clock` is any monotonic clock in seconds, read at once."""

    __slots__ = ("_began", "_clock", "_ends")

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._began = clock()
        self._ends = self._began + max(0.0, seconds)

    def left(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self._ends - self._clock())

    def spent(self) -> float:
        """Seconds since it was set."""
        return self._clock() - self._began

    @property
    def passed(self) -> bool:
        return self.left() <= 0.0
