"""`/destinations/`: suggestions for a text, places near a visitor, and all destinations to browse."""

from __future__ import annotations

import re
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.timezone import localdate
from django.views.decorators.http import require_safe

from search.domain.catalogue import Coordinates
from search.domain.destinations import MAX_TEXT, DestinationIndex
from search.domain.site import Site
from search.domain.stay import StaySearch
from search.forms.search import SearchForm
from search.pages.destinations import Rows, SuggestionsPage, suggestions_data
from search.pages.destinations_browse import BrowsePage, FlyFromPage, Links
from search.pages.reader import Reader
from search.services import destinations, site

from .edge import page_deadline

_POSITION = re.compile(r"(-?[0-9]{1,2}(?:\.[0-9]{1,8})?),(-?[0-9]{1,3}(?:\.[0-9]{1,8})?)\Z")


@require_safe
def browse(request: HttpRequest) -> HttpResponse:
    """All destinations; with `q` suggestions, as a page or JSON; with `part=options` the picker's list."""
    settings, index = site.current(), destinations.index(page_deadline())
    stay, given = _stay(request, settings, localdate())
    reader = Reader.of(settings, stay.market)
    if request.GET.get("part") == "options":
        return _options(request, index, settings, stay, reader)
    text = _text(request)
    if request.get_preferred_type(["text/html", "application/json"]) == "application/json":
        response: HttpResponse = JsonResponse(suggestions_data(destinations.suggest(index, text)))
    elif text:
        page = SuggestionsPage.build(destinations.suggest(index, text), text, stay, reader)
        response = _page(request, "search/destinations_found.html", page, settings, text)
    else:
        theme, country = request.GET.get("theme", "").upper(), request.GET.get("country", "").lower()
        if not destinations.is_listed(index, theme, country):
            raise Http404
        shown = BrowsePage.build(index, Links.of(stay, reader, given), theme, country)
        response = _page(request, "search/destinations.html", shown, settings)
    patch_vary_headers(response, ["Accept"])
    return response


@require_safe
def fly_from(request: HttpRequest, code: str) -> HttpResponse:
    """The places that can be reached from an airport without a change."""
    settings, index = site.current(), destinations.index(page_deadline())
    found = destinations.reachable_from(code, index)
    if found is None:
        raise Http404
    start, reachable = found
    if start.code != code:
        return redirect("fly-from", start.code, permanent=True)
    stay, given = _stay(request, settings, localdate())
    links = Links.of(stay, Reader.of(settings, stay.market), given)
    page = FlyFromPage.build(index, start, reachable, links)
    return _page(request, "search/destinations_from.html", page, settings)


def _page(request: HttpRequest, template: str, page: object, settings: Site, place: str = "") -> HttpResponse:
    query = request.GET.copy()
    query["place"] = place
    form = SearchForm(query, site=settings, today=localdate(), bind=False)
    options = destinations.known_datalist()
    return render(request, template, {"page": page, "form": form, "airport_options": options})


def _options(
    request: HttpRequest, index: DestinationIndex, settings: Site, stay: StaySearch, reader: Reader
) -> HttpResponse:
    text, position = _text(request), _position(request)
    if position:
        rows = Rows.near(destinations.nearest(index, position), stay, reader)
    elif text:
        rows = Rows.matching(destinations.suggest(index, text), text, stay, reader)
    else:
        rows = Rows.featured(destinations.featured(index, settings, localdate()), stay, reader)
    response = render(request, "search/destinations_options.html", {"list": rows})
    response["Cache-Control"] = "private, max-age=60"
    return response


def _text(request: HttpRequest) -> str:
    """What was typed, without the characters that no name has."""
    return "".join(char for char in request.GET.get("q", "")[:MAX_TEXT] if char.isprintable()).strip()


def _position(request: HttpRequest) -> Coordinates | None:
    """`at=51.51,-0.13`, degrees; anything else is no position."""
    found = _POSITION.match(request.GET.get("at", ""))
    if not found:
        return None
    latitude, longitude = float(found[1]), float(found[2])
    return Coordinates(latitude, longitude) if abs(latitude) <= 90 and abs(longitude) <= 180 else None


def _stay(request: HttpRequest, settings: Site, today: date) -> tuple[StaySearch, bool]:
    """The stay that links lead to, and whether the visitor chose it; the usual one if theirs is none."""
    form = SearchForm(request.GET, site=settings, today=today, needs_place=False)
    given = form.is_valid() and "checkin" in request.GET
    if not form.is_valid():
        form = SearchForm(QueryDict(), site=settings, today=today, needs_place=False)
        form.is_valid()
    return form.search(), given
