"""The interface's documents -> domain objects. JSON ends here.

Strict on the envelope, tolerant of its entries: an entry that no other can be told from is left out and
counted in one WARNING; a wrong member costs its own member only. Sizes are bounded here and in `values`,
once.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, wraps
from itertools import islice
from typing import ParamSpec, TypeVar

import msgspec

from search.domain.hotels import (
    Airport,
    Facility,
    Property,
    PropertyDetails,
    Room,
    RoomType,
    at_provider,
)
from search.domain.money import Money
from search.domain.offers import (
    Listing,
    Offer,
    Price,
    Surcharge,
    is_above_zero,
    lowest_offers,
    usable_price,
)
from search.domain.outlines import OfferOutline
from search.domain.vocabulary import Note, broader, facility_named, facility_of, is_absent

from . import schema
from .errors import Garbled, GatewayError
from .free_form import cards_of, facilities_of, lines_of, policies_of, times_of
from .text import prose
from .values import (
    MAX_IMAGES,
    NOBODY,
    OFTEN,
    THREE_LETTERS,
    code,
    coordinates,
    country,
    currency,
    deposit,
    distance,
    extra_cost,
    identifier,
    images,
    line,
    meaningful,
    money,
    nonempty,
    open_code,
    pictures,
    price,
    rating,
    routes,
    stars,
    whole,
    with_letters,
)

log = logging.getLogger(__name__)

MAX_DESCRIPTION = 20_000
MAX_LISTED_DESCRIPTION = 1_000
MAX_OFFERS_READ = 200
MAX_SURCHARGES = 20
MAX_FACILITIES = 240
MAX_ROOM_TYPES = 60
MAX_ROOMS = 20
# Of all room types together, and what each of them and of their rooms takes of it whatever it says.
MAX_ROOMS_BYTES = 300_000
ROOM_BYTES = 500
# Of one member of a property's details; each value takes some twenty microseconds.
MAX_VALUES = 25_000
MAX_TOTAL = 100_000_000

P = ParamSpec("P")
T = TypeVar("T")


def garbled_at_worst(read: Callable[P, T]) -> Callable[P, T]:
    """`read`, with every error that is no GatewayError made one: what came over the wire is to blame."""

    @wraps(read)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return read(*args, **kwargs)
        except GatewayError:
            raise
        except Exception as error:
            # Its message may hold parts of the document; raised outside, the new error has no context.
            log.error("reading=%s unexpected=%s", read.__name__, type(error).__name__)
        raise Garbled("envelope")

    return guarded


@garbled_at_worst
def property_details(body: bytes, provider: str, property_id: str) -> PropertyDetails:
    """Section 2.6 of the interface, for the property that was asked for. Raises Garbled for anything but an
    object; one without usable propertyDetails has no details `available`."""
    document = schema.decode(body, schema.DetailsDocument)
    details = document.propertyDetails or schema.WireDetails()
    summary = details.propertySummary or schema.PropertySummary()
    room_types = nonempty(details.roomTypes if document.roomTypes is None else document.roomTypes)
    for name in details.__struct_fields__:
        setattr(details, name, schema.first_values(getattr(details, name), MAX_VALUES))
    # It is the property that was asked for, whatever identifiers came back.
    key = property_key(identifier(summary.ryanairId), provider, property_id, ())
    return PropertyDetails(
        property=_property(summary, key, provider, property_id, MAX_DESCRIPTION),
        check_in_time=times_of(details.checkinTime),
        check_out_time=times_of(details.checkoutTime),
        policies=policies_of(details.policies),
        facilities=facilities_of(details.facilities),
        accepted_cards=cards_of(details.acceptedCreditCards),
        room_types=tuple(_room_types(schema.first_values(room_types[:MAX_ROOM_TYPES], MAX_VALUES))),
        available=details != schema.WireDetails(),
        room_types_sent=len(room_types),
    )


@garbled_at_worst
def airport_list(body: bytes) -> tuple[Airport, ...]:
    """Section 2.7 of the interface, without repeats and without entries that carry no IATA code."""
    entries = schema.decode(body, list[schema.WireAirport | None])
    airports = [_airport(entry) if entry else None for entry in entries]
    check_skipped("airports", airports)
    return tuple({one.code: one for one in reversed(airports) if one}.values())[::-1]


def check_skipped(endpoint: str, read: Sequence[object | None]) -> None:
    """Warn of entries that are None; Garbled if all of them are."""
    if read and not any(read):
        raise Garbled("entries")
    if skipped := read.count(None):
        log.warning("%s: %d unusable entries left out", endpoint, skipped)


def listing(entry: schema.ResultEntry) -> Listing | None:
    """An entry of section 2.1. None when no identifier tells the property from others."""
    summary = entry.propertySummary
    if summary is None:
        return None
    provider, own_id = identifier(summary.providerId), identifier(summary.id)
    sent = nonempty([_offer(one, provider, own_id) for one in nonempty(entry.offers, MAX_OFFERS_READ)])
    offers = [*dict.fromkeys(sent)]
    key = property_key(identifier(summary.ryanairId), provider, own_id, offers)
    building = _property(summary, key, provider, own_id, MAX_LISTED_DESCRIPTION)
    return Listing(building, lowest_offers(offers), distance(entry.distance)) if key else None


def property_key(shared: str, provider: str, own_id: str, offers: Sequence[Offer | OfferOutline]) -> str:
    """What the property is known by, surest first; empty without any identifier. `shared` is the one that
    providers share; where it stands for nothing, hotels that have nothing in common would be taken for one
    hotel, with each other's prices."""
    if shared and not NOBODY.fullmatch(shared):
        return shared
    return at_provider(provider, own_id) if own_id else offers[0].key if offers else ""


def _property(
    summary: schema.PropertySummary, key: str, provider: str, own_id: str, max_description: int
) -> Property:
    return Property(
        key=key,
        provider=provider,
        id=own_id,
        name=line(summary.name),
        description=meaningful(prose(summary.description or "", max_description)),
        address=with_letters(line(_on_one_line(summary.address))),
        city=line(summary.location.city if summary.location else None),
        country=country(summary.countryCode),
        coordinates=coordinates(summary.coordinates),
        stars=stars(summary.category),
        rating=rating(summary.rating),
        images=images(summary.images),
        type=with_letters(open_code(summary.propertyType)),
    )


def _on_one_line(lines: str | None) -> str:
    """`Rua Nova 5, 1100 Lisbon`, also of an address that is written on two lines."""
    if not lines or "\n" not in lines:
        return lines or ""
    return ", ".join(filter(None, (one.strip(" ,\r\t") for one in lines.split("\n"))))


def seller(provider: str, property_id: str, listed_by: str, listed_as: str) -> tuple[str, str]:
    """Provider and property id of an offer that says these; that of the provider who lists the property needs
    neither."""
    provider = provider or listed_by
    return provider, property_id or (listed_as if provider == listed_by else "")


def _offer(offer: schema.WireOffer, listed_by: str, listed_as: str) -> Offer | None:
    sold_by, sold_as = identifier(offer.providerId), identifier(offer.providerPropertyId)
    provider, property_id = seller(sold_by, sold_as, listed_by, listed_as)
    if not provider or not property_id:
        return None
    quoted = offer.minPrice or schema.MinPrice()
    discount = whole(quoted.discountPercentage, 99) or 0
    asked = price(quoted.price)
    return Offer(
        provider=provider,
        property_id=property_id,
        rate=line(quoted.rateDescription),
        price=asked,
        original_price=price(quoted.originalPrice) if discount else None,
        credit=_credit(quoted),
        deposit=deposit(quoted.deposit),
        payment_mode=open_code(quoted.paymentMode),
        promo_type=open_code(quoted.promoType),
        discount_percent=discount,
        surcharges=_surcharges(nonempty(quoted.surcharges), usable_price(asked)),
        facilities=facilities(nonempty(offer.facilities, MAX_FACILITIES)),
        free_cancellation=offer.freeCancellation is True,
    )


def _credit(quoted: schema.MinPrice) -> Money | None:
    """The reward: the offer's own travel-credit triple, where a 0 alone says that there is none; without one
    the credit member of its price."""
    own, price = quoted.travelCredit, quoted.price
    told = [*map(money, (own.travelCredit, own.customerPrice, own.propertyPrice))] if own else []
    if not any(told) and price:
        told = [money(price.travelCredit)]
    return next((credit for credit in told if credit and is_above_zero(credit)), None)


def _surcharges(sent: list[schema.WireSurcharge], asked: Money | None) -> tuple[Surcharge, ...]:
    """The first ones, and all others as one per currency, so that no total is too low for our limit."""
    named = [Surcharge(open_code(one.type), _surcharge_price(one.price)) for one in sent]
    if len(named) <= MAX_SURCHARGES:
        return tuple(named)
    rest: dict[str, Money | None] = {}
    for one in named[MAX_SURCHARGES:]:
        amount = one.amount_on(asked)
        currency = amount.currency if amount else ""
        known = rest.get(currency)
        rest[currency] = known + amount if known and amount else amount
    if len(rest) > MAX_SURCHARGES:
        rest = {**dict(list(rest.items())[:MAX_SURCHARGES]), "": None}
    others = [Surcharge("", Price(amount)) for amount in rest.values()]
    return (*named[:MAX_SURCHARGES], *others)


def _surcharge_price(pair: schema.PricePair | None) -> Price:
    return Price(extra_cost(pair.customerPrice), extra_cost(pair.propertyPrice)) if pair else Price()


def facilities(sent: list[schema.WireFacility]) -> tuple[Facility, ...]:
    try:
        return tuple(dict.fromkeys(filter(None, map(_known_facility, sent))))
    except _TooLongToKeep:
        return tuple(dict.fromkeys(filter(None, map(_read_facility, sent))))


def _read_facility(sent: schema.WireFacility) -> Facility | None:
    """None for one that is said not to be there. A type that is a number says nothing to anybody: its
    description stands in for it; that of one that is charged for isn't FREE_WIFI but WIFI."""
    availability = code(sent.availability if isinstance(sent.availability, str) else None)
    if sent.availability is False or is_absent(availability):
        return None
    kind, description = open_code(sent.type), with_letters(line(sent.description))
    kind = with_letters(kind) or (kind and code(description))
    named = facility_of(kind, description, availability)
    if named.note is Note.CHARGE and named.code in broader(facility_named(kind).code):
        kind = named.code
    return Facility(kind, description, availability, code(identifier(sent.id)))


class _TooLongToKeep(Exception):
    """A text that is longer than what comes again and again."""


@lru_cache(maxsize=4096)
def _known_facility(sent: schema.WireFacility) -> Facility | None:
    if len(f"{sent.type}{sent.description}{sent.availability}{sent.id}") > 2 * OFTEN:
        raise _TooLongToKeep
    return _read_facility(sent)


def _room_types(sent: list[schema.WireRoomType]) -> Iterator[RoomType]:
    """The first ones that say anything, as far as a page holds them, which shows equal rooms as one: the last
    may lack some of its rooms."""
    left = MAX_ROOMS_BYTES
    for described in map(_room_type, sent):
        if described == _NO_ROOM_TYPE:
            continue
        left -= _weight(msgspec.structs.replace(described, rooms=()))
        rooms: list[Room] = []
        for room in described.rooms:
            left -= 0 if room in rooms else _weight(room)
            if left >= 0:
                rooms.append(room)
        if left >= 0 or rooms:
            yield msgspec.structs.replace(described, rooms=tuple(rooms))
        if left < 0:
            return


_NO_ROOM_TYPE = RoomType("", "", (), (), ())
_NO_ROOM = Room("", "", (), (), (), ())


def _weight(described: RoomType | Room) -> int:
    return ROOM_BYTES + len(msgspec.msgpack.encode(described))


def _room_type(room_type: schema.WireRoomType) -> RoomType:
    return RoomType(
        name=" ".join(lines_of(room_type.name)),
        description="\n".join(lines_of(room_type.description)),
        images=images(list(islice(pictures(room_type.images), MAX_IMAGES))),
        facilities=facilities_of(room_type.facilities),
        rooms=tuple(told for one in nonempty(room_type.rooms, MAX_ROOMS) if (told := _room(one)) != _NO_ROOM),
    )


def _room(room: schema.WireRoom) -> Room:
    return Room(
        name=" ".join(lines_of(room.name)),
        description="\n".join(lines_of(room.description)),
        max_occupancy=tuple(one for one in lines_of(room.maxOccupancy) if not NOBODY.fullmatch(one)),
        bed_types=tuple(filter(with_letters, lines_of(room.bedTypes))),
        policies=policies_of(room.policies),
        cancellation_policies=policies_of(room.cancellationPolicies),
    )


def _airport(airport: schema.WireAirport) -> Airport | None:
    iata = code(airport.iataCode).upper()
    if not THREE_LETTERS.fullmatch(iata):
        return None
    return Airport(
        code=iata,
        name=line(airport.name) or iata,
        coordinates=coordinates(airport.coordinates),
        base=airport.base is True,
        country=country(airport.countryCode),
        region=code(airport.regionCode),
        city=code(airport.cityCode),
        currency=currency(airport.currencyCode),
        routes=routes(airport.routes),
        seasonal_routes=routes(airport.seasonalRoutes),
        categories=tuple(dict.fromkeys(code(one) for one in nonempty(airport.categories))),
        priority=whole(airport.priority, 1_000_000) or 0,
    )
