"""The page of a shared link: the note, the same cards, and for each what it cost then and costs now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from babel.dates import format_skeleton
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from search import formatting
from search.domain.airports import Airport
from search.domain.money import Money
from search.domain.refinement import Refinement
from search.domain.sharing import Link, LinkKind, Snapshot, ThenAndNow, Turn
from search.domain.site import Site
from search.domain.stay import StaySearch

from .cards import CardMaker, ListingCard
from .head import Head
from .links import Links, card_anchor
from .photos import Photo, photo_address
from .prices import PriceWords
from .reader import Reader, guests, nights
from .texts import CardTexts


@dataclass(frozen=True, slots=True)
class GoneCard:
    """A shared property without a card of its own now; a `hidden` one keeps its place and says no more."""

    anchor: str
    name: str
    place: str
    photo: Photo | None
    hidden: bool


@dataclass(frozen=True, slots=True)
class SharedEntry:
    """Parameters of components/shared_entry.html: a card or, without one, what the sender saw (`gone`).

    `turn` is the name of what became of the price, `line` says it in a sentence, `difference` in an amount.
    """

    card: ListingCard | None
    gone: GoneCard | None
    turn: str
    line: str
    difference: str


@dataclass(frozen=True, slots=True)
class SharedPage:
    """Parameters of search/shared.html. Empty strings are notices that don't apply."""

    head: Head
    title: str
    note: tuple[str, ...]
    from_line: str
    summary: str
    entries: tuple[SharedEntry, ...]
    texts: CardTexts
    now_note: str
    to_results: str

    @classmethod
    def build(
        cls,
        link: Link,
        entries: tuple[ThenAndNow, ...],
        search: StaySearch,
        refinement: Refinement,
        site: Site,
        *,
        anchor: Airport | None,
        fetched_at: datetime | None,
        stale: bool,
        can_search: bool,
        address: str,
    ) -> SharedPage:
        """`address` is the site's own (https://host), for what must stand without it, such as a preview's
        picture. `can_search` is false when the site no longer offers the search's market or currency."""
        reader = Reader.of(site, search.market)
        links = Links.of(search, refinement, link.shared.page)
        maker = CardMaker(reader, PriceWords.of(reader, links), anchor)
        words = ThenWords(reader, link)
        return cls(
            head=shared_head(link, search, reader, address),
            title=link.shared.title or preview_title(link.shared.kind, link.snapshot, search, reader),
            note=note_paragraphs(link),
            from_line=shared_line(link, reader),
            summary=stay_line(search, reader),
            entries=tuple(words.entry(one, maker, position) for position, one in enumerate(entries)),
            texts=CardTexts.translated(),
            now_note=now_note(link, reader, fetched_at, stale, can_search),
            to_results=links.results(1) if can_search and search.place else "",
        )


@dataclass(frozen=True)
class ThenWords:
    """Says what became of the shared properties of one link."""

    reader: Reader
    link: Link

    def entry(self, one: ThenAndNow, maker: CardMaker, position: int) -> SharedEntry:
        return SharedEntry(
            card=maker.card(one.now, position) if one.now else None,
            gone=None if one.now else self._gone(one),
            turn=one.turn.value,
            line=self.line(one),
            difference=self._difference(one),
        )

    def line(self, one: ThenAndNow) -> str:
        """`€412.00 when shared on 3 Nov, €398.00 now`."""
        then, now = one.then.total, (one.now.offers[0].total if one.now and one.now.offers else None)
        parts = {
            "then": self.reader.money(then) if then else _("No price"),
            "day": short_day(self.link.shared_at, self.reader),
            "now": self.reader.money(now.total) if now else "",
        }
        return _LINES[one.turn]() % parts

    def _difference(self, one: ThenAndNow) -> str:
        if one.difference is None:
            return ""
        amount = self.reader.money(Money(abs(one.difference.amount), one.difference.currency))
        less = one.turn is Turn.CHEAPER
        return (_("%(amount)s less") if less else _("%(amount)s more")) % {"amount": amount}

    def _gone(self, one: ThenAndNow) -> GoneCard:
        then, hidden = one.then, one.turn is Turn.HIDDEN
        picture = "" if hidden else photo_address(then.picture)
        return GoneCard(
            anchor=card_anchor(then.key),
            name=_("A hotel that was shared here") if hidden else then.name,
            place="" if hidden else then.city,
            photo=Photo(picture) if picture else None,
            hidden=hidden,
        )


_LINES = {
    Turn.SAME: lambda: _("%(then)s, the same as when shared on %(day)s"),
    Turn.CHEAPER: lambda: _("%(then)s when shared on %(day)s, %(now)s now"),
    Turn.DEARER: lambda: _("%(then)s when shared on %(day)s, %(now)s now"),
    Turn.PRICED: lambda: _("No price when shared on %(day)s, %(now)s now"),
    Turn.UNPRICED: lambda: _("%(then)s when shared on %(day)s, no price for these dates now"),
    Turn.CURRENCY: lambda: _("%(then)s when shared on %(day)s, %(now)s now: another currency, not compared"),
    Turn.GONE: lambda: _("%(then)s when shared on %(day)s, no longer offered for these dates"),
    Turn.HIDDEN: lambda: _("No longer shown on this site"),
    Turn.UNKNOWN: lambda: _("%(then)s when shared on %(day)s. Today's price can't be had right now."),
}


def shared_head(link: Link, search: StaySearch, reader: Reader, address: str) -> Head:
    """What a preview may say: what and when, a picture, never a price and never the note."""
    addresses = (photo_address(one.picture) for one in link.snapshot)
    picture = next(filter(None, addresses), "")
    return Head(
        title=preview_title(link.shared.kind, link.snapshot, search, reader),
        description=stay_line(search, reader),
        robots="noindex, nofollow",
        picture=f"{address}{picture}" if picture.startswith("/") else picture,
    )


def preview_title(kind: LinkKind, snapshot: tuple[Snapshot, ...], search: StaySearch, reader: Reader) -> str:
    """`12 hotels in Porto, 3-6 Mar 2027, 2 guests`, or the one property's name in place of the count."""
    what = ngettext("%(count)s hotel in %(place)s", "%(count)s hotels in %(place)s", len(snapshot)) % {
        "count": len(snapshot),
        "place": search.place,
    }
    if kind is LinkKind.PROPERTY and snapshot:
        what = ", ".join(filter(None, (snapshot[0].name, snapshot[0].city)))
    return ", ".join((what, formatting.stay_days(search.dates, reader.texts), guests(search.guests)))


def stay_line(search: StaySearch, reader: Reader) -> str:
    days = formatting.stay_days(search.dates, reader.texts)
    return " · ".join((days, nights(search.dates.nights), guests(search.guests)))


def note_paragraphs(link: Link) -> tuple[str, ...]:
    return tuple(part.strip() for part in link.shared.note.split("\n\n") if part.strip())


def shared_line(link: Link, reader: Reader) -> str:
    return _("Shared on %(day)s. Works until %(last)s.") % {
        "day": short_day(link.shared_at, reader),
        "last": short_day(link.expires, reader),
    }


def now_note(link: Link, reader: Reader, fetched_at: datetime | None, stale: bool, can_search: bool) -> str:
    """Says so when the prices of now aren't from now."""
    then = {"day": short_day(link.shared_at, reader), "time": reader.clock(link.shared_at)}
    if not can_search:
        return _("This search can't be repeated here any more. You see what was shared on %(day)s.") % then
    if fetched_at is None:
        return (
            _(
                "Today's prices can't be had right now. You see what was shared on %(day)s at %(time)s; "
                "try again in a minute."
            )
            % then
        )
    if stale:
        return _("Prices from %(time)s: newer ones can't be had right now.") % {
            "time": reader.clock(fetched_at)
        }
    return ""


def short_day(when: date | datetime, reader: Reader) -> str:
    """`3 Nov`, in the order and language of the reader."""
    day = timezone.localtime(when).date() if isinstance(when, datetime) else when
    return format_skeleton("MMMd", day, locale=reader.texts)
