"""One code for all that providers call the same: `FREE_WIFI`, `Free Wi-Fi` and `Wifi (free of charge)`.

The codes and their spellings are in words.toml; what isn't listed there stays as it came. Words and icons of
the codes are in search/web.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from .text import WORDS, fold


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
    """The subject of a facility, in the order of pages."""

    FOOD = "food"
    WELLNESS = "wellness"
    ACCESS = "access"
    ROOM = "room"
    FAMILY = "family"
    SERVICE = "service"


class Note(StrEnum):
    NONE = ""
    FREE = "free"
    CHARGE = "charge"
    ON_REQUEST = "on_request"
    SHARED_AREAS = "shared_areas"


class Named(NamedTuple):
    """The code of this vocabulary for a provider's code or text, empty for an unknown one."""

    code: str
    note: Note = Note.NONE


TOPICS = {code: Topic(topic) for topic, codes in WORDS["facility"].items() for code in codes}
CODES: dict[CodeKind, dict[str, str]] = {
    CodeKind.FACILITY: {code: also for codes in WORDS["facility"].values() for code, also in codes.items()},
    **{kind: WORDS[kind] for kind in CodeKind if kind is not CodeKind.FACILITY},
}
POLICIES: dict[str, str] = WORDS["policy"]
BROADER: dict[str, str] = WORDS["broader"]

_FREE_OF = {code.removeprefix("FREE_"): code for code in BROADER if code.startswith("FREE_")}

_EXTRA = r"(?:extra |additional |at |for |an? )*"
_WHERE = r"(?:in|throughout) (?:all |every |some |the )*"
# In folded text. The first match is the note, but a charge goes before it: what is free may have one as well.
# Matches are no part of the name.
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
# A longer text is a sentence.
_MAX_NAME = 80


def _squeezed(text: str) -> str:
    return fold(text).replace(" ", "")


def _by_spelling(codes: Mapping[str, str]) -> dict[str, str]:
    others = {_squeezed(one): code for code, spelled in codes.items() for one in spelled.split(",") if one}
    return {**others, **{_squeezed(code): code for code in codes}}


_BY_SPELLING = {kind: _by_spelling(codes) for kind, codes in CODES.items()}
_FACILITIES = _BY_SPELLING[CodeKind.FACILITY]
_POLICIES, _CARDS = _by_spelling(POLICIES), _by_spelling(WORDS["card"])


@lru_cache(maxsize=8_192)
def known_code(kind: CodeKind, text: str) -> str:
    """The code of this vocabulary for a gateway's code, empty for an unknown one."""
    if kind is CodeKind.FACILITY:
        return facility_named(text).code
    return _BY_SPELLING[kind].get(_squeezed(text), "")


@lru_cache(maxsize=1_024)
def known_policy(text: str) -> str:
    """The code for a whole line of policies, empty for an unknown one."""
    return _POLICIES.get(_squeezed(text), "") if len(text) <= _MAX_NAME else ""


def card_named(text: str) -> str:
    return _CARDS.get(_squeezed(text), "") if len(text) <= _MAX_NAME else ""


@lru_cache(maxsize=8_192)
def facility_named(text: str) -> Named:
    """The facility of a code or text, with its note: `Car park (charge)`."""
    folded = fold(text) if len(text) <= _MAX_NAME else ""
    if code := _FACILITIES.get(folded.replace(" ", "")):
        return Named(code)
    note = Note.NONE
    for meaning, aside in _ASIDES:
        folded, times = aside.subn(" ", folded)
        if times and (note is Note.NONE or meaning is Note.CHARGE):
            note = meaning
    return _freed(_FACILITIES.get(folded.replace(" ", ""), ""), note)


@lru_cache(maxsize=8_192)
def facility_of(wire_code: str, description: str, availability: str) -> Named:
    """The facility that its members name: the narrower of code and description, with one note, a charge
    first. An unknown one keeps its own words, so only its availability is a note."""
    by_code, by_text = facility_named(wire_code), facility_named(description)
    narrower = by_code.code in ("", by_text.code, *broader(by_text.code))
    code = by_text.code if narrower else by_code.code
    there = note_of(availability)
    if not code or there is Note.CHARGE:
        return _freed(code, there)
    return _freed(code, by_text.note or by_code.note or there)


def _freed(code: str, note: Note) -> Named:
    """Free `WIFI` is FREE_WIFI, and FREE_WIFI for a charge is WIFI."""
    if note is Note.FREE and code in _FREE_OF:
        return Named(_FREE_OF[code])
    if note is Note.CHARGE and code in _FREE_OF.values():
        return Named(BROADER[code], note)
    return Named(code, note)


def is_absent(availability: str) -> bool:
    """Whether the availability of a facility denies it: `NOT_AVAILABLE`."""
    return known_code(CodeKind.AVAILABILITY, availability) == "NOT_AVAILABLE"


def note_of(availability: str) -> Note:
    """What the availability of a facility adds to its name: a charge for `CHARGEABLE`."""
    return Note.__members__.get(known_code(CodeKind.AVAILABILITY, availability), Note.NONE)


def broader(code: str) -> tuple[str, ...]:
    """The wider codes: WIFI and INTERNET_ACCESS for FREE_WIFI."""
    wider = BROADER.get(code)
    return (wider, *broader(wider)) if wider else ()
