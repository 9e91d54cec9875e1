"""`/share/hotels.csv?...`: the page of results in front of a colleague, as a table."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.timezone import localdate

from search.forms.refine import RefineForm
from search.forms.search import SearchForm
from search.pages.export import as_csv
from search.pages.links import Links
from search.pages.reader import Reader
from search.services import destinations, stays

from .edge import ask_again, page_deadline, page_number, read_only, sorry, visited_site
from .sharing import for_sharers


@for_sharers
@read_only
def export(request: HttpRequest) -> HttpResponse:
    settled, today, deadline = visited_site(request), localdate(), page_deadline()
    if not settled.export_enabled:
        raise Http404
    form = SearchForm(request.GET, site=settled, today=today)
    if not form.is_valid():
        return ask_again(request, form, settled, deadline)
    refinement = RefineForm(request.GET, site=settled).refinement()
    search, refinement = destinations.resolved(form.search(), refinement, deadline)
    page = page_number(request)
    try:
        found = stays.find_stays(search, refinement, page, site=settled, today=today, deadline=deadline)
    except stays.GatewayError as error:
        return sorry(request, form, settled, error)
    links, reader = Links.of(search, refinement, page), Reader.of(settled, search.market)
    table = as_csv(found.listings, links, reader, request.build_absolute_uri("/").rstrip("/"))
    response = HttpResponse(table, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="hotels.csv"'
    return response
