"""The real site as its visitors have it: `manage.py serve` in a process of its own, asked over HTTP."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from urllib.parse import quote, urlencode

ROOT = Path(__file__).resolve().parents[2]
KEY = "s3cret/key+with=odd&parts"
SPELLINGS = (KEY, quote(KEY, safe=""))
START_SECONDS = 90
# The server reads the real clock.
CHECK_IN = date.today() + timedelta(days=60)
SEARCH = {
    "checkin": str(CHECK_IN),
    "checkout": str(CHECK_IN + timedelta(days=3)),
    "guests": "2",
    "currency": "EUR",
    "market": "en-gb",
}


@dataclass(frozen=True)
class Seen:
    """What a visitor got, and after how long (seconds). `status` is 0 if the site did not answer."""

    status: int
    seconds: float
    text: str

    @property
    def leaks(self) -> bool:
        return any(spelling in self.text for spelling in SPELLINGS)


@dataclass
class Site:
    port: int
    process: subprocess.Popen[bytes]
    log: Path

    def get(self, path: str, timeout: float = 60) -> Seen:
        """One visit over a connection of its own; headers count as text too."""
        began = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request("GET", path, headers={"Accept": "text/html", "Accept-Language": "en-GB"})
            response = connection.getresponse()
            text = str(response.headers) + response.read().decode("utf-8", "replace")
            return Seen(response.status, time.monotonic() - began, text)
        except (OSError, http.client.HTTPException) as error:
            return Seen(0, time.monotonic() - began, repr(error))
        finally:
            connection.close()

    def search(self, place: str, timeout: float = 60) -> Seen:
        return self.get(results(place), timeout)

    def visit(self, page: str, place: str) -> Seen:
        """`page` is results, property or home; the place makes the search one that is in no cache."""
        paths = {
            "results": results(place),
            "property": f"/hotels/TST/{quote(place)}/?" + urlencode({"place": place, **SEARCH}),
            "home": "/",
        }
        return self.get(paths[page])

    def workers(self) -> list[int]:
        """The processes that answer: the children of gunicorn."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(pid) for pid in children.split()]

    def kept(self) -> bytes:
        """All that the site has written: its output, its database and its cache."""
        return b"".join(file.read_bytes() for file in self.log.parent.rglob("*") if file.is_file())


def results(place: str) -> str:
    return "/hotels/?" + urlencode({"place": place, **SEARCH})


@contextlib.contextmanager
def running_site(gateway: str, *options: str, **environment: str) -> Iterator[Site]:
    """The site against this gateway, with a database, a log and a port of its own."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        log = Path(folder) / "output"
        given = {
            **os.environ,
            "GATEWAY_BASE_URL": gateway,
            "GATEWAY_API_KEY": KEY,
            "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
            "CACHE_URL": f"lmdb://{folder}/cache",
            "LOG_LEVEL": "DEBUG",
            **environment,
        }
        command = [sys.executable, "manage.py", "serve", "--port", str(port), *options]
        with log.open("wb") as sink:
            process = subprocess.Popen(command, cwd=ROOT, env=given, stdout=sink, stderr=subprocess.STDOUT)
        site = Site(port, process, log)
        try:
            _wait_until(lambda: site.get("/healthz", 2).status == 200, process, log)
            yield site
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_until(ready: Callable[[], bool], process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while not ready():
        if process.poll() is not None or time.monotonic() > end:
            raise RuntimeError("the site did not start:\n" + log.read_text(errors="replace")[-4000:])
        time.sleep(0.1)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def at_once(visits: list[Callable[[], Seen]]) -> list[Seen]:
    """All visits at the same time, each in a thread."""
    with ThreadPoolExecutor(len(visits)) as pool:
        return [future.result() for future in [pool.submit(visit) for visit in visits]]


def p95(times: list[float]) -> float:
    return sorted(times)[max(0, round(len(times) * 0.95) - 1)]
