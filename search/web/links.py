"""Every address a page links to, made once per page."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Self

from django import urls

from search.domain.context import SearchContext
from search.domain.query import Refinement, StaySearch, encode_pairs

from .converters import path_part, provider_part


def reverse(name: str, args: Sequence[str] = ()) -> str:
    """The path of a page of the URL table. Django's own `reverse` asks the active language each time."""
    return _reversed(name, *args)


@lru_cache(maxsize=4_096)
def _reversed(name: str, *args: str) -> str:
    return urls.reverse(name, args=args)


def property_path(provider: str, property_id: str) -> str:
    """`/hotels/<provider>/<property>/`, whatever characters the identifiers hold."""
    return f"{reverse('results')}{stay_value(provider, property_id)}/"


def stay_value(provider: str, property_id: str) -> str:
    """How an address names a property: `<provider>/<property>`."""
    return f"{provider_part(provider)}/{path_part(property_id)}"


def results_path(search: StaySearch, refinement: Refinement | None = None, page: int = 1) -> str:
    """The canonical address of one page of results."""
    return f"{reverse('results')}?{_query(search, refinement, page)}"


def _query(search: StaySearch, refinement: Refinement | None, page: int) -> str:
    pairs = search.pairs() + (refinement.pairs() if refinement else [])
    return encode_pairs([*pairs, ("page", str(page))] if page > 1 else pairs)


def search_pairs(context: SearchContext) -> tuple[tuple[str, str], ...]:
    """The parameters of a search alone: what, when, for whom, which place of its name, from which airport."""
    meant = (pair for pair in context.refinement.pairs() if pair[0] in ("near", "country"))
    return (*context.search.pairs(), *meant)


def view_pairs(context: SearchContext) -> tuple[tuple[str, str], ...]:
    """The parameters of a search with its order and filters."""
    return (*context.search.pairs(), *context.refinement.pairs())


def home_path(market: str) -> str:
    """The first page for a market."""
    return f"{reverse('home')}?{encode_pairs([('market', market)])}"


def card_anchor(key: str) -> str:
    """The id of a property's card. A digest, because identifiers never come from upstream text."""
    return f"stay-{blake2b(key.encode(), digest_size=5).hexdigest()}"


@dataclass(frozen=True, slots=True)
class Links:
    """The addresses around one page of results: `page` is the page they belong to."""

    search: StaySearch
    refinement: Refinement
    page: int
    query: str

    @classmethod
    def of(cls, context: SearchContext, page: int = 1) -> Self:
        search, refinement = context.search, context.refinement
        return cls(search, refinement, page, _query(search, refinement, page))

    def property(self, provider: str, property_id: str) -> str:
        """The page of a property; empty for one that no provider knows by an identifier."""
        return f"{property_path(provider, property_id)}?{self.query}" if provider and property_id else ""

    def results(self, page: int | None = None) -> str:
        return results_path(self.search, self.refinement, page or self.page)

    def results_at(self, key: str) -> str:
        """The results with the card of the property of this key in view."""
        return f"{self.results()}#{card_anchor(key)}"
