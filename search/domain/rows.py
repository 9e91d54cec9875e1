"""Rows: a complete answer made compact, enough to sort, filter, count and map.

A row keeps the offers in the order of `offers.price_rank`, so the first offer that passes the filters is
the cheapest one and carries the row's headline total.
"""

from __future__ import annotations

from decimal import Decimal

import msgspec

from .offers import Listing, PriceRules, price_rank, ranked_offers

COMPARABLE = 0
MILES = {"MI", "MILE", "MILES"}
METRES = {"M", "METER", "METERS", "METRE", "METRES"}
KM_PER_MILE = 1.609344


class RowOffer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One offer. `standing` is the first member of `price_rank`: 0 a complete total in the currency of the
    search, 1 one with a surcharge left out, 2 another currency, 3 no total. Only 0 is ever compared."""

    provider: str
    standing: int
    total: Decimal | None
    currency: str
    free_cancellation: bool
    pay_later: bool
    deals: bool
    facilities: tuple[str, ...]

    @property
    def comparable(self) -> Decimal | None:
        """The total if it may be compared with a limit or another total."""
        return self.total if self.standing == COMPARABLE else None


class Row(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One property of the answer. `position` is its place in the gateway's order (from 0), `page` the
    gateway page (from 0) its listing came on; latitude and longitude are degrees, both or neither."""

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


def row_of(listing: Listing, rules: PriceRules, nights: int, currency: str, position: int, page: int) -> Row:
    """The row of `listing` for a stay of `nights`; totals as the cards show them."""
    building = listing.property
    km, unit = _kilometres(listing)
    return Row(
        key=building.key,
        position=position,
        page=page,
        name=building.name,
        type=building.type,
        stars=building.stars,
        rating=building.rating.value if building.rating else None,
        distance=km,
        unit=unit,
        latitude=building.coordinates.latitude if building.coordinates else None,
        longitude=building.coordinates.longitude if building.coordinates else None,
        offers=_row_offers(listing, rules, nights, currency),
    )


def _row_offers(listing: Listing, rules: PriceRules, nights: int, currency: str) -> tuple[RowOffer, ...]:
    return tuple(
        RowOffer(
            provider=priced.offer.provider,
            standing=price_rank(priced, currency)[0],
            total=priced.total.total.amount if priced.total else None,
            currency=priced.total.total.currency if priced.total else "",
            free_cancellation=priced.offer.free_cancellation,
            pay_later=priced.offer.pay_later,
            deals=priced.total is not None and priced.total.before_discount is not None,
            facilities=tuple(sorted({one.type for one in priced.offer.facilities if one.type})),
        )
        for priced in ranked_offers(listing, rules, nights, currency)
    )


def _kilometres(listing: Listing) -> tuple[float | None, str]:
    """The gateway's distance, in kilometres (unit "") where its unit is known, else as it came."""
    if listing.distance is None:
        return None, ""
    value, unit = float(listing.distance.value), listing.distance.unit.upper()
    if unit.startswith("K"):
        return value, ""
    if unit in MILES:
        return value * KM_PER_MILE, ""
    if unit in METRES:
        return value / 1000, ""
    return value, unit
