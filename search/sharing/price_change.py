"""Then and now: what became of shared properties, and how a recipient may arrange them.

What has become of shared properties: looked up in the answer to the search they were shared from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

import msgspec

from search.destinations import service as destinations
from search.domain.deadline import Deadline
from search.domain.hotels import Airport, Coordinates, PropertyDetails
from search.domain.money import Money
from search.domain.offers import Listing, PriceRules
from search.domain.query import Refinement, Sort, StaySearch
from search.domain.site_settings import Site
from search.gateway.errors import GatewayError, Unavailable
from search.gateway.factory import gateway
from search.property import service as hotels
from search.results import full_results
from search.results import service as results
from search.results.full_results import HeldAnswer
from search.results.index import Row, RowIndex, row_of
from search.results.listings import FoundProperty, PricedListing, led_by, priced, visible
from search.results.selection import Question, Selection

from .link import Link, LinkKind, Snapshot, snapshot_of, total_of

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


__all__ = ["Asked", "GatewayError", "Now", "current", "details", "past", "picked"]


class LookedUp(msgspec.Struct, frozen=True):
    """What is known of the wanted properties, by key: their card, or None for one that isn't shown any more.

    `complete` says that a property not in `found` isn't there; else it may be in what could not be asked.
    """

    found: dict[str, PricedListing | None]
    complete: bool
    fetched_at: datetime | None
    stale: bool
    anchor: Airport | None


NOTHING = LookedUp({}, complete=False, fetched_at=None, stale=False, anchor=None)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question about shared properties, and the time there is for it."""

    search: StaySearch
    refinement: Refinement
    site: Site
    today: date
    deadline: Deadline

    @property
    def blocked(self) -> frozenset[str]:
        return self.site.blocked_keys(self.today)


def past(link: Link, asked: Asked) -> Now:
    """What was shared, without asking what is now."""
    return _now(link, asked, NOTHING)


def current(link: Link, asked: Asked) -> Now:
    """What has become of a link's properties; never raises for a gateway that is away."""
    if not link.snapshot:
        return past(link, asked)
    if link.shared.kind is LinkKind.PROPERTY:
        return _current_property(link, asked)
    wanted = frozenset(one.key for one in link.snapshot)
    pages = frozenset(one.page for one in link.snapshot)
    return _now(link, asked, look_up(wanted.__contains__, pages, asked))


def _current_property(link: Link, asked: Asked) -> Now:
    then = link.snapshot[0]
    try:
        found = hotels.find_property(
            then.provider,
            then.property_id,
            asked.search,
            asked.refinement,
            page=link.shared.page,
            site=asked.site,
            today=asked.today,
            deadline=asked.deadline,
        )
    except hotels.NotFound:
        return _now(link, asked, msgspec.structs.replace(NOTHING, complete=True))
    except GatewayError:
        return past(link, asked)
    card = None
    if found.listing is not None:
        card = PricedListing(found.listing, found.offers or (), found.flexibility, found.anchor_km)
    looked_up = LookedUp(
        {then.key: card} if card else {},
        complete=False,
        fetched_at=found.fetched_at,
        stale=found.stale,
        anchor=found.anchor,
    )
    return msgspec.structs.replace(_now(link, asked, looked_up), property=found)


def picked(marks: dict[str, int], mark_of: Callable[[str], str], asked: Asked) -> tuple[Snapshot, ...]:
    """What cards picked by hand show now, in the order of `marks`: each card's mark and the page it was on.

    `mark_of` makes the mark of a property's key. Cards that are nowhere to be found are left out; raises
    GatewayError when there is no answer to look in.
    """
    looked_up = look_up(lambda key: mark_of(key) in marks, frozenset(marks.values()), asked)
    if looked_up is NOTHING:
        raise Unavailable("connection")
    by_mark = {mark_of(key): card for key, card in looked_up.found.items() if card is not None}
    return tuple(snapshot_of(by_mark[mark], page) for mark, page in marks.items() if mark in by_mark)


def details(chosen: tuple[ThenAndNow, ...], asked: Asked) -> tuple[PropertyDetails | None, ...]:
    """The details of properties at the provider of their leading offer, None where they can't be had."""
    found: list[PropertyDetails | None] = []
    for one in chosen:
        front = one.now.offers[0].offer if one.now and one.now.offers else None
        at = (front.provider, front.property_id) if front else (one.then.provider, one.then.property_id)
        try:
            found.append(gateway().details(*at, asked.search, deadline=asked.deadline).value)
        except GatewayError:
            found.append(None)
    return tuple(found)


def _now(link: Link, asked: Asked, looked_up: LookedUp) -> Now:
    return Now(
        entries=tuple(_entry(then, looked_up, asked.blocked) for then in link.snapshot),
        fetched_at=looked_up.fetched_at,
        stale=looked_up.stale,
        anchor=looked_up.anchor,
    )


def look_up(wanted: Callable[[str], bool], pages: frozenset[int], asked: Asked) -> LookedUp:
    """The properties whose key is `wanted`, with the offers the refinement lets through in front.

    `pages` are the pages of results their cards were on. What can't be had is left out; NOTHING when that is
    everything.
    """
    search, site = asked.search, asked.site
    held = full_results.whole(search, site, asked.deadline)
    if held is None:
        return NOTHING
    anchor = destinations.airport(asked.refinement.near, asked.deadline) if asked.refinement.near else None
    rows = [row for row in held.result_set.rows if wanted(row.key)]
    listings, all_had = _listings(held, rows, asked)
    found = {row.key: _card(row, listings[row.key], asked, anchor) for row in rows if row.key in listings}
    exact = held.result_set.coverage.exact
    if not exact and (asked.refinement.sort or site.default_sort) is Sort.PROVIDER:
        found = _beyond(wanted, pages, asked, anchor) | found
    return LookedUp(
        found,
        complete=exact and all_had,
        fetched_at=held.result_set.fetched_at,
        stale=held.stale,
        anchor=anchor,
    )


def _listings(held: HeldAnswer, rows: list[Row], asked: Asked) -> tuple[dict[str, Listing], bool]:
    """The listings of these rows by key, kept or from the gateway's pages, and whether all came."""
    at_hand = held.listings([row.position for row in rows])
    found = {row.key: at_hand[row.position] for row in rows if row.position in at_hand}
    lost = {row.page for row in rows if row.key not in found}
    try:
        for page in sorted(lost):
            again = full_results.page(asked.search, asked.site, page, asked.deadline)
            found |= {one.property.key: one for one in again}
    except GatewayError:
        return found, False
    return found, True


def _card(row: Row, listing: Listing, asked: Asked, anchor: Airport | None) -> PricedListing | None:
    """The card of a listing, led by the cheapest offer that passes the filters: its total is what was shared.
    None when admins took it off the site."""
    shown = visible(listing, asked.site, asked.blocked)
    if shown is None:
        return None
    card = priced(shown, asked.search, asked.site.price_rules, anchor)
    offers = tuple(one for one in row.offers if asked.site.is_enabled(one.provider))
    index = RowIndex([msgspec.structs.replace(row, offers=offers)])
    selection = Selection(index, Question(asked.refinement.filters))
    if not selection.offer_filters:
        return card
    return led_by(card, selection.passing_offers(0), asked.search.currency)


def _beyond(
    wanted: Callable[[str], bool], pages: frozenset[int], asked: Asked, anchor: Airport | None
) -> dict[str, PricedListing | None]:
    """Cards of far pages in provider order, which reaches further than a complete answer does."""
    found: dict[str, PricedListing | None] = {}
    for page in sorted(pages):
        try:
            shown = results.provider_page(
                asked.search, page, site=asked.site, today=asked.today, deadline=asked.deadline, anchor=anchor
            )
        except GatewayError:
            break
        found |= {one.listing.property.key: one for one in shown.listings if wanted(one.listing.property.key)}
    return found


def _entry(then: Snapshot, looked_up: LookedUp, blocked: frozenset[str]) -> ThenAndNow:
    if then.key in blocked:
        return ThenAndNow(then, None, Turn.HIDDEN)
    now = looked_up.found.get(then.key)
    if now is not None:
        return compare(then, now)
    gone = looked_up.complete or then.key in looked_up.found
    return ThenAndNow(then, None, Turn.GONE if gone else Turn.UNKNOWN)
