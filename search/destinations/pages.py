"""The addresses on pages about destinations: one visitor's days, party and money go along.

What visitors see of destinations: suggestions as they type, and the same as a plain page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import msgspec

from search.domain.hotels import Airport
from search.domain.query import StaySearch, encode_pairs
from search.domain.text import marked
from search.web import formatting
from search.web.formatting import Reader
from search.web.links import results_path, reverse
from search.web.meta import Head
from search.web.translation import gettext as _
from search.web.translation import ngettext, npgettext

from .destination import Destination, Kind, free_text

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


_ICONS = {
    Kind.AIRPORT: "plane",
    Kind.CITY: "building-2",
    Kind.REGION: "map",
    Kind.COUNTRY: "flag",
    Kind.PLACE: "map-pin",
}


def label(destination: Destination) -> str:
    """The one line for a destination: `London Stansted (STN)`, `London - all 5 airports`, `Sicily`."""
    if destination.kind is Kind.AIRPORT:
        return f"{destination.name} ({destination.code})"
    if destination.kind is Kind.CITY:
        return f"{destination.name} - {all_airports(len(destination.airports))}"
    return destination.name


def all_airports(count: int) -> str:
    return npgettext("all of a city", "%(count)s airport", "all %(count)s airports", count) % {"count": count}


def suggestions_data(found: Iterable[Destination]) -> dict[str, Any]:
    """The JSON of `/destinations/?q=`."""
    return {
        "suggestions": [
            {
                "kind": one.kind.value,
                "code": one.code,
                "label": label(one),
                "place": one.place,
                "airports": list(one.airports),
            }
            for one in found
        ]
    }


@dataclass(frozen=True, slots=True)
class Row:
    """One destination in a list. `pieces` are the parts of its name, each with whether the text matched it;
    `text` is what the field gets; `beneath` says that it stands under its city's row."""

    icon: str
    pieces: tuple[tuple[str, bool], ...]
    extra: str
    code: str
    where: str
    text: str
    href: str
    beneath: bool


@dataclass(frozen=True, slots=True)
class Rows:
    """Parameters of destinations/options.html: rows, their heading, what a screen reader hears.

    `is_start` says that this is what an empty field offers.
    """

    heading: str
    rows: tuple[Row, ...]
    status: str
    is_start: bool = False

    @classmethod
    def matching(
        cls, found: Iterable[Destination], text: str, links: DestinationLinks, reader: Reader
    ) -> Rows:
        rows = _rows(found, text, links, reader, lambda one: reader.country(one.country))
        return cls("", rows, _count(len(rows)))

    @classmethod
    def featured(cls, found: Iterable[Destination], links: DestinationLinks, reader: Reader) -> Rows:
        rows = _rows(found, "", links, reader, lambda one: reader.country(one.country))
        return cls(_("Popular places"), rows, _count(len(rows)), is_start=True)

    @classmethod
    def near(
        cls, found: Iterable[tuple[Destination, float]], links: DestinationLinks, reader: Reader
    ) -> Rows:
        far = {one.code: km for one, km in found}

        def distance(one: Destination) -> str:
            return formatting.kilometres(far[one.code], reader.numbers)

        rows = _rows((one for one, _km in found), "", links, reader, distance)
        status = _count(len(rows)) if rows else _("No airport of our list is near you.")
        return cls(_("Airports near you"), rows, status)


@dataclass(frozen=True, slots=True)
class SuggestionsPage:
    """Parameters of destinations/suggestions.html: suggestions for a text, for people without JavaScript.

    `free` is the address of the search for the text as it was typed.
    """

    head: Head
    heading: str
    rows: tuple[Row, ...]
    free: str
    browse: str

    @classmethod
    def build(
        cls, found: Iterable[Destination], text: str, links: DestinationLinks, reader: Reader
    ) -> SuggestionsPage:
        rows = Rows.matching(found, text, links, reader).rows
        heading = _("Did you mean one of these?") if rows else _("We know no airport or city of this name")
        return cls(
            head=Head(title=_("Destinations for “%(text)s”") % {"text": text}, robots="noindex"),
            heading=heading,
            rows=rows,
            free=links.search(free_text(text)),
            browse=links.browse(),
        )


def _rows(
    found: Iterable[Destination],
    text: str,
    links: DestinationLinks,
    reader: Reader,
    where: Callable[[Destination], str],
) -> tuple[Row, ...]:
    rows = []
    shown: set[str] = set()
    for one in found:
        rows.append(
            Row(
                icon=_ICONS[one.kind],
                pieces=marked(one.name, text),
                extra=all_airports(len(one.airports)) if one.kind is Kind.CITY else "",
                code=one.code if one.kind is Kind.AIRPORT else "",
                where="" if one.kind is Kind.COUNTRY or one.code in shown else where(one),
                text=one.text,
                href=links.search(one),
                beneath=one.code in shown,
            )
        )
        if one.kind is Kind.CITY:
            shown.update(one.airports)
    return tuple(rows)


def _count(count: int) -> str:
    if not count:
        return _("No suggestions. You can search for any place by its name.")
    return ngettext("%(count)s suggestion", "%(count)s suggestions", count) % {"count": count}
