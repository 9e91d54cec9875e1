"""One property in full: its details, and its offers from the listing."""

import logging

import msgspec
from django.utils import timezone

from search.destinations import service as destinations
from search.domain.context import SearchContext
from search.domain.hotels import Property, PropertyDetails, at_provider, filled
from search.domain.offers import Listing
from search.domain.query import Sort
from search.gateway.cache_store import CachedValue
from search.gateway.errors import Garbled, GatewayError, NotFound
from search.gateway.factory import gateway
from search.results import service as results
from search.results.full_results import FullResults, search_page
from search.results.listings import FoundProperty, NoOffers, PricedListing, measured, priced, visible
from search.results.pagination import CoverageState, Keys, known_by

log = logging.getLogger(__name__)

# What it means that results are without the property.
_WITHOUT_IT = {
    CoverageState.COMPLETE: NoOffers.NOT_OFFERED,
    CoverageState.CAPPED: NoOffers.BEYOND,
}


class TakenDown(NotFound):
    """The gateway knows the property, but an admin took it off the site."""


def find_property(
    context: SearchContext, provider: str, property_id: str, page: int, *, dated: bool = True
) -> FoundProperty:
    """One property at one provider; `page` is where its card was, the first place to look for its offers,
    which nobody has to look for unless the address is `dated`.

    Raises NotFound for a property or provider that isn't there, TakenDown for a property that an admin took
    down, GatewayError when neither details nor a listing can be had. With either of them the page stands.
    One whose provider an admin switched off is found at another that sells it.
    """
    if not context.site.is_enabled(provider):
        provider, property_id = _at_another(context, provider, property_id, page, dated=dated)
    if dated:
        _begin_fetching(context)
    described, failure = _details_or_none_usable(context, provider, property_id, dated=dated)
    asked_for = described.value.property
    listed, no_offers = _listing_of(context, asked_for, page) if dated else (None, NoOffers.NO_DATES)
    listing = _shown(listed.value, context) if listed else None
    if listing is None and not described.value.available:
        raise failure.afresh()
    offered = priced(listing, context) if listing else None
    latest, building = listed or described, _richest(asked_for, listing)
    anchor_km, centre_km = measured(building, context)
    return FoundProperty(
        provider=provider,
        property_id=property_id,
        building=building,
        details=described.value,
        offers=offered.offers if offered else None,
        ladder=offered.ladder if offered else (),
        listing=listing,
        fetched_at=latest.fetched_at,
        stale=latest.stale,
        anchor_km=anchor_km,
        centre_km=centre_km,
        airports=destinations.airports_near_property(building, context.deadline),
        no_offers=no_offers,
        standing=results.standing_of(context, listing),
    )


def _at_another(
    context: SearchContext, provider: str, property_id: str, page: int, *, dated: bool
) -> tuple[str, str]:
    """Provider and property id of the page that a property's card leads to. Raises NotFound for one that no
    other provider sells in the place of the search, or whose stay nobody named."""
    named = Property(at_provider(provider, property_id), provider, property_id)
    listed, _why_not = _listing_of(context, named, page) if dated else (None, NoOffers.NO_DATES)
    listing = _shown(listed.value, context) if listed else None
    if listing is None:
        raise NotFound("request", 404)
    return priced(listing, context).at


def _begin_fetching(context: SearchContext) -> None:
    """Start the full results beside the call for the details, where the offers will be looked for in them."""
    if context.search.place and not _in_gateway_order(context):
        FullResults(context).start_unless_fresh()


def _shown(listing: Listing, context: SearchContext) -> Listing | None:
    """The listing with the offers that are shown. Raises TakenDown for one that an admin took down."""
    if listing.all_keys() & context.blocked:
        raise TakenDown("request", 404)
    return visible(listing, context)


def card_of(found: FoundProperty) -> PricedListing:
    """The property as a card of results would show it."""
    listing = Listing(found.building, offers=(), distance=None)
    return PricedListing(
        listing, found.offers or (), found.ladder, found.anchor_km, found.centre_km, found.standing
    )


def details(
    context: SearchContext, provider: str, property_id: str, *, dated: bool = True
) -> CachedValue[PropertyDetails]:
    """A property's details at one provider; not `dated` for a search whose days nobody named. Raises
    GatewayError, NotFound and TakenDown among them."""
    found = gateway().details(
        provider, property_id, context.search, site=context.site, deadline=context.deadline, dated=dated
    )
    # What a gateway calls it in its details need not be what a block calls it.
    if {found.value.property.key, at_provider(provider, property_id)} & context.blocked:
        raise TakenDown("request", 404)
    return found


def _details_or_none_usable(
    context: SearchContext, provider: str, property_id: str, *, dated: bool
) -> tuple[CachedValue[PropertyDetails], GatewayError]:
    """A property's details, none `available` where the gateway fails; and what to raise where that leaves
    nothing to show. Raises NotFound and TakenDown."""
    try:
        return details(context, provider, property_id, dated=dated), Garbled("envelope")
    except NotFound:
        raise
    except GatewayError as error:
        failure = error.afresh()
    asked_for = Property(at_provider(provider, property_id), provider, property_id)
    unknown = PropertyDetails(asked_for, (), (), (), (), (), (), available=False)
    return CachedValue(unknown, timezone.now(), stale=False), failure


def all_keys(context: SearchContext, building: Property) -> frozenset[str]:
    """Every key under which the results of its city list a property; none where they don't."""
    listed, _why_not = _listing_of(context, building, 1)
    return listed.value.all_keys() if listed else frozenset()


def _listing_of(
    context: SearchContext, building: Property, page: int
) -> tuple[CachedValue[Listing] | None, NoOffers]:
    """The listing with the offers, from the place of the search, else from the property's own city; and why
    there are none."""
    found: CachedValue[Listing] | NoOffers = NoOffers.NO_PLACE
    for place in dict.fromkeys((context.search.place, building.city)):
        if place and not isinstance(found, CachedValue) and found is not NoOffers.UNAVAILABLE:
            in_place = context.with_search(place=place)
            found = _listing_in_place(in_place, building, page if place == context.search.place else None)
    return (None, found) if isinstance(found, NoOffers) else (found, NoOffers.NOT_OFFERED)


def _listing_in_place(
    context: SearchContext, building: Property, page: int | None
) -> CachedValue[Listing] | NoOffers:
    """From the full results if those are cached, else from the page its card was on, which is the
    gateway's page only in the gateway's order; else by fetching the full results."""
    full_results = FullResults(context)
    # Its listing needn't name the key that its details name, and another one may.
    keys = (at_provider(building.provider, building.id), building.key)
    try:
        cached = full_results.fresh_coverage() is not None
        if cached and (found := results.find_listing(context, *keys)):
            return found
        if page and _in_gateway_order(context) and (found := _listing_on_page(context, keys, page)):
            return found
        if not cached and (found := results.find_listing(context, *keys)):
            return found
    except GatewayError:
        return NoOffers.UNAVAILABLE
    coverage = full_results.fresh_coverage()
    return _WITHOUT_IT.get(coverage.state, NoOffers.UNAVAILABLE) if coverage else NoOffers.UNAVAILABLE


def _in_gateway_order(context: SearchContext) -> bool:
    """Whether pages of results are the gateway's pages."""
    return context.sort is Sort.PROVIDER and not context.refinement.narrows


def _listing_on_page(context: SearchContext, keys: Keys, page: int) -> CachedValue[Listing] | None:
    """From the gateway's page; where that can't be had, from full results however old, of which its card was
    made then."""
    try:
        sent = search_page(context, page - 1, context.site.page_size)
    except GatewayError:
        kept = FullResults(context).cached()
        if kept and (found := kept.listing(keys)):
            return found
        raise
    known = known_by(keys, sent.value.entries)
    return CachedValue(known.listing, sent.fetched_at, sent.stale) if known else None


def _richest(building: Property, listing: Listing | None) -> Property:
    """The details' summary, with what it lacks taken from the listing's, which knows the key; the listing's
    alone where the details name another property."""
    if listing is None:
        return building
    listed = listing.property
    if _is_another(building, listing):
        log.warning("details: another property than the listing's, whose summary is shown")
        return msgspec.structs.replace(listed, provider=building.provider, id=building.id)
    return msgspec.structs.replace(filled([building, listed]), key=listed.key)


def _is_another(building: Property, listing: Listing) -> bool:
    """Whether both name an identifier across providers, and not the same."""
    listed = listing.property
    at_providers = {building.own_key, listed.own_key, *(one.key for one in listing.offers)}
    return building.key != listed.key and at_providers.isdisjoint({building.key, listed.key})
