"""Whether the gateway answers: its three calls, made past the cache, for staff and for `check_gateway`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import NamedTuple, TypeVar

from search.domain.deadline import Deadline
from search.domain.offers import Listing
from search.domain.site_settings import Site
from search.gateway import factory
from search.gateway.errors import GatewayError
from search.gateway.factory import status, uses_sandbox

__all__ = ["CallCheck", "check_calls", "status", "uses_sandbox"]

T = TypeVar("T")


class CallCheck(NamedTuple):
    """How one call of the interface went: its time in milliseconds and what it found, or why not."""

    call: str
    ok: bool
    ms: int
    found: str


def check_calls(
    place: str, *, settings: Site, today: date, seconds: float, clock: Callable[[], float]
) -> Iterator[CallCheck]:
    """Make the three calls past the cache: airports, a search of `place`, details of the first offer found.

    `seconds` is what each call may take, `clock` a monotonic clock in seconds.
    """
    client = factory.client()
    airports, check = _timed("airports", lambda limit: client.airports(deadline=limit), seconds, clock)
    yield check(f"{len(airports or ())} airports")
    search = settings.usual_search(place, today)
    page, check = _timed(
        "search",
        lambda limit: client.search(
            search,
            page=0,
            size=settings.page_size,
            categories_style=settings.categories_style,
            deadline=limit,
        ),
        seconds,
        clock,
    )
    listings = page.listings if page else ()
    offers = sum(len(listing.offers) for listing in listings)
    yield check(f"{len(listings)} of {page.total if page else None} properties in {place}, {offers} offers")
    chosen = _first_offer(listings)
    if chosen is None:
        yield CallCheck("details", False, 0, "not called: no offer to look at")
        return
    details, check = _timed(
        "details", lambda limit: client.details(*chosen, search, deadline=limit), seconds, clock
    )
    rooms = details.room_types if details else ()
    yield check(f"{details.property.name if details else ''}: {len(rooms)} room types")


def _first_offer(listings: tuple[Listing, ...]) -> tuple[str, str] | None:
    return next(
        ((offer.provider, offer.property_id) for listing in listings for offer in listing.offers), None
    )


def _timed(
    name: str, call: Callable[[Deadline], T], seconds: float, clock: Callable[[], float]
) -> tuple[T | None, Callable[[str], CallCheck]]:
    """What the call returned (None if it failed), and a function from a sentence about it to its check."""
    began = clock()
    try:
        value = call(Deadline(seconds, clock))
    except GatewayError as error:
        failure = f"{type(error).__name__}: {error}"
        ms = round((clock() - began) * 1000)
        return None, lambda _sentence: CallCheck(name, False, ms, failure)
    ms = round((clock() - began) * 1000)
    return value, lambda sentence: CallCheck(name, True, ms, sentence)
