"""One property in full, with every provider's offer for the stay."""

from __future__ import annotations

from dataclasses import dataclass

from search.domain.context import SearchContext
from search.domain.hotels import Property
from search.domain.query import StaySearch
from search.domain.site_settings import CodeKind
from search.results.card import FacilityView, OfferView, PriceWords, anchor_line, facilities_of
from search.results.listings import FoundProperty
from search.web import formatting
from search.web.formatting import Reader, guests, nights, star_words
from search.web.labels import facility_icon, property_name
from search.web.links import Links, property_path
from search.web.meta import Head
from search.web.photos import Photo, photo_addresses
from search.web.search_bar import SearchBar
from search.web.translation import gettext as _

from .json_ld import hotel_data
from .rooms import RoomTypeView

MOST_AIRPORTS = 4
MOST_ROOM_TYPES = 60


@dataclass(frozen=True, slots=True)
class PropertyBeginning:
    """Parameters of property/skeleton.html: what the page of a property says before its details are known."""

    head: Head
    bar: SearchBar
    back: str
    stay: str

    @classmethod
    def build(cls, context: SearchContext, card_page: int) -> PropertyBeginning:
        return cls(
            head=Head(title=_("Hotel details"), robots="noindex"),
            bar=SearchBar.of_search(context),
            back=Links.of(context, card_page).results(),
            stay=_stay(context.search, Reader.for_search(context)),
        )


def _stay(search: StaySearch, reader: Reader) -> str:
    days = formatting.stay_days(search.dates, reader.texts)
    return " · ".join((days, nights(search.dates.nights), guests(search.guests)))


@dataclass(frozen=True, slots=True)
class PropertyPage:
    """Parameters of property/page.html. `best` is None without a price; then `price_note` says why.

    `airports` are name and distance, nearest first; `latitude` and `longitude` degrees as text, or empty.
    """

    head: Head
    bar: SearchBar
    back: str
    name: str
    stars: str
    star_words: str
    rating_value: str
    rating_words: str
    kind: str
    address: str
    photos: tuple[Photo, ...]
    description: str
    stay: str
    best: OfferView | None
    offers: tuple[OfferView, ...]
    flexibility: str
    price_note: str
    stale_note: str
    facilities: tuple[FacilityView, ...]
    check_in: tuple[str, ...]
    check_out: tuple[str, ...]
    policies: tuple[str, ...]
    cards: tuple[str, ...]
    room_types: tuple[RoomTypeView, ...]
    rooms_note: str
    provider: str
    airports: tuple[tuple[str, str], ...]
    anchor_distance: str
    latitude: str
    longitude: str
    pin: str
    with_map: bool

    @classmethod
    def build(cls, context: SearchContext, found: FoundProperty, card_page: int = 1) -> PropertyPage:
        """`card_page` is the page of results the visitor came from."""
        search, site, reader = context.search, context.site, Reader.for_search(context)
        links = Links.of(context, card_page)
        prices = PriceWords(reader, links)
        building, details = found.building, found.details
        shown = (found.provider, found.property_id)
        offers = tuple(prices.offer(one, shown) for one in found.offers or ())
        best = offers[0] if offers and offers[0].price else None
        rating_value, rating_words = reader.rating(building.rating)
        at = building.coordinates
        return cls(
            head=_head(search, found, reader),
            bar=SearchBar.of_search(context),
            back=links.results_at(building.key),
            name=property_name(building),
            stars="★" * (building.stars or 0),
            star_words=star_words(building.stars or 0),
            rating_value=rating_value,
            rating_words=rating_words,
            kind=reader.label(CodeKind.PROPERTY_TYPE, building.type),
            address=_address(building, reader),
            photos=_photos(building),
            description=building.description,
            stay=_stay(search, reader),
            best=best,
            offers=offers,
            flexibility=_flexibility(found, reader),
            price_note=_price_note(found, best),
            stale_note=_stale_note(found, reader),
            facilities=_facilities(found, reader),
            check_in=details.check_in_time,
            check_out=details.check_out_time,
            policies=details.policies,
            cards=details.accepted_cards,
            room_types=tuple(RoomTypeView.of(one) for one in details.room_types[:MOST_ROOM_TYPES]),
            rooms_note=_rooms_note(len(details.room_types)),
            provider=site.provider_label(found.provider),
            airports=tuple(
                (f"{airport.name} ({airport.code})", formatting.kilometres(km, reader.numbers))
                for airport, km in found.airports[:MOST_AIRPORTS]
            ),
            anchor_distance=anchor_line(context.anchor, found.anchor_km, reader),
            latitude=f"{at.latitude:.5f}" if at else "",
            longitude=f"{at.longitude:.5f}" if at else "",
            pin=best.price.total if best and best.price else "",
            with_map=site.map_enabled and at is not None,
        )


def _head(search: StaySearch, found: FoundProperty, reader: Reader) -> Head:
    building, days = found.building, formatting.stay_days(search.dates, reader.texts)
    photos = photo_addresses(building.images)
    return Head(
        title=", ".join(filter(None, (property_name(building), building.city, days))),
        description=" ".join(building.description.split())[:155],
        canonical=f"{property_path(found.provider, found.property_id)}?{search.query_string()}",
        robots="noindex",
        picture=photos[0] if photos else "",
        data=hotel_data(found),
    )


def _address(building: Property, reader: Reader) -> str:
    parts = [building.address]
    if building.city and building.city.casefold() not in building.address.casefold():
        parts.append(building.city)
    parts.append(reader.country(building.country))
    return ", ".join(part for part in parts if part)


def _photos(building: Property) -> tuple[Photo, ...]:
    return tuple(
        Photo(
            address,
            alt=_("Photo %(number)s of %(name)s") % {"number": number, "name": property_name(building)},
            eager=number <= 3,
        )
        for number, address in enumerate(photo_addresses(building.images), 1)
    )


def _facilities(found: FoundProperty, reader: Reader) -> tuple[FacilityView, ...]:
    """The property's own facilities, then those only its offers name."""
    own = tuple(
        FacilityView(text, facility_icon(text.upper().replace(" ", "_"))) for text in found.details.facilities
    )
    known = {one.text.casefold() for one in own}
    return own + tuple(
        one for one in facilities_of(found.offers or (), reader) if one.text.casefold() not in known
    )


def _rooms_note(count: int) -> str:
    """Said when a provider names more room types than a page can hold."""
    if count <= MOST_ROOM_TYPES:
        return ""
    return _("%(shown)s of %(count)s room types are shown.") % {"shown": MOST_ROOM_TYPES, "count": count}


def _flexibility(found: FoundProperty, reader: Reader) -> str:
    if found.flexibility is None:
        return ""
    return _("+ %(amount)s for free cancellation") % {"amount": reader.money(found.flexibility)}


def _price_note(found: FoundProperty, best: OfferView | None) -> str:
    if found.offers is None:
        return _("Prices can't be had right now. Everything else on this page is up to date.")
    return "" if best else _("No price for these dates.")


def _stale_note(found: FoundProperty, reader: Reader) -> str:
    return reader.stale_note(found.fetched_at) if found.stale else ""
