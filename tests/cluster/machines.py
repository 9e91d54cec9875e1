"""Two instances of the site behind nginx, on one PostgreSQL and one Redis; the gateway takes 300 ms."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import redis as redis_client

from tests.servers import Server, running_sandbox, running_site
from tests.services.parts import (
    cache_url,
    database_url,
    postgres_command,
    running_nginx,
    running_postgres,
    running_redis,
)

from .visitors import HOST

LATENCY = 0.3
# As many processes as the machine has cores, in each instance: one that is left has to carry all.
WORKERS = os.cpu_count() or 1
THREADS = 32
# Less than the gateway is away, so that older copies are seen.
FRESH_SECONDS = 20


@dataclass
class Machines:
    instances: Sequence[Server]
    gateway: Server
    postgres: Server
    redis: Server
    port: int

    def redis_bytes(self) -> int:
        """What Redis has received and sent so far."""
        with redis_client.Redis.from_url(cache_url(self.redis)) as client:
            stats = client.info("stats")
        return int(stats["total_net_input_bytes"]) + int(stats["total_net_output_bytes"])


@contextmanager
def running_machines() -> Iterator[Machines]:
    with ExitStack() as stack:
        postgres, redis = stack.enter_context(running_postgres()), stack.enter_context(running_redis())
        postgres_command(postgres, "createdb", "cluster")
        gateway = stack.enter_context(running_sandbox(SANDBOX_WEATHER=f"slow={LATENCY}"))
        options = ("--workers", str(WORKERS), "--threads", str(THREADS))
        variables = {
            "GATEWAY_BASE_URL": gateway.url,
            "GATEWAY_API_KEY": "sandbox",
            "DATABASE_URL": database_url(postgres, "cluster"),
            "CACHE_URL": cache_url(redis),
            "SEARCH_FRESH_SECONDS": str(FRESH_SECONDS),
            "ALLOWED_HOSTS": HOST,
            "SECURE_TLS": "on",
            "TRUST_PROXY": "on",
            "LOG_LEVEL": "WARNING",
        }
        instances = [stack.enter_context(running_site(*options, **variables)) for _ in range(2)]
        nginx = stack.enter_context(running_nginx(*(one.port for one in instances)))
        yield Machines(instances, gateway, postgres, redis, nginx.port)
