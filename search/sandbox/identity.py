"""How a property is called on the wire: its key across providers, and its id at each of them."""

from __future__ import annotations

import re
from hashlib import blake2b

from search.sandbox.documents import quoted
from search.sandbox.rng import scatter
from search.sandbox.world import world

# Every provider counts from its own start and writes numbers its own way; of each 25 it writes one awkwardly.
_FORMS: dict[str, tuple[int, str, int]] = {
    "NB": (100_000, "%d", 3),
    "HX": (7_300_000, "hx-%d", 8),
    "SOL": (0, "SOL%09d", 12),
    "VY": (52_000_000, "%d.v", 17),
    "OTR": (910_000, "otr_%d", 21),
}
PROVIDERS = tuple(_FORMS)
# Whoever comes first, each second one follows, round and round.
_ORDERS = tuple((PROVIDERS[first:] + PROVIDERS + PROVIDERS)[:8:2] for first in range(len(PROVIDERS)))
_SELLERS = tuple(order[:count] for count in (1, 1, 2, 2, 2, 3, 3, 3, 4, 4) for order in _ORDERS)

# Ids that a careless client puts into a path unescaped.
_AWKWARD = (
    "%d/b", "room %d a", "%d%%", "hôtel-%d", "%d?page=&apikey=", "#%d", "../%d", "酒店%d", '"%d"', "a+%d&c",
)  # fmt: skip


def key_of(number: int) -> str:
    """The identifier of a property across providers: 24 hexadecimal digits."""
    return digest_of(number).hex()


def digest_of(number: int) -> bytes:
    """Twelve bytes that belong to one property only."""
    return blake2b(b"property %d" % number, digest_size=12).digest()


def providers_of(number: int) -> tuple[str, ...]:
    """The one to four providers that sell a property, in its own order."""
    return _SELLERS[scatter(number, 2, len(_SELLERS))]


def provider_property_id(number: int, provider: str) -> str:
    """A property's identifier at one provider; one in twenty-five holds slashes, spaces, "%" or worse."""
    offset, form, awkward = _FORMS[provider]
    if number % 25 == awkward:
        form = _AWKWARD[number // 25 % len(_AWKWARD)]
    return form % (number + offset)


def told_id(number: int, provider: str) -> str:
    """The same identifier as JSON text."""
    offset, form, awkward = _FORMS[provider]
    if number % 25 == awkward:
        return quoted(provider_property_id(number, provider))
    return f'"{form % (number + offset)}"'


def number_at(provider: str, property_id: str) -> int | None:
    """The number of the property with this id at this provider; None if there is none."""
    if provider not in _FORMS:
        return None
    offset = _FORMS[provider][0]
    for digits in re.findall(r"[0-9]{1,10}", property_id):
        number = int(digits) - offset
        if (
            0 <= number < world().size
            and provider in providers_of(number)
            and provider_property_id(number, provider) == property_id
        ):
            return number
    return None
