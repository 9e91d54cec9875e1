"""`/watch/...`: a visitor's watch is begun, seen, fetched as a feed or a calendar file, and stopped."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import wraps

from axes.helpers import get_client_ip_address
from babel.numbers import format_percent
from django.db import Error
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.timezone import localdate
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from search.domain.context import SearchContext
from search.domain.query import encode_pairs
from search.domain.site_settings import Site
from search.gateway import NotFound
from search.gateway.parsing import MAX_ID
from search.property import observed
from search.property import service as properties
from search.property.price_history import PriceHistory
from search.results.context import for_search
from search.web.formatting import short_day
from search.web.links import Head, property_path, reverse
from search.web.shortcuts import (
    RETRY_AFTER_SECONDS,
    View,
    is_own_page,
    only_if,
    origin_of,
    read_only,
    visited_site,
)
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy

from . import watches
from .models import LinkState
from .pages import NO_DATABASE
from .views import WINDOW_SECONDS, is_blocked, kept_secret, note_miss, says
from .watches import Watch, WatchWords

NO_ROOM = (
    gettext_lazy("No more totals can be watched right now"),
    gettext_lazy("Please keep the hotel with its heart instead, or try again in a quarter of an hour."),
)
OVER = {
    LinkState.REVOKED: (
        gettext_lazy("This total is no longer watched"),
        gettext_lazy("The watch was stopped. Search for the hotel to begin another."),
    ),
    LinkState.PAST: (
        gettext_lazy("The dates of this stay have passed"),
        gettext_lazy("A watch ends with its stay."),
    ),
}
# So long a feed reader or a calendar program may keep what it has.
KEPT_SECONDS = 900


class WatchPage:
    """Parameters of sharing/watch.html. `entries` are days and words, the newest first."""

    def __init__(self, watch: Watch, site: Site, market: str, origin: str) -> None:
        words, runs = WatchWords(watch, site, market), watch.runs(site)
        self.head = Head(_("Watched: %(name)s") % {"name": watch.name}, robots="noindex, nofollow")
        self.name = watch.name
        self.stay = words.stay
        self.latest = words.latest(runs)
        self.history = PriceHistory.of(runs, None, words.currency, words.reader)
        entries = reversed(watch.entries(site))
        self.entries = [(short_day(one.at, words.reader), words.what(one)) for one in entries]
        limit = _("Only falls and rises of more than %(percent)s count.")
        self.limit = limit % {"percent": format_percent(watch.percent / 100, locale=words.reader.numbers)}
        self.hotel = f"{property_path(watch.provider, watch.property_id)}?{watch.search}"
        query = encode_pairs([("market", market)])
        pages = ("watch", "watch-feed", "watch-calendar", "watch-stop")
        paths = [f"{reverse(name, [watch.address])}?{query}" for name in pages]
        self.page, self.feed, self.calendar = (f"{origin}{path}" for path in paths[:3])
        self.stop = paths[3]


class _Feed(Atom1Feed):
    """Django's feed, last changed when its newest entry was, else when the watch began."""

    def latest_post_date(self) -> datetime:
        began: datetime = self.feed["began"]
        return max((one["pubdate"] for one in self.items), default=began)


def atom(watch: Watch, site: Site, page: WatchPage) -> str:
    """The changes as an Atom feed (RFC 4287)."""
    words = WatchWords(watch, site)
    feed = _Feed(
        title=page.head.title,
        link=page.page,
        description=page.stay,
        feed_url=page.feed,
        feed_guid=watch.name_of("feed"),
        author_name=site.site_name,
        began=watch.made_at.replace(microsecond=0),
    )
    for one in reversed(watch.entries(site)):
        name = watch.name_of(one.moment.isoformat())
        feed.add_item(
            words.title(one), page.page, page.stay, unique_id=name, pubdate=one.moment, updateddate=one.moment
        )
    return feed.writeString("utf-8")


def calendar(watch: Watch, site: Site, page: WatchPage) -> bytes:
    """The stay, and each change on its day, as a calendar file (RFC 5545)."""
    from icalendar import Calendar, Event  # 9 MB, which few processes need

    words, entries, days = WatchWords(watch, site), watch.entries(site), watch.stay.dates
    changed = entries[-1].at if entries else watch.made_at
    events = [("stay", changed, days.check_in, days.check_out, page.name)]
    for one in entries:
        day = timezone.localtime(one.at).date()
        events.append((one.moment.isoformat(), one.at, day, day + timedelta(days=1), words.title(one)))
    file = Calendar(version="2.0", prodid="-//hotelsite//watch//EN")
    file.add("x-wr-calname", page.name)
    for name, stamp, first, end, summary in events:
        event = Event(uid=watch.name_of(name), transp="TRANSPARENT")  # its days stay free
        event.add("dtstamp", stamp.astimezone(UTC))
        event.add("dtstart", first)
        event.add("dtend", end)
        event.add("summary", summary)
        event.add("description", page.page)
        file.add_component(event)
    return bytes(file.to_ical())


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
        key = request.GET.get("hotel", "")[:MAX_ID]
        hotel = properties.find_property(context, provider, property_id, hotel=key)
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
