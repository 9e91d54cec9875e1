"""Hotels that an address names, and their offers: each by itself, or all of a search at once.

`stay=<provider>/<property>` names a hotel. In an address of several searches each `place` begins one, and the
hotels up to the next belong to it; what it doesn't say (days, guests, currency) is that of the one before it.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from functools import partial
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


def side_by_side(context: SearchContext, stays: Iterable[Stay]) -> dict[Stay, Found]:
    """Each hotel in full, or why not. Raises GatewayError where none is available."""
    results_of_each = _of_each(partial(_found, context), stays)
    errors = [one for one in results_of_each.values() if isinstance(one, GatewayError)]
    broken = [one for one in errors if not isinstance(one, NotFound)]
    if broken and len(errors) == len(results_of_each):
        raise broken[0].afresh()
    return results_of_each


def _of_each(work: Callable[[Stay], T], stays: Iterable[Stay]) -> dict[Stay, T]:
    each = tuple(dict.fromkeys(stays))
    return dict(zip(each, streaming.in_parallel(process.part(build_pool), work, each), strict=True))


def _found(context: SearchContext, stay: Stay) -> Found:
    try:
        return properties.find_property(context, stay.provider, stay.property_id, hotel=stay.hotel)
    except GatewayError as error:
        return error


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
    shown = {one: visible(offered.listings[one.key], context) for one in stays if one.key in offered.listings}
    cards = {
        one: msgspec.structs.replace(priced(listing, context), shared=bool(one.hotel))
        for one, listing in shown.items()
        if listing
    }
    for card in cards.values():
        observed.note(context, card.listing.property.key, card.offers, offered.fetched_at)
    stale_from = offered.fetched_at if offered.stale else None
    return Listed(cards, offered.complete, stale_from, offered.fetched_at)


def _listed_one_by_one(context: SearchContext, stays: tuple[Stay, ...]) -> Listed:
    try:
        hotels = side_by_side(context, stays)
    except GatewayError:
        return Listed({})
    there = {one: hotel for one, hotel in hotels.items() if isinstance(hotel, FoundProperty)}
    stale_from = min((hotel.stale_from for hotel in there.values() if hotel.stale_from), default=None)
    cards = {one: card_with_distance(hotel) for one, hotel in there.items()}
    return Listed(cards, stale_from=stale_from)


def buildings(context: SearchContext, stays: Iterable[Stay]) -> dict[Stay, Property | None]:
    """The details of hotels that no result shows: None for one that isn't offered here; without those that
    are not available right now."""
    return {
        one: building if isinstance(building, Property) else None
        for one, building in _of_each(partial(_building, context), stays).items()
        if isinstance(building, Property | NotFound)
    }


def _building(context: SearchContext, stay: Stay) -> Property | GatewayError:
    if not context.site.is_enabled(stay.provider):
        return NotFound("request", 404)
    try:
        return properties.details(context, stay.provider, stay.property_id, dated=False).value.property
    except GatewayError as error:
        return error


def card_with_distance(hotel: FoundProperty) -> PricedListing:
    """The card of a property, with the distance that its listing names."""
    card, distance = properties.card_of(hotel), hotel.listing.distance if hotel.listing else None
    return msgspec.structs.replace(card, listing=msgspec.structs.replace(card.listing, distance=distance))


def card_as_listed(hotel: FoundProperty, context: SearchContext) -> PricedListing:
    """Its card, led by the offer that leads it in the list: the cheapest that passes the filters, if any."""
    card = card_with_distance(hotel)
    if hotel.listing is None:
        return card
    led = results.filtered_card_alone(hotel.listing, context.refinement, context)
    return msgspec.structs.replace(card, offers=led.offers, ladder=led.ladder) if led else card
