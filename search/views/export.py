"""`/share/...csv`: what a colleague sees, as a table for spreadsheets."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from search.pages.export import as_csv, then_and_now_csv
from search.pages.links import Links
from search.pages.reader import Reader
from search.pages.shared import short_day
from search.pages.then_and_now import ThenWords
from search.services import sharing, site, stays
from search.services.shared_stays import Asked

from .edge import page_number, read_only
from .shared import visit_of
from .sharing import answered, for_sharers, origin_of, owner_of


@for_sharers
@read_only
def export(request: HttpRequest) -> HttpResponse:
    """The page of results in front of a colleague."""
    _check_offered()

    def table(asked: Asked) -> HttpResponse:
        page = page_number(request)
        found = stays.find_stays(
            asked.search, asked.refinement, page, site=asked.site, today=asked.today, deadline=asked.deadline
        )
        links = Links.of(asked.search, asked.refinement, page)
        reader = Reader.of(asked.site, asked.search.market)
        return _download(as_csv(found.listings, links, reader, origin_of(request)))

    return answered(request, table)


@for_sharers
@read_only
def export_link(request: HttpRequest, code: str) -> HttpResponse:
    """One of a colleague's own links, then and now."""
    _check_offered()
    try:
        visit = visit_of(request, sharing.own(owner_of(request), code))
    except sharing.NoSuchLink:
        raise Http404 from None
    asked, link = visit.asked, visit.link
    reader = Reader.of(asked.site, asked.search.market)
    words = ThenWords(reader, short_day(link.shared_at, reader))
    links = Links.of(asked.search, asked.refinement, link.shared.page)
    return _download(then_and_now_csv(visit.now().entries, words, links, visit.origin))


def _check_offered() -> None:
    if not site.current().export_enabled:
        raise Http404


def _download(table: str) -> HttpResponse:
    response = HttpResponse(table, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="hotels.csv"'
    return response
