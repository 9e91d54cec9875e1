"""An admin's address template for a provider, and the link it makes for one offer of one stay. A template
fixes scheme, host and port; values from the gateway or a visitor follow them, percent-encoded."""

import re
from collections.abc import Callable, Mapping
from datetime import date
from functools import lru_cache
from urllib.parse import quote, unquote

from .query import StayDates, StaySearch

MOST_CHARACTERS = 500
SCHEME = "https://"

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
# At least two parts, the last of letters: no address in numbers, in any spelling.
_HOST = re.compile(r"(?=.{4,253}\Z)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}", re.I | re.A)
_PORT = re.compile(r"[1-9]\d{0,4}", re.ASCII)
# What an address is written in (RFC 3986), without the signs that are markup elsewhere.
_SIGNS = re.compile(r"(?:[\w.~:/?#@!$&()*+,;=-]|%[\da-f]{2}|\{\w*\})*", re.IGNORECASE | re.ASCII)


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
    """The address at the provider; empty without a usable template or id, or where a value would climb."""
    if not values["property"] or problem(template):
        return ""
    filled = _PLACEHOLDER.sub(lambda match: quote(values[match[1]], safe="", errors="replace"), template)
    return "" if _climbs(filled) else filled


@lru_cache(maxsize=256)
def problem(template: str) -> str:
    """Why a template can't be used, as a sentence for the admin; empty for a usable one."""
    if sentence := next((sentence for is_wrong, sentence in _RULES if is_wrong(template)), ""):
        return sentence
    unknown = next((name for name in _PLACEHOLDER.findall(template) if name not in EXAMPLE), None)
    if unknown is not None:
        names = ", ".join(f"{{{name}}}" for name in EXAMPLE)
        return f"There is no placeholder {{{unknown}}}; there are {names}."
    return "" if "{property}" in template else "Without {property} it leads to no hotel."


def _has_no_fixed_host(template: str) -> bool:
    authority = re.split(r"[/?#]", template.removeprefix(SCHEME), maxsplit=1)[0]
    host, colon, port = authority.partition(":")
    is_port = _PORT.fullmatch(port) and int(port) < 65_536
    return not _HOST.fullmatch(host) or "xn--" in host.lower() or bool(colon and not is_port)


def _climbs(address: str) -> bool:
    path = re.split(r"[?#]", address, maxsplit=1)[0]
    return any(unquote(step) in (".", "..") for step in path.split("/"))


_RULES: tuple[tuple[Callable[[str], object], str], ...] = (
    (lambda text: len(text) > MOST_CHARACTERS, f"The address is longer than {MOST_CHARACTERS} characters."),
    (lambda text: not text.startswith(SCHEME), "The address must begin with https://, in small letters."),
    (_has_no_fixed_host,
     "After https:// comes one fixed host in plain letters, such as www.example.com, then digits if it needs "
     "a port: no placeholder, no user name, no look-alike letters or xn--."),
    (lambda text: not _SIGNS.fullmatch(text),
     "An address is written in plain letters, digits and its own signs. All else is percent-encoded, such as "
     "%C3%A9 for é, and a placeholder looks like {property}."),
    (_climbs, "The path must hold no step of mere dots."),
)  # fmt: skip
