"""The complete answer to a search, refined for every view of it.

The first view of a search shows what is there at once while the rest is collected behind it; `progress`
says how far that is, and each page's coverage says what its order and its counts are worth.

Finding stays: one page of an answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from math import ceil

import msgspec

from search.destinations import service as destinations
from search.domain.deadline import Deadline
from search.domain.hotels import Airport
from search.domain.offers import Listing, SearchPage
from search.domain.query import Refinement, Sort, StaySearch
from search.domain.site_settings import Site
from search.gateway.cache_store import Answer
from search.gateway.errors import GatewayError

from . import full_results
from .facets import drops, facets, histogram
from .full_results import HeldAnswer, search_page
from .index import Row, RowIndex
from .listings import FoundStays, PricedListing, RefinedResults, led_by, priced, visible
from .pagination import Coverage, CoverageState
from .selection import Question, Selection
from .store import Recent, ResultSet

__all__ = ["GatewayError", "find", "progress", "refined"]

_indexes: Recent[RowIndex] = Recent(8)


def refined(
    search: StaySearch,
    refinement: Refinement,
    page: int,
    *,
    site: Site,
    today: date,
    deadline: Deadline,
    anchor: Airport | None,
) -> FoundStays:
    """Page `page` (from 1) of the answer, sorted and filtered over as much of it as there is.

    Raises GatewayError when the first page can't be had and no copy is kept.
    """
    asked = _Asked(search, site, today, deadline, anchor)
    question = _question(search, refinement, site, anchor)
    held = full_results.answer(search, site, deadline, enough=page * site.page_size)
    selection = Selection(_index(held.result_set, site, today), question)
    if not selection.count and held.result_set.coverage.state is CoverageState.FETCHING:
        # "Nothing" would be a rash answer while most of it is still coming in.
        held = full_results.patient(search, site, deadline) or held
        selection = Selection(_index(held.result_set, site, today), question)
    shown = selection.ordered()[(page - 1) * site.page_size : page * site.page_size]
    coverage = _coverage(held.result_set.coverage, selection)
    last_page = _last_page(selection, coverage, site)
    return FoundStays(
        listings=_cards(held, selection, shown, asked),
        total=coverage.total,
        page=page,
        page_size=site.page_size,
        last_page=last_page,
        more=page < last_page,
        fetched_at=held.result_set.fetched_at,
        stale=held.stale,
        anchor=anchor,
        refined=_refined_answer(held, selection, coverage, asked),
    )


def _refined_answer(
    held: HeldAnswer, selection: Selection, coverage: Coverage, asked: _Asked
) -> RefinedResults:
    offered = facets(selection, held.stars, complete=coverage.exact)
    places = () if selection.index.rows else destinations.places(asked.search, asked.anchor, asked.deadline)
    return RefinedResults(
        sort=selection.question.sort,
        coverage=coverage,
        matching=selection.count,
        facets=tuple(facet for facet in offered if facet.name in asked.site.filters),
        histogram=histogram(selection),
        drops=() if selection.count else drops(selection, held.stars),
        alternative_places=places,
    )


def progress(search: StaySearch, *, site: Site) -> Coverage:
    """How much of the answer has been collected; starts collecting where nobody does.

    Another process may be the one that collects: then this one does too, and each comes to an end.
    """
    known = full_results.fresh_coverage(search, site)
    if known is not None:
        return known
    collection = full_results.start(search, site)
    if collection is None:
        return Coverage(CoverageState.FETCHING, 0, None, None)
    return full_results.fresh_coverage(search, site) or collection.coverage()


def find(key: str, search: StaySearch, *, site: Site, deadline: Deadline) -> Answer[Listing] | None:
    """The listing of one property, from the complete answer; None if it isn't in it.

    An answer nobody has yet is collected, for as long as the deadline lets.
    """
    held = full_results.whole(search, site, deadline)
    for row in held.result_set.rows if held else ():
        if held is not None and row.key == key:
            listing = _listings(held, [row], search, site, deadline).get(row.position)
            return Answer(listing, held.result_set.fetched_at, held.stale) if listing else None
    return None


def _question(search: StaySearch, refinement: Refinement, site: Site, anchor: Airport | None) -> Question:
    return Question(
        refinement,
        stars=search.stars,
        sort=refinement.sort or site.default_sort,
        anchor=anchor.coordinates if anchor else None,
    )


def _index(result_set: ResultSet, site: Site, today: date) -> RowIndex:
    """The index of the rows that admins let visitors see; kept in the process for finished answers."""
    name = (result_set.stamp, _disabled(site), site.blocked_keys(today))
    known = _indexes.get(name)
    if known is None:
        known = RowIndex(visible_rows(result_set, site, today))
        if result_set.coverage.state is not CoverageState.FETCHING:
            _indexes.put(name, known)
    return known


def visible_rows(result_set: ResultSet, site: Site, today: date) -> tuple[Row, ...]:
    """The rows that admins let visitors see."""
    disabled, blocked = _disabled(site), site.blocked_keys(today)
    shown = (_visible_row(row, disabled) for row in result_set.rows if row.key not in blocked)
    return tuple(row for row in shown if row is not None)


def _disabled(site: Site) -> frozenset[str]:
    return frozenset(entry.code for entry in site.providers if not entry.enabled)


def _visible_row(row: Row, disabled: frozenset[str]) -> Row | None:
    """The row as `listings.visible` shows its listing."""
    offers = tuple(offer for offer in row.offers if offer.provider not in disabled)
    if len(offers) == len(row.offers):
        return row
    return msgspec.structs.replace(row, offers=offers) if offers else None


def _coverage(coverage: Coverage, selection: Selection) -> Coverage:
    """A complete answer counts the properties that visitors can see and that have the stars asked for."""
    if not coverage.exact:
        return coverage
    asked_for = selection.row_filters.get("stars", selection.index.everything).bit_count()
    return Coverage(coverage.state, asked_for, asked_for, asked_for)


def _last_page(selection: Selection, coverage: Coverage, site: Site) -> int:
    """The last page that can exist; while an unfiltered answer comes in, the one it will have."""
    count = selection.count
    if coverage.state is CoverageState.FETCHING and not selection.active:
        count = max(count, coverage.goal or 0)
    return max(1, ceil(count / site.page_size))


@dataclass(frozen=True, slots=True)
class _Asked:
    """What every card of a page needs to know."""

    search: StaySearch
    site: Site
    today: date
    deadline: Deadline
    anchor: Airport | None


def _cards(
    held: HeldAnswer, selection: Selection, numbers: list[int], asked: _Asked
) -> tuple[PricedListing, ...]:
    rows = [selection.index.rows[number] for number in numbers]
    listings = _listings(held, rows, asked.search, asked.site, asked.deadline)
    blocked = asked.site.blocked_keys(asked.today)
    found = []
    for number, row in zip(numbers, rows, strict=True):
        listing = listings.get(row.position)
        shown = visible(listing, asked.site, blocked) if listing else None
        if shown is not None:
            found.append(_card(shown, selection, number, asked))
    return tuple(found)


def _card(listing: Listing, selection: Selection, number: int, asked: _Asked) -> PricedListing:
    """The card led by the cheapest offer that passes the filters, as the order and the counts take it."""
    card = priced(listing, asked.search, asked.site.price_rules, asked.anchor)
    if not selection.offer_filters:
        return card
    return led_by(card, selection.passing_offers(number), asked.search.currency)


def _listings(
    held: HeldAnswer, rows: list[Row], search: StaySearch, site: Site, deadline: Deadline
) -> dict[int, Listing]:
    """The listings of these rows by position: from the kept answer, else from the gateway's pages again."""
    found = held.listings([row.position for row in rows])
    lost = [row for row in rows if row.position not in found]
    for page in sorted({row.page for row in lost}):
        try:
            again = full_results.page(search, site, page, deadline)
        except GatewayError:
            break  # the cards that are at hand are a page, too
        by_key = {listing.property.key: listing for listing in again}
        found |= {row.position: by_key[row.key] for row in lost if row.key in by_key}
    return found


def find_stays(
    search: StaySearch, refinement: Refinement, page: int, *, site: Site, today: date, deadline: Deadline
) -> FoundStays:
    """Page `page` (from 1) of the answer, refined over the complete answer where the refinement needs it."""
    anchor = destinations.airport(refinement.near, deadline) if refinement.near else None
    if refinement.narrows or (refinement.sort or site.default_sort) is not Sort.PROVIDER:
        return refined(search, refinement, page, site=site, today=today, deadline=deadline, anchor=anchor)
    return provider_page(search, page, site=site, today=today, deadline=deadline, anchor=anchor)


def provider_page(
    search: StaySearch, page: int, *, site: Site, today: date, deadline: Deadline, anchor: Airport | None
) -> FoundStays:
    """One page in the gateway's own order: one call."""
    size = site.page_size
    answer = search_page(search, page - 1, size, site=site, deadline=deadline)
    blocked = site.blocked_keys(today)
    shown = (one for listing in answer.value.listings if (one := visible(listing, site, blocked)))
    last_page = last_possible_page(answer.value, page, size)
    return FoundStays(
        listings=tuple(priced(listing, search, site.price_rules, anchor) for listing in shown),
        total=answer.value.total,
        page=page,
        page_size=size,
        last_page=last_page,
        more=page < last_page if last_page is not None else answer.value.received >= size,
        fetched_at=answer.fetched_at,
        stale=answer.stale,
        anchor=anchor,
    )


def last_possible_page(answer: SearchPage, page: int, size: int) -> int | None:
    """The last page that can exist, None when the gateway's numbers don't tell.

    A total smaller than what was shown already is no total. A first page shorter than asked, with more to
    come, means that the gateway's own maximum is in force.
    """
    if answer.received == 0:
        return page if page == 1 else None
    if answer.total is None or answer.total < (page - 1) * size + answer.received:
        return page if answer.received < size else None
    effective = answer.received if page == 1 and answer.received < answer.total else size
    return max(page, ceil(answer.total / min(size, effective)))
