"""A socket of systemd's: visitors wait in it while the server behind it is another one."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests
from django.conf import settings

from .test_walk import RESULTS

pytestmark = pytest.mark.thorough

# What systemd does: the socket is number 3, and the variables name the process that it is for.
ACTIVATE = 'exec 3<&0; LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" -m gunicorn "$@" </dev/null'


@contextmanager
def _server(listener: socket.socket, folder: Path, output: Path) -> Iterator[subprocess.Popen[bytes]]:
    environment = {
        "PATH": os.environ["PATH"],
        "PYTEST_VERSION": pytest.__version__,
        "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        "CACHE_URL": f"lmdb://{folder / 'cache'}",
    }
    command = ["sh", "-c", ACTIVATE, sys.executable, "-c", "python:hotelsite.gunicorn_conf"]
    command += ["--workers", "2", "--threads", "8", "hotelsite.wsgi"]
    with output.open("ab") as sink:
        process = subprocess.Popen(
            command, cwd=settings.BASE_DIR, env=environment, stdin=listener, stdout=sink, stderr=sink
        )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=40) == 0


def test_no_visitor_notices_a_restart_behind_the_socket(tmp_path: Path) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    statuses: list[int] = []
    over = threading.Event()

    def visit() -> None:
        with requests.Session() as browser:
            browser.trust_env = False
            while not over.is_set():
                statuses.append(browser.get(base + RESULTS, timeout=60).status_code)

    with ThreadPoolExecutor(3) as visitors:
        seen = [visitors.submit(visit) for _ in range(3)]
        try:
            with _server(listener, tmp_path, tmp_path / "output"):
                assert requests.get(f"{base}/healthz", timeout=60).status_code == 200
                assert requests.get(base + RESULTS, timeout=60).status_code == 200
            with _server(listener, tmp_path, tmp_path / "output"):
                over.set()
                for visitor in seen:
                    visitor.result()  # raises what a visitor met instead of an answer
        finally:
            over.set()
    assert set(statuses) == {200}, (tmp_path / "output").read_text()
    assert len(statuses) >= 3
