"""Two processes of a real server, and a gateway that counts its calls on the wire."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from search.sandbox.server import SandboxServer
from search.sandbox.weather import parse_weather
from tests.servers import at_once, results, running_site
from tests.waiting import wait_until

pytestmark = pytest.mark.thorough


@contextmanager
def _counting_gateway(calls: Counter[str]) -> Iterator[str]:
    """The sandbox on a socket; `calls` has each address that it was asked for."""
    server = SandboxServer("127.0.0.1", 0, parse_weather("slow=0.2"))
    answer = server.sandbox.answer

    def count(target: str, patience: float | None = None) -> object:
        calls[target] += 1
        return answer(target, patience)

    server.sandbox.answer = count  # type: ignore[method-assign,assignment]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with server:
        yield server.base_url
        server.shutdown()


def test_fifty_searches_in_two_processes_are_one_call_a_page() -> None:
    calls: Counter[str] = Counter()
    with (
        _counting_gateway(calls) as gateway,
        running_site("--workers", "2", GATEWAY_BASE_URL=gateway, GATEWAY_API_KEY="sandbox") as site,
    ):
        site.search("Barcelona")
        progress = results("Rome").replace("/hotels/", "/hotels/progress/")
        visits = at_once([lambda: site.search("Rome") for _ in range(50)])
        assert {visit.status for visit in visits} == {200}
        for _ in range(8):  # of whichever process
            wait_until(lambda: site.get(progress).json()["done"], "all pages")
        assert len(site.workers()) == 2
    asked = {target: count for target, count in calls.items() if "Rome" in target}
    assert len(asked) >= 6
    assert set(asked.values()) == {1}, asked
