"""Destinations by country: the list that the browsing pages share.

All destinations to browse, by country and by theme, and where one can fly from an airport.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise

from search.domain.hotels import Airport
from search.domain.query import encode_pairs
from search.domain.text import fold, humanise
from search.web import formatting
from search.web.formatting import Reader
from search.web.links import reverse
from search.web.meta import Head
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy, ngettext

from .destination import Destination, Kind
from .index import DestinationIndex
from .pages import DestinationLinks, all_airports
from .resolve import Reachable

# A list as long as the world would be a page of megabytes: then each country shows its first few.
_SHOW_ALL = 600
_FEW = 5


@dataclass(frozen=True, slots=True)
class Entry:
    """One destination as a link. `fly` is the address of where one can fly from it, or empty; `airports` are
    those of a city."""

    name: str
    code: str
    note: str
    href: str
    fly: str = ""
    seasonal: bool = False
    airports: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """One country: `href` searches it, `more` leads to the rest of its airports or is empty."""

    id: str
    name: str
    note: str
    href: str
    regions: tuple[Entry, ...]
    entries: tuple[Entry, ...]
    more: str
    more_text: str


@dataclass(frozen=True, slots=True)
class SectionMaker:
    """Makes the sections of one page. Airports in `seasonal` (IATA codes) are marked so."""

    index: DestinationIndex
    links: DestinationLinks
    reader: Reader
    seasonal: frozenset[str] = frozenset()

    def sections(
        self, airports: Sequence[Airport], *, whole: bool = False, with_regions: bool = False
    ) -> tuple[Section, ...]:
        """By the countries' names as they are read. A very long list is cut per country, unless `whole`."""
        limit = len(airports) if whole or len(airports) <= _SHOW_ALL else _FEW
        groups: defaultdict[str, list[Airport]] = defaultdict(list)
        for airport in airports:
            groups[airport.country].append(airport)
        named = [(self.reader.country(code) or _("Elsewhere"), code) for code in groups]
        named.sort(key=lambda country: fold(country[0]))
        return tuple(
            self._section(number, name, code, groups[code], limit, with_regions)
            for number, (name, code) in enumerate(named, start=1)
        )

    def _section(
        self, number: int, name: str, code: str, group: list[Airport], limit: int, with_regions: bool
    ) -> Section:
        cut = len(group) > limit
        return Section(
            id=f"country-{number}",
            name=name,
            note=", ".join(sorted({airport.currency for airport in group} - {""})),
            href=self.links.search(_country(code)) if code else "",
            regions=self._regions(code) if with_regions else (),
            entries=self._entries(group[:limit]),
            more=self.links.browse(country=code) if cut and code else "",
            more_text=all_airports(len(group)) if cut else "",
        )

    def _regions(self, country: str) -> tuple[Entry, ...]:
        found = (region for region in self.index.regions if region.country == country)
        return tuple(Entry(region.name, "", "", self.links.search(region)) for region in found)

    def _entries(self, airports: Iterable[Airport]) -> tuple[Entry, ...]:
        """Airports by name; those of a city with several stand under their city."""
        found: list[Entry] = []
        cities: defaultdict[Destination, list[Entry]] = defaultdict(list)
        for airport in airports:
            itself = self.index.destination(airport.code)
            if itself:
                city = self.index.city_of(airport.code)
                (cities[city] if city else found).append(self._airport(itself, airport))
        for city, held in cities.items():
            if len(held) > 1:
                note, href = all_airports(len(held)), self.links.search(city)
                found.append(Entry(city.name, "", note, href, airports=tuple(held)))
            else:
                found += held
        return tuple(sorted(found, key=lambda entry: fold(entry.name)))

    def _airport(self, itself: Destination, airport: Airport) -> Entry:
        fly = self.links.fly_from(airport)
        return Entry(
            itself.name, airport.code, "", self.links.search(itself), fly, airport.code in self.seasonal
        )


def _country(code: str) -> Destination:
    """A country as it is searched: by its English name."""
    english = formatting.country_name(code, "en")
    return Destination(Kind.COUNTRY, code.upper(), english, english, code, (), "", english)


# Category codes seen in real answers; the interface names none.
_THEMES: dict[str, str | Promise] = {
    "FAM": gettext_lazy("Family"),
    "CTY": gettext_lazy("City break"),
    "CUL": gettext_lazy("Culture"),
    "OUT": gettext_lazy("Outdoors"),
    "SEA": gettext_lazy("Seaside"),
    "NIT": gettext_lazy("Nightlife"),
    "SKI": gettext_lazy("Skiing"),
    "GLF": gettext_lazy("Golf"),
    "ROM": gettext_lazy("Romance"),
    "XMS": gettext_lazy("Christmas"),
}


@dataclass(frozen=True, slots=True)
class Theme:
    label: str
    href: str
    current: bool


@dataclass(frozen=True, slots=True)
class BrowsePage:
    """Parameters of destinations/browse.html, for all destinations, for one theme and for one country."""

    head: Head
    heading: str
    summary: str
    themes: tuple[Theme, ...]
    sections: tuple[Section, ...]
    back: str

    @classmethod
    def build(
        cls,
        index: DestinationIndex,
        links: DestinationLinks,
        reader: Reader,
        theme: str = "",
        country: str = "",
    ) -> BrowsePage:
        """`theme` is a category code and `country` a lower-case code of the list, or both are empty."""
        shown = [
            airport
            for airport in index.airports
            if (not theme or theme in airport.categories) and (not country or airport.country == country)
        ]
        heading = _heading(theme, country, reader)
        asked = encode_pairs([pair for pair in (("theme", theme), ("country", country)) if pair[1]])
        maker = SectionMaker(index, links, reader)
        return cls(
            head=Head(
                title=heading,
                description=_("Every city, region and airport to search hotels by."),
                canonical=reverse("destinations") + (f"?{asked}" if asked else ""),
            ),
            heading=heading,
            summary=ngettext("%(count)s airport", "%(count)s airports", len(shown)) % {"count": len(shown)},
            themes=_themes(index, links, theme),
            sections=maker.sections(shown, whole=bool(country), with_regions=not theme),
            back=links.browse() if asked else "",
        )


@dataclass(frozen=True, slots=True)
class FlyFromPage:
    """Parameters of destinations/fly_from.html."""

    head: Head
    heading: str
    summary: str
    hint: str
    here: str
    here_text: str
    sections: tuple[Section, ...]
    browse: str

    @classmethod
    def build(
        cls,
        index: DestinationIndex,
        links: DestinationLinks,
        reader: Reader,
        start: Airport,
        reachable: Sequence[Reachable],
    ) -> FlyFromPage:
        name = {"airport": start.name or start.code}
        heading = _("Where can I fly from %(airport)s?") % name
        itself = index.destination(start.code)
        seasonal = frozenset(flight.destination.code for flight in reachable if flight.seasonal)
        airports = [index.airport(flight.destination.code) for flight in reachable]
        maker = SectionMaker(index, links, reader, seasonal)
        hint = _("The usual currency here is %(currency)s.") % {"currency": start.currency}
        return cls(
            head=Head(
                title=heading,
                description=_("Direct flights from %(airport)s, with hotels at each place.") % name,
                canonical=reverse("fly-from", args=[start.code]),
            ),
            heading=heading,
            summary=_reach(len(reachable)),
            hint=hint if start.currency else "",
            here=links.search(itself) if itself else "",
            here_text=_("Hotels near %(airport)s") % name,
            sections=maker.sections([airport for airport in airports if airport], whole=True),
            browse=links.browse(),
        )


def theme_label(code: str) -> str:
    """The words for a category code."""
    return str(_THEMES.get(code, "")) or humanise(code)


def _heading(theme: str, country: str, reader: Reader) -> str:
    if country:
        return _("Destinations: %(country)s") % {"country": reader.country(country)}
    if theme:
        return _("Destinations: %(theme)s") % {"theme": theme_label(theme)}
    return _("All destinations")


def _reach(count: int) -> str:
    if not count:
        return _("The list names no direct flights from here.")
    places = ngettext("%(count)s place without a change", "%(count)s places without a change", count)
    return places % {"count": count}


def _themes(index: DestinationIndex, links: DestinationLinks, current: str) -> tuple[Theme, ...]:
    counted = Counter(code for airport in index.airports for code in set(airport.categories))
    order = {code: position for position, code in enumerate(_THEMES)}
    codes = sorted(counted, key=lambda code: (order.get(code, len(order)), -counted[code], code))
    return tuple(Theme(theme_label(code), links.browse(theme=code), code == current) for code in codes)
