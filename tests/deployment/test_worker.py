"""The server between gunicorn and Django: no client keeps a thread, and too much work is turned away."""

from __future__ import annotations

import http.client
import logging
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from waitress import wasyncore

from hotelsite import worker
from tests.waiting import wait_until

App = Callable[[dict[str, Any], Any], Any]


class Running:
    """`application` behind the server on a free port, with two threads for pages."""

    def __init__(self, application: App) -> None:
        listener = socket.create_server(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        self.connections: dict[int, Any] = {}
        self._over = False
        self._stop = threading.Event()
        self._stopped = threading.Event()
        self.server = worker.listen(
            application, listener, self.connections, pages=worker.threads(2), light=worker.threads(1)
        )
        self._loop = threading.Thread(target=self._serve)
        self._loop.start()

    def _serve(self) -> None:
        while not self._over:
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
        self._over = True
        self._loop.join()
        self.server.task_dispatcher.shutdown()
        self.server.light.shutdown()
        wasyncore.close_all(self.connections)

    def send(self, request: bytes) -> socket.socket:
        """A connection that has sent `request`."""
        one = socket.create_connection(("127.0.0.1", self.port), 20)
        one.sendall(request)
        return one

    def get(self, path: str, method: str = "GET") -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, path)
        answer = connection.getresponse()
        return answer, answer.read()


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Opens at the end of a test at the latest, so that no page waits for ever."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def running(gate: threading.Event) -> Iterator[Running]:
    """/wait answers when the gate opens, /stream sends its second half then, /thread names who answers;
    anything else answers at once."""

    def application(environ: dict[str, Any], start: Any) -> Any:
        path = environ["PATH_INFO"]
        start("200 OK", [("Content-Type", "text/plain")])
        if path == "/wait":
            gate.wait(20)
        if path == "/thread":
            return [threading.current_thread().name.encode()]
        return _halves(gate) if path == "/stream" else [environ["wsgi.input"].read() or b"page"]

    site = Running(application)
    yield site
    gate.set()
    site.end()


def _halves(gate: threading.Event) -> Iterator[bytes]:
    yield b"first half"
    gate.wait(20)
    yield b"second half"


def test_one_request_after_the_other_is_answered_by_one_thread(running: Running) -> None:
    by = set()
    for _number in range(6):
        _wait_for_active(running, 0)
        by.add(running.get("/thread")[1])
    assert len(by) == 1


def test_all_threads_wake_up_where_all_have_work(running: Running, gate: threading.Event) -> None:
    waiting = [running.send(b"GET /wait HTTP/1.0\r\n\r\n") for _number in range(2)]
    _wait_for_active(running, 2)
    gate.set()
    assert [one.recv(12) for one in waiting] == [b"HTTP/1.0 200"] * 2


def _wait_for_active(running: Running, threads: int) -> None:
    pages = running.server.task_dispatcher
    wait_until(lambda: pages.active_count == threads, f"{threads} active threads")


@pytest.mark.parametrize(
    "unfinished",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\nX-",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc",
    ],
)
def test_unfinished_requests_keep_no_thread(running: Running, unfinished: bytes) -> None:
    slow = [running.send(unfinished) for _ in range(20)]
    assert running.get("/")[1] == b"page"
    for one in slow:
        one.close()


def test_where_few_files_may_be_open_half_of_them_are_left_to_the_pages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker.resource, "getrlimit", lambda _which: (20, 20))
    site = Running(lambda _environ, _start: [])
    silent = [site.send(b"") for _ in range(20)]
    try:
        wait_until(lambda: site.server.in_connection_overflow, "no limit")
        assert len(site.server.active_channels) <= 10
    finally:
        for one in silent:
            one.close()
        site.end()


def test_a_clock_that_was_set_back_keeps_no_slow_visitor(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "SECONDS_TO_SEND", 0.2)
    running.server.adj.cleanup_interval = running.server.next_channel_cleanup = 0
    slow = running.send(b"GET / HTTP/1.1\r\nHost: x\r\nX-")
    assert running.get("/")[1] == b"page"
    right = time.time
    monkeypatch.setattr(time, "time", lambda: right() - 3600)
    slow.settimeout(5)
    assert slow.recv(1000) == b""


def test_a_chunk_is_sent_before_the_next_one_is_made(running: Running, gate: threading.Event) -> None:
    visitor = running.send(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
    received = b""
    while b"first half" not in received:
        received += visitor.recv(1000)
    gate.set()
    while data := visitor.recv(1000):
        received += data
    assert b"second half" in received
    visitor.close()


@pytest.mark.parametrize("path", ["/", "/stream"])
def test_a_head_request_gets_the_headers_alone_and_keeps_its_connection_in_step(
    running: Running, gate: threading.Event, path: str
) -> None:
    gate.set()
    visitor = running.send(f"HEAD {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    received = b""
    while data := visitor.recv(1000):
        received += data
    assert received.startswith(b"HTTP/1.1 200 OK")
    assert received.endswith(b"\r\n\r\n")
    visitor.close()


def test_a_head_request_for_a_picture_gets_no_picture(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path
    (tmp_path / "rome.jpg").write_bytes(b"picture")
    site = Running(WSGIHandler())
    try:
        visitor = site.send(b"HEAD /media/rome.jpg HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = visitor.makefile("rb").read()
        assert b"Content-Length: 7\r\n" in answer
        assert answer.endswith(b"\r\n\r\n")
        assert site.get("/media/rome.jpg")[1] == b"picture"
        visitor.close()
    finally:
        site.end()


def test_a_body_reaches_the_page_whole(running: Running) -> None:
    visitor = running.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\nConnection: close\r\n\r\nab")
    visitor.sendall(b"cdef")
    assert visitor.makefile("rb").read().endswith(b"\r\n\r\nabcdef")
    visitor.close()


def test_a_request_too_many_is_turned_away_and_counted(
    running: Running, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "MOST_REQUESTS", 3)
    taken = [running.send(b"GET /wait HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") for _ in range(3)]
    # Connections are served in turn, so this one comes after all of them.
    answer, body = running.get("/more")
    assert (answer.status, body) == (503, b"Service Unavailable\n")
    assert int(answer.headers["Retry-After"]) > 0
    assert running.get("/healthz")[0].status == 200
    assert running.get("/static/site.css")[0].status == 200
    assert running.server.turned_away >= 1
    gate.set()
    assert all(b"page" in one.makefile("rb").read() for one in taken)
    assert running.get("/more")[0].status == 200
    for one in taken:
        one.close()


def test_who_leaves_with_another_request_under_way_leaves_no_place_taken() -> None:
    visitors: SimpleQueue[socket.socket] = SimpleQueue()
    gone = threading.Event()

    class Answer(list[bytes]):
        def close(self) -> None:
            wait_until(lambda: not site.server.active_channels, "the end of the connection")
            gone.set()

    def application(environ: dict[str, Any], start: Any) -> Any:
        visitor = visitors.get()
        visitor.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # at once
        visitor.close()
        start("200 OK", [("Content-Type", "text/plain")])
        return Answer([b"page"])

    site = Running(application)
    try:
        visitors.put(site.send(b"HEAD / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n"))
        assert gone.wait(20)
        wait_until(lambda: not site.server.pages, "the place that it had")
    finally:
        site.end()


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"GET /?place=Rome&checkin=2030-05-01 HTTP/1.1\r\nbad header\r\n\r\n", 400),
        (b"GET /?place=Rome HTTP/1.1\r\nX: " + b"x" * 40_000 + b"\r\n\r\n", 431),
        (b"POST /?place=Rome HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", 413),
        (b"POST /?place=Rome HTTP/1.1\r\nContent-Length: " + b"9" * 4_400 + b"\r\n\r\n", 400),
        (
            b"POST /?place=Rome HTTP/1.1\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            400,
        ),
        (b"POST /?place=Rome HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        # What stands around chunks and never ends: behind a size, and behind the last one.
        (b"POST /?place=Rome HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;" + b"a" * 40_000, 400),
        (b"POST /?place=Rome HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + b"a" * 40_000, 400),
        (b"GET http://[place=Rome]/ HTTP/1.1\r\n\r\n", 400),
        (b"GET http://[place=Rome/ HTTP/1.1\r\n\r\n", 400),
    ],
)
def test_a_malformed_request_is_refused_with_one_line_that_holds_nothing_of_it(
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


def test_a_stopping_server_answers_what_it_has_heard_and_says_goodbye(
    running: Running, gate: threading.Event
) -> None:
    visitor = running.send(b"GET /wait HTTP/1.1\r\nHost: x\r\n\r\n")
    running.get("/")
    running.stop()
    with pytest.raises(ConnectionRefusedError):
        running.get("/")
    gate.set()
    answer = visitor.makefile("rb").read()
    assert b"page" in answer
    assert b"Connection: close" in answer
    visitor.close()


def test_no_answer_ends_its_connection_while_the_server_closes(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """Its visitor would connect again, and whoever comes between the last accept and the close is reset."""
    settings.DRAIN_SECONDS = 0.01
    ending: list[bool] = []
    stop, threads = worker.Server.stop, worker.threads(1)
    monkeypatch.setattr(worker, "threads", lambda _count: threads)
    monkeypatch.setattr(worker.Server, "stop", lambda server: (ending.append(server.ending), stop(server)))
    monkeypatch.setattr(worker.WaitressWorker, "notify", lambda _worker: None)
    process = object.__new__(worker.WaitressWorker)
    process.alive, process.wsgi = False, None
    process.sockets = [SimpleNamespace(sock=socket.create_server(("127.0.0.1", 0)))]
    process.cfg = SimpleNamespace(threads=1, backlog=8, graceful_timeout=1)
    process.run()
    threads.shutdown()
    assert ending == [False]


def _freed_in_the_middle() -> list[bytearray]:
    """Every other block of many, so that the end of the heap is in use."""
    blocks = [bytearray(b"x" * 100_000) for _ in range(1_000)]
    return blocks[::2]


def _anonymous_kb() -> int:
    found = re.search(r"Anonymous:\s+(\d+) kB", Path("/proc/self/smaps_rollup").read_text())
    assert found
    return int(found[1])


def test_what_is_free_between_blocks_in_use_goes_back_to_the_system() -> None:
    kept = _freed_in_the_middle()
    before = _anonymous_kb()
    worker.give_back_memory()
    assert before - _anonymous_kb() > 20_000
    assert len(kept) == 500


def test_a_c_library_that_gives_nothing_back_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker.ctypes, "CDLL", lambda _name: SimpleNamespace())
    worker.give_back_memory()
