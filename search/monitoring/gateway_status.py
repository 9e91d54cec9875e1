"""What staff may know of the gateway: the panel's figures, and how its three calls go."""

import time
from collections.abc import Callable
from datetime import date
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeVar

from django.conf import settings

from search.domain.site_settings import Site
from search.gateway import factory, parsing
from search.gateway.client import AIRPORTS_CALL, DetailsQuery, PageQuery, series_of
from search.gateway.errors import GatewayError
from search.gateway.search_page import SearchPage, search_page
from search.gateway.transport import Call
from search.web.shortcuts import page_deadline

from .metrics import KEPT_DAYS, Report, cache_usage, last_days, reports

T = TypeVar("T")

NO_OFFER = "not called: no offer to look at"


def panel() -> SimpleNamespace:
    """The panel as of now; makes no gateway call. `status` is this process's own; `today`, `week` and `days`
    (oldest first) are of all processes that share the cache."""
    days, key = last_days(KEPT_DAYS), settings.GATEWAY_API_KEY
    by_day = {day: Report(day) for day in reversed(days)} | {one.day: one for one in reports(days)}
    return SimpleNamespace(
        sandbox=factory.uses_sandbox(),
        address=settings.GATEWAY_BASE_URL,
        # Enough to notice a key that was cut off.
        key=f"{'•' * min(len(key), 12)} ({len(key)})" if key else "",
        weather=settings.SANDBOX_WEATHER,
        shared=settings.CACHE_IS_SHARED,
        status=factory.status(),
        today=by_day[days[0]],
        week=Report.merged(by_day.values(), days[0]),
        days=tuple(by_day.values()),
        cache=cache_usage(),
        cache_most=settings.CACHE_MAX_BYTES,
    )


class CallCheck(NamedTuple):
    """How one call went: its milliseconds, what it found or why not, and its answer (None if it failed)."""

    call: str
    ok: bool
    ms: int
    found: str
    answer: Any = None


def check_calls(place: str, site: Site, today: date) -> list[CallCheck]:
    """The three calls past the cache: airports, a search of `place`, details of the first offer found."""

    def results(page: SearchPage) -> str:
        offers = sum(len(listing.offers) for listing in page.listings)
        total = "an unknown number of" if page.total is None else page.total
        return f"{len(page.listings)} of {total} properties in {place}, {offers} offers"

    asked = site.usual_search(place, today)
    *_others, series = series_of(asked, site.categories_style)
    first_page = PageQuery(series, 0, site.page_size, site.categories_style).call()
    airports = _timed(AIRPORTS_CALL, parsing.airport_list, lambda found: f"{len(found)} airports")
    search = _timed(first_page, search_page, results)
    listings = search.answer.listings if search.ok else ()
    offer = next((one for listing in listings for one in listing.offers), None)
    if offer is None:
        return [airports, search, CallCheck("details", False, 0, NO_OFFER)]
    details = _timed(
        DetailsQuery(offer.provider, offer.property_id, asked).call(),
        partial(parsing.property_details, provider=offer.provider, property_id=offer.property_id),
        lambda found: f"{found.property.name or offer.property_id}: {len(found.room_types)} room types",
    )
    return [airports, search, details]


def _timed(call: Call, read: Callable[[bytes], T], describe: Callable[[T], str]) -> CallCheck:
    began = time.monotonic()
    answer = None
    try:
        answer = read(factory.transport().get(call, page_deadline()))
        text = describe(answer)
    except GatewayError as error:
        text = f"{type(error).__name__}: {error}"
    ms = round((time.monotonic() - began) * 1000)
    return CallCheck(call.endpoint, answer is not None, ms, text, answer)
