"""The rows of a search's results.

A row is a property made compact, enough to sort, filter, count and map. It keeps its offers in the order of
`offers.price_rank`, so the first offer that passes the filters is the cheapest and carries the row's total.
"""

from decimal import Decimal
from operator import itemgetter
from typing import Any

import msgspec

from search.domain.hotels import Coordinates, Distance, at_provider
from search.domain.offers import PriceRules, headline, offer_order, rank_of
from search.domain.outlines import OfferOutline, Outline
from search.domain.query import StaySearch

COMPARABLE = 0


class RowOffer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One offer. `standing` is the first member of `price_rank`: 0 a complete total in the currency of the
    search, 1 one with a surcharge left out, 2 another currency, 3 no total. Only 0 is ever compared.
    `facilities` are codes as providers spell them: `RowIndex.sets_of` unites those of the same words."""

    provider: str
    standing: int
    total: Decimal | None
    currency: str
    free_cancellation: bool
    pay_later: bool
    deals: bool
    facilities: tuple[str, ...]
    property_id: str = ""

    @property
    def comparable(self) -> Decimal | None:
        """The total if it may be compared with a limit or another total."""
        return self.total if self.standing == COMPARABLE else None


class Row(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One property of the answer. `position` is its place in the gateway's order (from 0), `page` the
    gateway page (from 0) its listing came on; latitude and longitude are degrees, both or neither.
    `place` is its address or city, only where it has no name: pages then call it by that. `own` are the
    provider that describes it and its id there, where no offer has those."""

    key: str
    position: int
    page: int
    name: str
    type: str
    stars: int | None
    rating: Decimal | None
    distance: float | None
    unit: str
    latitude: float | None
    longitude: float | None
    offers: tuple[RowOffer, ...]
    place: str = ""
    own: tuple[str, str] = ("", "")

    @property
    def coordinates(self) -> Coordinates | None:
        if self.latitude is None or self.longitude is None:
            return None
        return Coordinates(self.latitude, self.longitude)

    def all_keys(self) -> frozenset[str]:
        """As `Listing.all_keys`."""
        offered = (at_provider(one.provider, one.property_id) for one in self.offers)
        own_key = at_provider(*self.own) if all(self.own) else self.key
        return frozenset((self.key, own_key, *offered))

    def described_by(self) -> str:
        """The code of the provider that describes it, where no offer is its own."""
        return self.own[0]


def row_of(outline: Outline, search: StaySearch, rules: PriceRules, position: int, page: int) -> Row:
    """The row of a property for the stay of `search`; totals as the cards show them."""
    at, own = outline.coordinates, (outline.provider, outline.id)
    km, unit = kilometres(outline.distance)
    nights = search.dates.nights
    offers = [_ranked(offer, search.currency, rules, nights) for offer in outline.offers]
    offers.sort(key=itemgetter(0))
    return Row(
        key=outline.key,
        position=position,
        page=page,
        name=outline.name,
        type=outline.type,
        stars=outline.stars,
        rating=outline.rating,
        distance=km,
        unit=unit,
        latitude=at.latitude if at else None,
        longitude=at.longitude if at else None,
        offers=tuple([offer for _order, offer in offers]),
        place=outline.place,
        own=("", "") if own in [(one.provider, one.property_id) for one in outline.offers] else own,
    )


def _ranked(
    offer: OfferOutline, currency: str, rules: PriceRules, nights: int
) -> tuple[tuple[Any, ...], RowOffer]:
    """The offer of a row and its place among the others."""
    total, complete = None, False
    if offer.price:
        total, _added, complete = headline(offer.price, offer.surcharges, rules, nights)
    rank = rank_of(total, complete, currency)
    row_offer = RowOffer(
        provider=offer.provider,
        standing=rank[0],
        total=total.amount if total else None,
        currency=total.currency if total else "",
        free_cancellation=offer.free_cancellation,
        pay_later=offer.pay_later,
        deals=offer.discounted,
        facilities=offer.facilities,
        property_id=offer.property_id,
    )
    return offer_order(rank, offer.provider, offer.property_id, rules), row_offer


def kilometres(given: Distance | None) -> tuple[float | None, str]:
    """The gateway's distance, in kilometres (unit "") where its unit is known, else as it came."""
    if given is None:
        return None, ""
    km = given.km
    return (float(given.value), given.unit.upper()) if km is None else (km, "")
