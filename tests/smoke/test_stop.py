"""A stop loses no answer."""

import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.waiting import wait_until

from .conftest import started
from .test_walk import RESULTS

pytestmark = pytest.mark.thorough


def test_sigterm_lets_a_visitor_who_waits_for_the_gateway_have_the_page(tmp_path: Path) -> None:
    with started(tmp_path, SANDBOX_WEATHER="slow=1.5") as site, ThreadPoolExecutor(1) as pool:
        answer = pool.submit(site.get, RESULTS)
        # The request is under way when another one, sent after it, has been answered.
        site.get("/healthz")
        site.process.send_signal(signal.SIGTERM)
        assert answer.result().status_code == 200
        assert site.process.wait(timeout=40) == 0


def test_a_server_that_is_told_to_stop_is_first_not_ready_and_still_answers(tmp_path: Path) -> None:
    # One process: of two the other may not have been told yet.
    with started(tmp_path, workers=1, DRAIN_SECONDS="20") as site:
        site.process.send_signal(signal.SIGTERM)
        wait_until(lambda: site.get("/readyz").status_code == 503, "not ready any more")
        assert site.get("/readyz").json()["stopping"] is True
        page = site.get(RESULTS)
        assert page.status_code == 200
        assert page.headers["Connection"] == "close"
        site.process.send_signal(signal.SIGQUIT)  # as somebody who waits no longer
        assert site.process.wait(timeout=40) == 0
