"""`/hotels/progress/`: how far the complete answer of a search has come."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.utils.timezone import localdate
from django.views.decorators.cache import never_cache

from search.domain.gathering import Reach
from search.forms.search import SearchForm
from search.pages.coverage import progress_text
from search.pages.reader import Reader
from search.services import result_sets

from .edge import read_only, visited_site


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
    coverage = result_sets.progress(search, site=settings)
    return JsonResponse(
        {
            "text": progress_text(coverage, Reader.of(settings, search.market)),
            "compared": coverage.compared,
            "most": coverage.goal or 0,
            "done": coverage.reach is not Reach.GATHERING,
        }
    )
