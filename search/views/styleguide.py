"""`/styleguide/`: every component with its examples, for staff and for DEBUG."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import localdate

from search.pages.styleguide import StyleguidePage

from .edge import is_staff, read_only


@read_only
def styleguide(request: HttpRequest) -> HttpResponse:
    if not (settings.DEBUG or is_staff(request)):
        raise Http404
    return render(request, "search/styleguide.html", {"page": StyleguidePage.build(localdate())})
