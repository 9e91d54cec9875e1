"""Addresses: those that a page links to, identifiers of the gateway as parts of a path, what search
engines and previews read of a page, and where a browser may load pictures from.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple, Self
from urllib.parse import unquote

from django import urls
from django.urls.converters import StringConverter

from search.domain.context import SearchContext
from search.domain.hotels import at_provider
from search.domain.query import Refinement, StaySearch, encode_pairs, quoted
from search.gateway.parsing import MAX_ID

# Browsers fold "." and ".." away even when they are percent-encoded, so those get a tilde in front.
_DOTS = re.compile(r"~*\.{1,2}")
# A slash in a provider's code would end it: written as in JSON pointers (RFC 6901).
_ESCAPES = (("~", "~0"), ("/", "~1"))


def path_part(identifier: str) -> str:
    """`identifier` as one percent-encoded path part."""
    return quoted(f"~{identifier}" if _DOTS.fullmatch(identifier) else identifier)


def provider_part(code: str) -> str:
    """A provider's code as one path part; a slash in it doesn't end it."""
    for plain, escaped in _ESCAPES:
        code = code.replace(plain, escaped)
    return path_part(code)


class Identifier(StringConverter):
    """Everything up to the last slash: a server has decoded %2F long before Django sees the path. `reverse`
    leaves slashes as they are, so `property_path` makes the links."""

    regex = r"[\s\S]+"

    def to_python(self, value: str) -> str:
        return value[1:] if value.startswith("~") and _DOTS.fullmatch(value) else value


class ProviderCode(Identifier):
    """Everything up to the first slash: `provider_part` leaves none in it."""

    regex = r"[^/]+"

    def to_python(self, value: str) -> str:
        code = super().to_python(value)
        for plain, escaped in reversed(_ESCAPES):
            code = code.replace(escaped, plain)
        return code


@dataclass(frozen=True, slots=True)
class Head:
    """Parameters of components/meta.html.

    `canonical` is a path, `picture` a path or an https address; both may be empty. `robots` is empty where
    indexing is welcome. `data` is a JSON-LD text, already escaped for a script.
    """

    title: str
    description: str = ""
    canonical: str = ""
    robots: str = ""
    picture: str = ""
    data: str = ""


SANDBOX_PHOTOS = "https://sandbox.invalid/photos/"
OUR_PHOTOS = "/sandbox/photos/"
MOST_PHOTOS = 60


def photo_address(address: str) -> str:
    """Our own address of a sandbox picture, any other https address as it is, or empty."""
    if address.startswith(SANDBOX_PHOTOS):
        return OUR_PHOTOS + address.removeprefix(SANDBOX_PHOTOS)
    return address if address.startswith("https://") else ""


def photo_addresses(images: tuple[str, ...]) -> list[str]:
    """The loadable ones among `images`, each once, at most `MOST_PHOTOS`."""
    found = (photo_address(address) for address in images)
    return list(dict.fromkeys(address for address in found if address))[:MOST_PHOTOS]


def reverse(name: str, args: Sequence[str] = (), pairs: Iterable[tuple[str, str]] = ()) -> str:
    """The path of a page of the URL table, with its parameters if there are some. Django's own `reverse` asks
    the active language each time."""
    return with_query(_reversed(name, *args), encode_pairs(pairs))


def with_query(address: str, query: str) -> str:
    """The address with more parameters, which are percent-encoded."""
    joint = "&" if "?" in address else "?"
    return f"{address}{joint}{query}" if query else address


@lru_cache(maxsize=4_096)
def _reversed(name: str, *args: str) -> str:
    return urls.reverse(name, args=args)


def property_path(provider: str, property_id: str, hotel: str = "") -> str:
    """`/hotels/<provider>/<property>/`, with any characters in the identifiers; and `hotel` as below."""
    return f"{reverse('results')}{Stay(provider, property_id)}/{_apart(hotel)}"


def _apart(hotel: str) -> str:
    return f"?hotel={quoted(hotel)}" if hotel else ""


class Stay(NamedTuple):
    """A hotel's identifier at a provider, and its key where others have that identifier."""

    provider: str
    property_id: str
    hotel: str = ""

    @classmethod
    def of(cls, text: str) -> Self | None:
        """The hotel that `provider/property` names, as `str` does; None for any other text."""
        at, _apart, hotel = text.partition("?hotel=")
        provider, _slash, property_id = map(unquote, at.partition("/"))
        stay = cls(ProviderCode().to_python(provider), Identifier().to_python(property_id), unquote(hotel))
        return stay if stay.provider and stay.property_id and max(map(len, stay)) <= MAX_ID else None

    @property
    def key(self) -> str:
        return self.hotel or at_provider(self.provider, self.property_id)

    def __str__(self) -> str:
        """How an address names it: `<provider>/<property>`, and its key."""
        return f"{provider_part(self.provider)}/{path_part(self.property_id)}{_apart(self.hotel)}"


def results_path(search: StaySearch, refinement: Refinement | None = None, page: int = 1) -> str:
    """The canonical address of one page of results."""
    return f"{reverse('results')}?{_query(search, refinement, page)}"


def _query(search: StaySearch, refinement: Refinement | None, page: int) -> str:
    pairs = search.pairs() + (refinement.pairs() if refinement else [])
    return encode_pairs([*pairs, ("page", str(page))] if page > 1 else pairs)


def search_pairs(context: SearchContext) -> tuple[tuple[str, str], ...]:
    """The parameters of a search alone: what, when, for whom, which place of its name, from which airport."""
    meant = (pair for pair in context.refinement.pairs() if pair[0] in ("near", "country", "region"))
    return (*context.search.pairs(), *meant)


def view_pairs(context: SearchContext) -> tuple[tuple[str, str], ...]:
    """The parameters of a search with its order and filters."""
    return (*context.search.pairs(), *context.refinement.pairs())


def home_path(search: StaySearch) -> str:
    """The first page in the currency and for the market of a search."""
    return reverse("home", pairs=[("currency", search.currency), ("market", search.market)])


def card_anchor(key: str) -> str:
    """The id of a property's card. A digest, because identifiers never come from upstream text."""
    return f"stay-{blake2b(key.encode(), digest_size=5).hexdigest()}"


class Links:
    """The addresses around one page of results: `page` is the page they belong to."""

    def __init__(self, context: SearchContext, page: int = 1) -> None:
        self.search, self.refinement, self.page = context.search, context.refinement, page
        self.query = _query(self.search, self.refinement, page)

    def property(self, provider: str, property_id: str, hotel: str = "") -> str:
        """The page of a property; empty for one that no provider knows by an identifier. `hotel` is its key
        if others have that identifier, too."""
        if not (provider and property_id):
            return ""
        return with_query(property_path(provider, property_id, hotel), self.query)

    def results(self, page: int | None = None) -> str:
        return results_path(self.search, self.refinement, page or self.page)
