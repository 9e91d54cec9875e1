"""What a search or a look at one property found, ready to be shown."""

from datetime import datetime
from enum import StrEnum
from typing import TypeVar

import msgspec

from search.destinations.destination import Destination
from search.domain.context import SearchContext
from search.domain.hotels import Airport, Coordinates, Property, PropertyDetails
from search.domain.offers import Listing, PricedOffer, Step, ladder, ranked_offers
from search.domain.query import Sort

from .full_results import DeeperResults
from .index import Row, RowIndex
from .pagination import Coverage
from .selection import Drop, Facet, Histogram, Standing, Tradeoffs

BEYOND_SUBURBS_KM = 150.0

Offered = TypeVar("Offered", Listing, Row)


class PricedListing(msgspec.Struct, frozen=True):
    """A listing with its offers ranked (cheapest comparable total first; may be empty).

    `ladder` is what free cancellation and breakfast cost on top of the cheapest total. `anchor_km` and
    `centre_km` are our own straight-line distances to the chosen airport and to the centre of the place.
    `standing` is where its total stands among those like it, None where too few are.
    """

    listing: Listing
    offers: tuple[PricedOffer, ...]
    ladder: tuple[Step, ...]
    anchor_km: float | None
    centre_km: float | None = None
    standing: Standing | None = None

    @property
    def at(self) -> tuple[str, str]:
        """Provider and property id of the page its card leads to."""
        front = self.offers[0].offer if self.offers else None
        building = self.listing.property
        return (front.provider, front.property_id) if front else (building.provider, building.id)


class RefinedResults(msgspec.Struct, frozen=True):
    """How a page relates to the full results: its order, how much of them it covers, how many properties pass
    the filters, and what other choices would give. `drops` is filled where nothing passes; other places
    (with kilometres where known) where nothing was found at all; `tradeoffs` where the order or the filter
    asks for the best ones; `deeper` what there is beyond these; `from_centre` is false where distances aren't
    measured from the centre, although that is known. Where nothing passes, `compared_at` is where some of the
    compared ones are."""

    sort: Sort
    coverage: Coverage
    matching: int
    facets: tuple[Facet, ...]
    histogram: Histogram | None
    drops: tuple[Drop, ...]
    alternative_places: tuple[tuple[Destination, float | None], ...] = ()
    tradeoffs: Tradeoffs | None = None
    deeper: DeeperResults | None = None
    from_centre: bool = True
    compared_at: tuple[Coordinates, ...] = ()


class FoundStays(msgspec.Struct, frozen=True, kw_only=True):
    """One page of results, counted from 1.

    `total` is how many properties the gateway counts (None: unknown), `last_page` the last page that can
    exist (None: unknown, but there is a next one). `newer_coming`: they are stale, and newer ones are being
    fetched. `refined` is None for a page in the gateway's own order.
    """

    listings: tuple[PricedListing, ...]
    total: int | None
    page: int
    last_page: int | None
    fetched_at: datetime
    stale: bool
    newer_coming: bool = False
    refined: RefinedResults | None = None

    @property
    def has_next(self) -> bool:
        return self.last_page is None or self.page < self.last_page

    @property
    def is_empty(self) -> bool:
        """Whether there is no property, even without the filters."""
        return not self.listings and not (self.refined and self.refined.coverage.compared)


class NoOffers(StrEnum):
    """Why a property is shown without offers. BEYOND: it is not among the properties that the cap lets us
    compare."""

    NO_DATES = "no dates"
    NO_PLACE = "no place"
    NOT_OFFERED = "not offered"
    BEYOND = "beyond"
    UNAVAILABLE = "unavailable"


class FoundProperty(msgspec.Struct, frozen=True, kw_only=True):
    """One property in full, at the provider and id of its address. `building` is the richest summary known;
    `offers` is None when there is no listing with its prices; `no_offers` then says why.

    `fetched_at` and `stale` are the prices', or the details' where there are no prices.
    `airports` are those of the property's city, nearest first, with kilometres. `standing` as of its card.
    """

    provider: str
    property_id: str
    building: Property
    details: PropertyDetails
    offers: tuple[PricedOffer, ...] | None
    ladder: tuple[Step, ...]
    listing: Listing | None
    fetched_at: datetime
    stale: bool
    anchor_km: float | None
    airports: tuple[tuple[Airport, float], ...]
    no_offers: NoOffers = NoOffers.UNAVAILABLE
    centre_km: float | None = None
    standing: Standing | None = None

    @property
    def prices_from(self) -> datetime | None:
        """When its prices were fetched, None where there are none."""
        return None if self.offers is None else self.fetched_at

    @property
    def stale_from(self) -> datetime | None:
        """The same, where no newer ones are available."""
        return self.prices_from if self.stale else None


def visible(found: Offered, context: SearchContext) -> Offered | None:
    """What admins let visitors see of it: not a blocked property, no offer of a disabled provider, nor what
    such a one alone lists."""
    if context.blocked and found.all_keys() & context.blocked:
        return None
    offers = tuple(offer for offer in found.offers if offer.provider not in context.disabled)
    if len(offers) == len(found.offers):
        return found if offers or found.described_by() not in context.disabled else None
    return msgspec.structs.replace(found, offers=offers) if offers else None


def priced(listing: Listing, context: SearchContext) -> PricedListing:
    """The listing as a card shows it: offers ranked, distances measured."""
    search = context.search
    ranked = ranked_offers(listing, context.site.price_rules, search.dates.nights, search.currency)
    steps = ladder(ranked, search.currency)
    return PricedListing(listing, ranked, steps, *measured(listing.property, context))


def measured(building: Property, context: SearchContext) -> tuple[float | None, float | None]:
    """Straight-line kilometres to the chosen airport and to the centre, None where either place is unknown. A
    property beyond all suburbs is of another place of the name, and measured from no centre."""
    airport, where = context.anchor, building.coordinates
    if where is None:
        return None, None
    to_airport = where.km_to(airport.coordinates) if airport and airport.coordinates else None
    to_centre = where.km_to(context.centre) if context.centre else None
    return to_airport, to_centre if to_centre is not None and to_centre <= BEYOND_SUBURBS_KM else None


def origin_of(index: RowIndex, context: SearchContext) -> Coordinates | None:
    """Where the order of these rows is measured from: not the centre where all of them are of another place
    of the name, unless only what is near it was asked for."""
    origin, centre = context.origin, context.centre
    if origin is None or origin is not centre or context.refinement.max_km:
        return origin
    return origin if min(index.kilometres(origin), default=0.0) <= BEYOND_SUBURBS_KM else None
