"""What a watch says: its page, its Atom feed and its calendar file."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Self

from babel.numbers import format_percent
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed

from search.domain.money import Money
from search.domain.query import StaySearch, encode_pairs
from search.domain.site_settings import Site
from search.property.observed import Runs
from search.property.price_history import PriceHistory
from search.web.formatting import Reader, short_day
from search.web.links import Head, property_path, reverse
from search.web.translation import gettext as _

from .models import SharedLink
from .watches import Change, Entry, Watch


@dataclass(frozen=True, slots=True)
class WatchWords:
    """A watch in words."""

    watch: Watch
    search: StaySearch
    reader: Reader

    @classmethod
    def of(cls, watch: Watch, site: Site, market: str = "") -> Self:
        search = watch.stay
        return cls(watch, search, Reader.of(site, market or search.market))

    @property
    def stay(self) -> str:
        return self.reader.stay_line(self.search)

    def what(self, entry: Entry) -> str:
        """`€398.00, €14.00 less`."""
        if entry.total is None:
            return _("No longer offered for these dates")
        total = self.reader.money(Money(entry.total, self.search.currency))
        if entry.change is Change.BACK:
            return _("Offered again: %(amount)s") % {"amount": total}
        difference = Money(abs(entry.total - (entry.before or 0)), self.search.currency)
        text = _("%(amount)s less") if entry.change is Change.LOWER else _("%(amount)s more")
        return f"{total}, {text % {'amount': self.reader.money(difference)}}"

    def title(self, entry: Entry) -> str:
        return _("%(name)s: %(text)s") % {"name": self.watch.name, "text": self.what(entry)}

    def latest(self, runs: Runs) -> str:
        """`€398.00, seen 2 hours ago`."""
        if not runs:
            return _("No total was seen yet")
        amount, ago = runs[-1].amount, self.reader.ago(runs[-1].last_seen)
        total = self.reader.money(Money(amount, self.search.currency)) if amount is not None else ""
        text = (
            _("%(amount)s, seen %(ago)s") if total else _("No longer offered for these dates, seen %(ago)s")
        )
        return text % {"amount": total, "ago": ago}


def letter(link: SharedLink, changes: list[tuple[Watch, Entry]], site: Site) -> tuple[str, str]:
    """Subject and text of the mail about changes of a link's hotels; a subject has no line breaks."""
    name = link.title or link.label or link.place or changes[0][0].name
    subject = " ".join((_("Totals changed: %(name)s") % {"name": name}).split())
    words = [(WatchWords.of(watch, site), entry) for watch, entry in changes]
    lines = [one.title(entry) for one, entry in words]
    addresses = (f"{changes[0][0].origin}{reverse(page, [link.code])}" for page in ("shared", "share-link"))
    return subject, "\n".join((words[0][0].stay, "", *lines, "", *addresses, ""))


@dataclass(frozen=True, slots=True)
class WatchPage:
    """Parameters of sharing/watch.html. `entries` are days and words, the newest first; `limit` says which
    changes are told. The address that begins with webcal: opens a calendar program."""

    head: Head
    name: str
    stay: str
    latest: str
    history: PriceHistory | None
    entries: tuple[tuple[str, str], ...]
    limit: str
    hotel: str
    page: str
    feed: str
    calendar: str
    stop: str

    @classmethod
    def build(cls, watch: Watch, site: Site, market: str, origin: str) -> Self:
        words, runs = WatchWords.of(watch, site, market), watch.runs(site)
        page, feed, calendar, stop = (
            f"{reverse(name, [watch.address])}?{encode_pairs([('market', market)])}"
            for name in ("watch", "watch-feed", "watch-calendar", "watch-stop")
        )
        told = ((short_day(one.at, words.reader), words.what(one)) for one in reversed(watch.entries(site)))
        limit = _("Only falls and rises of more than %(percent)s count.")
        return cls(
            head=Head(_("Watched: %(name)s") % {"name": watch.name}, robots="noindex, nofollow"),
            name=watch.name,
            stay=words.stay,
            latest=words.latest(runs),
            history=PriceHistory.of(runs, None, words.search.currency, words.reader),
            entries=tuple(told),
            limit=limit % {"percent": format_percent(watch.percent / 100, locale=words.reader.numbers)},
            hotel=f"{property_path(watch.provider, watch.property_id)}?{watch.search}",
            page=f"{origin}{page}",
            feed=f"{origin}{feed}",
            calendar=f"{origin}{calendar}",
            stop=stop,
        )


class _Feed(Atom1Feed):
    """Django's feed, last changed when its newest entry was, else when the watch began."""

    def latest_post_date(self) -> datetime:
        began: datetime = self.feed["began"]
        return max((one["pubdate"] for one in self.items), default=began)


def atom(watch: Watch, site: Site, page: WatchPage) -> str:
    """The changes as an Atom feed (RFC 4287)."""
    words = WatchWords.of(watch, site)
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

    def add(name: str, stamp: datetime, days: tuple[date, date], summary: str) -> None:
        event, (first, end) = Event(), days
        event.add("uid", name)
        event.add("dtstamp", stamp.astimezone(UTC))
        event.add("dtstart", first)
        event.add("dtend", end)
        event.add("summary", summary)
        event.add("description", page.page)
        event.add("transp", "TRANSPARENT")  # its days stay free
        made.add_component(event)

    words, dates, told, made = WatchWords.of(watch, site), watch.stay.dates, watch.entries(site), Calendar()
    made.add("version", "2.0")
    made.add("prodid", "-//hotelsite//watch//EN")
    made.add("x-wr-calname", page.name)
    changed = told[-1].at if told else watch.made_at
    add(watch.name_of("stay"), changed, (dates.check_in, dates.check_out), page.name)
    for one in told:
        day = timezone.localtime(one.at).date()
        add(watch.name_of(one.name), one.at, (day, day + timedelta(days=1)), words.title(one))
    return bytes(made.to_ical())
