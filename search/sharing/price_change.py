"""What became of shared properties: looked up in the full results of the search they were shared from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Self

import msgspec
from django.http import QueryDict
from django.utils.functional import cached_property

from search.domain.context import SearchContext
from search.domain.hotels import PropertyDetails
from search.domain.money import Money
from search.domain.offers import Listing, PricedOffer
from search.domain.query import SORTS_OF_WHOLE_RESULTS, Filter, Refinement, Sort
from search.domain.site_settings import Site
from search.gateway import GatewayError, NotFound, Unavailable
from search.gateway.search_page import outline_of
from search.property import observed
from search.property import service as properties
from search.property.price_history import PriceHistory, histories
from search.property.service import OfferedNow
from search.results import service as results
from search.results.index import Row, RowIndex, row_of
from search.results.listings import (
    FoundProperty,
    NoOffers,
    PricedListing,
    as_described,
    origin_of,
    priced,
    visible,
)
from search.results.selection import Question, Selection
from search.web.formatting import Reader, short_day
from search.web.links import reverse

from .models import LinkKind, SharedLink, Snapshot, total_of


class Turn(StrEnum):
    """What became of a total since it was shared. INCOMPLETE: a surcharge is missing in one of them.
    RECOUNTED: prices are counted by other rules now. OTHER_OFFER: the recipient looks at another offer.
    OFF_TERMS: no offer passes the link's filters. UNKNOWN: there is no total of today."""

    SAME = "same"
    CHEAPER = "cheaper"
    DEARER = "dearer"
    PRICED = "priced"
    UNPRICED = "unpriced"
    CURRENCY = "currency"
    INCOMPLETE = "incomplete"
    RECOUNTED = "recounted"
    OTHER_OFFER = "other-offer"
    OFF_TERMS = "off-terms"
    GONE = "gone"
    HIDDEN = "hidden"
    UNKNOWN = "unknown"


class ThenAndNow(msgspec.Struct, frozen=True):
    """One shared property as it was, as it is now (None: gone, hidden or unknown) and the turn between the
    two; `difference` is now minus then, where the totals may be compared."""

    then: Snapshot
    now: PricedListing | None
    turn: Turn
    difference: Money | None = None

    @property
    def key(self) -> str:
        return self.now.listing.property.key if self.now else self.then.key

    @property
    def offers(self) -> tuple[PricedOffer, ...]:
        return self.now.offers if self.now else ()


def compare(then: Snapshot, now: PricedListing) -> ThenAndNow:
    """What became of a property that is still there."""
    before, after = then.total, total_of(now.offers)
    if after is None:
        return ThenAndNow(then, now, Turn.SAME if before is None else Turn.UNPRICED)
    if before is None:
        return ThenAndNow(then, now, Turn.PRICED)
    if before.currency != after.total.currency:
        return ThenAndNow(then, now, Turn.CURRENCY)
    if not (then.complete and after.complete):
        return ThenAndNow(then, now, Turn.INCOMPLETE)
    if then.counting not in ("", after.rules.counting):
        return ThenAndNow(then, now, Turn.RECOUNTED)
    difference = after.total - before
    if not difference.amount:
        return ThenAndNow(then, now, Turn.SAME)
    return ThenAndNow(then, now, Turn.CHEAPER if difference.amount < 0 else Turn.DEARER, difference)


def own_orders(site: Site) -> tuple[Sort, ...]:
    """The orders that a recipient may choose."""
    return tuple(one for one in site.sorts if one not in SORTS_OF_WHOLE_RESULTS)


def own_filters(site: Site) -> tuple[Filter, ...]:
    """The filters that a recipient may choose; `OwnView` has their names."""
    return tuple(one for one in (Filter.FREE_CANCELLATION, Filter.PAY_LATER) if one in site.filters)


class OwnView(Refinement, frozen=True):
    """How a recipient rearranges what was shared, for themselves alone. No `sort`: as the sender left it."""

    @classmethod
    def asked(cls, query: QueryDict, site: Site) -> Self:
        """How a recipient asks to see what was shared."""
        sort = next((one for one in own_orders(site) if one == query.get("sort")), None)
        return cls(sort).replace(**{one.value: query.get(one) == "1" for one in own_filters(site)})

    def of(self, entries: tuple[ThenAndNow, ...], context: SearchContext) -> tuple[ThenAndNow, ...]:
        """The entries that pass, in this view's order; gone ones pass no filter and come last."""
        shown = tuple(filter(None, (self._narrowed(one, context) for one in entries)))
        if self.sort is None:
            return shown
        there = [(one, one.now) for one in shown if one.now]
        rows = [_front_row(card, context) for _entry, card in there]
        index = RowIndex(rows)
        question = Question(Refinement(), sort=self.sort, anchor=origin_of(index, context))
        ordered = Selection(index, question).ordered()
        return (*(there[number][0] for number in ordered), *(one for one in shown if not one.now))

    def _narrowed(self, one: ThenAndNow, context: SearchContext) -> ThenAndNow | None:
        """The entry led by its cheapest offer that passes, None if there is none."""
        if not self.narrows:
            return one
        own = {name: True for name in ("free_cancellation", "pay_later") if getattr(self, name)}
        led = _on_terms(one.now.listing, context, **own) if one.now else None
        if led is None:
            return None
        if led.offers[0] == one.offers[0]:
            return one
        return ThenAndNow(one.then, led, Turn.OTHER_OFFER if total_of(led.offers) else Turn.UNPRICED)


AS_SHARED = OwnView()


def _front_row(card: PricedListing, context: SearchContext) -> Row:
    """The row of a card with its leading offer alone, whose total it is sorted by."""
    front = tuple(priced.offer for priced in card.offers[:1])
    listing = msgspec.structs.replace(card.listing, offers=front)
    return row_of(outline_of(listing), context.search, context.site.price_rules, context.day)


class Now(msgspec.Struct, frozen=True):
    """What has become of shared properties, in the sender's order. `fetched_at` is None without today's
    prices. `property` is one that was shared alone, in full, where it is still there."""

    entries: tuple[ThenAndNow, ...]
    fetched_at: datetime | None = None
    stale: bool = False
    property: FoundProperty | None = None

    def histories(self, context: SearchContext) -> dict[str, PriceHistory]:
        """What was seen of the properties since they were first opened or shared, by their keys."""
        shown = {one.key: one.offers for one in self.entries if one.turn is not Turn.HIDDEN}
        return histories(context, shown, self.fetched_at, stale=self.stale)


def unknown_now(shown: Sequence[Snapshot], context: SearchContext) -> Now:
    """These properties without a look at today's prices."""
    return Now(tuple(_entry(one, None, context) for one in shown))


def now_of(shown: Sequence[Snapshot], context: SearchContext) -> Now:
    """What has become of these properties by the results of the search, noted for their histories."""
    offered = properties.offered_now(context, {name for one in shown for name in one.names})
    if offered is None:
        return unknown_now(shown, context)
    entries = tuple(_entry(one, offered, context) for one in shown)
    for one in entries:
        if one.now or one.turn is Turn.GONE:
            observed.note(context, one.key, one.offers if one.now else None, offered.fetched_at)
    return Now(entries, offered.fetched_at, offered.stale)


def _entry(then: Snapshot, offered: OfferedNow | None, context: SearchContext) -> ThenAndNow:
    listing = offered.listing(*then.names) if offered else None
    if context.blocked & {*then.names, *(listing.all_keys() if listing else ())}:
        return ThenAndNow(then, None, Turn.HIDDEN)
    if shown := visible(listing, context) if listing else None:
        now = _on_terms(shown, context)
        return compare(then, now) if now else ThenAndNow(then, None, Turn.OFF_TERMS)
    is_gone = listing or (offered and offered.complete)
    return ThenAndNow(then, None, Turn.GONE if is_gone else Turn.UNKNOWN)


def property_now(then: Snapshot, context: SearchContext) -> Now:
    """What has become of one property, in full: at the provider it was shared from, else at another."""
    at, gone = (then.provider, then.property_id), ThenAndNow(then, None, Turn.GONE)
    try:
        hotel = properties.find_property(context, *at, hotel=then.apart)
    except properties.TakenDown:
        return Now((ThenAndNow(then, None, Turn.HIDDEN),))
    except NotFound:
        on_any_terms = replace(context, refinement=Refinement(all=context.refinement.all))
        one = now_of((then,), on_any_terms).entries[0] if context.search.place else gone
        if one.now is None or one.now.at == at:
            return Now((one if one.turn is Turn.HIDDEN else gone,))
        provider, property_id = one.now.at
        moved = msgspec.structs.replace(then, provider=provider, property_id=property_id)
        return property_now(moved, context)
    except GatewayError:
        return unknown_now((then,), context)
    is_known = hotel.listing or hotel.no_offers is NoOffers.NOT_OFFERED
    entry = compare(then, hotel.card) if is_known else ThenAndNow(then, None, Turn.UNKNOWN)
    return Now((entry,), hotel.prices_from, hotel.stale, property=hotel)


@dataclass(frozen=True)
class OpenedLink:
    """A live link as it is opened now. `can_search`: the site still takes its search; `origin` is the site's
    https://host, `market` the one that the reader has chosen, if any."""

    link: SharedLink
    context: SearchContext
    can_search: bool
    origin: str
    market: str = ""

    @cached_property
    def reader(self) -> Reader:
        return Reader.for_search(self.context)

    @cached_property
    def shared_on(self) -> str:
        """`3 Nov`."""
        return short_day(self.link.shared_at, self.reader)

    def chosen(self, view: OwnView) -> list[tuple[str, str]]:
        """The reader's market and view as parameters."""
        return ([("market", self.market)] if self.market else []) + view.pairs()

    def address(self, name: str, view: OwnView = AS_SHARED) -> str:
        """The address of the page `name` of this link, in the reader's market and view."""
        return reverse(name, [self.link.code], self.chosen(view))

    @property
    def sender(self) -> str:
        """The sender's name, where the site shows it and there is one."""
        return self.link.owner.get_full_name() if self.link.owner and self.context.site.sender_shown else ""

    def now(self) -> Now:
        """What has become of the link's properties."""
        shown = self.link.shown
        if not (self.can_search and shown):
            return unknown_now(shown, self.context)
        if self.link.kind == LinkKind.PROPERTY:
            return property_now(shown[0], self.context)
        return now_of(shown, self.context)


def picked(keys: Sequence[str], context: SearchContext) -> list[PricedListing]:
    """What the cards of these hotels show now, without those that are gone. Raises GatewayError where no
    results are available."""
    offered = properties.offered_now(context, {*keys})
    if offered is None:
        raise Unavailable("connection")
    # Two of the names may be of one hotel, at two providers.
    listings = {one.property.key: one for one in map(offered.listing, keys) if one}
    shown = (visible(one, context) for one in listings.values())
    cards = [_on_terms(one, context) or priced(one, context) for one in shown if one]
    for card in cards:
        observed.note(context, card.listing.property.key, card.offers, offered.fetched_at)
    return cards


def described(
    then: Snapshot, now: PricedListing, context: SearchContext
) -> tuple[PricedListing, PropertyDetails | None]:
    """The card without promises that the details at its provider take back, and these, if available."""
    at = now.at if now.offers else (then.provider, then.property_id)
    try:
        details = properties.details(context, *at).value
    except GatewayError:
        return now, None
    return as_described(now, context, details), details if details.available else None


def _on_terms(shown: Listing, context: SearchContext, **own: bool) -> PricedListing | None:
    """The card led by the cheapest offer on the terms of the filters, and on a reader's `own`. A highest or
    lowest price is no term, for the total may have changed."""
    filters = context.refinement.filters.replace(min_price=None, max_price=None, **own)
    return results.filtered_card_alone(shown, filters, context)
