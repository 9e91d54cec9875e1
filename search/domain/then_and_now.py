"""Then and now: what became of shared properties, and how a recipient may arrange them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import msgspec

from .airports import Airport
from .catalogue import Coordinates
from .found import FoundProperty, PricedListing
from .money import Money
from .offers import PriceRules
from .refine import Question, Selection
from .refinement import Refinement, Sort
from .row_index import RowIndex
from .rows import Row, row_of
from .sharing import Snapshot, total_of
from .stay import StaySearch

MAX_COMPARED = 4


class Turn(StrEnum):
    """What became of a total since it was shared. UNKNOWN: nobody could be asked just now."""

    SAME = "same"
    CHEAPER = "cheaper"
    DEARER = "dearer"
    PRICED = "priced"
    UNPRICED = "unpriced"
    CURRENCY = "currency"
    GONE = "gone"
    HIDDEN = "hidden"
    UNKNOWN = "unknown"


class ThenAndNow(msgspec.Struct, frozen=True):
    """One shared property: as it was shared, as it is now (None: gone, hidden or unknown), and the turn
    between the two. `difference` is now minus then, only between amounts that may be compared."""

    then: Snapshot
    now: PricedListing | None
    turn: Turn
    difference: Money | None = None


def compare(then: Snapshot, now: PricedListing) -> ThenAndNow:
    """What became of a property that is still there."""
    before, after = then.total, total_of(now.offers)
    if after is None:
        return ThenAndNow(then, now, Turn.SAME if before is None else Turn.UNPRICED)
    if before is None:
        return ThenAndNow(then, now, Turn.PRICED)
    if before.currency != after.currency:
        return ThenAndNow(then, now, Turn.CURRENCY)
    difference = after - before
    if not difference.amount:
        return ThenAndNow(then, now, Turn.SAME)
    return ThenAndNow(then, now, Turn.CHEAPER if difference.amount < 0 else Turn.DEARER, difference)


class Now(msgspec.Struct, frozen=True):
    """What has become of a link's properties, in the order they were shared in.

    `fetched_at` is None when the gateway could not be asked: the entries then tell of the past alone.
    `property` is the one property in full, for a link to a property that is still there.
    """

    entries: tuple[ThenAndNow, ...]
    fetched_at: datetime | None
    stale: bool
    anchor: Airport | None
    property: FoundProperty | None = None


class OwnView(msgspec.Struct, frozen=True):
    """How a recipient rearranges what was shared, for themselves alone. No `sort`: as the sender left it."""

    sort: Sort | None = None
    free_cancellation: bool = False
    pay_later: bool = False

    @property
    def narrows(self) -> bool:
        return self.free_cancellation or self.pay_later

    def of(
        self,
        entries: tuple[ThenAndNow, ...],
        search: StaySearch,
        rules: PriceRules,
        anchor: Coordinates | None,
    ) -> tuple[ThenAndNow, ...]:
        """The entries that pass, in this view's order. What isn't there any more passes no filter and comes
        last in every order but the sender's. `anchor` is what "nearest" is measured from, if not from the
        destination."""
        if self.narrows:
            entries = tuple(one for one in entries if one.now and self._passes(one.now))
        if self.sort is None:
            return entries
        there = [one for one in entries if one.now]
        cards = [one.now for one in there if one.now]
        rows = [_front_row(card, number, search, rules) for number, card in enumerate(cards)]
        question = Question(Refinement(), sort=self.sort, anchor=anchor)
        ordered = Selection(RowIndex(rows), question).ordered()
        return (*(there[number] for number in ordered), *(one for one in entries if not one.now))

    def _passes(self, card: PricedListing) -> bool:
        return any(
            (one.offer.free_cancellation or not self.free_cancellation)
            and (one.offer.pay_later or not self.pay_later)
            for one in card.offers
        )


def _front_row(card: PricedListing, number: int, search: StaySearch, rules: PriceRules) -> Row:
    """The row of a card by the offer in front alone: the total it shows is the one it is sorted by."""
    front = tuple(priced.offer for priced in card.offers[:1])
    listing = msgspec.structs.replace(card.listing, offers=front)
    return row_of(listing, rules, search.dates.nights, search.currency, number, 0)
