"""Each call is one line of the log, counted, and told to those who listen."""

from __future__ import annotations

from search.gateway.transport import CallLog, CallRecord


def record(cache: str) -> CallRecord:
    return CallRecord("search", "ok", 5, cache=cache)


def test_a_listener_hears_of_every_record_whether_a_call_was_made_or_not() -> None:
    log = CallLog()
    heard: list[str] = []
    log.listen(lambda record: heard.append(record.cache))
    for cache in ("miss", "hit", "stale", "joined"):
        log.add(record(cache))
    assert heard == ["miss", "hit", "stale", "joined"]


def test_only_calls_that_were_made_are_counted() -> None:
    log = CallLog()
    for cache in ("hit", "miss", "stale", "joined", "miss"):
        log.add(record(cache))
    assert log.calls_made == 2
