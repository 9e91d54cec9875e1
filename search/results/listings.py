"""What a search or a look at one property found, ready to be shown."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from search.destinations.destination import Destination
from search.domain.context import SearchContext
from search.domain.hotels import Airport, Property, PropertyDetails
from search.domain.money import Money
from search.domain.offers import Listing, PricedOffer, cost_of_flexibility, ranked_offers
from search.domain.query import Sort

from .pagination import Coverage
from .selection import Drop, Facet, Histogram


class PricedListing(msgspec.Struct, frozen=True):
    """A listing with its offers ranked (cheapest comparable total first; may be empty).

    `flexibility` is what free cancellation costs on top of the cheapest total, None when there is no
    such choice. `anchor_km` is our own straight-line distance to the chosen airport.
    """

    listing: Listing
    offers: tuple[PricedOffer, ...]
    flexibility: Money | None
    anchor_km: float | None

    @property
    def at(self) -> tuple[str, str]:
        """Provider and property id of the page its card leads to."""
        front = self.offers[0].offer if self.offers else None
        building = self.listing.property
        return (front.provider, front.property_id) if front else (building.provider, building.id)


class RefinedResults(msgspec.Struct, frozen=True):
    """How a page relates to the full results: its order, how much of them it covers, how many properties pass
    the filters, and what other choices would give. `drops` is filled where nothing passes; other places
    (with kilometres where known) where nothing was found at all."""

    sort: Sort
    coverage: Coverage
    matching: int
    facets: tuple[Facet, ...]
    histogram: Histogram | None
    drops: tuple[Drop, ...]
    alternative_places: tuple[tuple[Destination, float | None], ...] = ()


class FoundStays(msgspec.Struct, frozen=True, kw_only=True):
    """One page of results.

    `total` is how many properties the gateway counts (None: unknown), `page` starts at 1, `last_page` is
    the last page that can exist (None: unknown, there is at least a next one when `more`). `refined` is
    None for a page in the gateway's own order.
    """

    listings: tuple[PricedListing, ...]
    total: int | None
    page: int
    page_size: int
    last_page: int | None
    more: bool
    fetched_at: datetime
    stale: bool
    refined: RefinedResults | None = None


class FoundProperty(msgspec.Struct, frozen=True, kw_only=True):
    """One property in full. `offers` is None when the listing with its prices could not be had.

    `fetched_at` and `stale` are the prices', or the details' where there are no prices.

    `provider` and `property_id` are those of the address; `building` is the richest summary known.
    `airports` are those of the property's city, nearest first, with kilometres.
    """

    provider: str
    property_id: str
    building: Property
    details: PropertyDetails
    offers: tuple[PricedOffer, ...] | None
    flexibility: Money | None
    listing: Listing | None
    fetched_at: datetime
    stale: bool
    anchor_km: float | None
    airports: tuple[tuple[Airport, float], ...]


def visible(listing: Listing, context: SearchContext) -> Listing | None:
    """What admins let visitors see of a listing: not a blocked property, no offer of a disabled provider."""
    if context.blocked and listing.all_keys() & context.blocked:
        return None
    offers = tuple(offer for offer in listing.offers if context.site.is_enabled(offer.provider))
    if len(offers) == len(listing.offers):
        return listing
    return msgspec.structs.replace(listing, offers=offers) if offers else None


def priced(listing: Listing, context: SearchContext) -> PricedListing:
    """The listing as a card shows it: offers ranked, distance to the anchor measured."""
    search = context.search
    ranked = ranked_offers(listing, context.site.price_rules, search.dates.nights, search.currency)
    flexibility = cost_of_flexibility(ranked, search.currency)
    return PricedListing(listing, ranked, flexibility, km_between(listing.property, context.anchor))


def led_by(card: PricedListing, passing: Sequence[int], currency: str) -> PricedListing:
    """The card with the offers at these places in front: the cheapest that passes the filters leads."""
    leading = tuple(card.offers[place] for place in passing if place < len(card.offers))
    others = tuple(offer for place, offer in enumerate(card.offers) if place not in passing)
    return msgspec.structs.replace(
        card, offers=leading + others, flexibility=cost_of_flexibility(leading, currency)
    )


def km_between(building: Property, airport: Airport | None) -> float | None:
    """Straight-line kilometres, None when either place is unknown."""
    if airport is None or airport.coordinates is None or building.coordinates is None:
        return None
    return building.coordinates.km_to(airport.coordinates)
