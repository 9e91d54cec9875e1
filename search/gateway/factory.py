"""Builds the gateway of a process: the real one if GATEWAY_BASE_URL is set, else the embedded sandbox.

To put something else in its place a test puts another adapter: `process.start().put(build_adapter, adapter)`.
"""

from datetime import date
from urllib.parse import urlsplit

from django.conf import settings
from django.core.cache import cache as django_cache
from django.utils import timezone
from requests.adapters import BaseAdapter

from search.domain import process
from search.sandbox import photos
from search.sandbox.api import DEFAULT_KEY as SANDBOX_KEY
from search.sandbox.api import MADE_UP_HEADER
from search.sandbox.server import BASE_URL as SANDBOX_URL
from search.sandbox.server import SandboxAdapter
from search.sandbox.weather import parse_weather

from .cache import CachedGateway, CachedValues, SafeStore
from .resilience import LIMITS, Background, Clock
from .sockets import NetworkAdapter
from .transport import CallLog, Transport, TransportStatus, Upstream


def gateway() -> CachedGateway:
    """The process's way to properties, offers and airports: the client behind the cache."""
    return process.part(build_gateway)


def transport() -> Transport:
    return process.part(build_transport)


def status() -> TransportStatus:
    return transport().status()


def uses_sandbox() -> bool:
    """Whether the sandbox answers in process, for want of an address."""
    return not settings.GATEWAY_BASE_URL


def shows_sandbox() -> bool:
    """Whether hotels and prices are made up: by the sandbox in process or one at the gateway's address."""
    return uses_sandbox() or MADE_UP_HEADER in transport().headers


def sandbox_photo(number: int, kind: str) -> bytes | None:
    """One of the sandbox's drawings as SVG; None for unknown ones and beside a real gateway."""
    host = urlsplit(settings.GATEWAY_BASE_URL).hostname
    if not uses_sandbox() and host not in ("127.0.0.1", "::1", "localhost"):
        return None
    return photos.draw(number, kind) if kind in photos.KINDS else None


def build_gateway() -> CachedGateway:
    clock = Clock(now=lambda: timezone.now())  # by which pages tell the age of what was fetched
    return CachedGateway(
        transport(),
        CachedValues(django_cache, _base_url(), clock),
        log=process.part(CallLog),
        background=Background(seconds=settings.GATEWAY_DEADLINE),
        clock=clock,
    )


def build_transport() -> Transport:
    key = SANDBOX_KEY if uses_sandbox() else settings.GATEWAY_API_KEY
    upstream = Upstream(_base_url(), key, process.part(build_adapter))
    return Transport(upstream, log=process.part(CallLog))


def build_adapter() -> BaseAdapter:
    if uses_sandbox():
        return SandboxAdapter(parse_weather(settings.SANDBOX_WEATHER), today=sandbox_day)
    return NetworkAdapter(settings.GATEWAY_API_KEY, LIMITS.at_once_most)


def sandbox_day() -> date:
    """The day whose prices the sandbox gives: today's unless the environment names one."""
    return settings.SANDBOX_DAY or timezone.localdate()


def build_safe_store() -> SafeStore:
    return SafeStore(django_cache)


def _base_url() -> str:
    return (settings.GATEWAY_BASE_URL or SANDBOX_URL).rstrip("/")
