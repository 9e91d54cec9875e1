"""The page of a shared link: the note, the same cards, and for each what it cost then and costs now; and the
pages of a link that is over or can't be opened just now."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime

from babel.dates import format_skeleton
from django.utils import timezone

from search.domain.query import Sort, StaySearch
from search.domain.site_settings import Site
from search.property.page import PropertyPage
from search.results.card import CardMaker
from search.results.listings import FoundProperty
from search.results.toolbar import sort_label
from search.web import formatting
from search.web.formatting import Reader, guests, nights
from search.web.links import reverse
from search.web.meta import Head
from search.web.photos import photo_address
from search.web.search_bar import Choice
from search.web.translation import gettext as _
from search.web.translation import ngettext

from .entries import SharedEntry, ThenWords
from .link import Link, LinkKind, LinkState, Snapshot
from .price_change import Now, OpenedLink, OwnView, ThenAndNow, Turn


@dataclass(frozen=True, slots=True)
class SharedNote:
    """Parameters of sharing/note.html: who says what about which stay. `now_note` says so when the
    prices of now aren't from now. Empty strings don't apply: a title of ours says the stay itself."""

    title: str
    stay: str
    paragraphs: tuple[str, ...]
    from_line: str
    now_note: str


@dataclass(frozen=True, slots=True)
class OwnViewBar:
    """Parameters of sharing/own_view.html: the recipient's own order and filters, sent to this page."""

    action: str
    sorts: tuple[Choice, ...]
    free_cancellation: bool
    pay_later: bool
    shown: str
    active: bool


@dataclass(frozen=True, slots=True)
class SharedPage:
    """Parameters of sharing/shared.html. `compare` is the address of the comparison, `to_results` that of all
    results; both may be empty. `bar` is None where there is nothing to arrange."""

    head: Head
    note: SharedNote
    entries: tuple[SharedEntry, ...]
    bar: OwnViewBar | None
    compare: str
    to_results: str

    @classmethod
    def build(cls, opened: OpenedLink, now: Now, view: OwnView) -> SharedPage:
        link, context, site = opened.link, opened.context, opened.context.site
        maker = CardMaker.of(context, link.shared.page)
        words = ThenWords(maker.reader, short_day(link.shared_at, maker.reader))
        shown = view.of(now.entries, context)
        there = sum(1 for one in now.entries if one.now)
        head = shared_head(opened, now.entries)
        can_repeat = opened.can_search and context.search.place
        return cls(
            head=head,
            note=_note(opened, now, head.title),
            entries=tuple(words.entry(one, maker, position) for position, one in enumerate(shown)),
            bar=_bar(link, view, len(shown), site) if there > 1 else None,
            compare=reverse("shared-compare", args=[link.code]) if there > 1 and site.compare_enabled else "",
            to_results=maker.prices.links.results(1) if can_repeat else "",
        )


@dataclass(frozen=True, slots=True)
class SharedPropertyPage:
    """Parameters of sharing/shared_property.html: a whole property page under the sender's note."""

    page: PropertyPage
    note: SharedNote
    entry: SharedEntry

    @classmethod
    def build(cls, opened: OpenedLink, now: Now, found: FoundProperty) -> SharedPropertyPage:
        link, context = opened.link, opened.context
        maker = CardMaker.of(context, link.shared.page)
        words = ThenWords(maker.reader, short_day(link.shared_at, maker.reader))
        head = shared_head(opened, now.entries)
        return cls(
            page=replace(PropertyPage.build(context, found, link.shared.page), head=head),
            note=_note(opened, now, head.title),
            entry=words.entry(now.entries[0], maker, 0),
        )


def _bar(link: Link, view: OwnView, shown: int, site: Site) -> OwnViewBar:
    count = len(link.snapshot)
    sorts = [Choice("", _("As it was shared"), view.sort is None)]
    sorts += [
        Choice(one.value, sort_label(one), one is view.sort) for one in site.sorts if one is not Sort.PROVIDER
    ]
    text = _("%(shown)s of %(count)s shown") % {"shown": shown, "count": count} if shown < count else ""
    return OwnViewBar(
        action=reverse("shared", args=[link.code]),
        sorts=tuple(sorts),
        free_cancellation=view.free_cancellation,
        pay_later=view.pay_later,
        shown=text,
        active=view.narrows or view.sort is not None,
    )


def shared_head(opened: OpenedLink, entries: tuple[ThenAndNow, ...]) -> Head:
    """What a preview may say: what and when, a picture, never a price and never the note. What admins took
    off the site since is no part of it."""
    shown = tuple(one.then for one in entries if one.turn is not Turn.HIDDEN)
    picture = next(filter(None, (photo_address(one.picture) for one in shown)), "")
    search, reader = opened.context.search, Reader.for_search(opened.context)
    return Head(
        title=preview_title(opened.link.shared.kind, shown, search, reader),
        description=stay_line(search, reader),
        robots="noindex, nofollow",
        picture=f"{opened.origin}{picture}" if picture.startswith("/") else picture,
    )


def preview_title(kind: LinkKind, snapshot: tuple[Snapshot, ...], search: StaySearch, reader: Reader) -> str:
    """`12 hotels in Porto, 3-6 Mar 2027, 2 guests`, or the one property's name in place of the count."""
    what = _hotels(len(snapshot), search.place)
    if kind is LinkKind.PROPERTY and snapshot:
        what = ", ".join(filter(None, (snapshot[0].name, snapshot[0].city)))
    days = formatting.stay_days(search.dates, reader.texts)
    return ", ".join(filter(None, (what, days, guests(search.guests))))


def _hotels(count: int, place: str) -> str:
    if not count or not place:
        return place
    text = ngettext("%(count)s hotel in %(place)s", "%(count)s hotels in %(place)s", count)
    return text % {"count": count, "place": place}


def stay_line(search: StaySearch, reader: Reader) -> str:
    days = formatting.stay_days(search.dates, reader.texts)
    return " · ".join((days, nights(search.dates.nights), guests(search.guests)))


def _note(opened: OpenedLink, now: Now, title: str) -> SharedNote:
    """`title` stands in where the sender gave none."""
    link, reader = opened.link, Reader.for_search(opened.context)
    day, last = short_day(link.shared_at, reader), short_day(link.expires, reader)
    from_lines = [_("Shared on %(day)s. Works until %(last)s.") % {"day": day, "last": last}]
    if now.fetched_at is not None and not now.stale:
        asked_on, asked_at = short_day(now.fetched_at, reader), reader.clock(now.fetched_at)
        from_lines.append(_("Prices of %(day)s, %(time)s.") % {"day": asked_on, "time": asked_at})
    return SharedNote(
        title=link.shared.title or title,
        stay=stay_line(opened.context.search, reader) if link.shared.title else "",
        paragraphs=tuple(part.strip() for part in link.shared.note.split("\n\n") if part.strip()),
        from_line=" ".join(from_lines),
        now_note=_now_note(opened, now, reader),
    )


def _now_note(opened: OpenedLink, now: Now, reader: Reader) -> str:
    shared_at = opened.link.shared_at
    then = {"day": short_day(shared_at, reader), "time": reader.clock(shared_at)}
    if not opened.can_search:
        return _("This search can't be repeated here any more. You see what was shared on %(day)s.") % then
    if now.fetched_at is None:
        return (
            _(
                "Today's prices can't be had right now. You see what was shared on %(day)s at %(time)s; "
                "try again in a minute."
            )
            % then
        )
    if now.stale:
        return reader.stale_note(now.fetched_at)
    return ""


def short_day(when: date | datetime, reader: Reader) -> str:
    """`3 Nov`, in the order and language of the reader."""
    day = timezone.localtime(when).date() if isinstance(when, datetime) else when
    return format_skeleton("MMMd", day, locale=reader.texts)


@dataclass(frozen=True, slots=True)
class EndedPage:
    """Parameters of sharing/ended.html."""

    head: Head
    title: str
    advice: str

    @classmethod
    def build(cls, state: LinkState) -> EndedPage:
        """`state` is any but live."""
        title, advice = {
            LinkState.REVOKED: (
                _("This link has been withdrawn"),
                _("Whoever sent it to you has ended it. Ask them for a new one, or search for yourself."),
            ),
            LinkState.PAST: (
                _("The days of this stay have passed"),
                _("Choose other days: the rest of the search is filled in."),
            ),
            LinkState.EXPIRED: (
                _("This link has expired"),
                _("Prices change, so shared links end after a while. The same search is filled in below."),
            ),
        }[state]
        return cls(head=Head(title=title, robots="noindex, nofollow"), title=title, advice=advice)


@dataclass(frozen=True, slots=True)
class WaitPage:
    """Parameters of sharing/wait.html: it knows nothing of any link, so all look alike."""

    head: Head
    title: str
    advice: str

    @classmethod
    def too_many_guesses(cls) -> WaitPage:
        advice = _(
            "Too many links that don't exist were tried from your address. "
            "Try yours again in a quarter of an hour."
        )
        return cls._of(_("Please wait a little"), advice)

    @classmethod
    def no_database(cls) -> WaitPage:
        advice = _("Something on our side is resting. Please try your link again in a minute.")
        return cls._of(_("Links can't be opened right now"), advice)

    @classmethod
    def _of(cls, title: str, advice: str) -> WaitPage:
        return cls(head=Head(title=title, robots="noindex, nofollow"), title=title, advice=advice)
