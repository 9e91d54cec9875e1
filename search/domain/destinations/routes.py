"""Where one can fly from an airport without a change."""

from __future__ import annotations

import msgspec

from ..airports import Airport, Route
from .destination import Destination
from .index import DestinationIndex


class Reachable(msgspec.Struct, frozen=True):
    """One destination of an airport's route list; `seasonal` when it isn't flown to all year."""

    destination: Destination
    seasonal: bool


def reachable_from(index: DestinationIndex, airport: Airport) -> tuple[Reachable, ...]:
    """The airports that `airport` names as reachable, most important first, each once.

    Only entries of the kind airport are flights; the city, country and region entries beside them name the
    same flights again by where they land.
    """
    all_year = _airports(airport.routes)
    seasonal = _airports(airport.seasonal_routes)
    found = [index.destination(code) for code in all_year | seasonal]
    known = [destination for destination in found if destination and destination.code != airport.code]
    known.sort(key=lambda destination: index.position(destination.code))
    return tuple(Reachable(destination, destination.code in seasonal) for destination in known)


def _airports(routes: tuple[Route, ...]) -> set[str]:
    return {route.code.upper() for route in routes if route.kind == "airport"}
