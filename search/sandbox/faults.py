"""A running sandbox: counts its requests and lets the weather happen to them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import date
from time import sleep

from search.sandbox.api import DEFAULT_KEY, Answer, answer, problem
from search.sandbox.movement import LONG_BEFORE
from search.sandbox.weather import FAIR, Weather

RETRY_AFTER_SECONDS = 2
_FAILURES = {
    429: "Too many requests.",
    502: "The service behind the gateway did not answer.",
    503: "The service is not available.",
    504: "The service behind the gateway took too long.",
}


def long_before() -> date:
    """No day in particular, at which prices have not begun to move."""
    return LONG_BEFORE


def standing_still() -> float:
    """No time goes by while an answer is made."""
    return 0.0


class RunningSandbox:
    """One sandbox with one weather; safe to share between threads.

    ``delay`` is what each answer takes in seconds; whoever carries the answer waits for it, because only
    the carrier knows how long its client is willing to. ``today`` tells on which day a request asks.
    """

    def __init__(
        self, weather: Weather = FAIR, *, key: str = DEFAULT_KEY, today: Callable[[], date] = long_before
    ) -> None:
        self._weather = weather
        self._today = today
        self._key = key
        self._turns = itertools.count()
        self.delay = weather.slow

    def answer(self, target: str) -> Answer:
        """The answer to ``GET target`` (path and query, percent-encoded) in this weather."""
        path, _, query = target.partition("?")
        if path.startswith("/photos/"):
            return answer(path, query)
        failure = self._weather.failure(next(self._turns))
        if failure is not None:
            return self._failed(failure)
        given = answer(path, query, weather=self._weather, key=self._key, asked=self._today())
        if self._weather.garbled and given.status == 200:
            return Answer(given.status, given.headers, given.body[: len(given.body) * 2 // 3])
        return given

    @staticmethod
    def _failed(status: int) -> Answer:
        given = problem(status, _FAILURES[status])
        if status in (429, 503):
            return Answer(status, {**given.headers, "Retry-After": str(RETRY_AFTER_SECONDS)}, given.body)
        return given


def in_its_time(
    make: Callable[[], Answer], seconds: float, clock: Callable[[], float], patience: float | None = None
) -> Answer:
    """What ``make`` makes, once ``seconds`` are over, of which the making is a part.

    It begins half-way: in process it would hold up the page that asks, or the one that the answer before it
    is for. Raises ``TimeoutError`` when the client's patience (None is endless) ends before.
    """
    if patience is not None and patience < seconds:
        sleep(patience)
        raise TimeoutError
    if not seconds:
        return make()
    sleep(seconds / 2)
    began = clock()
    made = make()
    sleep(max(0.0, seconds / 2 - (clock() - began)))
    return made
