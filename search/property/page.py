"""One property in full, with every provider's offer for the stay."""

import json
import re
from dataclasses import dataclass
from typing import Any, Self

from search.domain.context import SearchContext
from search.domain.hotels import Airport, Coordinates, Property, Room, RoomType
from search.domain.query import StaySearch
from search.domain.text import language_of, shortened
from search.results.card import CardMaker, ListingCard, place_line
from search.results.listings import FoundProperty, NoOffers
from search.web import formatting
from search.web.facilities import FacilityGroup, facility_groups, facility_views, named_facilities
from search.web.formatting import Reader, guests, nights
from search.web.labels import policy, property_name
from search.web.links import Links, property_path
from search.web.meta import Head
from search.web.photos import photo_addresses
from search.web.search_bar import SearchBar
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy, ngettext

from .service import card_of

MOST_AIRPORTS = 4
MOST_ROOM_TYPES = 60
MOST_IMAGES = 6
MOST_DESCRIPTION = 155
_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d", re.ASCII)
_ONLY_TIMES = re.compile(rf"{_TIME.pattern}(?:\s*[-\u2013\u2014]\s*{_TIME.pattern})?", re.ASCII)
# The same characters as Django's json_script: the text can't end its script element.
_ESCAPES = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}


def stay_line(search: StaySearch, reader: Reader) -> str:
    """`3–7 Dec 2026 · 4 nights · 2 guests`."""
    days = formatting.stay_days(search.dates, reader.texts)
    return " · ".join((days, nights(search.dates.nights), guests(search.guests)))


@dataclass(frozen=True, slots=True)
class RoomTypeView:
    """Parameters of property/room_type.html. `rooms` are each room and how many sleep in it."""

    described: RoomType
    photos: list[str]
    rooms: tuple[tuple[Room, str], ...]

    @classmethod
    def of(cls, described: RoomType) -> Self:
        rooms = tuple((room, _sleeps(room.max_occupancy)) for room in described.rooms)
        return cls(described, photo_addresses(described.images), rooms)


def _sleeps(lines: tuple[str, ...]) -> str:
    """`Sleeps 2` for a bare number; the provider's own words otherwise."""
    if len(lines) == 1 and lines[0].isascii() and lines[0].isdigit():
        return ngettext("Sleeps %(count)s", "Sleeps %(count)s", int(lines[0])) % {"count": lines[0]}
    return ", ".join(lines)


@dataclass(frozen=True, slots=True)
class PropertyBeginning:
    """Parameters of property/skeleton.html: what the page of a property says before its details are known."""

    head: Head
    bar: SearchBar
    back: str
    stay: str

    @classmethod
    def build(cls, context: SearchContext, card_page: int) -> Self:
        return cls(
            head=Head(title=_("Hotel details"), robots="noindex"),
            bar=SearchBar.of_search(context),
            back=Links.of(context, card_page).results(),
            stay=stay_line(context.search, Reader.for_search(context)),
        )


@dataclass(frozen=True, slots=True)
class PropertyPage:
    """Parameters of property/page.html. `card` says what its card says; `price_note` why it has no price.

    `here` is the address of this page, `airports` are name and distance, nearest first; `centre` is the
    middle of the city that was searched; `text_language` is that of the provider's own words, empty where it
    is the page's.
    """

    found: FoundProperty
    head: Head
    bar: SearchBar
    back: str
    here: str
    card: ListingCard
    address: str
    photos: list[str]
    stay: str
    price_note: str
    stale_note: str
    facilities: tuple[FacilityGroup, ...]
    room_types: tuple[RoomTypeView, ...]
    provider: str
    airports: tuple[tuple[str, str], ...]
    with_map: bool
    text_language: str
    centre: Coordinates | None
    policies: tuple[str, ...]

    @classmethod
    def build(
        cls, context: SearchContext, found: FoundProperty, card_page: int = 1, origin: str = ""
    ) -> Self:
        """`card_page` is the page of results the visitor came from, `origin` our scheme and host."""
        search, site, maker = context.search, context.site, CardMaker.of(context, card_page)
        building, reader, links = found.building, maker.reader, maker.prices.links
        room_types, card = found.details.room_types, maker.card(card_of(found), 0)
        return cls(
            found=found,
            head=_head(search, found, reader, origin),
            bar=SearchBar.of_search(context),
            back=links.results_at(building.key),
            here=links.property(found.provider, found.property_id),
            card=card,
            address=_address(building, reader),
            photos=photo_addresses(building.images),
            stay=stay_line(search, reader),
            price_note=_price_note(found, card),
            stale_note=reader.stale_note(found.fetched_at) if found.stale else "",
            facilities=_facilities(found, reader),
            room_types=tuple(map(RoomTypeView.of, room_types[:MOST_ROOM_TYPES])),
            provider=site.provider_label(found.provider),
            airports=tuple(_airport(one, km, reader) for one, km in found.airports[:MOST_AIRPORTS]),
            with_map=site.map_enabled and bool(building.coordinates),
            policies=tuple(dict.fromkeys(map(policy, found.details.policies))),
            text_language=_text_language(building.description, search.market, reader),
            centre=context.centre if found.centre_km is not None else None,
        )


def _text_language(text: str, market: str, reader: Reader) -> str:
    """The language of the provider's own words, else of the market; empty where it is the page's."""
    language = language_of(text) or market.partition("-")[0]
    return "" if reader.texts.startswith(language) else language


def _airport(airport: Airport, km: float, reader: Reader) -> tuple[str, str]:
    return f"{airport.name} ({airport.code})", formatting.kilometres(km, reader.numbers)


def _head(search: StaySearch, found: FoundProperty, reader: Reader, origin: str) -> Head:
    building, days = found.building, formatting.stay_days(search.dates, reader.texts)
    canonical = f"{property_path(found.provider, found.property_id)}?{search.query_string()}"
    return Head(
        title=", ".join(filter(None, (property_name(building), building.city, days))),
        description=shortened(building.description, MOST_DESCRIPTION),
        canonical=canonical,
        robots="noindex",
        picture=next(iter(photo_addresses(building.images)), ""),
        data=_json_ld(found, origin, canonical),
    )


def _json_ld(found: FoundProperty, origin: str, path: str) -> str:
    """A schema.org Hotel. It carries no price: prices belong to a stay, not to a hotel."""
    building, details, at = found.building, found.details, found.building.coordinates
    photos = photo_addresses(building.images)[:MOST_IMAGES]
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Hotel",
        "name": property_name(building),
        "description": building.description,
        "url": f"{origin}{path}",
        "image": [f"{origin}{one}" if one.startswith("/") else one for one in photos],
        "address": _filled({
            "@type": "PostalAddress",
            "streetAddress": building.address,
            "addressLocality": building.city,
            "addressCountry": building.country.upper(),
        }),
        "geo": at and {"@type": "GeoCoordinates", "latitude": at.latitude, "longitude": at.longitude},
        "starRating": building.stars and {"@type": "Rating", "ratingValue": str(building.stars)},
        "checkinTime": next(iter(_clock_times(details.check_in_time)), ""),
        "checkoutTime": next(iter(_clock_times(details.check_out_time)[::-1]), ""),
        "amenityFeature": [
            {"@type": "LocationFeatureSpecification", "name": text, "value": True}
            for text in details.facilities
        ],
    }  # fmt: skip
    return json.dumps(_filled(data), ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)


def _clock_times(lines: tuple[str, ...]) -> list[str]:
    """`15:00`, `23:00` of `15:00 – 23:00`; none where the lines say anything else."""
    text = " ".join(lines)
    return _TIME.findall(text) if _ONLY_TIMES.fullmatch(text) else []


def _filled(data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if value}


def _address(building: Property, reader: Reader) -> str:
    return ", ".join(filter(None, (place_line(building), reader.country(building.country))))


def _facilities(found: FoundProperty, reader: Reader) -> tuple[FacilityGroup, ...]:
    named = named_facilities(found.details, (one.offer for one in found.offers or ()))
    return facility_groups(facility_views(named, reader))


def _price_note(found: FoundProperty, card: ListingCard) -> str:
    if card.best:
        return ""
    return str(_PRICE_NOTES[NoOffers.NOT_OFFERED if found.offers is not None else found.no_offers])


_PRICE_NOTES = {
    NoOffers.NO_DATES: gettext_lazy("Choose dates to see prices."),
    NoOffers.NO_PLACE: gettext_lazy("Search for the town of this place to see prices."),
    NoOffers.NOT_OFFERED: gettext_lazy("No price for these dates."),
    NoOffers.BEYOND: gettext_lazy(
        "More places were found than are compared here. This is not among them, so its price is not known."
    ),
    NoOffers.UNAVAILABLE: gettext_lazy(
        "Prices are not available right now. Everything else on this page is up to date."
    ),
}
