"""What has become of shared properties: looked up in the answer to the search they were shared from."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

import msgspec

from search.domain.airports import Airport
from search.domain.deadline import Deadline
from search.domain.found import PricedListing, priced, visible
from search.domain.offers import Listing, cost_of_flexibility
from search.domain.refine import Question, Selection
from search.domain.refinement import Refinement, Sort
from search.domain.row_index import RowIndex
from search.domain.rows import Row
from search.domain.sharing import Snapshot, ThenAndNow, Turn, compare
from search.domain.site import Site
from search.domain.stay import StaySearch
from search.gateway.errors import GatewayError

from . import answers, destinations, stays
from .answers import HeldAnswer

__all__ = ["NOTHING", "LookedUp", "look_up", "then_and_now"]


class LookedUp(msgspec.Struct, frozen=True):
    """What is known of the wanted properties, by key: their card, or None for one that isn't shown any more.

    `complete` says that a property not in `found` isn't there; else it may be in what could not be asked.
    `fetched_at` is None when nothing could be asked at all.
    """

    found: dict[str, PricedListing | None]
    complete: bool
    fetched_at: datetime | None
    stale: bool
    anchor: Airport | None


NOTHING = LookedUp({}, complete=False, fetched_at=None, stale=False, anchor=None)


def look_up(
    wanted: Callable[[str], bool],
    search: StaySearch,
    refinement: Refinement,
    *,
    pages: frozenset[int],
    site: Site,
    today: date,
    deadline: Deadline,
) -> LookedUp:
    """The properties whose key is `wanted`, with the offers the refinement lets through in front.

    `pages` are the pages of results their cards were on. Never raises: what can't be had is left out.
    """
    anchor = destinations.airport(refinement.near, deadline) if refinement.near else None
    held = answers.whole(search, site, deadline)
    if held is None:
        return msgspec.structs.replace(NOTHING, anchor=anchor)
    rows = [row for row in held.result_set.rows if wanted(row.key)]
    listings, all_had = _listings(held, rows, search, site, deadline)
    found: dict[str, PricedListing | None] = {}
    for row in rows:
        listing = listings.get(row.key)
        shown = visible(listing, site, site.blocked_keys(today)) if listing else None
        if shown is not None:
            card = priced(shown, search, site.price_rules, anchor)
            found[row.key] = _in_front(card, _shown(row, site), refinement, search)
        elif listing is not None:
            found[row.key] = None
    if not held.result_set.coverage.exact and (refinement.sort or site.default_sort) is Sort.PROVIDER:
        found = _beyond(wanted, search, anchor, pages, site, today, deadline) | found
    return LookedUp(
        found,
        complete=held.result_set.coverage.exact and all_had,
        fetched_at=held.result_set.fetched_at,
        stale=held.stale,
        anchor=anchor,
    )


def _listings(
    held: HeldAnswer, rows: list[Row], search: StaySearch, site: Site, deadline: Deadline
) -> tuple[dict[str, Listing], bool]:
    """The listings of these rows by key, kept or from the gateway's pages, and whether all came."""
    at_hand = held.listings([row.position for row in rows])
    found = {row.key: at_hand[row.position] for row in rows if row.position in at_hand}
    lost = {row.page for row in rows if row.key not in found}
    try:
        for page in sorted(lost):
            found |= {one.property.key: one for one in answers.page(search, site, page, deadline)}
    except GatewayError:
        return found, False
    return found, True


def _shown(row: Row, site: Site) -> Row:
    """The row with the offers that `found.visible` leaves on its card."""
    return msgspec.structs.replace(
        row, offers=tuple(one for one in row.offers if site.is_enabled(one.provider))
    )


def _in_front(card: PricedListing, row: Row, refinement: Refinement, search: StaySearch) -> PricedListing:
    """The card led by its cheapest offer that passes the filters: the one whose total was shared."""
    selection = Selection(RowIndex([row]), Question(refinement.filters))
    if not selection.offer_filters:
        return card
    passing = selection.passing_offers(0)
    leading = tuple(card.offers[place] for place in passing)
    others = tuple(offer for place, offer in enumerate(card.offers) if place not in passing)
    return msgspec.structs.replace(
        card, offers=leading + others, flexibility=cost_of_flexibility(leading, search.currency)
    )


def _beyond(
    wanted: Callable[[str], bool],
    search: StaySearch,
    anchor: Airport | None,
    pages: frozenset[int],
    site: Site,
    today: date,
    deadline: Deadline,
) -> dict[str, PricedListing | None]:
    """Cards of far pages in provider order, which reaches further than a complete answer does."""
    found: dict[str, PricedListing | None] = {}
    for page in sorted(pages):
        try:
            shown = stays.provider_page(
                search, page, site=site, today=today, deadline=deadline, anchor=anchor
            )
        except GatewayError:
            break
        found |= {one.listing.property.key: one for one in shown.listings if wanted(one.listing.property.key)}
    return found


def then_and_now(
    snapshot: tuple[Snapshot, ...], looked_up: LookedUp, blocked: frozenset[str]
) -> tuple[ThenAndNow, ...]:
    """What became of each shared property, in the order they were shared in."""
    return tuple(_entry(then, looked_up, blocked) for then in snapshot)


def _entry(then: Snapshot, looked_up: LookedUp, blocked: frozenset[str]) -> ThenAndNow:
    if then.key in blocked:
        return ThenAndNow(then, None, Turn.HIDDEN)
    now = looked_up.found.get(then.key)
    if now is not None:
        return compare(then, now)
    gone = looked_up.complete or then.key in looked_up.found
    return ThenAndNow(then, None, Turn.GONE if gone else Turn.UNKNOWN)
