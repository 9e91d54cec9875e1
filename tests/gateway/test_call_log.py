"""Each call is one line of the log, remembered for staff, and told to those who listen."""

from __future__ import annotations

from search.gateway.call_log import CallLog, CallRecord


def record(cache: str = "miss", ms: int = 5) -> CallRecord:
    return CallRecord("search", "ok", ms, at=1.0, cache=cache)


def test_a_listener_hears_of_every_record_whether_a_call_was_made_or_not() -> None:
    log = CallLog(50)
    heard: list[str] = []
    log.listen(lambda record: heard.append(record.cache))
    for cache in ("miss", "hit", "stale", "joined"):
        log.add(record(cache))
    assert heard == ["miss", "hit", "stale", "joined"]


def test_only_calls_that_were_made_are_remembered_and_counted() -> None:
    log = CallLog(50)
    log.add(record("hit"))
    log.add(record("miss"))
    assert log.calls_made == 1
    assert log.latest_first() == (record("miss"),)


def test_calls_are_counted_beyond_those_that_are_remembered() -> None:
    log = CallLog(3)
    for number in range(10):
        log.add(record(ms=number))
    assert log.calls_made == 10
    assert [call.ms for call in log.latest_first()] == [9, 8, 7]
