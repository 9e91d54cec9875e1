"""Visitors of the site through nginx, each from an address of its own and over TLS."""

from __future__ import annotations

import asyncio
import random
import ssl
import time
from collections.abc import Callable

from tests.bench.visitors import Visit, visit

HOST = "hotels.example"


def crowd(port: int, path: Callable[[], str], visitors: int, seconds: float, pause: float) -> list[Visit]:
    """What `visitors` met, who open one page after another for so long, with pauses."""
    return asyncio.run(_crowd(port, path, visitors, time.monotonic() + seconds, pause))


async def _crowd(port: int, path: Callable[[], str], visitors: int, end: float, pause: float) -> list[Visit]:
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    tls = {"ssl": trusting, "server_hostname": HOST}

    async def come(number: int) -> list[Visit]:
        seen = []
        address = (f"127.0.1.{number % 250 + 1}", 0)
        await asyncio.sleep(random.random() * pause)
        while time.monotonic() < end:
            seen.append(await visit(port, path(), host=HOST, local_addr=address, **tls))
            rest = random.expovariate(1 / pause) if pause else 0
            await asyncio.sleep(max(0, min(rest, end - time.monotonic())))
        return seen

    return [one for visits in await asyncio.gather(*map(come, range(visitors))) for one in visits]
