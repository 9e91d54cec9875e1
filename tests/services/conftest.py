"""Two instances of the real site on one PostgreSQL and one Redis."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from tests.servers import Server, Site, manage, running_site

from .parts import cache_url, database_url, postgres_command, running_postgres, running_redis


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    with running_postgres() as part:
        yield part


@pytest.fixture(scope="session")
def redis() -> Iterator[Server]:
    with running_redis() as part:
        yield part


class Machines:
    """Instances of the site on a database and a cache of their own, which they share."""

    def __init__(self, postgres: Server, redis: Server, name: str, number: int) -> None:
        postgres_command(postgres, "createdb", name)
        self.environment = {
            "DATABASE_URL": database_url(postgres, name),
            "CACHE_URL": cache_url(redis, number),
            "GATEWAY_API_KEY": "sandbox",
        }

    @contextmanager
    def running(self, count: int, gateway: str = "") -> Iterator[list[Site]]:
        with ExitStack() as stack:
            options = ("--workers", "1", "--threads", "16")
            variables = {**self.environment, "GATEWAY_BASE_URL": gateway}
            yield [stack.enter_context(running_site(*options, **variables)) for _ in range(count)]

    def shell(self, code: str) -> str:
        """What a program of the site's own prints, on the same database and cache."""
        done = manage("shell", "--no-imports", "-c", code, **self.environment)
        done.check_returncode()
        return done.stdout.strip()
