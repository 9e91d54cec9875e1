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


def test_work_that_waits_behind_pages_crowds_no_visitor() -> None:
    bulkhead = Bulkhead(1, Waiters(long_waits=1, short_wait=0.01), behind=1)
    bulkhead.enter(0)
    entered: list[bool] = []
    work = threading.Thread(target=lambda: entered.append(behind_pages(bulkhead.enter)(5)))
    work.start()
    assert bulkhead.waiters.waiting == 0
    bulkhead.leave()
    work.join()
    assert entered == [True]
