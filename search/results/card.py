"""A listing in words: its offers, their prices and the way to the provider; and its card, from which every
page about a hotel takes its texts. What few pages show is made where it is shown.
"""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import NamedTuple
from urllib.parse import quote

from django.utils.functional import cached_property

from search.domain import hand_over
from search.domain.context import SearchContext
from search.domain.hotels import Airport, Property
from search.domain.money import Money
from search.domain.offers import NamedAmounts, PricedOffer, StayTotal, price_rank, usable_price
from search.domain.words import CodeKind, humanise, printable
from search.web import formatting
from search.web.formatting import Reader, guests, nights, star_words
from search.web.labels import property_name
from search.web.links import Links, Stay, card_anchor, photo_addresses
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy, ngettext

from .listings import PricedListing
from .selection import Standing

FIRST_ROW = 3
MOST_FACILITIES = 4
MOST_PHOTOS = 6
# Of the middle total of similar hotels.
GOOD = Decimal("0.9")
# Beyond any two currencies: one of the two prices is wrong.
MOST_RATE = Decimal(100_000_000)
_TAXES_AND_FEES = {"TAX_AND_FEES", ""}


class CardMaker:
    """Makes the cards of one page, and has what their words depend on."""

    def __init__(self, context: SearchContext, page: int = 1) -> None:
        self.context, self.reader, self.links = context, Reader.for_search(context), Links(context, page)

    def cards(self, listings: tuple[PricedListing, ...]) -> tuple["ListingCard", ...]:
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

    def card(self, priced: PricedListing, position: int = 0, cheapest: bool = False) -> "ListingCard":
        return ListingCard(priced, self, position, cheapest)


class PriceView:
    """The total `of` an offer in words; empty strings are lines that don't apply. `apart` is a surcharge in
    another currency, beside the total, which is then not complete."""

    def __init__(self, of: StayTotal, maker: CardMaker) -> None:
        self.of, self.reader, self.search = of, maker.reader, maker.context.search
        before, own = of.before_discount, of.property_price
        self.total = self.reader.money(of.total)
        self.apart = "" if of.complete else self._apart
        self.per_night = self._with_amount(_("%(amount)s per night"), of.per_night)
        self.before = self.reader.money(before) if before else ""
        self.discount = formatting.discount(of.discount_percent, self.reader.numbers) if before else ""
        self.credit = self._with_amount(_("Earn %(amount)s travel credit"), of.credit)
        self.own_currency = self._own_currency(own) if own else ""

    @property
    def rounded(self) -> str:
        return formatting.whole_money(self.of.total.amount, self.of.total.currency, self.reader.numbers)

    @property
    def notes(self) -> str:
        """Lines: nights and guests, included surcharges, total per night."""
        stay = f"{nights(self.search.dates.nights)}, {guests(self.search.guests)}"
        return "\n".join(filter(None, (stay, self.included, self.per_night)))

    @property
    def second_line(self) -> str:
        """The total per night and included surcharges, on one line."""
        return " · ".join(filter(None, (self.per_night, self.included)))

    @property
    def reduced_from(self) -> str:
        """`€455.93 before discount (−10%)`; empty without a discount."""
        text = _("%(amount)s before discount (%(percent)s)")
        return text % {"amount": self.before, "percent": self.discount} if self.before else ""

    @property
    def note(self) -> str:
        """Why the offer stands after the comparable ones."""
        currency = self.of.total.currency
        if currency != self.search.currency:
            return _("Priced in %(currency)s, so not compared with the others") % {"currency": currency}
        return "" if self.of.complete else _("Not the whole price: a surcharge comes on top")

    @property
    def deposit(self) -> str:
        deposit = usable_price(self.of.offer.deposit)
        return self._with_amount(_("Deposit %(amount)s"), deposit and deposit.times(self.of.factor))

    @property
    def implied_rate(self) -> str:
        """`1 GBP ≈ 1.111 EUR`: the rate between the provider's two prices, of the larger unit, to at least
        four digits; empty without a second price and for an impossible rate."""
        price, own = self.of.price, self.of.property_price
        if own is None:
            return ""
        unit, other = (price, own) if own.amount >= price.amount else (own, price)
        rate = other.amount / unit.amount
        if rate > MOST_RATE:
            return ""
        return f"1 {unit.currency} ≈ {self.reader.number(rate.quantize(Decimal('0.001')))} {other.currency}"

    @property
    def included(self) -> str:
        """One kind of surcharge by its own name, several kinds together as taxes and fees; empty for none."""
        surcharges, total = self.of.surcharges, self.of.total
        if not surcharges:
            return ""
        money = self.reader.money(
            Money(sum((one.amount for _kind, one in surcharges), Decimal(0)), total.currency)
        )
        kinds = {kind.upper() for kind, _amount in surcharges}
        if len(kinds) > 1 or kinds <= _TAXES_AND_FEES:
            return _("incl. %(amount)s taxes and fees") % {"amount": money}
        surcharge = self._within_a_line(surcharges[0][0])
        return _("incl. %(amount)s %(surcharge)s") % {"amount": money, "surcharge": surcharge}

    @property
    def lines(self) -> tuple[str, ...]:
        """The surcharges in the total by kind."""

        def name(kind: str) -> str:
            return self.reader.label(CodeKind.SURCHARGE, kind) or humanise(_("surcharge"))

        return tuple(f"{surcharge} {amount}" for surcharge, amount in self._by_name(self.of.surcharges, name))

    @property
    def _apart(self) -> str:
        within = self._within_a_line
        named = [f"{amount} {surcharge}" for surcharge, amount in self._by_name(self.of.apart, within)]
        surcharges = " + ".join(dict.fromkeys([*named, *map(within, self.of.unread)]))
        return _("plus %(surcharges)s, not in this total") % {"surcharges": surcharges}

    def _own_currency(self, own: Money) -> str:
        if whole := self.of.in_property_currency:
            return self._with_amount(_("%(amount)s charged in the hotel's currency"), whole)
        return self._with_amount(_("%(amount)s charged in the hotel's currency, before surcharges"), own)

    def _with_amount(self, text: str, amount: Money | None) -> str:
        return text % {"amount": self.reader.money(amount)} if amount else ""

    def _within_a_line(self, kind: str) -> str:
        text = self.reader.label(CodeKind.SURCHARGE, kind) or _("surcharge")
        is_lower = not self.reader.texts.startswith("de") and text.partition(" ")[0][1:].islower()
        return text[:1].lower() + text[1:] if is_lower else text

    def _by_name(self, charged: NamedAmounts, name: Callable[[str], str]) -> Iterator[tuple[str, str]]:
        """Surcharges by name, each once with its amount in each currency."""
        sums: dict[tuple[str, str], Money] = {}
        for kind, amount in charged:
            key = (name(kind), amount.currency)
            sums[key] = sums[key] + amount if key in sums else amount
        return ((surcharge, self.reader.money(amount)) for (surcharge, _currency), amount in sums.items())


class OfferView:
    """One provider's offer of a `hotel`, its name and address. `code` is the provider's, for counting; `mark`
    stands for its logo. `price` is None without a usable price. `promises` are extras such as breakfast,
    `facilities` the others, `changes` a warning, `summary` all but the facilities in one line."""

    def __init__(self, priced: PricedOffer, hotel: str, maker: CardMaker) -> None:
        offer, reader, site = priced.offer, maker.reader, maker.reader.site
        self._offer, self._hotel, self._maker = offer, hotel, maker
        self.code, self.rate, self.free_cancellation = offer.provider, offer.rate, offer.free_cancellation
        self.provider, self.mark = site.provider_label(offer.provider), site.provider_mark(offer.provider)
        self.href = maker.links.property(offer.provider, offer.property_id)
        self.price = price = PriceView(priced.total, maker) if priced.total else None
        facilities = reader.facilities.views(offer.facilities)
        promises = (
            reader.label(CodeKind.PAYMENT_MODE, offer.payment_mode),
            *(one.text for one in facilities if "BREAKFAST" in one.code),
            reader.label(CodeKind.PROMO_TYPE, offer.promo_type),
        )
        self.promises = tuple(dict.fromkeys(filter(None, promises)))
        self.facilities = tuple(one.text for one in facilities if one.text not in self.promises)
        self.changes = _("Prices often change") if site.provider(offer.provider).prices_change else ""
        self.lines, self.note = (price.lines, price.note) if price else ((), "")
        prices = (price.per_night, price.reduced_from, price.credit, price.own_currency) if price else ()
        in_order = (*self.promises, *self.lines, *prices, self.changes, self.note)
        self.summary = " · ".join(filter(None, in_order))

    @cached_property
    def booking_href(self) -> str:
        """The address at the provider, empty without a template of its addresses."""
        template = self._maker.reader.site.provider(self.code).address_template
        values = hand_over.values_of(self._maker.context.search, self._offer.property_id)
        return template and hand_over.link(template, values)

    @property
    def booking_label(self) -> str:
        """`Go to Sol Hotels · €92.95`."""
        go = _("Go to %(provider)s") % {"provider": self.provider}
        return f"{go} · {self.price.total}" if self.price else go

    @cached_property
    def facts(self) -> str:
        """What one needs to book this elsewhere."""
        price, free_cancellation = self.price, _("Free cancellation") if self.free_cancellation else ""
        terms = (f"{price.total} {_('total')}", price.apart) if price else ()
        lines = (
            self._hotel,
            self._maker.reader.stay_line(self._maker.context.search),
            self.rate,
            " · ".join(filter(None, (*terms, free_cancellation, *self.promises))),
            f"{_('Offered by')} {self.provider} ({printable(self._offer.property_id)})",
        )
        return "\n".join(filter(None, lines))

    @property
    def contact(self) -> str:
        return self._maker.reader.site.contact_email

    @property
    def mail(self) -> str:
        """A mail with the facts filled in, to the site's contact address if it has one."""
        subject = quote(_("Please book: %(hotel)s") % {"hotel": self._hotel}, safe="", errors="replace")
        body = quote(self.facts.replace("\n", "\r\n"), safe="", errors="replace")
        return f"mailto:{quote(self.contact, safe='@')}?subject={subject}&body={body}"


class StepView(NamedTuple):
    """One step of the ladder of totals. `more` is what it adds to the step before, `number` the place of its
    offer on the card, from 1."""

    title: str
    extras: str
    more: str
    offer: OfferView
    number: int


class ListingCard:
    """Parameters of components/listing_card.html for a `priced` listing; empty strings are lines that don't
    apply, and a property with an empty `href` has no page. `stays` name it in addresses at each provider,
    that of its page first. `lowest` is its lowest total if filters put a dearer offer in front."""

    def __init__(self, priced: PricedListing, maker: CardMaker, position: int, cheapest: bool) -> None:
        building, context, reader = priced.listing.property, maker.context, maker.reader
        photos, stars, place = photo_addresses(building.images), building.stars or 0, place_line(building)
        self.priced, self._context, self._reader = priced, context, reader
        self.coordinates, self.cheapest = building.coordinates, cheapest
        self.anchor = card_anchor(building.key)
        self.href = maker.links.property(*priced.at, priced.apart)
        self.stays = tuple(str(Stay(*at, priced.apart)) for at in priced.pages)
        self.name = property_name(building)
        # Pictures of the first row load at once, the others when they come near.
        self.photo, self.eager = photos[0] if photos else "", position < FIRST_ROW
        self.more_photos, self.photo_count = tuple(photos[1:MOST_PHOTOS]), len(photos)
        self.stars, self.star_words = "★" * stars, star_words(stars)
        self.rating_value, self.rating_words = reader.rating(building.rating)
        self.kind = reader.label(CodeKind.PROPERTY_TYPE, building.type)
        # A hotel in another country than that of the search names its own.
        is_elsewhere = context.country and building.country not in ("", context.country)
        self.place = place_line(building, reader.country(building.country)) if is_elsewhere else place
        self.distance = _distance_line(priced, reader)
        self.anchor_distance = _anchor_line(context.anchor, priced.anchor_km, reader)
        facilities = reader.facilities.of_hotel(priced.offers)
        # Without breakfast: offers that include it promise it.
        others = [one for one in facilities if "BREAKFAST" not in one.code]
        self.facilities = tuple(others[:MOST_FACILITIES])
        hotel = ", ".join(filter(None, (self.name, place)))
        self.offers = tuple(OfferView(one, hotel, maker) for one in priced.offers)
        self.flexibility, self.upgrade = _upgrades(priced, reader)
        self.value = _value(priced.standing, context.search.currency, reader)

    @property
    def best(self) -> OfferView | None:
        """The offer in front; None if no offer has a price."""
        return self.offers[0] if self.offers and self.offers[0].price else None

    @property
    def pin(self) -> str:
        """The text of its pin on the map: the total."""
        return self.best.price.total if self.best and self.best.price else ""

    @cached_property
    def lowest(self) -> str:
        offers, currency = self.priced.offers, self._context.search.currency
        place = min(range(len(offers)), key=lambda at: price_rank(offers[at], currency), default=0)
        price = self.offers[place].price if place else None
        return price.total if price else ""

    @property
    def ladder(self) -> tuple[StepView, ...]:
        """From the cheapest total to free cancellation and breakfast."""
        steps = []
        for step in self.priced.ladder:
            place = self.priced.offers.index(step.priced)
            extras = str(_EXTRAS[step.free_cancellation, step.breakfast])
            more = f"+\u00a0{self._reader.money(step.more)}" if step.more else ""
            titles = (_("Cheapest"), extras) if step.more is None else (extras, "")
            steps.append(StepView(*titles, more, self.offers[place], place + 1))
        return tuple(steps)

    @property
    def offers_summary(self) -> str:
        """The label of the disclosure; with one offer it holds the surcharges by kind."""
        count = len(self.offers)
        if count < 2:
            return _("Price details") if self.best else ""
        cheapest = _("cheapest %(amount)s") % {"amount": self.lowest} if self.lowest else ""
        summary = ngettext("%(count)s offer", "%(count)s offers", count) % {"count": count}
        return " · ".join(filter(None, (summary, cheapest)))

    @property
    def other_totals(self) -> str:
        """`SOL €93 · OTR €101`: the lowest total of each other provider that can be compared."""
        lowest: dict[str, str] = {}
        for one in self.offers:
            if one.price and not one.note and one.code != self.offers[0].code:
                lowest.setdefault(one.code, f"{one.mark or one.provider}\u00a0{one.price.rounded}")
        return " ·\u00a0".join(lowest.values())

    @property
    def promises(self) -> tuple[str, ...]:
        """The first two lines about the offer in front, after its price: what was asked for comes first."""
        best, asked = self.best, self._context.refinement
        if best is None or best.price is None:
            return ()
        front, price = self.priced.offers[0].offer, best.price
        facilities = self._reader.facilities.views(front.facilities)
        names = {one.text for one in facilities if one.code in asked.facility}
        lines = (
            price.reduced_from if asked.deals else "",
            *(text for text in best.promises if text in names),
            self._reader.label(CodeKind.PAYMENT_MODE, front.payment_mode) if asked.pay_later else "",
            _("Free cancellation") if best.free_cancellation else self.flexibility,
            price.reduced_from,
            *best.promises,
            self.upgrade,
            price.credit,
        )
        return tuple(dict.fromkeys(filter(None, lines)))[:2]


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
