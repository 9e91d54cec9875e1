"""A listing in words: its card, from which every page about a hotel takes its texts."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple, Self

import msgspec

from search.domain.context import SearchContext
from search.domain.hotels import Airport, Coordinates, Property
from search.domain.offers import PricedOffer, price_rank
from search.domain.vocabulary import CodeKind
from search.web import formatting
from search.web.facilities import facility_views, named_facilities
from search.web.formatting import Reader, star_words
from search.web.labels import FacilityView, property_name
from search.web.links import Links, Photo, card_anchor, photo_addresses, stay_value
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy, ngettext

from .listings import PricedListing
from .offer_words import OfferView, PriceWords
from .selection import Standing

FIRST_ROW = 3
MOST_FACILITIES = 4
MOST_PHOTOS = 6
# Of the middle total of similar hotels.
GOOD = Decimal("0.9")


class StepView(NamedTuple):
    """One step of the ladder of totals. `more` is what it adds to the step before, `number` the place of its
    offer on the card, from 1."""

    title: str
    extras: str
    more: str
    offer: OfferView
    number: int


class ListingCard(msgspec.Struct, frozen=True):
    """Parameters of components/listing_card.html for a `priced` listing; empty strings are lines that don't
    apply, and a property with an empty `href` has no page. `stays` name it in addresses at each provider,
    that of its page first. `lowest` is its lowest total if filters put a dearer offer in front, `asked` what
    they ask of it. Few pages show the `ladder`."""

    priced: PricedListing
    anchor: str
    href: str
    stays: tuple[str, ...]
    name: str
    photo: Photo | None
    more_photos: tuple[str, ...]
    photo_count: int
    stars: str
    star_words: str
    rating_value: str
    rating_words: str
    kind: str
    place: str
    distance: str
    anchor_distance: str
    facilities: tuple[FacilityView, ...]
    flexibility: str
    upgrade: str
    asked: tuple[str, ...]
    offers: tuple[OfferView, ...]
    offers_summary: str
    coordinates: Coordinates | None
    cheapest: bool
    value: str
    lowest: str
    reader: Reader

    @property
    def ladder(self) -> tuple[StepView, ...]:
        """From the cheapest total to free cancellation and breakfast."""
        steps = []
        for step in self.priced.ladder:
            place = self.priced.offers.index(step.priced)
            extras = str(_EXTRAS[step.free_cancellation, step.breakfast])
            more = f"+\u00a0{self.reader.money(step.more)}" if step.more else ""
            titles = (_("Cheapest"), extras) if step.more is None else (extras, "")
            steps.append(StepView(*titles, more, self.offers[place], place + 1))
        return tuple(steps)

    @property
    def best(self) -> OfferView | None:
        """The offer in front; None if no offer has a price."""
        return self.offers[0] if self.offers and self.offers[0].price else None

    @property
    def other_totals(self) -> str:
        """`SOL €93 · OTR €101`: the lowest total of each other provider that can be compared."""
        comparable = [one for one in reversed(self.offers) if one.price and not one.note]
        lowest = {one.provider: (one.mark or one.provider, one.price) for one in comparable}
        others = dict.fromkeys(one.provider for one in self.offers if one.provider != self.offers[0].provider)
        shown = (lowest[name] for name in others if name in lowest)
        return " ·\u00a0".join(f"{mark}\u00a0{price.rounded}" for mark, price in shown if price)

    @property
    def promises(self) -> tuple[str, ...]:
        """The first two lines about the offer in front, after its price: what was asked for comes first."""
        if self.best is None or self.best.price is None:
            return ()
        price, best = self.best.price, self.best
        flexibility = _("Free cancellation") if best.free_cancellation else self.flexibility
        others = (flexibility, price.reduced_from, *best.promises, self.upgrade, price.credit)
        return tuple(dict.fromkeys(filter(None, (*self.asked, *others))))[:2]

    @property
    def pin(self) -> str:
        """The text of its pin on the map: the total."""
        return self.best.price.total if self.best and self.best.price else ""


@dataclass(frozen=True)
class CardMaker:
    """Makes the cards of one page. A hotel in another country than that of the search names its own."""

    context: SearchContext
    reader: Reader
    prices: PriceWords

    @classmethod
    def of(cls, context: SearchContext, page: int) -> Self:
        reader = Reader.for_search(context)
        return cls(context, reader, PriceWords(reader, Links.of(context, page)))

    def cards(self, listings: tuple[PricedListing, ...]) -> tuple[ListingCard, ...]:
        """All cards of a page; the lowest comparable total on the map is marked."""
        currency = self.context.search.currency
        totals = [
            (one.offers[0].total.total.amount, position)
            for position, one in enumerate(listings)
            if one.listing.property.coordinates and one.offers and one.offers[0].total
            if price_rank(one.offers[0], currency)[0] == 0
        ]
        cheapest = min(totals)[1] if totals else None
        return tuple(self.card(one, position, position == cheapest) for position, one in enumerate(listings))

    def card(self, priced: PricedListing, position: int, cheapest: bool = False) -> ListingCard:
        building, reader = priced.listing.property, self.reader
        rating_value, rating_words = reader.rating(building.rating)
        photos, stars = photo_addresses(building.images), building.stars or 0
        name, place = property_name(building), place_line(building)
        hotel = ", ".join(filter(None, (name, place)))
        is_elsewhere = self.context.country and building.country not in ("", self.context.country)
        offers = tuple(self.prices.offer(one, hotel) for one in priced.offers)
        facilities = facility_views(named_facilities(None, (one.offer for one in priced.offers)), reader)
        flexibility, upgrade = _upgrades(priced, reader)
        lowest = self._lowest(priced.offers, offers)
        return ListingCard(
            priced=priced,
            anchor=card_anchor(building.key),
            href=self.prices.links.property(*priced.at, priced.apart),
            stays=tuple(stay_value(*at, priced.apart) for at in priced.pages),
            name=name,
            photo=Photo(photos[0], eager=position < FIRST_ROW) if photos else None,
            more_photos=tuple(photos[1:MOST_PHOTOS]),
            photo_count=len(photos),
            stars="★" * stars,
            star_words=star_words(stars),
            rating_value=rating_value,
            rating_words=rating_words,
            kind=reader.label(CodeKind.PROPERTY_TYPE, building.type),
            place=place_line(building, reader.country(building.country)) if is_elsewhere else place,
            distance=_distance_line(priced, reader),
            anchor_distance=_anchor_line(self.context.anchor, priced.anchor_km, reader),
            # Without breakfast: offers that include it promise it.
            facilities=tuple(one for one in facilities if "BREAKFAST" not in one.code)[:MOST_FACILITIES],
            flexibility=flexibility,
            upgrade=upgrade,
            offers=offers,
            offers_summary=_offers_summary(priced.offers, lowest),
            coordinates=building.coordinates,
            cheapest=cheapest,
            value=_value(priced.standing, self.context.search.currency, reader),
            lowest=lowest,
            asked=self._asked(priced.offers, offers),
            reader=reader,
        )

    def _asked(self, ranked: tuple[PricedOffer, ...], views: tuple[OfferView, ...]) -> tuple[str, ...]:
        if not ranked:
            return ()
        front, view, asked = ranked[0].offer, views[0], self.context.refinement
        facilities = facility_views(front.facilities, self.reader)
        names = {one.text for one in facilities if one.code in asked.facility}
        pay_later = self.reader.label(CodeKind.PAYMENT_MODE, front.payment_mode) if asked.pay_later else ""
        reduced_from = view.price.reduced_from if view.price and asked.deals else ""
        return (reduced_from, *(text for text in view.promises if text in names), pay_later)

    def _lowest(self, ranked: tuple[PricedOffer, ...], offers: tuple[OfferView, ...]) -> str:
        """Empty if the offer in front is the cheapest."""
        currency = self.context.search.currency
        place = min(range(len(ranked)), key=lambda at: price_rank(ranked[at], currency), default=0)
        price = offers[place].price if place else None
        return price.total if price else ""


def _value(standing: Standing | None, currency: str, reader: Reader) -> str:
    """`Good price · €42 less than similar hotels`, from `GOOD` of the middle on; else empty."""
    if standing is None or standing.total > standing.middle * GOOD:
        return ""
    good = _("Good price · %(amount)s less than similar hotels")
    great = _("Great price · %(amount)s less than similar hotels")
    text = great if standing.total <= standing.tenth else good
    less = standing.middle - standing.total
    return text % {"amount": formatting.whole_money(less, currency, reader.numbers)}


def place_line(building: Property, country: str = "") -> str:
    """`Carrer de Mallorca 401, Barcelona`, with city and country (or its English name) only once."""
    address, city = building.address, building.city
    last = address.rpartition(",")[2].strip().casefold()
    if country and last in {country.casefold(), formatting.country_name(building.country, "en").casefold()}:
        country = ""
    if re.search(rf"(?<!\w){re.escape(city.casefold())}(?!\w)", address.casefold()):
        city = ""
    return ", ".join(filter(None, (address, city, country)))


def _distance_line(priced: PricedListing, reader: Reader) -> str:
    """From the centre if that is known, else as the gateway says."""
    distance = priced.listing.distance
    if priced.centre_km is not None:
        from_centre = formatting.kilometres(priced.centre_km, reader.numbers)
        return _("%(distance)s from the centre") % {"distance": from_centre}
    if distance is None or not distance.unit:
        return ""
    measured = formatting.measure(distance.value, distance.unit, reader.numbers)
    return _("%(distance)s from destination") % {"distance": measured}


def _anchor_line(anchor: Airport | None, km: float | None, reader: Reader) -> str:
    """Our own straight-line distance, and labelled as such."""
    if anchor is None or km is None:
        return ""
    text = _("%(distance)s from %(airport)s in a straight line")
    return text % {"distance": formatting.kilometres(km, reader.numbers), "airport": anchor.code}


def _upgrades(priced: PricedListing, reader: Reader) -> tuple[str, str]:
    """The price of free cancellation on top of the cheapest total, and that of the next step."""
    if not priced.ladder:
        return "", ""
    cheapest, *dearer = priced.ladder
    if cheapest.free_cancellation and not priced.offers[0].offer.free_cancellation:
        return _("Free cancellation for the same total"), ""
    if not dearer or dearer[0].more is None:
        return "", ""
    brings_freedom = dearer[0].free_cancellation and not cheapest.free_cancellation
    brings_breakfast = dearer[0].breakfast and not cheapest.breakfast
    text = str(_UPGRADES[brings_freedom, brings_breakfast]) % {"amount": reader.money(dearer[0].more)}
    return text if brings_freedom else "", text


# By whether free cancellation comes on top, and whether breakfast does: one of them always.
_UPGRADES = {
    (True, True): gettext_lazy("+ %(amount)s for free cancellation and breakfast"),
    (True, False): gettext_lazy("+ %(amount)s for free cancellation"),
    (False, True): gettext_lazy("+ %(amount)s for breakfast"),
}


# By whether a step has free cancellation, and whether it has breakfast.
_EXTRAS = {
    (False, False): "",
    (True, False): gettext_lazy("Free cancellation"),
    (False, True): gettext_lazy("Breakfast included"),
    (True, True): gettext_lazy("Free cancellation and breakfast"),
}


def _offers_summary(offers: tuple[PricedOffer, ...], lowest: str) -> str:
    """The label of the disclosure; with one offer it holds the surcharges by kind."""
    count = len(offers)
    if count < 2:
        return _("Price details") if offers and offers[0].total else ""
    cheapest = _("cheapest %(amount)s") % {"amount": lowest} if lowest else ""
    summary = ngettext("%(count)s offer", "%(count)s offers", count) % {"count": count}
    return " · ".join(filter(None, (summary, cheapest)))
