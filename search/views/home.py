"""`/`: where a search begins."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import localdate

from search.forms.search import SearchForm
from search.pages.home import HomePage
from search.services import destinations

from .edge import page_deadline, read_only, visited_site


@read_only
def home(request: HttpRequest) -> HttpResponse:
    settings, today = visited_site(request), localdate()
    form = SearchForm(request.GET, site=settings, today=today, bind=False)
    page = HomePage.build(form, settings, today)
    options = destinations.datalist(page_deadline())
    context = {"page": page, "form": form, "site": settings, "airport_options": options}
    return render(request, "search/home.html", context)
