"""`/`, the home page.

`/destinations/`: suggestions for a text, places near a visitor, and all destinations to browse.

`/map/ground/`: the ground of our own map.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from django.conf import settings
from django.core.paginator import EmptyPage
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.encoding import iri_to_uri
from django.utils.functional import SimpleLazyObject
from django.utils.timezone import localdate
from django.views.decorators.cache import cache_control
from django.views.decorators.vary import vary_on_headers

from search.domain.hotels import Coordinates, current_country
from search.gateway import factory
from search.web.markets import language_tag
from search.web.search_form import SearchForm
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
from .browse_pages import BrowsePage, CountryPage, FlightsPage, HomePage
from .index import Kind
from .pages import NO_TILES, FillTiles, PlaceTile, PlaceTiles, Rows, SuggestionsPage, Visit, featured_tiles
from .suggest import LIMIT, MAX_TEXT, suggest

A_YEAR = 31_536_000
_DATALIST = 100
_POSITION = re.compile(r"(-?[0-9]{1,2}(?:\.[0-9]{1,8})?),(-?[0-9]{1,3}(?:\.[0-9]{1,8})?)\Z")


def _visit(request: HttpRequest) -> Visit:
    return Visit.of(request.GET, visited_site(request), localdate())


def _cacheable(
    request: HttpRequest, visit: Visit, page: Callable[[], HttpResponse], tiles: PlaceTiles = NO_TILES
) -> HttpResponse:
    """A page that is made of the airports and of these tiles, and the same for as long as prices are."""
    sources = Sources(visit.site.search_fresh_seconds, (service.stamp(visit.index), tiles))
    return cacheable(request, visit.site, sources, page)


def _page(
    request: HttpRequest,
    visit: Visit,
    template: str,
    page: Callable[[], object],
    tiles: PlaceTiles = NO_TILES,
) -> HttpResponse:
    """A page about destinations, with the search form around the text that was typed."""

    def rendered() -> HttpResponse:
        query = request.GET.copy()
        query["place"] = _text(request)
        form = SearchForm(query, site=visit.site, today=visit.today, bind=False)
        return render(request, f"destinations/{template}.html", {"page": page(), "form": form})

    return _cacheable(request, visit, rendered, tiles)


def _filled(
    request: HttpRequest, visit: Visit, tiles: Sequence[PlaceTile], fill_tiles: FillTiles
) -> PlaceTiles:
    """The tiles; what they lack is made behind the page for people who chose no days of their own."""
    fill = "checkin" not in request.GET and is_reading(request)
    return fill_tiles(tiles, visit.stay, visit.site, fill=fill) if tiles else NO_TILES


@read_only
def home(request: HttpRequest, fill_tiles: FillTiles) -> HttpResponse:
    """`/`: the search form and places to start from."""
    visit = _visit(request)
    featured = _filled(request, visit, featured_tiles(visit), fill_tiles)

    def page() -> HttpResponse:
        shown = {"page": HomePage(visit, request.GET, featured), "site": visit.site}
        return render(request, "home/page.html", shown)

    return _cacheable(request, visit, page, featured)


@read_only
@vary_on_headers("Accept")
def browse(request: HttpRequest, fill_tiles: FillTiles) -> HttpResponse:
    """All destinations; with `q` suggestions, as a page or JSON; with `part=options` the picker's list."""
    visit, text = _visit(request), _text(request)
    if request.GET.get("part") == "options":
        response = render(request, "destinations/options.html", {"list": _options(request, visit, text)})
        response["Cache-Control"] = "private, max-age=60"
        return response
    if wants_json(request):
        rows = Rows(visit, suggest(visit.index, text)).rows
        return _cacheable(request, visit, lambda: JsonResponse({"suggestions": [row.data for row in rows]}))
    if text:
        return _page(request, visit, "suggestions", lambda: SuggestionsPage(visit, text))
    theme, country = request.GET.get("theme", "").upper(), current_country(request.GET.get("country", ""))
    if theme not in ("", *visit.index.categories) or country not in ("", *visit.index.by_country):
        raise Http404
    tiles = () if theme or country else featured_tiles(visit)
    featured = _filled(request, visit, tiles, fill_tiles)
    return _page(request, visit, "browse", lambda: BrowsePage(visit, theme, country, featured), featured)


def _options(request: HttpRequest, visit: Visit, text: str) -> Rows:
    """The picker's list: airports alone, around a position, for a text, or what an empty field offers."""
    index = visit.index
    if request.GET.get("kind") == Kind.AIRPORT:
        found = suggest(index, text, limit=3 * LIMIT) if text else index.entries
        return Rows(visit, [one for one in found if one.kind is Kind.AIRPORT][:LIMIT], text)
    if position := _position(request):
        kilometres = dict(service.around(index, position))
        return Rows(visit, kilometres, far=kilometres)
    popular = service.featured(index, visit.site, visit.today) if not text else ()
    return Rows(visit, suggest(index, text) or popular, text)


@read_only
def fly_from(request: HttpRequest, code: str) -> HttpResponse:
    """The places that can be reached from an airport without a change."""
    visit = _visit(request)
    start = visit.index.airport(code)
    if start is None:
        raise Http404
    if start.code != code:
        return _moved(request, "fly-from", start.code)
    return _page(request, visit, "fly_from", lambda: FlightsPage(visit, start))


@read_only
def country(request: HttpRequest, code: str, fill_tiles: FillTiles, region: str = "") -> HttpResponse:
    """The cities of a country, or of one of its regions."""
    if code != (today := current_country(code)):
        # Not by `country_path`, which remembers addresses, as this one may not exist.
        args = (today, region) if region else (today,)
        return _moved(request, "region" if region else "country", *args)
    visit = _visit(request)
    try:
        page = CountryPage(visit, code, region, page_number(request))
    except EmptyPage:
        raise Http404 from None
    page.cards = _filled(request, visit, page.cards.tiles, fill_tiles)
    return _page(request, visit, "country", lambda: page, page.cards)


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
    """`map` of every template: the tiles of a map or our own ground, with streets where they are made up."""
    return {
        "map": {
            "tiles": settings.MAP_TILE_URL,
            "attribution": settings.MAP_ATTRIBUTION,
            "locale": language_tag(getattr(request, "market", "") or get_language()),
            "ground": SimpleLazyObject(lambda: f"/map/ground/{ground.version()}/{get_language()}"),
            "kind": "schematic" if factory.shows_sandbox() else "plain",
        }
    }


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


def search_bar_options(request: HttpRequest) -> dict[str, Any]:
    """`airport_options()` of every template with a search bar, made only where a page shows one: what the
    plain input offers without JavaScript, texts that `resolve` understands."""

    def texts() -> tuple[str, ...]:
        return tuple(one.text for one in service.index(page_deadline()).entries[:_DATALIST])

    return {"airport_options": texts}
