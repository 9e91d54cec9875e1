"""Pages to browse: all destinations by country and theme, where one can fly from an airport, the cities of
a country or region with the largest first, and what of that a sitemap names.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import NamedTuple, Self

from django.utils.functional import Promise
from django.utils.text import slugify

from search.domain.hotels import Airport
from search.domain.query import Refinement, encode_pairs
from search.domain.site_settings import FeaturedDestination, Site
from search.domain.text import fold, humanise
from search.web import formatting
from search.web.formatting import Reader
from search.web.links import Head, photo_address, reverse
from search.web.translation import get_language, gettext_lazy, ngettext
from search.web.translation import gettext as _

from .destination import Destination, grouped
from .index import DestinationIndex
from .pages import NO_TILES, DestinationLinks, PlaceTile, PlaceTiles, all_airports, country_path
from .places import Places
from .service import reachable_from, reader_name, resolve

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
            search=_("Hotels in %(place)s") % {"place": name},
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
    featured: PlaceTiles = NO_TILES


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


def _other_countries(index: DestinationIndex, links: DestinationLinks, reader: Reader) -> tuple[Entry, ...]:
    codes = (code for code in sorted(index.places.cities) if code not in index.by_country)
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


# Pages stay small however many cities a country has: the largest as cards, the others as lines.
CITIES = 96
_CARDS = 8
_AIRPORTS = 8


class CitiesPager(NamedTuple):
    """`position` is empty where everything is on one page, `previous` and `next` where there is none."""

    position: str
    previous: str
    next: str

    @classmethod
    def of(cls, links: DestinationLinks, country: str, slug: str, page: int, last: int) -> Self:
        position = _("Page %(page)s of %(last)s") % {"page": page, "last": last}
        return cls(
            position if last > 1 else "",
            links.country(country, slug, page - 1) if page > 1 else "",
            links.country(country, slug, page + 1) if page < last else "",
        )


@dataclass(frozen=True, slots=True)
class CountryPage:
    """Parameters of destinations/country.html. `above` is the country's name and address on a region's page;
    `airports` lead to where one can fly from them; addresses that don't exist are empty."""

    head: Head
    name: str
    search: str
    above: tuple[str, str]
    summary: str
    cards: PlaceTiles
    cities: tuple[Entry, ...]
    regions: tuple[Entry, ...]
    airports: tuple[Entry, ...]
    all_airports: str
    themes: tuple[Theme, ...]
    pager: CitiesPager
    browse: str

    @classmethod
    def build(
        cls,
        index: DestinationIndex,
        links: DestinationLinks,
        reader: Reader,
        area: tuple[str, str],
        page: int = 1,
    ) -> Self | None:
        """The page of a lower-case country code and a region's slug, empty for the whole country; None for
        what the table of places doesn't have."""
        country, slug = area
        region, numbers = _found(index.places, country, slug)
        last = -(-len(numbers) // CITIES)
        if page > last:
            return None
        language = get_language()
        maker = _CityMaker(index, links, language)
        shown = [index.placed(one, language) for one in numbers[(page - 1) * CITIES : page * CITIES]]
        cards = _CARDS if page == 1 else 0
        of_country = reader.country(country)
        name = index.places.label(region, language) if slug else of_country
        pager = CitiesPager.of(links, country, slug, page, last)
        return cls(
            head=_head(name, of_country, country_path(country, slug, page), pager),
            name=name,
            search=maker.search_of(region, country),
            above=(of_country, links.country(country)) if slug else ("", ""),
            summary=_cities(len(numbers), reader),
            cards=PlaceTiles(tuple(maker.card(one, with_region=not slug) for one in shown[:cards])),
            cities=tuple(map(maker.entry, shown[cards:])),
            regions=() if slug else _regions(index.places, links, country, language),
            airports=maker.starts(shown if slug else None, country),
            all_airports=links.browse(country=country),
            themes=themes_of(index, links),
            pager=pager,
            browse=links.browse(),
        )


@dataclass(frozen=True, slots=True)
class _CityMaker:
    """Makes what one page shows of its cities."""

    index: DestinationIndex
    links: DestinationLinks
    language: str

    def card(self, city: Destination, *, with_region: bool) -> PlaceTile:
        note = " · ".join(filter(None, (city.region if with_region else "", self._airport_words(city))))
        return PlaceTile(city.label, self.links.search(city), note=note)

    def entry(self, city: Destination) -> Entry:
        return Entry(city.label, self.links.search(city), note=self._airport_words(city))

    def _airport_words(self, city: Destination) -> str:
        """`Airport AGP`, `5 airports`; empty for a city without one."""
        if len(city.airports) == 1:
            return _("Airport %(code)s") % {"code": city.airports[0]}
        return airport_count(len(city.airports)) if city.airports else ""

    def search_of(self, region: int, country: str) -> str:
        """The search for all of a region or, without one, of a country."""
        if region >= 0:
            return self.links.search(self.index.placed(region, self.language))
        return self.links.search_country(country)

    def starts(self, cities: list[Destination] | None, country: str) -> tuple[Entry, ...]:
        """The most important airports with flights: of these cities or, without any, of the country."""
        found = [self._start(one) for one in self._airports(cities, country) if self.links.fly_from(one)]
        return tuple(entry for entry in found if entry)[:_AIRPORTS]

    def _airports(self, cities: list[Destination] | None, country: str) -> list[Airport]:
        if cities is None:
            return list(self.index.by_country.get(country, ()))
        known = (self.index.airport(code) for city in cities for code in city.airports)
        return [one for one in known if one]

    def _start(self, airport: Airport) -> Entry | None:
        itself = self.index.destination(airport.code)
        return Entry(itself.name, self.links.fly_from(airport), code=airport.code) if itself else None


@lru_cache(maxsize=1)
def sitemap_paths(places: Places) -> list[str]:
    """The pages that search engines may index: countries and regions, with every page of their cities."""
    found = [reverse("home"), reverse("destinations")]
    for country in sorted(places.cities):
        found += _pages(places, country, "", -1)
        for slug, region in region_slugs(places, country).items():
            found += _pages(places, country, slug, region)
    return found


def _pages(places: Places, country: str, slug: str, region: int) -> list[str]:
    last = -(-len(places.cities_of(country, region)) // CITIES)
    return [country_path(country, slug, page) for page in range(1, last + 1)]


@lru_cache(maxsize=512)
def region_slugs(places: Places, country: str) -> dict[str, int]:
    """The numbers of a country's regions that have cities, by their English names as an address has them."""
    return {slugify(fold(places[one].name)): one for one in places.regions_of(country)}


def _regions(places: Places, links: DestinationLinks, country: str, language: str) -> tuple[Entry, ...]:
    slugs = region_slugs(places, country).items()
    named = (Entry(places.label(one, language), links.country(country, slug)) for slug, one in slugs)
    return tuple(sorted(named, key=lambda entry: fold(entry.name)))


def _found(places: Places, country: str, slug: str) -> tuple[int, Sequence[int]]:
    """The number of the region of a slug, -1 without a slug, and the numbers of the cities there."""
    region = region_slugs(places, country).get(slug, -1)
    return region, () if slug and region < 0 else places.cities_of(country, region)


def _head(name: str, country: str, canonical: str, pager: CitiesPager) -> Head:
    """`Hotels in Sicily, Italy`, with the position on further pages."""
    place = name if name == country else f"{name}, {country}"
    title = _("Hotels in %(place)s") % {"place": place}
    return Head(
        title=f"{title} · {pager.position}" if pager.previous else title,
        description=_("Cities in %(place)s where you can search for hotels, the largest first.")
        % {"place": name},
        canonical=canonical,
    )


def _cities(count: int, reader: Reader) -> str:
    return ngettext("%(count)s city", "%(count)s cities", count) % {"count": reader.number(count)}
