"""An admin's address template for a provider, and the link it makes for one offer of one stay.

The link leads visitors straight to the provider, so a template fixes scheme, host and port. Values from the
gateway or a visitor follow them, percent-encoded.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date
from functools import lru_cache
from urllib.parse import quote, unquote

from .query import StayDates, StaySearch

PLACEHOLDERS = ("property", "checkin", "checkout", "nights", "guests", "currency", "language", "place")
MOST_CHARACTERS = 500
SCHEME = "https://"

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_INVISIBLE = re.compile(
    r"[\s\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
)
_BRACE = re.compile(r"[{}]")
_LOOK_ALIKE = re.compile(r"[^\x00-\x7f]|(?:^|\.)xn--", re.IGNORECASE)
# At least two parts, the last of letters: no address in numbers, in any spelling.
_HOST = re.compile(r"(?=.{4,253}\Z)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}", re.I | re.A)
_PORT = re.compile(r"[1-9]\d{0,4}", re.ASCII)
_UNSAFE = re.compile(r"[\"'<>^`|\[\]]")
_BROKEN_PERCENT = re.compile(r"%(?![\da-f]{2})", re.IGNORECASE)


def values_of(search: StaySearch, property_id: str) -> dict[str, str]:
    """The value of each placeholder; `language` is that of the market."""
    return {
        "property": property_id,
        "checkin": search.dates.check_in.isoformat(),
        "checkout": search.dates.check_out.isoformat(),
        "nights": str(search.dates.nights),
        "guests": str(search.guests),
        "currency": search.currency,
        "language": search.market.partition("-")[0],
        "place": search.place,
    }


_STAY = StayDates(date(2030, 5, 1), date(2030, 5, 4))
EXAMPLE = values_of(StaySearch("Palma de Mallorca", _STAY, 2, (), "EUR", "en-gb"), "AB 12/3")


def link(template: str, values: Mapping[str, str]) -> str:
    """The address at the provider; empty without a usable template or a property's id, and if a value would
    climb in the path, which no encoding of dots prevents."""
    if not values["property"] or problem(template):
        return ""
    filled = _PLACEHOLDER.sub(lambda match: quote(values[match[1]], safe="", errors="replace"), template)
    return "" if _climbs(filled) else filled


@lru_cache(maxsize=256)
def problem(template: str) -> str:
    """Why a template can't be used, as a sentence for the admin; empty for a usable one."""
    if sentence := next((sentence for is_wrong, sentence in _RULES if is_wrong(template)), ""):
        return sentence
    unknown = next((name for name in _PLACEHOLDER.findall(template) if name not in PLACEHOLDERS), None)
    if unknown is not None:
        names = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
        return f"There is no placeholder {{{unknown}}}; there are {names}."
    return "" if "{property}" in template else "Without {property} it leads to no hotel."


def _authority(template: str) -> str:
    """The text between the scheme and the path: host, port and perhaps more."""
    return re.split(r"[/?#]", template.removeprefix(SCHEME), maxsplit=1)[0]


def _is_no_host(template: str) -> bool:
    host, colon, port = _authority(template).partition(":")
    is_port = _PORT.fullmatch(port) and int(port) < 65_536
    return not _HOST.fullmatch(host) or bool(colon and not is_port)


def _climbs(address: str) -> bool:
    path = re.split(r"[?#]", address, maxsplit=1)[0]
    return any(unquote(step) in (".", "..") for step in path.split("/"))


_RULES: tuple[tuple[Callable[[str], object], str], ...] = (
    (lambda text: len(text) > MOST_CHARACTERS, f"The address is longer than {MOST_CHARACTERS} characters."),
    (_INVISIBLE.search, "The address must hold no spaces, line breaks or invisible characters."),
    (lambda text: "\\" in text, "The address must hold no backslash."),
    (lambda text: not text.startswith(SCHEME), "The address must begin with https://, in small letters."),
    (lambda text: "@" in _authority(text), "The address must name no user or password: no @ at its host."),
    (lambda text: _BRACE.search(_authority(text)),
     "Host and port must be fixed: placeholders only after the first / or ?."),
    (lambda text: _LOOK_ALIKE.search(_authority(text)),
     "The host must be in plain letters: look-alike letters and xn-- names are refused."),
    (_is_no_host, "After https:// comes a host such as www.example.com, then digits if it needs a port."),
    (lambda text: not text.isascii(), "Letters with accents must be percent-encoded, such as %C3%A9 for é."),
    (_UNSAFE.search, "Quotes, angle and square brackets, ^, ` and | must be percent-encoded."),
    (lambda text: _BRACE.search(_PLACEHOLDER.sub("", text)),
     "Each { needs its }, and each } its {: a placeholder looks like {property}."),
    (_BROKEN_PERCENT.search, "Behind each % stand two digits or letters a to f, such as %20."),
    (_climbs, "The path must hold no step of mere dots."),
)  # fmt: skip
