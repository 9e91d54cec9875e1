"""One property in full, with every provider's offer for the stay."""

import json
import re
from collections.abc import Collection, Iterator
from datetime import date
from operator import itemgetter
from typing import Any, NamedTuple

from search.domain.cancellation import free_until, last_free_day, may_be_terms_of
from search.domain.context import SearchContext
from search.domain.hotels import Facility, PropertyDetails, Room, RoomType
from search.domain.offers import SoldRoom, sold_room
from search.domain.query import encode_pairs
from search.domain.words import language_of, shortened
from search.results.card import CardMaker, OfferView, place_line
from search.results.dates import dates_path
from search.results.listings import FoundProperty, NoOffers
from search.results.map_pins import landmarks_of
from search.web import formatting
from search.web.formatting import Reader
from search.web.labels import (
    FacilityView,
    PolicyView,
    facility_groups,
    policies,
    policy,
    property_name,
    without_included_breakfast,
)
from search.web.links import Head, Links, Stay, photo_addresses, property_path, search_pairs, view_pairs
from search.web.search_form import SearchBar
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy, ngettext

from .observed import can_watch
from .price_history import history

MOST_IMAGES = 6
MOST_AIRPORTS = 4
MOST_DESCRIPTION = 155
MOST_FACT = 90
# A room that says no more than how many sleep in it.
_PERSONS = re.compile("[0-9]{1,3}")
_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d", re.ASCII)
_ONLY_TIMES = re.compile(rf"{_TIME.pattern}(?:\s*[-\u2013\u2014]\s*{_TIME.pattern})?", re.ASCII)
# The same characters as Django's json_script: the text can't end its script element.
_ESCAPES = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}

Json = dict[str, Any]


def structured_data(
    context: SearchContext, hotel: FoundProperty, amenities: list[str], origin: str, path: str
) -> str:
    """JSON-LD for search engines, escaped for a script: a schema.org Hotel with its offers. Nothing is said
    that isn't known, such as how long a price holds or how many guests made a rating."""
    building, details, at = hotel.building, hotel.details, hotel.building.coordinates
    photos = photo_addresses(building.images)[:MOST_IMAGES]
    address = _filled({
        "streetAddress": building.address,
        "addressLocality": building.city,
        "addressCountry": building.country.upper(),
    })  # fmt: skip
    document = _filled({
        "@context": "https://schema.org",
        "@type": "Hotel",
        "name": property_name(building),
        "description": building.description,
        "url": f"{origin}{path}",
        "image": [f"{origin}{one}" if one.startswith("/") else one for one in photos],
        "address": address and {"@type": "PostalAddress", **address},
        "geo": at and {"@type": "GeoCoordinates", "latitude": at.latitude, "longitude": at.longitude},
        "starRating": building.stars and {"@type": "Rating", "ratingValue": str(building.stars)},
        "checkinTime": next(iter(_clock_times(details.check_in_time)), ""),
        "checkoutTime": next(iter(_clock_times(details.check_out_time)[::-1]), ""),
        "amenityFeature": [
            {"@type": "LocationFeatureSpecification", "name": text, "value": True} for text in amenities
        ],
        # An older total may not hold any more.
        "makesOffer": [] if hotel.stale else [*_offers(context, hotel, origin)],
    })  # fmt: skip
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)


def _offers(context: SearchContext, hotel: FoundProperty, origin: str) -> Iterator[Json]:
    pairs = filter(itemgetter(1), (("hotel", hotel.hotel), *search_pairs(context)))
    query, stay = encode_pairs(pairs), Reader.for_search(context).stay_line(context.search)
    for priced in hotel.card.offers:
        offer, total = priced.offer, priced.total
        if total and total.complete:
            yield _filled({
                "@type": "Offer",
                "name": offer.rate,
                "description": stay,
                "price": total.total.plain,
                "priceCurrency": total.total.currency,
                "url": f"{origin}{property_path(offer.provider, offer.property_id)}?{query}",
                "seller": {"@type": "Organization", "name": context.site.provider_label(offer.provider)},
            })  # fmt: skip


def _clock_times(lines: tuple[str, ...]) -> list[str]:
    """`15:00`, `23:00` of `15:00 – 23:00`; none where the lines say anything else."""
    text = " ".join(lines).replace("midnight", "00:00").replace("noon", "12:00")
    return _TIME.findall(text) if _ONLY_TIMES.fullmatch(text) else []


def _filled(data: Json) -> Json:
    return {name: value for name, value in data.items() if value}


class PropertyBeginning:
    """Parameters of property/skeleton.html: what the page says before the details are known."""

    def __init__(self, context: SearchContext, card_page: int, *, dated: bool) -> None:
        self.stay = Reader.for_search(context).stay_line(context.search) if dated else ""
        self.head = Head(title=_("Hotel details"), description=self.stay, robots="noindex")
        self.bar = SearchBar.of_search(context)
        self.back = Links(context, card_page).results()


class DatesForm:
    """Parameters of components/dates_form.html: a form for the same page with other dates."""

    def __init__(self, context: SearchContext, action: str, *stays: tuple[str, str]) -> None:
        # All results were asked for these dates alone.
        of_dates = ("checkin", "checkout", "all")
        others = ((name, value) for name, value in view_pairs(context) if name not in of_dates)
        self.action = action
        self.hidden = (*others, *(pair for pair in stays if pair[1]))


class Fact(NamedTuple):
    """What people ask first; one that isn't `known` is in the provider's own words."""

    icon: str
    heading: str
    text: str
    known: bool = True


class StayWords:
    """Puts rooms into words for one stay, which has no day in an address without dates."""

    def __init__(self, context: SearchContext, reader: Reader, *, dated: bool) -> None:
        self.reader, self.party, self.today = reader, context.search.guests, context.day
        self.check_in = context.search.dates.check_in if dated else None

    def size(self, lines: tuple[str, ...]) -> tuple[str, str]:
        """`Sleeps 2` for a bare number, the provider's own words otherwise; and whether that is too few."""
        if len(lines) != 1 or not _PERSONS.fullmatch(lines[0]):
            return ", ".join(lines), ""
        persons = int(lines[0])
        sleeps = ngettext("Sleeps %(count)s", "Sleeps %(count)s", persons) % {"count": persons}
        too_small = _("Too small for %(party)s") % {"party": formatting.guests(self.party)}
        return sleeps, too_small if persons < self.party else ""

    def free_until(self, lines: tuple[str, ...]) -> str:
        """`28 Nov 2026, 18:00`, empty without a day or for one that is over."""
        limit = free_until(lines, self.check_in) if self.check_in else None
        if limit is None or limit.day < self.today:
            return ""
        return formatting.day_and_time(limit.day, limit.clock, self.reader.texts)

    def ended(self, lines: tuple[str, ...]) -> str:
        """`Free cancellation ended on 20 Nov 2026`, empty where it didn't."""
        last = last_free_day(lines, self.check_in) if self.check_in else None
        if last is None or not date.min < last < self.today:
            return ""
        return _("Free cancellation ended on %(day)s") % {
            "day": formatting.day_and_time(last, None, self.reader.texts)
        }

    def terms(self, lines: tuple[str, ...]) -> tuple[PolicyView, ...]:
        """The lines on cancelling, without a promise that has ended."""
        ended = {line: "" if may_be_terms_of((line,), free=False) else self.ended((line,)) for line in lines}
        return tuple(PolicyView(said, known=True) if said else policy(line) for line, said in ended.items())


class RoomView:
    """One room. `free_until` is the day its words name for this stay."""

    def __init__(self, room: Room, words: StayWords, *, free: bool) -> None:
        self.room = room
        self.sleeps, self.too_small = words.size(room.max_occupancy)
        self.free_until = words.free_until(room.cancellation_policies) if free else ""
        self.policies = policies(room.policies)
        self.cancellation = words.terms(room.cancellation_policies)


class RoomTypeView:
    """Parameters of property/room_type.html. `sold_for` are the totals of the `offers` that sell it; its
    rooms name no day of free cancellation if one of these offers has none."""

    def __init__(
        self, described: RoomType, words: StayWords, number: int, offers: Collection[OfferView]
    ) -> None:
        self.described, self.number = described, number
        self.photos = photo_addresses(described.images)
        self.facilities = words.reader.facilities.views(Facility("", line) for line in described.facilities)
        prices = [one.price for one in offers if one.price]
        self.sold_for = [f"{one.total} ({one.apart})" if one.apart else one.total for one in prices]
        is_free = all(one.free_cancellation for one in offers)
        self.rooms = [RoomView(one, words, free=is_free) for one in dict.fromkeys(described.rooms)]


class OfferRow:
    """One offer of property/offer_table.html with the room it sells. `room` is the number of the described
    room type, 0 where that isn't sure; `policy` are the provider's words where no day is read from them and
    they don't contradict the offer."""

    def __init__(self, view: OfferView, sold: SoldRoom | None, words: StayWords, *, shown_here: bool) -> None:
        sold = sold or SoldRoom(-1, ())
        terms = sold.agreed("cancellation_policies")
        until, ended = words.free_until(terms), words.ended(terms)
        self.offer, self.shown_here = view, shown_here
        self.room = sold.place + 1
        self.beds = ", ".join(sold.agreed("bed_types"))
        self.sleeps, self.too_small = words.size(sold.agreed("max_occupancy"))
        unsaid = not until and may_be_terms_of(terms, free=view.free_cancellation)
        self.policy = policies(terms) if unsaid else ()
        self.free_until = until if view.free_cancellation else ""
        if not view.free_cancellation:
            self.cancellation = ended or _("No free cancellation listed")
        elif until:
            self.cancellation = _("Free cancellation until %(day)s") % {"day": until}
        else:
            self.cancellation = _("Free cancellation")


class PropertyPage:
    """Parameters of property/page.html. `price_note` says why there is no price, `share` is the whole address
    of this page, `airports` are name and distance, `text_language` is that of the provider's own words, if it
    isn't the page's; `watch` takes the form that has the total watched."""

    def __init__(
        self, context: SearchContext, hotel: FoundProperty, card_page: int = 1, origin: str = ""
    ) -> None:
        """`card_page` is the page of results that the visitor came from, `origin` our https://host."""
        maker, building = CardMaker(context, card_page), hotel.building
        reader, links = maker.reader, maker.links
        dated = hotel.no_offers is not NoOffers.NO_DATES
        facilities = reader.facilities.of_hotel(hotel.card.offers, hotel.details)
        self.found = hotel
        self.head = _head(context, hotel, reader, facilities, origin)
        here = links.property(*_stay(hotel)) if dated else self.head.canonical
        self.share = f"{origin}{here}" if origin else ""
        self.bar = SearchBar.of_search(context)
        self.chosen = search_pairs(context)
        self.card = maker.card(hotel.card)
        # The results with its card in view.
        self.back = f"{links.results()}#{self.card.anchor}" if context.search.place else ""
        self.photos = photo_addresses(building.images)
        self.stay = formatting.in_whole_parts(reader.stay_line(context.search)) if dated else ""
        self.stale_note = reader.stale_note(hotel.stale_from) if hotel.stale_from else ""
        self.facts = _facts(hotel, facilities)
        self.facilities = facility_groups(without_included_breakfast(facilities))
        self.policies = policies(hotel.details.policies)
        self.provider = context.site.provider_label(hotel.provider)
        language = language_of(building.description) or context.search.market.partition("-")[0]
        self.text_language = "" if reader.texts.startswith(language) else language
        self._list_rooms(StayWords(context, reader, dated=dated))
        self.history = history(context, hotel)
        self._locate(context, reader)
        self._lead_on(context, here)

    def _list_rooms(self, words: StayWords) -> None:
        """List offers and described rooms; only offers of the page's provider are joined to such a room."""
        hotel = self.found
        self.offers: list[OfferRow] = []
        for priced, view in zip(hotel.card.offers, self.card.offers, strict=True):
            offer = priced.offer
            is_own = (offer.provider, offer.property_id) == (hotel.provider, hotel.property_id)
            sold = sold_room(offer.rate, hotel.details.room_types) if is_own else None
            self.offers.append(OfferRow(view, sold, words, shown_here=is_own))
        rooms = [
            RoomTypeView(described, words, number, [row.offer for row in self.offers if row.room == number])
            for number, described in enumerate(hotel.details.room_types, 1)
        ]
        self.sold_rooms = [room for room in rooms if room.sold_for]
        self.other_rooms = [room for room in rooms if not room.sold_for]

    def _locate(self, context: SearchContext, reader: Reader) -> None:
        hotel, building = self.found, self.found.building
        self.address = place_line(building, reader.country(building.country))
        self.airports = [
            (f"{airport.name} ({airport.code})", formatting.kilometres(km, reader.numbers))
            for airport, km in hotel.airports[:MOST_AIRPORTS]
        ]
        from_airport = _("%(distance)s from %(airport)s in a straight line")
        self.distances = [*filter(None, (self.card.anchor_distance, self.card.distance))] or [
            from_airport % {"distance": distance, "airport": name} for name, distance in self.airports[:1]
        ]
        nearest = next((airport for airport, _km in hotel.airports), None)
        self.landmarks = landmarks_of([hotel.card], context, reader, nearest)

    def _lead_on(self, context: SearchContext, here: str) -> None:
        """Say why there is no price, and how to find one or a lower one."""
        hotel = self.found
        note = None if self.card.best else NoOffers.NOT_OFFERED if hotel.listing else hotel.no_offers
        self.worth_another_try = note is NoOffers.UNAVAILABLE
        self.price_note = str(_PRICE_NOTES[note]) if note else ""
        if self.worth_another_try and hotel.stale:
            self.price_note = _("Prices are not available right now.")
        dates_form = DatesForm(
            context, property_path(hotel.provider, hotel.property_id), ("hotel", hotel.hotel)
        )
        self.dates_form = dates_form if note in _OTHER_DATES else None
        self.cheapest = dates_path(context, _stay(hotel))
        is_watched = context.search.place and can_watch(context.site)
        self.watch = f"/watch{here}" if is_watched and hotel.card.offers else ""

    @property
    def offers_from(self) -> str:
        """`See 3 offers · from €92.95`."""
        count = len(self.offers)
        text = ngettext(
            "See %(count)s offer · from %(amount)s", "See %(count)s offers · from %(amount)s", count
        )
        return text % {"count": count, "amount": self.card.lowest or self.card.pin}


def _stay(hotel: FoundProperty) -> Stay:
    return Stay(hotel.provider, hotel.property_id, hotel.hotel)


def _head(
    context: SearchContext,
    hotel: FoundProperty,
    reader: Reader,
    facilities: tuple[FacilityView, ...],
    origin: str,
) -> Head:
    building, search = hotel.building, context.search
    dated = hotel.no_offers is not NoOffers.NO_DATES
    left_out = () if dated else ("checkin", "checkout")
    pairs = (("hotel", hotel.hotel), *search_pairs(context))
    asked = [(name, value) for name, value in pairs if value and name not in left_out]
    canonical = f"{property_path(hotel.provider, hotel.property_id)}?{encode_pairs(asked)}"
    name = formatting.before_days(", ".join(filter(None, (property_name(building), building.city))))
    days = formatting.stay_days(search.dates, reader.texts) if dated else ""
    amenities = [one.text for one in without_included_breakfast(facilities)]
    return Head(
        title=", ".join(filter(None, (name, days))),
        description=shortened(building.description, MOST_DESCRIPTION)
        or place_line(building, reader.country(building.country)),
        canonical=canonical,
        robots="noindex",
        picture=next(iter(photo_addresses(building.images)), ""),
        data=structured_data(context, hotel, amenities, origin, canonical),
    )


def _facts(hotel: FoundProperty, views: tuple[FacilityView, ...]) -> tuple[Fact, ...]:
    """What people ask first; only what the provider says."""
    details, included = hotel.details, [priced.offer.breakfast for priced in hotel.card.offers]
    pets = _pets_policy(details) or PolicyView(_text_of(views, "PET"), known=True)
    breakfast = _text_of(views, "BREAKFAST")
    if any(included):
        breakfast = _("Included in every offer") if all(included) else _("Included in some offers")
    facts = (
        _time(_("Check-in"), details.check_in_time),
        _time(_("Check-out"), details.check_out_time),
        Fact("square-parking", _("Parking"), _text_of(views, "PARKING")),
        Fact("paw-print", _("Pets"), pets.text, pets.known),
        Fact("coffee", _("Breakfast"), breakfast),
    )
    return tuple(fact for fact in facts if fact.text)


def _time(heading: str, lines: tuple[str, ...]) -> Fact:
    """Hours in digits are the same in every language."""
    text = ", ".join(lines)
    return Fact("clock", heading, text, known=not any(map(str.isalpha, text)))


def _text_of(views: tuple[FacilityView, ...], word: str) -> str:
    """The first facility whose code has the word or its plural."""
    return next((one.text for one in views if {word, f"{word}S"} & {*one.code.split("_")}), "")


def _pets_policy(details: PropertyDetails) -> PolicyView | None:
    """The first rule about pets, of a long one from the sentence that names them on; empty if that leaves
    them out."""
    for line in details.policies:
        if (named := _PETS.search(line)) is None:
            continue
        long = len(line) > MOST_FACT
        start = max(line.rfind(end, 0, named.start()) for end in _SENTENCE_ENDS) + 1 if long else 0
        text = shortened(line[start:], MOST_FACT)
        return policy(text if _PETS.search(text) else "")
    return None


_SENTENCE_ENDS = (". ", "! ", "? ")
# In each language of the site.
_PETS = re.compile(
    r"\b(?:pets?|haustiere?|mascotas?|animaux|animali|animais|animales|zwierz\w+)\b", re.IGNORECASE
)


# Where other dates may bring a price, or another one.
_OTHER_DATES = (None, NoOffers.NO_DATES, NoOffers.NOT_OFFERED)
_PRICE_NOTES = {
    NoOffers.NO_DATES: gettext_lazy("Choose dates to see prices."),
    NoOffers.NO_PLACE: gettext_lazy("Search for the town it is in to see prices."),
    NoOffers.NOT_OFFERED: gettext_lazy("No price for these dates."),
    NoOffers.BEYOND: gettext_lazy(
        "More places were found than we compare here. This one isn't among them, so its price isn't known."
    ),
    NoOffers.UNAVAILABLE: gettext_lazy(
        "Prices are not available right now. Everything else on this page is up to date."
    ),
}
