"""What a watch says: its page, its Atom feed and its calendar file."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from babel.numbers import format_percent
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed

from search.domain.money import Money
from search.domain.query import encode_pairs
from search.domain.site_settings import Site
from search.property.observed import Runs
from search.property.price_history import PriceHistory
from search.web.formatting import Reader, short_day
from search.web.links import Head, property_path, reverse
from search.web.translation import gettext as _

from .models import SharedLink
from .watches import Change, Entry, Watch


class WatchWords:
    """A watch in words, in its own market or in that of its reader."""

    def __init__(self, watch: Watch, site: Site, market: str = "") -> None:
        self.name, search = watch.name, watch.stay
        self.reader, self.currency = Reader.of(site, market or search.market), search.currency
        self.stay = self.reader.stay_line(search)

    def _money(self, amount: Decimal) -> str:
        return self.reader.money(Money(amount, self.currency))

    def what(self, entry: Entry) -> str:
        """`€398.00, €14.00 less`."""
        if entry.total is None:
            return _("No longer offered for these dates")
        total = self._money(entry.total)
        if entry.change is Change.BACK:
            return _("Offered again: %(amount)s") % {"amount": total}
        text = _("%(amount)s less") if entry.change is Change.LOWER else _("%(amount)s more")
        return f"{total}, {text % {'amount': self._money(abs(entry.total - (entry.before or 0)))}}"

    def title(self, entry: Entry) -> str:
        return _("%(name)s: %(text)s") % {"name": self.name, "text": self.what(entry)}

    def latest(self, runs: Runs) -> str:
        """`€398.00, seen 2 hours ago`."""
        if not runs:
            return _("No total was seen yet")
        amount, ago = runs[-1].amount, self.reader.ago(runs[-1].last_seen)
        if amount is None:
            return _("No longer offered for these dates, seen %(ago)s") % {"ago": ago}
        return _("%(amount)s, seen %(ago)s") % {"amount": self._money(amount), "ago": ago}


def letter(link: SharedLink, changes: list[tuple[Watch, Entry]], site: Site) -> tuple[str, str]:
    """Subject and text of the mail about changes of a link's hotels; a subject has no line breaks."""
    name = link.title or link.label or link.place or changes[0][0].name
    subject = " ".join((_("Totals changed: %(name)s") % {"name": name}).split())
    words = [(WatchWords(watch, site), entry) for watch, entry in changes]
    lines = [one.title(entry) for one, entry in words]
    addresses = (f"{changes[0][0].origin}{reverse(page, [link.code])}" for page in ("shared", "share-link"))
    return subject, "\n".join((words[0][0].stay, "", *lines, "", *addresses, ""))


class WatchPage:
    """Parameters of sharing/watch.html. `entries` are days and words, the newest first."""

    def __init__(self, watch: Watch, site: Site, market: str, origin: str) -> None:
        words, runs = WatchWords(watch, site, market), watch.runs(site)
        self.head = Head(_("Watched: %(name)s") % {"name": watch.name}, robots="noindex, nofollow")
        self.name, self.stay, self.latest = watch.name, words.stay, words.latest(runs)
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
        name = watch.name_of(one.name)
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
        events.append((one.name, one.at, day, day + timedelta(days=1), words.title(one)))
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
