"""Who opens shared links: guesses of codes are limited, opens are counted, machines are told from people.

Opens are counted without cookies: a visitor is a hash of address and browser with a salt that is forgotten
after its day. It stays in the cache for half an hour, so that reading a page twice is one open.
"""

from __future__ import annotations

import hashlib
import ipaddress
import logging
import re
import secrets
from datetime import datetime

from django.core.cache import cache
from django.db import DatabaseError
from django.db.models import F
from django.db.models.functions import Coalesce
from django.http import HttpRequest

from .models import SharedLink

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


ONE_OPEN_SECONDS = 30 * 60
A_DAY = 86_400


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


# What link previews, crawlers, mail scanners and programs call themselves. Browsers inside messengers carry
# the messenger's name too, so names alone (Line, KakaoTalk, Snapchat, Pinterest, Instagram) don't count.
_MACHINE = re.compile(
    r"bot\b|bot/|crawl|spider|slurp|preview|externalhit|externalagent|facebot|whatsapp|telegrambot|"
    r"slack-imgproxy|slackbot|skypeuri|vkshare|line-poker|kakaotalk-scrap|kakao-?story|embedly|iframely|"
    r"mattermost|rocket\.chat|zulip|google-read-aloud|google-pagerenderer|googleimageproxy|yahoomailproxy|"
    r"bingpreview|lighthouse|headless|phantomjs|puppeteer|pingdom|uptime|monitor|statuscake|scanner|"
    r"proofpoint|mimecast|barracuda|safelinks|urlscan|python|curl|wget|httpclient|okhttp|axios|node-fetch",
    re.IGNORECASE,
)
# Every browser people use says one of these first; programs seldom do.
_BROWSER = ("Mozilla/", "Opera/")
_AHEAD = ("prefetch", "prerender", "preview")


def is_reading(request: HttpRequest) -> bool:
    """Whether a person seems to read the page now: no HEAD, no preview, nothing fetched ahead of time."""
    browser = request.headers.get("User-Agent", "")
    if request.method != "GET" or not browser.startswith(_BROWSER) or _MACHINE.search(browser):
        return False
    purposes = (request.headers.get(name, "") for name in ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"))
    return not any(ahead in purpose.lower() for purpose in purposes for ahead in _AHEAD)
