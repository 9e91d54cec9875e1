"""The hotels that an address names, one search after another.

`stay=<provider>/<property>` names a hotel. In an address of several searches each `place` begins one, and the
hotels up to the next belong to it; what it doesn't say (days, guests, currency) is that of the one before it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, Self
from urllib.parse import unquote

from django.http import HttpRequest, QueryDict

from search.domain.context import SearchContext
from search.domain.hotels import at_provider
from search.domain.query import encode_pairs
from search.gateway.values import MAX_ID
from search.web.converters import Identifier, ProviderCode
from search.web.links import reverse, stay_value, view_pairs
from search.web.search_form import MAX_PLACE
from search.web.shortcuts import address_pairs

MOST_KEPT = 50
SEARCH = ("place", "checkin", "checkout", "guests", "currency", "country", "near")
INHERITED = ("checkin", "checkout", "guests", "currency")
STAYS = ("stay", "add")


class Stay(NamedTuple):
    """A hotel as an address names it: by its identifier at a provider."""

    provider: str
    property_id: str

    @classmethod
    def of(cls, text: str) -> Self | None:
        """The hotel that `provider/property` names; None for any other text."""
        provider, _slash, property_id = text.partition("/")
        stay = cls(ProviderCode().to_python(unquote(provider)), Identifier().to_python(unquote(property_id)))
        return stay if all(0 < len(one) <= MAX_ID for one in stay) else None

    @property
    def key(self) -> str:
        return at_provider(self.provider, self.property_id)

    def __str__(self) -> str:
        return stay_value(self.provider, self.property_id)


@dataclass(frozen=True, slots=True)
class KeptSearch:
    """Some hotels of an address and the parameters of the search they belong to."""

    search: tuple[tuple[str, str], ...]
    stays: tuple[Stay, ...]

    def query(self, market: str) -> QueryDict:
        """The parameters from which the search form reads this search in a market."""
        return QueryDict(encode_pairs([*self.search, ("market", market)]))


def stays_of(texts: Iterable[str], most: int) -> tuple[Stay, ...]:
    """The first `most` hotels that the texts name, each once."""
    found = filter(None, map(Stay.of, islice(texts, 4 * MOST_KEPT)))
    return tuple(islice(dict.fromkeys(found), most))


def kept_searches(request: HttpRequest) -> tuple[KeptSearch, ...]:
    """The searches of an address with their hotels, at most `MOST_KEPT` hotels in all, each once; `drop`
    names those to leave out. Equal searches are one."""
    dropped = frozenset(stays_of(request.GET.getlist("drop"), MOST_KEPT))
    found: dict[tuple[tuple[str, str], ...], list[Stay]] = {}
    seen = set(dropped)
    for search, texts in _parts(address_pairs(request)):
        stays = [one for one in stays_of(texts, MOST_KEPT) if one not in seen]
        room = MOST_KEPT - (len(seen) - len(dropped))
        seen.update(stays[:room])
        if stays[:room]:
            found.setdefault(search, []).extend(stays[:room])
    return tuple(KeptSearch(search, tuple(stays)) for search, stays in found.items())


def _parts(pairs: list[tuple[str, str]]) -> Iterable[tuple[tuple[tuple[str, str], ...], list[str]]]:
    """The parameters of each search of an address, in one order, and its hotels as they are spelled."""
    said: dict[str, str] = {}
    texts: list[str] = []
    for name, value in pairs:
        if name == "place" and "place" in said:
            yield _search(said), texts
            said, texts = {one: said[one] for one in INHERITED if one in said}, []
        if name in SEARCH and len(value) <= MAX_PLACE:
            said[name] = value
        elif name in STAYS:
            texts.append(value)
    yield _search(said), texts


def _search(said: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, said[name]) for name in SEARCH if said.get(name))


def list_pairs(searches: Iterable[KeptSearch]) -> list[tuple[str, str]]:
    """The parameters of a list's address: what a search shares with the one before it is said once."""
    pairs: list[tuple[str, str]] = []
    before: dict[str, str] = {}
    for one in searches:
        said = dict(one.search)
        # Its place begins a search, even an empty one; what only the one before has is taken back.
        pairs.append(("place", said.get("place", "")))
        own = {name: said.get(name, "") for name in SEARCH[1:]}
        pairs += [(name, value) for name, value in own.items() if value != _inherited(before, name)]
        pairs += [("stay", str(stay)) for stay in one.stays]
        before = own
    return pairs


def shortlist_path(searches: Iterable[KeptSearch], market: str = "", page: int = 1) -> str:
    """The address of a list; `page` says which of its searches are looked up."""
    pairs = list_pairs(searches)
    pairs += [("market", market)] if market else []
    pairs += [("page", str(page))] if page > 1 else []
    query = encode_pairs(pairs).replace("%2F", "/")
    return f"{reverse('shortlist')}?{query}" if query else reverse("shortlist")


def _inherited(before: dict[str, str], name: str) -> str:
    return before.get(name, "") if name in INHERITED else ""


def compare_path(context: SearchContext, stays: Iterable[Stay]) -> str:
    """The address of these hotels side by side, with the order and filters of the results they are from."""
    pairs = [*view_pairs(context), *(("stay", str(one)) for one in stays)]
    return f"{reverse('compare')}?{encode_pairs(pairs)}"
