"""The addresses on pages about destinations: one visitor's days, party and money go along."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

import msgspec
from django.urls import reverse

from search.domain.airports import Airport
from search.domain.destinations import Destination
from search.domain.stay import StaySearch, encode_pairs

from .links import results_path

_HOLE = "\0"


class DestinationLinks:
    """`stay` has the days, party and money of the searches; `given` says that the visitor chose them, so
    links between the pages keep them; `market_given` that at least the market was chosen."""

    def __init__(self, stay: StaySearch, given: bool = False, *, market_given: bool = False) -> None:
        self._keep = stay.pairs()[1:] if given else [("market", stay.market)] if market_given else []
        # Hundreds of addresses on a page differ in nothing but the place.
        pattern = results_path(msgspec.structs.replace(stay, place=_HOLE))
        self._before, _, self._after = pattern.partition(quote(_HOLE))

    def search(self, destination: Destination) -> str:
        """The search for a destination, measured from its airport if it is one."""
        near = f"&near={destination.near}" if destination.near else ""
        return f"{self._before}{quote(destination.place, safe='')}{self._after}{near}"

    def browse(self, **asked: str) -> str:
        """All destinations, or those of one `theme` or `country`."""
        return _with(reverse("destinations"), [*asked.items(), *self._keep])

    def fly_from(self, airport: Airport | None) -> str:
        """Where one can fly from an airport; empty for one without routes."""
        if airport is None or not (airport.routes or airport.seasonal_routes):
            return ""
        return _with(reverse("fly-from", args=[airport.code]), self._keep)


def _with(path: str, pairs: Iterable[tuple[str, str]]) -> str:
    query = encode_pairs(list(pairs))
    return f"{path}?{query}" if query else path
