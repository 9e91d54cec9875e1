"""The interface's documents -> domain objects. JSON ends here.

Strict on the document, tolerant of its entries: an entry that nothing tells from others is left out and
counted in one WARNING; a wrong member costs its own member only, and reads as None or an empty text. Sizes
are bounded here and in `free_form`, once.
"""

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache, wraps
from itertools import islice
from typing import Any, ParamSpec, TypeVar

import msgspec

from search.domain import hotels
from search.domain.hotels import Airport, Coordinates, Facility, Property, PropertyDetails, Room, RoomType
from search.domain.money import CURRENCIES, NO_CURRENCIES, Money
from search.domain.offers import Listing, Offer, Price, Surcharge, is_above_zero, lowest_offers
from search.domain.words import Note, broader, facility_named, facility_of, is_absent, without_entities

from . import Garbled, GatewayError, free_form, schema
from .free_form import clean_line, lines_of, meaningful, with_letters

MAX_NAME = 300
MAX_CODE = 60
MAX_ID = 500
MAX_DESCRIPTION = 20_000
MAX_LISTED_DESCRIPTION = 1_000
MAX_IMAGES = 40
MAX_ADDRESS = 2_000
MAX_AMOUNT = Decimal(10) ** 12
MAX_TOTAL = 100_000_000
MAX_OFFERS_READ = 200
MAX_SURCHARGES = 20
MAX_FACILITIES = 240
# Facilities are the same few all over; a longer one is read each time it comes.
MAX_REMEMBERED = 160
MAX_ROOM_TYPES = 60
MAX_ROOMS = 20
# Of all room types together, and what the page adds to each of them and to each room.
MAX_ROOMS_BYTES = 300_000
ROOM_BYTES = 500
# Of one member of a property's details; each value takes some twenty microseconds.
MAX_VALUES = 25_000

_ZERO, _CENT = Decimal(0), Decimal("0.01")
_LETTERS, _COUNTRY = re.compile("[A-Z]{3}"), re.compile("[a-z]{2}")
_DEGREES = re.compile(r"-?\d{1,3}(?:\.\d{1,15})?", re.ASCII)
_NO_COUNTRIES = frozenset({"eu", "ez", "qo", "un", "xa", "xb", "xx", "zz"})
_HALF_A_CHARACTER = re.compile("[\ud800-\udfff]")
# Texts that stand for nothing among identifiers and counts, which are never below 1.
_NO_NUMBER = re.compile(rf"\s*(?:[0-]*|-\d+|{free_form.NOTHING}|missing|empty|invalid)\s*", re.IGNORECASE)
_BROKEN = re.compile(r"\s*[\n\r\t]\s*")  # by the lines of a page
_HTTPS = re.compile(r"(?i:https)://[\w.-]+(?::\d+)?(?:[/?#].*)?")
# A place in an address that is to be filled in: {size}, %7Bsize%7D, [width], <name>, %HEIGHT%.
_TO_FILL_IN = re.compile(
    r"[{}]|%7B\w+%7D|<\w+>|%3C\w+%3E|\[[a-z_]+\](?!=)|%5B[a-z_]+%5D(?!=|%3D)|%[g-z_]\w*%", re.IGNORECASE
)
_NO_ROOM_TYPE = RoomType("", "", (), (), ())
_NO_ROOM = Room("", "", (), (), (), ())

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger(__name__)


def garbled_at_worst(read: Callable[P, T]) -> Callable[P, T]:
    """`read`, which raises Garbled in place of any error that is no GatewayError."""

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


def check_skipped(endpoint: str, read: Sequence[object | None]) -> None:
    """Warn of entries that are None; raise Garbled if all of them are."""
    if read and not any(read):
        raise Garbled("entries")
    if skipped := read.count(None):
        log.warning("%s: %d unusable entries left out", endpoint, skipped)


def nonempty(entries: list[T | None] | None, most: int | None = None) -> list[T]:
    """Those of the first `most` entries that are neither null nor empty."""
    return [*filter(None, entries[:most])] if entries else []


@garbled_at_worst
def airport_list(body: bytes) -> tuple[Airport, ...]:
    """Section 2.7 of the interface, without repeats and without entries that carry no IATA code."""
    entries = schema.decode(body, list[schema.WireAirport | None])
    airports = [_airport(entry) if entry else None for entry in entries]
    check_skipped("airports", airports)
    return tuple({one.code: one for one in reversed(airports) if one}.values())[::-1]


def _airport(airport: schema.WireAirport) -> Airport | None:
    iata = code(airport.iataCode).upper()
    if not _LETTERS.fullmatch(iata):
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


def routes(entries: list[str | None] | None) -> tuple[str, ...]:
    """The airports; cities, countries and regions beside them name the same flights again."""
    pairs = (code(entry).upper().partition(":") for entry in nonempty(entries))
    return tuple(dict.fromkeys(place for kind, _, place in pairs if kind == "AIRPORT" and place))


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


def property_key(shared: str, provider: str, own_id: str, offers: Sequence[Any]) -> str:
    """The surest identifier of the property, empty without any. `shared` is common to its providers; by one
    that stands for nothing, different hotels would be one hotel, with each other's prices."""
    if shared and not _NO_NUMBER.fullmatch(shared):
        return shared
    return hotels.at_provider(provider, own_id) if own_id else offers[0].key if offers else ""


def _property(
    summary: schema.PropertySummary, key: str, provider: str, own_id: str, max_description: int
) -> Property:
    described = schema.member(summary.description, str) or ""
    return msgspec.structs.replace(
        property_in_brief(summary, key, provider, own_id),
        description=meaningful(free_form.prose(described, max_description)),
        address=_address(summary),
        city=_city(summary),
        images=https_addresses(nonempty(schema.member(summary.images, list[str | None]), MAX_IMAGES)),
    )


def property_in_brief(summary: schema.PropertySummary, key: str, provider: str, own_id: str) -> Property:
    """Without description and images. An address, or the city, is there only where it stands for a name."""
    name = line(summary.name)
    return Property(
        key=key,
        provider=provider,
        id=own_id,
        name=name,
        address="" if name else _address(summary) or _city(summary),
        country=country(summary.countryCode),
        coordinates=coordinates(summary.coordinates),
        stars=stars(summary.category),
        rating=rating(summary.rating),
        type=with_letters(open_code(summary.propertyType)),
    )


def _address(summary: schema.PropertySummary) -> str:
    return with_letters(line(summary.address))


def _city(summary: schema.PropertySummary) -> str:
    return line(summary.location.city if summary.location else None)


def https_addresses(texts: list[str]) -> tuple[str, ...]:
    """The https addresses, each once, without spaces, user information or a placeholder to fill in."""
    return tuple(dict.fromkeys(filter(None, map(_https_address, texts))))


def _https_address(text: str) -> str:
    address = _BROKEN.sub("", text.strip()).replace("&amp;", "&")  # as it stood in a page
    usable = _HTTPS.fullmatch(address) and address.isprintable() and not _TO_FILL_IN.search(address)
    # Lists of addresses have a space between them, and what reads them later knows the scheme in lower case.
    return f"https{address[5:]}".replace(" ", "%20") if usable and len(address) <= MAX_ADDRESS else ""


def stars(category: Any) -> int | None:
    """A hotel of 3.5 stars is found among those of three."""
    value = number(category)
    return int(value) if value is not None and 1 <= value < 6 else None


def rating(rated: schema.WireRating | None) -> hotels.GuestRating | None:
    """None without a usable number, which 0 is not, and without a word."""
    value, word = (number(rated.value), with_letters(open_code(rated.code))) if rated else (None, "")
    if value is not None and not 0 < value <= 1_000:
        value = None
    return hotels.GuestRating(value, word) if value is not None or word else None


def coordinates(point: schema.WireCoordinates | None) -> Coordinates | None:
    """None outside the globe, and for 0 and -1 alone: a property in the Gulf of Guinea is a missing value."""
    latitude, longitude = (_degrees(point.latitude), _degrees(point.longitude)) if point else (None, None)
    if latitude is None or longitude is None or {latitude, longitude} <= {0, -1}:
        return None
    return Coordinates(latitude, longitude) if abs(latitude) <= 90 and abs(longitude) <= 180 else None


def _degrees(value: Any) -> float | None:
    """The number, also of a plain decimal in a text."""
    plain = type(value) in (Decimal, int) or (isinstance(value, str) and _DEGREES.fullmatch(value))
    return float(Decimal(value)) if plain else None


def distance(measured: schema.WireDistance | None) -> hotels.Distance | None:
    value = number(measured.value) if measured else None
    if measured is None or value is None or value < 0:
        return None
    return hotels.Distance(value, open_code(measured.unit))


def seller(offer: schema.WireOffer, listed_by: str, listed_as: str) -> tuple[str, str]:
    """Provider and property id of an offer; the provider that lists the property may leave out both."""
    provider = identifier(offer.providerId) or listed_by
    return provider, identifier(offer.providerPropertyId) or (listed_as if provider == listed_by else "")


def _offer(offer: schema.WireOffer, listed_by: str, listed_as: str) -> Offer | None:
    provider, property_id = seller(offer, listed_by, listed_as)
    if not provider or not property_id:
        return None
    quoted = offer.minPrice or schema.MinPrice()
    discount = whole(quoted.discountPercentage, 99) or 0
    return Offer(
        provider=provider,
        property_id=property_id,
        rate=line(quoted.rateDescription),
        price=price(quoted.price),
        original_price=price(schema.member(quoted.originalPrice, schema.PricePair)) if discount else None,
        credit=_credit(quoted),
        deposit=_deposit(quoted.deposit),
        payment_mode=open_code(quoted.paymentMode),
        promo_type=open_code(quoted.promoType),
        discount_percent=discount,
        surcharges=_surcharges(nonempty(quoted.surcharges)),
        facilities=facilities(offer.facilities),
        free_cancellation=offer.freeCancellation is True,
    )


def price(pair: schema.PricePair | None) -> Price | None:
    read = Price(*amounts(pair, money))
    return read if read.customer or read.property else None


def amounts(
    pair: schema.PricePair | None, read: Callable[[schema.Amount | None], Money | None]
) -> Iterator[Money | None]:
    """The amounts for the visitor and for the property: mostly the first is enough, and one isn't read."""
    if pair:
        yield read(pair.customerPrice)
        yield read(schema.member(pair.propertyPrice, schema.Amount))


def _credit(quoted: schema.MinPrice) -> Money | None:
    """The offer's own travel credit, where a 0 says that there is none, else that of its price."""
    own = schema.member(quoted.travelCredit, schema.Triple)
    credits = [_travel_credit(own), *amounts(own, money)]
    if not any(credits):
        credits = [_travel_credit(quoted.price)]
    return next((credit for credit in credits if credit and is_above_zero(credit)), None)


def _travel_credit(triple: schema.Triple | None) -> Money | None:
    return money(schema.member(triple.travelCredit, schema.Amount)) if triple else None


def _deposit(value: Any) -> Price | None:
    """A deposit counts only as an amount or as a price triple; its type is not shown in the interface."""
    if not isinstance(value, dict):
        return None
    if "currencyCode" in value:
        value = {"customerPrice": value}
    return price(schema.mended(value, schema.Triple))


def _surcharges(sent: list[schema.WireSurcharge]) -> tuple[Surcharge, ...]:
    """With an unreadable one for those beyond our limit, so that no total seems complete without them."""
    read = [Surcharge(open_code(one.type), Price(*amounts(one.price, extra_cost))) for one in sent]
    return (*read[:MAX_SURCHARGES], *[Surcharge("", Price())] * (len(read) > MAX_SURCHARGES))


def extra_cost(amount: schema.Amount | None) -> Money | None:
    """As `money`; a surcharge below 0 takes something off, so it is no extra cost."""
    cost = money(amount, -MAX_AMOUNT)
    return Money(_ZERO, cost.currency) if cost and cost.amount < 0 else cost


def money(amount: schema.Amount | None, least: Decimal = _ZERO) -> Money | None:
    """None for a missing, textual, infinite, absurd or too low value or an odd currency."""
    value, unit = (amount.value, amount.currencyCode) if amount else (None, None)
    # What nearly all amounts are: 6% of a cold search less.
    if type(value) is Decimal and unit in CURRENCIES and _CENT <= value <= MAX_AMOUNT:
        return Money(value, unit)
    value, unit = number(value), currency(unit)
    return Money(value, unit) if unit and value is not None and least <= value <= MAX_AMOUNT else None


def facilities(sent: schema.Raw) -> tuple[Facility, ...]:
    read = nonempty(schema.member(sent, list[schema.WireFacility | None]), MAX_FACILITIES)
    return tuple(dict.fromkeys(filter(None, map(_facility, read))))


def _facility(sent: schema.WireFacility) -> Facility | None:
    short = len(f"{sent.type}{sent.description}{sent.availability}") <= MAX_REMEMBERED
    return _remembered_facility(sent) if short else _read_facility(sent)


def _read_facility(sent: schema.WireFacility) -> Facility | None:
    """None for one that isn't there. A description stands in for a type that is a number."""
    availability = code(sent.availability if isinstance(sent.availability, str) else None)
    if sent.availability is False or is_absent(availability):
        return None
    kind, description = open_code(sent.type), with_letters(line(sent.description))
    kind = with_letters(kind) or (kind and clean_line(description, MAX_CODE))
    named = facility_of(kind, description, availability)
    if named.note is Note.CHARGE and named.code in broader(facility_named(kind).code):
        kind = named.code
    return Facility(kind, description, availability)


# A page of twenty cards has hundreds of facilities.
_remembered_facility = lru_cache(maxsize=4_096)(_read_facility)


@garbled_at_worst
def property_details(body: bytes, provider: str, property_id: str) -> PropertyDetails:
    """Section 2.6 of the interface, for the property that was asked for. Raises Garbled for anything but an
    object; one without usable propertyDetails has no details `available`."""
    document: dict[str, Any] = schema.decode(body, dict)
    details = document.get("propertyDetails")
    details = details if isinstance(details, dict) else {}
    summary = (
        schema.mended(details.get("propertySummary"), schema.PropertySummary) or schema.PropertySummary()
    )
    room_types = _objects(document.get("roomTypes") or details.get("roomTypes"))
    sent = schema.first_values(room_types[:MAX_ROOM_TYPES], iter(range(MAX_VALUES)))
    said = {name: schema.first_values(one, iter(range(MAX_VALUES))) for name, one in details.items()}
    # It is the property that was asked for, even if other identifiers came back.
    key = property_key(identifier(summary.ryanairId), provider, property_id, ())
    check_in, rules_in = free_form.times_of(said.get("checkinTime"))
    check_out, rules_out = free_form.times_of(said.get("checkoutTime"))
    return PropertyDetails(
        property=_property(summary, key, provider, property_id, MAX_DESCRIPTION),
        check_in_time=check_in,
        check_out_time=check_out,
        policies=(*lines_of(said.get("policies")), *rules_in, *rules_out),
        facilities=free_form.facilities_of(said.get("facilities")),
        accepted_cards=free_form.cards_of(said.get("acceptedCreditCards")),
        room_types=tuple(_room_types(sent)),
        available=any(one is not None for one in details.values()),
        room_types_sent=len(room_types),
    )


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict) and one] if isinstance(value, list) else []


def _room_types(sent: list[dict[str, Any]]) -> Iterator[RoomType]:
    """The first ones that say anything, as many as a page holds."""
    left = MAX_ROOMS_BYTES
    for room_type in map(_room_type, sent):
        left -= len(msgspec.msgpack.encode(room_type)) + ROOM_BYTES * (1 + len(room_type.rooms))
        if left > 0 and room_type != _NO_ROOM_TYPE:
            yield room_type


def _room_type(room_type: dict[str, Any]) -> RoomType:
    rooms = map(_room, _objects(room_type.get("rooms"))[:MAX_ROOMS])
    return RoomType(
        name=" ".join(lines_of(room_type.get("name"))),
        description="\n".join(lines_of(room_type.get("description"))),
        images=https_addresses([*islice(_texts(room_type.get("images")), MAX_IMAGES)]),
        facilities=free_form.facilities_of(room_type.get("facilities")),
        rooms=tuple(room for room in rooms if room != _NO_ROOM),
    )


def _room(room: dict[str, Any]) -> Room:
    persons = free_form.persons_of(room.get("maxOccupancy"))
    return Room(
        name=" ".join(lines_of(room.get("name"))),
        description="\n".join(lines_of(room.get("description"))),
        max_occupancy=tuple(one for one in persons if not _NO_NUMBER.fullmatch(one)),
        bed_types=free_form.beds_of(room.get("bedTypes")),
        policies=lines_of(room.get("policies")),
        cancellation_policies=lines_of(room.get("cancellationPolicies")),
    )


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    """All texts of lists and objects: a room's pictures may be addresses or objects that hold some."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict) and depth <= free_form.MAX_DEPTH:
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one, depth + 1)


def line(given: str | None) -> str:
    return meaningful(clean_line(without_entities((given or "")[: 4 * MAX_NAME]), MAX_NAME))


def code(given: str | None) -> str:
    return clean_line(without_entities((given or "")[: 2 * MAX_CODE]), MAX_CODE)


def open_code(given: str | None) -> str:
    """A code of an open list; empty for one that says that there is none, such as NOT_SPECIFIED."""
    return _open_code((given or "")[: 2 * MAX_CODE])


# Codes are the same few all over.
_open_code = lru_cache(maxsize=4_096)(lambda text: meaningful(code(text)))


def identifier(given: schema.Identifier | None) -> str:
    """As it came, to be sent back; empty if absurdly long, not to be encoded or with a NUL (PostgreSQL)."""
    text = "" if given is None else str(given)
    usable = text.isprintable() or not ("\0" in text or _HALF_A_CHARACTER.search(text))
    return text if usable and len(text) <= MAX_ID else ""


@lru_cache(maxsize=512)
def country(given: str | None) -> str:
    """A two-letter country code in lower case, or nothing, also for one that says that it isn't known."""
    letters = hotels.current_country(code(given))
    return letters if _COUNTRY.fullmatch(letters) and letters not in _NO_COUNTRIES else ""


def currency(given: str | None) -> str:
    """An ISO 4217 code in capitals, or nothing, also for one that says that there is no currency."""
    letters = given.upper() if given else ""
    return letters if _LETTERS.fullmatch(letters) and letters not in NO_CURRENCIES else ""


def number(value: Any) -> Decimal | None:
    """A JSON number that arithmetic can be done on cheaply; textual numbers are none."""
    if type(value) is int:  # bool is another type, and float_hook leaves no float
        value = Decimal(value)
    if type(value) is not Decimal or not value.is_finite():
        return None
    # 1e-999999 is finite too, and writing it out is not cheap.
    return value if -15 <= value.adjusted() <= 15 or not value else None


def whole(value: Any, most: int) -> int | None:
    count = number(value)
    return int(count) if count is not None and count == int(count) and 0 <= count <= most else None
