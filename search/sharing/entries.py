"""What became of shared properties, in sentences and amounts."""

from __future__ import annotations

from dataclasses import dataclass

from search.domain.money import Money
from search.results.card import CardMaker, ListingCard
from search.web.formatting import Reader
from search.web.links import card_anchor
from search.web.photos import Photo, photo_address
from search.web.translation import gettext as _

from .price_change import ThenAndNow, Turn


@dataclass(frozen=True, slots=True)
class GoneCard:
    """A shared property without a card of its own now; a `hidden` one keeps its place and says no more.
    `href` is its page where that may still be there, else empty."""

    anchor: str
    href: str
    name: str
    place: str
    photo: Photo | None
    hidden: bool


@dataclass(frozen=True, slots=True)
class SharedEntry:
    """Parameters of sharing/entry.html: a card or, without one, what the sender saw (`gone`).

    `turn` is the name of what became of the price, `line` says it in a sentence, `difference` in an amount.
    """

    card: ListingCard | None
    gone: GoneCard | None
    turn: str
    line: str
    difference: str


@dataclass(frozen=True)
class ThenWords:
    """Says what became of the properties of one link; `day` is when they were shared, in words."""

    reader: Reader
    day: str

    def entry(self, one: ThenAndNow, maker: CardMaker, position: int) -> SharedEntry:
        return SharedEntry(
            card=maker.card(one.now, position) if one.now else None,
            gone=None if one.now else self._gone(one, maker),
            turn=one.turn.value,
            line=self.line(one),
            difference=self.difference(one),
        )

    def line(self, one: ThenAndNow) -> str:
        """`€412.00 when shared on 3 Nov, €398.00 now`."""
        then, now = one.then.total, (one.now.offers[0].total if one.now and one.now.offers else None)
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

    def _gone(self, one: ThenAndNow, maker: CardMaker) -> GoneCard:
        then, hidden = one.then, one.turn is Turn.HIDDEN
        at = (then.provider, then.property_id)
        picture = "" if hidden else photo_address(then.picture)
        return GoneCard(
            anchor=card_anchor(then.key),
            href=maker.prices.links.property(*at) if one.turn is Turn.UNKNOWN else "",
            name=_("A hotel that was shared here") if hidden else then.name,
            place="" if hidden else then.city,
            photo=Photo(picture) if picture else None,
            hidden=hidden,
        )


def _sentence(turn: Turn) -> str:
    return {
        Turn.SAME: _("%(then)s, the same as when shared on %(day)s"),
        Turn.CHEAPER: _("%(then)s when shared on %(day)s, %(now)s now"),
        Turn.DEARER: _("%(then)s when shared on %(day)s, %(now)s now"),
        Turn.PRICED: _("No price when shared on %(day)s, %(now)s now"),
        Turn.UNPRICED: _("%(then)s when shared on %(day)s, no price for these dates now"),
        Turn.CURRENCY: _("%(then)s when shared on %(day)s, %(now)s now: another currency, not compared"),
        Turn.GONE: _("%(then)s when shared on %(day)s, no longer offered for these dates"),
        Turn.HIDDEN: _("No longer shown on this site"),
        Turn.UNKNOWN: _("%(then)s when shared on %(day)s, today's price couldn't be found"),
    }[turn]
