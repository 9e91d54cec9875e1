"""`/compare/`: two to four hotels side by side."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from search.domain.context import SearchContext
from search.property.page import stay_line
from search.results.context import for_search
from search.web.formatting import Reader
from search.web.meta import Head
from search.web.shortcuts import only_if, read_only
from search.web.translation import gettext as _

from . import service
from .address import MOST_KEPT, stays_of
from .page import back_link, compare_page
from .table import MOST_COMPARED


def _beginning(request: HttpRequest, context: SearchContext) -> str:
    title = _("Hotels side by side")
    stay = stay_line(context.search, Reader.for_search(context))
    page = {"head": Head(title=title, robots="noindex"), "title": title, "stay": stay}
    return render_to_string("compare/skeleton.html", {"page": page, "site": context.site}, request)


@read_only
@only_if(lambda site: site.compare_enabled)
@for_search(needs_place=False, beginning=_beginning)
def compare(request: HttpRequest, context: SearchContext) -> HttpResponse:
    """Hotels of the address side by side; with fewer than two, how to choose some."""
    named = stays_of(request.GET.getlist("stay"), MOST_KEPT)
    if len(named) < 2:
        head = Head(title=_("Hotels side by side"), robots="noindex")
        shown = {"page": {"head": head, "back": back_link(context)}, "site": context.site}
        return render(request, "compare/choose.html", shown)
    found = service.side_by_side(context, named[:MOST_COMPARED])
    page = compare_page(context, found, left_out=len(named) > MOST_COMPARED)
    return render(request, "compare/page.html", {"page": page, "site": context.site})
