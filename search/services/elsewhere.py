"""Where else to look when a search found nothing: places nearby, else places of a similar name."""

from __future__ import annotations

from search.domain.airports import Airport
from search.domain.catalogue import Coordinates
from search.domain.deadline import Deadline
from search.domain.destinations import Destination, DestinationIndex, fold
from search.domain.stay import StaySearch

from . import destinations

MOST = 4
# More than are shown: the airports of one city are one place.
LOOKED_AT = 12


def places(
    search: StaySearch, anchor: Airport | None, deadline: Deadline
) -> tuple[tuple[Destination, float | None], ...]:
    """Other places with their straight-line kilometres, nearest first; without kilometres where nobody
    knows the place and only its name is a hint."""
    index = destinations.index(deadline)
    where = _where(search, anchor, index)
    found: list[tuple[Destination, float | None]] = []
    if where is not None:
        found += destinations.nearest(index, where, LOOKED_AT)
    else:
        found += [(one, None) for one in destinations.suggest(index, search.place, limit=LOOKED_AT)]
    others: dict[str, tuple[Destination, float | None]] = {}
    for destination, km in found:
        if fold(destination.place) != fold(search.place):
            others.setdefault(fold(destination.place), (destination, km))
    return tuple(others.values())[:MOST]


def _where(search: StaySearch, anchor: Airport | None, index: DestinationIndex) -> Coordinates | None:
    airports = (anchor,) if anchor else index.airports_of_city(search.place)
    return next((one.coordinates for one in airports if one and one.coordinates), None)
