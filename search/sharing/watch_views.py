"""`/watch/...`: a visitor's watch is begun, seen, fetched as a feed or a calendar file, and stopped."""

from collections.abc import Callable
from functools import wraps

from axes.helpers import get_client_ip_address
from django.db import Error
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.timezone import localdate
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from search.domain.context import SearchContext
from search.domain.site_settings import Site
from search.gateway.errors import NotFound
from search.property import observed
from search.property import service as properties
from search.results.context import for_search
from search.web.shortcuts import (
    RETRY_AFTER_SECONDS,
    View,
    is_own_page,
    only_if,
    origin_of,
    read_only,
    visited_site,
)
from search.web.translation import gettext_lazy as _

from . import watches
from .models import LinkState
from .pages import NO_DATABASE
from .views import WINDOW_SECONDS, is_blocked, kept_secret, note_miss, says
from .watch_pages import WatchPage, atom, calendar
from .watches import Watch

NO_ROOM = (
    _("No more totals can be watched right now"),
    _("Please keep the hotel with its heart instead, or try again in a quarter of an hour."),
)
OVER = {
    LinkState.REVOKED: (
        _("This total is no longer watched"),
        _("The watch was stopped. Search for the hotel to begin another."),
    ),
    LinkState.PAST: (_("The dates of this stay have passed"), _("A watch ends with its stay.")),
}
# So long a feed reader or a calendar program may keep what it has.
KEPT_SECONDS = 900


# A form of a page without cookies has no token: where it comes from is checked instead.
@csrf_exempt
@require_POST
@only_if(observed.can_watch)
@for_search(needs_place=False)
def begin(request: HttpRequest, context: SearchContext, provider: str, property_id: str) -> HttpResponse:
    """Begin to watch a hotel for the stay of the address, and lead to the page of the watch."""
    if not is_own_page(request):
        return HttpResponse(status=403)
    # Counted as wrong codes of links are: the name is a hash of its own.
    visitor = f"watches of {get_client_ip_address(request)}"
    try:
        if is_blocked(visitor) or watches.live(localdate()).count() >= context.site.most_watches:
            return says(request, NO_ROOM, 429, WINDOW_SECONDS)
        hotel = properties.find_property(context, provider, property_id)
        watch = watches.begin(context, hotel)
    except NotFound:
        raise Http404 from None
    except Error:
        return says(request, NO_DATABASE, 503, RETRY_AFTER_SECONDS)
    note_miss(visitor)
    page = WatchPage(watch, context.site, context.search.market, "")
    return redirect(page.page)


def of_watch(view: Callable[[HttpRequest, Watch, Site], HttpResponse]) -> View:
    """Finds the watch of a signed address, or says that it is over (410) or doesn't exist."""

    @kept_secret
    @wraps(view)
    def guarded(request: HttpRequest, address: str) -> HttpResponseBase:
        try:
            watch = watches.find(address)
            if watch is None:
                return render(request, "404.html", status=404)
            state = watch.state(localdate())
            if state in OVER:
                return says(request, OVER[state], 410)
            return view(request, watch, visited_site(request))
        except Error:
            return says(request, NO_DATABASE, 503, RETRY_AFTER_SECONDS)

    return guarded


def _page(request: HttpRequest, watch: Watch, site: Site) -> WatchPage:
    return WatchPage(watch, site, site.default_market, origin_of(request))


@read_only
@of_watch
def page(request: HttpRequest, watch: Watch, site: Site) -> HttpResponse:
    """The page of a watch, to be kept."""
    return render(request, "sharing/watch.html", {"page": _page(request, watch, site), "site": site})


@read_only
@of_watch
def feed(request: HttpRequest, watch: Watch, site: Site) -> HttpResponse:
    return _file(atom(watch, site, _page(request, watch, site)), "application/atom+xml")


@read_only
@of_watch
def calendar_file(request: HttpRequest, watch: Watch, site: Site) -> HttpResponse:
    return _file(calendar(watch, site, _page(request, watch, site)), "text/calendar")


def _file(content: str | bytes, kind: str) -> HttpResponse:
    headers = {"Cache-Control": f"private, max-age={KEPT_SECONDS}"}
    return HttpResponse(content, content_type=f"{kind}; charset=utf-8", headers=headers)


@csrf_exempt
@require_POST
@of_watch
def stop(request: HttpRequest, watch: Watch, site: Site) -> HttpResponse:
    """End the watch for good."""
    if not is_own_page(request):
        return HttpResponse(status=403)
    Watch.objects.filter(pk=watch.pk).update(revoked_at=timezone.now())
    return redirect(_page(request, watch, site).page)
