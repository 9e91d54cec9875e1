"""Visitors of the site through nginx, each from an address of its own and over TLS."""

from __future__ import annotations

import asyncio
import contextlib
import random
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass

HOST = "hotels.example"
LONGEST = 60.0
STALE = b"Prices from"
CUT_OFF = 1


@dataclass(frozen=True)
class Visit:
    """One page: `status` is 0 if nothing came, 1 if it came in part; `seconds` until its last byte."""

    status: int
    seconds: float
    stale: bool


def crowd(port: int, path: Callable[[], str], visitors: int, seconds: float, pause: float) -> list[Visit]:
    """What `visitors` met, who open one page after another for so long, with pauses."""
    return asyncio.run(_crowd(port, path, visitors, time.monotonic() + seconds, pause))


async def _crowd(port: int, path: Callable[[], str], visitors: int, end: float, pause: float) -> list[Visit]:
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE

    async def come(number: int) -> list[Visit]:
        seen = []
        await asyncio.sleep(random.random() * pause)
        while time.monotonic() < end:
            seen.append(await _visit(port, path(), f"127.0.1.{number % 250 + 1}", trusting))
            rest = random.expovariate(1 / pause) if pause else 0
            await asyncio.sleep(max(0, min(rest, end - time.monotonic())))
        return seen

    return [one for visits in await asyncio.gather(*map(come, range(visitors))) for one in visits]


async def _visit(port: int, path: str, address: str, trusting: ssl.SSLContext) -> Visit:
    began = time.monotonic()
    body = b""
    with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
        async with asyncio.timeout(LONGEST):
            body = await _page(port, path, address, trusting)
    status = int(body[9:12]) if body.startswith(b"HTTP/1.1 ") else 0
    if status == 200 and b"</html>" not in body[-64:]:
        status = CUT_OFF
    return Visit(status, time.monotonic() - began, STALE in body)


async def _page(port: int, path: str, address: str, trusting: ssl.SSLContext) -> bytes:
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", port, ssl=trusting, server_hostname=HOST, local_addr=(address, 0)
    )
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode())
        return await reader.read()
    finally:
        writer.close()
