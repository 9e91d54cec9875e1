"""Which gateway: the real one if GATEWAY_BASE_URL is set, else the embedded sandbox. One per process."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from urllib.parse import urlsplit

from django.conf import settings
from django.core.cache import cache as django_cache
from requests.adapters import BaseAdapter

from search.sandbox import photos
from search.sandbox.adapter import BASE_URL as SANDBOX_URL
from search.sandbox.adapter import SandboxAdapter
from search.sandbox.api import DEFAULT_KEY as SANDBOX_KEY
from search.sandbox.weather import parse_weather

from .cache import CachedGateway, FreshTimes
from .client import Client
from .config import Limits
from .transport import Transport, TransportStatus

_LOOPBACK = ("127.0.0.1", "::1", "localhost")

_fresh_times: Callable[[], FreshTimes] = FreshTimes


def use_fresh_times(provider: Callable[[], FreshTimes]) -> None:
    """Where fresh times come from: services know the site's settings, the wire doesn't."""
    global _fresh_times
    _fresh_times = provider


def uses_sandbox() -> bool:
    """Whether the embedded sandbox answers."""
    return not settings.GATEWAY_BASE_URL


@cache
def gateway() -> CachedGateway:
    """The process's way to properties, offers and airports."""
    return CachedGateway(
        client(),
        django_cache,
        base_url=settings.GATEWAY_BASE_URL or SANDBOX_URL,
        fresh=lambda: _fresh_times(),
        patience=settings.GATEWAY_DEADLINE,
    )


def client() -> Client:
    """The three calls without the cache, for checks that want to hear the gateway itself."""
    return Client(transport())


def status() -> TransportStatus:
    """What staff and monitoring may know about the wire; nothing in it is secret."""
    return transport().status()


def reconnect() -> None:
    """Forget the connection, so that the next call reads the settings again (tests, after a fork)."""
    gateway.cache_clear()
    transport.cache_clear()


def sandbox_photo(number: int, kind: str) -> bytes | None:
    """One of the sandbox's drawings as SVG; None for unknown ones and beside a real gateway."""
    if not uses_sandbox() and urlsplit(settings.GATEWAY_BASE_URL).hostname not in _LOOPBACK:
        return None
    return photos.draw(number, kind) if kind in photos.KINDS else None


@cache
def transport() -> Transport:
    """What carries the calls, with its breakers and pauses: one per process."""
    limits = Limits()
    if uses_sandbox():
        adapter: BaseAdapter = SandboxAdapter(parse_weather(settings.SANDBOX_WEATHER))
        return Transport(SANDBOX_URL, SANDBOX_KEY, limits, adapter=adapter)
    return Transport(settings.GATEWAY_BASE_URL.rstrip("/"), settings.GATEWAY_API_KEY, limits)
