"""One page of results: of the full results, sorted and filtered.

The first view of a search shows what is available at once while the rest is fetched behind it; `progress`
says how far that is, and each page's coverage says what its order and its counts are worth.
"""

from collections.abc import Sequence
from math import ceil

import msgspec

from search.destinations import service as destinations
from search.domain.context import SearchContext
from search.domain.hotels import Coordinates
from search.domain.offers import Listing, ladder
from search.domain.query import Refinement, Sort
from search.gateway.cache import CachedValue
from search.gateway.search_page import outline_of
from search.web.shortcuts import Sources

from . import dates, full_results
from .filters import FILTERS
from .full_results import WAITING_SHARE, AvailableResults, Deeper, FullResults
from .index import Row, RowIndex, row_of
from .listings import FoundStays, PricedListing, origin_of, priced, visible
from .pagination import NOTHING_YET, Coverage, CoverageState
from .selection import Question, Selection, Standing, counts, drops


def find(context: SearchContext, page: int) -> FoundStays:
    """Page `page` (from 1) of the results, sorted and filtered over as much of them as is available.
    Raises GatewayError when there is nothing to show: no page from the gateway and no copy in the cache."""
    size = context.site.page_size
    available, selection = _selected(context, page * size)
    dates.remember(context, available)
    shown = selection.ordered()[(page - 1) * size : page * size]
    cards = cards_of(available, selection, shown, context)
    coverage = _coverage(available.result_set.coverage, selection)
    is_growing = coverage.state is CoverageState.FETCHING and not selection.filters
    # Unfiltered results will have so many.
    count = max(selection.count, (coverage.goal or 0) if is_growing else 0)
    stars, found = available.context.search.stars, bool(selection.index.rows)
    facets, spread = counts(selection, stars, complete=coverage.exact)
    return FoundStays(
        listings=cards,
        page=page,
        last_page=max(1, ceil(count / size)),
        fetched_at=available.result_set.fetched_at,
        stale=available.stale,
        newer_coming=available.newer_coming,
        coverage=coverage,
        matching=selection.count,
        facets={name: values for name, values in facets.items() if name in context.site.filters},
        histogram=spread,
        drops={} if selection.count else drops(selection, stars),
        alternative_places=() if found else destinations.alternative_places(context),
        deeper=full_results.beyond(context, available),
        from_centre=selection.question.anchor is not None,
        compared_at=_compared_at(selection.index, context, cards),
        tradeoffs=selection.described_tradeoffs() if found and context.sort is Sort.TRADEOFFS else None,
    )


def _selected(context: SearchContext, enough: int) -> tuple[AvailableResults, Selection]:
    """What is available of the results, `enough` where it can be, and what the refinement selects of it."""
    results = FullResults(context)
    available = full_results.available(context) or results.available(enough)
    selection = _selection(available, context)
    if selection.count or available.result_set.coverage.state is not CoverageState.FETCHING:
        return available, selection
    # "Nothing" would be a rash answer while most of it is still coming in.
    available = results.wait_for_all(context.deadline.left() * WAITING_SHARE) or available
    return available, _selection(available, context)


def page_sources(context: SearchContext) -> Sources | None:
    """What a page of results is made of; None where it is about to change."""
    available = shown_results(context)
    sources = available.sources if available else None
    deeper = full_results.beyond(context, available) if available and sources else None
    if sources is None or (deeper and deeper.state in (Deeper.RUNNING, Deeper.BUSY)):
        return None
    return sources._replace(facts=(*sources.facts, deeper))


def shown_results(context: SearchContext) -> AvailableResults | None:
    """The results that the page of this address shows; None where others are due."""
    return full_results.available(context) if context.refinement.all else FullResults(context).fresh()


def progress(context: SearchContext) -> Coverage:
    """How much of the full results has been fetched; starts fetching where this process doesn't yet."""
    if context.refinement.all:
        return full_results.progress(context)
    results = FullResults(context)
    if known := results.fresh_coverage():
        return known
    if fetch := results.start_fetch():
        return results.fresh_coverage() or fetch.coverage()
    return NOTHING_YET


def find_listing(context: SearchContext, *keys: str) -> CachedValue[Listing] | None:
    """The listing of one property, known by any of `keys`, from the full results; None where it isn't."""
    return (full_results.available(context) or FullResults(context)).listing(keys)


def standing_of(context: SearchContext, listing: Listing | None) -> Standing | None:
    """Where the lowest total of a property stands among those like it, by the cached full results.
    None where they aren't cached, or it isn't in them."""
    if listing is None:
        return None
    key = listing.property.key
    available = full_results.available(context) or FullResults(context).cached()
    if available is None:
        return None
    index = _index(available, context)
    number = next((number for number, row in enumerate(index.rows) if row.key == key), None)
    return None if number is None else Selection(index, Question(Refinement())).standing(number)


def cached_selection(context: SearchContext) -> tuple[AvailableResults, Selection] | None:
    """What the refinement selects of the results as they are cached; None without any. Fetches nothing."""
    available = full_results.available(context) or FullResults(context).cached()
    return (available, _selection(available, context)) if available else None


def _selection(available: AvailableResults, context: SearchContext) -> Selection:
    """What the refinement selects of the available results."""
    index = _index(available, context)
    origin = origin_of(index, context)
    nights, asked = context.search.dates.nights, context.refinement
    unit = nights if asked.per_night else 1
    question = Question(asked.of_stay(nights), context.search.stars, context.sort, origin, unit)
    return Selection(index, question)


def _index(available: AvailableResults, context: SearchContext) -> RowIndex:
    """The index of the rows that visitors may see; kept as long as the rows are."""
    site = context.site
    name = (context.blocked, site.providers, site.code_labels, site.rating_scale)
    of, index = available.result_set.index
    if index is None or of != name:
        rows = available.result_set.rows
        if context.blocked or context.disabled:
            rows = tuple(row for one in rows if (row := visible(one, context)) is not None)
        # Of the search's market, which the rows belong to: a shared link is opened with the site's default.
        index = RowIndex(rows, site.for_market(context.search.market))
        available.result_set.index = name, index
    return index


def _compared_at(
    index: RowIndex, context: SearchContext, shown: tuple[PricedListing, ...]
) -> tuple[Coordinates, ...]:
    """Where properties of the page without filters would be; if some are shown, where the one nearest to the
    centre of the place is."""
    rows: Sequence[Row] = index.rows
    if shown:
        is_measured = rows and context.centre and context.origin is context.centre
        km = index.kilometres(context.centre) if is_measured else []
        rows = [rows[km.index(min(km))]] if km else []
    return tuple(row.coordinates for row in rows if row.coordinates)[: context.site.page_size]


def _coverage(coverage: Coverage, selection: Selection) -> Coverage:
    """Complete results count the properties that visitors can see and that have the stars asked for."""
    if not coverage.exact:
        return coverage
    asked_for = selection.index.rows_of(
        selection.filters.get("stars", selection.index.everything)
    ).bit_count()
    return Coverage(coverage.state, asked_for, asked_for, asked_for)


def cards_of(
    available: AvailableResults, selection: Selection, numbers: list[int], context: SearchContext
) -> tuple[PricedListing, ...]:
    """The cards of the rows of these numbers, without those whose listing can't be read."""
    rows = {number: selection.index.rows[number] for number in numbers}
    listings = available.result_set.listings(rows.values())
    settled = available.result_set.coverage.state is not CoverageState.FETCHING
    return tuple(
        msgspec.structs.replace(
            card,
            standing=selection.standing(number) if settled else None,
            shared=card.at in available.result_set.shared,
        )
        for number, row in rows.items()
        if row.key in listings
        and (shown := visible(listings[row.key], context))
        and (card := _passing_in_front(shown, selection, number, context))
    )


def filtered_card_alone(
    listing: Listing, refinement: Refinement, context: SearchContext
) -> PricedListing | None:
    """The card of a listing outside a list, by the filters of `refinement`; None where no offer passes."""
    row = row_of(outline_of(listing), context.search, context.site.price_rules, context.day)
    question = Question(refinement.of_stay(context.search.dates.nights))
    selection = Selection(RowIndex([row], context.site), question)
    filters = {name: slots for name, slots in selection.filters.items() if FILTERS[name].about_offers}
    return _passing_in_front(listing, Selection(selection.index, question, filters), 0, context)


def _passing_in_front(
    listing: Listing, selection: Selection, number: int, context: SearchContext
) -> PricedListing | None:
    """The card with the cheapest offer that passes the filters in front, as the order and the counts take it;
    None where none passes. `number` is that of its row in the selection."""
    card = priced(listing, context)
    if selection.passing >> number & 1:  # no filter is about offers
        return card
    passing = selection.passing_offers(number)
    if not passing:
        return None
    leading = tuple(card.offers[place] for place in passing)
    others = tuple(offer for place, offer in enumerate(card.offers) if place not in passing)
    steps = ladder(leading, context.search.currency)
    return msgspec.structs.replace(card, offers=leading + others, ladder=steps)
