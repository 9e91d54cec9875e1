"""What the gateway's listings lack, provider by provider, and which codes they use, for the staff panel."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Self

import msgspec

from search.domain.hotels import Property
from search.domain.offers import Listing, Offer, before_discount, usable_price
from search.domain.vocabulary import CodeKind

# An upstream that invents codes must not fill our memory.
MAX_CODES = 400
MAX_PROVIDERS = 60
MAX_CODE_LENGTH = 80


class ProviderQuality(msgspec.Struct):
    """Counts over the properties a provider describes and the offers it makes."""

    properties: int = 0
    without_picture: int = 0
    without_coordinates: int = 0
    without_rating: int = 0
    offers: int = 0
    without_price: int = 0
    discounts: int = 0
    odd_discounts: int = 0


class ListingTally(msgspec.Struct):
    """A tally of listings: quality by provider, and how often each code of each kind was met."""

    providers: dict[str, ProviderQuality] = {}
    codes: dict[str, dict[str, int]] = {}

    def add(self, listings: Iterable[Listing]) -> None:
        listings = tuple(listings)
        offers = [offer for listing in listings for offer in listing.offers]
        for listing in listings:
            self._add_property(listing)
        for offer in offers:
            self._add_offer(offer)
        for kind, codes in _codes([listing.property for listing in listings], offers).items():
            for code, count in Counter(codes).items():
                self._add_code(kind, code, count)

    def merge(self, other: Self) -> None:
        for code, theirs in other.providers.items():
            ours = self._provider(code)
            if ours is not None:
                for name in ProviderQuality.__struct_fields__:
                    setattr(ours, name, getattr(ours, name) + getattr(theirs, name))
        for kind, codes in other.codes.items():
            for code, count in codes.items():
                self._add_code(kind, code, count)

    def _add_property(self, listing: Listing) -> None:
        building = listing.property
        quality = self._provider(building.provider)
        if quality is not None:
            quality.properties += 1
            quality.without_picture += not building.images
            quality.without_coordinates += building.coordinates is None
            quality.without_rating += building.rating is None or building.rating.value is None

    def _add_offer(self, offer: Offer) -> None:
        quality = self._provider(offer.provider)
        if quality is not None:
            price = usable_price(offer.price)
            claimed = offer.discount_percent > 0
            quality.offers += 1
            quality.without_price += price is None
            quality.discounts += claimed
            quality.odd_discounts += claimed and price is not None and before_discount(offer) is None

    def _provider(self, code: str) -> ProviderQuality | None:
        if code not in self.providers and len(self.providers) >= MAX_PROVIDERS:
            return None
        return self.providers.setdefault(code, ProviderQuality())

    def _add_code(self, kind: str, code: str, count: int) -> None:
        if not code or len(code) > MAX_CODE_LENGTH:
            return
        codes = self.codes.setdefault(str(kind), {})
        if code in codes or len(codes) < MAX_CODES:
            codes[code] = codes.get(code, 0) + count


def _codes(properties: Sequence[Property], offers: Sequence[Offer]) -> dict[CodeKind, list[str]]:
    """Every code of each kind, as often as it was met."""
    facilities = [facility for offer in offers for facility in offer.facilities]
    return {
        CodeKind.PROPERTY_TYPE: [one.type for one in properties],
        CodeKind.RATING: [one.rating.code for one in properties if one.rating],
        CodeKind.PAYMENT_MODE: [offer.payment_mode for offer in offers],
        CodeKind.PROMO_TYPE: [offer.promo_type for offer in offers],
        CodeKind.SURCHARGE: [surcharge.kind for offer in offers for surcharge in offer.surcharges],
        CodeKind.FACILITY: [facility.type for facility in facilities],
    }
