"""The servers that tests start: the site, its sandbox and other programs, each on a port of its own."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from datetime import date, timedelta
from email.message import Message
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[1]
START_SECONDS = 90
STOP_SECONDS = 40
# Servers read the real clock.
CHECK_IN = date.today() + timedelta(days=60)
STAY = {
    "checkin": str(CHECK_IN),
    "checkout": str(CHECK_IN + timedelta(days=3)),
    "guests": "2",
    "currency": "EUR",
    "market": "en-gb",
}
BROWSER = {"Accept": "text/html", "Accept-Language": "en-GB"}


def results(place: str, **more: str) -> str:
    """The address of a search."""
    return "/hotels/?" + urlencode({"place": place, **STAY, **more})


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def environment(**variables: str) -> dict[str, str]:
    """What a process of the site is given: nothing of this machine's settings, nor of a developer's .env."""
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {**inherited, "PYTEST_VERSION": "any", "PYTHONUNBUFFERED": "1", **variables}


def manage(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs one of manage.py's commands to its end."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", "manage.py", *arguments],
        cwd=ROOT, env=environment(**variables), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@dataclass(frozen=True)
class Seen:
    """What a visitor got, and after how many seconds; `status` is 0 where the site did not answer."""

    status: int
    seconds: float
    headers: Message
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        return json.loads(self.body)


class Server:
    """A program that listens on `port`, started and stopped as often as a test wants; `folder` is its own."""

    def __init__(self, command: Sequence[str], port: int, folder: Path, **options: Any) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.folder = folder
        self.log = folder / "output"
        self._command, self._options = command, options
        self.start()

    def start(self) -> None:
        """Returns when it answers."""
        with self.log.open("ab") as sink:
            self.process = subprocess.Popen(
                self._command,
                **{"stdin": subprocess.DEVNULL, "stdout": sink, "stderr": sink, **self._options},
            )
        end = time.monotonic() + START_SECONDS
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > end:
                self.stop()
                raise RuntimeError(f"{self._command[0]} did not start:\n{self.output[-4000:]}")
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()

    def answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    @property
    def output(self) -> str:
        """Standard output and standard error so far."""
        return self.log.read_text("utf-8", "replace")


class Site(Server):
    """`manage.py serve`, asked over HTTP."""

    def answers(self) -> bool:
        return self.get("/healthz", 2).status == 200

    def get(self, path: str, timeout: float = 60, **headers: str) -> Seen:
        """One visit over a connection of its own; underscores in names of headers are hyphens."""
        began = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request("GET", path, headers={**BROWSER, **given})
            response = connection.getresponse()
            status, received, body = response.status, response.headers, response.read()
        except (OSError, http.client.HTTPException) as error:
            status, received, body = 0, http.client.HTTPMessage(), repr(error).encode()
        finally:
            connection.close()
        return Seen(status, time.monotonic() - began, received, body)

    def search(self, place: str) -> Seen:
        return self.get(results(place))

    def workers(self) -> list[int]:
        """The processes that answer: the children of gunicorn."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(pid) for pid in children.split()]


def at_once(visits: list[Callable[[], Seen]]) -> list[Seen]:
    """All visits at the same time, each in a thread."""
    with ThreadPoolExecutor(len(visits)) as pool:
        return [future.result() for future in [pool.submit(visit) for visit in visits]]


def p95(times: list[float]) -> float:
    return sorted(times)[max(0, round(len(times) * 0.95) - 1)]


AnyServer = TypeVar("AnyServer", bound=Server)


@contextmanager
def stopped_at_the_end(server: AnyServer, how: signal.Signals = signal.SIGTERM) -> Iterator[AnyServer]:
    try:
        yield server
    finally:
        server.stop(how)


def running_site(*options: str, **variables: str) -> AbstractContextManager[Site]:
    """The site with a database, a cache and a log of its own; `options` are those of `serve`."""
    return _running(Site, "serve", *options, **variables)


def running_sandbox(**variables: str) -> AbstractContextManager[Server]:
    """The sandbox as a gateway of its own."""
    return _running(Server, "serve_sandbox", **variables)


@contextmanager
def _running(kind: type[AnyServer], *command: str, **variables: str) -> Iterator[AnyServer]:
    """A command of manage.py in a group of processes of its own, which can be killed as a whole."""
    with tempfile.TemporaryDirectory(prefix="hotels-") as folder:
        port = free_port()
        own = {"DATABASE_URL": f"sqlite:///{folder}/db.sqlite3", "CACHE_URL": f"file://{folder}/cache"}
        program = [sys.executable, "manage.py", *command, "--port", str(port)]
        process = {"cwd": ROOT, "env": environment(**{**own, **variables}), "start_new_session": True}
        with stopped_at_the_end(kind(program, port, Path(folder), **process)) as server:
            yield server
