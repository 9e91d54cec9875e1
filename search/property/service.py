"""One property in full: its details, and its offers from the results of the stay; and some hotels' offers."""

import logging
from collections.abc import Set
from datetime import datetime
from typing import NamedTuple

import msgspec
from django.utils import timezone

from search.destinations import service as destinations
from search.domain.context import SearchContext
from search.domain.hotels import Property, PropertyDetails, at_provider, filled
from search.domain.offers import Listing
from search.gateway import Garbled, GatewayError, NotFound
from search.gateway.cache import CachedValue
from search.gateway.client import DetailsQuery
from search.gateway.factory import gateway
from search.results import full_results
from search.results import service as results
from search.results.full_results import FullResults
from search.results.listings import FoundProperty, NoOffers, PricedListing, measured, placed, priced, visible
from search.results.pagination import CoverageState
from search.web.shortcuts import Sources

from . import observed

log = logging.getLogger(__name__)

# What it means that results are without the property.
_WITHOUT_IT = {
    CoverageState.COMPLETE: NoOffers.NOT_OFFERED,
    CoverageState.CAPPED: NoOffers.BEYOND,
}


class TakenDown(NotFound):
    """The gateway knows the property, but an admin took it off the site."""


class OfferedNow(NamedTuple):
    """What a search offers of some hotels, by the keys that were asked for. `complete`: a hotel without a
    listing isn't offered; else it may be in what was not compared."""

    listings: dict[str, Listing]
    complete: bool
    fetched_at: datetime
    stale: bool

    def listing(self, *keys: str) -> Listing | None:
        """The listing by the first of these keys that has one."""
        return next((self.listings[key] for key in keys if key in self.listings), None)


def offered_now(context: SearchContext, keys: Set[str]) -> OfferedNow | None:
    """The listings of the hotels with these keys, from all results of the search, hidden ones too.
    None where no results are available."""
    deeper = full_results.available(context)
    available = deeper.dated() if deeper else FullResults(context).wait_for_all()
    if available is None:
        return None
    result_set = available.result_set
    rows = {key: row for row in result_set.rows for key in row.all_keys() & keys}
    rows |= {row.key: row for row in result_set.rows if row.key in keys}
    by_key = result_set.listings(rows.values())
    listings = {key: by_key[row.key] for key, row in rows.items() if row.key in by_key}
    complete = result_set.coverage.exact and len(listings) == len(rows)
    return OfferedNow(listings, complete, result_set.fetched_at, available.stale)


def find_property(
    context: SearchContext, provider: str, property_id: str, *, dated: bool = True, hotel: str = ""
) -> FoundProperty:
    """One property at one provider, at another one where an admin switched that off; its offers unless the
    address has no dates. `hotel` is its key where several have its identifier. Raises NotFound, TakenDown,
    and GatewayError where neither details nor a listing are available."""
    provider, property_id = _at_enabled(context, provider, property_id, dated=dated)
    if dated and context.search.place:
        FullResults(context).start_unless_fresh()
    described, failure = _details_or_failure(context, provider, property_id, dated=dated)
    asked_for = described.value.property
    listed, no_offers = _listing_of(context, asked_for, hotel) if dated else (None, NoOffers.NO_DATES)
    listing = _shown(listed, context)
    if listing is None and not described.value.available:
        raise failure
    card = priced(listing or Listing(asked_for, (), None), context, described.value)
    building = placed(_richest(asked_for, card.listing, hotel), context.centre)
    latest, standing = listed or described, results.standing_of(context, listing)
    observed.note(context, building.key, card.offers, latest.fetched_at)
    whole = Listing(building, (), None)
    return FoundProperty(
        provider=provider,
        property_id=property_id,
        card=PricedListing(
            whole, card.offers, card.ladder, *measured(building, context), standing, shared=bool(hotel)
        ),
        details=described.value,
        listing=card.listing if listing else None,
        fetched_at=latest.fetched_at,
        stale=latest.stale,
        airports=destinations.airports_near_property(building, context.deadline),
        no_offers=no_offers,
        hotel=hotel,
    )


def _details_or_failure(
    context: SearchContext, provider: str, property_id: str, *, dated: bool
) -> tuple[CachedValue[PropertyDetails], GatewayError]:
    """The details, empty ones where they can't be had, and why a page can't do without them."""
    try:
        return details(context, provider, property_id, dated=dated), Garbled("envelope")
    except NotFound:
        raise
    except GatewayError as error:
        asked_for = Property(at_provider(provider, property_id), provider, property_id)
        unknown = PropertyDetails(asked_for, (), (), (), (), (), (), available=False)
        return CachedValue(unknown, timezone.now(), stale=False), error.afresh()


def page_sources(
    context: SearchContext, provider: str, property_id: str, *, dated: bool = True
) -> Sources | None:
    """What the page of a property is made of, where its place lists it; None where newer parts are due."""
    query = DetailsQuery(provider, property_id, context.search, dated)
    details = gateway().cached_details(query)
    if not (details and details.value.available and context.site.provider(provider).enabled):
        return None
    described = Sources.fetched(details.fetched_at, context.site.details_fresh_seconds)
    if not dated:
        return described
    building = details.value.property
    in_place = context.with_search(place=context.search.place or building.city)
    available = results.shown_results(in_place) if in_place.search.place else None
    if available is None or not available.row((at_provider(provider, property_id), building.key)):
        return None
    return Sources.united(described, available.sources)


def _at_enabled(context: SearchContext, provider: str, property_id: str, *, dated: bool) -> tuple[str, str]:
    """The same or, where an admin switched that provider off, those of the page that the property's card
    leads to. Raises NotFound where no other provider sells it in the place of the search."""
    if context.site.provider(provider).enabled:
        return provider, property_id
    building = Property(at_provider(provider, property_id), provider, property_id)
    listed = _listing_of(context, building)[0] if dated else None
    listing = _shown(listed, context)
    if listing is None:
        raise NotFound("request", 404)
    return priced(listing, context).at


def _shown(listed: CachedValue[Listing] | None, context: SearchContext) -> Listing | None:
    """The listing with the offers that visitors may see. Raises TakenDown."""
    if listed and listed.value.all_keys() & context.blocked:
        raise TakenDown("request", 404)
    return visible(listed.value, context) if listed else None


def card_in_list(hotel: FoundProperty) -> PricedListing:
    """The card of a property with the distance that its listing names."""
    distance = hotel.listing.distance if hotel.listing else None
    listing = msgspec.structs.replace(hotel.card.listing, distance=distance)
    return msgspec.structs.replace(hotel.card, listing=listing)


def details(
    context: SearchContext, provider: str, property_id: str, *, dated: bool = True
) -> CachedValue[PropertyDetails]:
    """A property's details at one provider, for the days of the search if they are `dated`. Raises
    GatewayError, NotFound and TakenDown among them."""
    query = DetailsQuery(provider, property_id, context.search, dated)
    response = gateway().details(query, context.site, context.deadline)
    # Details may name another key than a block does.
    if {response.value.property.key, at_provider(provider, property_id)} & context.blocked:
        raise TakenDown("request", 404)
    return response


def all_keys(context: SearchContext, building: Property) -> frozenset[str]:
    """Every key under which the results of its city list a property; none where they don't."""
    listed, _why_not = _listing_of(context, building)
    return listed.value.all_keys() if listed else frozenset()


def _listing_of(
    context: SearchContext, building: Property, hotel: str = ""
) -> tuple[CachedValue[Listing] | None, NoOffers]:
    """The listing of a property in the place of the search, else in its own city; and why there is none."""
    # The listing needn't name the key that the details name, and another one may.
    keys = (*filter(None, [hotel]), at_provider(building.provider, building.id), building.key)
    why_not = NoOffers.NO_PLACE
    for place in filter(None, dict.fromkeys((context.search.place, building.city))):
        in_place = context.with_search(place=place)
        try:
            listed = results.find_listing(in_place, *keys)
        except GatewayError:
            return None, NoOffers.UNAVAILABLE
        if listed:
            return listed, NoOffers.NOT_OFFERED
        coverage = FullResults(in_place).fresh_coverage()
        why_not = _WITHOUT_IT.get(coverage.state, NoOffers.UNAVAILABLE) if coverage else NoOffers.UNAVAILABLE
        if why_not is NoOffers.UNAVAILABLE:
            break
    return None, why_not


def _richest(building: Property, listing: Listing, hotel: str) -> Property:
    """The summary of the details, with what it lacks from the listing, which knows the key; the listing's
    alone where the details are of another property, or may be: several have the identifier of the `hotel`."""
    listed = listing.property
    if hotel:
        return listed
    # They are of one property unless both name a key across providers, and not the same.
    at_providers = {building.own_key, listed.own_key, *(one.key for one in listing.offers)}
    if building.key != listed.key and at_providers.isdisjoint({building.key, listed.key}):
        log.warning("details: another property than the listing's, whose summary is shown")
        return msgspec.structs.replace(listed, provider=building.provider, id=building.id)
    return msgspec.structs.replace(filled([building, listed]), key=listed.key)
