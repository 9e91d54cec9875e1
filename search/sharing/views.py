"""`/s/<code>/`: what a recipient of a shared link sees, without signing in."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps

from axes.helpers import get_client_ip_address
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.timezone import localdate

from search.domain.context import SearchContext
from search.domain.query import Filter
from search.results.context import context_of
from search.results.forms import refinement_of
from search.site_settings import store
from search.web.formatting import Reader
from search.web.links import card_anchor
from search.web.markets import asked_market
from search.web.meta import Head
from search.web.search_bar import SearchBar
from search.web.search_form import SearchForm
from search.web.shortcuts import RETRY_AFTER_SECONDS, View, is_staff, origin_of, page_deadline, read_only
from search.web.streaming import begun_early

from . import access, service
from .access import is_reading
from .forms import compared, own_view
from .link import LinkKind, LinkState, read_search
from .models import SharedLink
from .pages import (
    ENDED,
    NO_DATABASE,
    TOO_MANY_GUESSES,
    MessagePage,
    SharedPage,
    SharedPropertyPage,
    side_by_side,
)
from .price_change import NOTHING, Now, OpenedLink

HEADERS = {
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
}

LinkView = Callable[[HttpRequest, OpenedLink], HttpResponse]


def for_recipients(view: LinkView) -> View:
    """Finds the link of the code and opens it, says that it is over, or that there is none. No response tells
    others its address or may be cached."""

    @read_only
    @wraps(view)
    def guarded(request: HttpRequest, code: str) -> HttpResponseBase:
        response = _response(request, code, view)
        for name, value in HEADERS.items():
            response[name] = value
        return response

    return guarded


def _response(request: HttpRequest, code: str, view: LinkView) -> HttpResponseBase:
    # By the same rule as the throttle of the sign-in page: of IPv6 the whole network.
    address = str(get_client_ip_address(request))
    if access.is_blocked(address):
        return _wait(request, TOO_MANY_GUESSES, 429, access.WINDOW_SECONDS)
    # No link opens, so that nothing says which codes are real.
    if access.is_embedded(request) or not store.current().sharing_enabled:
        return render(request, "404.html", status=404)
    try:
        link = service.find_link(code)
    except service.NoSuchLink:
        access.note_miss(address)
        return render(request, "404.html", status=404)
    except service.NoDatabase:
        return _wait(request, NO_DATABASE, 503, RETRY_AFTER_SECONDS)
    state = service.state_of(link)
    if state is not LinkState.LIVE:
        return _ended(request, link, state)
    opened = open_link(request, link)
    response = begun_early(request, lambda: view(request, opened), lambda: _beginning(request, opened))
    if response.status_code == 200 and is_reading(request) and not is_staff(request):
        browser = request.headers.get("User-Agent", "")
        count = partial(access.count_open, link.code, address=address, browser=browser, now=timezone.now())
        # Once the answer was sent: with SQLite one waits for whoever writes.
        response._resource_closers.append(count)  # type: ignore[attr-defined]  # the stubs don't know it
    return response


def _beginning(request: HttpRequest, opened: OpenedLink) -> str:
    """What a link says before today's prices are known."""
    stay = Reader.for_search(opened.context).stay_line(opened.context.search)
    title = opened.link.title or stay
    bar = SearchBar.of_search(opened.context) if opened.link.kind == LinkKind.PROPERTY else None
    page = {"head": Head(title=title, robots="noindex, nofollow"), "title": title, "stay": stay, "bar": bar}
    return render_to_string("sharing/skeleton.html", {"page": page, "site": opened.context.site}, request)


def _wait(request: HttpRequest, message: tuple[object, object], status: int, seconds: int) -> HttpResponse:
    response = render(request, "sharing/wait.html", {"page": MessagePage.of(message)}, status=status)
    response["Retry-After"] = str(seconds)
    return response


def _ended(request: HttpRequest, link: SharedLink, state: LinkState) -> HttpResponse:
    """The page of a link that is over, with its search filled in (status 410)."""
    site, first_day = store.current(), service.first_day(link)
    query, told = QueryDict(link.search, mutable=True), QueryDict(link.refinement)
    for name in ("near", "country"):
        query[name] = told.get(name, "")
    if link.check_in < first_day:
        query.pop("checkin")
        query.pop("checkout")
    form = SearchForm(query, site=site, today=localdate(), first_day=first_day, bind=False)
    context = {"page": MessagePage.of(ENDED[state]), "form": form, "site": site}
    return render(request, "sharing/ended.html", context, status=410)


def open_link(request: HttpRequest, link: SharedLink) -> OpenedLink:
    """The link as it is opened now: its search read again by the rules of today, in the formats of whoever
    reads it. The gateway is asked for the link's own market, since offers differ from one to another. Its
    totals are of offers on its sender's terms, whether or not visitors can still ask for those."""
    site = store.current()
    with_all_filters = replace(site, filters=tuple(Filter))
    today, deadline = localdate(), page_deadline()
    query = QueryDict(f"{link.search}&{link.refinement}")
    needs_place = link.kind != LinkKind.PROPERTY
    form = SearchForm(query, site=with_all_filters, today=today, needs_place=needs_place)
    can_search = form.is_valid()
    if can_search:
        context = context_of(form, query, deadline)
    else:
        refinement = refinement_of(query, with_all_filters)
        context = SearchContext(read_search(link.search), refinement, site, today, deadline)
    reader_market = getattr(request, "market", site.default_market)
    context = replace(context, site=site, reader_market=reader_market)
    return OpenedLink(link, context, can_search, origin_of(request), asked_market(request, site))


@for_recipients
def shared(request: HttpRequest, opened: OpenedLink) -> HttpResponse:
    """The properties of a link, then and now; a link to one property shows its whole page."""
    site, now = opened.context.site, opened.now()
    if now.known.property is not None:
        whole = SharedPropertyPage.build(opened, now, now.known.property)
        context = {"page": whole.page, "shared": whole, "site": site}
        return render(request, "sharing/shared_property.html", context)
    page = SharedPage.build(opened, now, own_view(request.GET, site))
    return render(request, "sharing/shared.html", {"page": page, "site": site})


@for_recipients
def compare(request: HttpRequest, opened: OpenedLink) -> HttpResponse:
    """Two to four properties of a link side by side, as their reader views them; fewer, and the link itself
    is shown."""
    site = opened.context.site
    view = own_view(request.GET, site)
    marks = compared(request.GET) if site.compare_enabled else ()
    now = opened.now() if marks else Now((), NOTHING)
    by_mark = {card_anchor(one.then.key): one for one in view.of(now.entries, opened.context)}
    chosen = tuple(by_mark[mark] for mark in marks if mark in by_mark and by_mark[mark].now)
    if len(chosen) < 2:
        return redirect(opened.address("shared", view))
    page = side_by_side(opened, now, chosen, view)
    return render(request, "compare/page.html", {"page": page, "site": site})
