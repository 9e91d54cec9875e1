"""`/hotels/<provider>/<property>/`: one property in full."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.vary import vary_on_headers

from search.domain.context import SearchContext
from search.gateway import NotFound
from search.gateway.parsing import MAX_ID
from search.results.context import for_search
from search.web.links import Links, home_path, property_path
from search.web.search_form import StayForm
from search.web.shortcuts import origin_of, page_number, page_or_json, read_only, without_dates

from . import service
from .page import PropertyBeginning, PropertyPage


def _beginning(request: HttpRequest, context: SearchContext, provider: str, property_id: str) -> str:
    page = PropertyBeginning(context, page_number(request), dated=_is_dated(request))
    return render_to_string("property/skeleton.html", {"page": page, "site": context.site}, request)


def _is_dated(request: HttpRequest) -> bool:
    """Whether the address names the days."""
    return bool(request.GET.get("checkin") and request.GET.get("checkout"))


@read_only
@vary_on_headers("Accept")
@for_search(
    needs_place=False,
    beginning=_beginning,
    sources=lambda request, context, **at: service.page_sources(context, **at, dated=_is_dated(request)),
    # After its days an address asks for others.
    of_the_past=lambda request, **at: without_dates(request, property_path(**at)),
)
def property_page(
    request: HttpRequest, context: SearchContext, provider: str, property_id: str
) -> HttpResponse:
    card_page, dated, key = page_number(request), _is_dated(request), request.GET.get("hotel", "")[:MAX_ID]
    try:
        hotel = service.find_property(context, provider, property_id, dated=dated, hotel=key)
    except NotFound:
        return not_found(request, context, card_page)
    page = PropertyPage(context, hotel, card_page, origin_of(request))
    return page_or_json(request, "property/page.html", {"page": page, "site": context.site})


def not_found(request: HttpRequest, context: SearchContext, card_page: int) -> HttpResponse:
    """The page for a property that isn't offered: 404, with the search to go back to."""
    form = StayForm(request.GET, site=context.site, today=context.today)
    place = context.search.place
    back = Links(context, card_page).results() if place else home_path(context.search)
    shown = {"back": back, "place": place, "form": form, "site": context.site}
    return render(request, "error_pages/not_found.html", shown, status=404)
