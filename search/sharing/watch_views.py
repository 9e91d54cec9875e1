"""`/watch/...`: a visitor's watch is begun, seen, fetched as a feed or a calendar file, and stopped."""

from collections.abc import Callable
from datetime import UTC, timedelta
from functools import wraps

from axes.helpers import get_client_ip_address
from babel.numbers import format_percent
from django.db import Error
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from search.domain.context import SearchContext
from search.domain.site_settings import Site
from search.gateway import NotFound
from search.gateway.parsing import MAX_ID
from search.property import observed
from search.property import service as properties
from search.property.price_history import PriceHistory
from search.results.context import for_search
from search.web.formatting import short_day
from search.web.links import Head, property_path, reverse, with_query
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

from . import watches
from .models import LinkState
from .views import WINDOW_SECONDS, is_blocked, kept_secret, note_miss, says
from .watches import Watch, WatchWords

# So long a feed reader or a calendar program may keep what it has.
KEPT_SECONDS = 900


class WatchPage:
    """Parameters of sharing/watch.html; feed and calendar file say the same. `entries` are the newest first,
    each with its day and its text."""

    def __init__(self, watch: Watch, site: Site, origin: str) -> None:
        words, hotel = WatchWords(watch, site, site.default_market), watch.shown[0]
        reader, runs = words.reader, words.runs[hotel.key]
        self.watch, self.site = watch, site
        self.name, self.stay = hotel.shown_name, words.stay
        self.head = Head(_("Watched: %(name)s") % {"name": self.name}, robots="noindex, nofollow")
        self.latest = _("No total was seen yet")
        if runs:
            amount, ago = runs[-1].amount, reader.ago(runs[-1].last_seen)
            text = _("%(amount)s, seen %(ago)s")
            if amount is None:
                text = _("No longer offered for these dates, seen %(ago)s")
            self.latest = text % {"amount": "" if amount is None else words.money(amount), "ago": ago}
        self.history = PriceHistory.of(runs, None, words.search.currency, reader)
        self.entries = [
            (entry, short_day(entry.at, reader), text) for _name, entry, text in reversed(words.entries)
        ]
        limit = _("Only falls and rises of more than %(percent)s count.")
        self.limit = limit % {"percent": format_percent(watch.percent / 100, locale=reader.numbers)}
        path = property_path(hotel.provider, hotel.property_id, hotel.apart)
        self.hotel = with_query(with_query(path, watch.search), watch.refinement)
        market = [("market", site.default_market)]
        self.page, self.feed, self.calendar, self.stop = (
            f"{origin}{reverse(name, [watch.address], market)}"
            for name in ("watch", "watch-feed", "watch-calendar", "watch-stop")
        )

    def title(self, text: str) -> str:
        return _("%(name)s: %(text)s") % {"name": self.name, "text": text}


def atom(page: WatchPage) -> str:
    """The changes as an Atom feed (RFC 4287)."""
    feed = Atom1Feed(
        title=page.head.title,
        link=page.page,
        description=page.stay,
        feed_url=page.feed,
        feed_guid=page.watch.name_of("feed"),
        author_name=page.site.site_name,
    )
    for one, _day, text in page.entries:
        feed.add_item(
            page.title(text),
            page.page,
            page.stay,
            unique_id=page.watch.name_of(one.moment.isoformat()),
            pubdate=one.moment,
            updateddate=one.moment,
        )
    return feed.writeString("utf-8")


def calendar(page: WatchPage) -> bytes:
    """The stay, and each change on its day, as a calendar file (RFC 5545)."""
    from icalendar import Calendar, Event  # 9 MB, which few processes need

    watch, dates = page.watch, page.watch.stay.dates
    changed = page.entries[0][0].at if page.entries else watch.made_at
    events = [("stay", changed, dates.check_in, dates.check_out, page.name)]
    for one, _day, text in reversed(page.entries):
        day = timezone.localtime(one.at).date()
        events.append((one.moment.isoformat(), one.at, day, day + timedelta(days=1), page.title(text)))
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
        if is_blocked(visitor) or watches.live().count() >= context.site.most_watches:
            return says(request, "no-room", 429, WINDOW_SECONDS)
        key = request.GET.get("hotel", "")[:MAX_ID]
        hotel = properties.find_property(context, provider, property_id, hotel=key)
        watch = watches.begin(context, hotel)
    except NotFound:
        raise Http404 from None
    except Error:
        return says(request, "no-database", 503, RETRY_AFTER_SECONDS)
    note_miss(visitor)
    return redirect(reverse("watch", [watch.address], [("market", context.search.market)]))


def of_watch(view: Callable[[HttpRequest, WatchPage], HttpResponse]) -> View:
    """Finds the watch of a signed address, or says that it is over (410) or doesn't exist."""

    @kept_secret
    @wraps(view)
    def guarded(request: HttpRequest, address: str) -> HttpResponseBase:
        try:
            watch = watches.find(address)
            if watch is None:
                return render(request, "404.html", status=404)
            if watch.state is not LinkState.LIVE:
                return says(request, f"watch-{watch.state}", 410)
            return view(request, WatchPage(watch, visited_site(request), origin_of(request)))
        except Error:
            return says(request, "no-database", 503, RETRY_AFTER_SECONDS)

    return guarded


@read_only
@of_watch
def page(request: HttpRequest, page: WatchPage) -> HttpResponse:
    """The page of a watch, to be kept."""
    return render(request, "sharing/watch.html", {"page": page, "site": page.site})


@read_only
@of_watch
def feed(_request: HttpRequest, page: WatchPage) -> HttpResponse:
    return _file(atom(page), "application/atom+xml")


@read_only
@of_watch
def calendar_file(_request: HttpRequest, page: WatchPage) -> HttpResponse:
    return _file(calendar(page), "text/calendar")


def _file(content: str | bytes, kind: str) -> HttpResponse:
    headers = {"Cache-Control": f"private, max-age={KEPT_SECONDS}"}
    return HttpResponse(content, content_type=f"{kind}; charset=utf-8", headers=headers)


@csrf_exempt
@require_POST
@of_watch
def stop(request: HttpRequest, page: WatchPage) -> HttpResponse:
    """End the watch for good."""
    if not is_own_page(request):
        return HttpResponse(status=403)
    Watch.objects.filter(pk=page.watch.pk).update(revoked_at=timezone.now())
    return redirect(page.page)
