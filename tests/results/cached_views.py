"""The search that result-set tests are about, and what they look at in a view of it."""

from __future__ import annotations

import time
from datetime import date
from decimal import Decimal

from search.domain import process
from search.domain.context import SearchContext
from search.domain.process import Deadline
from search.domain.query import Refinement, StayDates, StaySearch
from search.domain.site_settings import Site
from search.results import full_results
from search.results import service as results
from search.results.fetcher import Fetcher
from search.results.full_results import FullResults
from search.results.listings import FoundStays
from search.results.pagination import Coverage
from tests.scripted_gateway import LONG

TODAY = date(2030, 4, 1)
SITE = Site(page_size=20, cap=600, parallel_calls=4, search_fresh_seconds=300)
SEARCH = StaySearch("Rome", StayDates(date(2030, 5, 1), date(2030, 5, 4)), 2, (), "EUR", "en-gb")
PLAIN = Refinement()


def context_of(
    search: StaySearch = SEARCH, site: Site = SITE, refinement: Refinement = PLAIN
) -> SearchContext:
    """What a page about this search works with, and time enough for it."""
    return SearchContext(search, refinement, site, TODAY, Deadline(LONG, time.monotonic))


def view(
    refinement: Refinement = PLAIN, page: int = 1, *, search: StaySearch = SEARCH, site: Site = SITE
) -> FoundStays:
    return results.find(context_of(search, site, refinement), page)


def progress(site: Site = SITE) -> Coverage:
    return results.progress(context_of(site=site))


def settle(search: StaySearch = SEARCH, site: Site = SITE) -> None:
    FullResults(context_of(search, site)).wait_for_all()


def end_of_fetches() -> None:
    """Wait for all that is being fetched, deeper passes too."""
    for fetcher in (Fetcher, full_results.build_pass_fetcher):
        for fetch in [*process.part(fetcher).under_way.values()]:
            fetch.wait(LONG)


def keys(found: FoundStays) -> list[str]:
    return [card.listing.property.key for card in found.listings]


def totals(found: FoundStays) -> list[Decimal]:
    return [card.offers[0].total.total.amount for card in found.listings]
