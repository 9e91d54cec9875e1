"""A socket of systemd's: visitors wait in it while the server behind it is another one."""

import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests

from tests.servers import ROOT, Server, environment

from .test_walk import RESULTS

pytestmark = pytest.mark.thorough

# What systemd does: the socket is number 3, and the variables name the process that it is for.
ACTIVATE = 'exec 3<&0; LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" -m gunicorn "$@" </dev/null'


def _server(listener: socket.socket, folder: Path) -> Server:
    variables = {"DATABASE_URL": f"sqlite:///{folder}/db.sqlite3", "CACHE_URL": f"file://{folder}/cache"}
    command = ["sh", "-c", ACTIVATE, sys.executable, "-c", "python:hotelsite.gunicorn_conf"]
    command += ["--workers", "2", "--threads", "8", "hotelsite.wsgi"]
    port = listener.getsockname()[1]
    return Server(command, port, folder, cwd=ROOT, env=environment(**variables), stdin=listener)


def test_no_visitor_notices_a_restart_behind_the_socket(tmp_path: Path) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    statuses: list[int] = []
    over = threading.Event()
    first = _server(listener, tmp_path)

    def visit() -> None:
        with requests.Session() as browser:
            browser.trust_env = False
            while not over.is_set():
                statuses.append(browser.get(first.url + RESULTS, timeout=60).status_code)

    with ThreadPoolExecutor(3) as pool:
        visitors = [pool.submit(visit) for _ in range(3)]
        try:
            assert requests.get(first.url + RESULTS, timeout=60).status_code == 200
            assert first.stop() == 0
            second = _server(listener, tmp_path)
        finally:
            over.set()
        for visitor in visitors:
            visitor.result()  # raises what a visitor met instead of an answer
    assert second.stop() == 0
    assert set(statuses) == {200}, second.output
    assert len(statuses) >= 3
