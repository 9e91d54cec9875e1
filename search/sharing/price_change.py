"""What became of shared properties: looked up in the full results of the search they were shared from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

import msgspec

from search.domain.context import SearchContext
from search.domain.hotels import PropertyDetails, at_provider
from search.domain.money import Money
from search.domain.offers import Listing, PricedOffer
from search.domain.query import SORTS_OF_WHOLE_RESULTS, Filter, Refinement, Sort, encode_pairs
from search.domain.site_settings import Site
from search.gateway.errors import GatewayError, NotFound, Unavailable
from search.gateway.outlines import outline_of
from search.property import service as properties
from search.results import full_results
from search.results import service as results
from search.results.full_results import FullResults
from search.results.index import Row, RowIndex, row_of
from search.results.listings import FoundProperty, NoOffers, PricedListing, origin_of, priced, visible
from search.results.selection import Question, Selection
from search.web.links import card_anchor, reverse

from .models import LinkKind, SharedLink, Snapshot, snapshot_of, total_of


class Turn(StrEnum):
    """What became of a total since it was shared. INCOMPLETE: a surcharge is left out of either total.
    RECOUNTED: an admin has said since that the gateway's prices mean something else. OTHER_OFFER: the
    recipient looks at another offer than was shared. OFF_TERMS: no offer passes the filters it was shared
    with. UNKNOWN: today's could not be had."""

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
    if before.currency != after.total.currency:
        return ThenAndNow(then, now, Turn.CURRENCY)
    if not (then.complete and after.complete):
        return ThenAndNow(then, now, Turn.INCOMPLETE)
    if then.counting and then.counting != after.rules.counting:
        return ThenAndNow(then, now, Turn.RECOUNTED)
    difference = after.total - before
    if not difference.amount:
        return ThenAndNow(then, now, Turn.SAME)
    return ThenAndNow(then, now, Turn.CHEAPER if difference.amount < 0 else Turn.DEARER, difference)


def own_orders(site: Site) -> tuple[Sort, ...]:
    """The orders that a recipient may choose."""
    return tuple(one for one in site.sorts if one not in SORTS_OF_WHOLE_RESULTS)


def own_filters(site: Site) -> tuple[Filter, ...]:
    """The filters that a recipient may choose, by the names that `OwnView` has for them."""
    return tuple(one for one in (Filter.FREE_CANCELLATION, Filter.PAY_LATER) if one in site.filters)


class OwnView(msgspec.Struct, frozen=True):
    """How a recipient rearranges what was shared, for themselves alone. No `sort`: as the sender left it."""

    sort: Sort | None = None
    free_cancellation: bool = False
    pay_later: bool = False

    @property
    def narrows(self) -> bool:
        return self.free_cancellation or self.pay_later

    def pairs(self) -> list[tuple[str, str]]:
        """Names and values as an address has them, without what is as the sender left it."""
        asked = [("free_cancellation", self.free_cancellation), ("pay_later", self.pay_later)]
        sort = [("sort", self.sort.value)] if self.sort else []
        return sort + [(name, "1") for name, is_asked in asked if is_asked]

    def of(self, entries: tuple[ThenAndNow, ...], context: SearchContext) -> tuple[ThenAndNow, ...]:
        """The entries that pass, in this view's order. What isn't there any more passes no filter and comes
        last in every order but the sender's."""
        shown = tuple(filter(None, map(self._narrowed, entries))) if self.narrows else entries
        if self.sort is None:
            return shown
        there = [(one, one.now) for one in shown if one.now]
        rows = [_front_row(card, number, context) for number, (_entry, card) in enumerate(there)]
        index = RowIndex(rows)
        question = Question(Refinement(), sort=self.sort, anchor=origin_of(index, context))
        ordered = Selection(index, question).ordered()
        return (*(there[number][0] for number in ordered), *(one for one in shown if not one.now))

    def _narrowed(self, one: ThenAndNow) -> ThenAndNow | None:
        """The entry led by its cheapest offer that passes, None if there is none."""
        passing = tuple(filter(self._passes, one.now.offers)) if one.now else ()
        if one.now is None or not passing:
            return None
        if passing[0] == one.now.offers[0]:
            return one
        others = tuple(offer for offer in one.now.offers if offer not in passing)
        led = msgspec.structs.replace(one.now, offers=passing + others, ladder=())
        return ThenAndNow(one.then, led, Turn.OTHER_OFFER if passing[0].total else Turn.UNPRICED)

    def _passes(self, priced: PricedOffer) -> bool:
        offer = priced.offer
        return offer.free_cancellation >= self.free_cancellation and offer.pay_later >= self.pay_later


AS_SHARED = OwnView()


def _front_row(card: PricedListing, number: int, context: SearchContext) -> Row:
    """The row of a card by the offer in front alone: the total it shows is the one it is sorted by."""
    front = tuple(priced.offer for priced in card.offers[:1])
    listing = msgspec.structs.replace(card.listing, offers=front)
    return row_of(outline_of(listing), context.search, context.site.price_rules, number, 0)


class LookedUp(msgspec.Struct, frozen=True):
    """What is known of the wanted properties, by key: their card, or None for one that isn't shown any more;
    `off_terms` are those of which no offer passes the filters, `blocked` those that admins took down.

    `complete` says that a property not in `found` isn't there; else it may be in what could not be fetched.
    `fetched_at` is None when no prices are available: only what was shared can then be told. `property` is
    the one property in full, for a link to a property that is still there.
    """

    found: dict[str, PricedListing | None]
    complete: bool = False
    fetched_at: datetime | None = None
    stale: bool = False
    property: FoundProperty | None = None
    off_terms: frozenset[str] = frozenset()
    blocked: frozenset[str] = frozenset()


NOTHING = LookedUp({})


class Now(msgspec.Struct, frozen=True):
    """What has become of a link's properties, in the order they were shared in, and how that is known."""

    entries: tuple[ThenAndNow, ...]
    known: LookedUp


@dataclass(frozen=True, slots=True)
class OpenedLink:
    """A live link as it is opened now. `can_search` is false when the site no longer takes its search;
    `origin` is the site's own address (https://host); `market` the one that its reader has chosen, if any."""

    link: SharedLink
    context: SearchContext
    can_search: bool
    origin: str
    market: str = ""

    def chosen(self, view: OwnView) -> list[tuple[str, str]]:
        """What an address says of the market that its reader has chosen, and of their view."""
        return ([("market", self.market)] if self.market else []) + view.pairs()

    def address(self, name: str, view: OwnView = AS_SHARED) -> str:
        """Of the page `name` of this link, for the market that its reader has chosen, as they view it."""
        chosen = self.chosen(view)
        path = reverse(name, args=[self.link.code])
        return f"{path}?{encode_pairs(chosen)}" if chosen else path

    def now(self) -> Now:
        """What has become of the link's properties; never raises for a gateway that is away."""
        looked_up = self._look_up() if self.can_search and self.link.shown else NOTHING
        return Now(tuple(_entry(one, looked_up, self.context.blocked) for one in self.link.shown), looked_up)

    def _look_up(self) -> LookedUp:
        if self.link.kind == LinkKind.PROPERTY:
            return _look_up_property(self.link.shown[0], self.link.page, self.context)
        shown = self.link.shown
        wanted = frozenset(one.key for one in shown)
        names = {at_provider(one.provider, one.property_id): one.key for one in shown}
        return look_up(wanted.__contains__, {one.page for one in shown}, self.context, names)


def _look_up_property(then: Snapshot, page: int, context: SearchContext) -> LookedUp:
    try:
        found = _found_property(then, page, context)
    except properties.TakenDown:
        return LookedUp({}, complete=True, blocked=frozenset({then.key}))
    except NotFound:
        return LookedUp({}, complete=True)
    except GatewayError:
        return NOTHING
    cards: dict[str, PricedListing | None] = {}
    if found.listing or found.no_offers is NoOffers.NOT_OFFERED:
        cards[then.key] = properties.card_of(found)
    return LookedUp(cards, fetched_at=found.prices_from, stale=found.stale, property=found)


def _found_property(then: Snapshot, page: int, context: SearchContext) -> FoundProperty:
    """The property at the provider that it was shared from; where that one is off the site or no longer knows
    it, at another that still offers it. Raises as `find_property` does."""
    try:
        return properties.find_property(context, then.provider, then.property_id, page)
    except properties.TakenDown:
        raise
    except NotFound:
        others = look_up({then.key}.__contains__, {page}, context) if context.search.place else NOTHING
        if then.key in others.blocked:
            raise properties.TakenDown("request", 404) from None
        card = others.found.get(then.key)
        if card is None or card.at == (then.provider, then.property_id):
            raise
    return properties.find_property(context, *card.at, page)


def picked(marks: dict[str, int], context: SearchContext) -> tuple[Snapshot, ...]:
    """What cards picked by hand show now, in the order of `marks`: each card's mark and the page it was on.

    Cards that are nowhere to be found are left out; raises GatewayError when there are no results to look in.
    """
    looked_up = look_up(lambda key: card_anchor(key) in marks, set(marks.values()), context)
    if looked_up is NOTHING:
        raise Unavailable("connection")
    by_mark = {card_anchor(key): card for key, card in looked_up.found.items() if card is not None}
    return tuple(snapshot_of(by_mark[mark], page) for mark, page in marks.items() if mark in by_mark)


def without_price_limits(shown: PricedListing, context: SearchContext) -> PricedListing:
    """A card of results as a link to them shows it, so that then and now are of the same offers."""
    card, _on_terms = _card(shown.listing, context)
    return card or shown


def details(one: ThenAndNow, context: SearchContext) -> PropertyDetails | None:
    """A property's details at the provider of its leading offer, None where they are not available."""
    front = one.now.offers[0].offer if one.now and one.now.offers else one.then
    try:
        found = properties.details(context, front.provider, front.property_id).value
    except GatewayError:
        return None
    return found if found.available else None


def look_up(
    wanted: Callable[[str], bool],
    pages: set[int],
    context: SearchContext,
    names: Mapping[str, str] = MappingProxyType({}),
) -> LookedUp:
    """The properties whose key is `wanted`, with the offers the refinement lets through in front.

    `pages` are the pages of results their cards were on, `names` what some of them are called at a provider,
    each with its key. What can't be had is left out; NOTHING when that is everything.
    """
    deeper = full_results.available(context)
    available = deeper.dated() if deeper else FullResults(context).wait_for_all()
    if available is None:
        return NOTHING
    rows = _wanted_rows(available.result_set.rows, wanted, names)
    had, all_had = available.listings([*rows.values()])
    listings = {key: had[row.key] for key, row in rows.items() if row.key in had}
    cards = {key: _card(listing, context) for key, listing in listings.items()}
    found = {key: card for key, (card, _on_terms) in cards.items()}
    exact = available.result_set.coverage.exact
    if not exact and context.sort is Sort.PROVIDER and not context.refinement.narrows:
        found = _on_provider_pages(wanted, pages, context) | found
    return LookedUp(
        found,
        exact and all_had,
        available.result_set.fetched_at,
        available.stale,
        off_terms=frozenset(key for key, (_card, on_terms) in cards.items() if not on_terms),
        blocked=_blocked(listings, context),
    )


def _wanted_rows(
    rows: Sequence[Row], wanted: Callable[[str], bool], names: Mapping[str, str]
) -> dict[str, Row]:
    """The wanted rows by the key they are wanted by. One that no row has stands for a property of which the
    gateway told that key at other times only: its name at the provider finds it."""
    found = {row.key: row for row in rows if wanted(row.key)}
    lost = {name: key for name, key in names.items() if key not in found}
    others = [row for row in rows if row.key not in found] if lost else []
    return found | {lost[name]: row for row in others for name in row.all_keys() & lost.keys()}


def _blocked(listings: Mapping[str, Listing], context: SearchContext) -> frozenset[str]:
    """The keys of the listings that admins took down, by whichever key."""
    return frozenset(key for key, one in listings.items() if one.all_keys() & context.blocked)


def _card(listing: Listing, context: SearchContext) -> tuple[PricedListing | None, bool]:
    """The card of a listing, led by the cheapest offer on the terms of the filters, and whether there is
    one; a highest or lowest price is no such term, for what was shared may cost more or less by now. None
    when admins took it off."""
    shown = visible(listing, context)
    if shown is None:
        return None, True
    filters = context.refinement.filters.replace(min_price=None, max_price=None)
    card = results.filtered_card_alone(shown, filters, context)
    return card or priced(shown, context), card is not None


def _on_provider_pages(
    wanted: Callable[[str], bool], pages: set[int], context: SearchContext
) -> dict[str, PricedListing | None]:
    """Cards of far pages in provider order, which reaches further than the full results do."""
    found: dict[str, PricedListing | None] = {}
    for page in sorted(pages):
        try:
            shown = results.provider_page(context, page)
        except GatewayError:
            break
        found |= {one.listing.property.key: one for one in shown.listings if wanted(one.listing.property.key)}
    return found


def _entry(then: Snapshot, looked_up: LookedUp, blocked: frozenset[str]) -> ThenAndNow:
    known_as = {then.key, at_provider(then.provider, then.property_id)}
    if then.key in looked_up.blocked or known_as & blocked:
        return ThenAndNow(then, None, Turn.HIDDEN)
    now = looked_up.found.get(then.key)
    if then.key in looked_up.off_terms:
        return ThenAndNow(then, None, Turn.OFF_TERMS)
    if now is not None:
        return compare(then, now)
    gone = looked_up.complete or then.key in looked_up.found
    return ThenAndNow(then, None, Turn.GONE if gone else Turn.UNKNOWN)
