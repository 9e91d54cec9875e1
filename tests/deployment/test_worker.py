"""The server between gunicorn and Django: no client keeps a thread, and too much work is turned away."""

from __future__ import annotations

import http.client
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from waitress import wasyncore

from hotelsite import gunicorn_conf
from tests.waiting import wait_until

App = Callable[[dict[str, Any], Any], Any]
CLOSE = b"Host: x\r\nConnection: close\r\n\r\n"
CHUNKED = b"POST /?place=Rome HTTP/1.1\r\nTransfer-Encoding: chunked\r\n"


class Running:
    """`application` behind the server on a free port, with two threads for pages."""

    def __init__(self, application: App) -> None:
        listener = socket.create_server(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        self.connections: dict[int, Any] = {}
        self._over, self._stop, self._stopped = (threading.Event() for _ in range(3))
        self.server = gunicorn_conf.Server(application, listener, self.connections, 2)
        self._loop = threading.Thread(target=self._serve)
        self._loop.start()

    def _serve(self) -> None:
        while not self._over.is_set():
            wasyncore.poll2(0.05, self.connections)
            if self._stop.is_set() and not self._stopped.is_set():
                self.server.stop()
                self.server.ending = True
                self._stopped.set()

    def stop(self) -> None:
        """Listens no longer, once this returns."""
        self._stop.set()
        self._stopped.wait(20)

    def end(self) -> None:
        self._over.set()
        self._loop.join()
        self.server.task_dispatcher.shutdown()
        self.server.light.shutdown()
        wasyncore.close_all(self.connections)

    def send(self, request: bytes) -> socket.socket:
        """A connection that has sent `request`."""
        connection = socket.create_connection(("127.0.0.1", self.port), 20)
        connection.sendall(request)
        return connection

    def answer(self, request: bytes) -> bytes:
        """All that comes back until the connection ends."""
        with self.send(request) as connection:
            return connection.makefile("rb").read()

    def get(self, path: str) -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer, answer.read()


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Opens at the end of a test at the latest, so that no page waits for ever."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def start() -> Iterator[Callable[[App], Running]]:
    """Serves an application until the end of the test."""
    started: list[Running] = []

    def served(application: App) -> Running:
        started.append(Running(application))
        return started[-1]

    yield served
    for site in started:
        site.end()


@pytest.fixture
def waiting() -> list[str]:
    """The pages that have begun to wait for the gate."""
    return []


@pytest.fixture
def running(start: Callable[[App], Running], waiting: list[str], gate: threading.Event) -> Iterator[Running]:
    """/wait answers when the gate opens, /stream sends its second half then; others answer at once."""

    def application(environ: dict[str, Any], start_response: Any) -> Any:
        path = environ["PATH_INFO"]
        start_response("200 OK", [("Content-Type", "text/plain")])
        if path == "/wait":
            waiting.append(path)
            gate.wait(20)
        return _halves(gate) if path == "/stream" else [environ["wsgi.input"].read() or b"page"]

    yield start(application)
    gate.set()


def _halves(gate: threading.Event) -> Iterator[bytes]:
    yield b"first half"
    gate.wait(20)
    yield b"second half"


@pytest.mark.parametrize(
    "unfinished",
    [b"GET / HTTP/1.1\r\nHost: x\r\nX-", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc"],
)
def test_unfinished_requests_keep_no_thread(running: Running, unfinished: bytes) -> None:
    slow = [running.send(unfinished) for _ in range(20)]
    assert running.get("/")[1] == b"page"
    for one in slow:
        one.close()


def test_half_of_the_files_are_left_to_the_pages(
    monkeypatch: pytest.MonkeyPatch, start: Callable[[App], Running]
) -> None:
    monkeypatch.setattr(gunicorn_conf, "open_file_limit", lambda: 20)
    site = start(lambda _environ, _start_response: [])
    silent = [site.send(b"") for _ in range(20)]
    wait_until(lambda: site.server.in_connection_overflow, "no limit")
    assert len(site.server.active_channels) <= 10
    for one in silent:
        one.close()


def test_a_chunk_is_sent_before_the_next_is_made(running: Running, gate: threading.Event) -> None:
    with running.send(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n") as visitor:
        received = b""
        while b"first half" not in received:
            received += visitor.recv(1000)
        gate.set()
        assert b"second half" in visitor.makefile("rb").read()


@pytest.mark.parametrize("path", [b"/", b"/stream"])
def test_a_head_request_gets_the_headers_alone(running: Running, gate: threading.Event, path: bytes) -> None:
    gate.set()
    received = running.answer(b"HEAD " + path + b" HTTP/1.1\r\n" + CLOSE)
    assert received.startswith(b"HTTP/1.1 200 OK")
    assert received.endswith(b"\r\n\r\n")
    assert received.count(b"\r\n\r\n") == 1


def test_a_head_request_for_a_picture_gets_no_picture(
    settings: Any, tmp_path: Path, start: Callable[[App], Running]
) -> None:
    settings.MEDIA_ROOT = tmp_path
    (tmp_path / "rome.jpg").write_bytes(b"picture")
    site = start(WSGIHandler())
    answer = site.answer(b"HEAD /media/rome.jpg HTTP/1.1\r\n" + CLOSE.replace(b"x", b"localhost", 1))
    assert b"Content-Length: 7\r\n" in answer
    assert answer.endswith(b"\r\n\r\n")
    assert site.get("/media/rome.jpg")[1] == b"picture"


def test_a_body_reaches_the_page_whole(running: Running) -> None:
    with running.send(b"POST / HTTP/1.1\r\nContent-Length: 6\r\n" + CLOSE + b"ab") as visitor:
        visitor.sendall(b"cdef")
        assert visitor.makefile("rb").read().endswith(b"\r\n\r\nabcdef")


def test_a_request_too_many_is_turned_away_and_counted(
    running: Running, waiting: list[str], gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gunicorn_conf, "MOST_WAITING", 1)
    request = b"GET /wait HTTP/1.1\r\n" + CLOSE
    taken = []
    for at_work in (1, 2, 2):
        taken.append(running.send(request))
        wait_until(lambda at_work=at_work: len(waiting) == at_work, "no thread at work")
    # Connections are served in turn, so this one comes after all of them.
    answer, body = running.get("/more")
    assert (answer.status, body) == (503, b"Service Unavailable\n")
    assert int(answer.headers["Retry-After"]) > 0
    assert running.get("/healthz")[0].status == 200
    assert running.get("/static/site.css")[0].status == 200
    assert running.server.turned_away == 1
    gate.set()
    assert all(b"page" in one.makefile("rb").read() for one in taken)
    wait_until(lambda: running.get("/more")[0].status == 200, "a place for another visitor")
    for one in taken:
        one.close()


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"GET /?place=Rome&checkin=2030-05-01 HTTP/1.1\r\nbad header\r\n\r\n", 400),
        (b"GET /?place=Rome HTTP/1.1\r\nX: " + b"x" * 40_000 + b"\r\n\r\n", 431),
        (b"POST /?place=Rome HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", 413),
        (b"POST /?place=Rome HTTP/1.1\r\nContent-Length: " + b"9" * 4_400 + b"\r\n\r\n", 400),
        (CHUNKED + b"Content-Length: 6\r\n\r\n0\r\n\r\n", 400),
        (CHUNKED.replace(b"1.1", b"1.0") + b"\r\n0\r\n\r\n", 400),
        # What never ends around chunks would be copied with each piece of it.
        (CHUNKED + b"\r\n1;" + b"a" * 40_000, 400),
        (CHUNKED + b"Expect: 100-continue\r\n\r\n1;" + b"a" * 40_000, 400),
        (b"GET http://[place=Rome]/ HTTP/1.1\r\n\r\n", 400),
        (b"GET http://[place=Rome/ HTTP/1.1\r\n\r\n", 400),
    ],
)
def test_a_malformed_request_is_refused_with_one_line_without_it(
    running: Running, caplog: pytest.LogCaptureFixture, request_bytes: bytes, status: int
) -> None:
    caplog.set_level(logging.INFO)
    visitor = running.send(request_bytes)
    assert visitor.makefile("rb").readline().split()[1] == str(status).encode()
    visitor.close()
    (record,) = caplog.records
    assert record.levelname == "INFO"
    assert record.getMessage() == f"method=- path=- status={status} ms=0"


def test_an_address_of_eight_kilobytes_reaches_the_page(running: Running) -> None:
    assert running.get("/?place=" + "x" * 8_000)[0].status == 200


def test_a_stopping_server_answers_what_it_heard(running: Running, gate: threading.Event) -> None:
    with running.send(b"GET /wait HTTP/1.1\r\nHost: x\r\n\r\n") as visitor:
        running.get("/")
        running.stop()
        with pytest.raises(ConnectionRefusedError):
            running.get("/")
        gate.set()
        answer = visitor.makefile("rb").read()
    assert b"page" in answer
    assert b"Connection: close" in answer
