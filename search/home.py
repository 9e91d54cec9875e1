"""`/`: the search form and places to start from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import localdate

from search.domain.query import StayDates, StaySearch
from search.domain.site_settings import FeaturedDestination, Site
from search.web import formatting
from search.web.formatting import Reader, guests, nights
from search.web.links import results_path, reverse
from search.web.meta import Head
from search.web.photos import Photo, photo_address
from search.web.search_form import SearchForm
from search.web.shortcuts import read_only, visited_site
from search.web.translation import gettext as _

STARTERS = ("Barcelona", "Lisbon", "Rome", "Kraków", "Paris", "Dublin", "Athens", "Prague")


@dataclass(frozen=True, slots=True)
class FeaturedView:
    """`photo` is None when no picture was given."""

    place: str
    text: str
    href: str
    photo: Photo | None


@dataclass(frozen=True, slots=True)
class HomePage:
    """Parameters of home/page.html. `featured_note` says which stay the featured links are for."""

    head: Head
    featured: tuple[FeaturedView, ...]
    featured_note: str

    @classmethod
    def build(cls, form: SearchForm, site: Site, today: date) -> HomePage:
        """`form` is unbound, filled with the usual stay or with what the address says."""
        stay = _usual_stay(form, site, today)
        reader = Reader.of(site, stay.market)
        return cls(
            head=Head(
                title=_("%(site)s: compare hotels worldwide") % {"site": site.site_name},
                description=_(
                    "Hotels of many providers in one list, each with one honest total for your stay."
                ),
                canonical=reverse("home"),
            ),
            featured=tuple(
                FeaturedView(
                    place=entry.place,
                    text=entry.text,
                    href=results_path(msgspec.structs.replace(stay, place=entry.place)),
                    photo=_photo(entry.picture),
                )
                for entry in _featured(site, today)
            ),
            featured_note=" · ".join(
                (
                    formatting.stay_days(stay.dates, reader.texts),
                    nights(stay.dates.nights),
                    guests(stay.guests),
                )
            ),
        )


def _featured(site: Site, today: date) -> tuple[FeaturedDestination, ...]:
    """What an admin features today; a site where nobody featured anything yet starts with some cities."""
    return site.featured_on(today) if site.featured else tuple(map(FeaturedDestination, STARTERS))


def _photo(picture: str) -> Photo | None:
    """Pictures are uploaded ones of ours, or addresses as the gateway names them."""
    address = picture if picture.startswith("/") else photo_address(picture)
    return Photo(address) if address else None


def _usual_stay(form: SearchForm, site: Site, today: date) -> StaySearch:
    """The stay of the featured links: what the form holds, as far as it makes sense."""
    values = {name: form[name].value() for name in ("checkin", "checkout", "guests", "currency", "market")}
    try:
        dates = StayDates(date.fromisoformat(values["checkin"]), date.fromisoformat(values["checkout"]))
    except (TypeError, ValueError):
        dates = site.usual_search("", today).dates
    party = str(values["guests"] or "")
    return StaySearch(
        place="",
        dates=dates if dates.check_in >= today else site.usual_search("", today).dates,
        guests=int(party)
        if party in {str(number) for number in range(1, site.max_guests + 1)}
        else site.guests,
        stars=(),
        currency=values["currency"] if values["currency"] in site.currencies else site.default_currency,
        market=values["market"] if values["market"] in site.markets else site.default_market,
    )


@read_only
def home(request: HttpRequest) -> HttpResponse:
    settings, today = visited_site(request), localdate()
    form = SearchForm(request.GET, site=settings, today=today, bind=False)
    page = HomePage.build(form, settings, today)
    context = {"page": page, "form": form, "site": settings}
    return render(request, "home/page.html", context)
