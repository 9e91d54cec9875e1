"""Hotels that an address names, looked up with their offers: each by itself, or all of a search at once."""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from typing import NamedTuple, TypeVar

import msgspec

from search.domain import process
from search.domain.context import SearchContext
from search.domain.hotels import Property
from search.gateway.errors import GatewayError, NotFound
from search.property import service as properties
from search.results import service as results
from search.results.available_results import AvailableResults
from search.results.full_results import FullResults
from search.results.listings import FoundProperty, PricedListing, priced, visible
from search.web import threads

from .address import Stay

# A comparison's hotels at once, for two visitors.
AT_ONCE = 8

T = TypeVar("T")

Found = FoundProperty | GatewayError


def build_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(AT_ONCE, thread_name_prefix="compare")


def side_by_side(context: SearchContext, stays: Iterable[Stay]) -> dict[Stay, Found]:
    """Each hotel in full, or why not: a call for its details, and its offers from the full results of the
    search, which all of them share, or of its own city. Raises GatewayError where none is available."""
    found = _of_each(partial(_found, context), stays)
    errors = [one for one in found.values() if isinstance(one, GatewayError)]
    broken = [one for one in errors if not isinstance(one, NotFound)]
    if broken and len(errors) == len(found):
        raise broken[0].afresh()
    return found


def _of_each(work: Callable[[Stay], T], stays: Iterable[Stay]) -> dict[Stay, T]:
    each = tuple(dict.fromkeys(stays))
    return dict(zip(each, threads.in_parallel(process.part(build_pool), work, each), strict=True))


def _found(context: SearchContext, stay: Stay) -> Found:
    try:
        return properties.find_property(context, stay.provider, stay.property_id, 1)
    except GatewayError as error:
        return error


class Listed(NamedTuple):
    """The hotels of a search that are there now. `complete`: one that isn't among them isn't offered; else it
    may be in what was not compared. `stale_from` is when the totals were fetched, where no newer are
    available."""

    found: dict[Stay, PricedListing]
    complete: bool = False
    stale_from: datetime | None = None


def start(contexts: Iterable[SearchContext]) -> None:
    """Start fetching the full results of these searches side by side."""
    for context in contexts:
        if context.search.place:
            FullResults(context).start_unless_fresh()


def listed(context: SearchContext, stays: tuple[Stay, ...]) -> Listed:
    """The hotels of one search from its full results, however many they are; without a place each by itself,
    the first `AT_ONCE` of them. Never raises."""
    if not context.search.place:
        return _listed_one_by_one(context, stays[:AT_ONCE])
    available = FullResults(context).wait_for_all()
    if available is None:
        return Listed({})
    found, all_had = _found_among(available, context, {one.key: one for one in stays})
    complete = available.result_set.coverage.exact and all_had
    return Listed(found, complete, available.result_set.fetched_at if available.stale else None)


def _found_among(
    available: AvailableResults, context: SearchContext, wanted: Mapping[str, Stay]
) -> tuple[dict[Stay, PricedListing], bool]:
    """The wanted hotels that are there, and whether the listing of each could be had."""
    rows = {wanted[key]: row for row in available.result_set.rows for key in row.all_keys() if key in wanted}
    listings, all_had = available.listings(rows.values())
    shown = {one: visible(listings[row.key], context) for one, row in rows.items() if row.key in listings}
    return {one: priced(listing, context) for one, listing in shown.items() if listing}, all_had


def _listed_one_by_one(context: SearchContext, stays: tuple[Stay, ...]) -> Listed:
    try:
        found = side_by_side(context, stays)
    except GatewayError:
        return Listed({})
    there = {one: known for one, known in found.items() if isinstance(known, FoundProperty)}
    stale_from = min((known.stale_from for known in there.values() if known.stale_from), default=None)
    cards = {one: card_with_distance(known) for one, known in there.items()}
    return Listed(cards, stale_from=stale_from)


def buildings(context: SearchContext, stays: Iterable[Stay]) -> dict[Stay, Property | None]:
    """What is known of hotels that no result shows, on whatever days, by a call for the details of each. None
    is one that isn't offered here, such as those of a provider that an admin switched off; left out is one of
    which nothing is available right now."""
    found = _of_each(partial(_building, context), stays)
    return {
        one: building if isinstance(building, Property) else None
        for one, building in found.items()
        if isinstance(building, Property | NotFound)
    }


def _building(context: SearchContext, stay: Stay) -> Property | GatewayError:
    if not context.site.is_enabled(stay.provider):
        return NotFound("request", 404)
    try:
        return properties.details(context, stay.provider, stay.property_id, dated=False).value.property
    except GatewayError as error:
        return error


def card_with_distance(found: FoundProperty) -> PricedListing:
    """The card of a property, with the distance that its listing names."""
    card, distance = properties.card_of(found), found.listing.distance if found.listing else None
    return msgspec.structs.replace(card, listing=msgspec.structs.replace(card.listing, distance=distance))


def card_as_listed(found: FoundProperty, context: SearchContext) -> PricedListing:
    """Its card, led by the offer that leads it in the list: the cheapest that passes the filters, or of all
    where none passes."""
    card = card_with_distance(found)
    if found.listing is None:
        return card
    led = results.filtered_card_alone(found.listing, context.refinement, context)
    return msgspec.structs.replace(card, offers=led.offers, ladder=led.ladder) if led else card
