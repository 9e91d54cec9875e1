"""`/hotels/<provider>/<property>/`: one property in full."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import localdate

from search.destinations import service as destinations
from search.results.forms import RefineForm
from search.web.error_pages import NotFoundPage
from search.web.search_form import SearchForm
from search.web.shortcuts import ask_again, page_deadline, page_number, read_only, sorry, visited_site

from . import service
from .page import PropertyPage


@read_only
def property_page(request: HttpRequest, provider: str, property_id: str) -> HttpResponse:
    settings, today, deadline = visited_site(request), localdate(), page_deadline()
    form = SearchForm(request.GET, site=settings, today=today, needs_place=False)
    if not form.is_valid():
        return ask_again(request, form, settings)
    refinement = RefineForm(request.GET, site=settings).refinement()
    search, refinement = destinations.resolved(form.search(), refinement, deadline)
    card_page = page_number(request)
    context = {"form": form, "site": settings}
    try:
        found = service.find_property(
            provider,
            property_id,
            search,
            refinement,
            page=card_page,
            site=settings,
            today=today,
            deadline=deadline,
        )
    except service.NotFound:
        page = NotFoundPage.build(search, refinement, card_page, settings)
        return render(request, "search/gone.html", {**context, "page": page}, status=404)
    except service.GatewayError as error:
        return sorry(request, form, settings, error)
    shown = PropertyPage.build(search, refinement, found, settings, today, card_page=card_page)
    return render(request, "search/property.html", {**context, "page": shown})
