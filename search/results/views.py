"""`/hotels/`: the results of a search; below it `progress/`: how much of them has been fetched, `all/`:
compares more of them than usual, `map/` and `map-cards/`: the pins of their map, and the cards of some.

`/hotels/dates/`: when the same stay is cheapest; `dates/totals/`: its table as totals come in.
"""

from collections.abc import Iterator
from contextvars import copy_context

import msgspec
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.decorators.vary import vary_on_headers

from search.domain.context import SearchContext
from search.web.formatting import Reader
from search.web.links import results_path
from search.web.shortcuts import (
    ask_again,
    cacheable,
    is_own_page,
    is_reading,
    is_staff,
    only_if,
    page_number,
    page_or_json,
    read_only,
)

from . import full_results, service
from .context import for_search, parsed
from .dates import DateComparison, DatesQuestion
from .dates_page import DatesPage, DatesTable
from .full_results import Pass, is_offered
from .map_pins import MapPins, cards_at
from .page import ResultsBeginning, ResultsPage
from .pagination import CoverageState
from .toolbar import progress_text

# Stands behind each table of a stream.
NEXT_TABLE = "<!--next-->"


def _beginning(request: HttpRequest, context: SearchContext) -> str:
    page = ResultsBeginning(context, page_number(request))
    return render_to_string("results/skeleton.html", {"page": page, "site": context.site}, request)


@read_only
@vary_on_headers("Accept")
@for_search(beginning=_beginning, sources=lambda _request, context: service.page_sources(context))
def results(request: HttpRequest, context: SearchContext) -> HttpResponse:
    stays = service.find(context, page_number(request))
    if context.instead and full_results.found_nothing(context):
        context = context.instead
        stays = service.find(context, page_number(request))
    page = ResultsPage(context, stays)
    return page_or_json(request, "results/page.html", {"page": page, "site": context.site})


@never_cache
@read_only
def progress(request: HttpRequest) -> JsonResponse:
    """`{"text": "Hotels compared: 240 of 412", "compared": 240, "most": 412, "done": false}`; `most` is 0
    if unknown. `done` says that no more are coming, not that all came."""
    _form, context = parsed(request)
    if context is None:
        return JsonResponse({"text": "", "compared": 0, "most": 0, "done": True}, status=400)
    coverage = service.progress(context)
    return JsonResponse(
        {
            "text": progress_text(coverage, Reader.for_search(context)),
            "compared": coverage.compared,
            "most": coverage.goal or 0,
            "done": coverage.state is not CoverageState.FETCHING,
        }
    )


# Without a token, which would take a cookie on every page: all it changes is what is cached, for everybody
# and within bounds, and a browser says when another site sends its visitor here.
@csrf_exempt
@never_cache
@require_POST
@only_if(is_offered)
def compare_all(request: HttpRequest) -> HttpResponse:
    """Starts a deeper pass over the results of the address; back to the results."""
    form, context = parsed(request)
    if context is None:
        return ask_again(request, form)
    if not is_own_page(request):
        raise PermissionDenied
    Pass(context).start()
    return redirect(results_path(context.search, context.refinement.replace(all=True)))


@read_only
@only_if(lambda site: site.map_enabled)
def map_pins(request: HttpRequest) -> HttpResponseBase:
    """Every compared property that passes the filters (`MapPins`), 204 without cached full results."""
    _form, context = parsed(request)
    if context is None:
        return JsonResponse({}, status=400)

    def pins() -> HttpResponse:
        made = MapPins.build(context)
        if made is None:
            return HttpResponse(status=204)
        return HttpResponse(msgspec.json.encode(made), content_type="application/json")

    return cacheable(request, context.site, service.page_sources(context), pins)


@read_only
@only_if(lambda site: site.map_enabled)
@for_search()
def map_cards(request: HttpRequest, context: SearchContext) -> HttpResponse:
    """The cards of the properties at the paths that `at` names; no whole page."""
    cards = cards_at(context, request.GET.getlist("at"))
    return render(request, "results/map_cards.html", {"cards": cards})


@read_only
@only_if(lambda site: site.date_strip_enabled)
@vary_on_headers("Accept")
@for_search()
def dates(request: HttpRequest, context: SearchContext) -> HttpResponse:
    """Known totals; with `ask` those of the other dates, too."""
    comparison = DateComparison(context, DatesQuestion.of(request.GET, context))
    if request.GET.get("ask"):
        comparison.ask_for_all()
    page, is_export = DatesPage(comparison), is_staff(request) and context.site.export_enabled
    shown = {"page": page, "table": page.table, "site": context.site, "is_export": is_export}
    return page_or_json(request, "results/dates.html", shown)


@never_cache
@read_only
@only_if(lambda site: site.date_strip_enabled)
def dates_as_they_come(request: HttpRequest) -> HttpResponseBase:
    """The table of `dates` again and again, each time with more totals. Robots get none."""
    _form, context = parsed(request)
    if context is None or not is_reading(request):
        return HttpResponse(status=204 if context else 400)
    comparison = DateComparison(context, DatesQuestion.of(request.GET, context))
    language = copy_context()

    def tables() -> Iterator[str]:
        for _step in comparison.ask(for_long=True):
            table = language.run(DatesTable, comparison)
            yield language.run(render_to_string, "results/dates_table.html", {"table": table}, request)
            yield NEXT_TABLE

    return StreamingHttpResponse(tables(), headers={"X-Accel-Buffering": "no"})
