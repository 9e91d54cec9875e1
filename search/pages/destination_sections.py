"""Destinations by country: the list that the browsing pages share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from search import formatting
from search.domain.airports import Airport
from search.domain.destinations import Destination, DestinationIndex, Kind, fold

from .destination_links import DestinationLinks
from .destinations import all_airports
from .reader import Reader

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
