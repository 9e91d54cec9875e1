"""One property in full, with every provider's offer for the stay."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from search.domain.context import SearchContext
from search.domain.hotels import Airport, Property, PropertyDetails
from search.domain.offers import PricedOffer
from search.domain.query import encode_pairs
from search.domain.text import language_of, shortened
from search.results.card import CardMaker, ListingCard, place_line
from search.results.listings import FoundProperty, NoOffers
from search.web import formatting
from search.web.facilities import (
    FacilityGroup,
    facility_groups,
    facility_views,
    named_facilities,
    without_included_breakfast,
)
from search.web.formatting import Reader
from search.web.labels import FacilityView, PolicyView, policies, policy, property_name
from search.web.links import (
    Head,
    Links,
    home_path,
    photo_addresses,
    property_path,
    results_path,
    search_pairs,
    view_pairs,
)
from search.web.search_form import SearchBar
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy

from .rooms import (
    OfferRow,
    PropertyStep,
    RoomTypeView,
    StayWords,
    offer_rows,
    property_steps,
    room_type_views,
)
from .service import card_of

MOST_IMAGES = 6
_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d", re.ASCII)
_ONLY_TIMES = re.compile(rf"{_TIME.pattern}(?:\s*[-\u2013\u2014]\s*{_TIME.pattern})?", re.ASCII)
# The same characters as Django's json_script: the text can't end its script element.
_ESCAPES = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}

Json = dict[str, Any]


def structured_data(
    context: SearchContext, found: FoundProperty, amenities: Iterable[str], stay: str, origin: str, path: str
) -> str:
    """JSON-LD, escaped for a script. `amenities` are its facilities as the page names them, `stay` says in
    words what the prices are for, `path` is the page's own.

    What isn't known is absent: no time until when a price holds, and no rating, which would have to say how
    many guests gave it.
    """
    graph = [_hotel(context, found, amenities, stay, origin, path), _breadcrumb(context, found, origin, path)]
    document = {"@context": "https://schema.org", "@graph": graph}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)


def _hotel(
    context: SearchContext, found: FoundProperty, amenities: Iterable[str], stay: str, origin: str, path: str
) -> Json:
    building, details = found.building, found.details
    photos = photo_addresses(building.images)[:MOST_IMAGES]
    return _filled({
        "@type": "Hotel",
        "name": property_name(building),
        "description": building.description,
        "url": f"{origin}{path}",
        "image": [f"{origin}{one}" if one.startswith("/") else one for one in photos],
        **_place(building),
        "starRating": building.stars and {"@type": "Rating", "ratingValue": str(building.stars)},
        "checkinTime": next(iter(_clock_times(details.check_in_time)), ""),
        "checkoutTime": next(iter(_clock_times(details.check_out_time)[::-1]), ""),
        "amenityFeature": [
            {"@type": "LocationFeatureSpecification", "name": text, "value": True} for text in amenities
        ],
        "makesOffer": _offers(context, found, stay, origin),
    })  # fmt: skip


def _place(building: Property) -> Json:
    at = building.coordinates
    address = _filled({
        "streetAddress": building.address,
        "addressLocality": building.city,
        "addressCountry": building.country.upper(),
    })  # fmt: skip
    return {
        "address": address and {"@type": "PostalAddress", **address},
        "geo": at and {"@type": "GeoCoordinates", "latitude": at.latitude, "longitude": at.longitude},
    }


def _offers(context: SearchContext, found: FoundProperty, stay: str, origin: str) -> list[Json]:
    """Each whole total; none of an older answer, which may not hold any more."""
    if found.stale:
        return []
    offers = [_offer(context, priced, stay, origin) for priced in found.offers or ()]
    return [offer for offer in offers if offer]


def _offer(context: SearchContext, priced: PricedOffer, stay: str, origin: str) -> Json:
    total, offer = priced.total, priced.offer
    if total is None or not total.complete:
        return {}
    path = property_path(offer.provider, offer.property_id)
    return _filled({
        "@type": "Offer",
        "name": offer.rate,
        "description": stay,
        "price": total.total.plain,
        "priceCurrency": total.total.currency,
        "url": f"{origin}{path}?{context.search.query_string()}",
        "seller": {"@type": "Organization", "name": context.site.provider_label(offer.provider)},
    })  # fmt: skip


def _breadcrumb(context: SearchContext, found: FoundProperty, origin: str, path: str) -> Json:
    """Home, the results, this page."""
    search = context.search
    trail = [
        (context.site.site_name, home_path(search.market)),
        (search.place, results_path(search)),
        (property_name(found.building), path),
    ]
    named = [(name, address) for name, address in trail if name]
    return {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": position, "name": name, "item": f"{origin}{address}"}
            for position, (name, address) in enumerate(named, 1)
        ],
    }


def _clock_times(lines: tuple[str, ...]) -> list[str]:
    """`15:00`, `23:00` of `15:00 – 23:00`; none where the lines say anything else."""
    text = " ".join(lines)
    return _TIME.findall(text) if _ONLY_TIMES.fullmatch(text) else []


def _filled(data: Json) -> Json:
    return {name: value for name, value in data.items() if value}


MOST_AIRPORTS = 4
MOST_DESCRIPTION = 155
MOST_FACT = 90


@dataclass(frozen=True, slots=True)
class PropertyBeginning:
    """Parameters of property/skeleton.html: what the page of a property says before its details are known.
    `stay` is empty where the address names no dates: then nobody is asked for prices."""

    head: Head
    bar: SearchBar
    back: str
    stay: str

    @classmethod
    def build(cls, context: SearchContext, card_page: int, *, dated: bool) -> Self:
        stay = Reader.for_search(context).stay_line(context.search) if dated else ""
        return cls(
            head=Head(title=_("Hotel details"), description=stay, robots="noindex"),
            bar=SearchBar.of_search(context),
            back=Links.of(context, card_page).results(),
            stay=stay,
        )


@dataclass(frozen=True, slots=True)
class DatesForm:
    """Parameters of components/dates_form.html: a form that asks its page again with other dates, of the same
    search with its order and filters; its two days are those of the search bar."""

    action: str
    hidden: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, context: SearchContext, action: str, *stays: tuple[str, str]) -> Self:
        # A deeper pass over the results was asked for these dates alone.
        asked_anew = ("checkin", "checkout", "all")
        kept = ((name, value) for name, value in view_pairs(context) if name not in asked_anew)
        return cls(action, (*kept, *stays))


class Fact(NamedTuple):
    """What people ask first of a property. One that is not `known` has the provider's own words."""

    icon: str
    heading: str
    text: str
    known: bool = True


@dataclass(frozen=True, slots=True)
class PropertyPage:
    """Parameters of property/page.html. `card` says what its card says; `price_note` why it has no price,
    and `worth_another_try` whether the same page may have one in a moment.

    `back` leads to the results, and is empty where the visitor comes from elsewhere; `share` is the whole
    address of this page where visitors may pass it on; `stay` is empty where the address names no dates.
    `distances` are lines, to the centre and to an airport; `airports` are name and distance, nearest first.
    `dates_form` is there where other dates may have a price; `text_language` is that of the provider's own
    words, empty where it is the page's; `chosen` are the parameters of the search.
    """

    found: FoundProperty
    head: Head
    bar: SearchBar
    back: str
    share: str
    card: ListingCard
    address: str
    distances: tuple[str, ...]
    photos: list[str]
    stay: str
    price_note: str
    worth_another_try: bool
    dates_form: DatesForm | None
    stale_note: str
    facilities: tuple[FacilityGroup, ...]
    steps: tuple[PropertyStep, ...]
    offers: tuple[OfferRow, ...]
    facts: tuple[Fact, ...]
    sold_rooms: tuple[RoomTypeView, ...]
    other_rooms: tuple[RoomTypeView, ...]
    provider: str
    airports: tuple[tuple[str, str], ...]
    with_map: bool
    text_language: str
    policies: tuple[PolicyView, ...]
    chosen: tuple[tuple[str, str], ...]

    @classmethod
    def build(
        cls, context: SearchContext, found: FoundProperty, card_page: int = 1, origin: str = ""
    ) -> Self:
        """`card_page` is the page of results the visitor came from, `origin` our scheme and host."""
        search, site, maker = context.search, context.site, CardMaker.of(context, card_page)
        building, reader, links = found.building, maker.reader, maker.prices.links
        dated, card = found.no_offers is not NoOffers.NO_DATES, maker.card(card_of(found), 0)
        words = StayWords.of(context, dated=dated)
        rows = offer_rows(found, card, words)
        sold_rooms, other_rooms = room_type_views(found, rows, words)
        note = _price_note(found, card)
        named = named_facilities(found.details, (one.offer for one in found.offers or ()))
        facilities = facility_views(named, reader)
        head = _head(context, found, reader, facilities, origin)
        here = links.property(found.provider, found.property_id) if dated else head.canonical
        return cls(
            found=found,
            head=head,
            bar=SearchBar.of_search(context),
            back=links.results_at(building.key) if search.place else "",
            share=f"{origin}{here}" if origin else "",
            card=card,
            address=_address(building, reader),
            distances=_distances(found, card, reader),
            photos=photo_addresses(building.images),
            stay=formatting.in_whole_parts(reader.stay_line(search)) if dated else "",
            price_note=_price_words(found, note),
            worth_another_try=note is NoOffers.UNAVAILABLE,
            dates_form=DatesForm.of(context, property_path(found.provider, found.property_id))
            if note in _OTHER_DATES
            else None,
            stale_note=reader.stale_note(found.stale_from) if found.stale_from else "",
            steps=property_steps(card, rows),
            offers=rows,
            facts=_facts(found, facilities),
            facilities=facility_groups(without_included_breakfast(facilities)),
            sold_rooms=sold_rooms,
            other_rooms=other_rooms,
            provider=site.provider_label(found.provider),
            airports=tuple(_airport(one, km, reader) for one, km in found.airports[:MOST_AIRPORTS]),
            with_map=site.map_enabled and bool(building.coordinates),
            policies=policies(found.details.policies),
            text_language=_text_language(building.description, search.market, reader),
            chosen=search_pairs(context),
        )

    @property
    def some_apart(self) -> bool:
        """Whether some totals are not compared with those of the steps."""
        return any(one.note for one in self.card.offers)


def _text_language(text: str, market: str, reader: Reader) -> str:
    """The language of the provider's own words, else of the market; empty where it is the page's."""
    language = language_of(text) or market.partition("-")[0]
    return "" if reader.texts.startswith(language) else language


def _airport(airport: Airport, km: float, reader: Reader) -> tuple[str, str]:
    return f"{airport.name} ({airport.code})", formatting.kilometres(km, reader.numbers)


def _distances(found: FoundProperty, card: ListingCard, reader: Reader) -> tuple[str, ...]:
    """From the centre, and from the chosen airport, else from the nearest."""
    return tuple(filter(None, (card.distance, card.anchor_distance or _nearest(found, reader))))


def _nearest(found: FoundProperty, reader: Reader) -> str:
    for airport, km in found.airports[:1]:
        name, distance = _airport(airport, km, reader)
        return _("%(distance)s from %(airport)s in a straight line") % {"distance": distance, "airport": name}
    return ""


def _head(
    context: SearchContext,
    found: FoundProperty,
    reader: Reader,
    facilities: tuple[FacilityView, ...],
    origin: str,
) -> Head:
    building, search = found.building, context.search
    dated = found.no_offers is not NoOffers.NO_DATES
    days = formatting.stay_days(search.dates, reader.texts) if dated else ""
    # Without dates in the address those of the search are the usual ones, which nobody chose.
    unsaid = () if dated else ("checkin", "checkout")
    told = (pair for pair in search_pairs(context) if pair != ("place", "") and pair[0] not in unsaid)
    canonical = f"{property_path(found.provider, found.property_id)}?{encode_pairs(told)}"
    amenities = [one.text for one in without_included_breakfast(facilities)]
    name = formatting.before_days(", ".join(filter(None, (property_name(building), building.city))))
    return Head(
        title=", ".join(filter(None, (name, days))),
        description=shortened(building.description, MOST_DESCRIPTION) or _address(building, reader),
        canonical=canonical,
        robots="noindex",
        picture=next(iter(photo_addresses(building.images)), ""),
        data=structured_data(context, found, amenities, reader.stay_line(search), origin, canonical),
    )


def _facts(found: FoundProperty, views: tuple[FacilityView, ...]) -> tuple[Fact, ...]:
    """What people ask first; only what the provider says."""
    details = found.details
    pets = _pets_policy(details) or PolicyView(_text_of(views, "PET"), known=True)
    facts = (
        _time(_("Check-in"), details.check_in_time),
        _time(_("Check-out"), details.check_out_time),
        Fact("square-parking", _("Parking"), _text_of(views, "PARKING")),
        Fact("paw-print", _("Pets"), pets.text, pets.known),
        Fact("coffee", _("Breakfast"), _breakfast(found) or _text_of(views, "BREAKFAST")),
    )
    return tuple(fact for fact in facts if fact.text)


def _time(heading: str, lines: tuple[str, ...]) -> Fact:
    """Hours in digits are the same in every language."""
    text = ", ".join(lines)
    return Fact("clock", heading, text, known=not any(map(str.isalpha, text)))


def _text_of(views: tuple[FacilityView, ...], word: str) -> str:
    """The first facility whose code has the word, also as PETS of PET; empty for none."""
    return next((one.text for one in views if {word, f"{word}S"} & {*one.code.split("_")}), "")


def _pets_policy(details: PropertyDetails) -> PolicyView | None:
    """The first rule about pets, of a long one from the sentence that names them on. Empty where that leaves
    them out: then no facility says otherwise either."""
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


def _breakfast(found: FoundProperty) -> str:
    """Whether the offers have it in their price; empty where none has."""
    included = [priced.offer.breakfast for priced in found.offers or ()]
    if not any(included):
        return ""
    return _("Included in every offer") if all(included) else _("Included in some offers")


def _address(building: Property, reader: Reader) -> str:
    return place_line(building, reader.country(building.country))


def _price_note(found: FoundProperty, card: ListingCard) -> NoOffers | None:
    """Why there is no price; None where there is one."""
    if card.best:
        return None
    return NoOffers.NOT_OFFERED if found.offers is not None else found.no_offers


def _price_words(found: FoundProperty, note: NoOffers | None) -> str:
    """What the page says of that; of an older description it doesn't say that it is up to date."""
    if note is NoOffers.UNAVAILABLE and found.stale:
        return _("Prices are not available right now.")
    return str(_PRICE_NOTES[note]) if note else ""


# Where choosing dates may bring a price, or another one.
_OTHER_DATES = frozenset({None, NoOffers.NO_DATES, NoOffers.NOT_OFFERED})
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
