"""`/`: the search form and places to start from."""

from dataclasses import dataclass
from datetime import date
from itertools import chain, islice
from typing import Self

import msgspec
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.timezone import localdate

from search.destinations import service as destinations
from search.destinations.browse_pages import Theme, themes_of
from search.destinations.index import DestinationIndex
from search.destinations.pages import DestinationLinks
from search.domain.query import Refinement, StaySearch
from search.domain.site_settings import FeaturedDestination, Site
from search.property.page import stay_line
from search.results import typical_totals
from search.web.formatting import Reader, whole_money
from search.web.links import results_path, reverse
from search.web.meta import Head
from search.web.photos import photo_address
from search.web.search_form import SearchForm
from search.web.shortcuts import page_deadline, read_only, visited_site
from search.web.skyline import Skyline, skyline
from search.web.translation import gettext as _

AIRPORTS = 8


@dataclass(frozen=True, slots=True)
class FeaturedView:
    """Parameters of home/destination_card.html. `picture` is an address; without one there is a skyline.
    `typical` is the middle total of the stay as earlier searches found it, empty where none is known."""

    destination: FeaturedDestination
    href: str
    picture: str
    skyline: Skyline
    typical: str


@dataclass(frozen=True, slots=True)
class HomePage:
    """Parameters of home/page.html. `featured_note` says which stay the featured links and totals are for;
    `airports` are the names and addresses of where one can fly from."""

    head: Head
    featured: tuple[FeaturedView, ...]
    featured_note: str
    typical_note: str
    airports: tuple[tuple[str, str], ...]
    themes: tuple[Theme, ...]
    browse: str

    @classmethod
    def build(cls, query: QueryDict, site: Site, today: date) -> Self:
        """`query` holds the parameters of the address."""
        stay, index = _usual_stay(query, site, today), destinations.index(page_deadline())
        links = DestinationLinks(stay, market_given=query.get("market", "").lower() == stay.market)
        featured = tuple(_featured(one, stay, index, site) for one in site.home_places(today))
        return cls(
            head=Head(
                title=_("%(site)s: compare hotels worldwide") % {"site": site.site_name},
                description=_(
                    "Hotels from many providers in one list, each with one honest total for your stay."
                ),
                canonical=reverse("home"),
            ),
            featured=featured,
            featured_note=stay_line(stay, Reader.of(site, stay.market)),
            typical_note=typical_totals.note() if any(one.typical for one in featured) else "",
            airports=_airports(index, links, stay.market),
            themes=tuple(theme for theme in themes_of(index, links) if theme.worded),
            browse=links.browse(),
        )


def _featured(
    one: FeaturedDestination, stay: StaySearch, index: DestinationIndex, site: Site
) -> FeaturedView:
    """Distances are from its airport. Pictures are uploaded ones of ours, or addresses as the gateway names
    them."""
    picture = one.picture if one.picture.startswith("/") else photo_address(one.picture)
    search = msgspec.structs.replace(stay, place=one.place)
    typical = _typical(search, index, site)
    href = results_path(search, Refinement(near=one.airport.upper()))
    return FeaturedView(one, href, picture, skyline(one.place), typical)


def _typical(search: StaySearch, index: DestinationIndex, site: Site) -> str:
    """The cached middle total of what the place of `search` means; empty where none is."""
    meant = destinations.resolve(search.place, index)
    asked = msgspec.structs.replace(search, place=meant.place) if meant else search
    total = typical_totals.by_day(asked, site).get(search.dates.check_in)
    return whole_money(total, search.currency, Reader.of(site, search.market).numbers) if total else ""


def _airports(index: DestinationIndex, links: DestinationLinks, market: str) -> tuple[tuple[str, str], ...]:
    """The most important airports with flights, those of the market's country first."""
    country = market.rpartition("-")[2]
    others = (one for one in index.airports if one.country != country)
    flown = (one for one in chain(index.by_country.get(country, ()), others) if links.fly_from(one))
    named = ((index.destination(one.code), links.fly_from(one)) for one in flown)
    return tuple(islice(((one.name, href) for one, href in named if one), AIRPORTS))


def _usual_stay(query: QueryDict, site: Site, today: date) -> StaySearch:
    """The stay of the featured links: what the address says, as far as it is valid, else the site's usual."""
    form = SearchForm(query, site=site, today=today, needs_place=False)
    form.is_valid()
    said = {name: form.cleaned_data.get(name) for name in ("dates", "guests", "currency", "market")}
    valid = {name: value for name, value in said.items() if value}
    return msgspec.structs.replace(site.usual_search("", today), **valid)


@read_only
def home(request: HttpRequest) -> HttpResponse:
    settings, today = visited_site(request), localdate()
    form = SearchForm(request.GET, site=settings, today=today, bind=False)
    page = HomePage.build(request.GET, settings, today)
    return render(request, "home/page.html", {"page": page, "form": form, "site": settings})
