"""`/`: the search form and places to start from."""

from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, islice
from typing import Self

import msgspec
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.timezone import localdate

from search.destinations import service as destinations
from search.destinations.browse_pages import Theme, featured_tiles, themes_of
from search.destinations.index import DestinationIndex
from search.destinations.pages import DestinationLinks, PlaceTiles
from search.domain.query import StaySearch
from search.domain.site_settings import Site
from search.results.tiles import place_tiles
from search.web.links import Head, reverse
from search.web.markets import asked_pairs
from search.web.search_form import SearchBar, SearchForm, StayForm
from search.web.shortcuts import Sources, cacheable, is_reading, page_deadline, read_only, visited_site
from search.web.translation import gettext as _

AIRPORTS = 8


@dataclass(frozen=True, slots=True)
class HomePage:
    """Parameters of home/page.html. `airports` are names and addresses of where one can fly from."""

    head: Head
    bar: SearchBar
    featured: PlaceTiles
    airports: tuple[tuple[str, str], ...]
    themes: tuple[Theme, ...]
    browse: str

    @classmethod
    def build(cls, query: QueryDict, site: Site, today: date, *, fill: bool = False) -> Self:
        """`query` holds the parameters of the address; `fill`: tiles get what they lack behind the page."""
        form = StayForm(query, site=site, today=today)
        stay, index = _weekend(form), destinations.index(page_deadline())
        links = DestinationLinks(stay, asked_pairs(query, site))
        return cls(
            # The visitor has not searched yet, so nothing is called an error.
            bar=replace(SearchBar.of_form(form), errors={}),
            head=Head(
                title=_("%(site)s: compare hotels worldwide") % {"site": site.site_name},
                description=_(
                    "Hotels from many providers in one list, each with one honest total for your stay."
                ),
                canonical=reverse("home"),
            ),
            featured=place_tiles(featured_tiles(index, links, site, today), stay, site, fill=fill),
            airports=_airports(index, links, stay.market),
            themes=tuple(theme for theme in themes_of(index, links) if theme.worded),
            browse=links.browse(),
        )


def _airports(index: DestinationIndex, links: DestinationLinks, market: str) -> tuple[tuple[str, str], ...]:
    """The most important airports with flights, those of the market's country first."""
    country = market.rpartition("-")[2]
    others = (one for one in index.airports if one.country != country)
    flown = (one for one in chain(index.by_country.get(country, ()), others) if links.fly_from(one))
    named = ((index.destination(one.code), links.fly_from(one)) for one in flown)
    return tuple(islice(((one.name, href) for one, href in named if one), AIRPORTS))


def _weekend(form: SearchForm) -> StaySearch:
    """The stay of the tiles: the usual guests on a weekend, in the market and currency of the address."""
    form.is_valid()
    valid = {name: value for name in ("currency", "market") if (value := form.cleaned_data.get(name))}
    usual, dates = form.site.usual_search("", form.today), form.site.weekend(form.today)
    return msgspec.structs.replace(usual, dates=dates, **valid)


@read_only
def home(request: HttpRequest) -> HttpResponse:
    site = visited_site(request)
    page = HomePage.build(request.GET, site, localdate(), fill=is_reading(request))
    # Tiles are filled behind the page, the rest is of the airports.
    facts = (destinations.stamp(destinations.index(page_deadline())), page.featured)
    sources = Sources(site.search_fresh_seconds, facts)
    context = {"page": page, "site": site}
    return cacheable(request, site, sources, lambda: render(request, "home/page.html", context))
