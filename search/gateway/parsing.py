"""The interface's documents -> domain objects. JSON ends here.

Strict on the envelope, tolerant of its entries: an entry that no other can be told from is left out and
counted in one WARNING; a wrong member costs its own member only. Sizes are bounded here and in `values`,
once.

Values of the interface's documents -> ours: an amount, a code, a name, a picture.

One that can't be used is None, or an empty text. Sizes are bounded here.
"""

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache, wraps
from itertools import islice
from typing import Any, ParamSpec, TypeVar

import msgspec

from search.domain.hotels import (
    Airport,
    Coordinates,
    Distance,
    Facility,
    GuestRating,
    Property,
    PropertyDetails,
    Room,
    RoomType,
    Route,
    at_provider,
)
from search.domain.money import CURRENCIES, NO_CURRENCIES, Money
from search.domain.offers import (
    Listing,
    Offer,
    Price,
    Surcharge,
    is_above_zero,
    lowest_offers,
    usable_price,
)
from search.domain.vocabulary import Note, broader, facility_named, facility_of, is_absent
from search.gateway.outlines import OfferOutline

from . import schema
from .errors import Garbled, GatewayError
from .free_form import (
    MAX_DEPTH,
    cards_of,
    clean_line,
    facilities_of,
    https_addresses,
    lines_of,
    policies_of,
    prose,
    times_of,
)

MAX_NAME = 300
MAX_IMAGES = 40
MAX_CODE = 60
MAX_ID = 500
MAX_AMOUNT = Decimal(10) ** 12
_ZERO, _CENT = Decimal(0), Decimal("0.01")
_TWO_LETTERS = re.compile(r"[A-Za-z]{2}")
_UNKNOWN_COUNTRIES = frozenset({"xx", "zz"})
THREE_LETTERS = re.compile(r"[A-Za-z]{3}")
# Where an object has a picture's address, and what it calls sizes of the picture, in pixels or by a word that
# stands for so many.
_ADDRESSES = ("url", "href", "src", "link")
_SIZE = re.compile(r"([1-9][0-9]{1,4})(?:px|x[0-9]{1,5})?", re.ASCII)
_SIZES = {
    100: ("thumbnail", "thumb", "xs"),
    200: ("small", "s"),
    500: ("medium", "m"),
    1000: ("large", "big", "l"),
    1500: ("xl", "xlarge", "extralarge", "full"),
    2000: ("xxl", "xxlarge", "original"),
}
# What stands where nothing is known: `null`, `N/A`, NOT_SPECIFIED, NO_PROMOTION. Most texts begin otherwise.
_NOTHING = re.compile(
    r"null|none|nil|n/?a|no[ _-]?(?:value|data|rating|promotion|promo)"
    r"|not[ _-]?(?:specified|defined|available|applicable|provided|rated|mapped|known|given|set)"
    r"|un(?:known|specified|defined|rated|mapped|assigned|set)",
    re.IGNORECASE,
)
# The same among identifiers, which are never below 0.
NOBODY = re.compile(rf"\s*(?:[0-]*|-\d+|{_NOTHING.pattern}|missing|empty|invalid)\s*", re.IGNORECASE)
_NUMBERS = frozenset({int, float})  # bool is none
# Codes, facilities and rates are the same few texts all over; a longer text is read each time it comes.
OFTEN = 80

T = TypeVar("T")


def nonempty(entries: list[T | None] | None, most: int | None = None) -> list[T]:
    """Those of the first `most` entries that are neither null nor empty."""
    return [one for one in (entries or [])[:most] if one]


def with_letters(text: str) -> str:
    """Empty for a text without any letter: no type, no address and no bed is read from figures or commas."""
    return text if text[:1].isalpha() or any(map(str.isalpha, text)) else ""


def stars(category: Any) -> int | None:
    """Half a star is none: a hotel of 3.5 stars is found among those of three."""
    if type(category) is int:
        return category if 1 <= category <= 5 else None
    found = number(category)
    return int(found) if found is not None and 1 <= found < 6 else None


def currency(given: str | None) -> str:
    """An ISO 4217 code in capitals, or nothing, also for one that says that there is no currency."""
    return _currency(given) if given and len(given) == 3 else ""


@lru_cache(maxsize=512)
def _currency(given: str) -> str:
    letters = given.upper()
    return letters if THREE_LETTERS.fullmatch(given) and letters not in NO_CURRENCIES else ""


def country(given: str | None) -> str:
    """A two-letter country code in lower case, or nothing, also for one that says that it isn't known."""
    letters = code(given).lower()
    return letters if _TWO_LETTERS.fullmatch(letters) and letters not in _UNKNOWN_COUNTRIES else ""


def price(triple: schema.PricePair | None) -> Price | None:
    if triple is None:
        return None
    customer, own = money(triple.customerPrice), money(triple.propertyPrice)
    return Price(customer, own) if customer or own else None


def deposit(value: Any) -> Price | None:
    """A deposit counts only as an amount or as a price triple; its type is not shown in the interface."""
    if not isinstance(value, dict):
        return None
    if "currencyCode" in value:
        amount = money(schema.mended(value, schema.Amount))
        return Price(amount) if amount else None
    return price(schema.mended(value, schema.Triple))


def money(amount: schema.Amount | None) -> Money | None:
    """None for a missing, textual, negative, infinite or absurd value or an odd currency."""
    if amount is None:
        return None
    value, code = amount.value, amount.currencyCode
    # What nearly all amounts are; the rest takes twice the time.
    if type(value) is Decimal and code in CURRENCIES and _CENT <= value <= MAX_AMOUNT:
        return Money(value, code)
    unit, value = currency(code), number(value)
    return Money(value, unit) if unit and value is not None and _ZERO <= value <= MAX_AMOUNT else None


def extra_cost(amount: schema.Amount | None) -> Money | None:
    """As `money`, of a surcharge: one below 0 takes something off, so it is no extra cost."""
    if (found := money(amount)) or amount is None:
        return found
    unit, value = currency(amount.currencyCode), number(amount.value)
    return Money(_ZERO, unit) if unit and value is not None and -MAX_AMOUNT <= value < 0 else None


def number(value: Any) -> Decimal | None:
    """A JSON number that arithmetic can be done on cheaply; textual numbers are none."""
    if type(value) is Decimal:
        found = value
    elif type(value) in _NUMBERS:
        found = Decimal(str(value))
    else:
        return None
    # 1e-999999 is finite too, and writing it out is not cheap.
    return found if found.is_finite() and (-15 <= found.adjusted() <= 15 or not found) else None


def whole(value: Any, most: int) -> int | None:
    """A whole number of 0 to `most`."""
    if type(value) is int:
        return value if 0 <= value <= most else None
    found = number(value)
    return int(found) if found is not None and found == int(found) and 0 <= found <= most else None


def rating(rated: schema.WireRating | None) -> GuestRating | None:
    """None without a number above 0, which is how the unrated are counted, and without a word."""
    value = rating_value(rated)
    word = with_letters(open_code(rated.code if rated else None))
    return GuestRating(value, word) if value is not None or word else None


def rating_value(rated: schema.WireRating | None) -> Decimal | None:
    value = number(rated.value) if rated else None
    return value if value is not None and 0 < value <= 1_000 else None


def coordinates(point: schema.WireCoordinates | None) -> Coordinates | None:
    """None outside the globe, and for 0,0: a property in the Gulf of Guinea is a missing value."""
    latitude, longitude = (number(point.latitude), number(point.longitude)) if point else (None, None)
    if latitude is None or longitude is None:
        return None
    found = Coordinates(float(latitude), float(longitude))
    on_globe = abs(found.latitude) <= 90 and abs(found.longitude) <= 180
    return found if on_globe and (latitude or longitude) else None


def distance(measured: schema.WireDistance | None) -> Distance | None:
    value = number(measured.value) if measured else None
    return Distance(value, code(measured.unit)) if measured and value is not None and value >= 0 else None


def routes(entries: list[str | None] | None) -> tuple[Route, ...]:
    pairs = (code(entry).partition(":") for entry in nonempty(entries))
    return tuple(dict.fromkeys(Route(kind, place) for kind, _, place in pairs if kind and place))


def line(given: str | None) -> str:
    """A name or a sentence on one line."""
    return meaningful(clean_line(given or "", MAX_NAME))


def meaningful(text: str) -> str:
    """Empty for a text that stands for nothing, such as `null` or a dash."""
    said = text[:1].isalnum() or any(map(str.isalnum, text))
    return text if said and not _NOTHING.fullmatch(text) else ""


def code(given: str | None) -> str:
    """A code or another short text."""
    given = given or ""
    return _short_code(given) if len(given) <= OFTEN else clean_line(given, MAX_CODE)


@lru_cache(maxsize=4096)
def _short_code(given: str) -> str:
    return clean_line(given, MAX_CODE)


def open_code(given: str | None) -> str:
    """A code of an open list; empty for one that says that there is none, such as NOT_SPECIFIED."""
    return _telling_code(given) if given and len(given) <= OFTEN else code(given)


@lru_cache(maxsize=4096)
def _telling_code(given: str) -> str:
    return meaningful(clean_line(given, MAX_CODE))


def identifier(given: schema.Identifier | None) -> str:
    """Kept as it came, so that it can be sent back; an absurdly long one is none, nor one that can't be
    encoded or that no database keeps."""
    if type(given) is not str:
        given = str(given) if type(given) is int else ""
    encodable = given.isascii() or not any("\ud800" <= char <= "\udfff" for char in given)
    return given if encodable and "\0" not in given and len(given) <= MAX_ID else ""


def images(values: list[Any] | None) -> tuple[str, ...]:
    """The https addresses among the first values, each once."""
    return https_addresses([one for one in (values or [])[:MAX_IMAGES] if isinstance(one, str)])


def pictures(value: Any, depth: int = 0) -> Iterator[Any]:
    """The texts that may be addresses of a room's pictures. The interface shows neither addresses nor objects
    that hold one; of one picture in several sizes the largest is taken."""
    if isinstance(value, list) and depth <= MAX_DEPTH:
        for one in value:
            yield from pictures(one, depth + 1)
    elif isinstance(value, dict) and depth <= MAX_DEPTH:
        sizes = {name: size for name in value if (size := _size_named(name))}
        named = next(
            (name for name in _ADDRESSES if name in value), max(sizes, key=sizes.__getitem__, default="")
        )
        yield from pictures(value[named] if named else list(value.values()), depth + 1)
    elif isinstance(value, str):
        yield value


def _size_named(name: str) -> int:
    """How large a picture is that an object has under this name, such as `large` or `1000px`; 0 for none."""
    if digits := _SIZE.fullmatch(name):
        return int(digits[1])
    return next((size for size, words in _SIZES.items() if name.lower() in words), 0)


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


def seller(offer: schema.WireOffer | schema.BriefOffer, listed_by: str, listed_as: str) -> tuple[str, str]:
    """Provider and property id of an offer; the provider who lists the property may leave out both."""
    provider = identifier(offer.providerId) or listed_by
    return provider, identifier(offer.providerPropertyId) or (listed_as if provider == listed_by else "")


def _offer(offer: schema.WireOffer, listed_by: str, listed_as: str) -> Offer | None:
    provider, property_id = seller(offer, listed_by, listed_as)
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
