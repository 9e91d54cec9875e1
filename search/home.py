"""`/`: the search form and places to start from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, islice
from typing import Self

import msgspec
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.timezone import localdate

from search.destinations import service as destinations
from search.destinations.browse_pages import Theme, themes_of
from search.destinations.destination import Destination
from search.destinations.index import DestinationIndex
from search.destinations.pages import DestinationLinks
from search.domain.query import Refinement, StaySearch
from search.domain.site_settings import FeaturedDestination, Site
from search.results import nearby_dates
from search.web.formatting import Reader, whole_money
from search.web.links import Head, photo_address, reverse
from search.web.markets import asked_pairs
from search.web.search_form import SearchBar, SearchForm, StayForm
from search.web.shortcuts import Sources, cacheable, page_deadline, read_only, visited_site
from search.web.translation import gettext as _

AIRPORTS = 8


@dataclass(frozen=True, slots=True)
class FeaturedView:
    """Parameters of home/destination_card.html. `name` is the place as its results are headed for the reader,
    `picture` an address; without one there is a drawn town.
    `typical` is the middle total of the stay as earlier searches found it, empty where none is known."""

    destination: FeaturedDestination
    name: str
    href: str
    picture: str
    typical: str


@dataclass(frozen=True, slots=True)
class HomePage:
    """Parameters of home/page.html. `featured_note` says the stay of the featured links and totals,
    `airports` are names and addresses of where one can fly from."""

    head: Head
    bar: SearchBar
    featured: tuple[FeaturedView, ...]
    featured_note: str
    typical_note: str
    airports: tuple[tuple[str, str], ...]
    themes: tuple[Theme, ...]
    browse: str

    @classmethod
    def build(cls, query: QueryDict, site: Site, today: date) -> Self:
        """`query` holds the parameters of the address."""
        form = StayForm(query, site=site, today=today)
        stay, index = _usual_stay(form), destinations.index(page_deadline())
        links = DestinationLinks(stay, asked_pairs(query, site))
        featured = _featured(site.home_places(today), stay, index, site, links)
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
            featured=featured,
            featured_note=Reader.of(site, stay.market).stay_line(stay),
            typical_note=nearby_dates.note(site) if any(one.typical for one in featured) else "",
            airports=_airports(index, links, stay.market),
            themes=tuple(theme for theme in themes_of(index, links) if theme.worded),
            browse=links.browse(),
        )


def _featured(
    places: tuple[FeaturedDestination, ...],
    stay: StaySearch,
    index: DestinationIndex,
    site: Site,
    links: DestinationLinks,
) -> tuple[FeaturedView, ...]:
    meant = [destinations.resolve(one.place, index) for one in places]
    typical = _typical(places, meant, stay, index, site)
    return tuple(
        FeaturedView(
            destination=one,
            name=(destination_meant and destinations.reader_name(destination_meant, index)) or one.place,
            # Distances are from its airport.
            href=links.place(one.place, Refinement(near=one.airport.upper())),
            # Uploaded pictures are ours, others are addresses as the gateway names them.
            picture=one.picture if one.picture.startswith("/") else photo_address(one.picture),
            typical=total,
        )
        for one, destination_meant, total in zip(places, meant, typical, strict=True)
    )


def _typical(
    places: tuple[FeaturedDestination, ...],
    meant: Sequence[Destination | None],
    stay: StaySearch,
    index: DestinationIndex,
    site: Site,
) -> list[str]:
    """The cached middle total of each place in words; empty without one."""
    names = (
        destinations.sent_name(destination, index, site.place_name_language, stay.market)
        if destination
        else one.place
        for one, destination in zip(places, meant, strict=True)
    )
    searches = [msgspec.structs.replace(stay, place=name) for name in names]
    totals_by_day = nearby_dates.by_day_of_each(searches, site)
    totals = (by_day.get(stay.dates.check_in) for by_day in totals_by_day)
    numbers = Reader.of(site, stay.market).numbers
    return [whole_money(total, stay.currency, numbers) if total else "" for total in totals]


def _airports(index: DestinationIndex, links: DestinationLinks, market: str) -> tuple[tuple[str, str], ...]:
    """The most important airports with flights, those of the market's country first."""
    country = market.rpartition("-")[2]
    others = (one for one in index.airports if one.country != country)
    flown = (one for one in chain(index.by_country.get(country, ()), others) if links.fly_from(one))
    named = ((index.destination(one.code), links.fly_from(one)) for one in flown)
    return tuple(islice(((one.name, href) for one, href in named if one), AIRPORTS))


def _usual_stay(form: SearchForm) -> StaySearch:
    """The stay of the featured links: the valid parts of the address, else the site's usual."""
    form.is_valid()
    names = ("dates", "guests", "currency", "market")
    valid = {name: value for name in names if (value := form.cleaned_data.get(name))}
    return msgspec.structs.replace(form.site.usual_search("", form.today), **valid)


@read_only
def home(request: HttpRequest) -> HttpResponse:
    site = visited_site(request)
    page = HomePage.build(request.GET, site, localdate())
    # Totals of earlier searches come and go, the rest is of the airports.
    facts = (destinations.stamp(destinations.index(page_deadline())), page.featured)
    sources = Sources(site.search_fresh_seconds, facts)
    context = {"page": page, "site": site}
    return cacheable(request, site, sources, lambda: render(request, "home/page.html", context))
