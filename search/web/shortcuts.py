"""What views share: the site settings of a page (saved, or only tried in a preview), numbers of the
address, the deadline, pages that may be kept, the pages for failures.
"""

import hashlib
import re
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache, singledispatch, wraps
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.parse import parse_qsl

import msgspec
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.db import Error
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from search.domain.process import Deadline
from search.domain.site_settings import Site
from search.gateway import GatewayError, factory
from search.site_settings import store

from .search_form import SearchForm
from .translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Preview:
    """Parameters of components/preview_strip.html: the settings of one page, and in words how they differ
    from the saved ones."""

    site: Site
    differences: tuple[str, ...]


def preview_of(request: HttpRequest) -> Preview | None:
    """None for every page but a preview."""
    return getattr(request, "preview", None)


def site_of(request: HttpRequest) -> Site:
    """The settings that a page is made with: those it previews, else the saved ones."""
    preview = preview_of(request)
    return preview.site if preview else store.current()


MAX_PAGE = 100_000
RETRY_AFTER_SECONDS = 5
# So late an admin's change, or a new day, shows behind a cache in front.
MOST_SHARED_SECONDS = 300
WHEN_STALE = {"stale_while_revalidate": 60, "stale_if_error": 600}
DAYS = {"checkin", "checkout"}
OFFERED = {"currency", "market"}
WAYS_BACK = {"property": _("Back to the hotel"), "compare": _("Hotels side by side")}

# What asks for JSON may name its character set: then that is compared, too.
JSON = ["application/json", *(f"application/json; charset={name}" for name in ("utf-8", "UTF-8"))]

View = Callable[..., HttpResponseBase]


def read_only(view: View) -> View:
    """A page that changes nothing: GET and HEAD. Any other method gets 405, with or without a CSRF token."""
    return csrf_exempt(require_safe(view))


def wants_json(request: HttpRequest) -> bool:
    """Whether a program asks, which prefers JSON to a page."""
    return request.get_preferred_type(["text/html", *JSON]) in JSON


@singledispatch
def document_of(page: object) -> object:
    """What a page says, for a program: search/documents.py has one for each kind of page."""
    raise TypeError(f"no document of {type(page).__name__}")


def page_or_json(request: HttpRequest, template: str, shown: dict[str, Any]) -> HttpResponse:
    """The `page` of `shown` in this template or, for a program that asks for it, as JSON."""
    if not wants_json(request):
        return render(request, template, shown)
    document = document_of(shown.get("shared", shown["page"]))
    return HttpResponse(msgspec.json.encode(document), content_type="application/json")


def page_deadline() -> Deadline:
    """The time one page may spend on the gateway in all."""
    return Deadline(settings.GATEWAY_DEADLINE, time.monotonic)


def page_number(request: HttpRequest) -> int:
    """`page` of the address, from 1; anything else is the first page."""
    text = request.GET.get("page", "")
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else 1
    return min(max(number, 1), MAX_PAGE)


def address_pairs(request: HttpRequest) -> list[tuple[str, str]]:
    """The parameters of the address in their order, which `request.GET` doesn't keep from name to name."""
    query = str(request.META.get("QUERY_STRING", "")).encode("latin-1", "replace").decode("utf-8", "replace")
    return parse_qsl(query, keep_blank_values=True)[: settings.DATA_UPLOAD_MAX_NUMBER_FIELDS]


def origin_of(request: HttpRequest) -> str:
    """`https://hotels.example`: where this site is. Raises DisallowedHost for a host that isn't ours."""
    return f"{request.scheme}://{request.get_host()}"


def is_own_page(request: HttpRequest) -> bool:
    """Whether a page of this site sends it. Old browsers, and all without TLS, name the origin alone."""
    site = request.headers.get("Sec-Fetch-Site")
    is_ours = request.headers.get("Origin") == origin_of(request)
    return is_ours if site is None else site == "same-origin"


def surroundings(request: HttpRequest) -> dict[str, Any]:
    """The context of every page. `sandbox`: hotels and prices are made up; `preview`: settings not saved."""
    site, origin = site_of(request), ""
    with suppress(DisallowedHost):  # a host that isn't ours, whose page says just that
        origin = origin_of(request)
    return {
        "site": site,
        "origin": origin,
        "banner": site.banner(timezone.localdate()),
        "preview": preview_of(request),
        "sandbox": factory.shows_sandbox(),
    }


def visited_site(request: HttpRequest) -> Site:
    """The site as this visitor meets it: where the address names no market, theirs is the default."""
    site = site_of(request)
    return site.for_market(getattr(request, "market", site.default_market))


def without_dates(request: HttpRequest, path: str) -> HttpResponse:
    """A redirect to `path` with what the address asks for, without its days."""
    return redirect(_without(request, path, DAYS))


def _without(request: HttpRequest, path: str, names: Iterable[str]) -> str:
    """`path` with what the address asks for but for `names`."""
    query = request.GET.copy()
    for name in names:
        query.pop(name, None)
    return f"{path}?{query.urlencode()}"


# Words of link previews, crawlers, scanners and office programs that begin as a browser does. No browser of
# today says "compatible;" or names an address. Browsers inside messengers carry the messenger's name, so such
# names alone (Line, KakaoTalk, Snapchat, Pinterest, Instagram, WhatsApp) don't count.
_MACHINE = re.compile(
    r"compatible;|https?:|\w@\w|bot\b|crawl|spider|slurp|preview|externalhit|externalagent|embedder|google-|"
    r"-google|googleother|ms-?office|microsoft (office|outlook)|mattermost|rocket\.chat|lighthouse|headless|"
    r"phantomjs|puppeteer|playwright|pingdom|uptime|monitor|statuscake|scanner|urlscan|inspect|security|"
    r"proofpoint|mimecast|barracuda|safelinks",
    re.IGNORECASE,
)
# Every browser people use says one of these first; programs seldom do.
_BROWSER = ("Mozilla/", "Opera/")
_AHEAD = ("prefetch", "prerender", "preview")


def is_reading(request: HttpRequest) -> bool:
    """Whether a person seems to read the page now: no HEAD, no preview, no prefetch."""
    browser = request.headers.get("User-Agent", "")
    if request.method != "GET" or not browser.startswith(_BROWSER) or _MACHINE.search(browser):
        return False
    purposes = (request.headers.get(name, "") for name in ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"))
    return not any(ahead in purpose.lower() for purpose in purposes for ahead in _AHEAD)


def is_staff(request: HttpRequest) -> bool:
    """Whether a signed-in colleague asks; without a session cookie the session isn't even opened."""
    try:
        return settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_staff
    except Error:  # the page does without a database
        return False


def only_if(offered: Callable[[Site], bool]) -> Callable[[View], View]:
    """A page that is there (else 404) where the site settings say that it is offered."""

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not offered(site_of(request)):
                raise Http404
            return view(request, *args, **kwargs)

        return wrapped

    return decorate


class Sources(NamedTuple):
    """What a page is made of besides its address, the settings and the release: the `facts` that it changes
    with, and for how many `seconds` it is still fresh."""

    seconds: float
    facts: tuple[object, ...]

    @classmethod
    def fetched(cls, at: datetime, fresh_seconds: float, *facts: object) -> Self | None:
        """What was fetched then; None once its fresh time is over."""
        seconds = fresh_seconds - abs((timezone.now() - at).total_seconds())
        return cls(seconds, (at, *facts)) if seconds > 0 else None

    @classmethod
    def united(cls, *parts: Self | None) -> Self | None:
        """What is made of all these; None where one is missing."""
        present = [one for one in parts if one]
        if not present or len(present) < len(parts):
            return None
        return cls(min(one.seconds for one in present), tuple(one.facts for one in present))


@cache
def release() -> str:
    """A hash of the files and of the environment that pages are made with."""
    environment = (settings.GATEWAY_BASE_URL, settings.MAP_TILE_URL, settings.MAP_ATTRIBUTION)
    digest = hashlib.sha256(repr(environment).encode())
    for folder in ("hotelsite", "search", "static", "templates"):
        for path in sorted(Path(settings.BASE_DIR, folder).rglob("*.*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def cacheable(
    request: HttpRequest, site: Site, sources: Sources | None, page: Callable[[], HttpResponse]
) -> HttpResponse:
    """The page, which browsers and caches in front may keep, or 304 without making it. It is private without
    sources, for a colleague, and where it is no success."""
    if sources is None or settings.DEBUG or settings.SESSION_COOKIE_NAME in request.COOKIES:
        return page()
    address, market, day = request.build_absolute_uri(), getattr(request, "market", ""), timezone.localdate()
    parts = (release(), site, address, market, day, sources.facts, wants_json(request))
    etag = f'W/"{hashlib.sha256(repr(parts).encode()).hexdigest()[:32]}"'
    response = get_conditional_response(request, etag) or page()
    if response.status_code in (200, 304) and not response.has_header("Cache-Control"):
        response["ETag"] = etag
        seconds = int(min(sources.seconds, MOST_SHARED_SECONDS))
        patch_cache_control(response, public=True, max_age=0, s_maxage=seconds, **WHEN_STALE)
    return response


def ask_again(request: HttpRequest, form: SearchForm) -> HttpResponse:
    """The form with what was typed: with its errors (400), or to be completed (200); on a page of one hotel
    or several with a way back to them."""
    match, wrong = request.resolver_match, {*form.errors}
    label = WAYS_BACK.get(match.view_name, "") if match else ""
    # What an admin no longer offers takes no days along.
    names = wrong if wrong and wrong <= OFFERED else wrong | DAYS
    back = (_without(request, request.path, names), label) if label else None
    context = {"form": form, "site": form.site, "back": back}
    status = 400 if form.is_bound or wants_json(request) else 200
    return render(request, "error_pages/ask_again.html", context, status=status)


def sorry(request: HttpRequest, form: SearchForm, error: GatewayError) -> HttpResponse:
    """The page for "prices are not available right now": 503, or 429 when we are asked to slow down."""
    context = {"error": error, "staff": is_staff(request), "form": form, "site": form.site}
    response = render(
        request, "error_pages/sorry.html", context, status=429 if error.kind == "throttled" else 503
    )
    response["Retry-After"] = str(max(1, round(min(error.retry_after or RETRY_AFTER_SECONDS, 60))))
    response["Cache-Control"] = "no-store"
    return response
