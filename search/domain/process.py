"""The parts of one process, such as connections and caches, and the time that a page has for the gateway.

The name of a part is the function that builds it: `process.part(build_gateway)` is built on first use, so
after a server's fork. `apps.ready()` starts the process. A test starts another one and so begins as a new
process does: `process.start().put(build_gateway, gateway)`.
"""

from collections.abc import Callable
from threading import RLock
from typing import Any, TypeVar, cast


class Deadline:
    """`seconds` is the budget of all calls of a page, from now on by `clock`, any monotonic clock."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._began = clock()
        self._ends = self._began + max(0.0, seconds)

    def left(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self._ends - self._clock())

    def spent(self) -> float:
        return self._clock() - self._began

    @property
    def passed(self) -> bool:
        return self.left() <= 0.0


T = TypeVar("T")


class Process:
    """Parts by the function that builds them, each built once, on first use."""

    def __init__(self) -> None:
        self._lock = RLock()  # a part may need another while it is built
        self._parts: dict[Callable[[], Any], Any] = {}

    def part(self, build: Callable[[], T]) -> T:
        if build not in self._parts:
            with self._lock:
                if build not in self._parts:
                    self._parts[build] = build()
        return cast(T, self._parts[build])

    def put(self, build: Callable[[], T], part: Any) -> None:
        with self._lock:
            self._parts[build] = part


Setup = Callable[[Process], None]

# The current process and the setup of each new one: the only names in the project that are set anew.
_current = Process()
_setup: Setup | None = None


def start(setup: Setup | None = None) -> Process:
    """Begin anew, without any part; threads that still use the process before keep its parts. `setup` is
    called with the new process and with each later one, until a call gives another setup."""
    global _current, _setup
    _setup = setup or _setup
    started = Process()
    if _setup is not None:
        _setup(started)
    _current = started
    return started


def part(build: Callable[[], T]) -> T:
    return _current.part(build)


def put(build: Callable[[], T], part: Any) -> None:
    _current.put(build, part)
