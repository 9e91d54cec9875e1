"""Who reads a page: a person, or a machine that only looks at it on somebody's behalf."""

from __future__ import annotations

import re

from django.http import HttpRequest

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
