"""`/share/...`: staff make links, see, prolong and revoke their own. Nobody else learns that it exists.

`/share/...csv`: what a colleague sees, as a table for spreadsheets.
"""

from __future__ import annotations

from functools import wraps
from typing import Any, cast

from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.timezone import localdate
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from search.domain.context import SearchContext
from search.property import service as properties
from search.results import service as results
from search.results.context import for_search
from search.site_settings import store
from search.web.formatting import Reader
from search.web.links import Links, card_anchor, property_path, results_path
from search.web.shortcuts import View, only_if, page_number, read_only

from . import price_change, service
from .csv import as_csv, then_and_now_csv
from .entries import ThenWords
from .forms import ShareForm, picks
from .link import LinkKind, NewLink, snapshot_of, snapshot_of_property
from .pages import short_day
from .staff_pages import LinkPage, LinksPage, Shareable, SharePage, may_share, shared_path
from .views import open_link

LINKS_PER_PAGE = 30


def for_sharers(view: View) -> View:
    """404 for everybody else, signed in or not."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not may_share(request, store.current()):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


@for_sharers
@require_http_methods(["GET", "HEAD", "POST"])
@for_search()
def share_results(request: HttpRequest, context: SearchContext) -> HttpResponse:
    """A page of results as it is refined, or with `pick` the cards picked from its pages."""
    offered = _picks if picks(request.GET) else _results
    return _share(request, offered(request, context))


@for_sharers
@require_http_methods(["GET", "HEAD", "POST"])
@for_search(needs_place=False)
def share_property(
    request: HttpRequest, context: SearchContext, provider: str, property_id: str
) -> HttpResponse:
    """One property with its offers for the stay."""
    page = page_number(request)
    try:
        found = properties.find_property(context, provider, property_id, page)
    except properties.NotFound:
        raise Http404 from None
    shareable = Shareable(
        kind=LinkKind.PROPERTY,
        context=context,
        page=page,
        snapshot=(snapshot_of_property(found, page),),
        back=f"{property_path(provider, property_id)}?{context.search.query_string()}",
    )
    return _share(request, shareable)


def _results(request: HttpRequest, context: SearchContext) -> Shareable:
    page = page_number(request)
    found = results.find(context, page)
    return Shareable(
        kind=LinkKind.RESULTS,
        context=context,
        page=page,
        snapshot=tuple(snapshot_of(one, page) for one in found.listings),
        back=results_path(context.search, context.refinement, page),
    )


def _picks(request: HttpRequest, context: SearchContext) -> Shareable:
    marks = {pick.card: pick.page for pick in picks(request.GET)}
    return Shareable(
        kind=LinkKind.PICKS,
        context=context,
        page=1,
        snapshot=price_change.picked(marks, card_anchor, context),
        back=results_path(context.search, context.refinement),
    )


def _share(request: HttpRequest, shareable: Shareable) -> HttpResponse:
    """The form of a new link; posted and valid, the link."""
    context = shareable.context
    posted = request.POST if request.method == "POST" else None
    check_in = context.search.dates.check_in
    form = ShareForm(posted, check_in=check_in, today=context.today, days=context.site.share_days)
    if shareable.snapshot and form.is_valid():
        values = form.cleaned_data
        new = NewLink(
            shareable.content(values["title"], values["note"]),
            shareable.snapshot,
            label=values["label"],
            expires=values["expires"],
        )
        link = service.share(owner_of(request), new, now=timezone.now(), today=context.today)
        return redirect("share-link", link.code)
    page = SharePage.build(shareable, action=request.get_full_path())
    return render(
        request, "sharing/share.html", {"page": page, "form": form}, status=200 if posted is None else 400
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
    return render(request, "sharing/link.html", {"page": page})


@for_sharers
@read_only
def links(request: HttpRequest) -> HttpResponse:
    """All links of one's own; `q` searches them."""
    text = " ".join(request.GET.get("q", "")[:100].replace("\x00", "").split())
    rows = Paginator(service.mine(owner_of(request), text), LINKS_PER_PAGE).get_page(page_number(request))
    page = LinksPage.build(rows, text, store.current(), localdate(), origin=origin_of(request))
    return render(request, "sharing/links.html", {"page": page})


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
@only_if(lambda site: site.export_enabled)
@for_search()
def export(request: HttpRequest, context: SearchContext) -> HttpResponse:
    """The page of results in front of a colleague."""
    page = page_number(request)
    found, links = results.find(context, page), Links.of(context, page)
    return _download(as_csv(found.listings, links, Reader.for_search(context), origin_of(request)))


@for_sharers
@read_only
@only_if(lambda site: site.export_enabled)
def export_link(request: HttpRequest, code: str) -> HttpResponse:
    """One of a colleague's own links, then and now."""
    try:
        opened = open_link(request, service.own(owner_of(request), code))
    except service.NoSuchLink:
        raise Http404 from None
    context, link = opened.context, opened.link
    reader = Reader.for_search(context)
    words = ThenWords(reader, short_day(link.shared_at, reader))
    links = Links.of(context, link.shared.page)
    return _download(then_and_now_csv(opened.now().entries, words, links, opened.origin))


def _download(table: str) -> HttpResponse:
    response = HttpResponse(table, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="hotels.csv"'
    return response
