"""`/compare/`: two to four hotels side by side; `/shortlist/`: the hotels of its address, with totals."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.vary import vary_on_headers

from search.domain.context import SearchContext
from search.domain.site_settings import Site
from search.property import service as properties
from search.results.context import for_search
from search.web.formatting import Reader
from search.web.links import Head, reverse
from search.web.markets import asked_market
from search.web.shortcuts import (
    Sources,
    only_if,
    page_deadline,
    page_number,
    page_or_json,
    read_only,
    visited_site,
    without_dates,
)
from search.web.streaming import begun_early
from search.web.translation import gettext as _

from .shortlist import MOST_KEPT, ShortlistPage, kept_searches, shortlist_path, stays_of
from .side_by_side import MOST_COMPARED, back_link, compare_page, hotels_of


def _beginning(request: HttpRequest, context: SearchContext) -> str:
    stay = Reader.for_search(context).stay_line(context.search)
    return _skeleton(request, context.site, _("Hotels side by side"), stay)


def _skeleton(request: HttpRequest, site: Site, title: str, stay: str = "") -> str:
    page = {"head": Head(title=title, robots="noindex"), "title": title, "stay": stay}
    return render_to_string("compare/skeleton.html", {"page": page, "site": site}, request)


def _sources(request: HttpRequest, context: SearchContext) -> Sources | None:
    stays = stays_of(request.GET.getlist("stay"), MOST_KEPT)[:MOST_COMPARED]
    return Sources.united(*(properties.page_sources(context, *one[:2]) for one in stays))


@read_only
@vary_on_headers("Accept")
@only_if(lambda site: site.compare_enabled)
@for_search(
    needs_place=False,
    beginning=_beginning,
    sources=_sources,
    # After its days an address compares for the usual days, which the page names.
    of_the_past=lambda request: without_dates(request, reverse("compare")),
)
def compare(request: HttpRequest, context: SearchContext) -> HttpResponse:
    """Hotels of the address side by side; with fewer than two, how to choose some."""
    named = stays_of(request.GET.getlist("stay"), MOST_KEPT)
    if len(named) < 2:
        head = Head(title=_("Hotels side by side"), robots="noindex")
        shown = {"page": {"head": head, "back": back_link(context)}, "site": context.site}
        return render(request, "compare/choose.html", shown)
    hotels = hotels_of(context, named[:MOST_COMPARED])
    page = compare_page(context, hotels, left_out=len(named) > MOST_COMPARED)
    return page_or_json(request, "compare/page.html", {"page": page, "site": context.site})


@read_only
def shortlist(request: HttpRequest) -> HttpResponseBase:
    """The hotels of the address; what `add` and `drop` ask for becomes an address of its own."""
    site, searches = visited_site(request), kept_searches(request)
    if {"add", "drop"} & request.GET.keys():
        return redirect(shortlist_path(searches, asked_market(request, site)))

    def whole() -> HttpResponse:
        page = ShortlistPage(searches, page_number(request), site, page_deadline())
        return render(request, "compare/shortlist.html", {"page": page, "site": site})

    return begun_early(request, whole, lambda: _skeleton(request, site, _("Shortlist")))
