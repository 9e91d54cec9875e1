"""The bulkhead: places, callers that wait for one, and callers beyond those."""

from __future__ import annotations

import threading
import time

from search.gateway.resilience import Bulkhead, Waiters, behind_pages
from tests.waiting import wait_until


def test_places_are_given_and_given_back() -> None:
    bulkhead = Bulkhead(2, Waiters(long_waits=1, short_wait=0.01))
    assert bulkhead.enter(0)
    assert bulkhead.enter(0)
    assert not bulkhead.enter(0)
    bulkhead.leave()
    assert bulkhead.enter(0)
    assert bulkhead.in_flight == 2


def test_a_waiting_caller_gets_the_next_place() -> None:
    bulkhead = Bulkhead(1, Waiters(long_waits=1, short_wait=0.01))
    bulkhead.enter(0)
    entered: list[bool] = []
    caller = threading.Thread(target=lambda: entered.append(bulkhead.enter(5)))
    caller.start()
    wait_until(lambda: bulkhead.waiters.waiting, "a caller that waits")
    bulkhead.leave()
    caller.join()
    assert entered == [True]


def test_too_many_callers_give_their_threads_back_early() -> None:
    bulkhead = Bulkhead(1, Waiters(long_waits=1, short_wait=0.05))
    bulkhead.enter(0)
    first = threading.Thread(target=bulkhead.enter, args=(5,))
    first.start()
    wait_until(lambda: bulkhead.waiters.waiting, "a caller that waits")
    began = time.monotonic()
    assert not bulkhead.enter(5)
    assert time.monotonic() - began < 1
    bulkhead.leave()
    first.join()


def test_work_behind_pages_leaves_places_to_visitors() -> None:
    bulkhead = Bulkhead(4, Waiters(long_waits=1, short_wait=0.01), behind=2)
    enter_behind, leave_behind = behind_pages(bulkhead.enter), behind_pages(bulkhead.leave)
    assert [enter_behind(0) for _ in range(3)] == [True, True, False]
    assert [bulkhead.enter(0) for _ in range(3)] == [True, True, False]
    bulkhead.leave()
    assert not enter_behind(0)
    leave_behind()
    assert enter_behind(0)


def waiting(bulkhead: Bulkhead, seconds: float = 5) -> tuple[threading.Thread, list[bool]]:
    """A caller that waits for a place, and whether it got one."""
    entered: list[bool] = []
    caller = threading.Thread(target=lambda: entered.append(bulkhead.enter(seconds)))
    before = bulkhead.waiters.waiting
    caller.start()
    wait_until(lambda: bulkhead.waiters.waiting > before, "a caller that waits")
    return caller, entered


def fill(bulkhead: Bulkhead) -> int:
    """Takes all places there are; how many they were."""
    taken = 0
    while bulkhead.enter(0):
        taken += 1
    return taken


def test_while_callers_wait_each_answer_makes_two_more_places() -> None:
    bulkhead = Bulkhead(1, Waiters(long_waits=4, short_wait=0.01), most=4)
    seen = []
    for _ in range(3):
        seen.append(fill(bulkhead))
        caller, entered = waiting(bulkhead)
        bulkhead.leave(answered=True)
        caller.join()
        assert entered == [True]
        for _ in range(bulkhead.in_flight):
            bulkhead.leave()
    assert (seen, fill(bulkhead)) == ([1, 3, 4], 4)


def test_answers_that_nobody_waited_for_make_none() -> None:
    bulkhead = Bulkhead(2, Waiters(long_waits=4, short_wait=0.01), most=3)
    for _ in range(5):
        bulkhead.enter(0)
        bulkhead.leave(answered=True)
    assert fill(bulkhead) == 2


def grown(long_waits: int) -> Bulkhead:
    """One of a single place that has two by now, one of them taken."""
    bulkhead = Bulkhead(1, Waiters(long_waits, short_wait=0.01), most=2)
    bulkhead.enter(0)
    caller, _entered = waiting(bulkhead)
    bulkhead.leave(answered=True)
    caller.join()
    return bulkhead


def test_without_answers_there_are_as_many_places_as_at_first() -> None:
    bulkhead = grown(long_waits=4)
    bulkhead.leave(answered=None)
    assert fill(bulkhead) == 2
    bulkhead.leave(answered=False)
    bulkhead.leave(answered=None)
    assert fill(bulkhead) == 1
