"""`/hotels/`: the results of a search.

`/hotels/progress/`: how far the complete answer of a search has come.

`/hotels/dates/`: what the same stay costs a few days earlier or later.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.timezone import localdate
from django.views.decorators.cache import never_cache

from search.destinations import service as destinations
from search.web.formatting import Reader
from search.web.search_form import SearchForm
from search.web.shortcuts import ask_again, page_deadline, page_number, read_only, sorry, visited_site

from . import nearby_dates, service
from .forms import RefineForm
from .nearby_dates import NearbyDatesPage
from .page import ResultsPage
from .pagination import CoverageState
from .toolbar import progress_text


@read_only
def results(request: HttpRequest) -> HttpResponse:
    settings, today, deadline = visited_site(request), localdate(), page_deadline()
    form = SearchForm(request.GET, site=settings, today=today)
    if not form.is_valid():
        return ask_again(request, form, settings)
    refinement = RefineForm(request.GET, site=settings).refinement()
    search, refinement = destinations.resolved(form.search(), refinement, deadline)
    try:
        found = service.find_stays(
            search, refinement, page_number(request), site=settings, today=today, deadline=deadline
        )
    except service.GatewayError as error:
        return sorry(request, form, settings, error)
    page = ResultsPage.build(search, refinement, found, settings, today)
    context = {"page": page, "form": form, "site": settings}
    return render(request, "search/results.html", context)


@never_cache
@read_only
def progress(request: HttpRequest) -> JsonResponse:
    """`{"text": "240 of 412 hotels compared", "compared": 240, "most": 412, "done": false}`; `most` is 0
    while nobody knows. `done` says that nothing more is coming, not that everything came."""
    settings = visited_site(request)
    form = SearchForm(request.GET, site=settings, today=localdate())
    if not form.is_valid():
        return JsonResponse({"text": "", "compared": 0, "most": 0, "done": True}, status=400)
    search = form.search()
    coverage = service.progress(search, site=settings)
    return JsonResponse(
        {
            "text": progress_text(coverage, Reader.of(settings, search.market)),
            "compared": coverage.compared,
            "most": coverage.goal or 0,
            "done": coverage.state is not CoverageState.FETCHING,
        }
    )


@read_only
def dates(request: HttpRequest) -> HttpResponse:
    settings, today, deadline = visited_site(request), localdate(), page_deadline()
    if not settings.date_strip_enabled:
        raise Http404
    form = SearchForm(request.GET, site=settings, today=today)
    if not form.is_valid():
        return ask_again(request, form, settings)
    refinement = RefineForm(request.GET, site=settings).refinement()
    search, refinement = destinations.resolved(form.search(), refinement, deadline)
    totals = nearby_dates.around(search, site=settings, today=today, deadline=deadline)
    page = NearbyDatesPage.build(search, refinement, totals, settings, today)
    context = {"page": page, "form": form, "site": settings}
    return render(request, "search/nearby_dates.html", context)
