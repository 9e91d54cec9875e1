"""`/hotels/dates/`: when the same stay is cheapest; `/hotels/dates/totals/`: its table as totals come in."""

from collections.abc import Iterator
from contextvars import copy_context

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.vary import vary_on_headers

from search.domain.context import SearchContext
from search.web.shortcuts import is_reading, is_staff, only_if, page_or_json, read_only

from .context import for_search, parsed
from .dates import DateComparison, DatesQuestion
from .dates_page import DatesPage, DatesTable

# Stands behind each table of a stream.
NEXT_TABLE = "<!--next-->"


@read_only
@only_if(lambda site: site.date_strip_enabled)
@vary_on_headers("Accept")
@for_search()
def dates(request: HttpRequest, context: SearchContext) -> HttpResponse:
    """Known totals; with `ask` those of the other dates, too."""
    comparison = DateComparison(context, DatesQuestion.of(request.GET, context))
    if request.GET.get("ask"):
        comparison.ask_for_all()
    page, is_export = DatesPage.build(comparison), is_staff(request) and context.site.export_enabled
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

    def table() -> str:
        shown = {"table": DatesTable.build(comparison)}
        return render_to_string("results/dates_table.html", shown, request) + NEXT_TABLE

    def tables() -> Iterator[str]:
        for _step in comparison.ask(for_long=True):
            yield language.run(table)

    return StreamingHttpResponse(tables(), headers={"X-Accel-Buffering": "no"})
