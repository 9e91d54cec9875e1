"""The results of a search or of a look at one property, ready for a page."""

from datetime import datetime
from enum import StrEnum
from typing import TypeVar

import msgspec

from search.destinations.index import Destination
from search.destinations.places import believable
from search.domain.cancellation import still_free
from search.domain.context import SearchContext
from search.domain.hotels import Airport, Coordinates, Property, PropertyDetails
from search.domain.offers import Listing, Offer, PricedOffer, Step, ladder, ranked_offers, terms_of

from .full_results import DeeperResults
from .index import Row, RowIndex
from .pagination import Coverage
from .selection import Facets, Histogram, Standing, Tradeoffs

BEYOND_SUBURBS_KM = 100.0

Offered = TypeVar("Offered", Listing, Row)


class PricedListing(msgspec.Struct, frozen=True):
    """A listing with its offers ranked (cheapest comparable total first; may be empty), and the `ladder` from
    the cheapest total to free cancellation and breakfast. `anchor_km` and `centre_km` are our own
    straight-line distances to the chosen airport and to the centre; `standing` is None with too few alike;
    `shared` if another property of the results has the identifiers of its page."""

    listing: Listing
    offers: tuple[PricedOffer, ...]
    ladder: tuple[Step, ...]
    anchor_km: float | None
    centre_km: float | None = None
    standing: Standing | None = None
    shared: bool = False

    @property
    def pages(self) -> tuple[tuple[str, str], ...]:
        """Provider and property id of each of its pages, that of its card first."""
        sellers = ((one.offer.provider, one.offer.property_id) for one in self.offers)
        return tuple(at for at in dict.fromkeys((self.at, *sellers)) if all(at))

    @property
    def apart(self) -> str:
        """Its key in addresses, where its identifiers aren't enough."""
        return self.listing.property.key if self.shared else ""

    @property
    def at(self) -> tuple[str, str]:
        """Provider and property id of the page its card leads to."""
        front = self.offers[0].offer if self.offers else None
        building = self.listing.property
        return (front.provider, front.property_id) if front else (building.provider, building.id)


class FoundStays(msgspec.Struct, frozen=True, kw_only=True):
    """One page of results, counted from 1: `last_page` is the last that can exist. `newer_coming`: these are
    stale, and newer ones are being fetched. Of the full results behind it: coverage, how many properties pass
    the filters, and the effect of other choices.

    If no property passes, `drops` says how many do without each filter, and `compared_at` is where some of
    the compared ones are; without any property there are other places, with kilometres if known. `tradeoffs`
    needs an order or a filter about them; `deeper` are results beyond these. `from_centre`: if no airport
    is chosen, distances are from the centre.
    """

    listings: tuple[PricedListing, ...]
    page: int
    last_page: int
    fetched_at: datetime
    stale: bool
    coverage: Coverage
    matching: int
    facets: Facets
    histogram: Histogram | None
    drops: dict[str, int | None]
    newer_coming: bool = False
    alternative_places: tuple[tuple[Destination, float | None], ...] = ()
    tradeoffs: Tradeoffs | None = None
    deeper: DeeperResults | None = None
    from_centre: bool = False
    compared_at: tuple[Coordinates, ...] = ()

    @property
    def has_next(self) -> bool:
        return self.page < self.last_page

    @property
    def is_empty(self) -> bool:
        """Whether there is no property, even without the filters."""
        return not self.listings and not self.coverage.compared


class NoOffers(StrEnum):
    """Why a property is shown without offers. BEYOND: the cap leaves it out of the comparison."""

    NO_DATES = "no dates"
    NO_PLACE = "no place"
    NOT_OFFERED = "not offered"
    BEYOND = "beyond"
    UNAVAILABLE = "unavailable"


class FoundProperty(msgspec.Struct, frozen=True, kw_only=True):
    """One property in full, at the provider and id of its address. Its `card` has the richest summary, but
    neither the offers nor the distance of the `listing`; without a listing `no_offers` says why.

    `fetched_at` and `stale` are those of the prices, else of the details. `airports` are those of the
    property's city, nearest first, with kilometres. `hotel` is the key that its address names, where its
    provider gave several properties one identifier.
    """

    provider: str
    property_id: str
    card: PricedListing
    details: PropertyDetails
    listing: Listing | None
    fetched_at: datetime
    stale: bool
    airports: tuple[tuple[Airport, float], ...]
    no_offers: NoOffers = NoOffers.UNAVAILABLE
    hotel: str = ""

    @property
    def building(self) -> Property:
        return self.card.listing.property

    @property
    def prices_from(self) -> datetime | None:
        """When its prices were fetched, None without prices."""
        return self.fetched_at if self.listing else None

    @property
    def stale_from(self) -> datetime | None:
        """The same if they are stale."""
        return self.prices_from if self.stale else None


def visible(one: Offered, context: SearchContext) -> Offered | None:
    """The part of a listing or row for visitors: no blocked property, no offer of a disabled provider, and no
    property that only disabled ones list."""
    if context.blocked and one.all_keys() & context.blocked:
        return None
    offers = tuple([offer for offer in one.offers if offer.provider not in context.disabled])
    if len(offers) == len(one.offers):
        return one if offers or one.described_by() not in context.disabled else None
    return msgspec.structs.replace(one, offers=offers) if offers else None


def priced(listing: Listing, context: SearchContext, details: PropertyDetails | None = None) -> PricedListing:
    """The listing as a card shows it: offers ranked, distances measured; free cancellation only where the
    names of the rates and the terms in the `details` of one of its providers leave it."""
    search = context.search
    offers = tuple([_with_promise_kept(one, context, details) for one in listing.offers])
    listing = msgspec.structs.replace(
        listing, offers=offers, property=placed(listing.property, context.centre)
    )
    ranked = ranked_offers(listing, context.site.price_rules, search.dates.nights, search.currency)
    steps = ladder(ranked, search.currency)
    return PricedListing(listing, ranked, steps, *measured(listing.property, context))


def as_described(card: PricedListing, context: SearchContext, details: PropertyDetails) -> PricedListing:
    """The card without free cancellation that the details take back, in the order that it has."""
    offers = tuple(
        [
            msgspec.structs.replace(one, offer=_with_promise_kept(one.offer, context, details))
            for one in card.offers
        ]
    )
    return msgspec.structs.replace(card, offers=offers, ladder=ladder(offers, context.search.currency))


def _with_promise_kept(offer: Offer, context: SearchContext, details: PropertyDetails | None) -> Offer:
    if not offer.free_cancellation:
        return offer
    check_in, terms = context.search.dates.check_in, terms_of(offer, details) if details else ()
    kept = all(still_free(lines, check_in, context.day) for lines in ((offer.rate,), terms))
    return offer if kept else msgspec.structs.replace(offer, free_cancellation=False)


def placed(building: Property, centre: Coordinates | None) -> Property:
    """The property without a point that can't be its own."""
    point = believable(building.coordinates, building.country, centre)
    return msgspec.structs.replace(building, coordinates=point)


def measured(building: Property, context: SearchContext) -> tuple[float | None, float | None]:
    """Straight-line kilometres to the chosen airport and to the centre, None for an unknown place. A property
    beyond all suburbs is in another place of the name and has no distance from the centre."""
    airport, where = context.anchor, building.coordinates
    if where is None:
        return None, None
    to_airport = where.km_to(airport.coordinates) if airport and airport.coordinates else None
    to_centre = where.km_to(context.centre) if context.centre else None
    return to_airport, to_centre if to_centre is not None and to_centre <= BEYOND_SUBURBS_KM else None


def origin_of(index: RowIndex, context: SearchContext) -> Coordinates | None:
    """Where distances of these rows are measured from. Not the centre if all of them are in another place of
    the name, unless the visitor asks for hotels near it."""
    origin = context.origin
    if origin is None or origin is not context.centre or context.refinement.max_km:
        return origin
    return origin if min(index.kilometres(origin), default=0.0) <= BEYOND_SUBURBS_KM else None
