"""`/hotels/dates/`: what the same stay costs a few days earlier or later."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import localdate

from search.forms.refine import RefineForm
from search.forms.search import SearchForm
from search.pages.nearby_dates import NearbyDatesPage
from search.services import destinations, nearby_dates

from .edge import ask_again, page_deadline, read_only, visited_site


@read_only
def dates(request: HttpRequest) -> HttpResponse:
    settings, today, deadline = visited_site(request), localdate(), page_deadline()
    if not settings.date_strip_enabled:
        raise Http404
    form = SearchForm(request.GET, site=settings, today=today)
    if not form.is_valid():
        return ask_again(request, form, settings, deadline)
    refinement = RefineForm(request.GET, site=settings).refinement()
    search, refinement = destinations.resolved(form.search(), refinement, deadline)
    totals = nearby_dates.around(search, site=settings, today=today, deadline=deadline)
    page = NearbyDatesPage.build(search, refinement, totals, settings, today)
    options = destinations.datalist(deadline)
    context = {"page": page, "form": form, "site": settings, "airport_options": options}
    return render(request, "search/nearby_dates.html", context)
