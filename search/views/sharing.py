"""`/share/...`: staff make links, see, prolong and revoke their own. Nobody else learns that it exists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, cast

from django.contrib.auth.models import AbstractBaseUser
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.timezone import localdate
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from search.domain.refinement import Refinement
from search.domain.sharing import LinkKind, Shared, Snapshot, snapshot_of, snapshot_of_property
from search.domain.stay import StaySearch, encode_pairs
from search.forms.refine import RefineForm
from search.forms.search import SearchForm
from search.forms.sharing import ShareForm, picks
from search.pages.links import card_anchor, property_path, results_path
from search.pages.sharing import LinkPage, LinksPage, SharePage, may_share, shared_path
from search.services import destinations, shared_stays, sharing, site, stays

from .edge import ask_again, page_deadline, page_number, sorry

LINKS_PER_PAGE = 30

View = Callable[..., HttpResponse]


def for_sharers(view: View) -> View:
    """404 for everybody else, signed in or not."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not may_share(request, site.current()):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


@for_sharers
@require_http_methods(["GET", "HEAD", "POST"])
def share_results(request: HttpRequest) -> HttpResponse:
    """A page of results as it is refined, or with `pick` the cards picked from it."""
    settled, today, deadline = site.current(), localdate(), page_deadline()
    form = SearchForm(request.GET, site=settled, today=today)
    if not form.is_valid():
        return ask_again(request, form, settled, deadline)
    refinement = RefineForm(request.GET, site=settled).refinement()
    search, refinement = destinations.resolved(form.search(), refinement, deadline)
    page, chosen = page_number(request), picks(request.GET)
    asked = {"site": settled, "today": today, "deadline": deadline}
    try:
        if chosen:
            marks = {pick.card: pick.page for pick in chosen}
            looked_up = shared_stays.look_up(
                lambda key: card_anchor(key) in marks,
                search,
                refinement,
                pages=frozenset(marks.values()),
                **asked,
            )
            by_mark = {card_anchor(key): card for key, card in looked_up.found.items() if card}
            snapshot = tuple(snapshot_of(by_mark[mark], marks[mark]) for mark in marks if mark in by_mark)
        else:
            found = stays.find_stays(search, refinement, page, **asked)
            snapshot = tuple(snapshot_of(one, page) for one in found.listings)
    except stays.GatewayError as error:
        return sorry(request, form, settled, error)
    offered = Offered(
        kind=LinkKind.PICKS if chosen else LinkKind.RESULTS,
        search=search,
        refinement=refinement,
        page=1 if chosen else page,
        snapshot=snapshot,
        back=results_path(search, refinement, page),
    )
    return _share(request, offered)


@for_sharers
@require_http_methods(["GET", "HEAD", "POST"])
def share_property(request: HttpRequest, provider: str, property_id: str) -> HttpResponse:
    """One property with its offers for the stay."""
    settled, today, deadline = site.current(), localdate(), page_deadline()
    form = SearchForm(request.GET, site=settled, today=today, needs_place=False)
    if not form.is_valid():
        return ask_again(request, form, settled, deadline)
    refinement = RefineForm(request.GET, site=settled).refinement()
    search, refinement = destinations.resolved(form.search(), refinement, deadline)
    page = page_number(request)
    try:
        found = stays.find_property(
            provider, property_id, search, refinement, page=page, site=settled, today=today, deadline=deadline
        )
    except stays.NotFound:
        raise Http404 from None
    except stays.GatewayError as error:
        return sorry(request, form, settled, error)
    offered = Offered(
        kind=LinkKind.PROPERTY,
        search=search,
        refinement=refinement,
        page=page,
        snapshot=(snapshot_of_property(found, page),),
        back=f"{property_path(provider, property_id)}?{search.query_string()}",
    )
    return _share(request, offered)


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """What the page in front of a sharer shows."""

    kind: LinkKind
    search: StaySearch
    refinement: Refinement
    page: int
    snapshot: tuple[Snapshot, ...]
    back: str


def _share(request: HttpRequest, offered: Offered) -> HttpResponse:
    """The form for a link to what is offered; posted, the link itself."""
    settled, today, search = site.current(), localdate(), offered.search
    asked = request.POST if request.method == "POST" else None
    form = ShareForm(asked, check_in=search.dates.check_in, today=today, days=settled.share_days)
    if offered.snapshot and form.is_valid():
        values = form.cleaned_data
        shared = Shared(
            kind=offered.kind,
            search=search.query_string(),
            refinement=encode_pairs(offered.refinement.pairs()),
            page=offered.page,
            keys=() if offered.kind is LinkKind.RESULTS else tuple(one.key for one in offered.snapshot),
            title=values["title"],
            note=values["note"],
        )
        link = sharing.share(
            _owner(request),
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
    return render(request, "search/share.html", {"page": page, "form": form}, status=400 if asked else 200)


@for_sharers
@require_safe
def link(request: HttpRequest, code: str) -> HttpResponse:
    """One link of one's own: to copy, to scan, to mail."""
    try:
        found = sharing.own(_owner(request), code)
    except sharing.NoSuchLink:
        raise Http404 from None
    origin = _origin(request)
    qr = sharing.qr_code(f"{origin}{shared_path(code)}")
    page = LinkPage.build(found, site.current(), localdate(), origin=origin, qr=qr)
    return render(request, "search/share_link.html", {"page": page})


@for_sharers
@require_safe
def links(request: HttpRequest) -> HttpResponse:
    """All links of one's own; `q` searches them."""
    text = " ".join(request.GET.get("q", "")[:100].replace("\x00", "").split())
    rows = Paginator(sharing.mine(_owner(request), text), LINKS_PER_PAGE).get_page(page_number(request))
    page = LinksPage.build(
        sharing.links(rows.object_list), rows, text, site.current(), localdate(), origin=_origin(request)
    )
    return render(request, "search/share_links.html", {"page": page})


@for_sharers
@require_POST
def revoke(request: HttpRequest, code: str) -> HttpResponse:
    try:
        sharing.revoke(_owner(request), code, now=timezone.now())
    except sharing.NoSuchLink:
        raise Http404 from None
    return redirect("share-links")


@for_sharers
@require_POST
def extend(request: HttpRequest, code: str) -> HttpResponse:
    try:
        sharing.extend(_owner(request), code, today=localdate(), days=site.current().share_days)
    except (sharing.NoSuchLink, sharing.Unchangeable):
        raise Http404 from None
    return redirect("share-links")


def _owner(request: HttpRequest) -> AbstractBaseUser:
    return cast(AbstractBaseUser, request.user)


def _origin(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")
