"""`/destinations/`: suggestions for a text, places near a visitor, and all destinations to browse.

`/map/ground/`: the ground of our own map.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.encoding import iri_to_uri
from django.utils.functional import SimpleLazyObject
from django.utils.timezone import localdate
from django.views.decorators.cache import cache_control
from django.views.decorators.vary import vary_on_headers

from search.domain.hotels import Coordinates, current_country
from search.domain.site_settings import Site
from search.gateway import factory
from search.web.formatting import Reader
from search.web.markets import asked_pairs, language_tag
from search.web.search_form import SearchForm, StayForm
from search.web.shortcuts import (
    Sources,
    cacheable,
    is_reading,
    page_deadline,
    page_number,
    read_only,
    visited_site,
    wants_json,
)
from search.web.translation import get_language

from . import ground, service
from .browse_pages import all_destinations, country_page, featured_tiles, flights_from
from .destination import Kind
from .index import DestinationIndex
from .pages import (
    NO_TILES,
    DestinationLinks,
    FillsTiles,
    PlaceTile,
    PlaceTiles,
    Rows,
    SuggestionsPage,
    suggestions_data,
)
from .suggest import MAX_TEXT

A_YEAR = 31_536_000
_POSITION = re.compile(r"(-?[0-9]{1,2}(?:\.[0-9]{1,8})?),(-?[0-9]{1,3}(?:\.[0-9]{1,8})?)\Z")


def _kept(
    request: HttpRequest,
    index: DestinationIndex,
    page: Callable[[], HttpResponse],
    tiles: PlaceTiles = NO_TILES,
) -> HttpResponse:
    """A page that is made of the airports and of these tiles, and so the same for as long as prices are."""
    site = visited_site(request)
    return cacheable(request, site, Sources(site.search_fresh_seconds, (service.stamp(index), tiles)), page)


@read_only
@vary_on_headers("Accept")
def browse(request: HttpRequest, fill_tiles: FillsTiles) -> HttpResponse:
    """All destinations; with `q` suggestions, as a page or JSON; with `part=options` the picker's list."""
    site, index, text = visited_site(request), service.index(page_deadline()), _text(request)
    links, reader = _links(request, site)
    if request.GET.get("part") == "options":
        rows = _rows(request, index, links, reader)
        response = render(request, "destinations/options.html", {"list": rows})
        response["Cache-Control"] = "private, max-age=60"
        return response
    if wants_json(request):
        found = service.suggest(index, text)
        return _kept(request, index, lambda: JsonResponse(suggestions_data(found, reader)))
    if text:
        page = SuggestionsPage.build(service.suggest(index, text), text, links, reader)
        whole = partial(_page, request, "destinations/suggestions.html", page, site, text)
        return _kept(request, index, whole)
    theme, country = request.GET.get("theme", "").upper(), current_country(request.GET.get("country", ""))
    if not service.is_listed(index, theme, country):
        raise Http404
    tiles = () if theme or country else featured_tiles(index, links, site, localdate())
    featured = _filled(request, tiles, links, site, fill_tiles)

    def whole_page() -> HttpResponse:
        listed = replace(all_destinations(index, links, reader, theme, country), featured=featured)
        return _page(request, "destinations/browse.html", listed, site)

    return _kept(request, index, whole_page, featured)


@read_only
def fly_from(request: HttpRequest, code: str) -> HttpResponse:
    """The places that can be reached from an airport without a change."""
    site, index = visited_site(request), service.index(page_deadline())
    start = index.airport(code)
    if start is None:
        raise Http404
    if start.code != code:
        return _moved(request, "fly-from", start.code)
    page = flights_from(start, index, *_links(request, site))
    return _kept(request, index, lambda: _page(request, "destinations/fly_from.html", page, site))


@read_only
def country(request: HttpRequest, code: str, fill_tiles: FillsTiles, region: str = "") -> HttpResponse:
    """The cities of a country, or of one of its regions."""
    if code != (today := current_country(code)):
        # Not by `country_path`, which remembers addresses, as this one may not exist.
        args = (today, region) if region else (today,)
        return _moved(request, "region" if region else "country", *args)
    site, index = visited_site(request), service.index(page_deadline())
    links, reader = _links(request, site)
    page = country_page(index, links, reader, (code, region), page_number(request))
    if page is None:
        raise Http404
    page = replace(page, cards=_filled(request, page.cards.tiles, links, site, fill_tiles))
    return _kept(request, index, lambda: _page(request, "destinations/country.html", page, site), page.cards)


def _filled(
    request: HttpRequest,
    tiles: Sequence[PlaceTile],
    links: DestinationLinks,
    site: Site,
    fill_tiles: FillsTiles,
) -> PlaceTiles:
    """The tiles; what they lack is made behind the page for people who chose no days of their own."""
    fill = "checkin" not in request.GET and is_reading(request)
    return fill_tiles(tiles, links.stay, site, fill=fill) if tiles else NO_TILES


@cache_control(public=True, max_age=A_YEAR, immutable=True)
@read_only
def ground_tile(
    request: HttpRequest, version: str, language: str, level: int, x: int, y: int
) -> HttpResponse:
    """A `GroundTile` as JSON, for ever; 404 for a version that isn't this process's."""
    known = version == ground.version() and language in dict(settings.LANGUAGES)
    found = ground.tile(level, x, y, language) if known else None
    if found is None:
        raise Http404
    return HttpResponse(msgspec.json.encode(found), content_type="application/json")


def _moved(request: HttpRequest, name: str, *args: str) -> HttpResponse:
    """A permanent redirect to this page that keeps the query, which may hold a stay and a market."""
    moved, query = redirect(name, *args, permanent=True), request.META.get("QUERY_STRING", "")
    if query:
        moved["Location"] += f"?{iri_to_uri(query)}"
    return moved


def map_options(request: HttpRequest) -> dict[str, Any]:
    """`map` of every template: where the tiles of a map come from, ours where none are set. `kind` is our own
    ground: streets may be made up where the hotels are. `locale` writes its numbers."""
    return {
        "map": {
            "tiles": settings.MAP_TILE_URL,
            "attribution": settings.MAP_ATTRIBUTION,
            "locale": language_tag(getattr(request, "market", "") or get_language()),
            "ground": SimpleLazyObject(lambda: f"/map/ground/{ground.version()}/{get_language()}"),
            "kind": "schematic" if factory.shows_sandbox() else "plain",
        }
    }


def _page(request: HttpRequest, template: str, page: object, site: Site, place: str = "") -> HttpResponse:
    query = request.GET.copy()
    query["place"] = place
    form = SearchForm(query, site=site, today=localdate(), bind=False)
    return render(request, template, {"page": page, "form": form})


def _rows(request: HttpRequest, index: DestinationIndex, links: DestinationLinks, reader: Reader) -> Rows:
    """The picker's list: airports alone, around a position, for a text, or what an empty field offers."""
    text, position = _text(request), _position(request)
    if request.GET.get("kind") == Kind.AIRPORT:
        return Rows.of(service.airports(index, text), links, reader, text)
    if position:
        return Rows.near(service.around(index, position), links, reader)
    if text:
        return Rows.of(service.suggest(index, text), links, reader, text)
    return Rows.of(service.featured(index, reader.site, localdate()), links, reader)


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


def _links(request: HttpRequest, site: Site) -> tuple[DestinationLinks, Reader]:
    """Addresses for the visitor's own stay, or for a weekend if they named none that makes sense."""
    form = StayForm(request.GET, site=site, today=localdate())
    given = form.is_valid() and "checkin" in request.GET
    if not form.is_valid():
        form = StayForm(QueryDict(), site=site, today=localdate())
        form.is_valid()
    stay = form.search()
    if not given:
        stay = msgspec.structs.replace(stay, dates=site.weekend(localdate()))
    keep = stay.pairs()[1:] if given else asked_pairs(request.GET, site)
    return DestinationLinks(stay, keep), Reader.of(site, stay.market)


def search_bar_options(request: HttpRequest) -> dict[str, Any]:
    """`airport_options()` of every template with a search bar: made only where a page shows one."""
    return {"airport_options": lambda: service.datalist(page_deadline())}
