"""A real server: `manage.py serve` as a process of its own, over real HTTP."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests
from django.conf import settings

from tests.faults.site import free_port

LONGEST_START = 60
TOKEN = "t0ken"


class Site:
    """A started site: its base address, its process, and what it has printed."""

    def __init__(self, base: str, process: subprocess.Popen[bytes], printed: Path) -> None:
        self.base = base
        self.process = process
        self._printed = printed

    def get(self, address: str, **options: object) -> requests.Response:
        """GET of a path of the site, without following redirects."""
        with requests.Session() as session:
            session.trust_env = False
            return session.get(self.base + address, timeout=30, allow_redirects=False, **options)  # type: ignore[arg-type]

    @property
    def printed(self) -> str:
        """Standard output and standard error so far."""
        return self._printed.read_text(encoding="utf-8")


def _wait_until_it_answers(site: Site) -> None:
    end = time.monotonic() + LONGEST_START
    while time.monotonic() < end and site.process.poll() is None:
        try:
            if site.get("/healthz").status_code == 200:
                return
        except requests.ConnectionError:
            time.sleep(0.05)
    pytest.fail(f"serve did not start:\n{site.printed}")


@contextmanager
def started(folder: Path, workers: int = 2, **variables: str) -> Iterator[Site]:
    """`serve` on a free port with a database under `folder`; stopped at the end."""
    port = free_port()
    inherited = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    own = {
        "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        "CACHE_URL": f"lmdb://{folder / 'cache'}",
        "METRICS_TOKEN": TOKEN,
        "PYTHONUNBUFFERED": "1",
        "SANDBOX_DAY": "2000-01-01",
    }
    printed = folder / "printed.txt"
    with printed.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(port), "--workers", str(workers)],
            cwd=settings.BASE_DIR,
            # The switch that keeps a developer's .env out of tests.
            env=inherited | {"PYTEST_VERSION": pytest.__version__} | own | variables,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        site = Site(f"http://127.0.0.1:{port}", process, printed)
        try:
            _wait_until_it_answers(site)
            yield site
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            process.wait(timeout=40)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site as a first start leaves it."""
    with started(tmp_path_factory.mktemp("site")) as running:
        yield running
