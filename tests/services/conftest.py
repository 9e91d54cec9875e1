"""Two instances of the real site on one PostgreSQL and one Redis."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from tests.faults.site import Site, running_site

from .parts import ROOT, Part, cache_url, database_url, postgres_command, running_postgres, running_redis


@pytest.fixture(scope="session")
def postgres() -> Iterator[Part]:
    with running_postgres() as part:
        yield part


@pytest.fixture(scope="session")
def redis() -> Iterator[Part]:
    with running_redis() as part:
        yield part


class Machines:
    """Instances of the site on a database and a cache of their own, which they share."""

    def __init__(self, postgres: Part, redis: Part, name: str, number: int) -> None:
        postgres_command(postgres, "createdb", name)
        self.environment = {
            "DATABASE_URL": database_url(postgres, name),
            "CACHE_URL": cache_url(redis, number),
            "GATEWAY_API_KEY": "sandbox",
            "LOG_LEVEL": "INFO",
        }

    @contextmanager
    def running(self, count: int, gateway: str = "") -> Iterator[list[Site]]:
        with ExitStack() as stack:
            options = ("--workers", "1", "--threads", "16")
            yield [
                stack.enter_context(running_site(gateway, *options, **self.environment)) for _ in range(count)
            ]

    def shell(self, code: str) -> str:
        """What a program of the site's own prints, on the same database and cache."""
        command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", code]
        environment = os.environ | self.environment | {"GATEWAY_BASE_URL": ""}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.strip()
