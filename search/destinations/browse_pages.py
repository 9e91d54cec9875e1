"""Pages to browse: all destinations by country and theme, where one can fly from an airport, the cities of
a country or region with the largest first, and what of that a sitemap names.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import islice
from typing import NamedTuple, TypeVar

from django.utils.functional import Promise
from django.utils.text import slugify

from search.domain.hotels import Airport
from search.domain.query import Refinement
from search.domain.site_settings import FeaturedDestination, Site
from search.domain.text import fold, humanise
from search.web import formatting
from search.web.formatting import Reader
from search.web.links import Head, photo_address, reverse
from search.web.translation import get_language, gettext_lazy, ngettext
from search.web.translation import gettext as _

from .destination import Destination, grouped
from .index import DestinationIndex
from .pages import NO_TILES, DestinationLinks, PlaceTile, PlaceTiles, all_airports, country_path, with_query
from .places import Places
from .service import reachable_from, reader_name, resolve

# A list as long as the world would be a page of megabytes: then only each country's page names its airports.
_SHOW_ALL = 600
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
    """One country: `href` searches it; `cities` leads to all of its cities and `more` to all of its airports,
    or they are empty."""

    name: str
    note: str
    currencies: str
    href: str
    cities: str
    regions: tuple[Entry, ...]
    entries: tuple[Entry, ...]
    more: str
    more_text: str


E = TypeVar("E", Entry, Section)


@dataclass(frozen=True, slots=True)
class SectionMaker:
    """Makes the sections of one page. Airports in `seasonal` (IATA codes) are marked so. On a `folded` page
    only the countries' own pages say where one can fly from an airport or, if it isn't `whole`, name them."""

    index: DestinationIndex
    links: DestinationLinks
    reader: Reader
    seasonal: frozenset[str] = frozenset()
    whole: bool = True
    with_regions: bool = False
    folded: bool = False

    def sections(self, airports: Sequence[Airport]) -> tuple[Section, ...]:
        """The airports by country, in the order of the countries' names in the reader's language."""
        countries = grouped(airports, lambda airport: airport.country)
        return _by_name(self._section(code, group) for code, group in countries.items())

    def _section(self, code: str, group: Sequence[Airport]) -> Section:
        currencies = sorted({airport.currency for airport in group} - {""})
        return Section(
            name=self.reader.country(code) or _("Elsewhere"),
            note=airport_count(len(group)),
            currencies=", ".join(formatting.currency_name(one, self.reader.texts) for one in currencies),
            href=self.links.search_country(code) if code else "",
            cities=self.links.country(code) if self.index.places.cities_of(code) else "",
            regions=self._regions(code),
            entries=self._entries(group) if self.whole else (),
            more=self.links.browse(country=code) if self.folded and code else "",
            more_text=all_airports(len(group)),
        )

    def _regions(self, country: str) -> tuple[Entry, ...]:
        regions = self.index.regions if self.with_regions else ()
        return _by_name(
            Entry(self.index.label(one, get_language()), self.links.search(one))
            for one in regions
            if one.country == country
        )

    def _entries(self, airports: Iterable[Airport]) -> tuple[Entry, ...]:
        """Airports by name; those of a city with several stand under their city."""
        entries: list[Entry] = []
        cities: defaultdict[Destination, list[Entry]] = defaultdict(list)
        for airport in airports:
            if itself := self.index.destination(airport.code):
                city = self.index.city_of.get(airport.code)
                (cities[city] if city else entries).append(self._airport(itself, airport))
        for city, airports_of_city in cities.items():
            if len(airports_of_city) > 1:
                name, note = self.index.label(city, get_language()), all_airports(len(airports_of_city))
                href, beneath = self.links.search(city), tuple(airports_of_city)
                entries.append(Entry(name, href, note=note, airports=beneath))
            else:
                entries += airports_of_city
        return _by_name(entries)

    def _airport(self, itself: Destination, airport: Airport) -> Entry:
        return Entry(
            itself.name,
            self.links.search(itself),
            code=airport.code,
            fly="" if self.folded else self.links.fly_from(airport),
            seasonal=airport.code in self.seasonal,
        )


def _by_name(entries: Iterable[E]) -> tuple[E, ...]:
    return tuple(sorted(entries, key=lambda entry: fold(entry.name)))


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
    worded: bool


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
    featured: PlaceTiles = NO_TILES


def all_destinations(
    index: DestinationIndex, links: DestinationLinks, reader: Reader, theme: str, country: str
) -> BrowsePage:
    """`theme` is a category code and `country` a lower-case code of the list, or both are empty."""
    shown = [
        airport
        for airport in index.airports
        if country in ("", airport.country) and theme in ("", *airport.categories)
    ]
    asked = [(name, value) for name, value in (("theme", theme), ("country", country)) if value]
    folded = not country and len(shown) > _UNFOLDED
    whole = not folded or len(shown) <= _SHOW_ALL
    maker = SectionMaker(index, links, reader, whole=whole, with_regions=not theme, folded=folded)
    others = () if asked else {*index.places.cities}.difference(index.by_country)
    return BrowsePage(
        head=Head(
            title=_title(theme, country, reader),
            description=_("Every city, region and airport where you can search for hotels."),
            canonical=with_query(reverse("destinations"), asked),
        ),
        summary=airport_count(len(shown)),
        sections=maker.sections(shown),
        browse=links.browse() if asked else "",
        themes=themes_of(index, links, theme),
        countries=_by_name(Entry(reader.country(code), links.country(code)) for code in others),
        folded=folded,
    )


def featured_tiles(
    index: DestinationIndex, links: DestinationLinks, site: Site, today: date
) -> tuple[PlaceTile, ...]:
    """The places of the first page, under their names for the reader; uploaded pictures are ours, others are
    addresses as the gateway names them."""

    def tile(one: FeaturedDestination) -> PlaceTile:
        found = resolve(one.place, index)
        name = (found and reader_name(found, index)) or one.place
        # Distances are from its airport.
        href = links.place(one.place, Refinement(near=one.airport.upper()))
        picture = one.picture if one.picture.startswith("/") else photo_address(one.picture)
        return PlaceTile(name, href, picture, words=one.text)

    return tuple(map(tile, site.home_places(today)))


def flights_from(
    start: Airport, index: DestinationIndex, links: DestinationLinks, reader: Reader
) -> BrowsePage:
    """Where one can fly from `start` without a change."""
    name = {"airport": start.name or start.code}
    reachable = reachable_from(index, start)
    itself, count = index.destination(start.code), len(reachable)
    seasonal = frozenset(one.code for one, is_seasonal in reachable if is_seasonal)
    words = ngettext(
        "%(count)s destination without a change", "%(count)s destinations without a change", count
    )
    return BrowsePage(
        head=Head(
            title=_("Where can I fly from %(airport)s?") % name,
            description=_("Direct flights from %(airport)s, with hotels at each destination.") % name,
            canonical=reverse("fly-from", args=[start.code]),
        ),
        summary=words % {"count": count} if count else _("No direct flights from here are listed."),
        sections=SectionMaker(index, links, reader, seasonal).sections([one for one, _ in reachable]),
        browse=links.browse(),
        airport=name["airport"],
        currency=formatting.currency_name(start.currency, reader.texts) if start.currency else "",
        here=links.search(itself) if itself else "",
    )


def _title(theme: str, country: str, reader: Reader) -> str:
    if country:
        return _("Destinations: %(country)s") % {"country": reader.country(country)}
    return _("Destinations: %(theme)s") % {"theme": _theme_label(theme)} if theme else _("All destinations")


def _theme_label(code: str) -> str:
    """The words for a category code."""
    return str(_THEMES.get(code, "")) or humanise(code)


def airport_count(count: int) -> str:
    return ngettext("%(count)s airport", "%(count)s airports", count) % {"count": count}


def themes_of(index: DestinationIndex, links: DestinationLinks, current: str = "") -> tuple[Theme, ...]:
    """All themes, those of our own words first, each marked whether it is the category code `current`."""
    counted, order = index.categories, [*_THEMES]
    codes = sorted(counted, key=lambda code: (-counted[code], code))
    codes.sort(key=lambda code: order.index(code) if code in order else len(order))
    return tuple(
        Theme(_theme_label(code), links.browse(theme=code), code == current, code in _THEMES)
        for code in codes
    )


# Pages stay small however many cities a country has: the largest as cards, the others as lines.
CITIES = 96
_CARDS = 8
_AIRPORTS = 8


class Area(NamedTuple):
    """A country with its regions, or one of these: then `above` is the country's name and address. `numbers`
    are its cities in the table of places."""

    name: str
    above: tuple[str, str]
    search: str
    regions: tuple[Entry, ...]
    numbers: Sequence[int]


@dataclass(frozen=True, slots=True)
class CountryPage:
    """Parameters of destinations/country.html. `airports` lead to where one can fly from them; `position` is
    empty where everything is on one page; addresses that don't exist are empty."""

    head: Head
    area: Area
    summary: str
    cards: PlaceTiles
    cities: tuple[Entry, ...]
    airports: tuple[Entry, ...]
    all_airports: str
    themes: tuple[Theme, ...]
    position: str
    previous: str
    next: str
    browse: str


def country_page(
    index: DestinationIndex, links: DestinationLinks, reader: Reader, where: tuple[str, str], page: int
) -> CountryPage | None:
    """The page of a lower-case country code and a region's slug, empty for the whole country; None for what
    the table of places doesn't have."""
    (country, slug), area = where, _area(index, links, reader, *where)
    last = -(-len(area.numbers) // CITIES) if area else 0
    if area is None or page > last:
        return None
    numbers = area.numbers[(page - 1) * CITIES : page * CITIES]
    shown = [index.placed(one, get_language()) for one in numbers]
    position = _("Page %(page)s of %(last)s") % {"page": page, "last": last} if last > 1 else ""

    def step(number: int) -> str:
        return links.country(country, slug, number) if 1 <= number <= last else ""

    cards = _CARDS if page == 1 else 0
    count = ngettext("%(count)s city", "%(count)s cities", len(area.numbers))
    return CountryPage(
        head=_head(area, country_path(country, slug, page), position, page),
        area=area,
        summary=count % {"count": reader.number(len(area.numbers))},
        cards=PlaceTiles(tuple(_card(one, links, with_region=not slug) for one in shown[:cards])),
        cities=tuple(_city(one, links) for one in shown[cards:]),
        airports=_starts(index, links, shown if slug else index.entries, country),
        all_airports=links.browse(country=country),
        themes=themes_of(index, links),
        position=position,
        previous=step(page - 1),
        next=step(page + 1),
        browse=links.browse(),
    )


def _area(
    index: DestinationIndex, links: DestinationLinks, reader: Reader, country: str, slug: str
) -> Area | None:
    places, language, name = index.places, get_language(), reader.country(country)
    slugs = region_slugs(places, country)
    if slug:
        if slug not in slugs:
            return None
        region = index.placed(slugs[slug], language)
        above, numbers = (name, links.country(country)), places.cities_of(country, region.number)
        return Area(region.label, above, links.search(region), (), numbers)
    regions = (Entry(places.label(one, language), links.country(country, of)) for of, one in slugs.items())
    search, numbers = links.search_country(country), places.cities_of(country)
    return Area(name, ("", ""), search, _by_name(regions), numbers)


def _head(area: Area, canonical: str, position: str, page: int) -> Head:
    """`Hotels in Sicily, Italy`, with the position on further pages."""
    place = ", ".join(dict.fromkeys(filter(None, (area.name, area.above[0]))))
    title = _("Hotels in %(place)s") % {"place": place}
    description = _("Cities in %(place)s where you can search for hotels, the largest first.")
    return Head(f"{title} · {position}" if page > 1 else title, description % {"place": area.name}, canonical)


def _card(city: Destination, links: DestinationLinks, *, with_region: bool) -> PlaceTile:
    note = " · ".join(filter(None, (city.region if with_region else "", _airport_words(city))))
    return PlaceTile(city.label, links.search(city), note=note)


def _city(city: Destination, links: DestinationLinks) -> Entry:
    return Entry(city.label, links.search(city), note=_airport_words(city))


def _airport_words(city: Destination) -> str:
    """`Airport AGP`, `5 airports`; empty for a city without one."""
    if len(city.airports) == 1:
        return _("Airport %(code)s") % {"code": city.airports[0]}
    return airport_count(len(city.airports)) if city.airports else ""


def _starts(
    index: DestinationIndex, links: DestinationLinks, among: Iterable[Destination], country: str
) -> tuple[Entry, ...]:
    """The most important airports with flights among these destinations of a country."""
    codes = dict.fromkeys(code for one in among if one.country == country for code in one.airports)
    pairs = ((index.airport(code), index.destination(code)) for code in codes)
    flown = ((one, links.fly_from(airport)) for airport, one in pairs if airport and one)
    entries = (Entry(one.name, href, code=one.code) for one, href in flown if href)
    return tuple(islice(entries, _AIRPORTS))


@lru_cache(maxsize=1)
def sitemap_paths(places: Places) -> list[str]:
    """The pages that search engines may index: countries and regions, with every page of their cities."""
    paths = [reverse("home"), reverse("destinations")]
    for country in sorted(places.cities):
        for slug, region in [("", -1), *region_slugs(places, country).items()]:
            last = -(-len(places.cities_of(country, region)) // CITIES)
            paths += [country_path(country, slug, page) for page in range(1, last + 1)]
    return paths


@lru_cache(maxsize=512)
def region_slugs(places: Places, country: str) -> dict[str, int]:
    """The numbers of a country's regions that have cities, by their English names as an address has them."""
    return {slugify(fold(places[one].name)): one for one in places.regions_of(country)}
