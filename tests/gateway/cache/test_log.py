"""Every answer is one line that says where it came from."""

from __future__ import annotations

import logging
import threading
from contextvars import ContextVar

import pytest

from search.gateway import Garbled, Unavailable
from search.gateway.resilience import Background
from tests.gateway.cache.conftest import Setting


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [
        f"{record.levelname} {record.endpoint} {record.outcome} {record.cache}"
        for record in caplog.records
        if hasattr(record, "cache")
    ]


def test_hit_stale_and_stale_for_a_failure_are_told_apart(
    setting: Setting, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "search.gateway")
    gateway = setting.gateway()
    setting.ask(gateway)
    setting.ask(gateway)
    setting.elapsed = 301
    setting.ask(gateway)
    setting.elapsed = 10_000
    setting.client.failure = Unavailable("status", 503)
    setting.ask(gateway)
    assert lines(caplog) == ["INFO search ok hit", "INFO search ok stale", "WARNING search status 503 stale"]
    assert "Rome" not in caplog.text


def test_a_stale_answer_that_nobody_refreshes_says_why(
    setting: Setting, caplog: pytest.LogCaptureFixture
) -> None:
    gateway = setting.gateway()
    setting.ask(gateway)
    setting.elapsed = 301
    setting.client.resting = Unavailable("open")
    setting.ask(gateway)
    assert lines(caplog)[-1] == "WARNING search open stale"


def test_a_refresh_logs_under_the_request_that_caused_it() -> None:
    request = ContextVar("request", default="-")
    seen: list[str] = []
    done = threading.Event()

    def job() -> None:
        seen.append(request.get())
        done.set()

    request.set("abc")
    Background().start(job)
    done.wait(5)
    assert seen == ["abc"]


@pytest.mark.parametrize(("failure", "warnings"), [(Garbled("envelope"), 1), (Garbled("size", 200), 0)])
def test_a_document_off_the_contract_is_one_warning(
    setting: Setting, caplog: pytest.LogCaptureFixture, failure: Garbled, warnings: int
) -> None:
    setting.client.failure = failure
    with pytest.raises(Garbled):
        setting.ask(setting.gateway())
    told = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert told == ["endpoint=search garbled=envelope"] * warnings
