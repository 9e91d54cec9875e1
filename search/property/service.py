"""One property in full: its details, and its offers from the listing."""

import msgspec

from search.destinations import service as destinations
from search.domain.context import SearchContext
from search.domain.hotels import Property, PropertyDetails
from search.domain.offers import Listing
from search.gateway.cache_store import CachedValue
from search.gateway.errors import Garbled, GatewayError, NotFound
from search.gateway.factory import gateway
from search.results import service as results
from search.results.full_results import FullResults, search_page
from search.results.listings import FoundProperty, PricedListing, km_between, priced, visible

__all__ = ["NotFound", "card_of", "details", "find_property"]


def find_property(context: SearchContext, provider: str, property_id: str, page: int) -> FoundProperty:
    """One property at one provider; `page` is where its card was, the first place to look for its offers.

    Raises NotFound for a property or provider that isn't there or that an admin took down, GatewayError
    when the details can't be had. Missing offers are no error: the page stands without them.
    """
    if not context.site.is_enabled(provider):
        raise NotFound("request", 404)
    described = details(context, provider, property_id)
    building = described.value.property
    if building.key in context.blocked:
        raise NotFound("request", 404)
    listed = _listing_of(context, building.key, (provider, property_id), page)
    if listed and listed.value.all_keys() & context.blocked:
        raise NotFound("request", 404)
    listing = visible(listed.value, context) if listed else None
    if listing is None and not described.value.available:
        raise Garbled("envelope")
    offered = priced(listing, context) if listing else None
    latest = listed or described
    return FoundProperty(
        provider=provider,
        property_id=property_id,
        building=_richest(building, listing),
        details=described.value,
        offers=offered.offers if offered else None,
        flexibility=offered.flexibility if offered else None,
        listing=listing,
        fetched_at=latest.fetched_at,
        stale=latest.stale,
        anchor_km=km_between(building, context.anchor),
        airports=destinations.airports_near_property(building, context.deadline),
    )


def card_of(found: FoundProperty) -> PricedListing:
    """The property as a card of results would show it."""
    listing = Listing(found.building, offers=(), distance=None)
    return PricedListing(listing, found.offers or (), found.flexibility, found.anchor_km)


def details(context: SearchContext, provider: str, property_id: str) -> CachedValue[PropertyDetails]:
    """A property's details at one provider. Raises GatewayError, NotFound among them."""
    return gateway().details(
        provider, property_id, context.search, site=context.site, deadline=context.deadline
    )


def _listing_of(
    context: SearchContext, key: str, at: tuple[str, str], page: int
) -> CachedValue[Listing] | None:
    """The listing with the offers: from the full results if those are cached, else from the page its card was
    on, which is the gateway's page only in the gateway's order; else by fetching the full results."""
    if not context.search.place:
        return None
    try:
        cached = FullResults(context).fresh_coverage() is not None
        if cached and (found := results.find_listing(context, key)):
            return found
        sent = search_page(context, page - 1, context.site.page_size)
        for listing in sent.value.listings:
            sold_as = {(one.provider, one.property_id) for one in listing.offers}
            if listing.property.key == key or at in sold_as:
                return CachedValue(listing, sent.fetched_at, sent.stale)
        return None if cached else results.find_listing(context, key)
    except GatewayError:
        return None  # the page says that prices can't be had now


def _richest(building: Property, listing: Listing | None) -> Property:
    """The details' summary, with what it lacks taken from the listing's, which knows the key."""
    if listing is None:
        return building
    listed = listing.property
    richest = Property(**{
        field: getattr(building, field) or getattr(listed, field) for field in building.__struct_fields__
    })  # fmt: skip
    return msgspec.structs.replace(richest, key=listed.key)
