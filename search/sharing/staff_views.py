"""`/share/...`: staff make links, see, prolong and revoke their own. Nobody else learns that it exists.

`/share/...csv`: what a colleague sees, as a table for spreadsheets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, cast

from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.timezone import localdate
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from search.destinations import service as destinations
from search.domain.query import encode_pairs
from search.property import service as hotels
from search.results import service as results
from search.results.forms import RefineForm
from search.site_settings import store
from search.web.formatting import Reader
from search.web.links import Links, card_anchor, property_path, results_path
from search.web.search_form import SearchForm
from search.web.shortcuts import View, ask_again, page_deadline, page_number, read_only, sorry, visited_site

from . import price_change, service
from .csv import as_csv, then_and_now_csv
from .entries import ThenWords
from .forms import ShareForm, picks
from .link import LinkKind, Shared, Snapshot, snapshot_of, snapshot_of_property
from .pages import short_day
from .price_change import Asked
from .staff_pages import LinkPage, LinksPage, SharePage, may_share, shared_path
from .views import visit_of

LINKS_PER_PAGE = 30


def for_sharers(view: View) -> View:
    """404 for everybody else, signed in or not."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not may_share(request, store.current()):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """What the page in front of a sharer shows."""

    kind: LinkKind
    asked: Asked
    page: int
    snapshot: tuple[Snapshot, ...]
    back: str


def answered(
    request: HttpRequest, answer: Callable[[Asked], HttpResponse], *, needs_place: bool = True
) -> HttpResponse:
    """What `answer` makes of the search and refinement of the address, or the page that says why it can't."""
    settled, today, deadline = visited_site(request), localdate(), page_deadline()
    form = SearchForm(request.GET, site=settled, today=today, needs_place=needs_place)
    if not form.is_valid():
        return ask_again(request, form, settled)
    refinement = RefineForm(request.GET, site=settled).refinement()
    search, refinement = destinations.resolved(form.search(), refinement, deadline)
    try:
        return answer(Asked(search, refinement, settled, today, deadline))
    except hotels.NotFound:
        raise Http404 from None
    except results.GatewayError as error:
        return sorry(request, form, settled, error)


@for_sharers
@require_http_methods(["GET", "HEAD", "POST"])
def share_results(request: HttpRequest) -> HttpResponse:
    """A page of results as it is refined, or with `pick` the cards picked from its pages."""
    offering = _picks if picks(request.GET) else _results
    return answered(request, lambda asked: _share(request, offering(request, asked)))


@for_sharers
@require_http_methods(["GET", "HEAD", "POST"])
def share_property(request: HttpRequest, provider: str, property_id: str) -> HttpResponse:
    """One property with its offers for the stay."""
    at = (provider, property_id)
    return answered(request, lambda asked: _share(request, _property(request, asked, at)), needs_place=False)


def _results(request: HttpRequest, asked: Asked) -> Offered:
    page = page_number(request)
    found = results.find_stays(
        asked.search, asked.refinement, page, site=asked.site, today=asked.today, deadline=asked.deadline
    )
    return Offered(
        kind=LinkKind.RESULTS,
        asked=asked,
        page=page,
        snapshot=tuple(snapshot_of(one, page) for one in found.listings),
        back=results_path(asked.search, asked.refinement, page),
    )


def _picks(request: HttpRequest, asked: Asked) -> Offered:
    marks = {pick.card: pick.page for pick in picks(request.GET)}
    return Offered(
        kind=LinkKind.PICKS,
        asked=asked,
        page=1,
        snapshot=price_change.picked(marks, card_anchor, asked),
        back=results_path(asked.search, asked.refinement),
    )


def _property(request: HttpRequest, asked: Asked, at: tuple[str, str]) -> Offered:
    page = page_number(request)
    found = hotels.find_property(
        *at,
        asked.search,
        asked.refinement,
        page=page,
        site=asked.site,
        today=asked.today,
        deadline=asked.deadline,
    )
    return Offered(
        kind=LinkKind.PROPERTY,
        asked=asked,
        page=page,
        snapshot=(snapshot_of_property(found, page),),
        back=f"{property_path(*at)}?{asked.search.query_string()}",
    )


def _share(request: HttpRequest, offered: Offered) -> HttpResponse:
    settled, today, search = offered.asked.site, offered.asked.today, offered.asked.search
    posted = request.POST if request.method == "POST" else None
    form = ShareForm(posted, check_in=search.dates.check_in, today=today, days=settled.share_days)
    if offered.snapshot and form.is_valid():
        values = form.cleaned_data
        shared = Shared(
            kind=offered.kind,
            search=search.query_string(),
            refinement=encode_pairs(offered.asked.refinement.pairs()),
            page=offered.page,
            keys=() if offered.kind is LinkKind.RESULTS else tuple(one.key for one in offered.snapshot),
            title=values["title"],
            note=values["note"],
        )
        link = service.share(
            owner_of(request),
            shared,
            offered.snapshot,
            label=values["label"],
            expires=values["expires"],
            now=timezone.now(),
            today=today,
        )
        return redirect("share-link", link.code)
    page = SharePage.build(
        offered.kind, offered.snapshot, search, settled, action=request.get_full_path(), back=offered.back
    )
    return render(
        request, "search/share.html", {"page": page, "form": form}, status=200 if posted is None else 400
    )


@for_sharers
@read_only
def link(request: HttpRequest, code: str) -> HttpResponse:
    """One link of one's own: to copy, to scan, to mail."""
    try:
        found = service.own(owner_of(request), code)
    except service.NoSuchLink:
        raise Http404 from None
    origin = origin_of(request)
    qr = service.qr_code(f"{origin}{shared_path(code)}")
    page = LinkPage.build(found, store.current(), localdate(), origin=origin, qr=qr)
    return render(request, "search/share_link.html", {"page": page})


@for_sharers
@read_only
def links(request: HttpRequest) -> HttpResponse:
    """All links of one's own; `q` searches them."""
    text = " ".join(request.GET.get("q", "")[:100].replace("\x00", "").split())
    rows = Paginator(service.mine(owner_of(request), text), LINKS_PER_PAGE).get_page(page_number(request))
    page = LinksPage.build(
        service.links(rows), rows, text, store.current(), localdate(), origin=origin_of(request)
    )
    return render(request, "search/share_links.html", {"page": page})


@for_sharers
@require_POST
def revoke(request: HttpRequest, code: str) -> HttpResponse:
    try:
        service.revoke(owner_of(request), code, now=timezone.now())
    except service.NoSuchLink:
        raise Http404 from None
    return redirect("share-links")


@for_sharers
@require_POST
def extend(request: HttpRequest, code: str) -> HttpResponse:
    try:
        service.extend(owner_of(request), code, today=localdate(), days=store.current().share_days)
    except (service.NoSuchLink, service.Unchangeable):
        raise Http404 from None
    return redirect("share-links")


def owner_of(request: HttpRequest) -> User:
    return cast(User, request.user)


def origin_of(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")


@for_sharers
@read_only
def export(request: HttpRequest) -> HttpResponse:
    """The page of results in front of a colleague."""
    _check_offered()

    def table(asked: Asked) -> HttpResponse:
        page = page_number(request)
        found = results.find_stays(
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
        visit = visit_of(request, service.own(owner_of(request), code))
    except service.NoSuchLink:
        raise Http404 from None
    asked, link = visit.asked, visit.link
    reader = Reader.of(asked.site, asked.search.market)
    words = ThenWords(reader, short_day(link.shared_at, reader))
    links = Links.of(asked.search, asked.refinement, link.shared.page)
    return _download(then_and_now_csv(visit.now().entries, words, links, visit.origin))


def _check_offered() -> None:
    if not store.current().export_enabled:
        raise Http404


def _download(table: str) -> HttpResponse:
    response = HttpResponse(table, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="hotels.csv"'
    return response
