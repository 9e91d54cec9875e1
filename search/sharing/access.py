"""Who opens shared links: guesses of codes are limited, opens are counted, machines are told from people."""

import hashlib
import logging
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime

from django.core.cache import cache
from django.db import Error
from django.db.models import F
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils.timezone import localdate

from search.monitoring.metrics import LINK_OPENS

from .models import LinkOpens, SharedLink

MOST_MISSES = 20
WINDOW_SECONDS = 15 * 60
ONE_OPEN_SECONDS = 30 * 60
A_DAY = 86_400

logger = logging.getLogger(__name__)


@contextmanager
def _without_cache(consequence: str) -> Iterator[None]:
    """Goes on where the cache is away, and logs what that means: no page waits for it."""
    try:
        yield
    except Exception as error:
        logger.warning("%s (%s)", consequence, type(error).__name__)


def is_blocked(address: str) -> bool:
    """Whether an address has guessed too often lately. Without a cache nobody has."""
    misses = 0
    with _without_cache("guesses are not counted"):
        misses = int(cache.get(_key(address), 0))
    return misses >= MOST_MISSES


def is_embedded(request: HttpRequest) -> bool:
    """Whether a page of another site asks, not its reader. With pictures of wrong codes such a page could
    have the network of everybody who reads it blocked."""
    site, asked_as = (request.headers.get(f"Sec-Fetch-{name}", "") for name in ("Site", "Dest"))
    return site == "cross-site" and asked_as != "document"


def note_miss(address: str) -> None:
    """Count one code that doesn't exist."""
    with _without_cache("a guess was not counted"):  # the entry may also have expired in between
        if not cache.add(_key(address), 1, WINDOW_SECONDS):
            cache.incr(_key(address))


def _key(address: str) -> str:
    return f"link-misses:{hashlib.sha256(address.encode(errors='replace')).hexdigest()}"


def count_open(code: str, *, address: str, browser: str, now: datetime) -> bool:
    """Count an open unless this visitor's last half hour holds one; whether it was counted.

    Never raises: without a cache every open counts, without a database none does, nor does one of a link that
    is deleted meanwhile.
    """
    if not _is_new(code, address, browser, now):
        return False
    try:
        SharedLink.objects.filter(code=code).update(
            opens=F("opens") + 1, first_opened_at=Coalesce("first_opened_at", now), last_opened_at=now
        )
        _count_on(localdate(now), code)
    except (Error, SharedLink.DoesNotExist) as error:
        logger.warning("an open could not be counted (%s)", type(error).__name__)
        return False
    LINK_OPENS.inc()
    return True


def _count_on(day: date, code: str) -> None:
    opens = LinkOpens.objects.filter(link__code=code, day=day)
    if opens.update(opens=F("opens") + 1):
        return
    _first, is_first = LinkOpens.objects.get_or_create(link=SharedLink.objects.get(code=code), day=day)
    if not is_first:  # another visitor was it in the same moment
        opens.update(opens=F("opens") + 1)


def _is_new(code: str, address: str, browser: str, now: datetime) -> bool:
    """Opens are counted without cookies: a visitor is a hash of address and browser, with a salt that is
    forgotten after its day."""
    new = True
    with _without_cache("opens are counted without a cache"):
        salt = cache.get_or_set(f"link-salt:{now:%Y%m%d}", lambda: secrets.token_hex(16), A_DAY)
        visitor = hashlib.sha256(f"{salt}|{code}|{address}|{browser}".encode(errors="replace")).hexdigest()
        new = cache.add(f"link-open:{visitor}", 1, ONE_OPEN_SECONDS)
    return bool(new)


# What link previews, crawlers, mail scanners and programs call themselves. Browsers inside messengers carry
# the messenger's name too, so names alone (Line, KakaoTalk, Snapchat, Pinterest, Instagram) don't count.
_MACHINE = re.compile(
    r"bot\b|crawl|spider|slurp|preview|externalhit|externalagent|facebot|whatsapp|telegrambot|"
    r"slack-imgproxy|slackbot|skypeuri|vkshare|line-poker|kakaotalk-scrap|kakao-?story|embedly|iframely|"
    r"mattermost|rocket\.chat|zulip|google-read-aloud|google-pagerenderer|googleimageproxy|yahoomailproxy|"
    r"lighthouse|headless|phantomjs|puppeteer|pingdom|uptime|monitor|statuscake|scanner|"
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
