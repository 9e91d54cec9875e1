"""`/destinations/`: suggestions for a text, places near a visitor, and all destinations to browse.

`/map/ground/`: the ground of our own map.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
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
from .pages import (
    NO_TILES,
    DestinationLinks,
    FillTiles,
    PlaceTile,
    PlaceTiles,
    Rows,
    SuggestionsPage,
)
from .suggest import MAX_TEXT

A_YEAR = 31_536_000
_POSITION = re.compile(r"(-?[0-9]{1,2}(?:\.[0-9]{1,8})?),(-?[0-9]{1,3}(?:\.[0-9]{1,8})?)\Z")


class _Visit:
    """A request with addresses for the visitor's own stay, or a weekend if they named none that is one."""

    def __init__(self, request: HttpRequest) -> None:
        self.request = request
        self.site = visited_site(request)
        self.index = service.index(page_deadline())
        form = StayForm(request.GET, site=self.site, today=localdate())
        given = form.is_valid() and "checkin" in request.GET
        if not form.is_valid():
            form = StayForm(QueryDict(), site=self.site, today=localdate())
            form.is_valid()
        stay = form.search()
        if not given:
            stay = msgspec.structs.replace(stay, dates=self.site.weekend(localdate()))
        keep = stay.pairs()[1:] if given else asked_pairs(request.GET, self.site)
        self.links, self.reader = DestinationLinks(stay, keep), Reader.of(self.site, stay.market)

    def kept(self, answer: Callable[[], HttpResponse], tiles: PlaceTiles = NO_TILES) -> HttpResponse:
        """A page that is made of the airports and of these tiles, and the same for as long as prices are."""
        sources = Sources(self.site.search_fresh_seconds, (service.stamp(self.index), tiles))
        return cacheable(self.request, self.site, sources, answer)

    def page(self, template: str, page: object, place: str = "") -> HttpResponse:
        query = self.request.GET.copy()
        query["place"] = place
        form = SearchForm(query, site=self.site, today=localdate(), bind=False)
        return render(self.request, template, {"page": page, "form": form})

    def filled(self, tiles: Sequence[PlaceTile], fill_tiles: FillTiles) -> PlaceTiles:
        """The tiles; what they lack is made behind the page for people who chose no days of their own."""
        fill = "checkin" not in self.request.GET and is_reading(self.request)
        return fill_tiles(tiles, self.links.stay, self.site, fill=fill) if tiles else NO_TILES

    def rows(self, text: str) -> Rows:
        """The picker's list: airports alone, around a position, for a text, or what an empty field offers."""
        if self.request.GET.get("kind") == Kind.AIRPORT:
            return Rows.of(service.airports(self.index, text), self.links, self.reader, text)
        if position := _position(self.request):
            return Rows.near(service.around(self.index, position), self.links, self.reader)
        offered = (
            service.suggest(self.index, text)
            if text
            else service.featured(self.index, self.reader.site, localdate())
        )
        return Rows.of(offered, self.links, self.reader, text)


@read_only
@vary_on_headers("Accept")
def browse(request: HttpRequest, fill_tiles: FillTiles) -> HttpResponse:
    """All destinations; with `q` suggestions, as a page or JSON; with `part=options` the picker's list."""
    visit, text = _Visit(request), _text(request)
    index, links, reader = visit.index, visit.links, visit.reader
    if request.GET.get("part") == "options":
        response = render(request, "destinations/options.html", {"list": visit.rows(text)})
        response["Cache-Control"] = "private, max-age=60"
        return response
    if wants_json(request):
        found = Rows.of(service.suggest(index, text), links, reader)
        return visit.kept(lambda: JsonResponse({"suggestions": [row.data for row in found.rows]}))
    if text:
        suggestions = SuggestionsPage.build(service.suggest(index, text), text, links, reader)
        return visit.kept(lambda: visit.page("destinations/suggestions.html", suggestions, text))
    theme, country = request.GET.get("theme", "").upper(), current_country(request.GET.get("country", ""))
    if theme not in ("", *index.categories) or country not in ("", *index.by_country):
        raise Http404
    tiles = () if theme or country else featured_tiles(index, links, visit.site, localdate())
    featured = visit.filled(tiles, fill_tiles)

    def whole_page() -> HttpResponse:
        listed = replace(all_destinations(index, links, reader, theme, country), featured=featured)
        return visit.page("destinations/browse.html", listed)

    return visit.kept(whole_page, featured)


@read_only
def fly_from(request: HttpRequest, code: str) -> HttpResponse:
    """The places that can be reached from an airport without a change."""
    visit = _Visit(request)
    start = visit.index.airport(code)
    if start is None:
        raise Http404
    if start.code != code:
        return _moved(request, "fly-from", start.code)
    page = flights_from(start, visit.index, visit.links, visit.reader)
    return visit.kept(lambda: visit.page("destinations/fly_from.html", page))


@read_only
def country(request: HttpRequest, code: str, fill_tiles: FillTiles, region: str = "") -> HttpResponse:
    """The cities of a country, or of one of its regions."""
    if code != (today := current_country(code)):
        # Not by `country_path`, which remembers addresses, as this one may not exist.
        args = (today, region) if region else (today,)
        return _moved(request, "region" if region else "country", *args)
    visit = _Visit(request)
    page = country_page(visit.index, visit.links, visit.reader, (code, region), page_number(request))
    if page is None:
        raise Http404
    cards = visit.filled(page.cards.tiles, fill_tiles)
    return visit.kept(lambda: visit.page("destinations/country.html", replace(page, cards=cards)), cards)


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
    """`airport_options()` of every template with a search bar: made only where a page shows one."""
    return {"airport_options": lambda: service.datalist(page_deadline())}
