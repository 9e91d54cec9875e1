"""`/share/...`: staff make links, see, prolong and revoke their own, and download what they see as CSV."""

from functools import wraps
from typing import Any, cast
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.timezone import localdate
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from search.compare.shortlist import MOST_KEPT, stays_of
from search.domain.context import SearchContext
from search.domain.query import encode_pairs
from search.gateway import NotFound
from search.gateway.parsing import MAX_ID
from search.property import observed
from search.property import service as properties
from search.results import service as results
from search.results.context import for_search
from search.results.dates import DateComparison, DatesQuestion
from search.site_settings import store
from search.web.formatting import Reader, sentences, short_day
from search.web.links import property_path, results_path, reverse, search_pairs
from search.web.markets import asked_market, page_address
from search.web.shortcuts import View, only_if, origin_of, page_number, read_only, visited_site
from search.web.translation import gettext as _

from . import price_change, service, watches
from .csv import as_csv, dates_csv, download, then_and_now_csv
from .forms import ShareForm
from .models import LinkKind, LinkState, SharedLink, snapshot_of
from .pages import ENDED
from .staff_pages import LinkPage, LinkRow, LinksPage, SharePage, may_share
from .views import open_link
from .watches import Watch

LINKS_PER_PAGE = 30


def for_sharers(view: View) -> View:
    """404 for everybody else."""

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
    """A page of results as it is refined, or the hotels that `stay` parameters name."""
    kind, page = LinkKind.RESULTS, page_number(request)
    if stays := stays_of(request.GET.getlist("stay"), MOST_KEPT):
        kind, page = LinkKind.PICKS, 1
        cards = price_change.picked(stays, context)
    else:
        found = results.find(context, page)
        cards = tuple(price_change.without_price_limits(one, context) for one in found.listings)
        for card in cards if request.method == "POST" else ():
            observed.note(context, card.listing.property.key, card.offers, found.fetched_at)
    shown = tuple(map(snapshot_of, cards))
    link = service.unsaved_link(kind, context, page, shown)
    return _share(request, context, link, results_path(context.search, context.refinement, page))


@for_sharers
@require_http_methods(["GET", "HEAD", "POST"])
@for_search(needs_place=False)
def share_property(
    request: HttpRequest, context: SearchContext, provider: str, property_id: str
) -> HttpResponse:
    """One property with its offers for the stay."""
    page, key = page_number(request), request.GET.get("hotel", "")[:MAX_ID]
    try:
        hotel = properties.find_property(context, provider, property_id, hotel=key)
    except NotFound:
        raise Http404 from None
    shown = (snapshot_of(properties.card_of(hotel)),)
    link = service.unsaved_link(LinkKind.PROPERTY, context, page, shown)
    back, asked = property_path(provider, property_id, key), encode_pairs(search_pairs(context))
    return _share(request, context, link, f"{back}{'&' if key else '?'}{asked}")


def _share(request: HttpRequest, context: SearchContext, link: SharedLink, back: str) -> HttpResponse:
    """The form of a new link; posted and valid, the link."""
    posted = request.POST if request.method == "POST" else None
    page = SharePage(link, context, back)
    form = ShareForm(posted, link=link, today=context.today, days=context.site.share_days, title=page.what)
    if link.shown and form.is_valid():
        shared_link = service.share(link, owner_of(request), now=timezone.now(), today=context.today)
        return redirect(page_address("share-link", request, context.site, shared_link.code))
    return render(
        request, "sharing/share.html", {"page": page, "form": form}, status=200 if posted is None else 400
    )


@for_sharers
@read_only
def link(request: HttpRequest, code: str) -> HttpResponse:
    """One link of one's own: to copy, to scan, to mail."""
    shared_link = get_object_or_404(own(request, code).prefetch_related("daily"))
    row = LinkRow(shared_link, reader_of(request), localdate(), origin_of(request))
    can_watch = watches.can_mail(shared_link, visited_site(request))
    watched = Watch.objects.filter(link=shared_link).exists() if can_watch else None
    return render(request, "sharing/link.html", {"page": LinkPage(row, watched)})


@for_sharers
@require_POST
def watch(request: HttpRequest, code: str) -> HttpResponse:
    """Have the totals of a link watched and their changes mailed to its owner, or no longer."""
    shared_link, site = get_object_or_404(own(request, code)), visited_site(request)
    if Watch.objects.filter(link=shared_link).delete()[0] == 0 and watches.can_mail(shared_link, site):
        watches.begin_for_link(shared_link, site, origin_of(request))
    return redirect(page_address("share-link", request, site, code))


@for_sharers
@read_only
def links(request: HttpRequest) -> HttpResponse:
    """All links of one's own; `q` searches them."""
    text = " ".join(request.GET.get("q", "")[:100].replace("\x00", "").split())
    own_links = service.links_of(owner_of(request), text).prefetch_related("daily")
    shown = Paginator(own_links, LINKS_PER_PAGE).get_page(page_number(request))
    reader, today, origin = reader_of(request), localdate(), origin_of(request)
    rows = [LinkRow(one, reader, today, origin) for one in shown]
    done = messages.get_messages(request)
    page = LinksPage(shown, rows, text, asked_market(request, reader.site), done)
    return render(request, "sharing/links.html", {"page": page})


@for_sharers
@require_POST
def revoke(request: HttpRequest, code: str) -> HttpResponse:
    service.revoke_all(own(request, code), now=timezone.now())
    return _back_to_list(request, code, "")


@for_sharers
@require_POST
def restore(request: HttpRequest, code: str) -> HttpResponse:
    service.restore(own(request, code))
    return _back_to_list(request, code, _("The link works again."))


@for_sharers
@require_POST
def extend(request: HttpRequest, code: str) -> HttpResponse:
    service.extend_all(own(request, code), today=localdate(), days=visited_site(request).share_days)
    day = short_day(get_object_or_404(own(request, code)).expires, reader_of(request))
    return _back_to_list(request, code, sentences(_("The link works until %(day)s."), {"day": day}))


def _back_to_list(request: HttpRequest, code: str, done: str) -> HttpResponse:
    """The list on which a button was pressed, which says what is `done` or that the link is over."""
    state = service.state_of(get_object_or_404(own(request, code)))
    if state is LinkState.REVOKED:
        messages.success(request, _("The link is revoked."), extra_tags=code)
    else:
        messages.success(request, ENDED[state][0] if state in ENDED else done)
    query = urlencode({name: request.GET[name] for name in ("q", "market", "page") if name in request.GET})
    return redirect(f"{reverse('share-links')}?{query}" if query else reverse("share-links"))


def reader_of(request: HttpRequest) -> Reader:
    """The reader of the list: its days are in the formats of the page's market, not of each link's."""
    site = visited_site(request)
    return Reader.of(site, site.default_market)


def owner_of(request: HttpRequest) -> User:
    return cast(User, request.user)


def own(request: HttpRequest, code: str) -> QuerySet[SharedLink]:
    """The link of this code, if it is the colleague's own."""
    return service.links_of(owner_of(request)).filter(code=service.usable_code(code))


def for_export(view: View) -> View:
    """A download, where the site offers them."""
    return for_sharers(read_only(only_if(lambda site: site.export_enabled)(view)))


@for_export
@for_search()
def export(request: HttpRequest, context: SearchContext) -> HttpResponse:
    """The page of results in front of a colleague."""
    found = results.find(context, page_number(request))
    return download(as_csv(found, context, origin_of(request)), "hotels")


@for_export
@for_search()
def export_dates(request: HttpRequest, context: SearchContext) -> HttpResponse:
    """What a stay costs by its dates, asked for where that isn't known."""
    comparison = DateComparison(context, DatesQuestion.of(request.GET, context))
    comparison.ask_for_all()
    return download(dates_csv(comparison, Reader.for_search(context)), "dates")


@for_export
def export_link(request: HttpRequest, code: str) -> HttpResponse:
    """One of a colleague's own links, then and now."""
    opened = open_link(request, get_object_or_404(own(request, code)))
    return download(then_and_now_csv(opened), "hotels")
