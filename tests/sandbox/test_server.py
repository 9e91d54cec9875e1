"""The same answers in process, over a socket and by `manage.py serve_sandbox`."""

import threading
from collections.abc import Iterator

import pytest
import requests
from django.core.management import CommandError, call_command

from search.sandbox import server as server_module
from search.sandbox.api import AIRPORTS_PATH, SEARCH_PATH
from search.sandbox.server import BASE_URL, SandboxAdapter, SandboxServer
from search.sandbox.weather import parse_weather
from tests.sandbox.questions import SEARCH

ADDRESS = BASE_URL + SEARCH_PATH


def session(weather: str = "") -> requests.Session:
    """A client of the sandbox in process."""
    client = requests.Session()
    client.mount(BASE_URL, SandboxAdapter(parse_weather(weather)))
    return client


@pytest.fixture(scope="module")
def server() -> Iterator[SandboxServer]:
    with SandboxServer("127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def waited(monkeypatch) -> list[float]:
    """The seconds that answers take, without the waiting."""
    waited: list[float] = []
    monkeypatch.setattr(server_module, "sleep", waited.append)
    return waited


def test_requests_gets_the_listing_in_process():
    response = session().get(ADDRESS, params=SEARCH)
    assert response.headers["content-type"].startswith("application/json")
    assert response.json()["Total"] > 1000


def test_a_streamed_answer_can_be_read_in_pieces():
    with session().get(ADDRESS, params=SEARCH, stream=True) as response:
        pieces = list(response.iter_content(1000))
    assert len(pieces) > 10
    assert b"".join(pieces) == session().get(ADDRESS, params=SEARCH).content


def test_only_get_is_answered_in_process():
    assert session().post(ADDRESS, params=SEARCH).status_code == 405


@pytest.mark.parametrize("timeout", [None, 5, (1, 5)])
def test_slow_weather_takes_its_time(waited, timeout):
    assert session("slow=2").get(ADDRESS, params=SEARCH, timeout=timeout).ok
    assert waited == [2.0]


def test_an_impatient_client_of_slow_weather_has_a_timeout(waited):
    with pytest.raises(requests.exceptions.ReadTimeout):
        session("slow=2").get(ADDRESS, params=SEARCH, timeout=0.5)
    assert waited == [0.5]


@pytest.mark.parametrize("path", [SEARCH_PATH, AIRPORTS_PATH, "/photos/7/pool.svg", "/nowhere"])
def test_the_socket_says_the_same_as_the_adapter(server, path):
    over = requests.get(server.base_url + path, params=SEARCH, timeout=5)
    within = session().get(BASE_URL + path, params=SEARCH)
    assert (over.status_code, over.content) == (within.status_code, within.content)
    assert over.headers["content-type"] == within.headers["content-type"]


def test_one_connection_serves_many_requests(server):
    with requests.Session() as client:
        for page in range(5):
            assert client.get(server.base_url + SEARCH_PATH, params=SEARCH | {"page": str(page)}).ok


def test_only_get_is_answered_over_the_socket(server):
    for method in ("HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"):
        response = requests.request(method, server.base_url + SEARCH_PATH, params=SEARCH, timeout=5)
        assert (response.status_code, response.headers.get("X-Made-Up-Hotels")) == (405, "yes"), method


def test_the_server_writes_no_line_with_the_key(server, capfd):
    requests.get(server.base_url + SEARCH_PATH, params=SEARCH, timeout=5)
    written = capfd.readouterr()
    assert written.out + written.err == ""


@pytest.mark.parametrize(("weather", "port", "said"), [("slow=1,frogs", 0, "frogs"), ("", 70_000, "serve")])
def test_the_command_refuses_what_cannot_be_served(settings, weather, port, said):
    settings.SANDBOX_WEATHER = weather
    with pytest.raises(CommandError, match=said):
        call_command("serve_sandbox", port=port)
