"""The cities of one country or of one of its regions, the largest first; and what of that a sitemap names."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Self

from django.utils.text import slugify

from search.domain.hotels import Airport
from search.domain.text import fold
from search.web.articles import after_hotels, the
from search.web.formatting import Reader
from search.web.links import reverse
from search.web.meta import Head
from search.web.skyline import Skyline, skyline
from search.web.translation import get_language, ngettext
from search.web.translation import gettext as _

from .browse_pages import Entry, Theme, airport_count, themes_of
from .destination import Destination
from .index import DestinationIndex
from .pages import DestinationLinks, country_path
from .places import Places

# Pages stay small however many cities a country has: the largest as cards, the others as lines.
CITIES = 96
_CARDS = 8
_AIRPORTS = 8


class CityCard(NamedTuple):
    """A large city: `note` is its region and its airports."""

    name: str
    href: str
    note: str
    skyline: Skyline


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
    cards: tuple[CityCard, ...]
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
        country: str,
        slug: str = "",
        page: int = 1,
    ) -> Self | None:
        """The page of a lower-case country code and, if named, of the region of that `slug`; None for what
        the table of places doesn't have."""
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
            cards=tuple(maker.card(one, with_region=not slug) for one in shown[:cards]),
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

    def card(self, city: Destination, *, with_region: bool) -> CityCard:
        note = " · ".join(filter(None, (city.region if with_region else "", self._airport_words(city))))
        return CityCard(city.label, self.links.search(city), note, skyline(city.name))

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
    for country in places.countries:
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
    place = after_hotels(name if name == country else f"{name}, {country}")
    title = _("Hotels in %(place)s") % {"place": place}
    return Head(
        title=f"{title} · {pager.position}" if pager.previous else title,
        description=_("Cities in %(place)s where you can search for hotels, the largest first.")
        % {"place": the(name)},
        canonical=canonical,
    )


def _cities(count: int, reader: Reader) -> str:
    return ngettext("%(count)s city", "%(count)s cities", count) % {"count": reader.number(count)}
