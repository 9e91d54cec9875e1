"""Words for the gateway's codes that we know; any other code is made readable by its own letters."""

from functools import lru_cache

from django.conf import settings
from django.utils.functional import Promise

from search.domain.hotels import Property
from search.domain.site_settings import CodeKind, CodeLabel, Site
from search.domain.text import humanise

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
        "WIFI": _("Wifi"),
        "FREE_WIFI": _("Free wifi"),
        "INTERNET_ACCESS": _("Internet access"),
        "FREE_BREAKFAST": _("Breakfast included"),
        "BREAKFAST": _("Breakfast"),
        "PARKING": _("Parking"),
        "FREE_PARKING": _("Free parking"),
        "POOL": _("Pool"),
        "SWIMMING_POOL": _("Pool"),
        "INDOOR_POOL": _("Indoor pool"),
        "OUTDOOR_POOL": _("Outdoor pool"),
        "GYM": _("Gym"),
        "FITNESS": _("Gym"),
        "SPA": _("Spa"),
        "RESTAURANT": _("Restaurant"),
        "BAR": _("Bar"),
        "AIR_CONDITIONING": _("Air conditioning"),
        "PETS_ALLOWED": _("Pets welcome"),
        "AIRPORT_SHUTTLE": _("Airport shuttle"),
        "FAMILY_ROOMS": _("Family rooms"),
        "NON_SMOKING": _("Non-smoking"),
        "ACCESSIBLE": _("Step-free access"),
        "WHEELCHAIR_ACCESS": _("Step-free access"),
        "ELEVATOR": _("Lift"),
        "LIFT": _("Lift"),
        "KITCHEN": _("Kitchen"),
    },
    CodeKind.AVAILABILITY: {
        "ROOM": _("in the room"),
        "PROPERTY": _("in the property"),
        "LOBBY": _("in the lobby"),
        "PUBLIC_AREA": _("in shared areas"),
        "PUBLIC_AREAS": _("in shared areas"),
        "ON_REQUEST": _("on request"),
    },
    CodeKind.PAYMENT_MODE: {
        "PAY_LATER": _("Pay later"),
        "PAY_NOW": _("Pay now"),
        "PAY_AT_PROPERTY": _("Pay at the property"),
        "PREPAID": _("Pay now"),
    },
    CodeKind.PROMO_TYPE: {
        "REGULAR_PROMOTION": _("Promotion"),
        "EARLY_BOOKING": _("Early booking price"),
        "LAST_MINUTE": _("Last-minute price"),
        "MEMBER_DEAL": _("Member price"),
        "MOBILE_ONLY": _("Mobile price"),
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
    },
}

# A part of a code -> the icon that says it; the first that fits wins.
_ICONS = (
    ("WIFI", "wifi"), ("INTERNET", "wifi"), ("BREAKFAST", "coffee"), ("PARKING", "square-parking"),
    ("POOL", "waves-horizontal"), ("GYM", "dumbbell"), ("FITNESS", "dumbbell"), ("SPA", "flower-2"),
    ("RESTAURANT", "utensils"), ("BAR", "martini"), ("AIR_CON", "snowflake"), ("PET", "paw-print"),
    ("SHUTTLE", "bus"), ("ACCESS", "accessibility"), ("LIFT", "arrow-up-down"), ("ELEVATOR", "arrow-up-down"),
    ("KITCHEN", "cooking-pot"), ("SMOK", "cigarette-off"), ("FAMIL", "baby"), ("TV", "tv"), ("BATH", "bath"),
)  # fmt: skip


def label(kind: CodeKind, code: str, site: Site, otherwise: str = "") -> str:
    """The words for `code`: an admin's, else ours, else `otherwise`, else the code made readable."""
    known = site.code_label(kind, code) or str(KNOWN[kind].get(code.upper(), ""))
    return known or otherwise or humanise(code)


def canonical_code(kind: CodeKind, code: str, site: Site) -> str:
    """The one code that stands for all codes with the same words: POOL for SWIMMING_POOL."""
    first, texts = _first_codes(kind, site.code_labels)
    return first.get(texts.get(code) or texts.get(code.upper()) or humanise(code), code)


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


def facility_icon(code: str) -> str:
    """The name of the icon for a facility's code; a plain check mark when none says more."""
    upper = code.upper()
    return next((icon for part, icon in _ICONS if part in upper), "check")


# What the icon of a facility is about; whatever has none of these is among the others.
_GROUPS: dict[str, str | Promise] = {
    **dict.fromkeys(("coffee", "utensils", "martini", "cooking-pot"), _("Food and drink")),
    **dict.fromkeys(("waves-horizontal", "dumbbell", "flower-2"), _("Pool, spa and sport")),
    **dict.fromkeys(("square-parking", "bus", "accessibility", "arrow-up-down"), _("Access and parking")),
    **dict.fromkeys(("wifi", "snowflake", "tv", "bath", "cigarette-off"), _("In the room")),
    **dict.fromkeys(("baby", "paw-print"), _("Families and pets")),
}


def facility_group(code: str) -> str:
    """What a facility is about, as a heading over several."""
    return str(_GROUPS.get(facility_icon(code), gettext("More facilities")))


def property_name(building: Property) -> str:
    """The property's name; for one without, words made of its address or city."""
    return name_or_place(building.name, building.address or building.city)


def name_or_place(name: str, place: str) -> str:
    """The name; without one `Hotel in Porto`."""
    if name:
        return name
    return gettext("Hotel in %(place)s") % {"place": place} if place else gettext("Hotel")
