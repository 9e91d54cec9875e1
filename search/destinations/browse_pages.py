"""All destinations to browse, by country and by theme, and where one can fly from an airport."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.functional import Promise

from search.domain.hotels import Airport
from search.domain.query import encode_pairs
from search.domain.text import fold, humanise
from search.web import formatting
from search.web.articles import after_hotels
from search.web.formatting import Reader
from search.web.links import reverse
from search.web.meta import Head
from search.web.translation import get_language, gettext_lazy, ngettext
from search.web.translation import gettext as _

from .destination import Destination, grouped
from .index import DestinationIndex
from .pages import DestinationLinks, all_airports
from .resolve import reachable_from

# A list as long as the world would be a page of megabytes: then each country shows its first few.
_SHOW_ALL = 600
_FEW = 5
# Beyond so many airports a page begins as its countries, each to be unfolded.
_UNFOLDED = 60


class Entry(NamedTuple):
    """One destination as a link. `fly` is the address of where one can fly from it, or empty; `airports` are
    those of a city."""

    name: str
    href: str
    code: str = ""
    note: str = ""
    fly: str = ""
    seasonal: bool = False
    airports: tuple["Entry", ...] = ()


class Section(NamedTuple):
    """One country: `href` searches it by the words of `search`; `cities` leads to all of its cities and
    `more` to all of its airports, or they are empty."""

    name: str
    note: str
    currencies: str
    href: str
    search: str
    cities: str
    regions: tuple[Entry, ...]
    entries: tuple[Entry, ...]
    more: str
    more_text: str


@dataclass(frozen=True, slots=True)
class SectionMaker:
    """Makes the sections of one page. Airports in `seasonal` (IATA codes) are marked so; a very long list is
    cut per country, unless it is to be `whole`. On a `folded` page only the countries' own pages say where
    one can fly from each airport."""

    index: DestinationIndex
    links: DestinationLinks
    reader: Reader
    seasonal: frozenset[str] = frozenset()
    whole: bool = False
    with_regions: bool = False
    folded: bool = False

    def sections(self, airports: Sequence[Airport]) -> tuple[Section, ...]:
        """The airports by country, in the order of the countries' names in the reader's language."""
        limit = len(airports) if self.whole or len(airports) <= _SHOW_ALL else _FEW
        countries = grouped(airports, lambda airport: airport.country)
        found = (self._section(code, group, limit) for code, group in countries.items())
        return tuple(sorted(found, key=lambda section: fold(section.name)))

    def _section(self, code: str, group: Sequence[Airport], limit: int) -> Section:
        leads_on = self.folded or len(group) > limit
        name = self.reader.country(code) or _("Elsewhere")
        return Section(
            name=name,
            search=_("Hotels in %(place)s") % {"place": after_hotels(name)},
            note=airport_count(len(group)),
            currencies=", ".join(self._currencies({airport.currency for airport in group} - {""})),
            href=self.links.search_country(code) if code else "",
            cities=self.links.country(code) if self.index.places.cities_of(code) else "",
            regions=self._regions(code),
            entries=self._entries(group[:limit]),
            more=self.links.browse(country=code) if leads_on and code else "",
            more_text=all_airports(len(group)) if leads_on else "",
        )

    def _currencies(self, codes: set[str]) -> list[str]:
        return [formatting.currency_name(code, self.reader.texts) for code in sorted(codes)]

    def _regions(self, country: str) -> tuple[Entry, ...]:
        regions = self.index.regions if self.with_regions else ()
        found = (Entry(self._label(one), self.links.search(one)) for one in regions if one.country == country)
        return tuple(sorted(found, key=lambda entry: fold(entry.name)))

    def _label(self, listed: Destination) -> str:
        return self.index.label(listed, get_language())

    def _entries(self, airports: Iterable[Airport]) -> tuple[Entry, ...]:
        """Airports by name; those of a city with several stand under their city."""
        found: list[Entry] = []
        cities: defaultdict[Destination, list[Entry]] = defaultdict(list)
        for airport in airports:
            if itself := self.index.destination(airport.code):
                city = self.index.city_of.get(airport.code)
                (cities[city] if city else found).append(self._airport(itself, airport))
        for city, held in cities.items():
            if len(held) > 1:
                href, note = self.links.search(city), all_airports(len(held))
                found.append(Entry(self._label(city), href, note=note, airports=tuple(held)))
            else:
                found += held
        return tuple(sorted(found, key=lambda entry: fold(entry.name)))

    def _airport(self, itself: Destination, airport: Airport) -> Entry:
        return Entry(
            itself.name,
            self.links.search(itself),
            code=airport.code,
            fly="" if self.folded else self.links.fly_from(airport),
            seasonal=airport.code in self.seasonal,
        )


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
    "WEL": gettext_lazy("Wellness"),
}


class Theme(NamedTuple):
    """`worded` says that its words are ours, not made of the gateway's code."""

    label: str
    href: str
    current: bool
    worded: bool = True


@dataclass(frozen=True, slots=True)
class BrowsePage:
    """Parameters of destinations/browse.html and destinations/fly_from.html.

    `countries` are those without an airport of the list, led to by their cities. `browse` leads to all
    destinations, empty on their own page; `folded` says that countries are to be
    unfolded. Where one can fly from an airport: `airport` is its name, `here` the search at it or empty.
    """

    head: Head
    summary: str
    sections: tuple[Section, ...]
    browse: str
    themes: tuple[Theme, ...] = ()
    countries: tuple[Entry, ...] = ()
    airport: str = ""
    currency: str = ""
    here: str = ""
    folded: bool = False


def all_destinations(
    index: DestinationIndex, links: DestinationLinks, reader: Reader, theme: str, country: str
) -> BrowsePage:
    """`theme` is a category code and `country` a lower-case code of the list, or both are empty."""
    shown = [
        airport
        for airport in index.airports
        if (not theme or theme in airport.categories) and (not country or airport.country == country)
    ]
    asked = encode_pairs([pair for pair in (("theme", theme), ("country", country)) if pair[1]])
    folded = not country and len(shown) > _UNFOLDED
    maker = SectionMaker(index, links, reader, whole=bool(country), with_regions=not theme, folded=folded)
    return BrowsePage(
        head=Head(
            title=_title(theme, country, reader),
            description=_("Every city, region and airport where you can search for hotels."),
            canonical=reverse("destinations") + (f"?{asked}" if asked else ""),
        ),
        summary=airport_count(len(shown)),
        sections=maker.sections(shown),
        browse=links.browse() if asked else "",
        themes=themes_of(index, links, theme),
        countries=() if asked else _other_countries(index, links, reader),
        folded=folded,
    )


def _other_countries(index: DestinationIndex, links: DestinationLinks, reader: Reader) -> tuple[Entry, ...]:
    codes = (code for code in index.places.countries if code not in index.by_country)
    named = (Entry(reader.country(code), links.country(code)) for code in codes)
    return tuple(sorted(named, key=lambda entry: fold(entry.name)))


def flights_from(
    start: Airport, index: DestinationIndex, links: DestinationLinks, reader: Reader
) -> BrowsePage:
    """Where one can fly from `start` without a change."""
    name = {"airport": start.name or start.code}
    reachable = reachable_from(index, start)
    itself = index.destination(start.code)
    seasonal = frozenset(one.code for one, is_seasonal in reachable if is_seasonal)
    maker = SectionMaker(index, links, reader, seasonal, whole=True)
    return BrowsePage(
        head=Head(
            title=_("Where can I fly from %(airport)s?") % name,
            description=_("Direct flights from %(airport)s, with hotels at each destination.") % name,
            canonical=reverse("fly-from", args=[start.code]),
        ),
        summary=_reach(len(reachable)),
        sections=maker.sections([one for one, _seasonal in reachable]),
        browse=links.browse(),
        airport=start.name or start.code,
        currency=formatting.currency_name(start.currency, reader.texts) if start.currency else "",
        here=links.search(itself) if itself else "",
    )


def theme_label(code: str) -> str:
    """The words for a category code."""
    return str(_THEMES.get(code, "")) or humanise(code)


def _title(theme: str, country: str, reader: Reader) -> str:
    if country:
        return _("Destinations: %(country)s") % {"country": reader.country(country)}
    return _("Destinations: %(theme)s") % {"theme": theme_label(theme)} if theme else _("All destinations")


def airport_count(count: int) -> str:
    return ngettext("%(count)s airport", "%(count)s airports", count) % {"count": count}


def _reach(count: int) -> str:
    if not count:
        return _("No direct flights from here are listed.")
    text = ngettext(
        "%(count)s destination without a change", "%(count)s destinations without a change", count
    )
    return text % {"count": count}


def themes_of(index: DestinationIndex, links: DestinationLinks, current: str = "") -> tuple[Theme, ...]:
    """All themes, those of our own words first, each marked whether it is the category code `current`."""
    counted = index.categories
    order = {code: position for position, code in enumerate(_THEMES)}
    codes = sorted(counted, key=lambda code: (order.get(code, len(order)), -counted[code], code))
    return tuple(
        Theme(theme_label(code), links.browse(theme=code), code == current, code in _THEMES) for code in codes
    )
