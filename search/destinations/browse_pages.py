"""Pages to start from: home, all destinations by country and theme, where one can fly from an airport, the
cities of a country or region with the largest first; and what of that a sitemap names.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from django.core.paginator import Paginator
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.text import slugify

from search.domain.hotels import Airport
from search.domain.words import fold, humanise
from search.web import formatting
from search.web.formatting import Reader
from search.web.links import Head, reverse
from search.web.search_form import SearchBar, SearchForm
from search.web.translation import get_language, gettext_lazy, ngettext
from search.web.translation import gettext as _

from .index import Destination, grouped
from .pages import (
    PlaceTile,
    PlaceTiles,
    Visit,
    airport_count,
    all_airports,
    country_path,
)
from .places import Places

# Beyond so many airports a page begins as its countries, each to be unfolded.
_UNFOLDED = 60
# Pages stay small however many cities a country has: the largest as cards, the others as lines.
_CITIES, _CARDS = 96, 8
# Airports that one can start from, on home and on the page of a country.
_STARTS = 8


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


class Section:
    """One country: `href` searches it; `cities` leads to all of its cities and `more` to all of its airports,
    or they are empty. Airports with a `seasonal` code are marked; on a `folded` page only the countries' own
    pages say where one can fly from an airport."""

    regions: Sequence[Entry] = ()

    def __init__(
        self, visit: Visit, code: str, airports: Sequence[Airport], seasonal: Collection[str], *, folded: bool
    ) -> None:
        reader, currencies = visit.reader, sorted({airport.currency for airport in airports} - {""})
        self.name = reader.country(code) or _("Elsewhere")
        self.note, self.more_text = airport_count(len(airports)), all_airports(len(airports))
        self.currencies = ", ".join(formatting.currency_name(one, reader.texts) for one in currencies)
        self.href = visit.search_country(code) if code else ""
        self.cities = visit.country(code) if visit.index.places.cities_of(code) else ""
        self.more = visit.browse(country=code) if folded and code else ""
        self.entries = _by_name(_entries(visit, airports, seasonal, folded=folded))


def _by_name(entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: fold(entry.name))


def _sections(
    visit: Visit,
    airports: Iterable[Airport],
    regions: Iterable[Destination] = (),
    seasonal: Collection[str] = (),
    *,
    folded: bool = False,
) -> list[Section]:
    """The airports by country, with its regions."""
    groups = grouped(airports, lambda airport: airport.country).items()
    sections = {code: Section(visit, code, group, seasonal, folded=folded) for code, group in groups}
    for code, listed in grouped(regions, lambda region: region.country).items():
        if code in sections:
            sections[code].regions = _by_name(_listed(visit, one) for one in listed)
    return sorted(sections.values(), key=lambda section: fold(section.name))


def _entries(
    visit: Visit, airports: Iterable[Airport], seasonal: Collection[str], *, folded: bool
) -> Iterator[Entry]:
    """Airports; those of a city with several stand under their city."""
    index, cities = visit.index, defaultdict[Destination, list[Entry]](list)
    for airport in airports:
        code, fly = airport.code, "" if folded else visit.fly_from(airport)
        if itself := index.destination(code):
            entry = Entry(itself.name, visit.search(itself), code, "", fly, code in seasonal)
            cities[index.city_of.get(code, itself)].append(entry)
    for city, beneath in cities.items():
        several = all_airports(len(beneath)), tuple(beneath)
        yield _listed(visit, city, *several) if len(beneath) > 1 else beneath[0]


def _listed(visit: Visit, city: Destination, note: str = "", airports: tuple[Entry, ...] = ()) -> Entry:
    """A city or a region of the airport list."""
    return Entry(visit.index.label(city, get_language()), visit.search(city), note=note, airports=airports)


def _starts(visit: Visit, airports: Iterable[Airport | None]) -> tuple[Entry, ...]:
    """The first of these airports that have flights, with where one can fly from them."""
    pairs = ((visit.index.destination(one.code), visit.fly_from(one)) for one in airports if one)
    return tuple(islice((Entry(one.name, href) for one, href in pairs if one and href), _STARTS))


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


def _themes(visit: Visit, current: str = "", *, worded: bool = False) -> list[dict[str, object]]:
    """All themes, or only those of our own words, which come first; each with `label`, `href` and whether it
    is the category code `current`."""
    counted = visit.index.categories
    others = sorted(counted.keys() - _THEMES.keys(), key=lambda code: (-counted[code], code))
    return [
        {"label": _theme_label(code), "href": visit.browse(theme=code), "current": code == current}
        for code in (*filter(counted.__contains__, _THEMES), *(() if worded else others))
    ]


def _theme_label(code: str) -> str:
    """The words for a category code."""
    return str(_THEMES.get(code, "")) or humanise(code)


class HomePage:
    """Parameters of home/page.html. `airports` lead to where one can fly from them."""

    def __init__(self, visit: Visit, query: QueryDict, featured: PlaceTiles) -> None:
        """`query` holds the parameters of the address, which fill the search form."""
        site, index, country = visit.site, visit.index, visit.stay.market.rpartition("-")[2]
        self.head = Head(
            title=_("%(site)s: compare hotels worldwide") % {"site": site.site_name},
            description=_(
                "Hotels from many providers in one list, each with one honest total for your stay."
            ),
            canonical=reverse("home"),
        )
        self.bar = SearchBar.of_form(SearchForm(query, site=site, today=visit.today, bind=False))
        self.featured = featured
        # Those of the market's country first.
        others = (one for one in index.airports if one.country != country)
        self.airports = _starts(visit, chain(index.by_country.get(country, ()), others))
        self.themes = _themes(visit, worded=True)
        self.browse = visit.browse()


class BrowsePage:
    """Parameters of destinations/browse.html. `countries` are those without an airport of the list, led to by
    their cities. `browse` leads to all destinations, empty on their own page; `folded` countries are to be
    unfolded."""

    def __init__(self, visit: Visit, theme: str, country: str, featured: PlaceTiles) -> None:
        """`theme` is a category code and `country` a lower-case code of the list, or both are empty."""
        index, reader = visit.index, visit.reader
        airports = index.by_country[country] if country else index.airports
        shown = [one for one in airports if theme in ("", *one.categories)]
        asked = [(name, value) for name, value in (("theme", theme), ("country", country)) if value]
        self.head = Head(
            title=_title(theme, country, reader),
            description=_("Every city, region and airport where you can search for hotels."),
            canonical=reverse("destinations", pairs=asked),
        )
        self.summary, self.browse = airport_count(len(shown)), visit.browse() if asked else ""
        self.featured, self.themes = featured, _themes(visit, theme)
        self.folded = not country and len(shown) > _UNFOLDED
        regions = () if theme else index.regions
        self.sections = _sections(visit, shown, regions, folded=self.folded)
        others = () if asked else {*index.places.cities}.difference(index.by_country)
        self.countries = _by_name(Entry(reader.country(code), visit.country(code)) for code in others)


def _title(theme: str, country: str, reader: Reader) -> str:
    if country:
        return _("Destinations: %(country)s") % {"country": reader.country(country)}
    return _("Destinations: %(theme)s") % {"theme": _theme_label(theme)} if theme else _("All destinations")


class FlightsPage:
    """Parameters of destinations/fly_from.html: where one can fly from `start` without a change. `airport` is
    its name, `here` the search at it or empty."""

    def __init__(self, visit: Visit, start: Airport) -> None:
        index, self.airport = visit.index, start.name or start.code
        codes = {*start.routes, *start.seasonal_routes} - {start.code}
        reachable = [one for one in index.airports if one.code in codes]
        name, count = {"airport": self.airport}, len(reachable)
        self.head = Head(
            title=_("Where can I fly from %(airport)s?") % name,
            description=_("Direct flights from %(airport)s, with hotels at each destination.") % name,
            canonical=reverse("fly-from", args=[start.code]),
        )
        words = ngettext(
            "%(count)s destination without a change", "%(count)s destinations without a change", count
        )
        self.summary = words % {"count": count} if count else _("No direct flights from here are listed.")
        self.sections, self.browse = _sections(visit, reachable, (), start.seasonal_routes), visit.browse()
        texts, itself = visit.reader.texts, index.destination(start.code)
        self.currency = formatting.currency_name(start.currency, texts) if start.currency else ""
        self.here = visit.search(itself) if itself else ""


class CountryPage:
    """Parameters of destinations/country.html: a country with its regions, or one of these, then `above` is
    the country's name and address. `airports` lead to where one can fly from them; `position` is empty where
    everything is on one page; addresses that don't exist are empty."""

    above = ("", "")
    regions: Sequence[Entry] = ()

    def __init__(self, visit: Visit, country: str, slug: str, number: int) -> None:
        """The page of this number about a lower-case country code and, unless it is empty, a region's slug.
        Raises EmptyPage without cities in the table of places."""
        index, areas = visit.index, areas_of(visit.index.places, country)
        numbers = index.places.cities_of(country, areas[slug]) if slug in areas else ()
        pages = Paginator(numbers, _CITIES, allow_empty_first_page=False)
        part, last = pages.page(number), pages.num_pages
        self._set_area(visit, country, slug, areas)
        cities = [index.placed(one, get_language()) for one in part]
        codes = dict.fromkeys(chain.from_iterable(city.airports for city in cities))
        airports = map(index.airport, codes) if slug else index.by_country.get(country, ())
        self.airports, self.all_airports = _starts(visit, airports), visit.browse(country=country)
        tiles = tuple(PlaceTile(one.label, visit.search(one), note=_airport_words(one)) for one in cities)
        cards = _CARDS if number == 1 else 0
        self.cards, self.cities = PlaceTiles(tiles[:cards]), tiles[cards:]
        count = ngettext("%(count)s city", "%(count)s cities", len(numbers))
        self.summary = count % {"count": visit.reader.number(len(numbers))}
        self.position = _("Page %(page)s of %(last)s") % {"page": number, "last": last} if last > 1 else ""
        self.previous = visit.country(country, slug, number - 1) if part.has_previous() else ""
        self.next = visit.country(country, slug, number + 1) if part.has_next() else ""
        self.browse = visit.browse()
        self.head = self._head(country_path(country, slug, number), self.position if number > 1 else "")

    def _set_area(self, visit: Visit, country: str, slug: str, areas: Mapping[str, int]) -> None:
        self.name, self.search = visit.reader.country(country), visit.search_country(country)
        if slug:
            region = visit.index.placed(areas[slug], get_language())
            self.above = self.name, visit.country(country)
            self.name, self.search = region.label, visit.search(region)
            return
        named = ((visit.index.places.label(one, get_language()), of) for of, one in areas.items() if of)
        self.regions = _by_name(Entry(label, visit.country(country, of)) for label, of in named)

    def _head(self, path: str, position: str) -> Head:
        """`Hotels in Sicily, Italy · Page 2 of 3`."""
        place = ", ".join(dict.fromkeys(filter(None, (self.name, self.above[0]))))
        title = _("Hotels in %(place)s") % {"place": place}
        description = _("Cities in %(place)s where you can search for hotels, the largest first.")
        return Head(" · ".join(filter(None, (title, position))), description % {"place": self.name}, path)


def _airport_words(city: Destination) -> str:
    """`Airport AGP`, `5 airports`; empty for a city without one."""
    if len(city.airports) == 1:
        return _("Airport %(code)s") % {"code": city.airports[0]}
    return airport_count(len(city.airports)) if city.airports else ""


@lru_cache(maxsize=1)
def sitemap_paths(places: Places) -> list[str]:
    """The pages that search engines may index: countries and regions, with every page of their cities."""
    paths = [reverse("home"), reverse("destinations")]
    for country in sorted(places.cities):
        for slug, region in areas_of(places, country).items():
            pages = Paginator(places.cities_of(country, region), _CITIES)
            paths += [country_path(country, slug, page) for page in pages.page_range]
    return paths


@lru_cache(maxsize=512)
def areas_of(places: Places, country: str) -> dict[str, int]:
    """The numbers of a country's regions that have cities, by their English names as an address has them; of
    the whole country -1, under no name."""
    return {"": -1} | {slugify(fold(places[one].name)): one for one in places.regions_of(country)}
