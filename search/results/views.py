"""`/hotels/`: the results of a search.

`/hotels/progress/`: how much of the full results of a search has been fetched.

`/hotels/dates/`: what the same stay costs a few days earlier or later.
"""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache

from search.domain.context import SearchContext
from search.web.formatting import Reader
from search.web.shortcuts import only_if, page_number, read_only

from . import nearby_dates, service
from .context import for_search, parsed
from .nearby_dates import NearbyDatesPage
from .page import ResultsBeginning, ResultsPage
from .pagination import CoverageState
from .toolbar import progress_text


def _beginning(request: HttpRequest, context: SearchContext) -> str:
    page = ResultsBeginning.build(context, page_number(request))
    return render_to_string("results/skeleton.html", {"page": page, "site": context.site}, request)


@read_only
@for_search(beginning=_beginning)
def results(request: HttpRequest, context: SearchContext) -> HttpResponse:
    page = ResultsPage.build(context, service.find(context, page_number(request)))
    return render(request, "results/page.html", {"page": page, "site": context.site})


@never_cache
@read_only
def progress(request: HttpRequest) -> JsonResponse:
    """`{"text": "Hotels compared: 240 of 412", "compared": 240, "most": 412, "done": false}`; `most` is 0
    while nobody knows. `done` says that nothing more is coming, not that everything came."""
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


@read_only
@only_if(lambda site: site.date_strip_enabled)
@for_search()
def dates(request: HttpRequest, context: SearchContext) -> HttpResponse:
    page = NearbyDatesPage.build(context, nearby_dates.around(context))
    return render(request, "results/nearby_dates.html", {"page": page, "site": context.site})
