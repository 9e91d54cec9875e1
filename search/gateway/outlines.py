"""Outlines: the part of a property and its offers by which results are sorted, filtered, counted and mapped.

Only a listing whose card is on a page is read whole.
"""

from functools import lru_cache

import msgspec

from search.domain.hotels import Coordinates, Distance, Facility, GuestRating, Property, at_provider
from search.domain.money import Money
from search.domain.offers import Listing, Offer, before_discount, rate_has_breakfast, usable_price
from search.domain.vocabulary import facility_of


class OfferOutline(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One offer. `price` is the usable one and `surcharges` are amounts, None if unreadable, for the stay or
    for a night as they came. `facilities` are those of `facility_codes`. `rate` is the name of one with free
    cancellation, which may take that back."""

    provider: str
    property_id: str
    price: Money | None
    surcharges: tuple[Money | None, ...]
    discounted: bool
    free_cancellation: bool
    pay_later: bool
    facilities: tuple[str, ...]
    rate: str = ""

    @property
    def key(self) -> str:
        """As `Offer.key`."""
        return at_provider(self.provider, self.property_id)


class Outline(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One listing: members of its `Property` under the same names, and its offers in the gateway's order.
    `place` is the address or city of a property without a name: pages call it by that."""

    key: str
    provider: str
    id: str
    name: str
    type: str
    stars: int | None
    rating: GuestRating | None
    coordinates: Coordinates | None
    distance: Distance | None
    offers: tuple[OfferOutline, ...]
    place: str = ""
    country: str = ""

    def all_keys(self) -> frozenset[str]:
        """As `Listing.all_keys`."""
        own_key = at_provider(self.provider, self.id) if self.provider and self.id else self.key
        return frozenset((self.key, own_key, *(one.key for one in self.offers)))


_OF_PROPERTY = [name for name in Property.__struct_fields__ if name in Outline.__struct_fields__]


def outline_of(listing: Listing) -> Outline:
    building = listing.property
    return Outline(
        **{name: getattr(building, name) for name in _OF_PROPERTY},
        distance=listing.distance,
        offers=tuple(_offer_outline(offer) for offer in listing.offers),
        place="" if building.name else building.address or building.city,
    )


def _offer_outline(offer: Offer) -> OfferOutline:
    price = usable_price(offer.price)
    return OfferOutline(
        provider=offer.provider,
        property_id=offer.property_id,
        price=price,
        surcharges=offer.due_on(price),
        discounted=before_discount(offer) is not None,
        free_cancellation=offer.free_cancellation,
        pay_later=offer.pay_later,
        facilities=facility_codes(offer.facilities, rate_has_breakfast(offer.rate)),
        rate=offer.rate if offer.free_cancellation else "",
    )


def facility_codes(facilities: tuple[Facility, ...], has_breakfast: bool) -> tuple[str, ...]:
    """The gateway's codes, in their own spellings, and those that only a description or the rate names, in
    alphabetical order."""
    codes = {"FREE_BREAKFAST"} if has_breakfast else set()
    codes.update(*map(_codes_of, facilities))
    return tuple(sorted(codes - {""}))


@lru_cache(maxsize=2_048)
def _codes_of(facility: Facility) -> tuple[str, str]:
    return facility.type, facility_of(facility.type, facility.description, facility.availability).code
