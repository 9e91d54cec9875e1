"""`/hotels/`: the results of a search."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import localdate

from search.forms.refine import RefineForm
from search.forms.search import SearchForm
from search.pages.results import ResultsPage
from search.services import destinations, stays

from .edge import ask_again, page_deadline, page_number, read_only, sorry, visited_site


@read_only
def results(request: HttpRequest) -> HttpResponse:
    settings, today, deadline = visited_site(request), localdate(), page_deadline()
    form = SearchForm(request.GET, site=settings, today=today)
    if not form.is_valid():
        return ask_again(request, form, settings, deadline)
    refinement = RefineForm(request.GET, site=settings).refinement()
    search, refinement = destinations.resolved(form.search(), refinement, deadline)
    try:
        found = stays.find_stays(
            search, refinement, page_number(request), site=settings, today=today, deadline=deadline
        )
    except stays.GatewayError as error:
        return sorry(request, form, settings, error)
    page = ResultsPage.build(search, refinement, found, settings, today)
    options = destinations.datalist(deadline)
    context = {"page": page, "form": form, "site": settings, "airport_options": options}
    return render(request, "search/results.html", context)
