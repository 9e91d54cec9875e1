"""One code for all that providers call the same: `FREE_WIFI`, `Free Wi-Fi` and `Wifi (free of charge)`.

The interface leaves its code lists open, and names facilities by codes, by texts or by both. What is not
listed here stays as it came. Words and icons of the codes are in search/web.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from .text import fold


class CodeKind(StrEnum):
    """Which of the gateway's open code lists a code belongs to."""

    PROPERTY_TYPE = "property_type"
    RATING = "rating"
    FACILITY = "facility"
    AVAILABILITY = "availability"
    PAYMENT_MODE = "payment_mode"
    PROMO_TYPE = "promo_type"
    SURCHARGE = "surcharge"


class Topic(StrEnum):
    """What a facility is about, in the order of pages."""

    FOOD = "food"
    WELLNESS = "wellness"
    ACCESS = "access"
    ROOM = "room"
    FAMILY = "family"
    SERVICE = "service"


class Note(StrEnum):
    """What is said of a facility beside its name; NONE for nothing."""

    NONE = ""
    FREE = "free"
    CHARGE = "charge"
    ON_REQUEST = "on_request"
    SHARED_AREAS = "shared_areas"


class Named(NamedTuple):
    """What a provider's code or text names: a code of this vocabulary, empty for an unknown one."""

    code: str
    note: Note = Note.NONE


# Code -> its other spellings; case, accents, spaces and signs make no difference.
FACILITIES: dict[Topic, dict[str, str]] = {
    Topic.FOOD: {
        "FREE_BREAKFAST": "breakfast included",
        "BREAKFAST": "breakfast available, breakfast buffet, buffet breakfast, continental breakfast, "
        "breakfast room",
        "RESTAURANT": "restaurants, on site restaurant, a la carte restaurant",
        "BAR": "bars, hotel bar, lobby bar, bar lounge",
        "CAFE": "coffee shop, coffee bar",
        "ROOM_SERVICE": "24 hour room service",
        "SHARED_KITCHEN": "guest kitchen, communal kitchen",
        "KITCHEN": "full kitchen, private kitchen",
        "KITCHENETTE": "kitchen corner",
        "MINIBAR": "",
        "COFFEE_MAKER": "coffee machine, tea and coffee, tea coffee maker, kettle, electric kettle, "
        "tea and coffee maker",
        "REFRIGERATOR": "fridge",
    },
    Topic.WELLNESS: {
        "POOL": "swimming pool, pools, swimming pools",
        "INDOOR_POOL": "indoor swimming pool, heated indoor pool",
        "OUTDOOR_POOL": "outdoor swimming pool, seasonal outdoor pool",
        "SPA": "spa sauna, spa and sauna, wellness, wellness centre, wellness center, "
        "spa and wellness centre",
        "SAUNA": "saunas, finnish sauna",
        "STEAM_ROOM": "steam bath, hammam, turkish bath",
        "HOT_TUB": "jacuzzi, whirlpool, hot tub jacuzzi",
        "MASSAGE": "massages, massage treatments",
        "GYM": "fitness, fitness room, fitness centre, fitness center, fitness studio, gymnasium",
        "BICYCLES": "bicycle hire, bike hire, bicycle rental, bike rental, bikes",
        "TENNIS": "tennis court, tennis courts",
        "GOLF": "golf course",
        "BEACH": "private beach, private beach area, beachfront",
    },
    Topic.ACCESS: {
        "FREE_PARKING": "",
        "PARKING": "car park, parking lot, private parking, on site parking, garage, parking garage, "
        "parking spaces",
        "CAR_CHARGING": "charging point for cars, electric vehicle charging, electric car charging, "
        "ev charging, charging station, electric vehicle charging station",
        "AIRPORT_SHUTTLE": "airport transfer, airport transfers, shuttle, shuttle service, "
        "airport shuttle service",
        "ACCESSIBLE": "wheelchair access, wheelchair accessible, step free access, accessible facilities, "
        "facilities for disabled guests, disabled access, barrier free",
        "LIFT": "elevator, lifts, elevators",
        "CAR_HIRE": "car rental, rental cars",
    },
    Topic.ROOM: {
        "FREE_WIFI": "free wireless internet, free wlan, free wi fi internet, free wifi internet",
        "WIFI": "wlan, wireless internet, wireless lan, wi fi internet, wireless internet access",
        "INTERNET_ACCESS": "internet, internet services, wired internet, lan, high speed internet",
        "AIR_CONDITIONING": "aircon, air con, air conditioned, air conditioner, a c",
        "HEATING": "central heating",
        "TV": "television, flat screen tv, flat screen television, satellite tv, cable tv, smart tv",
        "PRIVATE_BATHROOM": "ensuite bathroom, en suite bathroom, ensuite",
        "SHARED_BATHROOM": "shared bathrooms",
        "BATHTUB": "bath, bath tub",
        "SHOWER": "rain shower, walk in shower",
        "HAIRDRYER": "hair dryer",
        "SAFE": "in room safe, safe deposit box, room safe",
        "DESK": "work desk, writing desk",
        "BALCONY": "private balcony, balconies",
        "SOUNDPROOFING": "soundproofed, soundproof rooms, soundproofed rooms",
        "NON_SMOKING": "non smoking rooms, smoke free, smoke free property, non smoking throughout, "
        "no smoking",
        "WASHING_MACHINE": "washer",
        "SEA_VIEW": "ocean view, sea views",
    },
    Topic.FAMILY: {
        "FAMILY_ROOMS": "family room",
        "COTS": "cot, cribs, crib, baby cot, infant beds",
        "PLAYGROUND": "childrens playground, kids playground",
        "KIDS_CLUB": "childrens club, miniclub",
        "BABYSITTING": "childcare, babysitting service, child care",
        "PETS_ALLOWED": "pets, pets welcome, pet friendly, dogs allowed, pets are welcome, pets are allowed",
    },
    Topic.SERVICE: {
        "RECEPTION_24H": "reception day and night, 24 hour front desk, 24 hour reception, 24h reception, "
        "front desk 24 hour, 24h front desk",
        "LUGGAGE_STORAGE": "baggage storage, luggage room",
        "LOCKERS": "locker",
        "CONCIERGE": "concierge service",
        "LAUNDRY": "laundry service, laundry facilities, dry cleaning",
        "DAILY_CLEANING": "daily housekeeping, housekeeping, daily maid service",
        "MEETING_ROOMS": "conference rooms, meeting facilities, meeting room, conference facilities, "
        "banquet facilities",
        "BUSINESS_CENTRE": "business center",
        "LOUNGE": "shared lounge, lounge area, tv lounge",
        "GARDEN": "gardens",
        "TERRACE": "sun terrace, patio",
    },
}  # fmt: skip
OTHER_CODES: dict[CodeKind, dict[str, str]] = {
    CodeKind.PROPERTY_TYPE: {
        "HOTEL": "hotels",
        "HOSTEL": "hostels, youth hostel",
        "APARTMENT": "apartments, flat, serviced apartment, holiday apartment",
        "APARTHOTEL": "apartment hotel",
        "GUEST_HOUSE": "guest houses, pension",
        "BED_AND_BREAKFAST": "b&b, bnb, bed breakfast",
        "RESORT": "resorts, resort hotel, holiday resort",
        "VILLA": "villas",
        "MOTEL": "motels",
        "INN": "",
        "HOLIDAY_HOME": "holiday house, vacation home, vacation rental, holiday rental",
        "CHALET": "chalets",
        "LODGE": "lodges",
        "CAMPSITE": "campground, camping, holiday park",
        "HOMESTAY": "home stay",
        "FARM_STAY": "farmhouse, agritourism",
    },
    CodeKind.RATING: dict.fromkeys(
        ("EXCEPTIONAL", "EXCELLENT", "WONDERFUL", "FABULOUS", "VERY_GOOD", "GOOD", "PLEASANT", "FAIR",
         "AVERAGE", "POOR"), ""
    ),
    CodeKind.AVAILABILITY: {
        "ROOM": "rooms, in room",
        "PROPERTY": "hotel, on site",
        "LOBBY": "",
        "PUBLIC_AREA": "public areas, common areas, shared areas",
        "ON_REQUEST": "upon request",
        "CHARGE": "paid, payable, chargeable, charged, charges apply, at a charge, with charge, "
        "extra, optional, supplement, extra charge, at extra charge, available at extra charge, "
        "additional charge, extra cost, at extra cost, additional cost, surcharge, at surcharge, "
        "with surcharge, fee, for a fee, with fee, extra fee, additional fee, available for a fee",
        "NOT_AVAILABLE": "unavailable, no, none, n, false, not included, excluded, not offered, "
        "not provided, not present, absent, temporarily unavailable, currently unavailable, closed, "
        "out of order",
    },
    CodeKind.PAYMENT_MODE: {
        "PAY_LATER": "book now pay later, deferred",
        "PAY_NOW": "prepaid, prepay, prepayment, pay online",
        "PAY_AT_PROPERTY": "pay at hotel, pay on arrival, pay at the property, pay on site",
    },
    CodeKind.PROMO_TYPE: {
        "REGULAR_PROMOTION": "promotion, promo, special offer, deal",
        "EARLY_BOOKING": "early bird, early booking discount",
        "LAST_MINUTE": "last minute deal",
        "MEMBER_DEAL": "member price, member rate, members only",
        "MOBILE_ONLY": "mobile deal, mobile rate",
        "LONG_STAY": "long stay discount, weekly discount",
    },
    CodeKind.SURCHARGE: {
        "TAX_AND_FEES": "taxes and fees, tax fees, taxes fees, tax and service fee, taxes and service fees",
        "TAX": "taxes, mandatory tax, sales tax",
        "CITY_TAX": "local tax",
        "TOURIST_TAX": "tourism tax, occupancy tax",
        "RESORT_FEE": "",
        "CLEANING_FEE": "cleaning, final cleaning",
        "SERVICE_FEE": "",
        "SERVICE_CHARGE": "",
        "VAT": "value added tax",
        "DESTINATION_FEE": "facility fee",
        "BOOKING_FEE": "reservation fee",
    },
}  # fmt: skip
# The name of a payment card -> its other spellings, as the two letters that travel agents write for it.
CARDS = {
    "American Express": "AX, amex",
    "Diners Club": "DC, DN, diners, diners club international",
    "Discover": "DS",
    "Eurocard": "EC",
    "JCB": "JC",
    "Maestro": "MA, TO",
    "Mastercard": "CA, MC, euro mastercard, eurocard mastercard",
    "UnionPay": "CU, UP, china union pay",
    "Visa": "VI",
    "Visa Electron": "VE",
}
POLICIES = {
    "NO_SMOKING": "non smoking, smoking not allowed, smoking is not allowed, smoking is not permitted",
    "NO_PETS": "pets not allowed, pets are not allowed",
    "PETS_WELCOME": "pets allowed, pets are welcome, pets are allowed",
    "CHILDREN_WELCOME": "children allowed, children are welcome, children of all ages are welcome",
    "ADULTS_ONLY": "adult only, no children",
    "NO_PARTIES": "no parties or events, parties not allowed, parties are not allowed",
    "FREE_CANCELLATION": "",
    "NON_REFUNDABLE": "not refundable, no refund",
}

# A code and the one it is a case of: who asks for wifi finds free wifi, and a page names the narrower only.
BROADER = {
    "FREE_BREAKFAST": "BREAKFAST",
    "FREE_PARKING": "PARKING",
    "FREE_WIFI": "WIFI",
    "WIFI": "INTERNET_ACCESS",
    "INDOOR_POOL": "POOL",
    "OUTDOOR_POOL": "POOL",
    "KITCHENETTE": "KITCHEN",
}
TOPICS = {code: topic for topic, codes in FACILITIES.items() for code in codes}
_FREE_OF = {code.removeprefix("FREE_"): code for code in BROADER if code.startswith("FREE_")}
_NOTE_OF_AVAILABILITY = {
    "ON_REQUEST": Note.ON_REQUEST,
    "LOBBY": Note.SHARED_AREAS,
    "PUBLIC_AREA": Note.SHARED_AREAS,
    "CHARGE": Note.CHARGE,
}

_EXTRA = r"(?:extra |additional |at |for |an? )*"
_WHERE = r"(?:in|throughout) (?:all |every |some |the )*"
# In folded text. The first that is found is the note, but for a charge, which what is free may have as well;
# what they match is no part of the name.
_ASIDES = tuple(
    (note, re.compile(rf"\b(?:{pattern})\b"))
    for note, pattern in (
        (Note.FREE, rf"(?:free of|without|no) {_EXTRA}(?:charge|cost)|free|complimentary|(?<!not )included"),
        (Note.CHARGE, rf"{_EXTRA}(?:charges?|fees?|costs?|surcharge)(?: (?:may )?appl(?:y|ies))?"),
        (Note.CHARGE, "paid|not included"),
        (Note.ON_REQUEST, "(?:up)?on request"),
        (Note.SHARED_AREAS, rf"{_WHERE}(?:lobby|(?:public|common|shared) (?:areas?|spaces))"),
        (
            Note.NONE,
            rf"(?:is |are )?available|on site|at the property|{_WHERE}(?:rooms?|property|hotel|areas)",
        ),
    )
)
# Whatever is longer is no name but a sentence.
_MAX_NAME = 80


def _squeezed(text: str) -> str:
    return fold(text).replace(" ", "")


def _by_spelling(codes: Mapping[str, str]) -> dict[str, str]:
    others = {_squeezed(one): code for code, spelled in codes.items() for one in spelled.split(",") if one}
    return {**others, **{_squeezed(code): code for code in codes}}


_CODES = {kind: _by_spelling(codes) for kind, codes in OTHER_CODES.items()}
_POLICY_CODES = _by_spelling(POLICIES)
_CARD_NAMES = _by_spelling(CARDS)
_FACILITY_CODES = {
    spelling: code for codes in FACILITIES.values() for spelling, code in _by_spelling(codes).items()
}


@lru_cache(maxsize=8_192)
def known_code(kind: CodeKind, text: str) -> str:
    """The code of this vocabulary for a gateway's code, empty for an unknown one."""
    if kind is CodeKind.FACILITY:
        return facility_named(text).code
    return _CODES[kind].get(_squeezed(text), "")


@lru_cache(maxsize=1_024)
def known_policy(text: str) -> str:
    """The code for a whole line of policies, empty for one that says more than a few words can."""
    return _POLICY_CODES.get(_squeezed(text), "") if len(text) <= _MAX_NAME else ""


def card_named(text: str) -> str:
    """The name of a payment card, empty for an unknown one."""
    return _CARD_NAMES.get(_squeezed(text), "") if len(text) <= _MAX_NAME else ""


@lru_cache(maxsize=8_192)
def facility_named(text: str) -> Named:
    """What a facility's code or text names, with what it says beside: `Car park (charge)`."""
    folded = fold(text) if len(text) <= _MAX_NAME else ""
    if code := _FACILITY_CODES.get(folded.replace(" ", "")):
        return Named(code)
    note = Note.NONE
    for meaning, aside in _ASIDES:
        folded, times = aside.subn(" ", folded)
        if times and (note is Note.NONE or meaning is Note.CHARGE):
            note = meaning
    return _freed(_FACILITY_CODES.get(folded.replace(" ", ""), ""), note)


@lru_cache(maxsize=8_192)
def facility_of(wire_code: str, description: str, availability: str) -> Named:
    """What the members of a facility name together: the narrower of code and description. One that is not
    known keeps all its own words, so that only its availability is a note. No other note goes before a
    charge."""
    by_code, by_text = facility_named(wire_code), facility_named(description)
    narrower = by_code.code in ("", by_text.code, *broader(by_text.code))
    code = by_text.code if narrower else by_code.code
    there = _NOTE_OF_AVAILABILITY.get(known_code(CodeKind.AVAILABILITY, availability), Note.NONE)
    if not code or there is Note.CHARGE:
        return _freed(code, there)
    return _freed(code, by_text.note or by_code.note or there)


def _freed(code: str, note: Note) -> Named:
    """`WIFI` that is free is FREE_WIFI, and FREE_WIFI that is charged for is WIFI."""
    if note is Note.FREE and code in _FREE_OF:
        return Named(_FREE_OF[code])
    if note is Note.CHARGE and code in _FREE_OF.values():
        return Named(BROADER[code], note)
    return Named(code, note)


def is_absent(availability: str) -> bool:
    """Whether the availability of a facility says that there is none: `NOT_AVAILABLE`."""
    return known_code(CodeKind.AVAILABILITY, availability) == "NOT_AVAILABLE"


def is_charged(availability: str) -> bool:
    """Whether the availability of a facility says that it costs extra: `CHARGEABLE`."""
    return known_code(CodeKind.AVAILABILITY, availability) == "CHARGE"


def broader(code: str) -> tuple[str, ...]:
    """The codes that are true, too, where this one is: WIFI and INTERNET_ACCESS for FREE_WIFI."""
    wider = BROADER.get(code)
    return (wider, *broader(wider)) if wider else ()
