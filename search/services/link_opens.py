"""How often a link was opened, about: without cookies, and without keeping anything about who opened it.

A visitor is a hash of address and browser with a salt that is forgotten after its day. It is kept for half
an hour, in the cache alone, so that reading a page twice is one open.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
from datetime import datetime

from django.core.cache import cache
from django.db import DatabaseError
from django.db.models import F
from django.db.models.functions import Coalesce

from search.models import SharedLink

ONE_OPEN_SECONDS = 30 * 60
A_DAY = 86_400

logger = logging.getLogger(__name__)


def count_open(code: str, *, address: str, browser: str, now: datetime) -> bool:
    """Count an open unless this visitor's last half hour holds one; whether it was counted.

    Never raises: without a cache every open counts, without a database none does.
    """
    if not _is_new(code, address, browser, now):
        return False
    try:
        SharedLink.objects.filter(code=code).update(
            opens=F("opens") + 1, first_opened_at=Coalesce("first_opened_at", now), last_opened_at=now
        )
    except DatabaseError as error:
        logger.warning("an open could not be counted (%s)", type(error).__name__)
        return False
    return True


def _is_new(code: str, address: str, browser: str, now: datetime) -> bool:
    day = f"link-salt:{now:%Y%m%d}"
    try:
        salt = cache.get_or_set(day, lambda: secrets.token_hex(16), A_DAY)
        visitor = hashlib.sha256(f"{salt}|{code}|{address}|{browser}".encode(errors="replace")).hexdigest()
        return bool(cache.add(f"link-open:{visitor}", 1, ONE_OPEN_SECONDS))
    except Exception as error:  # a cache that is away must not keep a page from its reader
        logger.warning("opens are counted without a cache (%s)", type(error).__name__)
        return True
