"""`/`: the search form and places to start from."""

from dataclasses import dataclass
from datetime import date
from typing import Self

import msgspec
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.timezone import localdate

from search.domain.query import Refinement, StaySearch
from search.domain.site_settings import FeaturedDestination, Site
from search.property.page import stay_line
from search.web.formatting import Reader
from search.web.links import results_path, reverse
from search.web.meta import Head
from search.web.photos import photo_address
from search.web.search_form import SearchForm
from search.web.shortcuts import read_only, visited_site
from search.web.translation import gettext as _

STARTERS = ("Barcelona", "Lisbon", "Rome", "Kraków", "Paris", "Dublin", "Athens", "Prague")


@dataclass(frozen=True, slots=True)
class FeaturedView:
    """Parameters of home/destination_card.html. `picture` is an address or empty."""

    destination: FeaturedDestination
    href: str
    picture: str


@dataclass(frozen=True, slots=True)
class HomePage:
    """Parameters of home/page.html. `featured_note` says which stay the featured links are for."""

    head: Head
    featured: tuple[FeaturedView, ...]
    featured_note: str

    @classmethod
    def build(cls, query: QueryDict, site: Site, today: date) -> Self:
        """`query` holds the parameters of the address."""
        stay = _usual_stay(query, site, today)
        return cls(
            head=Head(
                title=_("%(site)s: compare hotels worldwide") % {"site": site.site_name},
                description=_(
                    "Hotels of many providers in one list, each with one honest total for your stay."
                ),
                canonical=reverse("home"),
            ),
            featured=tuple(_featured(one, stay) for one in _destinations(site, today)),
            featured_note=stay_line(stay, Reader.of(site, stay.market)),
        )


def _destinations(site: Site, today: date) -> tuple[FeaturedDestination, ...]:
    """What an admin features today; a site where nobody featured anything yet starts with some cities."""
    return site.featured_on(today) if site.featured else tuple(map(FeaturedDestination, STARTERS))


def _featured(one: FeaturedDestination, stay: StaySearch) -> FeaturedView:
    """Distances are from its airport. Pictures are uploaded ones of ours, or addresses as the gateway names
    them."""
    picture = one.picture if one.picture.startswith("/") else photo_address(one.picture)
    search = msgspec.structs.replace(stay, place=one.place)
    return FeaturedView(one, results_path(search, Refinement(near=one.airport.upper())), picture)


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
