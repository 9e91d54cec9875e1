"""What the pages about destinations are made with; suggestions for a text: as the picker's list, as a page
and as JSON; places as tiles.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple, Self

import msgspec
from django.http import QueryDict

from search.domain.hotels import Airport
from search.domain.query import Refinement, StaySearch, encode_pairs, quoted
from search.domain.site_settings import Site
from search.domain.words import marked
from search.web import formatting
from search.web.formatting import Reader
from search.web.links import Head, photo_address, results_path, reverse
from search.web.markets import asked_pairs
from search.web.search_form import StayForm
from search.web.shortcuts import page_deadline
from search.web.translation import gettext as _
from search.web.translation import ngettext, npgettext

from . import service
from .index import Destination, DestinationIndex, Kind
from .suggest import suggest

_HOLE = "\0"


@dataclass
class Visit:
    """What these pages are made of: the index, the reader, and the stay that their links are for. Links from
    page to page `keep` these parameters."""

    index: DestinationIndex
    site: Site
    today: date
    stay: StaySearch
    keep: Sequence[tuple[str, str]] = ()

    def __post_init__(self) -> None:
        self.reader = Reader.of(self.site, self.stay.market)
        # Hundreds of addresses on a page differ in nothing but the place.
        pattern = results_path(msgspec.structs.replace(self.stay, place=_HOLE))
        self._before, _, self._after = pattern.partition(quoted(_HOLE))

    @classmethod
    def of(cls, query: QueryDict, site: Site, today: date) -> Self:
        """With the stay of an address or, if it names none that can be booked, a weekend."""
        index, form = service.index(page_deadline()), StayForm(query, site=site, today=today)
        if form.is_valid() and "checkin" in query:
            stay = form.search()
            return cls(index, site, today, stay, stay.pairs()[1:])
        valid = {name: form.cleaned_data.get(name) for name in ("guests", "currency", "market")}
        chosen = {name: value for name, value in valid.items() if value}
        stay = msgspec.structs.replace(site.usual_search("", today), dates=site.weekend(today), **chosen)
        return cls(index, site, today, stay, asked_pairs(query, site))

    def search(self, destination: Destination) -> str:
        """The search for a destination, measured from its airport if it is one."""
        return self.place(destination.place, destination.anchor)

    def place(self, name: str, anchor: Refinement | None = None) -> str:
        """The search for a place of this name, measured and told from others by `anchor`."""
        beside = encode_pairs(anchor.pairs()) if anchor else ""
        path = f"{self._before}{quoted(name)}{self._after}"
        return f"{path}&{beside}" if beside else path

    def browse(self, **asked: str) -> str:
        """All destinations, or those of one `theme` or `country`."""
        return reverse("destinations", pairs=[*asked.items(), *self.keep])

    def country(self, country: str, region: str = "", page: int = 1) -> str:
        """The cities of a lower-case country code and, if named, of the region of that slug."""
        return country_path(country, region, page, self.keep)

    def search_country(self, country: str) -> str:
        """The search for a whole country; it is called by its English name."""
        return self.place(formatting.country_name(country, "en"))

    def fly_from(self, airport: Airport) -> str:
        """Where one can fly from an airport; empty for one without routes."""
        if not (airport.routes or airport.seasonal_routes):
            return ""
        return reverse("fly-from", [airport.code], self.keep)


def country_path(country: str, region: str, page: int, keep: Iterable[tuple[str, str]] = ()) -> str:
    """The address of the cities of a country or of one of its regions, with what links `keep` of a stay."""
    name, args = ("region", [country, region]) if region else ("country", [country])
    return reverse(name, args, [*([("page", str(page))] if page > 1 else []), *keep])


def airport_count(count: int) -> str:
    return ngettext("%(count)s airport", "%(count)s airports", count) % {"count": count}


def all_airports(count: int) -> str:
    """`all 5 airports`; of two `both airports`."""
    if count == 2:
        return _("both airports")
    return npgettext("all of a city", "%(count)s airport", "all %(count)s airports", count) % {"count": count}


class Row:
    """One destination in a list. `pieces` are the parts of its name, each with whether the text matched it,
    `also` those of another name, where that matched; `beneath` says that it stands under its city's row."""

    def __init__(self, visit: Visit, one: Destination, text: str, where: str, *, beneath: bool) -> None:
        self.destination, self.href, self.beneath = one, visit.search(one), beneath
        self.pieces, self.also = marked(one.label or one.name, text), marked(one.also, text)
        several = one.kind is Kind.CITY and len(one.airports) > 1
        self.extra = all_airports(len(one.airports)) if several else ""
        self.where = "" if one.kind is Kind.COUNTRY or beneath else where

    @property
    def data(self) -> dict[str, Any]:
        """Its JSON, labelled `London Stansted (STN)`, `London - all 5 airports`, `San José, Costa Rica`."""
        one = self.destination
        label = ", ".join(filter(None, (one.label or one.name, self.where)))
        if one.kind is Kind.AIRPORT:
            label = f"{one.name} ({one.code})"
        elif self.extra:
            label = f"{one.label or one.name} - {self.extra}"
        named = {"kind": one.kind.value, "code": one.code, "label": label, "place": one.place}
        return {**named, "airports": list(one.airports)}


class Rows:
    """Parameters of destinations/options.html: rows, their heading, what a screen reader hears, and whether
    this is what an empty field offers."""

    def __init__(
        self,
        visit: Visit,
        found: Iterable[Destination],
        text: str = "",
        far: Mapping[Destination, float] | None = None,
    ) -> None:
        """What `text` may mean, or what is so `far` away in kilometres; without both, what an empty field
        offers."""
        reader, self.rows, shown = visit.reader, list[Row](), set[str]()
        for one in found:
            where = ", ".join(filter(None, (one.region, reader.country(one.country))))
            if far is not None:
                where = formatting.kilometres(far[one], reader.numbers)
            # Where it is said how far they are, no airport stands beneath its city.
            self.rows.append(Row(visit, one, text, where, beneath=far is None and one.code in shown))
            shown.update(one.airports if one.kind is Kind.CITY else ())
        count = len(self.rows)
        self.status = ngettext("%(count)s suggestion", "%(count)s suggestions", count) % {"count": count}
        self.is_start = far is None and not text
        self.heading = _("Popular destinations") if self.is_start else ""
        if far is not None:
            self.heading = _("Destinations near you")
        if not self.rows:
            self.status = _("No suggestions. You can still search for any destination by its name.")
            if far is not None:
                self.status = _("We know of no destination near you.")


class SuggestionsPage:
    """Parameters of destinations/suggestions.html. `matched` says that a row has what was typed, so that it
    wasn't misspelt; `free` is the address of the search for the text as it was typed."""

    def __init__(self, visit: Visit, text: str) -> None:
        self.head = Head(title=_("Destinations for “%(text)s”") % {"text": text}, robots="noindex")
        self.rows = Rows(visit, suggest(visit.index, text), text).rows
        self.matched = any(matched for row in self.rows for _piece, matched in row.pieces + row.also)
        self.free, self.browse = visit.place(text), visit.browse()


class PlaceTile(NamedTuple):
    """Parameters of one tile: `words` are an admin's, `note` is ours, `total` says what a stay typically
    costs, `picture` is an address; all may be empty."""

    name: str
    href: str
    picture: str = ""
    total: str = ""
    note: str = ""
    words: str = ""


class PlaceTiles(NamedTuple):
    """Parameters of destinations/tiles.html; `note` says which stay the links and totals are for."""

    tiles: tuple[PlaceTile, ...] = ()
    note: str = ""


NO_TILES = PlaceTiles()
# What gives tiles of a stay their totals and photos, or makes them behind the page if it is to `fill` them.
FillTiles = Callable[..., PlaceTiles]


def featured_tiles(visit: Visit) -> tuple[PlaceTile, ...]:
    """The featured places, under their names for the reader; uploaded pictures are ours, others are addresses
    as the gateway names them."""
    tiles = []
    for one in visit.site.home_places(visit.today):
        destination = service.resolve(one.place, visit.index)
        name = (destination and service.reader_name(destination, visit.index)) or one.place
        # Distances are from its airport.
        href = visit.place(one.place, Refinement(near=one.airport.upper()))
        picture = one.picture if one.picture.startswith("/") else photo_address(one.picture)
        tiles.append(PlaceTile(name, href, picture, words=one.text))
    return tuple(tiles)
