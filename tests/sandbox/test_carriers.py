"""The same answers in process and over a socket."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
import requests
from requests.adapters import BaseAdapter

from search.gateway import factory
from search.sandbox import faults
from search.sandbox.adapter import BASE_URL, SandboxAdapter
from search.sandbox.api import AIRPORTS_PATH, SEARCH_PATH
from search.sandbox.server import SandboxServer
from search.sandbox.weather import parse_weather
from tests.sandbox.questions import SEARCH


def session(carrier: str | BaseAdapter = "") -> requests.Session:
    """A client of the sandbox in process: in some weather, or by an adapter of the test's."""
    client = requests.Session()
    adapter = SandboxAdapter(parse_weather(carrier)) if isinstance(carrier, str) else carrier
    client.mount(BASE_URL, adapter)
    return client


@pytest.fixture(scope="module")
def server() -> Iterator[SandboxServer]:
    with serving(SandboxServer("127.0.0.1", 0)) as server:
        yield server


@contextmanager
def serving(server: SandboxServer) -> Iterator[SandboxServer]:
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def test_requests_gets_the_listing_in_process():
    response = session().get(BASE_URL + SEARCH_PATH, params=SEARCH)
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("application/json")
    assert response.json()["Total"] > 1000


def test_a_streamed_answer_can_be_read_in_pieces():
    with session().get(BASE_URL + SEARCH_PATH, params=SEARCH, stream=True) as response:
        pieces = list(response.iter_content(1000))
    assert len(pieces) > 10
    assert b"".join(pieces) == session().get(BASE_URL + SEARCH_PATH, params=SEARCH).content


def test_only_get_is_answered_in_process():
    assert session().post(BASE_URL + SEARCH_PATH, params=SEARCH).status_code == 405


def test_slow_weather_is_a_timeout_for_an_impatient_client():
    with pytest.raises(requests.exceptions.ReadTimeout):
        session("slow=5").get(BASE_URL + SEARCH_PATH, params=SEARCH, timeout=(1, 0.001))


@pytest.fixture
def waited(monkeypatch) -> list[float]:
    """The seconds that answers were waited for, which nobody does."""
    waited: list[float] = []
    monkeypatch.setattr(faults, "sleep", waited.append)
    return waited


@pytest.mark.parametrize(("making", "left"), [(0.25, 0.75), (3.0, 0.0)])
class TestASlowAnswerIsMadeInTheTimeThatItTakes:
    @pytest.fixture
    def in_two_seconds(self, making: float) -> dict[str, Any]:
        moments = iter((10.0, 10.0 + making))
        return {"weather": parse_weather("slow=2"), "clock": lambda: next(moments)}

    def test_over_a_socket(self, waited, in_two_seconds, left):
        with serving(SandboxServer("127.0.0.1", 0, **in_two_seconds)) as server:
            assert requests.get(server.base_url + SEARCH_PATH, params=SEARCH, timeout=5).status_code == 200
        assert waited == [1.0, left]

    @pytest.mark.parametrize("timeout", [None, 5, (1, 5)])
    def test_in_process(self, waited, in_two_seconds, left, timeout):
        adapter = SandboxAdapter(**in_two_seconds)
        assert session(adapter).get(BASE_URL + SEARCH_PATH, params=SEARCH, timeout=timeout).ok
        assert waited == [1.0, left]


def test_nobody_waits_for_a_slow_answer_longer_than_its_client(waited):
    with pytest.raises(requests.exceptions.ReadTimeout):
        session("slow=2").get(BASE_URL + SEARCH_PATH, params=SEARCH, timeout=0.5)
    assert waited == [0.5]


def test_the_site_has_its_slow_answers_made_in_their_time(settings, monkeypatch):
    settings.SANDBOX_WEATHER = "slow=0.01"
    moments = iter((10.0, 13.0))
    monkeypatch.setattr(factory, "time", SimpleNamespace(monotonic=lambda: next(moments)))
    answered = session(factory.build_adapter()).get(BASE_URL + SEARCH_PATH, params=SEARCH)
    assert (answered.status_code, list(moments)) == (200, [])


def test_the_socket_says_the_same_as_the_adapter(server):
    for path in (SEARCH_PATH, AIRPORTS_PATH, "/photos/7/pool.svg", "/nowhere"):
        over, within = (client.get(base + path, params=SEARCH) for client, base in (
            (requests.Session(), server.base_url), (session(), BASE_URL)
        ))  # fmt: skip
        assert (over.status_code, over.content) == (within.status_code, within.content)
        assert over.headers["content-type"] == within.headers["content-type"]


def test_one_connection_serves_many_requests(server):
    with requests.Session() as client:
        for page in range(5):
            response = client.get(server.base_url + SEARCH_PATH, params=SEARCH | {"page": str(page)})
            assert response.status_code == 200


def test_only_get_is_answered_over_the_socket(server):
    for method in ("HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"):
        refused = requests.request(method, server.base_url + SEARCH_PATH, params=SEARCH, timeout=5)
        assert (refused.status_code, refused.headers.get("X-Made-Up-Hotels")) == (405, "yes"), method


def test_the_server_writes_no_line_with_the_key(server, capfd):
    requests.get(server.base_url + SEARCH_PATH, params=SEARCH, timeout=5)
    written = capfd.readouterr()
    assert written.out + written.err == ""
