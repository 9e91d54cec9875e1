"""One result as a card: the property, its cheapest offer in front, all offers behind a disclosure."""

from __future__ import annotations

from dataclasses import dataclass

from search.domain.context import SearchContext
from search.domain.hotels import Airport, Property
from search.domain.offers import PricedOffer, price_rank
from search.domain.site_settings import CodeKind
from search.web import formatting
from search.web.formatting import Reader, per_language, star_words
from search.web.labels import facility_icon, property_name
from search.web.links import Links, card_anchor
from search.web.photos import Photo, photo_addresses
from search.web.translation import gettext as _
from search.web.translation import ngettext

from .listings import PricedListing
from .price import OfferView, PriceWords


@dataclass(frozen=True, slots=True)
class CardTexts:
    """Fixed words inside loops, translated once per page instead of once per card."""

    total: str
    before: str
    free_cancellation: str
    by: str
    no_price: str
    no_photo: str
    no_rating: str
    see: str

    @classmethod
    def translated(cls) -> CardTexts:
        return cls(
            total=_("total"),
            before=_("provider's price before discount"),
            free_cancellation=_("Free cancellation"),
            by=_("Offered by"),
            no_price=_("No price for these dates"),
            no_photo=_("No picture"),
            no_rating=_("No guest rating"),
            see=_("See details"),
        )


FIRST_ROW = 2
MOST_FACILITIES = 4


@dataclass(frozen=True, slots=True)
class FacilityView:
    text: str
    icon: str


@dataclass(frozen=True, slots=True)
class ListingCard:
    """Parameters of components/listing_card.html. `best` is None when no offer has a price.

    `latitude` and `longitude` (degrees, as text) and `pin` (the total) are empty without coordinates.
    """

    anchor: str
    href: str
    name: str
    photo: Photo | None
    photo_count: str
    stars: str
    star_words: str
    rating_value: str
    rating_words: str
    kind: str
    place: str
    distance: str
    anchor_distance: str
    facilities: tuple[FacilityView, ...]
    best: OfferView | None
    flexibility: str
    offers: tuple[OfferView, ...]
    offers_summary: str
    latitude: str
    longitude: str
    pin: str
    cheapest: bool = False


@dataclass(frozen=True)
class CardMaker:
    """Makes the cards of one page; `anchor` is the airport distances are measured from."""

    reader: Reader
    prices: PriceWords
    anchor: Airport | None

    @classmethod
    def of(cls, context: SearchContext, page: int) -> CardMaker:
        """For the cards of page `page` of results."""
        reader = Reader.for_search(context)
        return cls(reader, PriceWords.of(reader, Links.of(context, page)), context.anchor)

    def cards(self, listings: tuple[PricedListing, ...]) -> tuple[ListingCard, ...]:
        """All cards of a page; of those a map can show, the cheapest comparable total is marked."""
        totals = [
            (one.offers[0].total.total.amount, position)
            for position, one in enumerate(listings)
            if one.listing.property.coordinates
            and one.offers
            and one.offers[0].total
            and price_rank(one.offers[0], self.prices.currency)[0] == 0
        ]
        cheapest = min(totals)[1] if totals else None
        return tuple(self.card(one, position, position == cheapest) for position, one in enumerate(listings))

    def card(self, found: PricedListing, position: int, cheapest: bool = False) -> ListingCard:
        listing, reader = found.listing, self.reader
        building = listing.property
        offers = tuple(self.prices.offer(one) for one in found.offers)
        best = offers[0] if offers and offers[0].price else None
        lead = found.offers[0].offer if found.offers else None
        rating_value, rating_words = reader.rating(building.rating)
        photos = photo_addresses(building.images)
        at = building.coordinates
        return ListingCard(
            anchor=card_anchor(building.key),
            href=self.prices.links.property(
                lead.provider if lead else building.provider, lead.property_id if lead else building.id
            ),
            name=property_name(building),
            photo=Photo(photos[0], eager=position < FIRST_ROW) if photos else None,
            photo_count=str(len(photos)) if len(photos) > 1 else "",
            stars="★" * (building.stars or 0),
            star_words=star_words(building.stars or 0),
            rating_value=rating_value,
            rating_words=rating_words,
            kind=reader.label(CodeKind.PROPERTY_TYPE, building.type),
            place=place_line(building),
            distance=distance_line(found, reader),
            anchor_distance=anchor_line(self.anchor, found.anchor_km, reader),
            facilities=_card_facilities(found.offers, reader),
            best=best,
            flexibility=flexibility_line(found, reader),
            offers=offers,
            offers_summary=_offers_summary(found.offers),
            latitude=f"{at.latitude:.5f}" if at else "",
            longitude=f"{at.longitude:.5f}" if at else "",
            pin=best.price.total if best and best.price else "",
            cheapest=cheapest,
        )


def place_line(building: Property) -> str:
    """`Carrer de Mallorca 401, Barcelona`, without saying the city twice."""
    address, city = building.address, building.city
    return (
        address
        if not city or city.casefold() in address.casefold()
        else ", ".join(filter(None, (address, city)))
    )


def distance_line(found: PricedListing, reader: Reader) -> str:
    distance = found.listing.distance
    if distance is None:
        return ""
    return _("%(distance)s from destination") % {
        "distance": formatting.measure(distance.value, distance.unit, reader.numbers)
    }


def anchor_line(anchor: Airport | None, km: float | None, reader: Reader) -> str:
    """Our own straight-line distance, and labelled as such."""
    if anchor is None or km is None:
        return ""
    return _("%(distance)s from %(airport)s in a straight line") % {
        "distance": formatting.kilometres(km, reader.numbers),
        "airport": anchor.code,
    }


def flexibility_line(found: PricedListing, reader: Reader) -> str:
    if found.flexibility is None:
        return ""
    return _("+ %(amount)s for free cancellation") % {"amount": reader.money(found.flexibility)}


def facilities_of(offers: tuple[PricedOffer, ...], reader: Reader) -> tuple[FacilityView, ...]:
    """The facilities of all offers together, each once, in the order they are first named."""
    found: dict[str, FacilityView] = {}
    for priced in offers:
        for facility in priced.offer.facilities:
            text = reader.facility(facility)
            if text and text not in found:
                found[text] = FacilityView(text, facility_icon(facility.type))
    return tuple(found.values())


def _card_facilities(offers: tuple[PricedOffer, ...], reader: Reader) -> tuple[FacilityView, ...]:
    """The first few; breakfast is left to the promises of the offers that include it."""
    found = facilities_of(offers, reader)
    return tuple(one for one in found if one.icon != "coffee")[:MOST_FACILITIES]


def _offers_summary(offers: tuple[PricedOffer, ...]) -> str:
    """What opens the disclosure; with one offer it still holds the surcharges by kind."""
    if len(offers) < 2:
        return _("Price details") if offers and offers[0].total else ""
    return _compare(len(offers))


@per_language
def _compare(count: int) -> str:
    return ngettext("Compare %(count)s offer", "Compare %(count)s offers", count) % {"count": count}
