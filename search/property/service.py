"""One property in full: its details, and its offers from the listing."""

from __future__ import annotations

from datetime import date

from search.destinations import service as destinations
from search.domain.deadline import Deadline
from search.domain.hotels import Property
from search.domain.offers import Listing
from search.domain.query import Refinement, StaySearch
from search.domain.site_settings import Site
from search.gateway.cache_store import Answer
from search.gateway.errors import GatewayError, NotFound
from search.gateway.factory import gateway
from search.results import full_results
from search.results import service as results
from search.results.full_results import search_page
from search.results.listings import FoundProperty, km_between, priced, visible

__all__ = ["GatewayError", "NotFound", "find_property"]


def find_property(
    provider: str,
    property_id: str,
    search: StaySearch,
    refinement: Refinement,
    *,
    page: int,
    site: Site,
    today: date,
    deadline: Deadline,
) -> FoundProperty:
    """One property at one provider; `page` is where its card was, the first place to look for its offers.

    Raises NotFound for a property or provider that isn't there or that an admin took down, GatewayError
    when the details can't be had. Missing offers are no error: the page stands without them.
    """
    if not site.is_enabled(provider):
        raise NotFound("request", 404)
    details = gateway().details(provider, property_id, search, deadline=deadline)
    building = details.value.property
    blocked = site.blocked_keys(today)
    if building.key in blocked:
        raise NotFound("request", 404)
    listed = _listing_of(provider, property_id, building.key, search, page, site, deadline)
    listing = visible(listed.value, site, blocked) if listed else None
    anchor = destinations.airport(refinement.near, deadline) if refinement.near else None
    offered = priced(listing, search, site.price_rules, anchor) if listing else None
    return FoundProperty(
        provider=provider,
        property_id=property_id,
        building=_richest(building, listing),
        details=details.value,
        offers=offered.offers if offered else None,
        flexibility=offered.flexibility if offered else None,
        listing=listing,
        fetched_at=(listed or details).fetched_at,
        stale=(listed or details).stale,
        anchor=anchor,
        anchor_km=km_between(building, anchor),
        airports=destinations.airports_near_property(building, deadline),
    )


def _listing_of(
    provider: str, property_id: str, key: str, search: StaySearch, page: int, site: Site, deadline: Deadline
) -> Answer[Listing] | None:
    """The listing with the offers: from the complete answer if that is known, else from the page its card was
    on, which is the gateway's page only in the gateway's order; else by collecting the complete answer."""
    if not search.place:
        return None
    try:
        known = full_results.fresh_coverage(search, site) is not None
        if known and (found := results.find(key, search, site=site, deadline=deadline)):
            return found
        answer = search_page(search, page - 1, site.page_size, site=site, deadline=deadline)
        for listing in answer.value.listings:
            if listing.property.key == key or _sells(listing, provider, property_id):
                return Answer(listing, answer.fetched_at, answer.stale)
        return None if known else results.find(key, search, site=site, deadline=deadline)
    except GatewayError:
        return None  # the page says that prices can't be had now


def _sells(listing: Listing, provider: str, property_id: str) -> bool:
    return any((one.provider, one.property_id) == (provider, property_id) for one in listing.offers)


def _richest(building: Property, listing: Listing | None) -> Property:
    """The details' summary, with what it lacks taken from the listing's."""
    if listing is None:
        return building
    listed = listing.property
    return Property(**{
        field: getattr(building, field) or getattr(listed, field) for field in building.__struct_fields__
    })  # fmt: skip
