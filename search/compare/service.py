"""Hotels that an address names, and their offers: each by itself, or all of a search at once.

`stay=<provider>/<property>` names a hotel. In an address of several searches each `place` begins one, and the
hotels up to the next belong to it; what it doesn't say (days, guests, currency) is that of the one before it.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import NamedTuple, TypeVar

import msgspec
from django.http import HttpRequest, QueryDict

from search.domain import process
from search.domain.context import SearchContext
from search.domain.hotels import Property
from search.domain.query import encode_pairs
from search.gateway.errors import GatewayError, NotFound
from search.property import observed
from search.property import service as properties
from search.results import service as results
from search.results.full_results import FullResults
from search.results.listings import FoundProperty, PricedListing, priced, visible
from search.web import streaming
from search.web.links import Stay, reverse, view_pairs
from search.web.search_form import MAX_PLACE
from search.web.shortcuts import address_pairs

MOST_KEPT = 50
SEARCH = ("place", "checkin", "checkout", "guests", "currency", "country", "region", "near")
INHERITED = ("checkin", "checkout", "guests", "currency")
STAYS = ("stay", "add")


@dataclass(frozen=True, slots=True)
class KeptSearch:
    """Some hotels of an address and the parameters of their search."""

    search: tuple[tuple[str, str], ...]
    stays: tuple[Stay, ...]

    def query(self, market: str) -> QueryDict:
        """The parameters from which the search form reads this search in a market."""
        return QueryDict(encode_pairs([*self.search, ("market", market)]))


def stays_of(texts: Iterable[str], most: int) -> tuple[Stay, ...]:
    """The first `most` hotels that the texts name, each once."""
    stays = filter(None, map(Stay.of, islice(texts, 4 * MOST_KEPT)))
    return tuple(islice(dict.fromkeys(stays), most))


def kept_searches(request: HttpRequest) -> tuple[KeptSearch, ...]:
    """The different searches of an address with their hotels, at most `MOST_KEPT` in all, each once, without
    those that `drop` names."""
    dropped = stays_of(request.GET.getlist("drop"), MOST_KEPT)
    searches: dict[tuple[tuple[str, str], ...], list[Stay]] = {}
    seen = set(dropped)
    for search, texts in _parts(address_pairs(request)):
        room = MOST_KEPT - (len(seen) - len(dropped))
        stays = [one for one in stays_of(texts, MOST_KEPT) if one not in seen][:room]
        seen.update(stays)
        if stays:
            searches.setdefault(search, []).extend(stays)
    return tuple(KeptSearch(search, tuple(stays)) for search, stays in searches.items())


def _parts(pairs: list[tuple[str, str]]) -> Iterable[tuple[tuple[tuple[str, str], ...], list[str]]]:
    """The parameters of each search of an address, in one order, and its hotels as they are spelled."""
    values: dict[str, str] = {}
    texts: list[str] = []
    for name, value in pairs:
        if name == "place" and "place" in values:
            yield _search(values), texts
            values, texts = {one: values[one] for one in INHERITED if one in values}, []
        if name in SEARCH and len(value) <= MAX_PLACE:
            values[name] = value
        elif name in STAYS:
            texts.append(value)
    yield _search(values), texts


def _search(values: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, values[name]) for name in SEARCH if values.get(name))


def list_pairs(searches: Iterable[KeptSearch]) -> list[tuple[str, str]]:
    """The parameters of a list's address: what a search shares with the one before it is said once."""
    pairs: list[tuple[str, str]] = []
    before: dict[str, str] = {}
    for one in searches:
        values = dict(one.search)
        # Its place begins a search, even an empty one; what only the one before has is taken back.
        pairs.append(("place", values.get("place", "")))
        own = {name: values.get(name, "") for name in SEARCH[1:]}
        pairs += [(name, value) for name, value in own.items() if value != before.get(name, "")]
        pairs += [("stay", str(stay)) for stay in one.stays]
        before = {name: own[name] for name in INHERITED}
    return pairs


def shortlist_path(searches: Iterable[KeptSearch], market: str = "", page: int = 1) -> str:
    """The address of a list; `page` says which of its searches are looked up."""
    pairs = list_pairs(searches)
    pairs += [("market", market)] if market else []
    pairs += [("page", str(page))] if page > 1 else []
    query = encode_pairs(pairs).replace("%2F", "/")
    return f"{reverse('shortlist')}?{query}" if query else reverse("shortlist")


def compare_path(context: SearchContext, stays: Iterable[Stay]) -> str:
    """The address of these hotels side by side, with the order and filters of the results they are from."""
    pairs = [*view_pairs(context), *(("stay", str(one)) for one in stays)]
    return f"{reverse('compare')}?{encode_pairs(pairs)}"


# A comparison's hotels at once, for two visitors.
AT_ONCE = 8

T = TypeVar("T")

Found = FoundProperty | GatewayError


def build_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(AT_ONCE, thread_name_prefix="compare")


def _of_each(work: Callable[[Stay], T], stays: Iterable[Stay]) -> dict[Stay, T | GatewayError]:
    """What the work returns for each hotel, or why it failed."""

    def result(stay: Stay) -> T | GatewayError:
        try:
            return work(stay)
        except GatewayError as error:
            return error

    each = tuple(dict.fromkeys(stays))
    return dict(zip(each, streaming.in_parallel(process.part(build_pool), result, each), strict=True))


def side_by_side(context: SearchContext, stays: Iterable[Stay]) -> dict[Stay, Found]:
    """Each hotel in full, or why not. Raises GatewayError where none is available."""

    def find(stay: Stay) -> FoundProperty:
        return properties.find_property(context, stay.provider, stay.property_id, hotel=stay.hotel)

    hotels = _of_each(find, stays)
    errors = [one for one in hotels.values() if isinstance(one, GatewayError)]
    broken = [one for one in errors if not isinstance(one, NotFound)]
    if broken and len(errors) == len(hotels):
        raise broken[0].afresh()
    return hotels


class Listed(NamedTuple):
    """The hotels of a search that are there now. `complete`: others aren't offered; else they may be in what
    was not compared. `stale_from` is when the totals were fetched, if no newer ones are available."""

    found: dict[Stay, PricedListing]
    complete: bool = False
    stale_from: datetime | None = None
    fetched_at: datetime | None = None


def start(contexts: Iterable[SearchContext]) -> None:
    """Start fetching the full results of these searches side by side."""
    for context in contexts:
        if context.search.place:
            FullResults(context).start_unless_fresh()


def listed(context: SearchContext, stays: tuple[Stay, ...]) -> Listed:
    """The hotels of one search from its results; without a place the first `AT_ONCE`, each by itself."""
    if not context.search.place:
        return _listed_one_by_one(context, stays[:AT_ONCE])
    offered = properties.offered_now(context, {one.key for one in stays})
    if offered is None:
        return Listed({})
    cards = {}
    for stay in stays:
        listing = offered.listing(stay.key)
        if listing and (shown := visible(listing, context)):
            card = msgspec.structs.replace(priced(shown, context), shared=bool(stay.hotel))
            observed.note(context, card.listing.property.key, card.offers, offered.fetched_at)
            cards[stay] = card
    return Listed(cards, offered.complete, offered.fetched_at if offered.stale else None, offered.fetched_at)


def _listed_one_by_one(context: SearchContext, stays: tuple[Stay, ...]) -> Listed:
    try:
        hotels = side_by_side(context, stays)
    except GatewayError:
        return Listed({})
    there = {one: hotel for one, hotel in hotels.items() if isinstance(hotel, FoundProperty)}
    stale_from = min((hotel.stale_from for hotel in there.values() if hotel.stale_from), default=None)
    return Listed(
        {one: properties.card_in_list(hotel) for one, hotel in there.items()}, stale_from=stale_from
    )


def buildings(context: SearchContext, stays: Iterable[Stay]) -> dict[Stay, Property | None]:
    """The details of hotels that no result shows: None for one that isn't offered here; without those that
    are not available right now."""

    def building(stay: Stay) -> Property:
        if not context.site.provider(stay.provider).enabled:
            raise NotFound("request", 404)
        return properties.details(context, stay.provider, stay.property_id, dated=False).value.property

    return {
        stay: one if isinstance(one, Property) else None
        for stay, one in _of_each(building, stays).items()
        if isinstance(one, Property | NotFound)
    }


def card_as_listed(hotel: FoundProperty, context: SearchContext) -> PricedListing:
    """Its card, led by the offer that leads it in the list: the cheapest that passes the filters, if any."""
    card = properties.card_in_list(hotel)
    if hotel.listing is None:
        return card
    led = results.filtered_card_alone(hotel.listing, context.refinement, context)
    return msgspec.structs.replace(card, offers=led.offers, ladder=led.ladder) if led else card
