"""Offers, their prices and whole listings in words: cards of results, offers of a property page."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Self

from search.domain.context import SearchContext
from search.domain.hotels import Airport, Coordinates, Property
from search.domain.ladder import Step
from search.domain.money import Money
from search.domain.offers import Offer, Price, PricedOffer, StayTotal, price_rank
from search.domain.site_settings import CodeKind
from search.web import formatting
from search.web.facilities import facility_views, named_facilities
from search.web.formatting import Reader, guests, nights, per_language, star_words
from search.web.labels import FacilityView, property_name
from search.web.links import Links, card_anchor, stay_value
from search.web.photos import Photo, photo_addresses
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy, ngettext

from .hand_over import HandOver, HandOverWords
from .listings import PricedListing
from .selection import Standing

FIRST_ROW = 3
# Beyond any two currencies: a rate like that comes of a price that is none.
MOST_RATE = Decimal(100_000_000)
MOST_FACILITIES = 4
MOST_PHOTOS = 6
_TAXES_AND_FEES = {"TAX_AND_FEES", ""}


@dataclass(frozen=True, slots=True)
class PriceView:
    """One total in words. Empty strings are lines that don't apply.

    `notes` are lines: for how many nights and guests, what is included, what that is per night; `stay` is the
    same in one line, without the night.
    `apart` is a surcharge in another currency: it stands beside the total, which is then not complete.
    """

    total: str
    notes: str
    apart: str
    per_night: str
    before: str
    discount: str
    credit: str
    own_currency: str
    implied_rate: str
    stay: str

    @property
    def reduced_from(self) -> str:
        """`€455.93 before discount (−10%)`."""
        if not self.before:
            return ""
        text = _("%(amount)s before discount (%(percent)s)")
        return text % {"amount": self.before, "percent": self.discount}


@dataclass(frozen=True, slots=True)
class OfferView:
    """One provider's offer. `price` is None when the provider named no usable price.

    `note` says why the offer stands after the comparable ones. `promises` are what it promises beyond the
    room, `lines` the surcharges in its total by kind, `summary` all of that in one line; `hand_over` is the
    way to the provider, `mark` what stands for its logo.
    """

    provider: str
    mark: str
    rate: str
    href: str
    price: PriceView | None
    free_cancellation: bool
    promises: tuple[str, ...]
    lines: tuple[str, ...]
    facilities: tuple[str, ...]
    deposit: str
    note: str
    summary: str
    hand_over: HandOver


@dataclass(frozen=True, slots=True)
class StepView:
    """One step of the ladder of totals. `more` is what it adds to the step before, `number` the place of its
    offer among the card's, from 1."""

    title: str
    extras: str
    total: str
    more: str
    provider: str
    mark: str
    number: int


@dataclass(frozen=True)
class PriceWords:
    """Puts the offers of one page into words."""

    reader: Reader
    links: Links

    @cached_property
    def _stay(self) -> str:
        search = self.links.search
        return f"{nights(search.dates.nights)}, {guests(search.guests)}"

    @cached_property
    def _hand_over(self) -> HandOverWords:
        return HandOverWords(self.reader, self.links.search)

    def offer(self, priced: PricedOffer, hotel: str = "") -> OfferView:
        """`hotel` is the name and address of what is offered."""
        offer, total, reader = priced.offer, priced.total, self.reader
        price = self._price(total) if total else None
        promises = self._promises(offer)
        lines = self._lines(total) if total else ()
        note = self._note(total) if total else ""
        return OfferView(
            provider=reader.site.provider_label(offer.provider),
            mark=reader.site.provider_mark(offer.provider),
            rate=offer.rate,
            href=self.links.property(offer.provider, offer.property_id),
            price=price,
            free_cancellation=offer.free_cancellation,
            promises=promises,
            lines=lines,
            facilities=tuple(one.text for one in facility_views(offer.facilities, reader)),
            deposit=self._deposit(offer.deposit),
            note=note,
            summary=" · ".join(filter(None, (*promises, *lines, *_extras(price), note))),
            hand_over=self._hand_over.of(
                offer, hotel, price.total if price else "", self._terms(offer, price, promises)
            ),
        )

    def _terms(self, offer: Offer, price: PriceView | None, promises: tuple[str, ...]) -> tuple[str, ...]:
        """What belongs to its total: what that leaves out, and what the offer promises."""
        free_cancellation = _("Free cancellation") if offer.free_cancellation else ""
        return tuple(filter(None, (price.apart if price else "", free_cancellation, *promises)))

    def _price(self, total: StayTotal) -> PriceView:
        money, own = self.reader.money, total.in_property_currency
        included = self._included(total) if total.surcharges else ""
        per_night = self._with_amount(_("%(amount)s per night"), total.per_night)
        return PriceView(
            total=money(total.total),
            notes="\n".join(filter(None, (self._stay, included, per_night))),
            apart=self._apart(total),
            per_night=per_night,
            before=self._with_amount("%(amount)s", total.before_discount),
            discount=self._discount(total),
            credit=self._with_amount(_("Earn %(amount)s travel credit"), total.credit),
            own_currency=self._with_amount(_("%(amount)s charged in the hotel's currency"), own),
            implied_rate=self._implied_rate(total.price, own) if own else "",
            stay=" · ".join(filter(None, (self._stay, included))),
        )

    def _with_amount(self, text: str, amount: Money | None) -> str:
        return text % {"amount": self.reader.money(amount)} if amount else ""

    def _discount(self, total: StayTotal) -> str:
        numbers = self.reader.numbers
        return formatting.discount(total.discount_percent, numbers) if total.before_discount else ""

    def _included(self, total: StayTotal) -> str:
        """One kind of surcharge by its own name, several kinds together as taxes and fees."""
        amounts = (amount.amount for _kind, amount in total.surcharges)
        money = self.reader.money(Money(sum(amounts, Decimal(0)), total.total.currency))
        kinds = {kind.upper() for kind, _amount in total.surcharges}
        if len(kinds) > 1 or kinds <= _TAXES_AND_FEES:
            return _("incl. %(amount)s taxes and fees") % {"amount": money}
        surcharge = self._surcharge(total.surcharges[0][0])
        return _("incl. %(amount)s %(surcharge)s") % {"amount": money, "surcharge": surcharge}

    def _apart(self, total: StayTotal) -> str:
        named = [f"{self.reader.money(amount)} {self._surcharge(kind)}" for kind, amount in total.apart]
        surcharges = " + ".join([*named, *map(self._surcharge, total.unread)])
        return _("plus %(surcharges)s, not in this total") % {"surcharges": surcharges} if surcharges else ""

    def _surcharge(self, kind: str) -> str:
        text = self.reader.label(CodeKind.SURCHARGE, kind) or _("surcharge")
        within_a_line = not self.reader.texts.startswith("de") and text[1:2].islower()
        return text[:1].lower() + text[1:] if within_a_line else text

    def _implied_rate(self, price: Money, own: Money) -> str:
        """The rate between the two prices the provider names, of the larger unit; to at least four digits.
        Empty where no two currencies are so far apart."""
        unit, other = (price, own) if own.amount >= price.amount else (own, price)
        rate = other.amount / unit.amount
        if rate > MOST_RATE:
            return ""
        rate = rate.quantize(Decimal("0.001"))
        return f"1 {unit.currency} ≈ {self.reader.number(rate)} {other.currency}"

    def _promises(self, offer: Offer) -> tuple[str, ...]:
        """`Pay later`, `Breakfast included`, `Promotion`: in words, without the free cancellation."""
        label = self.reader.label
        breakfasts = (one.type for one in offer.facilities if "BREAKFAST" in one.type.upper())
        found = (
            label(CodeKind.PAYMENT_MODE, offer.payment_mode),
            *(label(CodeKind.FACILITY, code) for code in breakfasts),
            label(CodeKind.PROMO_TYPE, offer.promo_type),
        )
        return tuple(dict.fromkeys(filter(None, found)))

    def _lines(self, total: StayTotal) -> tuple[str, ...]:
        label, money = self.reader.label, self.reader.money
        return tuple(
            f"{label(CodeKind.SURCHARGE, kind)} {money(amount)}" for kind, amount in total.surcharges
        )

    def _note(self, total: StayTotal) -> str:
        currency = total.total.currency
        if currency != self.links.search.currency:
            return _("Priced in %(currency)s, so not compared with the others") % {"currency": currency}
        return "" if total.complete else _("Not the whole price: a surcharge comes on top")

    def _deposit(self, deposit: Price | None) -> str:
        members = (deposit.customer, deposit.property) if deposit else ()
        amount = next((one for one in members if one and one.amount > 0), None)
        return self._with_amount(_("Deposit %(amount)s"), amount)


def _extras(price: PriceView | None) -> tuple[str, ...]:
    if price is None:
        return ()
    return (price.per_night, price.reduced_from, price.credit, price.own_currency)


@dataclass(frozen=True, slots=True)
class ListingCard:
    """Parameters of components/listing_card.html; empty strings are lines that don't apply, and an empty
    `href` is a property that has no page. `stays` are how addresses name it at each of its providers, that
    of its page first. `lowest` is its lowest total, where filters put a dearer offer in front."""

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
    ladder: tuple[StepView, ...]
    offers: tuple[OfferView, ...]
    offers_summary: str
    coordinates: Coordinates | None
    cheapest: bool
    like_it: str = ""
    lowest: str = ""

    @property
    def best(self) -> OfferView | None:
        """The offer in front; None when no offer has a price."""
        return self.offers[0] if self.offers and self.offers[0].price else None

    @property
    def promise(self) -> str:
        """The best there is to say about the offer in front, after its price; empty for nothing."""
        if self.best is None or self.best.price is None:
            return ""
        price = self.best.price
        said = (self.flexibility, price.reduced_from, *self.best.promises, self.upgrade, price.credit)
        return next(filter(None, said), "")

    @property
    def pin(self) -> str:
        """What the map writes on it: the total."""
        return self.best.price.total if self.best and self.best.price else ""


@dataclass(frozen=True)
class CardMaker:
    """Makes the cards of one page; `anchor` is the airport distances are measured from, `country` the code of
    the country that was meant: a place elsewhere says where it is."""

    reader: Reader
    prices: PriceWords
    anchor: Airport | None
    country: str = ""

    @classmethod
    def of(cls, context: SearchContext, page: int) -> Self:
        """For the cards of page `page` of results."""
        reader = Reader.for_search(context)
        return cls(reader, PriceWords(reader, Links.of(context, page)), context.anchor, context.country)

    def cards(self, listings: tuple[PricedListing, ...]) -> tuple[ListingCard, ...]:
        """All cards of a page; of those a map can show, the cheapest comparable total is marked."""
        currency = self.prices.links.search.currency
        totals = [
            (one.offers[0].total.total.amount, position)
            for position, one in enumerate(listings)
            if one.listing.property.coordinates and one.offers and one.offers[0].total
            if price_rank(one.offers[0], currency)[0] == 0
        ]
        cheapest = min(totals)[1] if totals else None
        return tuple(self.card(one, position, position == cheapest) for position, one in enumerate(listings))

    def card(self, found: PricedListing, position: int, cheapest: bool = False) -> ListingCard:
        building, reader = found.listing.property, self.reader
        rating_value, rating_words = reader.rating(building.rating)
        photos, stars = photo_addresses(building.images), building.stars or 0
        hotel = ", ".join(filter(None, (property_name(building), place_line(building))))
        offers = tuple(self.prices.offer(one, hotel) for one in found.offers)
        flexibility, upgrade = _upgrades(found, reader)
        return ListingCard(
            anchor=card_anchor(building.key),
            href=self.prices.links.property(*found.at),
            stays=_stays(found),
            name=property_name(building),
            photo=Photo(photos[0], eager=position < FIRST_ROW) if photos else None,
            more_photos=tuple(photos[1:MOST_PHOTOS]),
            photo_count=len(photos),
            stars="★" * stars,
            star_words=star_words(stars),
            rating_value=rating_value,
            rating_words=rating_words,
            kind=reader.label(CodeKind.PROPERTY_TYPE, building.type),
            place=", ".join(filter(None, (place_line(building), self._elsewhere(building)))),
            distance=_distance_line(found, reader),
            anchor_distance=anchor_line(self.anchor, found.anchor_km, reader),
            facilities=_card_facilities(found.offers, reader),
            flexibility=flexibility,
            upgrade=upgrade,
            ladder=tuple(_step(step, found.offers, offers, reader) for step in found.ladder),
            offers=offers,
            offers_summary=_offers_summary(found.offers),
            coordinates=building.coordinates,
            cheapest=cheapest,
            like_it=_like_it(found.standing, self.prices.links.search.currency, reader),
            lowest=self._lowest(found.offers, offers),
        )

    def _lowest(self, ranked: tuple[PricedOffer, ...], offers: tuple[OfferView, ...]) -> str:
        """Empty where the offer in front is the cheapest."""
        currency = self.prices.links.search.currency
        place = min(range(len(ranked)), key=lambda at: price_rank(ranked[at], currency), default=0)
        price = offers[place].price if place else None
        return price.total if price else ""

    def _elsewhere(self, building: Property) -> str:
        """The country of a property that is in another one than was meant."""
        known = self.country and building.country
        return self.reader.country(building.country) if known and building.country != self.country else ""


def _stays(found: PricedListing) -> tuple[str, ...]:
    others = ((one.offer.provider, one.offer.property_id) for one in found.offers)
    return tuple(stay_value(*at) for at in dict.fromkeys((found.at, *others)) if all(at))


def _like_it(standing: Standing | None, currency: str, reader: Reader) -> str:
    """`€31 below the middle of 57 like it`, as plainly above it; empty where too few are like it."""
    if standing is None:
        return ""
    difference, count = standing.total - standing.middle, reader.number(standing.size)
    if abs(difference) < Decimal("0.5"):
        return _("At the middle of %(count)s like it") % {"count": count}
    amount = formatting.whole_money(abs(difference), currency, reader.numbers)
    if difference < 0:
        return _("%(amount)s below the middle of %(count)s like it") % {"amount": amount, "count": count}
    return _("%(amount)s above the middle of %(count)s like it") % {"amount": amount, "count": count}


def place_line(building: Property) -> str:
    """`Carrer de Mallorca 401, Barcelona`, without saying the city twice."""
    address, city = building.address, building.city
    return address if city.casefold() in address.casefold() else ", ".join(filter(None, (address, city)))


def _distance_line(found: PricedListing, reader: Reader) -> str:
    """From the centre where that is known, else what the gateway says."""
    distance = found.listing.distance
    if found.centre_km is not None:
        from_centre = formatting.kilometres(found.centre_km, reader.numbers)
        return _("%(distance)s from the centre") % {"distance": from_centre}
    if distance is None:
        return ""
    measured = formatting.measure(distance.value, distance.unit, reader.numbers)
    return _("%(distance)s from destination") % {"distance": measured}


def anchor_line(anchor: Airport | None, km: float | None, reader: Reader) -> str:
    """Our own straight-line distance, and labelled as such."""
    if anchor is None or km is None:
        return ""
    return _("%(distance)s from %(airport)s in a straight line") % {
        "distance": formatting.kilometres(km, reader.numbers),
        "airport": anchor.code,
    }


def _upgrades(found: PricedListing, reader: Reader) -> tuple[str, str]:
    """What free cancellation costs on top of the cheapest total, and what the next step up costs, whatever
    it brings."""
    if not found.ladder:
        return "", ""
    cheapest, *dearer = found.ladder
    if cheapest.free_cancellation and not found.offers[0].offer.free_cancellation:
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


def _step(
    step: Step, ranked: tuple[PricedOffer, ...], offers: tuple[OfferView, ...], reader: Reader
) -> StepView:
    place = ranked.index(step.priced)
    price, extras = offers[place].price, str(_EXTRAS[step.free_cancellation, step.breakfast])
    return StepView(
        title=_("Cheapest") if step.more is None else extras,
        extras=extras if step.more is None else "",
        total=price.total if price else "",
        more=f"+\u00a0{reader.money(step.more)}" if step.more else "",
        provider=offers[place].provider,
        mark=offers[place].mark,
        number=place + 1,
    )


# By whether a step has free cancellation, and whether it has breakfast.
_EXTRAS = {
    (False, False): "",
    (True, False): gettext_lazy("Free cancellation"),
    (False, True): gettext_lazy("Breakfast included"),
    (True, True): gettext_lazy("Free cancellation and breakfast"),
}


def _card_facilities(offers: tuple[PricedOffer, ...], reader: Reader) -> tuple[FacilityView, ...]:
    """The first few; breakfast is left to the promises of the offers that include it."""
    found = facility_views(named_facilities(None, (one.offer for one in offers)), reader)
    return tuple(one for one in found if "BREAKFAST" not in one.code)[:MOST_FACILITIES]


def _offers_summary(offers: tuple[PricedOffer, ...]) -> str:
    """What opens the disclosure; with one offer it still holds the surcharges by kind."""
    if len(offers) < 2:
        return _("Price details") if offers and offers[0].total else ""
    return _compare(len(offers))


@per_language
def _compare(count: int) -> str:
    return ngettext("Compare %(count)s offer", "Compare %(count)s offers", count) % {"count": count}
