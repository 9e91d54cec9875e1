"""`/s/<code>/`: what a recipient of a shared link sees, without signing in."""

import hashlib
import logging
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial, wraps
from typing import Any

from axes.helpers import get_client_ip_address
from django.core.cache import cache, caches
from django.db import Error
from django.db.models import F
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.timezone import localdate

from search.compare.side_by_side import MOST_COMPARED
from search.domain.query import Filter, encode_pairs
from search.monitoring.metrics import LINK_OPENS
from search.results.context import context_of
from search.site_settings import store
from search.web.links import Head, card_anchor
from search.web.markets import asked_market
from search.web.search_form import SearchBar, SearchForm, StayForm
from search.web.shortcuts import (
    RETRY_AFTER_SECONDS,
    View,
    is_reading,
    is_staff,
    origin_of,
    page_deadline,
    page_or_json,
    read_only,
)
from search.web.streaming import begun_early

from .models import LinkKind, LinkOpens, LinkState, SharedLink, usable_code
from .pages import SharedPage, SharedPropertyPage, message_page, picked_words, side_by_side
from .price_change import Now, OpenedLink, OwnView

MOST_MISSES = 20
WINDOW_SECONDS = 15 * 60
# Of all processes and of this one, which goes on counting while the shared cache is away.
COUNTS = ("default", "process")
ONE_OPEN_SECONDS = 30 * 60
A_DAY = 86_400

logger = logging.getLogger(__name__)


@contextmanager
def _without_cache(consequence: str) -> Iterator[None]:
    """Goes on without the cache, and logs what that means."""
    try:
        yield
    except Exception as error:
        logger.warning("%s (%s)", consequence, type(error).__name__)


def is_blocked(address: str) -> bool:
    """Whether an address has guessed too often lately."""
    misses = [0]
    for alias in COUNTS:
        with _without_cache("guesses are not counted"):
            misses.append(int(caches[alias].get(_key(address), 0)))
    return max(misses) >= MOST_MISSES


def is_embedded(request: HttpRequest) -> bool:
    """Whether a page of another site asks, not its reader. With pictures of wrong codes such a page could
    have its readers' networks blocked."""
    site, asked_as = (request.headers.get(f"Sec-Fetch-{name}", "") for name in ("Site", "Dest"))
    return site == "cross-site" and asked_as != "document"


def note_miss(address: str) -> None:
    """Count one code that doesn't exist."""
    for alias in COUNTS:
        with _without_cache("a guess was not counted"):  # the entry may also have expired in between
            if not caches[alias].add(_key(address), 1, WINDOW_SECONDS):
                caches[alias].incr(_key(address))


def _key(address: str) -> str:
    return f"link-misses:{hashlib.sha256(address.encode(errors='replace')).hexdigest()}"


def count_open(code: str, *, address: str, browser: str, now: datetime) -> bool:
    """Count an open, once a visitor in half an hour; whether it was counted. Without a cache each counts,
    without a database none does."""
    if not _is_new(code, address, browser, now):
        return False
    try:
        SharedLink.objects.filter(code=code).update(
            opens=F("opens") + 1, first_opened_at=Coalesce("first_opened_at", now), last_opened_at=now
        )
        of_day = {"link": SharedLink.objects.get(code=code), "day": localdate(now)}
        one_more = {"opens": F("opens") + 1}
        LinkOpens.objects.update_or_create(one_more, create_defaults={"opens": 1}, **of_day)
    except (Error, SharedLink.DoesNotExist) as error:
        logger.warning("an open could not be counted (%s)", type(error).__name__)
        return False
    LINK_OPENS.inc()
    return True


def _is_new(code: str, address: str, browser: str, now: datetime) -> bool:
    """Without cookies a visitor is a hash of address and browser, with a salt of the day."""
    new = True
    with _without_cache("opens are counted without a cache"):
        salt = cache.get_or_set(f"link-salt:{now:%Y%m%d}", lambda: secrets.token_hex(16), A_DAY)
        visitor = hashlib.sha256(f"{salt}|{code}|{address}|{browser}".encode(errors="replace")).hexdigest()
        new = cache.add(f"link-open:{visitor}", 1, ONE_OPEN_SECONDS)
    return bool(new)


HEADERS = {
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
}


def kept_secret(view: View) -> View:
    """No response tells others its address, nor may it be cached unless it says for how long."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        for name, value in HEADERS.items():
            if "max-age" not in response.get(name, ""):
                response[name] = value
        return response

    return guarded


def for_recipients(view: Callable[[HttpRequest, OpenedLink], HttpResponse]) -> View:
    """Opens the link of the code, or says that it is over or doesn't exist."""

    @read_only
    @kept_secret
    @wraps(view)
    def opened_or_not(request: HttpRequest, code: str) -> HttpResponseBase:
        # By the same rule as the throttle of the sign-in page: of IPv6 the whole network.
        address = str(get_client_ip_address(request))
        if is_blocked(address):
            return says(request, "too-many-guesses", 429, WINDOW_SECONDS)
        # No link opens, so that nothing says which codes are real.
        if is_embedded(request) or not store.current().sharing_enabled:
            return render(request, "404.html", status=404)
        try:
            # A text that can't be a code is looked up, too: every wrong one takes the same time.
            link = SharedLink.objects.filter(code=usable_code(code)).select_related("owner").first()
        except Error:
            return says(request, "no-database", 503, RETRY_AFTER_SECONDS)
        if link is None:
            note_miss(address)
            return render(request, "404.html", status=404)
        if link.state is not LinkState.LIVE:
            return _ended(request, link)
        opened = open_link(request, link)
        response = begun_early(request, lambda: view(request, opened), lambda: _beginning(request, opened))
        if response.status_code == 200 and is_reading(request) and not is_staff(request):
            browser = request.headers.get("User-Agent", "")
            count = partial(count_open, link.code, address=address, browser=browser, now=timezone.now())
            # After the response: with SQLite a write may have to wait.
            response._resource_closers.append(count)  # type: ignore[attr-defined]  # the stubs don't know it
        return response

    return opened_or_not


def _beginning(request: HttpRequest, opened: OpenedLink) -> str:
    """What a link says before today's prices are known."""
    stay = opened.reader.stay_line(opened.context.search)
    title = opened.link.title or picked_words(opened) or stay
    bar = SearchBar.of_search(opened.context) if opened.link.kind == LinkKind.PROPERTY else None
    page = {"head": Head(title=title, robots="noindex, nofollow"), "title": title, "stay": stay, "bar": bar}
    return render_to_string("sharing/skeleton.html", {"page": page, "site": opened.context.site}, request)


def says(request: HttpRequest, code: str, status: int, seconds: int = 0) -> HttpResponse:
    """A page of one message; after so many `seconds` another try may help, after 0 none."""
    response = render(request, "sharing/wait.html", {"page": message_page(code)}, status=status)
    if seconds:
        response["Retry-After"] = str(seconds)
    return response


def _ended(request: HttpRequest, link: SharedLink) -> HttpResponse:
    """The page of a link that is over, with its search filled in (status 410)."""
    site = store.current()
    query = QueryDict(f"{link.search}&{encode_pairs(link.around.pairs())}", mutable=True)
    if link.check_in < link.first_day:
        query.pop("checkin")
        query.pop("checkout")
    form = SearchForm(query, site=site, today=localdate(), first_day=link.first_day, bind=False)
    context = {"page": message_page(link.state), "form": form, "site": site}
    return render(request, "sharing/ended.html", context, status=410)


def open_link(request: HttpRequest, link: SharedLink) -> OpenedLink:
    """The link as it is opened now: its search, read by the rules of today in its own market, with all
    filters of its sender, in the reader's formats."""
    site = store.current()
    with_all_filters = replace(site, filters=tuple(Filter))
    form_class = StayForm if link.kind == LinkKind.PROPERTY else SearchForm
    form = form_class(link.query, site=with_all_filters, today=localdate())
    can_search = form.is_valid()
    context = context_of(form, link.query, page_deadline()) if can_search else link.context(site)
    reader_market = getattr(request, "market", site.default_market)
    context = replace(context, site=site, reader_market=reader_market)
    return OpenedLink(link, context, can_search, origin_of(request), asked_market(request, site))


@for_recipients
def shared(request: HttpRequest, opened: OpenedLink) -> HttpResponse:
    """The properties of a link, then and now; a link to one property shows its whole page."""
    site, now = opened.context.site, opened.now()
    if now.property is not None:
        whole = SharedPropertyPage(opened, now, now.property)
        context = {"page": whole.page, "shared": whole, "site": site}
        return page_or_json(request, "sharing/shared_property.html", context)
    page = SharedPage(opened, now, OwnView.asked(request.GET, site))
    return page_or_json(request, "sharing/shared.html", {"page": page, "site": site})


@for_recipients
def compare(request: HttpRequest, opened: OpenedLink) -> HttpResponse:
    """Two to four properties of a link side by side, in the reader's view; with fewer, the link itself."""
    site = opened.context.site
    view = OwnView.asked(request.GET, site)
    marks = [*dict.fromkeys(request.GET.getlist("stay"))][:MOST_COMPARED] if site.compare_enabled else []
    now = opened.now() if marks else Now(())
    by_mark = {card_anchor(one.then.key): one for one in view.of(now.entries, opened.context)}
    chosen = tuple(by_mark[mark] for mark in marks if mark in by_mark and by_mark[mark].now)
    if len(chosen) < 2:
        return redirect(opened.address("shared", view))
    page = side_by_side(opened, now, chosen, view)
    return page_or_json(request, "compare/page.html", {"page": page, "site": site})
