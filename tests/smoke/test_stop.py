"""A stop loses no answer."""

import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.servers import running_site
from tests.waiting import wait_until

from .test_walk import RESULTS

pytestmark = pytest.mark.thorough


def test_a_visitor_who_waits_for_the_gateway_gets_the_page() -> None:
    with running_site(SANDBOX_WEATHER="slow=1.5") as site, ThreadPoolExecutor(1) as pool:
        answer = pool.submit(site.get, RESULTS)
        # The request is under way when another one, sent after it, has been answered.
        site.get("/healthz")
        assert site.stop() == 0
        assert answer.result().status == 200


def test_a_stopping_server_is_first_not_ready_and_still_answers() -> None:
    # One process: of two the other may not know yet.
    with running_site("--workers", "1", DRAIN_SECONDS="20") as site:
        site.process.send_signal(signal.SIGTERM)
        wait_until(lambda: site.get("/readyz").status == 503, "not ready any more")
        assert site.get("/readyz").json()["stopping"] is True
        page = site.get(RESULTS)
        assert page.status == 200
        assert page.headers["Connection"] == "close"
        assert site.stop(signal.SIGQUIT) == 0  # without waiting any longer
