"""Two instances of the site behind nginx, on one PostgreSQL and one Redis; the gateway takes 300 ms."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import redis as redis_client

from tests.faults.site import free_port
from tests.services.parts import (
    ROOT,
    Part,
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
    instances: list[Part]
    gateway: Part
    postgres: Part
    redis: Part
    port: int

    def redis_bytes(self) -> int:
        """What Redis has received and sent so far."""
        with redis_client.Redis.from_url(cache_url(self.redis)) as client:
            told = client.info("stats")
        return int(told["total_net_input_bytes"]) + int(told["total_net_output_bytes"])


@contextmanager
def running_machines() -> Iterator[Machines]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hotels-")))
        postgres, redis = stack.enter_context(running_postgres()), stack.enter_context(running_redis())
        postgres_command(postgres, "createdb", "cluster")
        gateway = _started(stack, folder / "gateway", "serve_sandbox", SANDBOX_WEATHER=f"slow={LATENCY}")
        options = ("--workers", str(WORKERS), "--threads", str(THREADS))
        instances = [
            _started(
                stack,
                folder / name,
                *("serve", *options),
                GATEWAY_BASE_URL=f"http://127.0.0.1:{gateway.port}",
                GATEWAY_API_KEY="sandbox",
                DATABASE_URL=database_url(postgres, "cluster"),
                CACHE_URL=cache_url(redis),
                SEARCH_FRESH_SECONDS=str(FRESH_SECONDS),
                ALLOWED_HOSTS=HOST,
                SECURE_TLS="on",
                TRUST_PROXY="on",
                LOG_LEVEL="WARNING",
            )
            for name in ("first", "second")
        ]
        nginx = stack.enter_context(running_nginx(*(one.port for one in instances)))
        yield Machines(instances, gateway, postgres, redis, nginx.port)


def _started(stack: ExitStack, folder: Path, command: str, *options: str, **environment: str) -> Part:
    """One of the site's commands on a free port, in a process group of its own, to be killed as a whole."""
    folder.mkdir()
    port = free_port()
    program = [sys.executable, "manage.py", command, *options, "--port", str(port)]
    part = Part(program, port, folder, cwd=ROOT, env={**os.environ, **environment}, start_new_session=True)
    stack.callback(part.stop, signal.SIGTERM)
    return part
