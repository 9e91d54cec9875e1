"""What became of shared properties, in sentences and amounts."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Self

from django.utils import timezone

from search.domain.money import Money
from search.results.card import CardMaker, ListingCard
from search.web import formatting
from search.web.formatting import Reader
from search.web.links import card_anchor
from search.web.photos import photo_address
from search.web.translation import gettext as _

from .link import Snapshot, total_of
from .price_change import OpenedLink, ThenAndNow, Turn


@dataclass(frozen=True, slots=True)
class SharedEntry:
    """Parameters of sharing/entry.html: a card or, without one, what the sender saw (`then`; None: an admin
    took it off the site) with its picture and its page (`href`, where that may still be there).

    `turn` is the name of what became of the price, `line` says it in a sentence, `difference` in an amount.
    """

    card: ListingCard | None
    then: Snapshot | None
    anchor: str
    picture: str
    href: str
    turn: str
    line: str
    difference: str


@dataclass(frozen=True)
class ThenWords:
    """Says what became of the properties of one link; `day` is when they were shared, in words."""

    reader: Reader
    day: str

    @classmethod
    def of(cls, opened: OpenedLink) -> Self:
        reader = Reader.for_search(opened.context)
        return cls(reader, short_day(opened.link.shared_at, reader))

    def entry(self, one: ThenAndNow, maker: CardMaker, position: int) -> SharedEntry:
        then = None if one.turn is Turn.HIDDEN else one.then
        at = (one.then.provider, one.then.property_id)
        return SharedEntry(
            card=maker.card(one.now, position) if one.now else None,
            then=then,
            anchor=card_anchor(one.then.key),
            picture=photo_address(then.picture) if then else "",
            href=maker.prices.links.property(*at) if one.turn in (Turn.UNKNOWN, Turn.OFF_TERMS) else "",
            turn=one.turn.value,
            line=self.line(one),
            difference=self.difference(one),
        )

    def line(self, one: ThenAndNow) -> str:
        """`€412.00 when shared on 3 Nov, €398.00 now`."""
        then, now = one.then.total, total_of(one.now.offers) if one.now else None
        parts = {
            "then": self.reader.money(then) if then else _("No price"),
            "day": self.day,
            "now": self.reader.money(now.total) if now else "",
        }
        return _sentence(one.turn) % parts

    def difference(self, one: ThenAndNow) -> str:
        """`€14.00 less`; empty where nothing can be compared."""
        if one.difference is None:
            return ""
        amount = self.reader.money(Money(abs(one.difference.amount), one.difference.currency))
        text = _("%(amount)s less") if one.turn is Turn.CHEAPER else _("%(amount)s more")
        return text % {"amount": amount}


def _sentence(turn: Turn) -> str:
    return {
        Turn.SAME: _("%(then)s, the same as when shared on %(day)s"),
        Turn.CHEAPER: _("%(then)s when shared on %(day)s, %(now)s now"),
        Turn.DEARER: _("%(then)s when shared on %(day)s, %(now)s now"),
        Turn.PRICED: _("No price when shared on %(day)s, %(now)s now"),
        Turn.UNPRICED: _("%(then)s when shared on %(day)s, no price for these dates now"),
        Turn.CURRENCY: _("%(then)s when shared on %(day)s, %(now)s now: another currency, not compared"),
        Turn.INCOMPLETE: _(
            "%(then)s when shared on %(day)s, %(now)s now: "
            "not every surcharge is in these totals, not compared"
        ),
        Turn.RECOUNTED: _(
            "%(then)s when shared on %(day)s, %(now)s now: this site has counted prices differently since, "
            "not compared"
        ),
        Turn.OTHER_OFFER: _("%(then)s when shared on %(day)s; %(now)s now, but for another offer"),
        Turn.OFF_TERMS: _("%(then)s when shared on %(day)s, no longer offered on those terms"),
        Turn.GONE: _("%(then)s when shared on %(day)s, no longer offered for these dates"),
        Turn.HIDDEN: _("No longer shown on this site"),
        Turn.UNKNOWN: _("%(then)s when shared on %(day)s, today's price couldn't be found"),
    }[turn]


def short_day(when: date | datetime, reader: Reader) -> str:
    """`3 Nov`, in the order and language of the reader; of another year than this one `3 Nov 2027`."""
    day = timezone.localtime(when).date() if isinstance(when, datetime) else when
    skeleton = "MMMd" if day.year == timezone.localdate().year else "yMMMd"
    return formatting.single_day(day, skeleton, reader.texts)
