"""Guessing codes: after a few misses an address has to wait, whatever it asks for next."""

from __future__ import annotations

import hashlib
import ipaddress
import logging

from django.core.cache import cache

MOST_MISSES = 20
WINDOW_SECONDS = 15 * 60

logger = logging.getLogger(__name__)


def is_blocked(address: str) -> bool:
    """Whether an address has guessed too often lately. Without a cache nobody has."""
    try:
        return int(cache.get(_key(address), 0)) >= MOST_MISSES
    except Exception as error:  # a cache that is away must not keep a page from its reader
        logger.warning("guesses are not counted (%s)", type(error).__name__)
        return False


def note_miss(address: str) -> None:
    """Count one code that doesn't exist."""
    try:
        if not cache.add(_key(address), 1, WINDOW_SECONDS):
            cache.incr(_key(address))
    except Exception as error:  # the entry may also have expired in between
        logger.warning("a guess was not counted (%s)", type(error).__name__)


def _key(address: str) -> str:
    digest = hashlib.sha256(_network(address).encode(errors="replace")).hexdigest()
    return f"link-misses:{digest}"


def _network(address: str) -> str:
    """Whoever has one IPv6 address has the 2**64 beside it, too."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((parsed, 64), strict=False)) if parsed.version == 6 else address
