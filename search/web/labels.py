"""Words for the gateway's codes that we know; any other code is made readable by its own letters."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings
from django.utils.functional import Promise

from search.domain.hotels import Property
from search.domain.site_settings import CodeLabel, Site
from search.domain.text import in_words
from search.domain.vocabulary import CodeKind, Note, known_code, known_policy

from .translation import gettext, override
from .translation import gettext_lazy as _

KNOWN: dict[CodeKind, dict[str, str | Promise]] = {
    CodeKind.PROPERTY_TYPE: {
        "HOTEL": _("Hotel"),
        "HOSTEL": _("Hostel"),
        "APARTMENT": _("Apartment"),
        "APARTHOTEL": _("Aparthotel"),
        "GUEST_HOUSE": _("Guest house"),
        "BED_AND_BREAKFAST": _("Bed and breakfast"),
        "RESORT": _("Resort"),
        "VILLA": _("Villa"),
        "MOTEL": _("Motel"),
        "INN": _("Inn"),
        "HOLIDAY_HOME": _("Holiday home"),
        "CHALET": _("Chalet"),
        "LODGE": _("Lodge"),
        "CAMPSITE": _("Campsite"),
        "HOMESTAY": _("Homestay"),
        "FARM_STAY": _("Farm stay"),
    },
    CodeKind.RATING: {
        "EXCEPTIONAL": _("Exceptional"),
        "EXCELLENT": _("Excellent"),
        "WONDERFUL": _("Wonderful"),
        "FABULOUS": _("Fabulous"),
        "VERY_GOOD": _("Very good"),
        "GOOD": _("Good"),
        "PLEASANT": _("Pleasant"),
        "FAIR": _("Fair"),
        "AVERAGE": _("Average"),
        "POOR": _("Poor"),
    },
    CodeKind.FACILITY: {
        "FREE_BREAKFAST": _("Breakfast included"),
        "BREAKFAST": _("Breakfast"),
        "RESTAURANT": _("Restaurant"),
        "BAR": _("Bar"),
        "CAFE": _("Café"),
        "ROOM_SERVICE": _("Room service"),
        "SHARED_KITCHEN": _("Shared kitchen"),
        "KITCHEN": _("Kitchen"),
        "KITCHENETTE": _("Kitchenette"),
        "MINIBAR": _("Minibar"),
        "COFFEE_MAKER": _("Tea and coffee maker"),
        "REFRIGERATOR": _("Refrigerator"),
        "POOL": _("Pool"),
        "INDOOR_POOL": _("Indoor pool"),
        "OUTDOOR_POOL": _("Outdoor pool"),
        "SPA": _("Spa"),
        "SAUNA": _("Sauna"),
        "STEAM_ROOM": _("Steam room"),
        "HOT_TUB": _("Hot tub"),
        "MASSAGE": _("Massage"),
        "GYM": _("Gym"),
        "BICYCLES": _("Bicycle hire"),
        "TENNIS": _("Tennis court"),
        "GOLF": _("Golf course"),
        "BEACH": _("Beach"),
        "FREE_PARKING": _("Free parking"),
        "PARKING": _("Parking"),
        "CAR_CHARGING": _("Electric car charging"),
        "AIRPORT_SHUTTLE": _("Airport shuttle"),
        "ACCESSIBLE": _("Step-free access"),
        "LIFT": _("Lift"),
        "CAR_HIRE": _("Car hire"),
        "FREE_WIFI": _("Free wifi"),
        "WIFI": _("Wifi"),
        "INTERNET_ACCESS": _("Internet access"),
        "AIR_CONDITIONING": _("Air conditioning"),
        "HEATING": _("Heating"),
        "TV": _("Television"),
        "PRIVATE_BATHROOM": _("Private bathroom"),
        "SHARED_BATHROOM": _("Shared bathroom"),
        "BATHTUB": _("Bathtub"),
        "SHOWER": _("Shower"),
        "HAIRDRYER": _("Hairdryer"),
        "SAFE": _("Safe"),
        "DESK": _("Desk"),
        "BALCONY": _("Balcony"),
        "SOUNDPROOFING": _("Soundproofing"),
        "NON_SMOKING": _("Non-smoking"),
        "WASHING_MACHINE": _("Washing machine"),
        "SEA_VIEW": _("Sea view"),
        "FAMILY_ROOMS": _("Family rooms"),
        "COTS": _("Cots"),
        "PLAYGROUND": _("Playground"),
        "KIDS_CLUB": _("Kids' club"),
        "BABYSITTING": _("Babysitting"),
        "PETS_ALLOWED": _("Pets welcome"),
        "RECEPTION_24H": _("24-hour reception"),
        "LUGGAGE_STORAGE": _("Luggage storage"),
        "LOCKERS": _("Lockers"),
        "CONCIERGE": _("Concierge"),
        "LAUNDRY": _("Laundry"),
        "DAILY_CLEANING": _("Daily cleaning"),
        "MEETING_ROOMS": _("Meeting rooms"),
        "BUSINESS_CENTRE": _("Business centre"),
        "LOUNGE": _("Lounge"),
        "GARDEN": _("Garden"),
        "TERRACE": _("Terrace"),
    },
    CodeKind.PAYMENT_MODE: {
        "PAY_LATER": _("Pay later"),
        "PAY_NOW": _("Pay now"),
        "PAY_AT_PROPERTY": _("Pay at the hotel"),
    },
    CodeKind.PROMO_TYPE: {
        "REGULAR_PROMOTION": _("Promotion"),
        "EARLY_BOOKING": _("Early booking price"),
        "LAST_MINUTE": _("Last-minute price"),
        "MEMBER_DEAL": _("Member price"),
        "MOBILE_ONLY": _("Mobile price"),
        "LONG_STAY": _("Long-stay price"),
    },
    CodeKind.SURCHARGE: {
        "TAX_AND_FEES": _("Taxes and fees"),
        "TAX": _("Tax"),
        "CITY_TAX": _("City tax"),
        "TOURIST_TAX": _("Tourist tax"),
        "RESORT_FEE": _("Resort fee"),
        "CLEANING_FEE": _("Cleaning fee"),
        "SERVICE_FEE": _("Service fee"),
        "SERVICE_CHARGE": _("Service charge"),
        "VAT": _("VAT"),
        "DESTINATION_FEE": _("Destination fee"),
        "BOOKING_FEE": _("Booking fee"),
    },
}

POLICIES = {
    "NO_SMOKING": _("No smoking"),
    "NO_PETS": _("No pets"),
    "PETS_WELCOME": _("Pets welcome"),
    "CHILDREN_WELCOME": _("Children welcome"),
    "ADULTS_ONLY": _("Adults only"),
    "NO_PARTIES": _("No parties"),
    "FREE_CANCELLATION": _("Free cancellation"),
    "NON_REFUNDABLE": _("Non-refundable"),
}
_NOTES: dict[Note, str | Promise] = {
    Note.NONE: "",
    Note.FREE: _("free of charge"),
    Note.CHARGE: _("charge"),
    Note.ON_REQUEST: _("on request"),
    Note.SHARED_AREAS: _("in shared areas"),
}


@dataclass(frozen=True, slots=True)
class FacilityView:
    """A facility in words. `code` tells it from others, on other properties, too; `note` is what is said
    beside it, such as that it is charged for. One that is not `known` has the provider's own words."""

    code: str
    label: str
    icon: str = "check"
    note: Note = Note.NONE
    known: bool = False

    @property
    def text(self) -> str:
        """`Parking (charge)`."""
        return f"{self.label} ({_NOTES[self.note]})" if self.note else self.label


@dataclass(frozen=True, slots=True)
class PolicyView:
    """A policy in words. One that is not `known` has the provider's own."""

    text: str
    known: bool


def label(kind: CodeKind, code: str, site: Site, otherwise: str = "") -> str:
    """The words for `code`: an admin's, else ours, else `otherwise`, else the code made readable."""
    known = known_code(kind, code)
    admins = site.code_label(kind, code) or (known and site.code_label(kind, known))
    return admins or str(KNOWN[kind].get(known, "")) or otherwise or in_words(code)


def policy(line: str) -> PolicyView:
    """A line of a provider's policies: in our words where it is one of the few that everybody has."""
    ours = POLICIES.get(known_policy(line))
    return PolicyView(str(ours or line), known=bool(ours))


def policies(lines: Iterable[str]) -> tuple[PolicyView, ...]:
    """Each of a provider's policies once."""
    return tuple(dict.fromkeys(map(policy, lines)))


def canonical_code(kind: CodeKind, code: str, site: Site) -> str:
    """The one code that stands for all codes with the same words: POOL for SWIMMING_POOL. For codes without
    words of ours or an admin's it is the code made readable: `Tour desk` for `TOUR_DESK` and `Tour Desk`."""
    first, texts = _first_codes(kind, site.code_labels)
    text = texts.get(code) or texts.get(code.upper()) or texts.get(known_code(kind, code), "")
    return first.get(text) or in_words(code)


@lru_cache(maxsize=16)
def _first_codes(kind: CodeKind, labels: tuple[CodeLabel, ...]) -> tuple[dict[str, str], dict[str, str]]:
    """The first code of each text and the text of each code, in English or an admin's words."""
    with override(settings.LANGUAGE_CODE):
        texts = {code: str(text) for code, text in KNOWN[kind].items()}
    texts |= {one.code: one.label for one in labels if one.kind == kind}
    first: dict[str, str] = {}
    for code, text in texts.items():
        first.setdefault(text, code)
    return first, texts


def property_name(building: Property) -> str:
    """The property's name; for one without, words made of its address or city."""
    return name_or_place(building.name, building.address or building.city)


def name_or_place(name: str, place: str) -> str:
    """The name; without one `Hotel in Porto`."""
    if name:
        return name
    return gettext("Hotel in %(place)s") % {"place": place} if place else gettext("Hotel")
