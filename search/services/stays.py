"""Finding stays: one page of an answer."""

from __future__ import annotations

from datetime import date
from math import ceil

from search.domain.airports import Airport
from search.domain.deadline import Deadline
from search.domain.found import FoundStays, priced, visible
from search.domain.offers import SearchPage
from search.domain.refinement import Refinement, Sort
from search.domain.site import Site
from search.domain.stay import StaySearch
from search.gateway.errors import GatewayError

from . import destinations, result_sets
from .asking import search_page

__all__ = ["GatewayError", "find_stays"]


def find_stays(
    search: StaySearch, refinement: Refinement, page: int, *, site: Site, today: date, deadline: Deadline
) -> FoundStays:
    """Page `page` (from 1) of the answer, refined over the complete answer where the refinement needs it."""
    anchor = destinations.airport(refinement.near, deadline) if refinement.near else None
    if refinement.narrows or (refinement.sort or site.default_sort) is not Sort.PROVIDER:
        return result_sets.refined(
            search, refinement, page, site=site, today=today, deadline=deadline, anchor=anchor
        )
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
